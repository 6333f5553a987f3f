//! Proofs that take longer than one search: a tree of positions above, searches with a limit as *jobs* below.
//!
//! A [`Tree`] grows by [`Event`]s alone, a finished job or a position that was expanded: whoever keeps them in order
//! has the study, and playing them again gives the same tree. [`run()`] does jobs on several threads, and gives some to
//! each [`Worker`] who comes from elsewhere; it hands each event to a [`Journal`] before it counts. [`assemble`] puts the strategies of the jobs together to one from the
//! first position, which the checker of `marquis_proof` has replayed by the rules alone. The crate knows no game and
//! no disk.
//!
//! Source: I-C. Wu and others, *Job-level proof number search* (2013).
#![forbid(unsafe_code)]

mod choice;
mod event;
mod numbers;
mod outline;
mod proof;
mod run;
mod tree;
mod worker;

pub use choice::Chosen;
pub use event::{Event, Foreign, Id, Journal};
pub use outline::{Effort, Outlined};
pub use proof::{Unassembled, assemble};
pub use run::{Finished, Outliner, RunLimits, Standing, run};
pub use tree::Tree;
pub use worker::{Arrivals, Done, Nobody, Worker};
