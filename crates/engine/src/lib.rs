//! The façade: everything that a user can ask, as plain functions on plain data.
//!
//! The command line and the service call [`Engine`] and the functions here, and nothing below them.
//! Inputs are texts and limits, outputs are the serialisable shapes of [`answer`] and [`reports`]; every
//! failure is an [`EngineError`].
#![forbid(unsafe_code)]

mod adapter;
mod ask;
pub mod chance;
mod claims;
mod domain;
mod error;
mod exact;
mod facade;
mod game;
pub mod inspect;
mod know;
mod limits;
mod make;
mod registry;
pub mod wire;

pub use adapter::{Posed, PosedSetUp};
pub use ask::design::{DesignQuery, Layout};
pub use ask::query;
pub use ask::query::{Ask, AskSetUp, BalanceQuery, Pie, Query, Until};
pub use ask::setups::{LaidOut, SetUp, SetUps};
pub use claims::{Among, ClaimId, ClaimsQuery, Evidence, Finding};
pub use error::EngineError;
pub use facade::{Engine, EngineOptions};
pub use game::{About, ExactGame, LayerOf, Tabled, Work, allow_index, read_position, un_moves};
pub use know::proofs::{check_proof, write_proof};
pub use know::tables::Shelf;
pub use limits::{Control, Limits, MemorySize, Progress};
pub use make::{BuildQuery, CHECKPOINT_EVERY, ChanceCells, Prepared, generate, plan, repack};
pub use registry::{Game, Registry};
pub use wire::answer::{
    Answer, Balance, ByColour, ChanceAnswer, ChanceMove, Difficulty, ExactAnswer, FirstMover, MoveAnswer,
    PlayerTwo, Proof, ThrowAnswer, Verdict,
};
pub use wire::{answer, reports};

pub use marquis_core::{Bounds, Diagram, GameId, Immobile, Part, Player, RulesPage, TextError, Throw, Value};
