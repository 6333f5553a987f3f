//! The fast rules and the reference agree: same end, same moves, same positions after them.

use std::collections::BTreeMap;

use marquis_tests::draw::Draw;
use marquis_tests::fast::Fast;
use marquis_tests::games;
use marquis_tests::reference::{Immobile, Rules};
use marquis_tests::setups;

/// One game in both implementations, and the random numbers that choose positions and moves.
struct Agreement {
    name: &'static str,
    fast: Fast,
    rules: Rules,
    draw: Draw,
}

impl Agreement {
    fn of(name: &'static str, immobile: Immobile) -> Self {
        let draw = Draw::new(name.bytes().map(u64::from).sum());
        Self { name, fast: Fast::of(name, immobile), rules: Rules::of(name, immobile), draw }
    }

    /// Plays random moves from a position, comparing both implementations at every step.
    fn play(&mut self, start: &str, plies: usize) {
        let mut position = start.to_owned();
        for _ in 0..=plies {
            let nexts = self.compare(&position);
            if nexts.is_empty() {
                return;
            }
            position.clone_from(self.draw.pick(&nexts));
        }
    }

    /// Compares both in one position; returns the positions after its moves.
    fn compare(&self, position: &str) -> Vec<String> {
        let name = self.name;
        assert_eq!(self.fast.canonical(position).as_deref(), Ok(position), "text of {name} {position}");
        assert_eq!(self.fast.over(position), self.rules.over(position), "end of {name} {position}");
        let mut nexts = Vec::new();
        for throw in self.rules.throws() {
            let fast = self.fast.moves(position, throw);
            let count = fast.len();
            let fast: BTreeMap<String, String> = fast.into_iter().collect();
            assert_eq!(fast.len(), count, "a move twice in {name} {position} throw {throw:?}");
            let slow = self.rules.moves(position, throw);
            assert_eq!(fast, slow, "moves of {name} {position} throw {throw:?}");
            nexts.extend(slow.into_values());
        }
        nexts
    }
}

#[test]
fn both_agree_on_play_from_the_starts_of_every_game() {
    for game in games::all() {
        let mut agreement = Agreement::of(game, Immobile::Loss);
        for start in games::named(game).starts() {
            for _ in 0..20 {
                agreement.play(&start.position, 60);
            }
        }
    }
}

/// Random games from the start positions and from random positions, on hexagons of all sides.
fn check_unification(game: &'static str) {
    let mut agreement = Agreement::of(game, Immobile::Loss);
    for start in [
        "b1w/1wb1/wb1wb/1wb1/b1w w",
        "1wb1/wb1wb/b1wb1w/1wb1wb1/b1wb1w/wb1wb/1wb1 w",
        "wb1wb/b1wb1w/1wb1wb1/wb1wb1wb/b1wb1wb1w/wb1wb1wb/1wb1wb1/b1wb1w/wb1wb w",
    ] {
        for _ in 0..20 {
            agreement.play(start, 200);
        }
    }
    for side in 2..=5 {
        for _ in 0..1500 {
            let position = setups::unification(&mut agreement.draw, side);
            agreement.play(&position, 5);
        }
    }
}

fn check_rooks(game: &'static str, immobile: Immobile) {
    let mut agreement = Agreement::of(game, immobile);
    for _ in 0..20 {
        agreement.play("w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b w 0-0 10", 200);
        agreement.play("w1w/4/1ooo1/4/b1b w 0-0 2", 200);
    }
    for side in 2..=5 {
        for _ in 0..1500 {
            let position = setups::rooks_and_beads(&mut agreement.draw, side);
            agreement.play(&position, 5);
        }
    }
}

#[test]
fn both_agree_on_squish() {
    check_unification("squish");
}

#[test]
fn both_agree_on_flowish() {
    check_unification("flowish");
}

#[test]
fn both_agree_on_swish() {
    check_rooks("swish", Immobile::Loss);
}

#[test]
fn both_agree_on_swish_with_passes() {
    check_rooks("swish", Immobile::Pass);
}

#[test]
fn both_agree_on_squeeze() {
    check_rooks("squeeze", Immobile::Loss);
}

#[test]
fn both_agree_on_squeeze_with_passes() {
    check_rooks("squeeze", Immobile::Pass);
}

#[test]
fn both_agree_on_squinch() {
    let mut agreement = Agreement::of("squinch", Immobile::Loss);
    let row = |letter: &str, files: usize| vec![letter.to_owned() + "1"; files].join(",");
    for files in 2..=8 {
        for ranks in 1..=8 {
            for _ in 0..40 {
                let position = setups::squinch(&mut agreement.draw, files, ranks);
                agreement.play(&position, 20);
            }
            let filled = (ranks / 2).min(3);
            let rows = |letter| vec![row(letter, files); filled];
            let between = vec![files.to_string(); ranks - 2 * filled];
            agreement.play(&format!("{} r", [rows("w"), between, rows("r")].concat().join("/")), 400);
        }
    }
}

#[test]
fn both_agree_on_senet() {
    let mut agreement = Agreement::of("senet", Immobile::Loss);
    for _ in 0..10 {
        agreement.play("wbwbwbwbw1/b9/10 b", 500);
    }
    for white in 0..=5 {
        for black in 0..=5 {
            for _ in 0..200 {
                let position = setups::senet(&mut agreement.draw, white, black);
                agreement.play(&position, 10);
            }
        }
    }
}
