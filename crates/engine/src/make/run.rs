//! A build: bundle after bundle, each written as files as soon as it is solved.
//!
//! Bundles that do not lead to each other are solved side by side while they are small; a large one has all
//! threads for itself. Layers below are in memory as far as they fit, and otherwise read from their files.

mod estimate;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use web_time::{Duration, Instant};

use marquis_retro::layered::strips::StripSizes;
use marquis_retro::{Bundle, Plan};
use marquis_table::store::remove_unfinished;
use marquis_table::{BlockCache, Store};
use rayon::prelude::*;

use crate::error::FileError;
use crate::files::layer::LayerId;
use crate::files::store::{infos, open_store};
use crate::make::checkpoint::Checkpoint;
use crate::make::layered::{Held as _, Job, Solving, Source};
use crate::make::prepared::{LayerFiles, PreparedBuild, Site};
use crate::make::sound::check_sound;
use crate::wire::reports::{BuildEstimate, BuildPlan, BuildReport, PlannedLayer, PlannedStrips};
use crate::{Control, EngineError, Limits};

/// Blocks of decoded cells that a build keeps.
const CACHE_BYTES: usize = 64 << 20;
/// Bundles of fewer slots are solved side by side.
const SMALL_SLOTS: u64 = 1 << 20;

/// Layers, the plan for them, and where the files go.
pub(crate) struct Build<'a, S: Solving> {
    layers: Arc<S>,
    plan: Arc<Plan<S::Layer>>,
    site: Site<'a>,
}

impl<'a, S: Solving> Build<'a, S> {
    /// * `wanted`: the layers that are asked for, without those that they lead to.
    pub(crate) fn new(layers: S, wanted: Vec<S::Layer>, site: Site<'a>) -> Self {
        let plan = layers.plan(wanted);
        Self { layers: Arc::new(layers), plan: Arc::new(plan), site }
    }

    /// The same build with its files in another folder, and without checkpoints.
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

    /// The folder of the files of the layers.
    fn folder(&self) -> PathBuf {
        let any = self.plan.layers().next().map(|layer| self.layers.id(layer).folder);
        self.site.out.join(any.unwrap_or_default())
    }

    fn checkpoint(&self, bundle: &Bundle<S::Layer>) -> Checkpoint {
        Checkpoint::new(&self.folder(), &self.layers.kept_as(&bundle.layers), self.site.checkpoint_every)
    }

    /// The most memory at a time, however little is held.
    fn memory_bytes(&self) -> u64 {
        let largest = self.plan.bundles.iter().map(|bundle| self.layers.bytes_of(bundle)).max();
        self.layers.base_bytes() + largest.unwrap_or(0)
    }

    /// The least memory, in strips on the disk where that is possible.
    fn least_memory_bytes(&self) -> u64 {
        let largest = self.plan.bundles.iter().map(|bundle| self.layers.least_bytes_of(bundle)).max();
        self.layers.base_bytes() + largest.unwrap_or(0)
    }

    /// How a bundle that does not fit is solved in strips; none where it fits, or cannot be.
    ///
    /// * `budget`: bytes for cells.
    fn strips(&self, bundle: &Bundle<S::Layer>, budget: u64) -> Option<StripSizes> {
        let fits = self.layers.bytes_of(bundle) <= budget;
        if fits { None } else { self.layers.strips_of(bundle, budget) }
    }

    /// The layers that need not be built: all where each is enough, otherwise those that others can be built on.
    fn kept(&self, store: &Store) -> BTreeSet<S::Layer> {
        let found = |layer: S::Layer| self.layers.find(store, layer);
        if self.plan.layers().all(|layer| found(layer).is_some_and(|table| self.layers.is_enough(table))) {
            return self.plan.layers().collect();
        }
        let is_ground = |&layer: &S::Layer| found(layer).is_some_and(|table| self.layers.is_ground(table));
        self.plan.layers().filter(is_ground).collect()
    }

    /// The layers that need not be built, as the folder is now.
    fn finished(&self) -> Result<BTreeSet<S::Layer>, EngineError> {
        if self.site.out.exists() { Ok(self.kept(&self.open()?)) } else { Ok(BTreeSet::new()) }
    }

    /// Refuses a build that needs more memory than it may have; the result is what it may have.
    fn allowed(&self, limits: &Limits) -> Result<u64, EngineError> {
        let (needed, limit) = (self.least_memory_bytes(), limits.memory_bytes());
        if needed > limit {
            let what = format!("this build of {} {}", S::GAME, self.layers.variant());
            return Err(EngineError::TooLarge { what, needed, limit });
        }
        Ok(limit)
    }

    /// Makes the folders, and removes what builds that died left behind in them.
    fn prepare(&self) -> Result<(), EngineError> {
        let folder = self.folder();
        std::fs::create_dir_all(&folder).map_err(FileError::system(&folder, "make the folder"))?;
        remove_unfinished(self.site.out)?;
        remove_unfinished(&folder)?;
        Ok(())
    }

    /// A build under way, of which nothing is solved yet.
    ///
    /// * `budget`: bytes for cells.
    fn begin<'b>(
        &'b self,
        budget: u64,
        deadline: Option<Instant>,
        control: &'b Control<'b>,
    ) -> Result<Session<'b, S>, EngineError> {
        self.prepare()?;
        let store = self.open()?;
        check_sound(&store, &|_| true, control)?;
        let kept = self.kept(&store);
        let (held, done) = (S::Held::default(), AtomicU64::new(0));
        Ok(Session { build: self, store, is_stale: false, kept, held, budget, done, deadline, control })
    }

    /// Brings all layers into the form that was asked for, and writes the lists beside the tables.
    fn finish(&self, kept: usize, begun: Instant) -> Result<BuildReport, EngineError> {
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
        let names: BTreeSet<String> = self.plan.layers().map(|layer| self.layers.id(layer).name).collect();
        let variant = self.layers.variant();
        let mut tables = infos(&store);
        tables.retain(|info| {
            info.game == S::GAME.name() && info.variant == variant && names.contains(&info.layer)
        });
        Ok(BuildReport { tables, kept, seconds: begun.elapsed().as_secs_f64() })
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
            memory_bytes: self.memory_bytes(),
            least_memory_bytes: self.least_memory_bytes(),
            disk_bytes: self.layers.disk_bytes(&self.plan),
            outlook: open.filter_map(|bundle| self.layers.outlook(bundle)).collect(),
        })
    }

    fn strips(&self, limits: &Limits) -> Vec<PlannedStrips> {
        let budget = limits.memory_bytes().saturating_sub(self.layers.base_bytes());
        let planned = |bundle: &Bundle<S::Layer>| {
            let StripSizes { strips, memory_bytes, depot_bytes, .. } = Build::strips(self, bundle, budget)?;
            let layers = bundle.layers.iter().map(|&layer| self.layers.id(layer).name).collect();
            Some(PlannedStrips { layers, strips, memory_bytes, disk_bytes: depot_bytes })
        };
        self.plan.bundles.iter().filter_map(planned).collect()
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

    fn run(&self, limits: &Limits, control: &Control<'_>) -> Result<BuildReport, EngineError> {
        let begun = Instant::now();
        let budget = self.allowed(limits)? - self.layers.base_bytes();
        let mut session = self.begin(budget, limits.deadline(control), control)?;
        let finished = session.kept.len();
        for wave in self.plan.waves() {
            session.wave(&wave)?;
        }
        self.finish(finished, begun)
    }
}

/// A build under way.
struct Session<'a, S: Solving> {
    build: &'a Build<'a, S>,
    store: Store,
    /// Whether files were written since the store was opened.
    is_stale: bool,
    /// The layers that need not be built.
    kept: BTreeSet<S::Layer>,
    /// Layers in memory, as far as the budget goes.
    held: S::Held,
    /// Bytes for cells.
    budget: u64,
    done: AtomicU64,
    deadline: Option<Instant>,
    control: &'a Control<'a>,
}

impl<S: Solving> Session<'_, S> {
    /// Solves bundles that do not lead to each other, and writes their files.
    ///
    /// # Errors
    /// As those of a build.
    fn wave(&mut self, wave: &[&Bundle<S::Layer>]) -> Result<(), EngineError> {
        let mut open: Vec<&Bundle<S::Layer>> = Vec::new();
        for &bundle in wave {
            if bundle.layers.iter().all(|layer| self.kept.contains(layer)) {
                self.build.checkpoint(bundle).remove();
                self.done.fetch_add(bundle.slots(), Relaxed);
            } else {
                open.push(bundle);
            }
        }
        while !open.is_empty() {
            let together = self.side_by_side(&open);
            let rest = open.split_off(together);
            self.solve(&open)?;
            open = rest;
        }
        Ok(())
    }

    /// How many of the first bundles are solved at a time: small ones that fit into the budget, or one.
    fn side_by_side(&self, open: &[&Bundle<S::Layer>]) -> usize {
        let (mut slots, mut bytes) = (0, 0);
        let fits = |bundle: &&&Bundle<S::Layer>| {
            slots += bundle.slots();
            bytes += self.build.layers.bytes_of(bundle);
            slots <= SMALL_SLOTS && bytes <= self.budget
        };
        open.iter().take_while(fits).count().max(1)
    }

    fn solve(&mut self, bundles: &[&Bundle<S::Layer>]) -> Result<(), EngineError> {
        self.make_room(bundles);
        let below: BTreeSet<S::Layer> =
            bundles.iter().flat_map(|bundle| bundle.below.iter().copied()).collect();
        if S::HOLDS_BELOW {
            for layer in below {
                self.load(layer)?;
            }
        } else {
            self.refresh()?;
        }
        let room = self.room(bundles);
        let solved: Result<Vec<_>, EngineError> =
            bundles.par_iter().map(|bundle| self.bundle(bundle, room)).collect();
        self.is_stale = true;
        for layers in solved? {
            self.held.take(layers);
        }
        Ok(())
    }

    /// Lets go of layers that these bundles do not lead to, where the budget asks for it.
    fn make_room(&mut self, bundles: &[&Bundle<S::Layer>]) {
        if self.bytes_with(bundles) > self.budget {
            self.held.keep(&|layer| bundles.iter().any(|bundle| bundle.below.contains(&layer)));
        }
    }

    /// Bytes of all that is held, and of some bundles while they are solved.
    fn bytes_with(&self, bundles: &[&Bundle<S::Layer>]) -> u64 {
        let layers = &self.build.layers;
        let slots: u64 = self.held.layers().into_iter().map(|layer| layers.slots(layer)).sum();
        let needed: u64 = bundles.iter().map(|bundle| layers.bytes_of(bundle)).sum();
        slots * layers.bytes_a_slot() + needed
    }

    /// What each of some bundles may take besides what it must have.
    fn room(&self, bundles: &[&Bundle<S::Layer>]) -> u64 {
        self.budget.saturating_sub(self.bytes_with(bundles)) / (bundles.len() as u64).max(1)
    }

    /// Looks for the files that were written since the store was opened.
    fn refresh(&mut self) -> Result<(), EngineError> {
        if self.is_stale {
            self.store = self.build.open()?;
            self.is_stale = false;
        }
        Ok(())
    }

    /// Takes a finished layer from its file, if it is not in memory.
    fn load(&mut self, layer: S::Layer) -> Result<(), EngineError> {
        if self.held.has(layer) {
            return Ok(());
        }
        self.refresh()?;
        let layers = &self.build.layers;
        let id = layers.id(layer);
        let table = layers.find(&self.store, layer).ok_or_else(|| {
            let full = self.build.site.out.join(id.path());
            FileError::unexpected(full, "the finished layer", "no usable file", "build again")
        })?;
        id.expect_slots(table)?;
        let source = Source { store: &self.store, control: self.control };
        layers.read(layer, table, source, &mut self.held)
    }

    /// Solves a bundle and writes its files; the result is what of it is worth being held.
    ///
    /// * `room`: bytes that it may take besides what it must have.
    fn bundle(&self, bundle: &Bundle<S::Layer>, room: u64) -> Result<S::Held, EngineError> {
        let checkpoint = self.build.checkpoint(bundle);
        let job = Job {
            out: self.build.site.out,
            store: &self.store,
            room,
            strips: self.build.strips(bundle, self.budget),
            checkpoint: &checkpoint,
            deadline: self.deadline,
            control: self.control,
            done: &self.done,
            total: self.build.plan.slots(),
        };
        let held = self.build.layers.solve(bundle, &self.held, &job)?;
        checkpoint.remove();
        self.done.fetch_add(bundle.slots(), Relaxed);
        Ok(held)
    }
}
