//! `facts TABLES PIECES [PLOTS] [POSITIONS] [GAMES] [SEED]`: facts for players, and plots of them.
//!
//! * `PIECES`: pieces of each player in the start position.
//! * `PLOTS`: a folder for the drawings; without it none are made.

use std::error::Error;
use std::path::Path;

use marquis_core::{ChanceNotation as _, Player, Slot, Throw};
use marquis_engine::chance::at_most;
use marquis_games::senet::{Move, Position, Senet, SenetLayer, THROWS, parse};
use marquis_registry::official;
use rand::RngExt;

use crate::chances::SenetChances;
use crate::parts::{Sum, in_parts};
use crate::plots::{one_each_plot, throws_plot};
use crate::simulation::play;

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [folder, pieces, ..] = arguments else { return Err("expected TABLES PIECES".into()) };
    let number =
        |place: usize, otherwise: u64| arguments.get(place).map_or(Ok(otherwise), |text| text.parse());
    let (positions, games, seed) = (number(3, 1_000_000)?, number(4, 10_000)?, number(5, 1)?);
    let most: u8 = pieces.parse()?;
    let chances = SenetChances::read(&official(), Path::new(folder), most)?;
    let text = start_text(most);
    let (_, start) = parse(&text)?;
    println!(
        "{text}: {:.6} for Black, who throws (error {})",
        chances.of(Player::First, &start),
        at_most(chances.error())
    );
    openings(&chances, &start);
    let facts = facts(&chances, &start, positions, games, seed);
    let at_start = worth(&chances, &start);
    say(&facts, &at_start, positions, games);
    if let Some(plots) = arguments.get(2) {
        let plots = Path::new(plots);
        std::fs::create_dir_all(plots)?;
        svg::save(
            plots.join("senet-throws.svg"),
            &throws_plot([&at_start, &facts.played, &facts.random], most),
        )?;
        svg::save(plots.join("senet-one-each.svg"), &one_each_plot(&chances))?;
    }
    Ok(())
}

/// The start with `pieces` pieces each, White on the odd squares.
fn start_text(pieces: u8) -> String {
    let rest = 10 - 2 * pieces;
    let rest = if rest > 0 { rest.to_string() } else { String::new() };
    format!("{}{rest}/10/10 b", "wb".repeat(pieces.into()))
}

fn openings(chances: &SenetChances, start: &Position) {
    println!("\n| throw | moves, best first |\n| ---: | --- |");
    for throw in THROWS {
        let moves = chances.moves(start, throw);
        let words = moves.iter().map(|&(mv, chance)| format!("{} {chance:.6}", Senet.move_text(start, mv)));
        println!("| {} | {} |", throw.score, words.collect::<Vec<_>>().join(", "));
    }
}

fn say(facts: &Facts, at_start: &[f64], positions: u64, games: u64) {
    println!("\n| worth of a throw, % | at the start | in {games} games | in {positions} random positions |");
    println!("| ---: | ---: | ---: | ---: |");
    for (place, throw) in THROWS.iter().enumerate() {
        let cell = |worth: f64| format!("{:+.2}", 100.0 * worth);
        let (played, random) = (cell(facts.played[place]), cell(facts.random[place]));
        println!("| {} | {} | {played} | {random} |", throw.score, cell(at_start[place]));
    }
    let (falls, throws) = (facts.falls, facts.throws as f64);
    let part = |number: u64, of: u64| 100.0 * number as f64 / of as f64;
    println!(
        "\n{:.1} throws a game; no piece can move at {:.2} %",
        throws / games as f64,
        100.0 * facts.passes as f64 / throws
    );
    println!(
        "a piece can go into the water at {:.2} % of the throws ({} of them)",
        part(falls.throws, facts.throws),
        falls.throws
    );
    println!(
        "- {:.1} % of these are forced and cost {:.2} % on average",
        part(falls.forced, falls.throws),
        100.0 * falls.cost / falls.forced as f64
    );
    let free = falls.throws - falls.forced;
    println!("- of the {free} others the fall is a best move at {:.2} %", part(falls.right, free));
}

/// The worth of each throw: the chance after the best move for it minus the chance before the throw, in the order of
/// [`THROWS`].
pub(crate) type Worth = [f64; THROWS.len()];

/// Falls into the water, among throws for which a piece can go there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Falls {
    /// Throws for which a piece can go into the water.
    pub(crate) throws: u64,
    /// Throws that leave no other move.
    pub(crate) forced: u64,
    /// Throws with other moves, none of which is better.
    pub(crate) right: u64,
    /// The sum of the costs of forced falls: the chance before the throw minus that after it.
    pub(crate) cost: f64,
}

/// Facts about positions with the same number of pieces each.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Facts {
    /// The mean worth over positions drawn evenly from the layer.
    pub(crate) random: Worth,
    /// The mean worth over the throws of games in which both players play by the tables.
    pub(crate) played: Worth,
    /// Falls in these games.
    pub(crate) falls: Falls,
    /// The number of throws in these games.
    pub(crate) throws: u64,
    /// Throws in these games for which no piece could move.
    pub(crate) passes: u64,
}

/// Chances closer than this are equal.
const SAME: f64 = 5e-6;

/// The worth of each throw in a position.
///
/// Panics if the position has more pieces than were read.
pub(crate) fn worth(chances: &SenetChances, position: &Position) -> Worth {
    let before = chances.of(position.turn(), position);
    THROWS.map(|throw| after(&chances.moves(position, throw)) - before)
}

fn after(moves: &[(Move, f64)]) -> f64 {
    moves.first().map_or(0.0, |&(_, chance)| chance)
}

/// Facts from random positions and from games that begin with `start`.
///
/// * `positions`, `games`: the number of each.
/// * `seed`: the same seed gives the same facts, on any number of threads.
///
/// Panics if the position is over or has more pieces than were read.
pub(crate) fn facts(
    chances: &SenetChances,
    start: &Position,
    positions: u64,
    games: u64,
    seed: u64,
) -> Facts {
    let layer = SenetLayer::of(start).expect("a position that is not over");
    let random = in_parts(positions, seed, |rng, sums: &mut Sums| {
        let slot = Slot(rng.random_range(0..layer.slots()));
        let found = worth(chances, &layer.position(slot));
        sums.positions += 1;
        sums.worth.iter_mut().zip(found).for_each(|(sum, worth)| *sum += worth);
    });
    let played = in_parts(games, seed, |rng, sums: &mut Sums| {
        play(chances, start, rng, &mut |position, throw, moves| sums.look(chances, position, throw, moves));
    });
    let mean = |sums: &Sums| sums.worth.map(|sum| sum / sums.positions as f64);
    Facts {
        random: mean(&random),
        played: mean(&played),
        falls: played.falls,
        throws: played.positions,
        passes: played.passes,
    }
}

/// Sums over positions.
#[derive(Clone, Copy, Default)]
struct Sums {
    positions: u64,
    passes: u64,
    worth: Worth,
    falls: Falls,
}

impl Sums {
    /// Adds a throw of a game.
    fn look(&mut self, chances: &SenetChances, position: &Position, throw: Throw, moves: &[(Move, f64)]) {
        self.positions += 1;
        let found = worth(chances, position);
        self.worth.iter_mut().zip(found).for_each(|(sum, worth)| *sum += worth);
        self.passes += u64::from(moves.iter().any(|(mv, _)| *mv == Move::Pass));
        let fall = moves.iter().find(|(mv, _)| matches!(mv, Move::Water { .. }));
        let Some(&(_, chance)) = fall else { return };
        self.falls.throws += 1;
        if moves.iter().all(|(mv, _)| matches!(mv, Move::Water { .. })) {
            self.falls.forced += 1;
            let place = THROWS.iter().position(|own| *own == throw).unwrap_or(0);
            self.falls.cost -= found[place];
        } else if chance >= after(moves) - SAME {
            self.falls.right += 1;
        }
    }
}

impl Sum for Sums {
    fn and(mut self, other: Self) -> Self {
        self.positions += other.positions;
        self.passes += other.passes;
        self.worth.iter_mut().zip(other.worth).for_each(|(sum, other)| *sum += other);
        self.falls.throws += other.falls.throws;
        self.falls.forced += other.falls.forced;
        self.falls.right += other.falls.right;
        self.falls.cost += other.falls.cost;
        self
    }
}
