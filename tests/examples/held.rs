//! Games from solved positions: `held GAMES SEED`, by default 1,000 games from seed 1.
//!
//! The highest level plays White from the official start of Squish and after each of the nine won first moves of
//! Flowish on side 4. Half of the opponents play at random, the others are the highest level with 200 to 5,000
//! positions per move. Prints the number of games won, moves that were not proved, and the slowest moves; the exit
//! code is 1 if a game was not won or a move not proved.

use std::process::ExitCode;
use std::time::Duration;

use marquis_engine::EngineOptions;
use marquis_registry::official;
use marquis_tests::answers::asked::engine;
use marquis_tests::answers::case::Budget;
use marquis_tests::draw::Draw;
use marquis_tests::held::{Rival, play, won_by_white};

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let (games, seed) = (numbers.first().copied().unwrap_or(1_000), numbers.get(1).copied().unwrap_or(1));
    let engine = engine(&official(), &EngineOptions::default()).expect("an engine");
    let (starts, mut draw) = (won_by_white(&engine), Draw::new(seed));
    let (mut won, mut unproved, mut moves, mut times) = (0, 0, 0, Vec::<Duration>::new());
    for number in 0..games {
        let start = &starts[number as usize % starts.len()];
        let is_random = (number as usize / starts.len()).is_multiple_of(2);
        let nodes = draw.between(200, 5_000) as u64;
        let rival = if is_random { Rival::Random } else { Rival::Level(8, nodes) };
        let held = play(&engine, start, rival, Budget::Time(50), &mut draw);
        if !held.is_won || !held.unproved.is_empty() {
            println!(
                "{} against {rival:?}: {:?}; not proved: {:?}",
                start.position, held.moves, held.unproved
            );
        }
        won += u64::from(held.is_won);
        unproved += held.unproved.len();
        moves += held.times.len();
        // The first move opens proof files.
        times.extend(held.times.iter().skip(usize::from(number < starts.len() as u64)));
    }
    times.sort();
    let share = |hundredths: usize| times.get(times.len() * hundredths / 100).copied().unwrap_or_default();
    println!("{won} of {games} games won, {unproved} of {moves} moves not proved");
    println!(
        "a move: half within {:?}, 99 % within {:?}, all within {:?}",
        share(50),
        share(99),
        times.last()
    );
    ExitCode::from(u8::from(won < games || unproved > 0))
}
