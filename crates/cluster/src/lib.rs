//! Messages between the ranks of one piece of work. Knows no game, no solver and no file.
//!
//! A *rank* is one of several equal workers that walk through the same steps: they say the same calls in the same order,
//! and each call ends when all have made it.
//!
//! * [`peers`]: what a rank can do: swap batches of bytes of bounded size, and find the largest of a number.
//! * [`threads`]: ranks as threads of one process, over channels. Processes are in `marquis-mpi`.
//! * [`talk`]: what follows from swapping: texts of any length, who failed.
//! * [`hello`]: that all ranks are about to do the same, before any of them begins.
//! * [`launch`]: whether a launcher has started this process as one of several.
//!
//! Who is gone ends the work of all: [`Error::Lost`] where channels tell it; under MPI the launcher ends every process.
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
pub use peers::{Alone, Batch, Outbox, Peers, Traffic};
pub use rank::{Rank, Ranks};
