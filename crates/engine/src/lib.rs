//! The façade: everything that a user can request, as plain functions on plain data.
//!
//! The command line and the service call [`Engine`] and the functions here, and nothing below them.
//! Inputs are texts and limits, outputs are the serialisable shapes of `marquis_wire`; every
//! failure is an [`EngineError`].
//!
//! # Modules
//!
//! From the bottom up: a module uses only those above it in this table (`tests/tests/modules.rs`).
//!
//! | modules | what they are |
//! | --- | --- |
//! | `error.rs`, `limits.rs`, `query.rs` | input: errors with their causes, limits, all queries; the shapes of answers are the package `marquis-wire` |
//! | `files/` | layers of scores and of chances, checkpoints, proofs, the book of known results and folders of tables as files; knows no rules |
//! | `game/` | the interface of a game: `Tabled`, `ExactGame`, `ChanceGame`, set-ups, claims; `judge.rs` estimates unproved positions, `shelf.rs` looks up layers |
//! | `results/` | verdicts, solutions and chances in the types of a game, and what follows from them in one step |
//! | `knowledge/` | knowledge without a search, as the oracle of a search: tables, proofs, the book, and small tables built for a question. `known.rs` is the state that answers read |
//! | `ask/`, `claims/` | the questions of games without chance: solve, line, balance, difficulty, review; checked claims of designers. `response.rs`, here and in other folders, converts results to shapes of `marquis_wire` |
//! | `study/` | a study: its files, its published status and tree, workers in other processes, and its assembled proof |
//! | `build/` | one session of a build, one inspection, both generic over `layered.rs`; `scores.rs` has layers of games without chance |
//! | `chance/` | layers of chances for `build/`, and answers from them |
//! | `adapter.rs`, `exact.rs`, `chance/door.rs` | every game behind one object-safe interface, with and without chance |
//! | `registry.rs`, `record/`, `proof_files.rs`, `tables/` | functions over a list of games: reading positions and set-ups, playing records by the rules, verifying proof files, planning, building, repacking and fetching tables |
//! | `facade/` | `Engine`: loads and evicts tables and proofs, and answers every query |
//!
//! A file error (`FileError`) says what was expected, what was found and what to do. Its sources give the reason, and
//! `causes` joins everything into one line. No code depends on the wording.
#![forbid(unsafe_code)]

mod adapter;
mod ask;
mod build;
pub mod chance;
mod claims;
mod error;
mod exact;
mod facade;
mod files;
pub mod game;
pub mod inspect;
mod knowledge;
mod limits;
mod proof_files;
pub mod query;
pub mod record;
mod registry;
mod results;
pub mod study;
pub mod tables;
mod threads;

pub use adapter::{Posed, PosedSetUp};
pub use error::{EngineError, FileError, Unsuited, causes};
pub use facade::book::check_book;
pub use facade::design::{DesignSearch, Find};
pub use facade::review::ReviewSoFar;
pub use facade::{Engine, PlaceElsewhere};
pub use files::lease::Lease;
pub use files::proof::write_proof;
pub use knowledge::shipped::ShippedProof;
pub use knowledge::sub_tables::SubTable;
pub use limits::{Control, JudgeShare, Limits, Look, Progress};
pub use proof_files::{check_proof, check_proof_within, write_hints};
pub use query::{
    Among, BalanceQuery, BookUse, BuildQuery, ChanceCells, ClaimsQuery, DesignKind, DesignQuery,
    EngineOptions, LaidOut, Opponent, Pie, Query, SetUpPattern, StudyOptions, TableSelection, Until,
    WrittenLayers,
};
pub use registry::{Ask, AskSetUp, GameEntry, LeftOut, Registry, StartPosition};

pub use marquis_play::arena::Pentanomial;
pub use marquis_play::{Level, NoLevel};
pub use marquis_proof::checker::Foregone;
