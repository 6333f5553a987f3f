//! What a job is to find out, in canonical text, and the id that it has for that.

use std::fmt;

use marquis_engine::{BalanceQuery, Immobile, LaidOut, Pie, Registry, Until};
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

/// A set-up to be balanced, its board in canonical text and its target as a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Question {
    pub(crate) game: String,
    pub(crate) board: String,
    pub(crate) pie: String,
    pub(crate) bait: u16,
    target: u16,
    immobile: String,
    both: bool,
}

/// The question of a job as a word: `swish-marquisian-0-2-loss-choice-w1w.4.1ooo1.4.b1b`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, utoipa::ToSchema)]
pub(crate) struct JobId(pub(crate) String);

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Question {
    /// The question in canonical form.
    ///
    /// # Errors
    /// The game has no set-ups, or the set-up is illegal.
    pub(crate) fn of(registry: &Registry, query: &BalanceQuery) -> Result<Self, Problem> {
        let LaidOut { board, bait, target, .. } = registry.lay_out(query)?;
        let pie = match query.pie {
            Pie::Marquisian => "marquisian",
            Pie::Bait => "bait",
        };
        let immobile = match query.immobile {
            Immobile::Loss => "loss",
            Immobile::Pass => "pass",
        };
        Ok(Self {
            game: query.game.name().to_owned(),
            board,
            pie: pie.to_owned(),
            bait,
            target,
            immobile: immobile.to_owned(),
            both: query.until == Until::BothColours,
        })
    }

    /// The same question for both colours, whose answer also answers this one.
    pub(crate) fn for_both(&self) -> Self {
        Self { both: true, ..self.clone() }
    }

    pub(crate) fn id(&self) -> JobId {
        let Self { game, board, pie, bait, target, immobile, both } = self;
        let until = if *both { "both" } else { "choice" };
        JobId(format!("{game}-{pie}-{bait}-{target}-{immobile}-{until}-{}", board.replace('/', ".")))
    }

    /// The question as the façade takes it.
    ///
    /// # Errors
    /// A question that was kept by another version and names an unknown game.
    pub(crate) fn query(&self, registry: &Registry) -> Result<BalanceQuery, Problem> {
        let game = registry.game(&self.game).map_err(|_| Problem::unknown_game(registry, &self.game))?.id();
        Ok(BalanceQuery {
            game,
            board: self.board.clone(),
            bait: self.bait,
            pie: if self.pie == "bait" { Pie::Bait } else { Pie::Marquisian },
            target: Some(self.target),
            immobile: if self.immobile == "pass" { Immobile::Pass } else { Immobile::Loss },
            until: if self.both { Until::BothColours } else { Until::Choice },
        })
    }
}
