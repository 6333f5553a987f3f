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

pub mod cell;
pub mod certify;
mod disk;
mod games;
mod half;
mod kernel;
pub mod layout;
mod leap;
mod packed;
pub mod plane;
mod plans;
mod shelf;
pub mod sweep;
mod window;

pub use cell::Cell;
pub use certify::Slack;
pub use disk::{Fault, Folder};
pub use games::Tendency;
pub use half::{Half, Order};
pub use kernel::Change;
pub use layout::{Band, Choice, Choices, Columns, JumpsId, Layout, MaskId, Source};
pub use plane::{Bounds, Estimates, Plane};
pub use sweep::{Grids, Swept};
