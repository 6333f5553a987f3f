//! Building tables: plan, generate, repack.

use std::path::Path;

use marquis_games::catalogue::GameId;

use crate::reports::{BuildPlan, BuildReport, TableInfo};
use crate::{Control, EngineError, Limits};

/// What `generate` builds, in the game's own terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildQuery {
    /// Squish or Flowish.
    pub game: GameId,
    /// Cells along an edge.
    pub side: Option<u8>,
    /// `3v3`: that layer and all that it leads to; every layer of the board where nothing is said.
    pub pieces: Option<String>,
    /// All layers that can be reached from this position.
    pub from: Option<String>,
}

/// What `serve` builds when it finds no tables: Squish and Flowish of side 3, up to five pieces a side.
#[must_use]
pub fn starter_set() -> Vec<BuildQuery> {
    let query = |game| BuildQuery { game, side: Some(3), pieces: Some("5v5".to_owned()), from: None };
    [GameId::Squish, GameId::Flowish].map(query).into()
}

/// The layers, slots, memory and disk space of a build.
///
/// # Errors
/// Bad input: the game, the side, the pieces or the position.
pub fn plan(query: &BuildQuery, out: &Path, limits: &Limits) -> Result<BuildPlan, EngineError> {
    let _ = (query, out, limits);
    Err(EngineError::NotForThisGame("no tables yet".to_owned()))
}

/// Builds every layer of a plan that has no finished file yet, and says what is there now.
///
/// # Errors
/// Bad input, more memory than the limit, a file that cannot be written, or an interruption; finished
/// layers are kept.
pub fn generate(
    query: &BuildQuery,
    out: &Path,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<BuildReport, EngineError> {
    let _ = (query, out, limits, control);
    Err(EngineError::NotForThisGame("no tables yet".to_owned()))
}

/// Packs a table, or every table of a folder, harder; the cells stay the same.
///
/// # Errors
/// A file that cannot be read or written.
pub fn repack(path: &Path, control: &Control<'_>) -> Result<Vec<TableInfo>, EngineError> {
    let _ = (path, control);
    Err(EngineError::NotForThisGame("no tables yet".to_owned()))
}
