//! What is asked, once it is read: about a position, and about a set-up.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

use marquis_engine::{BalanceQuery, Opponent, Posed, PosedSetUp, Registry, Until};
use serde::{Deserialize, Serialize};

use crate::params;
use crate::problem::Problem;

/// A question about a position.
#[derive(Clone, Debug)]
pub(crate) struct PositionQuestion {
    pub(crate) posed: Posed,
    /// Whether the best line to the end of the game is wanted too.
    pub(crate) line: bool,
    /// Who is to choose a move, where that is wanted too.
    pub(crate) opponent: Option<Opponent>,
    /// The time that a search may take; no time, no search.
    pub(crate) budget: Duration,
    /// That time in milliseconds, where more was asked for.
    pub(crate) budget_cut_ms: Option<u64>,
}

impl PositionQuestion {
    /// What makes two questions the same, the budget aside. No request has this text, for they begin with a slash.
    pub(crate) fn key(&self) -> String {
        let Self { posed, line, opponent, .. } = self;
        let (game, position, throw) = (posed.game(), posed.text(), posed.throw());
        format!("{game} {position} {:?} {throw:?} {line} {opponent:?}", posed.immobile())
    }
}

/// A question about a set-up as jobs keep it: its board in canonical text and its target as a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct SetUpQuestion {
    pub(crate) game: String,
    pub(crate) board: String,
    pub(crate) pie: String,
    pub(crate) bait: u16,
    target: u16,
    immobile: String,
    both: bool,
}

/// The question of a job as a word, `swish-marquisian-0-2-loss-choice-w1w.4.1ooo1.4.b1b`, or that of a review.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, utoipa::ToSchema)]
pub(crate) struct JobId(pub(crate) String);

impl JobId {
    /// A word and 128 random bits.
    pub(crate) fn random(word: &str) -> Self {
        Self(format!("{word}-{}", random_word()))
    }
}

/// 128 bits that nobody guesses, in hexadecimal.
fn random_word() -> String {
    // SipHash with a key of the system's randomness that is never told.
    let bits = || RandomState::new().hash_one(0);
    format!("{:016x}{:016x}", bits(), bits())
}

/// What tells a client from others who know the id of his job: 32 hexadecimal digits that he alone was told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub(crate) struct Token(String);

impl Token {
    /// A new one.
    pub(crate) fn random() -> Self {
        Self(random_word())
    }

    /// The token of a text, if it is one.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        (text.len() == 32 && text.bytes().all(digit)).then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl SetUpQuestion {
    /// The question about a set-up, in canonical form.
    pub(crate) fn of(set_up: &PosedSetUp) -> Self {
        let (query, laid_out) = (set_up.query(), set_up.laid_out());
        Self {
            game: query.game.name().to_owned(),
            board: laid_out.board.clone(),
            pie: query.pie.name().to_owned(),
            bait: laid_out.bait,
            target: laid_out.target,
            immobile: query.immobile.name().to_owned(),
            both: query.until == Until::BothColours,
        }
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

    /// The set-up, read again from what a job of an earlier run kept.
    ///
    /// # Errors
    /// A question that was kept by another version, and names an unknown game or rule.
    pub(crate) fn lay_out(&self, registry: &Registry) -> Result<PosedSetUp, Problem> {
        let game = registry.game(&self.game).map_err(|_| Problem::unknown_game(registry, &self.game))?.id();
        Ok(registry.lay_out(&BalanceQuery {
            game,
            board: self.board.clone(),
            bait: self.bait,
            pie: params::pie(Some(&self.pie))?,
            target: Some(self.target),
            immobile: params::immobile(Some(&self.immobile))?,
            until: if self.both { Until::BothColours } else { Until::Choice },
        })?)
    }
}
