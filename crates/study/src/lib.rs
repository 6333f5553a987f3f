//! Proofs that take longer than one search: a tree of positions on top, limited searches as *jobs* below.
//!
//! A [`Tree`] grows only by [`Event`]s: a finished job or an expanded position. The events in order are the whole
//! study, and replaying them gives the same tree. [`run()`] does jobs on several threads, and gives some to each
//! remote [`Worker`]; it passes each event to a [`Journal`] before applying it. [`assemble`] combines the strategies
//! of the jobs into one from the first position, which the checker of `marquis_proof` has replayed by the rules
//! alone. The crate knows no game and no disk.
//!
//! Source: I-C. Wu and others, *Job-level proof number search* (2013).
//!
//! # How a study goes
//!
//! `marquis study` keeps a tree of positions, each once; it is a graph and may have cycles (`study/src/tree.rs`). A
//! leaf is searched with a limit of nodes, by the same search and hints as `solve`. All workers share one
//! transposition table; each does one job at a time on one thread. A job that proves something leaves strategies. Any
//! other leaves its numbers, and its leaf is expanded when it is the most proving one again.
//!
//! Proof numbers of the whole tree are recomputed in rising order, like Dijkstra's distances, so that none rests on a
//! repetition. In a position without a number the defender can repeat for ever, and it is settled as such
//! (`study/src/numbers.rs`).
//!
//! The state is a list of events, jobs and expanded leaves, in one redb file; each has a sum over its predecessors.
//! The tree is rebuilt by replaying them, so a kill costs only the running jobs (`engine/src/study/store.rs`).
//!
//! At the end the strategies of the jobs and the moves of the tree are merged in the order of discovery
//! (`proof/src/union.rs`, `study/src/proof.rs`). Each position plays the move found for it first. So lines lead to
//! earlier results, and a win rests on no repetition. The checker replays the whole from the first position before
//! anything is claimed.
//!
//! Other processes can do jobs (`--work`): files in the folder of the study name the workers, their searches and the
//! results (`engine/src/study/job_folder.rs`). For a helper over HTTP (`marquis work`) the service reads and writes
//! these files (`engine/src/study/helper_seat.rs`, `api/src/helpers.rs`). Such a worker is an ordinary thread of the
//! study that waits for a file instead of searching (`study/src/worker.rs`, `engine/src/study/remote_workers.rs`). Its
//! strategies are replayed from the leaf before they become an event. The job of a worker that is silent for a lease,
//! by the keeper's clock, goes to others.
//!
//! Every ten seconds or more the positions with most effort are written beside the status, for readers outside the
//! process (`study/src/outline.rs`, `engine/src/study/outline.rs`). The service shows these files. A set-up has
//! a study for each colour in a separate folder. Turns are measured in nodes, each round twice as long as the last
//! (`engine/src/study/set_up.rs`).
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
pub use outline::{JobEffort, Outlined};
pub use proof::{Unassembled, assemble};
pub use run::{Finished, Outliner, RunLimits, Standing, run};
pub use tree::Tree;
pub use worker::{Arrivals, Done, Nobody, Worker};
