//! Games played out by the estimates, and how far the estimates are from the truth according to them.
//!
//! In long games, the eventual winner is what estimates learn last: all positions far from the end are wrong by about
//! the same amount, and sweeps take longer for this error than for all others in proportion to the length of games.
//! The sweeps do not show its size, because they change the other errors far more. Games show it: the changes that
//! backups would make, added up along a game for one player, are on average the remaining error of its first
//! position, if both players keep choosing as they do: each backup is the mean of the chances that follow, and at the
//! end no error is left. If games are started after a long lead-in, the other modes add up to zero.
//!
//! Source: the sum is that of the errors of temporal differences (Sutton, 1988); to take one number for all such
//! positions from games, aggregation (Bertsekas and Castañón, "Adaptive aggregation methods for infinite horizon
//! dynamic programming", 1989).

use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};
use rayon::prelude::*;

use super::cell::{ChanceCell, WEIGHT_BITS};
use super::grid_store::StripError;
use super::layout::{Columns, Destination, MaskId};
use super::packed::{PackedStrip as Cells, StripPiece};
use super::plans::PackedMove;
use super::strip_store::Before;
use super::sweep::Grids;

/// Throws before a game starts, after which it no longer depends on where it came from.
const AHEAD: usize = 200;
/// Longer games are given up.
const LONGEST: usize = 1 << 17;
/// The number of games played to see whether games are long.
const FEW: usize = 64;
/// The chances of long games are kept this far from 0 and 1.
const LEAST_LEVEL: f64 = 0.01;
/// The least number of cells that a thread shifts at a time.
const TASK_CELLS: usize = 1 << 14;

/// A place of the grids; the player of the rows of the half is to throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spot {
    half: usize,
    row: usize,
    column: usize,
}

/// A game that was played out.
#[derive(Clone, Copy)]
struct PlayedGame {
    start: Spot,
    /// The chance of the player to throw at its start, in units.
    chance: f64,
    /// The sum of the changes of backups along it, for the same player, in units.
    left: f64,
    throws: usize,
}

/// The result of played-out games: the error in the chance of winning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tendency {
    /// The throws of a game in the layer, on average.
    pub throws: f64,
    /// The remaining gain of the player of the first half's rows, as a chance.
    pub left: f64,
    /// The standard error of `left`.
    pub error: f64,
    /// By half, the chance of the player to throw in long games.
    level: [f64; 2],
}

/// The outcome of a throw.
#[derive(Clone, Copy)]
struct GameOutcome {
    /// The chance of the player who threw, in units.
    chance: f64,
    /// `None` if the game leaves the layer.
    next: Option<Spot>,
    /// Whether the other player is to throw.
    turned: bool,
}

/// All numbers, in memory.
struct AllNumbers<'b, 'a, C> {
    grids: &'b Grids<'a, C, 1>,
    /// By half and band of columns.
    strips: Vec<Vec<StripPiece<C, 1>>>,
}

impl<'a, C: ChanceCell> Grids<'a, C, 1> {
    /// Plays games out by the estimates; the same estimates and seed give the same result.
    ///
    /// `None` if both halves are one, in which neither player is ahead in the end, or if most games are short.
    ///
    /// * `games`: the number of games; all numbers are held in memory meanwhile.
    ///
    /// # Errors
    /// A strip that cannot be read.
    pub fn tendency(&self, games: usize, seed: u64) -> Result<Option<Tendency>, StripError> {
        if self.halves() < 2 {
            return Ok(None);
        }
        let board = self.board()?;
        let play = |game: usize| board.game(&mut SmallRng::seed_from_u64(seed << 32 | game as u64));
        let mut played: Vec<PlayedGame> = Vec::new();
        // A few games show whether they are long.
        let few = FEW.min(games);
        for some in [0..few, few..games] {
            let all = some.end;
            played.par_extend(some.into_par_iter().filter_map(play));
            if 2 * played.len() < all {
                return Ok(None);
            }
        }
        Ok(Tendency::of::<C>(&played))
    }

    /// Adds the remaining gain of the player of the first half's rows to each position, as far as it is open.
    ///
    /// # Errors
    /// A strip that cannot be read or written.
    pub fn shift(&mut self, tendency: &Tendency) -> Result<(), StripError> {
        // On disk, the numbers that the games used stay until the next sweep, so that after a kill the games are the
        // same.
        let before = if self.is_on_disk() { Before::Kept } else { Before::Dropped };
        self.make(before, |grids, turn| {
            let (places, name) = (&grids.halves[turn.half].places, (turn.half, turn.band));
            let known = grids.strips.read(places, name, None, 0..places.row_bands())?;
            let ([known], level) = (known.lanes(), tendency.level[turn.half]);
            let gain = if turn.half == 0 { tendency.left } else { -tendency.left };
            let shifted = |&cell: &C| {
                let chance = cell.to_f64();
                // A position that is all but won or lost is usually near the end.
                let open = (chance / level).min((1.0 - chance) / (1.0 - level)).min(1.0);
                C::of_units(((chance + gain * open).clamp(0.0, 1.0) * C::ONE.units() as f64) as u64)
            };
            let cells = known.par_iter().with_min_len(TASK_CELLS).map(shifted).collect();
            Ok((Cells { lanes: [cells] }, grids.changed(turn)))
        })
    }

    fn board(&self) -> Result<AllNumbers<'_, 'a, C>, StripError> {
        let strip = |half: usize, band: usize| {
            let places = &self.halves[half].places;
            self.strips.read(places, (half, band), Some(self.step()), 0..places.row_bands())
        };
        let strips = |half: usize| (0..self.bands(half)).map(|band| strip(half, band)).collect();
        let strips = (0..self.halves()).map(strips).collect::<Result<_, StripError>>()?;
        Ok(AllNumbers { grids: self, strips })
    }
}

impl Tendency {
    fn of<C: ChanceCell>(games: &[PlayedGame]) -> Option<Self> {
        let (one, count) = (C::ONE.units() as f64, games.len() as f64);
        let gains = games.iter().map(|game| if game.start.half == 0 { game.left } else { -game.left } / one);
        let left = gains.clone().sum::<f64>() / count;
        let spread = gains.map(|gain| (gain - left) * (gain - left)).sum::<f64>() / count;
        let level = |half: usize| {
            let chances = games.iter().filter(|game| game.start.half == half).map(|game| game.chance / one);
            let number = chances.clone().count();
            let mean = chances.sum::<f64>() / number as f64;
            // A chance close to 0 or 1 is not a tendency.
            (number > 0).then(|| mean.clamp(LEAST_LEVEL, 1.0 - LEAST_LEVEL))
        };
        let throws = games.iter().map(|game| game.throws as f64).sum::<f64>() / count;
        Some(Self { throws, left, error: (spread / count).sqrt(), level: [level(0)?, level(1)?] })
    }
}

impl<C: ChanceCell> AllNumbers<'_, '_, C> {
    /// `None` if the game is too short or too long.
    fn game(&self, random: &mut SmallRng) -> Option<PlayedGame> {
        let start = self.start(random)?;
        let (mut spot, mut sign, mut left) = (start, 1.0, 0.0);
        for throws in 1..=LONGEST {
            let (change, outcome) = self.throw(spot, random);
            left += sign * change;
            match outcome.next {
                None => return Some(PlayedGame { start, chance: self.chance(start), left, throws }),
                Some(next) => spot = next,
            }
            if outcome.turned {
                sign = -sign;
            }
        }
        None
    }

    /// The position after the lead-in of a long game; `None` if the game ends before.
    fn start(&self, random: &mut SmallRng) -> Option<Spot> {
        (0..AHEAD).try_fold(self.anywhere(random), |spot, _| self.throw(spot, random).1.next)
    }

    fn anywhere(&self, random: &mut SmallRng) -> Spot {
        let halves = &self.grids.halves;
        loop {
            let half = random.random_range(0..halves.len());
            let (row, column) = (
                random.random_range(0..halves[half].places.rows()),
                random.random_range(0..halves[half].layout.columns().count()),
            );
            if all(halves[half].layout.columns(), halves[half].plans.row(row).position(), column) {
                return Spot { half, row, column };
            }
        }
    }

    /// The chance of the player to throw, in units.
    fn chance(&self, spot: Spot) -> f64 {
        let Spot { half, row, column } = spot;
        let half_of = &self.grids.halves[half];
        let band = half_of.layout.columns().band_of(column);
        let place = half_of.places.place(row, band, column - half_of.places.columns(band).start);
        self.strips[half][band].lanes()[0][place].units() as f64
    }

    /// A throw: the change of a backup of the position, and the outcome of the throw.
    fn throw(&self, spot: Spot, random: &mut SmallRng) -> (f64, GameOutcome) {
        let plan = self.grids.halves[spot.half].plans.row(spot.row);
        let chosen = random.random_range(0..1_u32 << WEIGHT_BITS);
        let (mut mean, mut passed, mut outcome) = (0.0, 0, None);
        for (throw, &weight) in plan.weights().iter().enumerate() {
            let best = self.best(spot, throw);
            mean += best.chance * f64::from(weight) / f64::from(1_u32 << WEIGHT_BITS);
            if outcome.is_none() && chosen < passed + weight {
                outcome = Some(best);
            }
            passed += weight;
        }
        (mean - self.chance(spot), outcome.expect("weights add up to those of all throws"))
    }

    /// The best move for a throw.
    fn best(&self, spot: Spot, throw: usize) -> GameOutcome {
        let Spot { half, row, column } = spot;
        let half_of = &self.grids.halves[half];
        let (plan, columns) = (half_of.plans.row(row), half_of.layout.columns());
        for list in [2 * throw, 2 * throw + 1] {
            let mut best: Option<GameOutcome> = None;
            for choice in plan.moves(list) {
                let straight =
                    columns.mask(choice.mask)[column] != 0 && all(columns, plan.more(choice), column);
                let to = straight.then_some(column).or_else(|| jump(columns, choice, column));
                if let Some(to) = to {
                    let outcome = self.outcome(half, choice.source, to);
                    if best.is_none_or(|best| outcome.chance > best.chance) {
                        best = Some(outcome);
                    }
                }
            }
            if let Some(best) = best {
                return best;
            }
        }
        self.outcome(half, Destination::Turned(row as u32), column)
    }

    fn outcome(&self, half: usize, source: Destination, column: usize) -> GameOutcome {
        let one = C::ONE.units() as f64;
        match source {
            Destination::Again(row) => {
                let spot = Spot { half, row: row as usize, column };
                GameOutcome { chance: self.chance(spot), next: Some(spot), turned: false }
            }
            Destination::Turned(row) => {
                let spot = Spot { half: self.strips.len() - 1 - half, row: column, column: row as usize };
                GameOutcome { chance: one - self.chance(spot), next: Some(spot), turned: true }
            }
            Destination::FinishedAgain(row) | Destination::FinishedTurned(row) => {
                let half = &self.grids.halves[half];
                let again = matches!(source, Destination::FinishedAgain(_));
                let plane = if again { &half.finished_again } else { &half.finished_turned };
                let [chance] = plane.at(row as usize, column);
                GameOutcome { chance: chance.units() as f64, next: None, turned: false }
            }
        }
    }
}

fn all(columns: &Columns, masks: &[MaskId], column: usize) -> bool {
    masks.iter().all(|&mask| columns.mask(mask)[column] != 0)
}

/// The column to which a move leads if it displaces a piece.
fn jump(columns: &Columns, choice: &PackedMove, column: usize) -> Option<usize> {
    columns.jump(choice.jumps?, column)
}
