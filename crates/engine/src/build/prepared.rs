//! A build that is ready to run, for any game.

use std::path::Path;
use std::time::Duration;

use marquis_table::header::LayerKey;

use crate::build::team::RankTeam;
use crate::files::store::TableRules;
use crate::{Control, EngineError, Limits};
use marquis_wire::reports::{BuildEstimate, BuildPlan, BuildReport, PlannedBundle};

/// The output folder of a build, and the rules by which it reads existing files.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) rules: &'a dyn TableRules,
    pub(crate) out: &'a Path,
    /// The interval between checkpoints of a layer.
    pub(crate) checkpoint_every: Duration,
}

/// Layers with their paths below the folder of tables; the parts of a path are separated by `/`.
pub(crate) type LayerFiles = Vec<(LayerKey, String)>;

/// A build that is ready to run.
pub(crate) trait PreparedBuild: Sync {
    /// Whether it was started here before, even if it is unfinished.
    fn is_begun(&self) -> bool;

    fn plan(&self) -> Result<BuildPlan, EngineError>;

    /// How each bundle is solved within this memory.
    fn methods(&self, limits: &Limits) -> Vec<PlannedBundle>;

    /// Its layers with their files.
    fn files(&self) -> LayerFiles;

    /// Estimates the duration by a short trial in another folder.
    fn estimate(&self, limits: &Limits, control: &Control<'_>) -> Result<Option<BuildEstimate>, EngineError>;

    /// Runs it as one of the ranks of a team.
    fn run(
        &self,
        limits: &Limits,
        control: &Control<'_>,
        team: RankTeam<'_>,
    ) -> Result<BuildReport, EngineError>;
}
