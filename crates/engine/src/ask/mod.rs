//! Answering a request: the knowledge about a position, and the search for the rest.
//!
//! # The order of the sources
//!
//! `Solver::worked_out` (`engine/src/ask/solve.rs`) works in this order, and stops at the goal (`Goal`: value, moves,
//! plies):
//!
//! 1. `gathered` collects knowledge without a search. Tables answer if they hold the position and its successors,
//!    then a table in memory built for an earlier question. Otherwise `Knowledge::fact` (`knowledge/sources.rs`) joins
//!    all sources, for the position and for each move. These are rules, tables, the book (`knowledge/book.rs`), loaded and
//!    shipped proofs (`knowledge/proofs.rs`, `knowledge/shipped.rs`), earlier searches (`knowledge/earlier.rs`) and theorems of the
//!    game. `Solution::concluded` adds what follows in one step (`results/closure.rs`).
//! 2. The game itself, if it solves the position directly (`ExactGame::direct_score`), as Squinch does races.
//! 3. Everything reachable (`ask/exhaustive.rs`), with plies and all moves, if it is small enough.
//! 4. Shipped proofs that are not open yet. Another thread opens them. Near the positions of the book, and without a
//!    time limit, the answer waits for them (at most three quarters of the limit). Otherwise the search starts at
//!    once and consults them when they are open.
//! 5. The proof-number search (`ask/refine.rs`). The more even the judge's estimate, the sooner the search ends
//!    within a limit (`tests/strength/LEAVING.md`); it never takes more than four fifths. Search and judge work on
//!    the chosen image, and their results are mapped back to the position (`ask/image.rs`).
//! 6. If the value is proved: estimates for the moves, the values of the other moves, then plies by a search to fixed
//!    depths (`ask/plies.rs`). If not: the game's judge (`game/judge.rs`) with the rest of the limit.
//!
//! A proof is stored as an index of the positions with its loser to move, one for all images, each with the plies
//! within which the game ends (`proof/src/proof_index.rs`). The rules give the other positions in two plies. A table
//! built for a question is kept for the next ones, within a memory bound; the oldest is evicted. It is not a file, so
//! answers call it a search.
//!
//! `Engine::advise` returns a move: at the highest level the best known one, or else the judge's with the whole
//! limit. Lower levels use the judge alone, with the level's nodes and errors.

pub(crate) mod balance;
mod conclude;
mod difficulty;
mod exhaustive;
pub(crate) mod hints;
mod image;
mod judged;
mod line;
pub(crate) mod memory;
mod ordering;
mod plies;
pub(crate) mod promise;
pub(crate) mod purse;
mod rating;
mod refine;
mod response;
pub(crate) mod review;
pub(crate) mod solve;
