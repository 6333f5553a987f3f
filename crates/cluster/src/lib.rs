//! Messages between the ranks of one job. Knows no game, no solver and no file.
//!
//! A *rank* is one of several equal workers that go through the same steps: they make the same calls in the same
//! order, and each call returns when all have made it.
//!
//! * [`peers`]: the basic operations: swap batches of bytes of bounded size, and find the largest of a number.
//! * [`threads`]: ranks as threads of one process, over channels. Processes are in `marquis-mpi`.
//! * [`talk`]: operations built on swapping: texts of any length, and which rank failed.
//! * [`hello`]: checks that all ranks are set to do the same work, before any of them starts.
//! * [`launch`]: whether a launcher started this process as one of several.
//!
//! A lost rank ends the work of all: with channels by [`Error::Lost`]; under MPI the launcher ends every process.
#![forbid(unsafe_code)]

mod error;
pub mod hello;
pub mod launch;
mod meter;
pub mod peers;
mod rank;
pub mod talk;
pub mod threads;

pub use error::Error;
pub use hello::Hello;
pub use meter::Meter;
pub use peers::{Alone, Outbox, Peers, RankBytes, Traffic};
pub use rank::{Rank, Ranks};
