//! The review of a game, move by move.

use std::sync::Arc;
use std::time::Duration;

use marquis_engine::record::{Replayed, read_record, replay};
use marquis_engine::{Limits, Registry};
use serde::{Deserialize, Serialize};

use super::{JobContext, JobResult, JobWork};
use crate::faults::without_damaged;
use crate::params;
use crate::problem::Problem;

/// A question about a played game, as jobs store it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReviewQuestion {
    pub(crate) game: String,
    /// The record of the game, as it was sent.
    pub(crate) record: String,
    /// Milliseconds for each position.
    pub(crate) move_ms: u64,
    /// The maximum number of positions to look at for each position of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) nodes: Option<u64>,
}

impl ReviewQuestion {
    pub(super) fn read(&self, registry: &Registry) -> Result<LookingOver, Problem> {
        let game = params::game(registry, &self.game)?.id();
        let game = replay(registry, &read_record(&self.record)?, Some(game))?;
        let time = Duration::from_millis(self.move_ms.max(1));
        Ok(LookingOver { game: Arc::new(game), time, nodes: self.nodes })
    }
}

/// A game under review.
pub(super) struct LookingOver {
    game: Arc<Replayed>,
    /// The time for each position; all of them together are limited like any job.
    time: Duration,
    nodes: Option<u64>,
}

impl JobWork for LookingOver {
    fn run(&self, desk: &JobContext<'_>) -> Result<JobResult, Problem> {
        let positions = u32::try_from(self.game.plies() + 1).unwrap_or(u32::MAX);
        let share = desk.limits.time.map_or(self.time, |all| all / positions);
        let limits = Limits { time: Some(self.time.min(share)), nodes: self.nodes, ..desk.limits };
        let review = || {
            let review = Arc::new(desk.engine.begin_review(&self.game));
            (desk.growing)(Arc::clone(&review));
            desk.engine.carry_on_review(&review, &limits, desk.control, &mut |_| {})?;
            Ok(review)
        };
        let review = without_damaged(desk.engine, desk.faults, review)?;
        Ok(JobResult::Review(Box::new(review.review())))
    }
}
