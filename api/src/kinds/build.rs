//! Tables, generated into the folder of the operator who allows it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use marquis_engine::reports::{BuildEstimate, BuildPlan, BuildReport, TableInfo};
use marquis_engine::{
    BuildQuery, CHECKPOINT_EVERY, ChanceCells, Control, EngineError, Limits, MemorySize, Prepared, Progress,
    Registry, causes,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Desk, Found, Work};
use crate::identity::JobId;
use crate::params;
use crate::problem::Problem;

/// How often one who waits for another build looks whether that is over.
const LOOK: Duration = Duration::from_millis(100);

/// One build at a time: two would get into each other's way in the folder.
static BUILDING: Mutex<()> = Mutex::new(());

/// Where tables are generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BuildSite {
    pub(crate) folder: PathBuf,
    /// Of one build.
    pub(crate) memory: MemorySize,
}

impl BuildSite {
    /// What a build may take here.
    ///
    /// * `limits`: what it may take besides.
    pub(crate) const fn limits(&self, limits: &Limits) -> Limits {
        Limits { memory: Some(self.memory), ..*limits }
    }
}

/// What is to be generated, as jobs keep it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct BuildQuestion {
    /// The game.
    pub(crate) game: String,
    /// Cells along an edge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) side: Option<u8>,
    /// Pieces a side, `3v3`; of Swish and Squeeze the rooks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pieces: Option<String>,
    /// The position that everything is reached from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
    /// Of Swish and Squeeze, the beads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) beads: Option<u8>,
    /// What befalls a player who cannot move: `loss` or `pass`.
    pub(crate) immobile: String,
    /// Of Senet, the bytes of a chance: 2 or 4.
    pub(crate) bytes: u8,
}

impl BuildQuestion {
    pub(super) fn id(&self) -> JobId {
        let Self { game, side, pieces, from, beads, immobile, bytes } = self;
        let number = |number: &Option<u8>| number.map_or("all".to_owned(), |number| number.to_string());
        let word = |text: &Option<String>| text.clone().unwrap_or_else(|| "all".to_owned());
        let safe = |c: char| if c.is_ascii_alphanumeric() || "-:+".contains(c) { c } else { '.' };
        let id = format!(
            "{game}-generate-{}-{}-{}-{immobile}-{bytes}-{}",
            number(side),
            word(pieces),
            number(beads),
            word(from)
        );
        JobId(id.chars().map(safe).collect())
    }

    /// The question as the façade takes it.
    fn query(&self, registry: &Registry) -> Result<BuildQuery, Problem> {
        Ok(BuildQuery {
            side: self.side,
            pieces: self.pieces.clone(),
            from: self.from.clone(),
            beads: self.beads,
            immobile: params::immobile(Some(&self.immobile))?,
            chances: if self.bytes == 2 { ChanceCells::TwoBytes } else { ChanceCells::FourBytes },
            ..BuildQuery::new(params::game(registry, &self.game)?.id())
        })
    }

    pub(super) fn read(&self, registry: &Registry) -> Result<Building, Problem> {
        Ok(Building(self.query(registry)?))
    }

    /// What would be made there.
    ///
    /// # Errors
    /// Bad input; a numbering that is too large, a folder that cannot be read.
    pub(crate) fn plan(&self, registry: &Registry, site: &BuildSite) -> Result<Plan, Problem> {
        let prepared = self.prepared(registry, &site.folder)?;
        let BuildPlan { game, variant, layers, slots, memory_bytes, least_memory_bytes, disk_bytes, .. } =
            prepared.plan()?;
        let limits = site.limits(&Limits { threads: Some(1), ..Limits::default() });
        let strips = prepared.strips(&limits)?.iter().map(|strips| strips.disk_bytes).max().unwrap_or(0);
        let finished = layers.iter().filter(|layer| layer.finished).count();
        let (layers, estimate) = (layers.len(), None);
        let most_disk_bytes = disk_bytes.saturating_add(strips);
        Ok(Plan {
            game,
            variant,
            layers,
            finished,
            slots,
            memory_bytes,
            least_memory_bytes,
            disk_bytes,
            most_disk_bytes,
            estimate,
        })
    }

    /// About how long it takes, by a trial of a second in a folder for temporary files.
    ///
    /// # Errors
    /// Bad input; a folder that cannot be read or written.
    pub(crate) fn estimate(
        &self,
        registry: &Registry,
        site: &BuildSite,
        limits: &Limits,
    ) -> Result<Option<BuildEstimate>, Problem> {
        let prepared = self.prepared(registry, &site.folder)?;
        Ok(prepared.estimate(&site.limits(limits), &Control::none())?)
    }

    /// The build in this folder.
    fn prepared<'a>(&self, registry: &'a Registry, folder: &'a Path) -> Result<Prepared<'a>, Problem> {
        Ok(Prepared::new(registry, &self.query(registry)?, folder, CHECKPOINT_EVERY)?)
    }
}

/// What a build will make.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Plan {
    /// The game.
    game: String,
    /// Its variant.
    variant: String,
    /// How many layers.
    layers: usize,
    /// How many of them are there already.
    finished: usize,
    /// Slots of all layers together.
    slots: u64,
    /// The most memory that the build needs at a time where it is not held back.
    memory_bytes: u64,
    /// The least memory that it can do with: layers that do not fit are solved in strips on the disk.
    pub(crate) least_memory_bytes: u64,
    /// About the disk space that the files take.
    disk_bytes: u64,
    /// The same with what the build takes besides while it works, with the memory that it may have here.
    pub(crate) most_disk_bytes: u64,
    /// About how long one thread takes for it, by a trial of a second; left out where nothing was tried, and where no
    /// layer is small enough for a trial.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<BuildEstimate>,
}

impl Plan {
    /// The same with what a trial says of the time.
    pub(crate) fn lasting(self, estimate: Option<BuildEstimate>) -> Self {
        Self { estimate, ..self }
    }
}

/// What was built.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Built {
    /// The tables, in the order in which they were built or found.
    tables: Vec<TableInfo>,
    /// How many of them were there already.
    kept: usize,
    /// Seconds that it took.
    seconds: f64,
}

/// A build that is under way.
pub(super) struct Building(BuildQuery);

impl Work for Building {
    fn run(&self, desk: &Desk<'_>) -> Result<Found, Problem> {
        let site = desk.builds.ok_or_else(Problem::not_allowed)?;
        let _alone = building_alone(desk.control)?;
        let build = Prepared::new(desk.engine.registry(), &self.0, &site.folder, CHECKPOINT_EVERY)?;
        let BuildReport { tables, kept, seconds, .. } =
            build.run(&site.limits(&desk.limits), desk.control)?;
        for error in desk.engine.rescan() {
            tracing::warn!(job = %desk.id, error = %causes(&error), "a table is left out");
        }
        Ok(Found::Build(Built { tables, kept, seconds }))
    }
}

/// The right to build, as soon as no other build has it, until it is dropped.
///
/// # Errors
/// An interruption.
pub(crate) fn building_alone(control: &Control<'_>) -> Result<MutexGuard<'static, ()>, EngineError> {
    loop {
        match BUILDING.try_lock() {
            Ok(alone) => return Ok(alone),
            Err(TryLockError::Poisoned(broken)) => return Ok(PoisonError::into_inner(broken)),
            Err(TryLockError::WouldBlock) if control.stopped() => return Err(EngineError::Interrupted),
            Err(TryLockError::WouldBlock) => wait(control),
        }
    }
}

/// A moment for another build, and for others whose turn it is.
fn wait(control: &Control<'_>) {
    let phase = "waiting for another build".to_owned();
    control.tell(&Progress { phase, done: 0, total: None, bounds: None });
    std::thread::sleep(LOOK);
}
