//! Retrograde analysis of a bundle of layers between which play goes to and fro, on finished layers below.
//!
//! First every slot is looked at once: holes, finished games, and what captures lead to. Then scores
//! spread ply by ply: who can move to a loss in p wins in p + 1; who can reach a win in p is a candidate
//! for a loss in p + 1, and is looked at forwards again, so no moves are counted and nothing depends on
//! how many of them lead to the same slot. What no ply reaches is a draw.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU8, AtomicU16};

use marquis_core::{Reach, Retract, Score, Slot, Value};
use rayon::prelude::*;

use crate::cell::{Cells, HOLE, UNDECIDED, Width, code_of, score_of};
use crate::limits::{Limits, Phase, Progress, Stopped};

/// Slots that one task looks at.
const TASK: u64 = 4096;

/// The scores of finished layers, for whoever solves the layers above them.
pub trait Lower<L>: Sync {
    /// The score of a slot of a finished layer that is no hole.
    fn score(&self, layer: L, slot: Slot) -> Score;
}

/// A solved layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer<L> {
    /// Which one.
    pub layer: L,
    /// What each slot holds.
    pub cells: Cells,
}

/// What a layer holds, in figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions won for the player to move.
    pub wins: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Positions lost for the player to move.
    pub losses: u64,
    /// Slots without a position.
    pub holes: u64,
    /// Plies of the longest win; 0 where there is none.
    pub longest_win: u64,
    /// Plies of the longest loss; 0 where there is none.
    pub longest_loss: u64,
}

impl Counts {
    /// The figures of some cells.
    #[must_use]
    pub fn of(cells: &Cells) -> Self {
        let mut counts = Self::default();
        for slot in 0..cells.len() as u64 {
            match cells.entry(Slot(slot)).score() {
                None => counts.holes += 1,
                Some(Score::Draw) => counts.draws += 1,
                Some(Score::Win(plies)) => {
                    counts.wins += 1;
                    counts.longest_win = counts.longest_win.max(u64::from(plies.0));
                }
                Some(Score::Loss(plies)) => {
                    counts.losses += 1;
                    counts.longest_loss = counts.longest_loss.max(u64::from(plies.0));
                }
            }
        }
        counts
    }
}

/// The scores of all slots of `layer` and its peers.
///
/// * `lower`: the layers below, finished.
/// * Result: the layers in the order of [`peers`](marquis_core::Indexed::peers); one byte a slot, or
///   two where the plies ask for it.
///
/// # Errors
/// Which of the limits ended the work.
pub fn solve_bundle<G: Retract>(
    game: &G,
    layer: G::Layer,
    lower: &impl Lower<G::Layer>,
    limits: &Limits<'_>,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Vec<Layer<G::Layer>>, Stopped> {
    let layers = game.peers(layer);
    match Bundle::<G, _, AtomicU8>::new(game, &layers, lower).solve(limits, progress) {
        Err(Stopped::TooManyPlies) => {
            Bundle::<G, _, AtomicU16>::new(game, &layers, lower).solve(limits, progress)
        }
        other => other,
    }
}

/// A slot of one of the layers of a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    layer: u32,
    slot: u64,
}

struct Bundle<'a, G: Retract, S, W> {
    game: &'a G,
    layers: &'a [G::Layer],
    lower: &'a S,
    cells: Vec<Vec<W>>,
}

/// What became known of a position at a ply.
#[derive(Clone, Copy)]
enum News {
    /// The game is over.
    Decided,
    /// A capture wins in so many plies.
    WinsIn(u32),
    /// The captures lose at the latest in so many plies, and none wins.
    MayLoseIn(u32),
}

/// Places by the ply at which they are due.
#[derive(Default)]
struct Agenda {
    due: Vec<Vec<Place>>,
}

impl Agenda {
    fn add(&mut self, plies: u32, place: Place) {
        let plies = plies as usize;
        if self.due.len() <= plies {
            self.due.resize_with(plies + 1, Vec::new);
        }
        self.due[plies].push(place);
    }

    fn take(&mut self, plies: u32) -> Vec<Place> {
        self.due.get_mut(plies as usize).map(std::mem::take).unwrap_or_default()
    }
}

/// The plies of a code that is neither a hole nor a draw.
const fn plies_of(code: u32) -> u32 {
    code / 2 - 1
}

const fn loss_in(plies: u32) -> u32 {
    2 + 2 * plies
}

const fn win_in(plies: u32) -> u32 {
    3 + 2 * plies
}

impl<'a, G: Retract, S: Lower<G::Layer>, W: Width> Bundle<'a, G, S, W> {
    fn new(game: &'a G, layers: &'a [G::Layer], lower: &'a S) -> Self {
        let undecided = |&layer: &G::Layer| (0..game.slots(layer)).map(|_| W::undecided()).collect();
        Self { game, layers, lower, cells: layers.iter().map(undecided).collect() }
    }

    fn code(&self, place: Place) -> u32 {
        self.cells[place.layer as usize][place.slot as usize].load()
    }

    /// Decides a place; the result is whether the code fits.
    fn decide(&self, place: Place, code: u32) -> Result<(), Stopped> {
        if code > W::GREATEST {
            return Err(Stopped::TooManyPlies);
        }
        self.cells[place.layer as usize][place.slot as usize].store(code);
        Ok(())
    }

    fn place(&self, layer: G::Layer, slot: Slot) -> Option<Place> {
        let layer = self.layers.iter().position(|&known| known == layer)?;
        Some(Place { layer: layer as u32, slot: slot.0 })
    }

    fn position(&self, place: Place) -> Option<G::Position> {
        self.game.position(self.layers[place.layer as usize], Slot(place.slot))
    }

    fn solve(
        self,
        limits: &Limits<'_>,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Vec<Layer<G::Layer>>, Stopped> {
        let (mut wins, mut losses, mut decided) = (Agenda::default(), Agenda::default(), Vec::new());
        for (place, news) in self.look_at_all(limits, progress)? {
            match news {
                News::Decided => decided.push(place),
                News::WinsIn(plies) => wins.add(plies, place),
                News::MayLoseIn(plies) => losses.add(plies, place),
            }
        }
        let total: u64 = self.cells.iter().map(|cells| cells.len() as u64).sum();
        let (mut plies, mut done) = (0, 0);
        loop {
            done += decided.len() as u64;
            progress(Progress { phase: Phase::Spreading, done, of: total });
            plies += 1;
            if decided.is_empty() && wins.due.len() <= plies as usize && losses.due.len() <= plies as usize {
                break;
            }
            limits.check()?;
            let due = (wins.take(plies), losses.take(plies));
            decided = self.step(plies, &decided, due, limits)?;
        }
        let Self { cells, layers, .. } = self;
        let layer = |(&layer, cells)| Layer { layer, cells: W::finish(cells) };
        Ok(layers.iter().zip(cells).map(layer).collect())
    }

    /// Looks at every slot once.
    fn look_at_all(
        &self,
        limits: &Limits<'_>,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Vec<(Place, News)>, Stopped> {
        let mut all = Vec::new();
        for (number, cells) in self.cells.iter().enumerate() {
            let slots = cells.len() as u64;
            let task = |task: u64| -> Result<Vec<(Place, News)>, Stopped> {
                limits.check()?;
                let range = task * TASK..((task + 1) * TASK).min(slots);
                if task.is_multiple_of(256) {
                    progress(Progress { phase: Phase::Exploring, done: range.start, of: slots });
                }
                let mut news = Vec::new();
                for slot in range {
                    let place = Place { layer: number as u32, slot };
                    if let Some(first) = self.look_at(place)? {
                        news.push((place, first));
                    }
                }
                Ok(news)
            };
            let found: Result<Vec<_>, Stopped> =
                (0..slots.div_ceil(TASK)).into_par_iter().map(task).collect();
            all.extend(found?.into_iter().flatten());
        }
        Ok(all)
    }

    fn look_at(&self, place: Place) -> Result<Option<News>, Stopped> {
        let Some(position) = self.position(place) else {
            self.decide(place, HOLE)?;
            return Ok(None);
        };
        if let Some(over) = self.game.over(&position) {
            let score = Score::finished(over.outcome.for_mover(self.game.turn(&position)));
            self.decide(place, code_of(score))?;
            return Ok((score != Score::Draw).then_some(News::Decided));
        }
        let mut best: Option<Score> = None;
        let _: ControlFlow<()> = self.game.successors(&position, Reach::Below, |layer, slot| {
            best = best.max(Some(self.lower.score(layer, slot).before_move()));
            ControlFlow::Continue(())
        });
        Ok(match best {
            Some(Score::Win(plies)) => Some(News::WinsIn(u32::from(plies.0))),
            Some(Score::Loss(plies)) => Some(News::MayLoseIn(u32::from(plies.0))),
            _ => None,
        })
    }

    /// Decides everything that is decided in exactly `plies`.
    ///
    /// * `before`: what was decided in one ply less.
    /// * `due`: places with a winning capture in `plies`, and places whose captures lose in `plies`.
    fn step(
        &self,
        plies: u32,
        before: &[Place],
        due: (Vec<Place>, Vec<Place>),
        limits: &Limits<'_>,
    ) -> Result<Vec<Place>, Stopped> {
        let (lost, won): (Vec<Place>, Vec<Place>) =
            before.iter().partition(|&&place| score_of(self.code(place)).value() == Value::Loss);
        let mut winners = self.predecessors(&lost, limits)?;
        winners.extend(due.0);
        self.keep_undecided(&mut winners);
        winners.par_iter().try_for_each(|&place| self.decide(place, win_in(plies)))?;
        let mut losers = self.predecessors(&won, limits)?;
        losers.extend(due.1);
        self.keep_undecided(&mut losers);
        let mut losers: Vec<Place> =
            losers.into_par_iter().filter(|&place| self.loses_in(place, plies)).collect();
        losers.par_iter().try_for_each(|&place| self.decide(place, loss_in(plies)))?;
        winners.append(&mut losers);
        Ok(winners)
    }

    fn keep_undecided(&self, places: &mut Vec<Place>) {
        places.par_sort_unstable();
        places.dedup();
        places.retain(|&place| self.code(place) == UNDECIDED);
    }

    /// The undecided places from which a move leads to one of these.
    fn predecessors(&self, places: &[Place], limits: &Limits<'_>) -> Result<Vec<Place>, Stopped> {
        let task = |chunk: &[Place]| -> Result<Vec<Place>, Stopped> {
            limits.check()?;
            let mut found = Vec::new();
            for &place in chunk {
                let Some(position) = self.position(place) else { continue };
                self.game.predecessors(&position, |layer, slot, _| {
                    let place = self.place(layer, slot).filter(|&place| self.code(place) == UNDECIDED);
                    found.extend(place);
                });
            }
            Ok(found)
        };
        let found: Result<Vec<Vec<Place>>, Stopped> = places.par_chunks(TASK as usize).map(task).collect();
        Ok(found?.into_iter().flatten().collect())
    }

    /// Whether every move leads to a win of the opponent in fewer than `plies`.
    fn loses_in(&self, place: Place, plies: u32) -> bool {
        let Some(position) = self.position(place) else { return false };
        let all = self.game.successors(&position, Reach::All, |layer, slot| {
            let code = match self.place(layer, slot) {
                Some(place) => self.code(place),
                None => code_of(self.lower.score(layer, slot)),
            };
            let lost_move = code > UNDECIDED && code % 2 == 1 && plies_of(code) < plies;
            if lost_move { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        all.is_continue()
    }
}
