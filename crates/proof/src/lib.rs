//! Proof-number search: decides positions that no table holds, and proves what it decides.
//!
//! [`ProofSearch`] asks two questions about a position, "can the one player force a win" and "can the other", and answers
//! each with a [`Strategy`]. The independent [`checker`] replays a strategy on positions before anything is claimed.
//! [`solved`] reads strategies off known values. The crate knows no game.
//!
//! # How a search goes
//!
//! `ProofSearch::solve_all` takes the first positions of one game (for a balance, both colours of a set-up). It asks two
//! questions about each: can the first player force a win, can the second?
//!
//! Initial numbers learn during the search: the cost of proofs for similar positions corrects what the game predicts
//! for the next ones (`proof/src/experience.rs`). In Swish similar positions have the same beads on the board; in
//! Squeeze as many rooks next to beads and as many beads to go. All searches of a job share these lessons, and no
//! answer rests on them.
//!
//! Each question is a *lane* with a separate stack. Threads take the lane that is behind, and the easier question of
//! a position gets the larger share. If one answer suffices for several positions, as for a balance, most work goes
//! to the one nearest a result (`proof/src/job.rs`). All lanes share one transposition table (`table.rs`). Both
//! questions about a position lie in one bucket, a cache line. Of first positions that are images of each other, as
//! in a point-symmetric set-up, one is searched (`orbits.rs`).
//!
//! Answers of the table are verified. A win becomes a finite strategy on positions, followed move by move in
//! `trace.rs`; a thread with nothing to search replays its bytes meanwhile (`stream.rs`). If wins of the table rest on
//! each other, `win.rs` uses a graph. "No win" becomes a closed set in which the defender never loses (`safe.rs`).
//! `checker.rs`, which knows the rules alone, replays both. If every line of the second kind ends with a win, the
//! replay sees it, and it is a win. In a game without draws either answer is enough.
//!
//! Each position of an unfinished strategy is stored once, in memory as long as there is any and then on disk, in
//! unnamed files (`listed.rs`, `disk/`). The checker does the same. If disk and memory are both too small, the lane
//! is closed, and `Findings::unproved` holds the unproved belief. The answer passes it on beside `ended`, and never
//! as a bound.
//!
//! Game knowledge beyond the rules comes in through `Heuristic` (`engine/src/ask/hints.rs`) and `Oracle`
//! (`engine/src/knowledge/sources.rs`), from the game's folder in `registry`. For Squish and Flowish the first proof
//! number of a position is the judge's first estimate (`Judge::at_first_sight`, `registry/src/unification/work.rs`).
#![forbid(unsafe_code)]

mod buckets;
pub mod checker;
#[cfg(test)]
#[path = "../tests/proof/common/mod.rs"]
mod common;
mod dense;
mod dfpn;
mod disk;
mod distance;
mod emit;
mod experience;
mod graph;
pub mod hints;
mod job;
mod knowledge;
#[cfg(test)]
mod known_entries;
mod limits;
mod listed;
mod met;
mod orbits;
mod path;
mod pool;
mod proof_index;
mod question;
mod region;
mod safe;
mod settings;
mod settle;
mod solve;
pub mod solved;
pub mod strategy;
mod stream;
mod table;
mod trace;
mod union;
mod win;

pub use disk::{Disk, DiskTrouble};
pub use distance::{Distances, Span};
pub use experience::Kin;
pub use knowledge::{Heuristic, NoHeuristic, NoOracle, Oracle, Sight};
pub use limits::{Ended, SearchLimits};
pub use proof_index::{Footing, ProofIndex, ProofKey};
pub use question::{Numbers, Question};
pub use settings::{SearchProgress, Settings, Unproved};
pub use solve::{Findings, MoveFinding, ProofSearch};
pub use strategy::{Guarantee, Strategy};
pub use union::Union;
