//! The value of each choice about a set-up for Player Two.

use marquis_engine::{BalanceQuery, PosedSetUp, Registry, Until, causes};
use serde::{Deserialize, Serialize};

use super::{JobContext, JobResult, JobWork};
use crate::faults::without_damaged;
use crate::identity::JobId;
use crate::params;
use crate::problem::Problem;

/// A question about a set-up as jobs store it: its board in canonical text and its target as a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SetUpQuestion {
    pub(crate) game: String,
    pub(crate) board: String,
    pub(crate) pie: String,
    pub(crate) bait: u16,
    target: u16,
    immobile: String,
    both: bool,
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
    pub(super) fn for_both(&self) -> Self {
        Self { both: true, ..self.clone() }
    }

    pub(super) fn id(&self) -> JobId {
        let Self { game, board, pie, bait, target, immobile, both } = self;
        let until = if *both { "both" } else { "choice" };
        JobId(format!("{game}-{pie}-{bait}-{target}-{immobile}-{until}-{}", board.replace('/', ".")))
    }

    pub(super) fn read(&self, registry: &Registry) -> Result<Weighing, Problem> {
        let game = params::game(registry, &self.game)?.id();
        Ok(Weighing(registry.lay_out(&BalanceQuery {
            game,
            board: self.board.clone(),
            bait: self.bait,
            pie: params::pie(Some(&self.pie))?,
            target: Some(self.target),
            immobile: params::immobile(Some(&self.immobile))?,
            until: if self.both { Until::BothColours } else { Until::Choice },
        })?))
    }
}

/// The work for a balance.
pub(super) struct Weighing(PosedSetUp);

impl JobWork for Weighing {
    fn run(&self, desk: &JobContext<'_>) -> Result<JobResult, Problem> {
        let JobContext { id, engine, faults, proofs, limits, control, .. } = desk;
        let file = proofs.of(id);
        let balance = || engine.balance_and_keep(&self.0, limits, control, Some(&file));
        let (balance, written) = without_damaged(engine, faults, balance)?;
        if let Err(error) = written {
            tracing::error!(job = %id, error = %causes(&error), "a proof cannot be kept; it lives in memory");
        }
        proofs.make_room();
        if let Some((end, help)) = balance.ended.and_then(|end| Some((end, end.remedy()?))) {
            tracing::info!(job = %id, ended = end.name(), help, "a balance is undecided");
        }
        Ok(JobResult::Balance(Box::new(balance)))
    }
}
