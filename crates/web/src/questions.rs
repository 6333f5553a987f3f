//! Long questions with the fields of the service, their limits, and why a question is refused.

use std::time::Duration;

use marquis_core::{Immobile, TextError};
use marquis_engine::record::{Replayed, read_record, replay};
use marquis_engine::{
    BalanceQuery, Engine, EngineError, Level, Limits, NoLevel, Pie, PosedSetUp, Until, causes,
};
use marquis_wire::{DiskSize, MemorySize};
use serde::Deserialize;

/// The memory of one search: a browser tab may have four gigabytes in all, and returns none before it is closed.
const MEMORY: MemorySize = MemorySize(256 << 20);
/// The default milliseconds for each position of a game: those of the service.
const MOVE_MS: u64 = 500;
/// The maximum milliseconds of a search: those of the service unless it is configured.
pub(crate) const MOST_BUDGET_MS: u64 = 30_000;

/// The limits of a computation in a browser.
pub(crate) fn limits(time: Option<Duration>, nodes: Option<u64>) -> Limits {
    Limits {
        time,
        nodes,
        threads: Some(1),
        memory: Some(MEMORY),
        disk: Some(DiskSize::NONE),
        ..Limits::default()
    }
}

/// Why a question cannot be answered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    /// The question is malformed, or the answer cannot be written.
    #[error("cannot parse the question: {0}")]
    Json(#[from] serde_json::Error),
    /// An error of the engine.
    #[error("{}", causes(.0))]
    Engine(#[from] EngineError),
    /// There is no such level.
    #[error("level: expected a whole number from {} to {}", Level::MIN, Level::MAX)]
    Level(#[from] NoLevel),
}

impl From<TextError> for Refused {
    fn from(error: TextError) -> Self {
        Self::Engine(error.into())
    }
}

/// A game to review, with the names of the service's fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewQuestion {
    game: String,
    record: String,
    move_ms: Option<u64>,
    nodes: Option<u64>,
}

/// The game of a record.
pub(crate) fn replayed(engine: &Engine, game: &str, record: &str) -> Result<Replayed, Refused> {
    let registry = engine.registry();
    let game = registry.game(game)?.id();
    Ok(replay(registry, &read_record(record)?, Some(game))?)
}

impl ReviewQuestion {
    pub(crate) fn replayed(&self, engine: &Engine) -> Result<Replayed, Refused> {
        replayed(engine, &self.game, &self.record)
    }

    /// The limits for each position.
    pub(crate) fn limits(&self) -> Limits {
        let usual = if self.nodes.is_some() { MOST_BUDGET_MS } else { MOVE_MS };
        let time = Duration::from_millis(self.move_ms.unwrap_or(usual).clamp(1, MOST_BUDGET_MS));
        limits(Some(time), self.nodes)
    }
}

/// A set-up to balance, with the names of the service's fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetUpQuestion {
    game: String,
    board: String,
    #[serde(default)]
    bait: u16,
    pie: Option<String>,
    target: Option<u16>,
    immobile: Option<String>,
    #[serde(default)]
    both: bool,
    /// By default there is no limit of time: the computer is the visitor's own.
    limit_ms: Option<u64>,
    /// The maximum number of positions to look at.
    nodes: Option<u64>,
}

impl SetUpQuestion {
    pub(crate) fn laid_out(&self, engine: &Engine) -> Result<PosedSetUp, Refused> {
        let registry = engine.registry();
        let pie = self.pie.as_deref().map(str::parse::<Pie>).transpose()?;
        let immobile = self.immobile.as_deref().map(str::parse::<Immobile>).transpose()?;
        Ok(registry.lay_out(&BalanceQuery {
            game: registry.game(&self.game)?.id(),
            board: self.board.clone(),
            bait: self.bait,
            pie: pie.unwrap_or_default(),
            target: self.target,
            immobile: immobile.unwrap_or_default(),
            until: if self.both { Until::BothColours } else { Until::Choice },
        })?)
    }

    pub(crate) fn limits(&self) -> Limits {
        limits(self.limit_ms.map(Duration::from_millis), self.nodes)
    }
}
