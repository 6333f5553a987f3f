//! Pruning of throws and moves changes no chance.

use marquis_core::{Chance, Outcome};
use marquis_games::senet::Position;
use marquis_games::senet::Senet;
use marquis_play::{Expectation, Ladder, Level, PositionJudge, Weighed};
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;

/// A pseudo-random chance, from the text of the position.
struct Noise;

impl PositionJudge<Senet> for Noise {
    fn chance(&self, _: &Senet, position: &Position) -> f64 {
        let word = format!("{position:?}").bytes().fold(7_u64, |word, byte| {
            (word ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
        });
        (word % 1000) as f64 / 1000.0
    }
}

/// The chance of the player to throw, without pruning.
fn plain(position: &Position, throws: u32) -> f64 {
    let turn = Senet.turn(position);
    if let Some(over) = Senet.over(position) {
        return f64::from(u8::from(over.outcome == Outcome::Winner(turn)));
    }
    if throws == 0 {
        return Noise.chance(&Senet, position);
    }
    let mut sum = 0.0;
    for throw in Senet.throws() {
        let mut moves = Vec::new();
        Senet.moves(position, *throw, &mut moves);
        let chances = moves.into_iter().map(|mv| {
            let after = Senet.play(position, *throw, mv);
            let chance = plain(&after, throws - 1);
            if Senet.turn(&after) == turn { chance } else { 1.0 - chance }
        });
        sum += f64::from(throw.weight) / 16.0 * chances.fold(0.0, f64::max);
    }
    sum
}

#[test]
fn a_look_ahead_gives_the_chances_of_looking_at_everything() {
    let expectation = Expectation::new(&Senet, &Noise);
    let mut position = Senet.start();
    for number in 0..120 {
        if Senet.over(&position).is_some() {
            break;
        }
        for throws in 0..=2 {
            let (found, all) = (expectation.chance(&position, throws), plain(&position, throws));
            assert!((found - all).abs() < 1e-12, "{throws} throws: {found} for {all}, {position:?}");
        }
        let throw = Senet.throws()[number % 5];
        let weighed = expectation.weigh(&position, throw, 1);
        for pair in weighed.windows(2) {
            assert!(pair[0].chance >= pair[1].chance);
        }
        for one in &weighed {
            let after = Senet.play(&position, throw, one.mv);
            let chance = plain(&after, 1);
            let chance = if Senet.turn(&after) == Senet.turn(&position) { chance } else { 1.0 - chance };
            assert!((one.chance - chance).abs() < 1e-12);
        }
        position = Senet.play(&position, throw, weighed[number % weighed.len()].mv);
    }
}

#[test]
fn players_of_games_with_throws_take_the_best_move_at_the_highest_level_alone() {
    let expectation = Expectation::new(&Senet, &Noise);
    let weighed = expectation.weigh(&Senet.start(), Senet.throws()[0], 0);
    assert!(weighed.len() > 2, "{weighed:?}");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut taken = |level: Level| {
        let mut best = 0;
        for _ in 0..1000 {
            best += usize::from(
                Ladder::PLAIN.pick(level, weighed.iter().map(Weighed::leaning), &mut random) == 0,
            );
        }
        best
    };
    assert_eq!(taken(Level::MAX), 1000);
    let often = Level::all().map(&mut taken).collect::<Vec<_>>();
    assert!(often[0] < often[3] && often[0] < 900, "{often:?}");
    // Extreme chances stay finite.
    assert!([0.0, 1.0].iter().all(|&chance| Weighed { mv: (), chance }.leaning().is_finite()));
}
