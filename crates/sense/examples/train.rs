//! Trains the network of one game: `train GAME FOLDER [NODES [POSITIONS…]]`, with GAME such as `squish:4`.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use marquis_games::beads::{Leap, Sandwich};
use marquis_games::hex::Side;
use marquis_games::squinch::Squinch;
use marquis_games::unification::{Approach, Flow};
use marquis_sense::{beads, squinch, unification};
use marquis_train::{Lesson, Plan, train};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, folder, numbers @ ..] = &arguments[..] else {
        eprintln!("train GAME FOLDER [NODES [POSITIONS…]]");
        std::process::exit(2);
    };
    let mut numbers = numbers.iter().filter_map(|text| text.parse().ok());
    let nodes = numbers.next().unwrap_or(600) as u64;
    let mut positions: Vec<usize> = numbers.collect();
    if positions.is_empty() {
        positions = vec![60_000, 120_000, 240_000, 480_000, 960_000];
    }
    let plan = Plan { seed: 1, positions, nodes, games: 200, epochs: 10, pairs: 60 };
    let stop = Arc::new(AtomicBool::new(false));
    let called = Arc::clone(&stop);
    ctrlc::set_handler(move || called.store(true, Ordering::Relaxed)).expect("a handler can be set");
    let folder = Path::new(folder);
    let side = |text: &str| text.parse().ok().and_then(Side::new).expect("a side from 2 to 5");
    match game.split_once(':').unwrap_or((game, "")) {
        ("squish", size) => run(&unification::Course::<Approach>::new(side(size)), folder, &plan, &stop),
        ("flowish", size) => run(&unification::Course::<Flow>::new(side(size)), folder, &plan, &stop),
        ("swish", _) => run(&beads::Course::<Leap>::new(), folder, &plan, &stop),
        ("squeeze", _) => run(&beads::Course::<Sandwich>::new(), folder, &plan, &stop),
        ("squinch", size) => {
            let board = size.parse().ok().and_then(|n| Squinch::new(n, n)).expect("a size from 2 to 8");
            let filled = if board == Squinch::FULL { [3, 3] } else { [1, 2] };
            run(&squinch::Course::new(board, filled), folder, &plan, &stop);
        }
        _ => eprintln!("no such game: {game}"),
    }
}

fn run<L: Lesson>(lesson: &L, folder: &Path, plan: &Plan, stop: &AtomicBool) {
    let begun = std::time::Instant::now();
    let mut say = |line: &str| println!("{:7.0} s  {}", begun.elapsed().as_secs_f64(), line.trim_end());
    if let Err(error) = train(lesson, folder, plan, stop, &mut say) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
