//! A position to ask about, and the forms of the request.

use std::fmt::Write as _;

use marquis_core::GameId;
use marquis_engine::Query;

use crate::fast::Fast;
use crate::reference::Immobile;

/// A position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The game.
    pub game: &'static str,
    /// For Swish and Squeeze, the rule for a player who cannot move.
    pub immobile: Immobile,
    /// Its canonical text.
    pub position: String,
    /// The source of the position.
    pub origin: &'static str,
}

/// The limit of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// No search.
    Lookup,
    /// This number of positions, on one thread.
    Nodes(u64),
    /// This number of milliseconds.
    Time(u64),
}

impl Case {
    /// The query for the library.
    #[must_use]
    pub fn query(&self) -> Query {
        let immobile = match self.immobile {
            Immobile::Loss => marquis_core::Immobile::Loss,
            Immobile::Pass => marquis_core::Immobile::Pass,
        };
        Query { immobile, ..Query::new(GameId::new(self.game), self.position.clone()) }
    }

    /// The same case with another position of the game.
    #[must_use]
    pub fn at(&self, position: impl Into<String>) -> Self {
        Self { position: position.into(), ..self.clone() }
    }

    /// The rules of the case.
    #[must_use]
    pub fn rules(&self) -> Fast {
        Fast::of(self.game, self.immobile)
    }

    /// Whether the player to move throws first.
    #[must_use]
    pub fn has_throws(&self) -> bool {
        self.game == "senet"
    }

    /// Whether the game starts with a set-up.
    #[must_use]
    pub fn has_set_ups(&self) -> bool {
        ["swish", "squeeze"].contains(&self.game)
    }

    /// The command line of the program for it.
    #[must_use]
    pub fn command(&self, command: &str, budget: Budget) -> String {
        let mut words = format!("marquis {command} {} {:?}", self.game, self.position);
        if self.immobile == Immobile::Pass {
            words.push_str(" --immobile pass");
        }
        let _ = match budget {
            Budget::Lookup => Ok(()),
            Budget::Nodes(nodes) => write!(words, " --nodes {nodes} --threads 1"),
            Budget::Time(ms) => write!(words, " --seconds {} --threads 1", ms as f64 / 1000.0),
        };
        words + " --json"
    }

    /// The path and query of a GET request for it.
    ///
    /// * `more`: further parameters, such as `&level=3`.
    #[must_use]
    pub fn uri(&self, budget: Budget, more: &str) -> String {
        let encode = |byte: u8| match byte {
            b' ' => "_".to_owned(),
            byte if byte.is_ascii_alphanumeric() || b"-/,".contains(&byte) => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        };
        let position: String = self.position.bytes().map(encode).collect();
        let immobile = if self.immobile == Immobile::Pass { "&immobile=pass" } else { "" };
        let budget = match budget {
            Budget::Lookup => "&budget_ms=0".to_owned(),
            Budget::Nodes(nodes) => format!("&nodes={nodes}"),
            Budget::Time(ms) => format!("&budget_ms={ms}"),
        };
        format!("/v1/{}?position={position}{immobile}{budget}{more}", self.game)
    }
}
