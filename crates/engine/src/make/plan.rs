//! Building tables: what can be asked for, plan, generate.

use std::path::Path;
use std::time::Duration;

use marquis_core::{GameId, Immobile};

use crate::adapter::{PreparedBuild, Site};
use crate::wire::reports::{BuildPlan, BuildReport};
use crate::{Control, EngineError, Limits, Registry};

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

/// A build whose positions are numbered: it can be looked at, and run.
pub struct Prepared<'a>(Box<dyn PreparedBuild + 'a>);

impl<'a> Prepared<'a> {
    /// What a question asks to be built.
    ///
    /// * `out`: the folder of tables.
    /// * `checkpoint_every`: how much work within a layer an interruption that cannot be caught may cost.
    ///
    /// # Errors
    /// Bad input: the game, the side, the pieces or the position; a numbering that is too large.
    pub fn new(
        registry: &'a Registry,
        query: &BuildQuery,
        out: &'a Path,
        checkpoint_every: Duration,
    ) -> Result<Self, EngineError> {
        let site = Site { registry, out, checkpoint_every };
        registry.game(query.game.name())?.adapter().prepare(query, site).map(Self)
    }

    /// Whether this build was begun in this folder before, however far it came.
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

    /// Builds every layer that has no finished file yet, and says what is there now.
    ///
    /// Finished layers and checkpoints of unfinished ones are taken up; the files do not depend on interruptions,
    /// threads or memory.
    ///
    /// # Errors
    /// More memory than the limit, a file that cannot be written, or an interruption; finished layers are kept.
    pub fn run(&self, limits: &Limits, control: &Control<'_>) -> Result<BuildReport, EngineError> {
        in_pool(limits, || self.0.run(limits, control))
    }
}

/// The layers, slots, memory and disk space of a build.
///
/// # Errors
/// As [`Prepared::new`] and [`Prepared::plan`].
pub fn plan(registry: &Registry, query: &BuildQuery, out: &Path) -> Result<BuildPlan, EngineError> {
    Prepared::new(registry, query, out, CHECKPOINT_EVERY)?.plan()
}

/// Builds what a question asks for.
///
/// # Errors
/// As [`Prepared::new`] and [`Prepared::run`].
pub fn generate(
    registry: &Registry,
    query: &BuildQuery,
    out: &Path,
    checkpoint_every: Duration,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<BuildReport, EngineError> {
    Prepared::new(registry, query, out, checkpoint_every)?.run(limits, control)
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
