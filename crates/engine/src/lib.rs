//! The façade: everything that a user can ask, as plain functions on plain data.
//!
//! The command line and the service call [`Engine`] and nothing below it. Inputs are texts and limits,
//! outputs are the serialisable shapes of [`answer`]; every failure is an [`EngineError`].
#![forbid(unsafe_code)]

pub mod answer;
mod error;
mod facade;
pub mod limits;
pub mod query;
pub mod reports;

pub use answer::{
    Answer, Balance, ChanceAnswer, ChanceMove, Difficulty, ExactAnswer, FirstMover, MoveAnswer, PlayerTwo,
    Proof, ThrowAnswer, Verdict,
};
pub use error::EngineError;
pub use facade::{BuildQuery, DesignQuery, EngineOptions};
pub use limits::{Control, Limits, MemorySize, Progress};
pub use marquis_core::{Player, Value};
pub use marquis_games::beads::{Immobile, Pie};
pub use marquis_games::catalogue::{About, GameId};
pub use query::{BalanceQuery, Query, Until};
