//! Games by the tables: they are won as often as the tables predict, and the best moves lose nothing.

use marquis_core::GameId;
use marquis_core::{Player, Throw};
use marquis_engine::tables::{CHECKPOINT_EVERY, generate};
use marquis_engine::{BuildQuery, Control, Limits};
use marquis_games::senet::{self, SenetLayer};
use marquis_registry::official;

use crate::chances::SenetChances;
use crate::decisions::{Decisions, decisions_anywhere, decisions_in_games};
use crate::facts::{facts, worth};
use crate::player::SenetPlayer;
use crate::simulation::simulate;

/// Chances of up to two pieces each, from tables that are built for the test.
fn two_each() -> SenetChances {
    let folder = tempfile::tempdir().expect("a folder");
    let query = BuildQuery { pieces: Some("2v2".to_owned()), ..BuildQuery::new(GameId::new("senet")) };
    let registry = official();
    generate(&registry, &query, folder.path(), CHECKPOINT_EVERY, &Limits::default(), &Control::none())
        .expect("built");
    SenetChances::read(&registry, folder.path(), 2).expect("read")
}

#[test]
fn games_by_the_tables_are_won_as_often_as_the_tables_say() {
    let chances = two_each();
    for text in ["wbwb6/10/10 b", "10/10/3w1b1wb1 b", "9w/10/bw2b5 w"] {
        let (_, start) = marquis_games::senet::parse(text).expect(text);
        let tally = simulate(&chances, &start, 20_000, 1);
        let chance = chances.of(start.turn(), &start);
        assert!((tally.promised() - chance).abs() < 1e-9, "{text}: {chance}, {tally:?}");
        let off = (tally.frequency() - chance) / tally.standard_error();
        assert!(tally.games == 20_000 && off.abs() <= 4.0, "{text}: {chance}, {tally:?}");
        let even = (chance * (1.0 - chance) / 20_000.0).sqrt();
        assert!((tally.standard_error() / even - 1.0).abs() < 1e-6, "{text}: {even}, {tally:?}");
    }
}

/// Plays by the tables, but claims to know only positions with at most `most` pieces.
struct Late<'a> {
    chances: &'a SenetChances,
    most: u32,
}

impl SenetPlayer for Late<'_> {
    fn choose(&self, position: &senet::Position, throw: Throw) -> senet::Move {
        self.chances.choose(position, throw)
    }

    fn chance(&self, position: &senet::Position) -> f64 {
        assert!(self.knows(position), "asked for an unknown position");
        self.chances.chance(position)
    }

    fn knows(&self, position: &senet::Position) -> bool {
        Player::BOTH.iter().map(|&player| position.pieces(player).len()).sum::<u32>() <= self.most
    }
}

#[test]
fn what_is_known_late_promises_as_much_as_what_is_known_at_once() {
    let chances = two_each();
    let (_, start) = marquis_games::senet::parse("wbwb6/10/10 b").expect("a position");
    let chance = chances.of(start.turn(), &start);
    let (early, late) = (
        simulate(&chances, &start, 20_000, 1),
        simulate(&Late { chances: &chances, most: 3 }, &start, 20_000, 1),
    );
    assert_eq!((early.won, early.throws), (late.won, late.throws), "the same games");
    // The games reach three pieces with different chances, whose mean is the start's chance.
    let off = (late.promised() - chance) / early.standard_error();
    assert!(off != 0.0 && off.abs() <= 4.0, "{chance}, {late:?}");
    assert!(late.standard_error() < 0.99 * early.standard_error(), "{early:?}, {late:?}");
    assert!((late.frequency() - late.promised()).abs() <= 4.0 * late.standard_error(), "{late:?}");
}

#[test]
fn the_throws_of_a_position_are_worth_nothing_on_average() {
    let chances = two_each();
    let (_, start) = marquis_games::senet::parse("wbwb6/10/10 b").expect("a position");
    let found = facts(&chances, &start, 2000, 20, 1);
    for worth in [worth(&chances, &start), found.random, found.played] {
        let mean: f64 = worth
            .iter()
            .zip(senet::THROWS)
            .map(|(worth, throw)| worth * f64::from(throw.weight) / 16.0)
            .sum();
        assert!(mean.abs() < 1e-8, "{worth:?}");
    }
    assert!(found.falls.throws > found.falls.forced + found.falls.right && found.falls.cost > 0.0);
}

/// A player that knows the tables and makes the best move or the worst.
struct Knows<'a> {
    chances: &'a SenetChances,
    worst: bool,
}

impl SenetPlayer for Knows<'_> {
    fn choose(&self, position: &senet::Position, throw: Throw) -> senet::Move {
        let moves = self.chances.moves(position, throw);
        moves[if self.worst { moves.len() - 1 } else { 0 }].0
    }

    fn chance(&self, position: &senet::Position) -> f64 {
        self.chances.of(position.turn(), position) + if self.worst { 0.25 } else { 0.0 }
    }

    fn knows(&self, _: &senet::Position) -> bool {
        true
    }
}

#[test]
fn nothing_is_lost_by_the_best_moves_and_by_the_worst_what_they_lose_in_the_mean() {
    let chances = two_each();
    let layer = SenetLayer::new(2, 1).expect("a layer");
    let (_, start) = marquis_games::senet::parse("wbwb6/10/10 b").expect("a position");
    let all = |worst| -> [Decisions; 2] {
        let player = Knows { chances: &chances, worst };
        [
            decisions_anywhere(&chances, &player, layer, 40_000, 1),
            decisions_in_games(&chances, &player, &start, 100, 1),
        ]
    };
    for found in all(false) {
        assert_eq!((found.worse, found.lost_each(), found.off()), (0, 0.0, 0.0), "{found:?}");
        assert!(found.number > 1000, "{found:?}");
    }
    let (mut lost, mut number) = (0.0, 0_u32);
    for slot in 0..layer.slots() {
        let position = layer.position(marquis_core::Slot(slot));
        for throw in senet::THROWS {
            if let [(_, best), .., (_, worst)] = chances.moves(&position, throw)[..] {
                (lost, number) = (lost + best - worst, number + 1);
            }
        }
    }
    let expected = lost / f64::from(number);
    for found in all(true) {
        assert!((found.off() - 0.25).abs() < 1e-9 && found.worse > 1000, "{found:?}");
        assert!(found.lost_each() > 0.0, "{found:?}");
    }
    let found = all(true)[0].lost_each();
    assert!((found / expected - 1.0).abs() < 0.03, "{found} of {expected}");
}
