//! Building tables: what can be asked for, plan, generate, repack.

mod checkpoint;
pub(crate) mod common;
mod run;
mod wanted;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use marquis_games::beads::Immobile;
use marquis_games::catalogue::GameId;
use marquis_table::file::{self, Repacked};
use marquis_table::{BlockCache, Codec};

use self::run::Build;
use self::wanted::Wanted;
use crate::facade::file_error;
use crate::hints::race_hints_of;
use crate::reports::{BuildPlan, BuildReport, TableInfo};
use crate::tabled::for_tables;
use crate::tables::{folder_of, infos, open_store};
use crate::{Control, EngineError, Limits, Progress};

/// Blocks of decoded cells that a build keeps.
const CACHE_BYTES: usize = 64 << 20;

/// What `generate` builds, in the game's own terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildQuery {
    /// A game that has tables.
    pub game: GameId,
    /// Cells along an edge.
    pub side: Option<u8>,
    /// `3v3`: that layer and all that it leads to; every layer of the board where nothing is said. For Swish
    /// and Squeeze the rooks.
    pub pieces: Option<String>,
    /// All layers that can be reached from this position.
    pub from: Option<String>,
    /// For Swish and Squeeze, how many beads, where no position is given.
    pub beads: Option<u8>,
    /// For Swish and Squeeze, what happens to a player who cannot move.
    pub immobile: Immobile,
    /// For Senet, how precise the chances in the files are.
    pub chances: ChanceCells,
}

/// How a file holds chances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChanceCells {
    /// Four bytes each, with an error of 10⁻⁶ or less.
    #[default]
    FourBytes,
    /// Two bytes each, with an error of 10⁻⁵ or less.
    TwoBytes,
}

impl BuildQuery {
    /// The question about a game with nothing else said.
    #[must_use]
    pub const fn new(game: GameId) -> Self {
        let (immobile, chances) = (Immobile::Loss, ChanceCells::FourBytes);
        Self { game, side: None, pieces: None, from: None, beads: None, immobile, chances }
    }
}

/// How often a build keeps what it has of a layer, unless told otherwise.
pub const CHECKPOINT_EVERY: Duration = Duration::from_secs(60);

/// What `serve` builds when it finds no tables: Squish and Flowish of side 3, up to five pieces a side.
#[must_use]
pub fn starter_set() -> Vec<BuildQuery> {
    let query = |game| BuildQuery { side: Some(3), pieces: Some("5v5".to_owned()), ..BuildQuery::new(game) };
    [GameId::Squish, GameId::Flowish].map(query).into()
}

/// The layers, slots, memory and disk space of a build.
///
/// # Errors
/// Bad input: the game, the side, the pieces or the position.
pub fn plan(query: &BuildQuery, out: &Path) -> Result<BuildPlan, EngineError> {
    if query.game == GameId::Senet {
        return crate::senet::plan(query, out);
    }
    for_tables!(query.game, |Index| Build::new(Index::wanted(query)?, out, CHECKPOINT_EVERY).plan(), |game| {
        Err(no_tables(game))
    })
}

/// Builds every layer of a plan that has no finished file yet, and says what is there now.
///
/// Finished layers and checkpoints of unfinished ones in `out` are taken up; the files do not depend on
/// interruptions, threads or memory.
///
/// * `checkpoint_every`: how much work within a layer an interruption that cannot be caught may cost.
///
/// # Errors
/// Bad input, more memory than the limit, a file that cannot be written, or an interruption; finished
/// layers are kept.
pub fn generate(
    query: &BuildQuery,
    out: &Path,
    checkpoint_every: Duration,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<BuildReport, EngineError> {
    in_pool(limits, || {
        if query.game == GameId::Senet {
            return crate::senet::generate(query, out, checkpoint_every, limits, control);
        }
        for_tables!(
            query.game,
            |Index| Build::new(Index::wanted(query)?, out, checkpoint_every).run(limits, control),
            |game| Err(no_tables(game))
        )
    })
}

/// What `work` returns, done by as many threads as the limits allow.
pub(crate) fn in_pool<T: Send>(
    limits: &Limits,
    work: impl FnOnce() -> Result<T, EngineError> + Send,
) -> Result<T, EngineError> {
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = limits.threads {
        pool = pool.num_threads(threads);
    }
    let pool = pool.build().map_err(|error| EngineError::LimitReached(format!("no threads: {error}")))?;
    pool.install(work)
}

fn no_tables(game: GameId) -> EngineError {
    EngineError::NotForThisGame(format!("there are no tables of {game}"))
}

/// Packs a table, or every table of a folder, harder; the cells stay the same.
///
/// # Errors
/// A file that cannot be read or written.
pub fn repack(path: &Path, control: &Control<'_>) -> Result<Vec<TableInfo>, EngineError> {
    let cache = Arc::new(BlockCache::new(CACHE_BYTES));
    let folder = folder_of(path)?;
    let store = open_store(folder, &cache)?;
    let chosen = |file: &Path| path.is_dir() || folder.join(file) == path;
    // Those that are packed again are compared on the way.
    common::check_sound(&store, &|file| !chosen(file), control)?;
    let total = store.tables().filter(|(file, _)| chosen(file)).count() as u64;
    for (done, (file, table)) in store.tables().filter(|(file, _)| chosen(file)).enumerate() {
        if control.stopped() {
            return Err(EngineError::Interrupted);
        }
        let phase = format!("packing {}", file.display());
        control.tell(&Progress { phase, done: done as u64, total: Some(total), bounds: None });
        let hints = race_hints_of(&table.header().identity);
        let pack = |stream: &marquis_table::StreamHeader| {
            let implied = stream.codec == Codec::Implied;
            Some(if implied { Repacked::implied(stream) } else { Repacked::smallest(hints.as_ref()) })
        };
        let to = folder.join(file);
        file::repack(table, &to, pack, &|_| {}).map_err(|error| file_error(&to, &error))?;
    }
    let store = open_store(folder, &cache)?;
    store.write_b3sums().map_err(|error| file_error(folder, &error))?;
    let names: Vec<String> =
        store.tables().filter(|(file, _)| chosen(file)).map(|(file, _)| file.display().to_string()).collect();
    let mut tables = infos(&store);
    tables.retain(|info| names.contains(&info.file));
    Ok(tables)
}
