//! Retrograde analysis of whole layers.
//!
//! A bundle of layers between which play goes to and fro is solved on one cell a slot, once all layers below are
//! finished:
//!
//! 1. A first look at each slot finds finished games and the value of leaving the bundle. A win found here is an
//!    upper bound of its plies until step 2 reaches them.
//! 2. Ply by ply, positions lost in `p` make their predecessors won in `p + 1`, and predecessors of positions won in
//!    `p` are checked again: if every successor is by now a settled win for the opponent, they are lost. There are no
//!    counters, so several moves may lead to images of one position.
//! 3. The undecided rest is drawn.
//!
//! Step 2 follows moves backwards, position by position ([`solve_bundle`]) or row by row
//! ([`solve_bundle_by_rows_from`]), or sweeps over all undecided slots forwards ([`solve_bundle_forward`]). Step `p`
//! only writes codes above `p` and only relies on codes up to `p`, so the cells do not depend on the order or number
//! of threads.
//!
//! # Rows and strips
//!
//! Squish and Flowish add `Rowed` (`core/src/rows.rs`). Their layers are matrices, with a row for each class of the
//! mover's sets and a column for each of the opponent's. The opponent of a row's positions moves along it until a
//! capture, so one list of moves serves all rows, of sets and not of positions.
//!
//! `rows.rs` holds each cell twice: in its place and in a *mirror*, beside the position with the same pieces and the
//! other player to move. Settling a ply in a row reads only the row and its mirror, which are in the cache. A settled
//! cell is written to its own place once, the only access that waits for memory. Such a write is all that leaves a
//! row (`layered/kernel.rs`), so rows can be solved in *strips* without shared memory. `layered/strips` defines who
//! writes what, what may be read when, and why the result does not depend on the order.
//!
//! In Swish and Squeeze a row is the beads with the rooks of the player to move, a column the other player's rooks
//! (`games/src/beads/index/rows.rs`). They have no list, because the beads and rooks of the row block slides. But a
//! slide leaves the beads in place, so the rows of a set of beads are consecutive and fit the cache with its mirror.
//!
//! If even the cells exceed the budget, a bundle of rows is solved out of a *spill store* (`layered/strips/solve.rs`).
//! Strips and their messages are files (`engine/src/build/strip_files.rs`), read and written whole; the next is read and the
//! previous written during the work on one. Each ply visits only the strips with something due. A rewritten strip
//! gets a new file and the last checkpoint keeps the old one, so a checkpoint copies nothing. The finished cells go
//! through a file into the table, a few at a time.
//!
//! A checkpoint in strips is resumed in strips that are as large or larger. Otherwise the bundle starts again, as
//! does a checkpoint of the solver in memory. The layers below stay in memory all the same. Bundles without rows are
//! solved only in memory; if it is too small, the error says how much they need. If the budget has no room for the
//! mirror, the bundle is solved position by position. The same holds if most sets meet a row's on a crowded board, or
//! if plies exceed a byte. Snapshots are the same.
//!
//! # Lanes
//!
//! A move along a row of Squish or Flowish is the same for all rows. If few sets of the columns meet a row's, 32 rows
//! are solved side by side in memory (`core/src/lanes.rs`, `layered/lanes.rs`). The cells of a set are a vector, the
//! best successor is the maximum of a few vectors, and there is no mirror.

mod kernel;
mod lanes;
mod layers_below;
mod rows;
mod sink;
pub mod strips;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

use marquis_core::{Indexed, Plies, Reach, Retract, Score, Slot};

use crate::cell::{CellWidth, LayerCells, UNDECIDED, UNUSED, code_of, score_of};
use crate::limits::{Phase, SolveLimits, SolveProgress, Stopped};
use crate::tasks::try_each;

use self::layers_below::{LayersBelow, can_gain, is_settled_in, score_inside};

pub use self::rows::{more_bytes_by_rows, solve_bundle_by_rows_from};
pub use crate::probe::{Counts, Layers};

/// Slots that one task visits between two checks of the limits.
const TASK: usize = 4096;
/// Predecessors whose cells are loaded together.
const TOGETHER: usize = 16;
/// Tasks between two reports of progress.
const TASKS_A_REPORT: usize = 256;

/// A solved layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer<L> {
    /// The layer.
    pub layer: L,
    /// The cells of its slots.
    pub cells: LayerCells,
}

/// A half-solved bundle, from which the work can be resumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleSnapshot<L> {
    /// Everything decided in fewer plies has been passed on to its predecessors.
    pub ply: Plies,
    /// The layers with their current codes.
    pub layers: Vec<Layer<L>>,
}

impl<L: Copy + PartialEq> BundleSnapshot<L> {
    /// Returns whether the snapshot is of the component of a layer.
    fn fits<G: Indexed<Layer = L>>(&self, game: &G, layer: L) -> bool {
        let layers = self.layers.iter().map(|own| (own.layer, own.cells.len() as u64));
        layers.eq(game.component(layer).into_iter().map(|layer| (layer, game.slots(layer))))
    }

    fn is_wide(&self) -> bool {
        self.layers.iter().any(|own| matches!(own.cells, LayerCells::Wide(_)))
    }
}

/// Saves snapshots of a bundle while it is solved.
pub trait Keeper<L>: Sync {
    /// Returns whether a snapshot is due; asked after every ply.
    fn is_due(&self) -> bool;

    /// Saves a snapshot; also called when a limit ends the work.
    fn keep(&self, snapshot: &BundleSnapshot<L>);
}

/// A keeper that saves nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoKeeper;

impl<L> Keeper<L> for NoKeeper {
    fn is_due(&self) -> bool {
        false
    }

    fn keep(&self, _: &BundleSnapshot<L>) {}
}

/// The scores of all slots of `layer` and the rest of its component, by moves forwards and backwards.
///
/// * `lower`: holds the layers of [`child_layers`](Indexed::child_layers), finished; panics if one of them is
///   missing.
/// * Result: the layers in the order of [`component`](Indexed::component); one byte a slot, or two if the plies
///   require it. Solving takes no other memory than these bytes.
///
/// # Errors
/// Which of the `limits` ended the work, or two bytes a slot are too small.
pub fn solve_bundle<G: Retract>(
    game: &G,
    layer: G::Layer,
    lower: &Layers<G::Layer>,
    limits: &SolveLimits<'_>,
    progress: &(dyn Fn(SolveProgress) + Sync),
) -> Result<Vec<Layer<G::Layer>>, Stopped> {
    solve_bundle_from(game, layer, lower, None, &NoKeeper, limits, progress)
}

/// The same as [`solve_bundle`], starting with a snapshot and saving snapshots on the way.
///
/// A snapshot takes as much memory as the cells. A snapshot of other layers is not used.
///
/// # Errors
/// Which of the `limits` ended the work, after a last snapshot, or two bytes a slot are too small.
pub fn solve_bundle_from<G: Retract>(
    game: &G,
    layer: G::Layer,
    lower: &Layers<G::Layer>,
    snapshot: Option<BundleSnapshot<G::Layer>>,
    keeper: &dyn Keeper<G::Layer>,
    limits: &SolveLimits<'_>,
    progress: &(dyn Fn(SolveProgress) + Sync),
) -> Result<Vec<Layer<G::Layer>>, Stopped> {
    let snapshot = snapshot.filter(|kept| kept.fits(game, layer));
    let narrow = |snapshot| {
        Solver::<G, AtomicU8>::new(game, layer, lower).by_un_moves(snapshot, keeper, limits, progress)
    };
    let wide = |snapshot| {
        Solver::<G, AtomicU16>::new(game, layer, lower).by_un_moves(snapshot, keeper, limits, progress)
    };
    widening(snapshot, narrow, wide)
}

/// Solves with one byte a slot, or with two if the snapshot has two or a game takes more plies than a byte holds;
/// then the work starts again.
fn widening<L: Copy + PartialEq, T>(
    snapshot: Option<BundleSnapshot<L>>,
    narrow: impl FnOnce(Option<BundleSnapshot<L>>) -> Result<T, Stopped>,
    wide: impl FnOnce(Option<BundleSnapshot<L>>) -> Result<T, Stopped>,
) -> Result<T, Stopped> {
    if snapshot.as_ref().is_some_and(BundleSnapshot::is_wide) {
        return wide(snapshot);
    }
    match narrow(snapshot) {
        Err(Stopped::TooManyPlies) => wide(None),
        result => result,
    }
}

/// The same as [`solve_bundle`], by moves forwards alone: a sweep over all undecided slots a ply.
///
/// # Errors
/// Which of the `limits` ended the work, or two bytes a slot are too small.
pub fn solve_bundle_forward<G: Indexed>(
    game: &G,
    layer: G::Layer,
    lower: &Layers<G::Layer>,
    limits: &SolveLimits<'_>,
    progress: &(dyn Fn(SolveProgress) + Sync),
) -> Result<Vec<Layer<G::Layer>>, Stopped> {
    let narrow = |_| Solver::<G, AtomicU8>::new(game, layer, lower).by_sweeps(limits, progress);
    let wide = |_| Solver::<G, AtomicU16>::new(game, layer, lower).by_sweeps(limits, progress);
    widening::<G::Layer, _>(None, narrow, wide)
}

/// Step 2 from a ply on, with a given step for each ply, and a snapshot when one is due or a limit ends the work.
///
/// * `from`: the first ply, and the number of slots of the bundle.
/// * `step`: returns the number of cells settled in exactly this ply.
fn spread<T, L: Copy + Ord + std::hash::Hash>(
    solver: &mut T,
    (mut ply, of): (Plies, u64),
    ground: &LayersBelow<'_, L>,
    keeper: &dyn Keeper<L>,
    progress: &(dyn Fn(SolveProgress) + Sync),
    snapshot: impl Fn(&T, Plies) -> BundleSnapshot<L>,
    step: impl Fn(&mut T, Plies, &(dyn Fn(u64) + Sync)) -> Result<u64, Stopped>,
) -> Result<(), Stopped> {
    let mut settled = 0_u64;
    while ply <= ground.farthest() {
        let done = settled.min(of);
        let report = |_| progress(SolveProgress { phase: Phase::Spreading, done, of });
        match step(solver, ply, &report) {
            Ok(count) => settled += count,
            Err(Stopped::TooManyPlies) => return Err(Stopped::TooManyPlies),
            Err(stopped) => {
                // A ply may be repeated: its codes depend on earlier plies alone.
                keeper.keep(&snapshot(solver, ply));
                return Err(stopped);
            }
        }
        ply = ply.next();
        if keeper.is_due() {
            keeper.keep(&snapshot(solver, ply));
        }
    }
    Ok(())
}

/// A bundle while it is being solved.
struct Solver<'a, G: Indexed, W> {
    game: &'a G,
    layers: Vec<(G::Layer, Vec<W>)>,
    /// The layers below, and the most plies so far.
    ground: Arc<LayersBelow<'a, G::Layer>>,
}

impl<'a, G: Indexed, W: CellWidth> Solver<'a, G, W> {
    fn new(game: &'a G, layer: G::Layer, lower: &'a Layers<G::Layer>) -> Self {
        let cells = |layer| (0..game.slots(layer)).map(|_| W::undecided()).collect();
        let layers = game.component(layer).into_iter().map(|layer| (layer, cells(layer))).collect();
        Self { game, layers, ground: Arc::new(LayersBelow::new(game, layer, lower)) }
    }

    fn slots(&self) -> u64 {
        self.layers.iter().map(|(_, cells)| cells.len() as u64).sum()
    }

    /// The cell of a slot of this bundle; `None` for layers below.
    #[inline]
    fn cell(&self, layer: G::Layer, slot: Slot) -> Option<&W> {
        let (_, cells) = self.layers.iter().find(|(own, _)| *own == layer)?;
        Some(&cells[slot.0 as usize])
    }

    #[inline]
    fn write(&self, cell: &W, score: Score) {
        if let Some(code) = self.ground.code::<W>(score) {
            cell.store(code);
        }
    }

    /// Calls `visit` with every cell, in parallel, and `report` now and then with the number of cells visited.
    ///
    /// * Result: the number of cells for which `visit` returned true.
    fn count_cells(
        &self,
        limits: &SolveLimits<'_>,
        report: &(dyn Fn(u64) + Sync),
        visit: impl Fn(G::Layer, Slot, &W) -> bool + Sync,
    ) -> Result<u64, Stopped> {
        let (counted, visited) = (AtomicU64::new(0), AtomicU64::new(0));
        for (layer, cells) in &self.layers {
            try_each(cells.len().div_ceil(TASK), &|task| {
                limits.check()?;
                let first = task * TASK;
                let chunk = &cells[first..cells.len().min(first + TASK)];
                let slots = first as u64..;
                let yes = slots.zip(chunk).filter(|&(slot, cell)| visit(*layer, Slot(slot), cell)).count();
                counted.fetch_add(yes as u64, Relaxed);
                let before = visited.fetch_add(chunk.len() as u64, Relaxed);
                if task % TASKS_A_REPORT == 0 {
                    report(before);
                }
                self.ground.check()
            })?;
        }
        Ok(counted.into_inner())
    }

    /// Step 1.
    fn look_at_all(
        &self,
        limits: &SolveLimits<'_>,
        progress: &(dyn Fn(SolveProgress) + Sync),
    ) -> Result<(), Stopped> {
        let of = self.slots();
        let report = |done| progress(SolveProgress { phase: Phase::Exploring, done, of });
        self.count_cells(limits, &report, |layer, slot, cell| {
            match self.game.position(layer, slot) {
                None => cell.store(UNUSED),
                Some(position) => {
                    if let Some(score) = self.first_look(&position) {
                        self.write(cell, score);
                    }
                }
            }
            true
        })?;
        Ok(())
    }

    /// The score of a finished game, the best win outside the bundle, or the score if no move stays inside.
    fn first_look(&self, position: &G::Position) -> Option<Score> {
        if let Some(over) = self.game.over(position) {
            return Some(Score::finished(over.outcome.for_mover(self.game.turn(position))));
        }
        let mut best = None;
        let _ = self.game.successors::<()>(position, Reach::ChildLayers, |layer, slot| {
            best = best.max(Some(self.ground.score_below(layer, slot).before_move()));
            ControlFlow::Continue(())
        });
        let won = matches!(best, Some(Score::Win(_)));
        let stays =
            || self.game.successors(position, Reach::Component, |_, _| ControlFlow::Break(())).is_break();
        if won || !stays() { best } else { None }
    }

    /// The score from all successors in step `ply`: lost if all are settled wins, won in `ply + 1` if one is lost in
    /// `ply`, otherwise `None`.
    fn look_again(&self, position: &G::Position, ply: Plies) -> Option<Score> {
        let mut worst = Plies::ZERO;
        let seen = self.game.successors(position, Reach::All, |layer, slot| {
            let inside = self.cell(layer, slot);
            let score = match inside {
                Some(cell) => score_inside::<W>(cell.load()),
                None => self.ground.score_below(layer, slot),
            };
            match score {
                Score::Win(plies) if inside.is_none() || plies <= ply => {
                    worst = worst.max(plies);
                    ControlFlow::Continue(())
                }
                Score::Loss(plies) if inside.is_some() && plies == ply => ControlFlow::Break(true),
                _ => ControlFlow::Break(false),
            }
        });
        match seen {
            ControlFlow::Continue(()) => Some(Score::Win(worst).before_move()),
            ControlFlow::Break(true) => Some(Score::Loss(ply).before_move()),
            ControlFlow::Break(false) => None,
        }
    }

    /// Step 2 from a ply on, with a given step for each ply.
    ///
    /// * `step`: returns the number of cells settled in exactly this ply.
    fn spread(
        mut self,
        ply: Plies,
        keeper: &dyn Keeper<G::Layer>,
        progress: &(dyn Fn(SolveProgress) + Sync),
        step: impl Fn(&Self, Plies, &(dyn Fn(u64) + Sync)) -> Result<u64, Stopped>,
    ) -> Result<Vec<Layer<G::Layer>>, Stopped> {
        let (of, ground) = (self.slots(), Arc::clone(&self.ground));
        spread(&mut self, (ply, of), &ground, keeper, progress, Self::snapshot, |solver, ply, report| {
            step(solver, ply, report)
        })?;
        let finished = |(layer, cells)| Layer { layer, cells: W::finish(cells) };
        Ok(self.layers.into_iter().map(finished).collect())
    }

    fn snapshot(&self, ply: Plies) -> BundleSnapshot<G::Layer> {
        let layer = |(layer, cells): &(G::Layer, Vec<W>)| Layer { layer: *layer, cells: W::copy(cells) };
        BundleSnapshot { ply, layers: self.layers.iter().map(layer).collect() }
    }

    /// Restores the cells of a snapshot of the same size.
    fn restore(&self, snapshot: &BundleSnapshot<G::Layer>) {
        for ((_, cells), kept) in self.layers.iter().zip(&snapshot.layers) {
            for (cell, code) in cells.iter().zip(kept.cells.codes()) {
                cell.store(code);
                self.ground.reach::<W>(code);
            }
        }
    }

    /// Step 2 over all slots that can still gain.
    fn by_sweeps(
        self,
        limits: &SolveLimits<'_>,
        progress: &(dyn Fn(SolveProgress) + Sync),
    ) -> Result<Vec<Layer<G::Layer>>, Stopped> {
        self.look_at_all(limits, progress)?;
        self.spread(Plies::ZERO, &NoKeeper, progress, |solver, ply, report| {
            solver.count_cells(limits, report, |layer, slot, cell| {
                let code = cell.load();
                if can_gain::<W>(code, ply)
                    && let Some(position) = solver.game.position(layer, slot)
                    && let Some(score) = solver.sweep_look(&position, ply)
                {
                    solver.write(cell, score);
                }
                is_settled_in(code, ply)
            })
        })
    }

    /// Like [`Self::look_again`], but finds a loss in `ply` among unsettled successors.
    fn sweep_look(&self, position: &G::Position, ply: Plies) -> Option<Score> {
        let lost = |layer, slot| self.cell(layer, slot).map(W::load) == Some(code_of(Score::Loss(ply)));
        let found = self.game.successors(position, Reach::Component, |layer, slot| {
            if lost(layer, slot) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if found.is_break() {
            return Some(Score::Loss(ply).before_move());
        }
        self.look_again(position, ply)
    }
}

impl<G: Retract, W: CellWidth> Solver<'_, G, W> {
    /// Step 2 from the positions that are settled in each ply.
    fn by_un_moves(
        self,
        snapshot: Option<BundleSnapshot<G::Layer>>,
        keeper: &dyn Keeper<G::Layer>,
        limits: &SolveLimits<'_>,
        progress: &(dyn Fn(SolveProgress) + Sync),
    ) -> Result<Vec<Layer<G::Layer>>, Stopped> {
        match &snapshot {
            Some(snapshot) => self.restore(snapshot),
            None => self.look_at_all(limits, progress)?,
        }
        let ply = snapshot.map_or(Plies::ZERO, |snapshot| snapshot.ply);
        self.spread(ply, keeper, progress, |solver, ply, report| {
            solver.count_cells(limits, report, |layer, slot, cell| {
                let code = cell.load();
                let settled = is_settled_in(code, ply);
                if settled && let Some(position) = solver.game.position(layer, slot) {
                    solver.tell_predecessors(&position, score_of(code));
                }
                settled
            })
        })
    }

    /// Decides the predecessors that this score decides.
    fn tell_predecessors(&self, position: &G::Position, score: Score) {
        let mut told = [const { None }; TOGETHER];
        let mut count = 0;
        self.game.predecessors(position, |layer, slot, before| {
            let Some(cell) = self.cell(layer, slot) else { return };
            told[count] = Some((cell, *before));
            count += 1;
            if count == TOGETHER {
                self.tell(&told, score);
                count = 0;
            }
        });
        self.tell(&told[..count], score);
    }

    /// All cells are loaded before the first one is tested, so that their latencies overlap.
    fn tell(&self, told: &[Option<(&W, G::Position)>], score: Score) {
        let mut codes = [UNUSED; TOGETHER];
        for (code, (cell, _)) in codes.iter_mut().zip(told.iter().flatten()) {
            *code = cell.load();
        }
        for (code, (cell, before)) in codes.into_iter().zip(told.iter().flatten()) {
            match score {
                Score::Loss(ply) if can_gain::<W>(code, ply) => self.write(cell, score.before_move()),
                Score::Win(ply) if code == UNDECIDED => {
                    if let Some(score) = self.look_again(before, ply) {
                        self.write(cell, score);
                    }
                }
                _ => (),
            }
        }
    }
}
