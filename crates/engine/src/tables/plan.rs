//! Building tables: plan, generate.

use std::path::Path;
use std::time::Duration;

use crate::build::prepared::{LayerFiles, PreparedBuild, Site};
use crate::build::team::RankTeam;
use crate::query::BuildQuery;
use crate::registry::Registry;
use crate::threads::in_pool;
use crate::{Control, EngineError, Limits};
use marquis_wire::reports::{BuildEstimate, BuildPlan, BuildReport, PlannedBundle};

/// The default interval between checkpoints of a layer.
pub const CHECKPOINT_EVERY: Duration = Duration::from_secs(60);

/// A build whose positions are numbered; it can be planned, estimated and run.
pub struct NumberedBuild<'a>(Box<dyn PreparedBuild + 'a>);

impl<'a> NumberedBuild<'a> {
    /// Prepares the build that a query asks for.
    ///
    /// * `out`: the folder of tables.
    /// * `checkpoint_every`: the amount of work within a layer that an interruption that cannot be caught may cost.
    ///
    /// # Errors
    /// Bad input: the game, the side, the pieces or the position; a numbering that is too large.
    pub fn new(
        registry: &'a Registry,
        query: &BuildQuery,
        out: &'a Path,
        checkpoint_every: Duration,
    ) -> Result<Self, EngineError> {
        let site = Site { rules: registry, out, checkpoint_every };
        registry.game(query.game.name())?.adapter().prepare(query, site).map(Self)
    }

    /// Whether this build was started in this folder before, even if it is unfinished.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        self.0.is_begun()
    }

    /// Its layers, slots, memory and disk space.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn plan(&self) -> Result<BuildPlan, EngineError> {
        self.0.plan()
    }

    /// The method by which one process solves each bundle of layers.
    ///
    /// * `limits`: threads and memory, as for the build itself.
    ///
    /// # Errors
    /// Threads that cannot be started.
    pub fn methods(&self, limits: &Limits) -> Result<Vec<PlannedBundle>, EngineError> {
        in_pool(limits, || Ok(self.0.methods(limits)))
    }

    /// Its layers with their files.
    pub(crate) fn files(&self) -> LayerFiles {
        self.0.files()
    }

    /// The approximate duration, from a trial of one second in a temporary folder; `None` if no layer is small enough
    /// for a trial.
    ///
    /// * `limits`: threads and memory, as for the build itself.
    ///
    /// # Errors
    /// A folder that cannot be read or written, or an interruption.
    pub fn estimate(
        &self,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<Option<BuildEstimate>, EngineError> {
        in_pool(limits, || self.0.estimate(limits, control))
    }

    /// Builds every layer that has no finished file yet, and reports the tables that are there now.
    ///
    /// Finished layers and checkpoints of unfinished ones are resumed; the files do not depend on interruptions,
    /// threads or memory.
    ///
    /// # Errors
    /// More memory than the limit, a file that cannot be written, or an interruption; finished layers are kept.
    pub fn run(&self, limits: &Limits, control: &Control<'_>) -> Result<BuildReport, EngineError> {
        self.run_among(limits, control, RankTeam::ALONE)
    }

    /// Like `run`, as one of several ranks, all of which must call it; the files do not depend on their number.
    ///
    /// All ranks see the same folder of tables. Layers that do not lead to each other are solved by different ranks;
    /// layers that would keep the others waiting are solved by all ranks together.
    ///
    /// # Errors
    /// Like [`run`](Self::run), with the rank where it happened; or ranks that disagree about the build, or a lost
    /// rank.
    pub fn run_among(
        &self,
        limits: &Limits,
        control: &Control<'_>,
        team: RankTeam<'_>,
    ) -> Result<BuildReport, EngineError> {
        in_pool(limits, || self.0.run(limits, control, team))
    }
}

/// The layers, slots, memory and disk space of a build.
///
/// # Errors
/// Like [`NumberedBuild::new`] and [`NumberedBuild::plan`].
pub fn plan(registry: &Registry, query: &BuildQuery, out: &Path) -> Result<BuildPlan, EngineError> {
    NumberedBuild::new(registry, query, out, CHECKPOINT_EVERY)?.plan()
}

/// Builds the tables that a query asks for.
///
/// # Errors
/// Like [`NumberedBuild::new`] and [`NumberedBuild::run`].
pub fn generate(
    registry: &Registry,
    query: &BuildQuery,
    out: &Path,
    checkpoint_every: Duration,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<BuildReport, EngineError> {
    NumberedBuild::new(registry, query, out, checkpoint_every)?.run(limits, control)
}
