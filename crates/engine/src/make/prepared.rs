//! A build that only has to be run, of whatever game.

use std::path::Path;
use std::time::Duration;

use marquis_core::GameId;
use marquis_table::header::LayerKey;

use crate::files::store::TableRules;
use crate::make::team::Team;
use crate::wire::reports::{BuildEstimate, BuildPlan, BuildReport, PlannedStrips};
use crate::{Control, EngineError, Limits};

/// Where a build puts its files, and by which rules it reads those that are there.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) rules: &'a dyn TableRules,
    pub(crate) out: &'a Path,
    /// How often what there is of a layer is kept.
    pub(crate) checkpoint_every: Duration,
}

/// Layers, each with its file below the folder of tables, the parts of the path separated by `/`.
pub(crate) type LayerFiles = Vec<(LayerKey, String)>;

/// Refuses to write half of the layers where a look one ply ahead tells none of them.
pub(crate) fn nothing_to_leave_out(game: GameId) -> EngineError {
    let why = format!("no layer of this build of {game} is told by others one ply ahead; build it whole");
    EngineError::NotForThisGame(why)
}

/// A build that only has to be run.
pub(crate) trait PreparedBuild: Sync {
    /// Whether somebody began it here before, however far it came.
    fn is_begun(&self) -> bool;

    fn plan(&self) -> Result<BuildPlan, EngineError>;

    /// The layers that do not fit into this memory and are solved in strips on the disk.
    fn strips(&self, limits: &Limits) -> Vec<PlannedStrips>;

    /// Its layers with their files.
    fn files(&self) -> LayerFiles;

    /// How long it takes, by a short trial in another folder.
    fn estimate(&self, limits: &Limits, control: &Control<'_>) -> Result<Option<BuildEstimate>, EngineError>;

    /// Runs it as one of the ranks of a team.
    fn run(&self, limits: &Limits, control: &Control<'_>, team: Team<'_>)
    -> Result<BuildReport, EngineError>;
}
