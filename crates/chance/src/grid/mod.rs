//! Value iteration over whole layers of a game of two players' sets, from below and from above.
//!
//! Chances are fixed-point numbers whose sums are rounded strictly outward, so the truth lies between the bounds
//! after every sweep, whatever the order and wherever it was stopped. A sweep works in place, one group of rows after
//! the other, starting with those that others lead to. The rows of a group are independent, so the result does not
//! depend on the threads.
//!
//! * [`layout`]: the description of a game for the solver.
//! * [`certify`]: bounds that are guessed and then proved.
//! * [`cell`]: fixed-point chances.
//! * [`plane`]: the bounds of a grid.
//! * [`sweep`]: one backup of every position.
//!
//! # From estimates to files
//!
//! A layer of Senet and its colour swap are one or two rectangles of cells. Rows are placements of the mover's
//! pieces, columns those of the opponent's. `chance::grid` backs up whole rows with vector instructions and knows no
//! rule. `registry::senet::layout` describes where each move of a row leads, as masks of columns and lists of jumps.
//!
//! Sweeps over *estimates* (one number a cell) are repeated, with leaps through the slow modes, which
//! `chance::outlook` sees in a sample of the numbers. Then *bounds* are supposed around the estimates, and are
//! believed only if all come strictly closer in a sweep. That proves both the bounds and that play ends. Rounding is
//! strictly outward in fixed point.
//!
//! In long games estimates learn last who wins. After every twentieth sweep, and at the end, games are played out by
//! the estimates. The changes of a backup along them give the remaining distance, and all open cells move at once
//! (`chance/src/grid/games.rs`).
//!
//! Between sweeps the numbers lie in *strips*, bands of columns without the cells in which pieces meet. A strip at
//! work unpacks only what it reads: itself, its columns from the other player's side, and the few strips that bumped
//! pieces lead to. Strips are in memory or in a grid store (`chance/src/grid/strip_store.rs`, `grid_store.rs`). The
//! next are fetched and the last is written while both cores sweep. A written strip replaces its predecessor, so the
//! grid store is the checkpoint. Layers are swept tile by tile, the most advanced first, and stay unpacked between
//! sweeps. The layers of 5 against 4 and 5 against 5 may not fit. They go strip by strip, which takes about twice the
//! sweeps, even in memory, since the bytes depend on the order (`Bundle::order`).
//!
//! The file holds the middle of the bounds and, as a certificate, the bounds themselves. Its header says how far the
//! middle may be from the truth, including the gaps of the layers below. `--bytes 2` rounds once more and omits the
//! certificate. The verifier knows none of this. It plays every move from every position and checks that the
//! certified bounds follow strictly from those of the successors (`tablebases/FORMAT.md` says why that proves the
//! error).
//!
//! A layer is a function of the rules, its goal and the files of the layers below: those bounds are always read from
//! files, even if just written. An interrupted build resumes from a whole sweep with all that the next ones depend
//! on, or from the beginning of the layer, and writes the same bytes. Unfinished bounds in memory are not kept, and
//! are found again from the settled estimates. On disk it resumes at the current strip.

pub mod cell;
pub mod certify;
mod games;
mod grid_store;
mod half;
mod kernel;
pub mod layout;
mod leap;
mod packed;
pub mod plane;
mod plans;
mod strip_store;
pub mod sweep;
mod window;

pub use cell::ChanceCell;
pub use certify::Slack;
pub use games::Tendency;
pub use grid_store::{GridStore, StripError, StripLabel, TileSink};
pub use half::{BackupOrder, Half};
pub use kernel::Change;
pub use layout::{Band, Choices, Columns, Destination, GridMove, JumpsId, Layout, MaskId};
pub use plane::{BoundsPlane, Estimates, Plane};
pub use sweep::{Grids, Swept};
