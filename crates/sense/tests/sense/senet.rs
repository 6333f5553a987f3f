//! The network of Senet learns the known chances.

use marquis_core::Player;
use marquis_eval::{Inputs as _, SLOTS};
use marquis_games::senet::Position;
use marquis_games::senet::Senet;
use marquis_play::PositionJudge as _;
use marquis_sense::senet::{SenetJudge, SenetTraining, Sense, learn};

/// A made-up truth: the player with fewer steps to go is more likely to win.
fn made_up(position: &Position) -> f64 {
    let to_go = |player| -> i32 {
        position.pieces(player).squares().map(|square| 30 - i32::from(square.number())).sum()
    };
    let ahead = to_go(position.turn().opponent()) - to_go(position.turn());
    1.0 / (1.0 + (-f64::from(ahead) / 20.0).exp())
}

#[test]
fn a_simple_truth_is_learned_from_known_positions() {
    let plan = SenetTraining { seed: 3, known: 20_000, looked_at: 0, rounds: 1, epochs: 10 };
    let known = |position: &Position| Some(made_up(position));
    let network = learn(&known, &plan, &|| true, &mut |line, _| println!("{line}")).expect("nobody stops it");
    let judge = SenetJudge(network);
    let mut off = 0.0;
    let mut count = 0;
    for number in 0..2000_u32 {
        let bits = number.wrapping_mul(0x9e37_79b9);
        let first = marquis_games::senet::Set::from_bits(bits & bits >> 7 & 0x03ff_ffff);
        let second = marquis_games::senet::Set::from_bits(!bits & bits >> 3 & bits >> 11 & 0x03ff_ffff);
        let pieces = marquis_core::ByPlayer::new(first, second);
        let Some(position) = Position::new(pieces, Player::BOTH[(number % 2) as usize]) else { continue };
        if first.is_empty() || second.is_empty() {
            continue;
        }
        let mut digits = [0; SLOTS];
        Sense::describe(&Senet, &position, &mut digits);
        off += (judge.chance(&Senet, &position) - made_up(&position)).abs();
        count += 1;
    }
    assert!(count > 100, "{count}");
    assert!(off / f64::from(count) < 0.03, "off by {:.3} on {count} positions", off / f64::from(count));
}
