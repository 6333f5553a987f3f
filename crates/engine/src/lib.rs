//! The façade: everything that a user can ask, as plain functions on plain data.
//!
//! The command line and the service call [`Engine`] and the functions here, and nothing below them.
//! Inputs are texts and limits, outputs are the serialisable shapes of [`answer`] and [`reports`]; every
//! failure is an [`EngineError`].
#![forbid(unsafe_code)]

pub mod answer;
mod balance;
mod build;
mod chances;
mod choice;
mod claims;
mod damaged;
mod design;
mod difficulty;
mod dispatch;
mod error;
mod facade;
mod hints;
mod knowledge;
mod layer_file;
mod limits;
mod line;
mod listing;
mod ordering;
mod promise;
mod proofs;
pub mod query;
pub mod reports;
pub mod senet;
mod show;
mod solve;
mod squinch;
mod tabled;
mod tables;
mod verify;

pub use answer::{
    Answer, Balance, ByColour, ChanceAnswer, ChanceMove, Difficulty, ExactAnswer, FirstMover, MoveAnswer,
    PlayerTwo, Proof, ThrowAnswer, Verdict,
};
pub use build::{BuildQuery, CHECKPOINT_EVERY, ChanceCells, generate, plan, repack, starter_set};
pub use claims::{Among, ClaimsQuery};
pub use design::{DesignQuery, Layout};
pub use error::EngineError;
pub use facade::{Engine, EngineOptions};
pub use limits::{Control, Limits, MemorySize, Progress};
pub use listing::{games, moves, perft};
pub use proofs::{check_proof, write_proof};
pub use query::{BalanceQuery, Query, Until};
pub use show::show;
pub use tabled::{Tabled, Work};

pub use marquis_core::{Bounds, Player, Value};
pub use marquis_games::beads::{Immobile, Pie};
pub use marquis_games::catalogue::{About, GameId};
pub use marquis_games::notation::TextError;
