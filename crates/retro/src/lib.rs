//! Retrograde analysis: values and plies of whole sets of positions, starting with finished games.
//!
//! * [`exhaustive`]: everything reachable from one position, on explicit edges; the judge.
//! * [`plan`], [`layered`]: whole layers of numbered positions, from few pieces to many.
//! * [`camps`]: layers of a game without a way back, solved in a single pass.
//! * [`ahead`]: layers that a table may omit, from those that their moves lead to.
//! * [`verify`]: finished layers against the rules.
//! * [`scanned`]: the same, in the order of a game.
//! * [`probe`]: finished layers in memory, and their figures.
//! * [`limits`]: the limits of a solver.
#![forbid(unsafe_code)]

pub mod ahead;
pub mod camps;
mod cell;
pub mod exhaustive;
pub mod layered;
pub mod limits;
mod offers;
pub mod plan;
pub mod probe;
pub mod scanned;
mod tasks;
pub mod verify;

pub use cell::{CellWidth, Entry, LayerCells};
pub use exhaustive::Solved;
pub use layered::{BundleSnapshot, Keeper, Layer, NoKeeper};
pub use limits::{Phase, SolveLimits, SolveProgress, Stopped};
pub use plan::{Bundle, BundlePlan};
pub use probe::{Counts, Layers};
pub use verify::{Contradiction, Verified};
