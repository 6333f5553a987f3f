//! Proofs that take longer than one search: a tree of positions on top, limited searches as *jobs* below.
//!
//! A [`Tree`] grows only by [`Event`]s: a finished job or an expanded position. The events in order are the whole
//! study, and replaying them gives the same tree. [`run()`] does jobs on several threads, and gives some to each
//! remote [`Worker`]; it passes each event to a [`Journal`] before applying it. [`assemble`] combines the strategies
//! of the jobs into one from the first position, which the checker of `marquis_proof` has replayed by the rules
//! alone. The crate knows no game and no disk.
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
