//! Generates tables into the folder of the operator, if allowed.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use marquis_engine::tables::{CHECKPOINT_EVERY, NumberedBuild};
use marquis_engine::{BuildQuery, ChanceCells, Control, EngineError, Limits, Progress, Registry, causes};
use marquis_wire::MemorySize;
use marquis_wire::reports::{BuildEstimate, BuildPlan, BuildReport, TableInfo};
use serde::{Deserialize, Serialize};

use super::{JobContext, JobResult, JobWork};
use crate::identity::JobId;
use crate::params;
use crate::problem::Problem;

/// How often a waiting build checks whether another one is over.
const LOOK: Duration = Duration::from_millis(100);

/// One build at a time: two would interfere with each other in the folder.
static BUILDING: Mutex<()> = Mutex::new(());

/// Where tables are generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BuildSite {
    pub(crate) folder: PathBuf,
    /// The memory of one build.
    pub(crate) memory: MemorySize,
}

impl BuildSite {
    /// The limits of a build at this site.
    ///
    /// * `limits`: the other limits of the build.
    pub(crate) const fn limits(&self, limits: &Limits) -> Limits {
        Limits { memory: Some(self.memory), ..*limits }
    }
}

/// The tables to generate, as jobs store them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct BuildQuestion {
    /// The game.
    pub(crate) game: String,
    /// Cells along an edge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) side: Option<u8>,
    /// Pieces per side, `3v3`; for Swish and Squeeze the rooks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pieces: Option<String>,
    /// The position from which all others are reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
    /// For Swish and Squeeze: the number of beads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) beads: Option<u8>,
    /// The rule for a player who cannot move: `loss` or `pass`.
    pub(crate) immobile: String,
    /// For Senet: bytes per chance, 2 or 4.
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

    /// The question for the façade.
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

    pub(super) fn read(&self, registry: &Registry) -> Result<BuildWork, Problem> {
        Ok(BuildWork(self.query(registry)?))
    }

    /// The plan of the build.
    ///
    /// # Errors
    /// Bad input; a numbering that is too large, a folder that cannot be read.
    pub(crate) fn plan(&self, registry: &Registry, site: &BuildSite) -> Result<Plan, Problem> {
        let prepared = self.prepared(registry, &site.folder)?;
        let BuildPlan { game, variant, layers, slots, memory_bytes, least_memory_bytes, disk_bytes, .. } =
            prepared.plan()?;
        let limits = site.limits(&Limits { threads: Some(1), ..Limits::default() });
        let temporary = prepared.methods(&limits)?.iter().map(|bundle| bundle.disk_bytes).max().unwrap_or(0);
        let finished = layers.iter().filter(|layer| layer.finished).count();
        let (layers, estimate) = (layers.len(), None);
        let most_disk_bytes = disk_bytes.saturating_add(temporary);
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

    /// An estimate of the build time, from a trial of one second in a temporary folder.
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

    /// The prepared build in this folder.
    fn prepared<'a>(&self, registry: &'a Registry, folder: &'a Path) -> Result<NumberedBuild<'a>, Problem> {
        Ok(NumberedBuild::new(registry, &self.query(registry)?, folder, CHECKPOINT_EVERY)?)
    }
}

/// The plan of a build.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Plan {
    /// The game.
    game: String,
    /// Its variant.
    variant: String,
    /// The number of layers.
    layers: usize,
    /// The number of layers that already exist.
    finished: usize,
    /// Slots of all layers together.
    slots: u64,
    /// The peak memory of the build if it is not limited.
    memory_bytes: u64,
    /// The least memory that is enough: layers that do not fit are solved in strips on the disk.
    pub(crate) least_memory_bytes: u64,
    /// The approximate disk space of the files.
    disk_bytes: u64,
    /// The same, including temporary files, with the memory that the build may have here.
    pub(crate) most_disk_bytes: u64,
    /// The approximate time with one thread, from a trial of one second; omitted if there was no trial, or if no
    /// layer is small enough for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<BuildEstimate>,
}

impl Plan {
    /// The same plan with the time estimate of a trial.
    pub(crate) fn lasting(self, estimate: Option<BuildEstimate>) -> Self {
        Self { estimate, ..self }
    }
}

/// The result of a build.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Built {
    /// The tables, in the order in which they were built or found.
    tables: Vec<TableInfo>,
    /// The number of tables that already existed.
    kept: usize,
    /// The seconds of the build.
    seconds: f64,
}

/// A build under way.
pub(super) struct BuildWork(BuildQuery);

impl JobWork for BuildWork {
    fn run(&self, desk: &JobContext<'_>) -> Result<JobResult, Problem> {
        let site = desk.builds.ok_or_else(Problem::not_allowed)?;
        let _alone = building_alone(desk.control)?;
        let build = NumberedBuild::new(desk.engine.registry(), &self.0, &site.folder, CHECKPOINT_EVERY)?;
        let BuildReport { tables, kept, seconds, .. } =
            build.run(&site.limits(&desk.limits), desk.control)?;
        for error in desk.engine.rescan() {
            tracing::warn!(job = %desk.id, error = %causes(&error), "a table is left out");
        }
        Ok(JobResult::Build(Built { tables, kept, seconds }))
    }
}

/// Waits until no other build runs; returns the right to build, until it is dropped.
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

/// Waits a moment for another build, and yields to other jobs.
fn wait(control: &Control<'_>) {
    let phase = "waiting for another build".to_owned();
    control.tell(&Progress { phase, done: 0, total: None, bounds: None });
    std::thread::sleep(LOOK);
}
