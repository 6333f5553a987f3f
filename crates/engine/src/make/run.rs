//! A build: bundle after bundle, each written as files as soon as it is solved.
//!
//! Bundles that do not lead to each other are solved side by side while they are small; a large one has all
//! threads for itself. Layers below are in memory as far as they fit, and otherwise read from their files.
//! Where there are several ranks, each solves some of the bundles of a wave, and all meet when the wave is over.

mod estimate;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use web_time::{Duration, Instant};

use marquis_retro::layered::strips::StripSizes;
use marquis_retro::{Bundle, Plan};
use marquis_table::store::remove_unfinished;
use marquis_table::{BlockCache, Fingerprint, Store};
use rayon::prelude::*;

use crate::error::FileError;
use crate::files::layer::LayerId;
use crate::files::store::{infos, open_store};
use crate::make::checkpoint::Checkpoint;
use crate::make::layered::{Held as _, Job, Solving, Source};
use crate::make::prepared::{LayerFiles, PreparedBuild, Site};
use crate::make::sound::check_sound;
use crate::make::team::{Shares, Team, share_out};
use crate::wire::reports::{BuildEstimate, BuildPlan, BuildReport, PlannedLayer, PlannedStrips, RankReport};
use crate::{Control, EngineError, Limits};

/// Blocks of decoded cells that a build keeps.
const CACHE_BYTES: usize = 64 << 20;
/// Bundles of fewer slots are solved side by side.
const SMALL_SLOTS: u64 = 1 << 20;

/// Several ranks solve bundles of fewer slots each by itself: more time would go into meeting than is gained.
const JOINT_SLOTS: u64 = 1 << 19;

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

    /// The most memory at a time of one of so many ranks, however little is held.
    fn memory_bytes(&self, ranks: u64) -> u64 {
        let alone = |bundle| self.layers.bytes_of(bundle);
        let among = |bundle| self.layers.bytes_among(bundle, ranks).filter(|_| ranks > 1).unwrap_or(u64::MAX);
        let largest = self.plan.bundles.iter().map(|bundle| alone(bundle).min(among(bundle))).max();
        self.layers.base_bytes().saturating_add(largest.unwrap_or(0))
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
    fn allowed(&self, limits: &Limits, team: Team<'_>) -> Result<u64, EngineError> {
        let ranks = team.size() as u64;
        let needed = if ranks == 1 { self.least_memory_bytes() } else { self.memory_bytes(ranks) };
        let limit = limits.memory_bytes();
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
        team: Team<'b>,
    ) -> Result<Session<'b, S>, EngineError> {
        let store = self.open()?;
        let looked = Cell::new(0);
        let is_mine = |_: &Path| team.is_mine(looked.replace(looked.get() + 1));
        check_sound(&store, &is_mine, control)?;
        let kept = self.kept(&store);
        let (held, done, own) = (S::Held::default(), AtomicU64::new(0), AtomicU64::new(0));
        Ok(Session {
            build: self,
            team,
            store,
            is_stale: false,
            kept,
            held,
            budget,
            done,
            own,
            deadline,
            control,
        })
    }

    /// Refuses ranks that are about to do something else, or elsewhere; then the folders are there.
    fn agree(&self, limits: &Limits, team: Team<'_>) -> Result<(), EngineError> {
        let ids = || self.plan.layers().map(|layer| self.layers.id(layer));
        let rules = ids().next().map(|id| id.plan().identity.rules.to_string()).unwrap_or_default();
        let layers: Vec<String> = ids().map(|id| format!("{} {}", id.name, id.slots)).collect();
        let (game, variant, slots) = (S::GAME, self.layers.variant(), self.plan.slots());
        let print = Fingerprint::of(&layers.join("\n"));
        let plan = format!("{game} {variant}: {} layers, {slots} slots, {print}", layers.len());
        team.agree_on_work(&rules, &plan, limits)?;
        team.by_the_first(|| self.prepare())?;
        team.agree_on_folder(self.site.out)
    }

    /// Brings all layers into the form that was asked for, and writes the lists beside the tables.
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

    /// What is there now.
    ///
    /// * `kept`: how many layers were there before.
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

    fn run(
        &self,
        limits: &Limits,
        control: &Control<'_>,
        team: Team<'_>,
    ) -> Result<BuildReport, EngineError> {
        let begun = Instant::now();
        // What does not fit leaves no folder behind.
        let budget = team.together(self.allowed(limits, team))? - self.layers.base_bytes();
        self.agree(limits, team)?;
        let mut session = team.together(self.begin(budget, limits.deadline(control), control, team))?;
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

/// A build under way.
struct Session<'a, S: Solving> {
    build: &'a Build<'a, S>,
    team: Team<'a>,
    store: Store,
    /// Whether files were written since the store was opened.
    is_stale: bool,
    /// The layers that need not be built.
    kept: BTreeSet<S::Layer>,
    /// Layers in memory, as far as the budget goes.
    held: S::Held,
    /// Bytes for cells.
    budget: u64,
    /// Slots that are finished, by whomever.
    done: AtomicU64,
    /// Slots that this rank solved.
    own: AtomicU64,
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
                if self.team.is_first() {
                    self.build.checkpoint(bundle).remove();
                }
                self.done.fetch_add(bundle.slots(), Relaxed);
            } else {
                open.push(bundle);
            }
        }
        let Shares { mut alone, joint } = self.shares(&open);
        let solved = self.alone(alone.swap_remove(self.team.peers.rank().index()));
        self.team.together(solved)?;
        // The others have written files, too.
        self.is_stale = true;
        joint.into_iter().try_for_each(|bundle| self.joint(bundle))
    }

    /// Who solves what of some bundles; the same for all ranks.
    fn shares<'b>(&self, open: &[&'b Bundle<S::Layer>]) -> Shares<&'b Bundle<S::Layer>> {
        let (layers, ranks) = (&self.build.layers, self.team.size() as u64);
        let fits = |bundle: &Bundle<S::Layer>| {
            layers.bytes_among(bundle, ranks).is_some_and(|bytes| bytes <= self.budget)
        };
        let is_large = |bundle: &Bundle<S::Layer>| bundle.slots() >= JOINT_SLOTS;
        let joins = |bundle: &Bundle<S::Layer>| is_large(bundle) && fits(bundle);
        let must_join = |bundle: &Bundle<S::Layer>| ranks > 1 && layers.bytes_of(bundle) > self.budget;
        share_out(open, self.team.size(), Bundle::slots, joins, must_join)
    }

    /// Solves a bundle together with all other ranks.
    fn joint(&mut self, bundle: &Bundle<S::Layer>) -> Result<(), EngineError> {
        self.held.keep(&|layer| bundle.below.contains(&layer));
        let loaded = bundle.below.iter().try_for_each(|&layer| self.load(layer));
        self.team.together(loaded)?;
        let checkpoint = self.build.checkpoint(bundle);
        let job = self.job(&checkpoint, 0);
        let solved = self.build.layers.solve_among(bundle, &self.held, &job, self.team.peers);
        self.team.together(solved)?;
        if self.team.is_first() {
            checkpoint.remove();
        }
        self.is_stale = true;
        self.done.fetch_add(bundle.slots(), Relaxed);
        self.own.fetch_add(bundle.slots() / self.team.size() as u64, Relaxed);
        Ok(())
    }

    /// Solves bundles that do not lead to each other, without other ranks.
    fn alone(&mut self, mut open: Vec<&Bundle<S::Layer>>) -> Result<(), EngineError> {
        while !open.is_empty() {
            let together = self.side_by_side(&open);
            let rest = open.split_off(together);
            self.solve(&open)?;
            open = rest;
        }
        Ok(())
    }

    /// The finished layers, each with what tells its table from others.
    fn tables(&self) -> Vec<(String, String)> {
        let table = |layer: S::Layer| {
            let found = self.build.layers.find(&self.store, layer);
            let print = found.and_then(|table| table.header().streams.first()).map(|stream| stream.content);
            let print = print.map_or_else(|| "none".to_owned(), |print| print.to_string());
            (self.build.layers.id(layer).path().display().to_string(), print)
        };
        self.build.plan.layers().map(table).collect()
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
        if self.is_stale {
            self.store = self.reopened(layer)?;
            self.is_stale = false;
        }
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

    fn job<'b>(&'b self, checkpoint: &'b Checkpoint, room: u64) -> Job<'b> {
        Job {
            out: self.build.site.out,
            store: &self.store,
            room,
            strips: None,
            checkpoint,
            deadline: self.deadline,
            control: self.control,
            done: &self.done,
            total: self.build.plan.slots(),
        }
    }

    /// The folder as it is now, with a layer that a rank on another machine may have written a moment ago.
    fn reopened(&self, layer: S::Layer) -> Result<Store, EngineError> {
        let open = || self.build.open().map(|store| (self.build.layers.find(&store, layer).is_some(), store));
        let complete = || open().ok().filter(|(has_it, _)| *has_it).map(|(_, store)| store);
        self.team.patiently(complete).map_or_else(|| self.build.open(), Ok)
    }

    /// Solves a bundle and writes its files; the result is what of it is worth being held.
    ///
    /// * `room`: bytes that it may take besides what it must have.
    fn bundle(&self, bundle: &Bundle<S::Layer>, room: u64) -> Result<S::Held, EngineError> {
        let checkpoint = self.build.checkpoint(bundle);
        let strips = self.build.strips(bundle, self.budget);
        let job = Job { strips, ..self.job(&checkpoint, room) };
        let held = self.build.layers.solve(bundle, &self.held, &job)?;
        checkpoint.remove();
        self.done.fetch_add(bundle.slots(), Relaxed);
        self.own.fetch_add(bundle.slots(), Relaxed);
        Ok(held)
    }
}
