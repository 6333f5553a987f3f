//! What can be asked about.

use marquis_core::Throw;
use marquis_games::beads::{Beads, Immobile, Pie, Setup};
use marquis_games::catalogue::{Asked, GameId, start};
use marquis_games::notation::TextError;
use marquis_games::senet;

use crate::EngineError;

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

    /// The position after the moves that are to be played first.
    ///
    /// # Errors
    /// [`EngineError::BadInput`] names the row, field or move that is wrong.
    pub fn asked(&self) -> Result<Asked, EngineError> {
        let text = self.position.trim();
        let asked = match text.strip_prefix("start") {
            Some("") => start(self.game, None)?,
            Some(size) if size.starts_with(':') => start(self.game, Some(&size[1..]))?,
            _ => Asked::parse(self.game, text, self.immobile)?,
        };
        let moves = self.play.as_deref().unwrap_or("").split([' ', '_', ',']).filter(|mv| !mv.is_empty());
        moves.enumerate().try_fold(asked, |asked, (ply, mv)| {
            asked.play(mv).map_err(|mut error| {
                error.place = format!("move {} to play first", ply + 1);
                error.into()
            })
        })
    }

    /// The throw that is asked for, if there is one and the game has throws.
    ///
    /// # Errors
    /// [`EngineError::BadInput`] when there is no such throw, [`EngineError::NotForThisGame`] when the
    /// game has none.
    pub fn throw(&self) -> Result<Option<Throw>, EngineError> {
        match (self.throw, self.game) {
            (None, _) => Ok(None),
            (Some(score), GameId::Senet) => Ok(Some(senet::notation::parse_throw(&score.to_string())?)),
            (Some(_), game) => Err(EngineError::NotForThisGame(format!("{game} is played without throws"))),
        }
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

impl BalanceQuery {
    /// The set-up that the texts describe.
    ///
    /// # Errors
    /// Bad input: a game without set-ups, an illegal set-up, a bait with the Marquisian pie.
    pub fn setup(&self) -> Result<Setup, EngineError> {
        if !matches!(self.game, GameId::Swish | GameId::Squeeze) {
            let message = format!("{} has no set-ups to balance; swish and squeeze have", self.game);
            return Err(EngineError::NotForThisGame(message));
        }
        if self.pie == Pie::Marquisian && self.bait > 0 {
            let expected = "no bait with pie=marquisian; say pie=bait";
            return Err(TextError::fact("bait", expected, self.bait.to_string()).into());
        }
        Ok(Setup::parse(&self.board, Beads(self.bait), self.target.map(Beads))?)
    }
}
