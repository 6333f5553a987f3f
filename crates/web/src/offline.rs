//! Answers the page's questions, as text.

use std::hash::{BuildHasher as _, RandomState};
use std::str::FromStr;
use std::time::Duration;

use marquis_core::{Immobile, TextError};
use marquis_engine::{Control, Engine, EngineError, EngineOptions, Limits, Opponent, Query};
use marquis_wire::Goal;
use marquis_wire::answer::{Answer, ChosenMove};
use marquis_wire::reports::Line;
use serde::{Deserialize, Serialize};

use crate::questions::{MOST_BUDGET_MS, Refused, ReviewQuestion, SetUpQuestion, limits, replayed};

/// The memory for decoded blocks of tables.
const CACHE_BYTES: u64 = 32 << 20;
/// The memory for proofs on disk, of which there are none.
const NO_CACHE: u64 = 0;
/// The memory for small tables that were built for a question.
const SUB_TABLE_BYTES: u64 = 32 << 20;
/// The default milliseconds of a search: those of the service unless it is configured.
const BUDGET_MS: u64 = 1000;

/// A question about a position, with the names and texts of the service's parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionQuery {
    game: String,
    position: String,
    play: Option<String>,
    immobile: Option<String>,
    throw: Option<String>,
    budget_ms: Option<String>,
    nodes: Option<String>,
    line: Option<String>,
    until: Option<String>,
    level: Option<String>,
    seed: Option<String>,
}

/// A position, as the parameters name it.
struct Named<'a> {
    game: &'a str,
    position: &'a str,
    play: Option<&'a str>,
    immobile: Option<&'a str>,
    throw: Option<&'a str>,
}

impl Named<'_> {
    fn query(&self, engine: &Engine) -> Result<Query, Refused> {
        let immobile = self.immobile.map(str::parse::<Immobile>).transpose()?;
        Ok(Query {
            game: engine.registry().game(self.game)?.id(),
            position: self.position.replace('_', " "),
            play: self.play.map(str::to_owned),
            immobile: immobile.unwrap_or_default(),
            throw: number("throw", self.throw)?,
        })
    }
}

impl PositionQuery {
    /// The position of the question.
    fn named(&self) -> Named<'_> {
        Named {
            game: &self.game,
            position: &self.position,
            play: self.play.as_deref(),
            immobile: self.immobile.as_deref(),
            throw: self.throw.as_deref(),
        }
    }

    /// The limits of a search.
    fn limits(&self) -> Result<Limits, Refused> {
        let nodes = number("nodes", self.nodes.as_deref())?;
        let usual = if nodes.is_some() { MOST_BUDGET_MS } else { BUDGET_MS };
        let budget = number("budget_ms", self.budget_ms.as_deref())?.unwrap_or(usual).min(MOST_BUDGET_MS);
        let goal = Some(self.until.as_deref().map_or(Ok(Goal::Plies), str::parse)?);
        Ok(Limits { goal, ..limits(Some(Duration::from_millis(budget)), nodes) })
    }

    /// The opponent that chooses a move, if one is requested.
    fn opponent(&self) -> Result<Option<Opponent>, Refused> {
        let Some(level) = &self.level else { return Ok(None) };
        // A different seed each time by default, as in the service.
        let any = || RandomState::new().hash_one(web_time::Instant::now());
        let seed = number("seed", self.seed.as_deref())?.unwrap_or_else(any);
        Ok(Some(Opponent { level: level.parse()?, seed }))
    }
}

/// A question about legal moves, with the names and texts of the service's parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WishedMove {
    game: String,
    position: String,
    play: Option<String>,
    immobile: Option<String>,
    throw: Option<String>,
    from: Option<String>,
    to: Option<String>,
}

/// The number in a parameter, if there is one.
fn number<N: FromStr>(place: &str, text: Option<&str>) -> Result<Option<N>, Refused> {
    let read = |text: &str| text.parse().map_err(|_| TextError::new(place, "a whole number", text).into());
    text.map(read).transpose()
}

/// An answer in the shape of the service.
#[derive(Serialize)]
struct PositionAnswer {
    #[serde(flatten)]
    answer: Answer,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line_is_shortest: Option<bool>,
    /// Null if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<Option<ChosenMove>>,
}

impl PositionAnswer {
    fn of(answer: Answer, line: Option<Line>) -> Self {
        let line_is_shortest = line.as_ref().map(|line| line.shortest);
        let line = line.map(|line| line.moves.into_iter().map(|step| step.mv).collect());
        Self { answer, line, line_is_shortest, chosen: None }
    }
}

/// An engine without files.
pub(crate) struct OfflineEngine {
    engine: Engine,
}

impl OfflineEngine {
    pub(crate) fn open() -> Result<Self, Refused> {
        let options = EngineOptions {
            cache_bytes: CACHE_BYTES,
            proof_bytes: NO_CACHE,
            sub_table_bytes: SUB_TABLE_BYTES,
            ..EngineOptions::default()
        };
        let (engine, _) = Engine::open(marquis_registry::official(), options)?;
        Ok(Self { engine })
    }

    /// The answer to a question: from the rules and the book of known results, or else from a search.
    pub(crate) fn ask(&self, question: &str) -> Result<String, Refused> {
        Ok(serde_json::to_string(&self.answered(&serde_json::from_str(question)?)?)?)
    }

    /// The engine.
    pub(crate) const fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The proof files that would help to answer a question of [`crate::Search::proofs`].
    pub(crate) fn proofs(&self, call: &str, question: &str) -> Result<String, Refused> {
        let Self { engine } = self;
        let names = match call {
            "review" => {
                let game = serde_json::from_str::<ReviewQuestion>(question)?.replayed(engine)?;
                engine.proofs_elsewhere(game.start())?
            }
            "balance" => {
                let set_up = serde_json::from_str::<SetUpQuestion>(question)?.laid_out(engine)?;
                engine.proofs_elsewhere_of_set_up(&set_up)?
            }
            _ => {
                let query = serde_json::from_str::<PositionQuery>(question)?.named().query(engine)?;
                engine.proofs_elsewhere(&query)?
            }
        };
        Ok(serde_json::to_string(&names)?)
    }

    /// Adds a proof file; `None` records that no file of this name exists.
    pub(crate) fn add_proof(&self, name: &str, bytes: Option<&[u8]>) -> Result<(), Refused> {
        Ok(self.engine.add_proof(name, bytes)?)
    }

    fn answered(&self, question: &PositionQuery) -> Result<PositionAnswer, Refused> {
        let Self { engine } = self;
        let (posed, limits) = (engine.registry().pose(&question.named().query(engine)?)?, question.limits()?);
        if let Some(opponent) = question.opponent()? {
            let (answer, chosen) = engine.choose(&posed, opponent, &limits, &Control::none())?;
            return Ok(PositionAnswer { chosen: Some(chosen), ..PositionAnswer::of(answer, None) });
        }
        let known = engine.probe(&posed)?;
        let wants_line = question.line.as_deref() == Some("true");
        let is_enough = limits.goal.is_some_and(|goal| known.reaches(goal)) && !wants_line
            || limits.time.is_some_and(|time| time.is_zero());
        if is_enough {
            let (line, line_is_shortest) = (wants_line.then(Vec::new), wants_line.then_some(false));
            return Ok(PositionAnswer { line, line_is_shortest, ..PositionAnswer::of(known, None) });
        }
        let solved = if wants_line {
            engine
                .solve_with_line(&posed, &limits, &Control::none())
                .map(|(answer, line)| (answer, Some(line)))
        } else {
            engine.solve(&posed, &limits, &Control::none()).map(|answer| (answer, None))
        };
        let (answer, line) = match solved {
            // An empty result within the limits is an answer too.
            Err(EngineError::LimitReached(_) | EngineError::TooLarge { .. }) => (known, None),
            solved => solved?,
        };
        Ok(PositionAnswer::of(answer, line))
    }

    /// The legal moves of a position, and why another one is not legal.
    pub(crate) fn moves(&self, question: &str) -> Result<String, Refused> {
        let WishedMove { game, position, play, immobile, throw, from, to } = serde_json::from_str(question)?;
        let named = Named {
            game: &game,
            position: &position,
            play: play.as_deref(),
            immobile: immobile.as_deref(),
            throw: throw.as_deref(),
        };
        let query = named.query(&self.engine)?;
        let legal = self.engine.registry().legal(&query, from.as_deref(), to.as_deref())?;
        Ok(serde_json::to_string(&legal)?)
    }

    /// The game of a record.
    pub(crate) fn record(&self, game: &str, text: &str) -> Result<String, Refused> {
        let record = replayed(&self.engine, game, text)?;
        Ok(serde_json::to_string(&record.response(self.engine.registry()))?)
    }
}
