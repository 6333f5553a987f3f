//! A build: bundle after bundle, each written as files as soon as it is solved.
//!
//! Bundles that do not lead to each other are solved side by side while they are small; a large one has all
//! threads for itself.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use marquis_core::Indexed as _;
use marquis_retro::layered::Layer;
use marquis_retro::{Bundle, Layers, Plan, Stopped};
use marquis_table::{BlockCache, Store};
use rayon::prelude::*;

use super::checkpoint::Checkpoint;
use super::common;
use crate::error::file_error;
use crate::files::scores::{read_layer, write_layer};
use crate::files::store::open_store;
use crate::game::tabled::{LayerOf, Tabled, Work, layer_id};
use crate::make::prepared::{PreparedBuild, Site};
use crate::wire::reports::{BuildPlan, BuildReport, PlannedLayer, TableInfo};
use crate::{Control, EngineError, Limits, Progress};

/// Blocks of decoded cells that a build keeps.
const CACHE_BYTES: usize = 64 << 20;
/// Bytes a slot of a finished layer in memory.
const FINISHED_BYTES: u64 = 1;
/// Bytes a slot while a finished layer is read from its file: between the one of a score that fits a byte and the
/// five of a longer game's, which are its value, its plies and the cell.
const READING_BYTES: u64 = 3;
/// What a build takes besides: the program, block cache, packing buffers of all threads.
const BASE_BYTES: u64 = 160 << 20;
/// About how many slots a byte of a finished file holds.
const SLOTS_PER_DISK_BYTE: u64 = 4;
/// A file without any cells.
const FILE_BYTES: u64 = 300;
/// Bundles of fewer slots are solved side by side.
const SMALL_SLOTS: u64 = 1 << 20;

/// An index, the plan for its layers, and where the files go.
pub(crate) struct Build<'a, G: Tabled> {
    index: G::Index,
    plan: Plan<LayerOf<G>>,
    site: Site<'a>,
}

impl<'a, G: Tabled> Build<'a, G> {
    pub(crate) fn new((index, wanted): (G::Index, Vec<LayerOf<G>>), site: Site<'a>) -> Self {
        let plan = Plan::new(&index, wanted);
        Self { index, plan, site }
    }

    fn store(&self) -> Result<Store, EngineError> {
        std::fs::create_dir_all(self.site.out).map_err(|error| file_error(self.site.out, &error))?;
        open_store(self.site.rules, self.site.out, &Arc::new(BlockCache::new(CACHE_BYTES)))
    }

    fn find<'s>(
        &self,
        store: &'s Store,
        layer: LayerOf<G>,
    ) -> Option<&'s marquis_table::Table<std::fs::File>> {
        store.find(G::ID.name(), &G::variant(&self.index), &G::layer_name(layer))
    }

    fn is_finished(&self, store: &Store, bundle: &Bundle<LayerOf<G>>) -> bool {
        bundle.layers.iter().all(|&layer| self.find(store, layer).is_some())
    }

    fn checkpoint(&self, bundle: &Bundle<LayerOf<G>>) -> Checkpoint<'_, G> {
        Checkpoint::new(&self.index, &bundle.layers, self.site.out, self.site.checkpoint_every)
    }

    /// Bytes while a bundle is solved, with the layers that it leads to in memory.
    fn bytes_of(&self, bundle: &Bundle<LayerOf<G>>) -> u64 {
        let below = bundle.below.iter().map(|&layer| self.index.slots(layer));
        let largest = below.clone().max().unwrap_or(0);
        let finished = below.sum::<u64>() * FINISHED_BYTES;
        finished
            + G::solving_bytes(&self.index, &bundle.layers).max(largest * (READING_BYTES - FINISHED_BYTES))
    }

    /// The most memory at a time, however little is kept.
    fn memory_bytes(&self) -> u64 {
        let largest = self.plan.bundles.iter().map(|bundle| self.bytes_of(bundle)).max().unwrap_or(0);
        BASE_BYTES + G::index_bytes(&self.index) + largest
    }

    fn report(&self, kept: usize, begun: Instant) -> Result<BuildReport, EngineError> {
        let names: BTreeSet<String> = self.plan.layers().map(|layer| G::layer_name(layer)).collect();
        let variant = G::variant(&self.index);
        let own = |info: &TableInfo| {
            info.game == G::ID.name() && info.variant == variant && names.contains(&info.layer)
        };
        common::report(&self.store()?, own, kept, begun)
    }
}

impl<G: Tabled> PreparedBuild for Build<'_, G> {
    fn is_begun(&self) -> bool {
        self.site.out.join(G::folder(&self.index)).is_dir()
    }

    fn plan(&self) -> Result<BuildPlan, EngineError> {
        let store = if self.site.out.exists() { Some(self.store()?) } else { None };
        let planned = |(&layer, &slots): (&LayerOf<G>, &u64)| PlannedLayer {
            layer: G::layer_name(layer),
            slots,
            finished: store.as_ref().is_some_and(|store| self.find(store, layer).is_some()),
        };
        let layers: Vec<PlannedLayer> = self
            .plan
            .bundles
            .iter()
            .flat_map(|bundle| bundle.layers.iter().zip(&bundle.slots))
            .map(planned)
            .collect();
        Ok(BuildPlan {
            game: G::ID.name().to_owned(),
            variant: G::variant(&self.index),
            slots: self.plan.slots(),
            memory_bytes: self.memory_bytes(),
            disk_bytes: self.plan.slots() / SLOTS_PER_DISK_BYTE + FILE_BYTES * layers.len() as u64,
            layers,
        })
    }

    fn run(&self, limits: &Limits, control: &Control<'_>) -> Result<BuildReport, EngineError> {
        let begun = Instant::now();
        let name = format!("{} {}", G::ID, G::variant(&self.index));
        let limit = common::allow(&name, self.memory_bytes(), limits)?;
        common::prepare(self.site.out, &self.site.out.join(G::folder(&self.index)))?;
        let store = self.store()?;
        common::check_sound(&store, &|_| true, control)?;
        let kept: usize = self.plan.layers().filter(|&layer| self.find(&store, layer).is_some()).count();
        let mut session = Session {
            build: self,
            store,
            finished: Layers::default(),
            budget: limit - BASE_BYTES - G::index_bytes(&self.index),
            done: AtomicU64::new(0),
            limits,
            control,
        };
        for wave in self.plan.waves() {
            session.wave(&wave)?;
        }
        self.report(kept, begun)
    }
}

/// A build under way.
struct Session<'a, G: Tabled> {
    build: &'a Build<'a, G>,
    store: Store,
    /// Layers in memory, as far as the budget goes.
    finished: Layers<LayerOf<G>>,
    /// Bytes for cells.
    budget: u64,
    done: AtomicU64,
    limits: &'a Limits,
    control: &'a Control<'a>,
}

impl<G: Tabled> Session<'_, G> {
    fn wave(&mut self, wave: &[&Bundle<LayerOf<G>>]) -> Result<(), EngineError> {
        let mut open: Vec<&Bundle<LayerOf<G>>> = Vec::new();
        for &bundle in wave {
            if self.build.is_finished(&self.store, bundle) {
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
    fn side_by_side(&self, open: &[&Bundle<LayerOf<G>>]) -> usize {
        let (mut slots, mut bytes) = (0, 0);
        let fits = |bundle: &&&Bundle<LayerOf<G>>| {
            slots += bundle.slots();
            bytes += self.build.bytes_of(bundle);
            slots <= SMALL_SLOTS && bytes <= self.budget
        };
        open.iter().take_while(fits).count().max(1)
    }

    fn solve(&mut self, bundles: &[&Bundle<LayerOf<G>>]) -> Result<(), EngineError> {
        self.make_room(bundles);
        let below: BTreeSet<LayerOf<G>> =
            bundles.iter().flat_map(|bundle| bundle.below.iter().copied()).collect();
        for layer in below {
            self.load(layer)?;
        }
        let solved: Result<Vec<_>, EngineError> =
            bundles.par_iter().map(|bundle| self.bundle(bundle)).collect();
        for layer in solved?.into_iter().flatten() {
            self.finished.insert(layer.layer, layer.cells);
        }
        Ok(())
    }

    /// Lets go of layers that these bundles do not lead to, where the budget asks for it.
    fn make_room(&mut self, bundles: &[&Bundle<LayerOf<G>>]) {
        let index = &self.build.index;
        let held: u64 = self.finished.layers().map(|layer| index.slots(layer) * FINISHED_BYTES).sum();
        let needed: u64 = bundles.iter().map(|bundle| self.build.bytes_of(bundle)).sum();
        if held + needed > self.budget {
            self.finished.retain(|layer| bundles.iter().any(|bundle| bundle.below.contains(&layer)));
        }
    }

    /// Takes a finished layer from its file, if it is not in memory.
    fn load(&mut self, layer: LayerOf<G>) -> Result<(), EngineError> {
        if self.finished.get(layer).is_some() {
            return Ok(());
        }
        let full = self.build.site.out.join(layer_id::<G>(&self.build.index, layer).path());
        if self.build.find(&self.store, layer).is_none() {
            self.store = self.build.store()?;
        }
        let table = self.build.find(&self.store, layer).ok_or_else(|| EngineError::File {
            path: full.clone(),
            message: "expected the finished layer, found no usable file; build again".to_owned(),
        })?;
        // Before they are read: a small file may promise more slots than memory holds.
        let (expected, found) = (self.build.index.slots(layer), table.header().slots);
        if expected != found {
            let message = format!("expected {expected} slots, found {found}; remove it and build again");
            return Err(EngineError::File { path: full, message });
        }
        let cells = read_layer(table).map_err(|error| file_error(&full, &error))?;
        self.finished.insert(layer, cells);
        Ok(())
    }

    /// Solves a bundle and writes its files.
    fn bundle(&self, bundle: &Bundle<LayerOf<G>>) -> Result<Vec<Layer<LayerOf<G>>>, EngineError> {
        let index = &self.build.index;
        let total = self.build.plan.slots();
        let phase = || format!("{} {} {}", G::ID, G::variant(index), G::layer_name(bundle.layers[0]));
        let tell = |progress: marquis_retro::SolveProgress| {
            let done = self.done.load(Relaxed) + progress.done / 2;
            self.control.tell(&Progress { phase: phase(), done, total: Some(total), bounds: None });
        };
        let limits = marquis_retro::SolveLimits {
            states: usize::MAX,
            deadline: self.limits.deadline(),
            stop: self.control.flag(),
        };
        let checkpoint = self.build.checkpoint(bundle);
        let kept = checkpoint.load();
        let lower = &self.finished;
        let work = Work { lower, kept, keeper: &checkpoint, limits: &limits, progress: &tell };
        let solved = G::solve_layer(index, bundle.layers[0], work).map_err(stopped)?;
        for layer in &solved {
            let id = layer_id::<G>(index, layer.layer);
            let path = self.build.site.out.join(id.path());
            write_layer(&id, &layer.cells, &path).map_err(|error| file_error(&path, &error))?;
        }
        checkpoint.remove();
        self.done.fetch_add(bundle.slots(), Relaxed);
        Ok(solved)
    }
}

fn stopped(stopped: Stopped) -> EngineError {
    match stopped {
        Stopped::Interrupted => EngineError::Interrupted,
        other => EngineError::LimitReached(format!("{other}; finished layers are kept")),
    }
}
