//! The same analysis row by row, for games whose layers are matrices.
//!
//! Of each layer the cells are held twice: in their order, and as a *mirror*, in which each cell is that of the position
//! that faces it. A row and its mirror hold all positions between which the player of the columns moves without capture:
//! predecessors and successors of a row's positions lie in one row of the mirror, and the other way round. So all that
//! a step reads and writes is in the cache, and a cell that is decided is written to its own place once.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

use marquis_core::{Column, Plies, Retract, Row, Rowed, Rows, Score};
use rayon::prelude::*;

use super::{
    Keeper, Layer, Layers, Snapshot, Solver, TASK, TASKS_A_REPORT, is_settled_in, score_inside, widening,
};
use crate::cell::{UNDECIDED, UNUSED, Width, score_of};
use crate::limits::{Phase, SolveLimits, SolveProgress, Stopped};

/// Slots between two reports of progress.
const REPORT: u64 = (TASK * TASKS_A_REPORT) as u64;

/// The same as [`solve_bundle_from`](super::solve_bundle_from), row by row: faster, and with
/// [`more_bytes_by_rows`].
///
/// Where a game takes more plies than a byte holds, the work begins again without rows, whose wide cells take as much
/// memory as cells and mirror do.
///
/// # Errors
/// Which of the `limits` ended the work, after a last snapshot, or that two bytes a slot are too small.
pub fn solve_bundle_by_rows_from<G: Rowed + Retract>(
    game: &G,
    layer: G::Layer,
    lower: &Layers<G::Layer>,
    snapshot: Option<Snapshot<G::Layer>>,
    keeper: &dyn Keeper<G::Layer>,
    limits: &SolveLimits<'_>,
    progress: &(dyn Fn(SolveProgress) + Sync),
) -> Result<Vec<Layer<G::Layer>>, Stopped> {
    let snapshot = snapshot.filter(|kept| kept.fits(game, layer));
    let narrow = |snapshot| RowSolver::new(game, layer, lower).solve(snapshot, keeper, limits, progress);
    let wide = |snapshot| {
        Solver::<G, AtomicU16>::new(game, layer, lower).by_un_moves(snapshot, keeper, limits, progress)
    };
    widening(snapshot, narrow, wide)
}

/// Bytes beside those of [`solve_bundle_from`](super::solve_bundle_from): a second cell a slot, and what
/// [`Rowed::rows_bytes`] tells of.
pub fn more_bytes_by_rows<G: Rowed>(game: &G, layer: G::Layer) -> u64 {
    let copies = rayon::current_num_threads() as u64;
    let bytes = |layer| game.slots(layer).saturating_add(game.rows_bytes(layer, copies));
    game.component(layer).into_iter().map(bytes).fold(0, u64::saturating_add)
}

/// A bundle while it is being solved by rows.
struct RowSolver<'a, G: Rowed> {
    solver: Solver<'a, G, AtomicU8>,
    /// In the order of the solver's layers.
    matrices: Vec<Matrix<'a, G>>,
}

/// A layer as a matrix.
struct Matrix<'a, G: Rowed + 'a> {
    rows: G::Rows<'a>,
    /// The number of the layer of the positions that face those of this one.
    facing: usize,
    /// For each slot the cell of the position that faces it.
    mirror: Vec<AtomicU8>,
}

/// A row of a layer, entered as soon as something is asked about it.
struct InRow<'r, 'a, G: Rowed + 'a> {
    solver: &'r Solver<'a, G, AtomicU8>,
    rows: &'r mut G::Rows<'a>,
    row: Row,
    is_entered: bool,
    /// The cells of the row.
    own: &'r [AtomicU8],
    /// Those of the positions that face them.
    mirror: &'r [AtomicU8],
    /// The whole layer of the latter.
    facing: &'r [AtomicU8],
    /// Room for a bit a column: which were looked at again in this step.
    looked: &'r mut Vec<u64>,
}

impl<'a, G: Rowed> RowSolver<'a, G> {
    fn new(game: &'a G, layer: G::Layer, lower: &'a Layers<G::Layer>) -> Self {
        let solver = Solver::new(game, layer, lower);
        let number = |layer| solver.layers.iter().position(|(own, _)| *own == layer);
        let matrix = |&(layer, ref cells): &(G::Layer, Vec<AtomicU8>)| Matrix {
            rows: game.rows(layer),
            facing: number(game.facing(layer)).expect("facing positions are of the same component"),
            mirror: cells.iter().map(|_| AtomicU8::undecided()).collect(),
        };
        let matrices = solver.layers.iter().map(matrix).collect();
        Self { solver, matrices }
    }

    fn solve(
        self,
        snapshot: Option<Snapshot<G::Layer>>,
        keeper: &dyn Keeper<G::Layer>,
        limits: &SolveLimits<'_>,
        progress: &(dyn Fn(SolveProgress) + Sync),
    ) -> Result<Vec<Layer<G::Layer>>, Stopped> {
        let of = self.solver.slots();
        let report = |done| progress(SolveProgress { phase: Phase::Exploring, done, of });
        let ply = if let Some(snapshot) = snapshot {
            self.solver.restore(&snapshot);
            let ply = snapshot.ply;
            // Its memory is that of the next one.
            drop(snapshot);
            each_row(&self.solver, &self.matrices, limits, &report, |mut row| {
                row.reflect();
                0
            })?;
            ply
        } else {
            each_row(&self.solver, &self.matrices, limits, &report, |mut row| {
                row.look();
                0
            })?;
            Plies::ZERO
        };
        let Self { solver, matrices } = self;
        solver.spread(ply, keeper, progress, |solver, ply, report| {
            each_row(solver, &matrices, limits, report, |mut row| row.step(ply))
        })
    }
}

/// Calls `visit` with every row, in parallel, and `report` now and then with how many slots it was for.
///
/// * Result: the sum of what the visitor said.
fn each_row<'a, G: Rowed>(
    solver: &Solver<'a, G, AtomicU8>,
    matrices: &[Matrix<'a, G>],
    limits: &SolveLimits<'_>,
    report: &(dyn Fn(u64) + Sync),
    visit: impl Fn(InRow<'_, 'a, G>) -> u64 + Sync,
) -> Result<u64, Stopped> {
    let (counted, visited) = (AtomicU64::new(0), AtomicU64::new(0));
    for ((_, cells), matrix) in solver.layers.iter().zip(matrices) {
        let (_, facing) = &solver.layers[matrix.facing];
        let columns = matrix.rows.columns() as usize;
        let next = AtomicU64::new(0);
        let worker = |_| {
            let (mut rows, mut looked) = (matrix.rows.clone(), Vec::new());
            while let Some(task) = next_task(&next, &matrix.rows) {
                limits.check()?;
                for row in task.clone() {
                    let range = range(row, columns);
                    let (own, mirror) = (&cells[range.clone()], &matrix.mirror[range]);
                    let (rows, looked, row, is_entered) = (&mut rows, &mut looked, Row(row), false);
                    let row = InRow { solver, rows, row, is_entered, own, mirror, facing, looked };
                    counted.fetch_add(visit(row), Relaxed);
                }
                let slots = (task.end - task.start) * columns as u64;
                let before = visited.fetch_add(slots, Relaxed);
                if task.start == 0 || before / REPORT != (before + slots) / REPORT {
                    report(before);
                }
                if solver.overflow.load(Relaxed) {
                    return Err(Stopped::TooManyPlies);
                }
            }
            Ok(())
        };
        (0..rayon::current_num_threads()).into_par_iter().try_for_each(worker)?;
    }
    Ok(counted.into_inner())
}

/// The next few rows that nobody has begun.
fn next_task(next: &AtomicU64, rows: &impl Rows) -> Option<Range<u64>> {
    let together = (TASK / (rows.columns() as usize).max(1)).max(1) as u64;
    let first = next.fetch_add(together, Relaxed);
    let last = rows.count().min(first + together);
    (first < last).then_some(first..last)
}

/// The slots of a row.
fn range(row: u64, columns: usize) -> Range<usize> {
    let first = row as usize * columns;
    first..first + columns
}

impl<G: Rowed> InRow<'_, '_, G> {
    #[inline]
    fn enter(&mut self) {
        if !self.is_entered {
            self.rows.enter(self.row);
            self.is_entered = true;
        }
    }

    fn columns(&self) -> impl Iterator<Item = Column> + use<G> {
        (0..self.own.len() as u32).map(Column)
    }

    /// Writes the score of the position that faces a column.
    #[inline]
    fn write(&self, column: Column, score: Score) {
        if let Some(code) = self.solver.code(score) {
            Width::store(&self.mirror[column.0 as usize], code);
            Width::store(&self.facing[self.rows.facing(column).0 as usize], code);
        }
    }

    /// Takes the mirror from the cells.
    fn reflect(&mut self) {
        self.enter();
        for column in self.columns() {
            let code = if self.rows.has_position(column) {
                Width::load(&self.facing[self.rows.facing(column).0 as usize])
            } else {
                UNUSED
            };
            Width::store(&self.mirror[column.0 as usize], code);
        }
    }

    /// Step 1 for the positions that face this row.
    fn look(&mut self) {
        self.enter();
        for column in self.columns() {
            if !self.rows.has_position(column) {
                Width::store(&self.own[column.0 as usize], UNUSED);
                Width::store(&self.mirror[column.0 as usize], UNUSED);
            } else if let Some(score) = self.first_look(column) {
                self.write(column, score);
            }
        }
    }

    /// As [`Solver::first_look`], for the position that faces a column.
    fn first_look(&self, column: Column) -> Option<Score> {
        if let Some(value) = self.rows.over(column) {
            return Some(Score::finished(value));
        }
        let mut best = None;
        let _ = self.rows.leaving::<()>(column, |layer, slot| {
            best = best.max(Some(self.solver.score_below(layer, slot).before_move()));
            ControlFlow::Continue(())
        });
        let won = matches!(best, Some(Score::Win(_)));
        let stays = || self.rows.along(column, |_| ControlFlow::Break(())).is_break();
        if won || !stays() { best } else { None }
    }

    /// Step 2 for this row; the result is how many of its cells are settled in this ply.
    fn step(&mut self, ply: Plies) -> u64 {
        let mut settled = 0;
        let mut looked = std::mem::take(self.looked);
        for (column, cell) in (0..).map(Column).zip(self.own) {
            let code = Width::load(cell);
            if !is_settled_in(code, ply) {
                continue;
            }
            if settled == 0 {
                self.enter();
                looked.clear();
                looked.resize(self.own.len().div_ceil(64), 0);
            }
            settled += 1;
            self.tell(column, score_of(code), &mut looked);
        }
        *self.looked = looked;
        settled
    }

    /// Decides the positions from which a move leads to a column, as far as its score does.
    fn tell(&self, column: Column, score: Score, looked: &mut [u64]) {
        self.rows.back(column, |before| {
            let code = Width::load(&self.mirror[before.0 as usize]);
            match score {
                Score::Loss(ply) if self.solver.can_gain(code, ply) => {
                    self.write(before, score.before_move());
                }
                Score::Win(ply) if code == UNDECIDED && is_new(looked, before) => {
                    if let Some(score) = self.look_again(before, ply) {
                        self.write(before, score);
                    }
                }
                _ => (),
            }
        });
    }

    /// The loss in which the position that faces a column ends where all its successors are wins by step `ply`.
    fn look_again(&self, column: Column, ply: Plies) -> Option<Score> {
        let mut worst = Plies::ZERO;
        let mut is_lost = |score, is_settled: fn(Plies, Plies) -> bool| match score {
            Score::Win(plies) if is_settled(plies, ply) => {
                worst = worst.max(plies);
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Break(()),
        };
        let inside = |after: Column| score_inside::<AtomicU8>(Width::load(&self.own[after.0 as usize]));
        let seen = self.rows.along(column, |after| is_lost(inside(after), |plies, ply| plies <= ply));
        if seen.is_continue() {
            let below = |layer, slot| self.solver.score_below(layer, slot);
            let seen = self.rows.leaving(column, |layer, slot| is_lost(below(layer, slot), |_, _| true));
            return seen.is_continue().then(|| Score::Win(worst).before_move());
        }
        None
    }
}

/// Whether a column is marked for the first time.
#[inline]
fn is_new(marks: &mut [u64], Column(column): Column) -> bool {
    let (word, bit) = (&mut marks[column as usize / 64], 1 << (column % 64));
    let is_new = *word & bit == 0;
    *word |= bit;
    is_new
}
