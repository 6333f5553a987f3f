//! What can be asked about.

use std::str::FromStr;

use marquis_core::{GameId, Immobile, TextError};

use crate::{EngineError, Posed, PosedSetUp, Registry};

/// A position that is asked about, as texts.
#[derive(Clone, Debug)]
pub struct Query {
    /// Which game.
    pub game: GameId,
    /// A position text, or `start`, or `start:SIZE`.
    pub position: String,
    /// Moves to play first, separated by spaces or `_`; for Senet `THROW:MOVE`.
    pub play: Option<String>,
    /// For Swish and Squeeze, what happens to a player who cannot move.
    pub immobile: Immobile,
    /// For Senet, the throw to answer for; all where nothing is said.
    pub throw: Option<u8>,
}

impl Query {
    /// The question about a position with nothing else said.
    #[must_use]
    pub fn new(game: GameId, position: impl Into<String>) -> Self {
        Self { game, position: position.into(), play: None, immobile: Immobile::Loss, throw: None }
    }
}

/// What can be asked about: a text, or a position that was read already.
pub trait Ask {
    /// The position, read if it was not.
    ///
    /// # Errors
    /// As [`Registry::pose`].
    fn pose(&self, registry: &Registry) -> Result<Posed, EngineError>;
}

impl Ask for Query {
    fn pose(&self, registry: &Registry) -> Result<Posed, EngineError> {
        registry.pose(self)
    }
}

impl Ask for Posed {
    fn pose(&self, _: &Registry) -> Result<Posed, EngineError> {
        Ok(self.clone())
    }
}

/// How Player Two chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pie {
    /// He moves first with the colour that Player One gives him, or chooses the colour and moves second.
    #[default]
    Marquisian,
    /// He moves first with the colour of his choice and gives the bait away, or takes the bait.
    Bait,
}

impl Pie {
    /// `marquisian` or `bait`; parsing gives it back.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Marquisian => "marquisian",
            Self::Bait => "bait",
        }
    }
}

impl FromStr for Pie {
    type Err = TextError;

    /// Reads `marquisian` or `bait`.
    fn from_str(text: &str) -> Result<Self, TextError> {
        let found = [Self::Marquisian, Self::Bait].into_iter().find(|pie| pie.name() == text);
        found.ok_or_else(|| TextError::new("pie", "`marquisian` or `bait`", text))
    }
}

/// A set-up that is asked about, as texts.
#[derive(Clone, Debug)]
pub struct BalanceQuery {
    /// Swish or Squeeze.
    pub game: GameId,
    /// The board text, without a player to move.
    pub board: String,
    /// The beads beside the board.
    pub bait: u16,
    /// How Player Two chooses.
    pub pie: Pie,
    /// The number of beads that wins; the majority where nothing is said.
    pub target: Option<u16>,
    /// What happens to a player who cannot move.
    pub immobile: Immobile,
    /// When to stop.
    pub until: Until,
}

/// When a balance is finished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Until {
    /// Player Two's choice and its value are decided.
    #[default]
    Choice,
    /// Both colours are decided.
    BothColours,
}

/// What can be asked about: a set-up as texts, or one that was read already.
pub trait AskSetUp {
    /// The set-up, read if it was not.
    ///
    /// # Errors
    /// As [`Registry::lay_out`].
    fn lay_out(&self, registry: &Registry) -> Result<PosedSetUp, EngineError>;
}

impl AskSetUp for BalanceQuery {
    fn lay_out(&self, registry: &Registry) -> Result<PosedSetUp, EngineError> {
        registry.lay_out(self)
    }
}

impl AskSetUp for PosedSetUp {
    fn lay_out(&self, _: &Registry) -> Result<PosedSetUp, EngineError> {
        Ok(self.clone())
    }
}
