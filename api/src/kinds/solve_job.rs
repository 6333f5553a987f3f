//! The value of a position, with more time than a request has.

use std::time::Duration;

use marquis_engine::{EngineError, Limits, Posed, Query, Registry, causes};
use marquis_wire::answer::Answer;
use serde::{Deserialize, Serialize};

use super::{JobContext, JobResult, JobWork};
use crate::faults::without_damaged;
use crate::identity::JobId;
use crate::params;
use crate::problem::Problem;

/// The first look, which has a result to show early: a tenth of the time, but at most this.
const FIRST_LOOK: Duration = Duration::from_secs(1);
const FIRST_SHARE: u32 = 10;

/// A question about a position as jobs store it, its text in canonical form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SolveQuestion {
    pub(crate) game: String,
    pub(crate) position: String,
    immobile: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    throw: Option<u8>,
    /// The maximum number of positions to look at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
}

impl SolveQuestion {
    /// The question about a position, in canonical form.
    pub(crate) fn of(posed: &Posed, nodes: Option<u64>) -> Self {
        Self {
            game: posed.game().name().to_owned(),
            position: posed.text(),
            immobile: posed.immobile().name().to_owned(),
            throw: posed.throw().map(|throw| throw.score),
            nodes,
        }
    }

    pub(super) fn id(&self) -> JobId {
        let Self { game, position, immobile, throw, nodes } = self;
        let more = |word: &str, number: Option<u64>| number.map_or(String::new(), |n| format!("-{word}{n}"));
        let (throw, nodes) = (more("throw", throw.map(u64::from)), more("nodes", *nodes));
        let position = position.replace('/', ".").replace(' ', "_");
        JobId(format!("{game}-solve-{immobile}{throw}{nodes}-{position}"))
    }

    pub(super) fn read(&self, registry: &Registry) -> Result<SolveWork, Problem> {
        let posed = registry.pose(&Query {
            immobile: params::immobile(Some(&self.immobile))?,
            throw: self.throw,
            ..Query::new(params::game(registry, &self.game)?.id(), self.position.clone())
        })?;
        let has_proofs = !params::game(registry, &self.game)?.has_throws();
        Ok(SolveWork { posed, nodes: self.nodes, has_proofs })
    }
}

/// A position that is being solved.
pub(super) struct SolveWork {
    posed: Posed,
    nodes: Option<u64>,
    /// Whether proofs of the game can be written.
    has_proofs: bool,
}

impl SolveWork {
    /// The answer within these limits; unknown if they are too small for any.
    fn answer(&self, desk: &JobContext<'_>, limits: &Limits) -> Result<Answer, EngineError> {
        let solved = desk.engine.solve(&self.posed, limits, desk.control);
        match solved {
            Err(EngineError::LimitReached(_) | EngineError::TooLarge { .. }) => {
                desk.engine.probe_now(&self.posed)
            }
            solved => solved,
        }
    }

    /// The same, with its proof in a file, which from now on answers the positions inside the proof.
    fn proved(&self, desk: &JobContext<'_>, limits: &Limits) -> Result<Answer, EngineError> {
        let file = desk.proofs.of(desk.id);
        let solved = desk.engine.solve_with_proof(&self.posed, limits, desk.control, &file);
        let (answer, kept) = match solved {
            Err(EngineError::LimitReached(_) | EngineError::TooLarge { .. }) => {
                return desk.engine.probe_now(&self.posed);
            }
            solved => solved?,
        };
        if let Some(failed) = kept.failed {
            tracing::error!(job = %desk.id, failed, "a proof cannot be kept");
        }
        if kept.written
            && let Err(error) = desk.engine.load_proof(&file)
        {
            tracing::warn!(job = %desk.id, error = %causes(&error), "a proof is not used");
        }
        desk.proofs.make_room();
        if answer.is_known() {
            return Ok(answer);
        }
        // A proof never uses the book; if none is found in time, the book's knowledge still holds.
        let known = desk.engine.probe_now(&self.posed)?;
        Ok(if known.is_known() { known } else { answer })
    }
}

impl JobWork for SolveWork {
    fn run(&self, desk: &JobContext<'_>) -> Result<JobResult, Problem> {
        let limits = Limits { nodes: self.nodes, ..desk.limits };
        let found = |answer: Answer| JobResult::Answer(Box::new(answer));
        let without_damaged = |ask: &dyn Fn() -> Result<Answer, EngineError>| {
            without_damaged(desk.engine, desk.faults, ask).map_err(Problem::from)
        };
        // With a limit of nodes the answer is the same each time, and the first look would use up some of them.
        if self.nodes.is_none() {
            let look = desk.limits.time.map_or(FIRST_LOOK, |all| FIRST_LOOK.min(all / FIRST_SHARE));
            let first = without_damaged(&|| self.answer(desk, &Limits { time: Some(look), ..limits }))?;
            (desk.so_far)(found(first));
        }
        let answer = if self.has_proofs {
            without_damaged(&|| self.proved(desk, &limits))
        } else {
            without_damaged(&|| self.answer(desk, &limits))
        };
        answer.map(found)
    }
}
