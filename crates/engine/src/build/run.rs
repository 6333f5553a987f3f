//! A build: bundle after bundle, each written as files as soon as it is solved.
//!
//! Bundles that do not lead to each other are solved in parallel while they are small; a large one gets all threads.
//! Layers below are held in memory as far as they fit, and otherwise read from their files. With several ranks, each
//! solves some of the bundles of a wave, and all synchronize at its end.

mod estimate;
mod session;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use web_time::{Duration, Instant};

use marquis_retro::layered::strips::StripSizes;
use marquis_retro::{Bundle, BundlePlan};
use marquis_table::store::remove_unfinished;
use marquis_table::{BlockCache, Fingerprint, Store};

use self::session::BuildSession;
use crate::build::layered::Solving;
use crate::build::prepared::{LayerFiles, PreparedBuild, Site};
use crate::build::team::RankTeam;
use crate::error::FileError;
use crate::files::checkpoint::Checkpoint;
use crate::files::layer::LayerId;
use crate::files::lease::Lease;
use crate::files::store::{infos, open_store};
use crate::game::method::{Method, MethodCost};
use crate::{Control, EngineError, Limits};
use marquis_wire::reports::{
    BuildEstimate, BuildPlan, BuildReport, PlannedBundle, PlannedLayer, PlannedStrips, RankReport,
};

/// The size of a build's cache of decoded blocks, in bytes.
const CACHE_BYTES: usize = 64 << 20;

/// Layers, the plan for them, and the output folder.
pub(crate) struct Build<'a, S: Solving> {
    layers: Arc<S>,
    plan: Arc<BundlePlan<S::Layer>>,
    site: Site<'a>,
}

impl<'a, S: Solving> Build<'a, S> {
    /// * `wanted`: the requested layers, without those that they lead to.
    pub(crate) fn new(layers: S, wanted: Vec<S::Layer>, site: Site<'a>) -> Self {
        let plan = layers.plan(wanted);
        Self { layers: Arc::new(layers), plan: Arc::new(plan), site }
    }

    /// The same build with its files in another folder and without checkpoints.
    fn elsewhere<'b>(&self, out: &'b Path) -> Build<'b, S>
    where
        'a: 'b,
    {
        let site = Site { out, checkpoint_every: Duration::MAX, ..self.site };
        Build { layers: Arc::clone(&self.layers), plan: Arc::clone(&self.plan), site }
    }

    fn open(&self) -> Result<Store, EngineError> {
        open_store(self.site.rules, self.site.out, &Arc::new(BlockCache::new(CACHE_BYTES)))
    }

    /// The folder of the layers' files.
    fn folder(&self) -> PathBuf {
        let any = self.plan.layers().next().map(|layer| self.layers.id(layer).folder);
        self.site.out.join(any.unwrap_or_default())
    }

    fn checkpoint(&self, bundle: &Bundle<S::Layer>) -> Checkpoint {
        Checkpoint::new(&self.folder(), &self.layers.kept_as(&bundle.layers), self.site.checkpoint_every)
    }

    /// The peak memory of one of `ranks` ranks if as little as possible is held.
    fn memory_bytes(&self, ranks: u64) -> u64 {
        let alone = |bundle| self.bytes_without_strips(bundle);
        let among = |bundle| self.layers.bytes_among(bundle, ranks).filter(|_| ranks > 1).unwrap_or(u64::MAX);
        let largest = self.plan.bundles.iter().map(|bundle| alone(bundle).min(among(bundle))).max();
        self.layers.base_bytes().saturating_add(largest.unwrap_or(0))
    }

    /// The least memory that solves a bundle without strips, with the layers below.
    fn bytes_without_strips(&self, bundle: &Bundle<S::Layer>) -> u64 {
        self.layers.methods(bundle, 0).without_strips().least_bytes()
    }

    /// The least memory, on disk if possible.
    fn least_memory_bytes(&self) -> u64 {
        let least = |bundle| self.layers.methods(bundle, 0).least_bytes();
        let largest = self.plan.bundles.iter().map(least).max();
        self.layers.base_bytes() + largest.unwrap_or(0)
    }

    /// How a bundle is solved, and at which cost.
    ///
    /// * `budget`: bytes for cells.
    fn method(&self, bundle: &Bundle<S::Layer>, budget: u64) -> MethodCost {
        self.layers.methods(bundle, budget).within(budget)
    }

    /// The layers that do not require a build: all if each is sufficient, otherwise those that others can be built
    /// on.
    fn kept(&self, store: &Store) -> BTreeSet<S::Layer> {
        let found = |layer: S::Layer| self.layers.find(store, layer);
        if self.plan.layers().all(|layer| found(layer).is_some_and(|table| self.layers.is_enough(table))) {
            return self.plan.layers().collect();
        }
        let is_ground = |&layer: &S::Layer| found(layer).is_some_and(|table| self.layers.is_ground(table));
        self.plan.layers().filter(is_ground).collect()
    }

    /// The layers that do not require a build, given the current folder.
    fn finished(&self) -> Result<BTreeSet<S::Layer>, EngineError> {
        if self.site.out.exists() { Ok(self.kept(&self.open()?)) } else { Ok(BTreeSet::new()) }
    }

    /// Fails if a build needs more memory than allowed; the result is the allowed memory.
    fn allowed(&self, limits: &Limits, team: RankTeam<'_>) -> Result<u64, EngineError> {
        let ranks = team.size() as u64;
        let needed = if ranks == 1 { self.least_memory_bytes() } else { self.memory_bytes(ranks) };
        let limit = limits.memory_bytes();
        if needed > limit {
            let what = format!("this build of {} {}", S::GAME, self.layers.variant());
            return Err(EngineError::TooLarge { what, needed, limit });
        }
        Ok(limit)
    }

    /// Creates the folders, takes the lease, and removes the remains of crashed builds.
    fn prepare(&self) -> Result<Lease, EngineError> {
        let lease =
            Lease::of_folder(self.site.out, &format!("generate {} {}", S::GAME, self.layers.variant()))?;
        let folder = self.folder();
        std::fs::create_dir_all(&folder).map_err(FileError::system(&folder, "make the folder"))?;
        remove_unfinished(self.site.out)?;
        remove_unfinished(&folder)?;
        Ok(lease)
    }

    /// Fails if the ranks disagree about the build or the output folder; then creates the folders.
    ///
    /// The result is the lease for the first rank, `None` for the others.
    fn agree(&self, limits: &Limits, team: RankTeam<'_>) -> Result<Option<Lease>, EngineError> {
        let ids = || self.plan.layers().map(|layer| self.layers.id(layer));
        let rules = ids().next().map(|id| id.plan().identity.rules.to_string()).unwrap_or_default();
        let layers: Vec<String> = ids().map(|id| format!("{} {}", id.name, id.slots)).collect();
        let (game, variant, slots) = (S::GAME, self.layers.variant(), self.plan.slots());
        let print = Fingerprint::of(&layers.join("\n"));
        let plan = format!("{game} {variant}: {} layers, {slots} slots, {print}", layers.len());
        team.agree_on_work(&rules, &plan, limits)?;
        let mut lease = None;
        team.by_the_first(|| {
            lease = Some(self.prepare()?);
            Ok(())
        })?;
        team.agree_on_folder(self.site.out)?;
        Ok(lease)
    }

    /// Converts all layers to the requested form, and writes the lists next to the tables.
    fn write_lists(&self) -> Result<(), EngineError> {
        let store = self.open()?;
        for layer in self.plan.layers() {
            if let Some(table) =
                self.layers.find(&store, layer).filter(|table| !self.layers.is_finished(table))
            {
                self.layers.finish(layer, table, self.site.out)?;
            }
        }
        let store = self.open()?;
        store.write_b3sums()?;
        store.write_manifest()?;
        Ok(())
    }

    /// The report of the tables that are there now.
    ///
    /// * `kept`: the number of layers that existed before.
    fn report(
        &self,
        kept: usize,
        begun: Instant,
        ranks: Vec<RankReport>,
    ) -> Result<BuildReport, EngineError> {
        let store = self.open()?;
        let names: BTreeSet<String> = self.plan.layers().map(|layer| self.layers.id(layer).name).collect();
        let variant = self.layers.variant();
        let mut tables = infos(&store);
        tables.retain(|info| {
            info.game == S::GAME.name() && info.variant == variant && names.contains(&info.layer)
        });
        Ok(BuildReport { tables, kept, seconds: begun.elapsed().as_secs_f64(), ranks })
    }
}

impl<S: Solving> PreparedBuild for Build<'_, S> {
    fn is_begun(&self) -> bool {
        self.folder().is_dir()
    }

    fn plan(&self) -> Result<BuildPlan, EngineError> {
        let kept = self.finished()?;
        let is_open = |bundle: &&Bundle<S::Layer>| !bundle.layers.iter().all(|layer| kept.contains(layer));
        let open = self.plan.bundles.iter().filter(is_open);
        let planned = |layer: S::Layer| {
            let LayerId { name, slots, .. } = self.layers.id(layer);
            PlannedLayer { layer: name, slots, finished: kept.contains(&layer) }
        };
        Ok(BuildPlan {
            game: S::GAME.name().to_owned(),
            variant: self.layers.variant(),
            layers: self.plan.layers().map(planned).collect(),
            slots: self.plan.slots(),
            memory_bytes: self.memory_bytes(1),
            least_memory_bytes: self.least_memory_bytes(),
            disk_bytes: self.layers.disk_bytes(&self.plan),
            outlook: open.filter_map(|bundle| self.layers.outlook(bundle)).collect(),
        })
    }

    fn methods(&self, limits: &Limits) -> Vec<PlannedBundle> {
        let budget = limits.memory_bytes().saturating_sub(self.layers.base_bytes());
        let planned = |bundle: &Bundle<S::Layer>| {
            let MethodCost { method, memory_bytes, disk_bytes } = self.method(bundle, budget);
            let layers: Vec<String> = bundle.layers.iter().map(|&layer| self.layers.id(layer).name).collect();
            let strips = match method {
                Method::Strips(StripSizes { strips, memory_bytes, .. }) => {
                    Some(PlannedStrips { layers: layers.clone(), strips, memory_bytes, disk_bytes })
                }
                _ => None,
            };
            let (method, passes) = (method.name(), method.passes());
            PlannedBundle { layers, method, passes, memory_bytes, disk_bytes, strips }
        };
        self.plan.bundles.iter().map(planned).collect()
    }

    fn files(&self) -> LayerFiles {
        let file = |layer: S::Layer| {
            let id = self.layers.id(layer);
            let path = id.path().iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
            ((id.game.name().to_owned(), id.variant, id.name), path)
        };
        self.plan.layers().map(file).collect()
    }

    fn estimate(&self, limits: &Limits, control: &Control<'_>) -> Result<Option<BuildEstimate>, EngineError> {
        estimate::estimate(self, limits, control)
    }

    fn run(
        &self,
        limits: &Limits,
        control: &Control<'_>,
        team: RankTeam<'_>,
    ) -> Result<BuildReport, EngineError> {
        let begun = Instant::now();
        // A build that does not fit leaves no folder behind.
        let budget = team.together(self.allowed(limits, team))? - self.layers.base_bytes();
        let _lease = self.agree(limits, team)?;
        let mut session =
            team.together(BuildSession::begin(self, budget, limits.deadline(control), control, team))?;
        team.agree_on_tables(&session.tables())?;
        let finished = session.kept.len();
        for wave in self.plan.waves() {
            session.wave(&wave)?;
        }
        team.by_the_first(|| self.write_lists())?;
        let ranks = team.report(session.own.load(Relaxed))?;
        let report = self.report(finished, begun, ranks);
        team.together(report)
    }
}
