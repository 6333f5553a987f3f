//! The same analysis row by row, for games whose layers are matrices, in memory.
//!
//! The cells of each layer are held twice: in order, and as a *mirror*, in which each cell is that of the position
//! that faces it. A row and its mirror hold all positions between which the player of the columns moves without
//! capture: predecessors and successors of a row's positions lie in one row of the mirror, and the other way round.
//! So the data of a step is in the cache, and a decided cell is written to its own place once.
//!
//! Each layer is one strip here, and its messages are stored at once ([`strips`](super::strips)).

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

use marquis_core::{Lanes, Plies, Retract, Row, Rowed, Slot};

use super::kernel::InRow;
use super::lanes::{LaneSolver, bytes_in_lanes};
use super::sink::{Code, Sink};
use super::strips::{LayerNumber, Matrices, View};
use super::{BundleSnapshot, Keeper, Layer, Layers, Solver, TASK, TASKS_A_REPORT, widening};
use crate::cell::CellWidth;
use crate::limits::{Phase, SolveLimits, SolveProgress, Stopped};

/// Slots between two reports of progress.
const REPORT: u64 = (TASK * TASKS_A_REPORT) as u64;

/// The same as [`solve_bundle_from`](super::solve_bundle_from), row by row: faster, and with
/// [`more_bytes_by_rows`].
///
/// If a game takes more plies than a byte holds, the work starts again without rows, whose wide cells take as much
/// memory as cells and mirror do.
///
/// # Errors
/// Which of the `limits` ended the work, after a last snapshot, or two bytes a slot are too small.
pub fn solve_bundle_by_rows_from<G: Rowed + Retract>(
    game: &G,
    layer: G::Layer,
    lower: &Layers<G::Layer>,
    snapshot: Option<BundleSnapshot<G::Layer>>,
    keeper: &dyn Keeper<G::Layer>,
    limits: &SolveLimits<'_>,
    progress: &(dyn Fn(SolveProgress) + Sync),
) -> Result<Vec<Layer<G::Layer>>, Stopped> {
    let snapshot = snapshot.filter(|kept| kept.fits(game, layer));
    let narrow = |snapshot| match in_lanes(game, layer) {
        Some(lanes) => LaneSolver::new(game, layer, lanes, lower).solve(snapshot, keeper, limits, progress),
        None => RowSolver::new(game, layer, lower).solve(snapshot, keeper, limits, progress),
    };
    let wide = |snapshot| {
        Solver::<G, AtomicU16>::new(game, layer, lower).by_un_moves(snapshot, keeper, limits, progress)
    };
    widening(snapshot, narrow, wide)
}

/// The layers of a component side by side, if that pays for all.
fn in_lanes<G: Rowed>(game: &G, layer: G::Layer) -> Option<Vec<impl Lanes<Layer = G::Layer>>> {
    bytes_in_lanes(game, layer)?;
    game.component(layer).into_iter().map(|layer| game.lanes(layer)).collect()
}

/// The bytes in addition to those of [`solve_bundle_from`](super::solve_bundle_from): a second cell a slot, and
/// [`Rowed::rows_bytes`]; or those of lanes.
pub fn more_bytes_by_rows<G: Rowed>(game: &G, layer: G::Layer) -> u64 {
    if let Some(bytes) = bytes_in_lanes(game, layer) {
        let slots = game.component(layer).into_iter().map(|layer| game.slots(layer)).sum();
        return bytes.saturating_sub(slots);
    }
    let copies = rayon::current_num_threads() as u64;
    let bytes = |layer| game.slots(layer).saturating_add(game.rows_bytes(layer, copies));
    game.component(layer).into_iter().map(bytes).fold(0, u64::saturating_add)
}

/// A bundle while it is being solved by rows.
struct RowSolver<'a, G: Rowed> {
    solver: Solver<'a, G, AtomicU8>,
    matrices: Matrices<'a, G>,
    /// For each slot the cell of the position that faces it, in the order of the solver's layers.
    mirrors: Vec<Vec<AtomicU8>>,
}

/// Stores the messages of a row directly in the facing layer.
#[derive(Clone, Copy)]
struct Direct<'r>(&'r [AtomicU8]);

impl Sink for Direct<'_> {
    #[inline]
    fn put(&self, slot: Slot, Code(code): Code) {
        CellWidth::store(&self.0[slot.0 as usize], code.into());
    }
}

impl<'a, G: Rowed> RowSolver<'a, G> {
    fn new(game: &'a G, layer: G::Layer, lower: &'a Layers<G::Layer>) -> Self {
        let solver = Solver::new(game, layer, lower);
        let matrices = Matrices::on(game, layer, Arc::clone(&solver.ground));
        let mirror =
            |(_, cells): &(G::Layer, Vec<AtomicU8>)| cells.iter().map(|_| AtomicU8::undecided()).collect();
        let mirrors = solver.layers.iter().map(mirror).collect();
        Self { solver, matrices, mirrors }
    }

    fn solve(
        self,
        snapshot: Option<BundleSnapshot<G::Layer>>,
        keeper: &dyn Keeper<G::Layer>,
        limits: &SolveLimits<'_>,
        progress: &(dyn Fn(SolveProgress) + Sync),
    ) -> Result<Vec<Layer<G::Layer>>, Stopped> {
        let of = self.solver.slots();
        let report = |done| progress(SolveProgress { phase: Phase::Exploring, done, of });
        let Self { solver, matrices, mirrors } = self;
        let ply = if let Some(snapshot) = snapshot {
            solver.restore(&snapshot);
            let ply = snapshot.ply;
            // The next snapshot reuses its memory.
            drop(snapshot);
            each_row(&solver, &matrices, &mirrors, limits, &report, |mut row, Direct(facing)| {
                row.reflect_from(|slot| CellWidth::load(&facing[slot.0 as usize]));
                0
            })?;
            ply
        } else {
            each_row(&solver, &matrices, &mirrors, limits, &report, |mut row, _| {
                row.look();
                0
            })?;
            Plies::ZERO
        };
        solver.spread(ply, keeper, progress, |solver, ply, report| {
            each_row(solver, &matrices, &mirrors, limits, report, |mut row, _| row.step(ply))
        })
    }
}

/// Calls `visit` with every row and the cells that it writes to, in parallel, and `report` now and then with the
/// number of slots visited.
///
/// * Result: the sum of the results of `visit`.
fn each_row<'a, G: Rowed>(
    solver: &Solver<'a, G, AtomicU8>,
    matrices: &Matrices<'a, G>,
    mirrors: &[Vec<AtomicU8>],
    limits: &SolveLimits<'_>,
    report: &(dyn Fn(u64) + Sync),
    visit: impl Fn(InRow<'_, 'a, G::Rows<'a>, AtomicU8, Direct<'_>>, Direct<'_>) -> u64 + Sync,
) -> Result<u64, Stopped> {
    let (mut counted, visited) = (0, AtomicU64::new(0));
    let done = |Row(first): Row, slots: u64| {
        let before = visited.fetch_add(slots, Relaxed);
        if first == 0 || before / REPORT != (before + slots) / REPORT {
            report(before);
        }
    };
    for (number, ((_, own), mirror)) in solver.layers.iter().zip(mirrors).enumerate() {
        let layer = LayerNumber(number);
        let direct = Direct(&solver.layers[matrices.facing(layer).0].1);
        let view = View { layer, rows: 0..matrices.rows(layer), own, mirror };
        counted += matrices.each_row(&view, &|| direct, limits, &done, |row| visit(row, direct))?;
    }
    Ok(counted)
}
