//! A build: bundle after bundle, each written as files as soon as it is solved.
//!
//! Bundles that do not lead to each other are solved side by side while they are small; a large one has all
//! threads for itself.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use marquis_retro::layered::Layer;
use marquis_retro::{Bundle, Layers, Plan, Stopped};
use marquis_table::{BlockCache, Store};
use rayon::prelude::*;

use super::CACHE_BYTES;
use super::checkpoint::Checkpoint;
use super::common;
use crate::facade::file_error;
use crate::layer_file::{layer_path, read_layer, write_layer};
use crate::reports::{BuildPlan, BuildReport, PlannedLayer, TableInfo};
use crate::tabled::{Tabled, Work};
use crate::tables::open_store;
use crate::{Control, EngineError, Limits, Progress};

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
pub(super) struct Build<'a, G: Tabled> {
    game: G,
    plan: Plan<G::Layer>,
    out: &'a Path,
    checkpoint_every: Duration,
}

impl<'a, G: Tabled> Build<'a, G> {
    pub(super) fn new((game, wanted): (G, Vec<G::Layer>), out: &'a Path, checkpoint_every: Duration) -> Self {
        let plan = Plan::new(&game, wanted);
        Self { game, plan, out, checkpoint_every }
    }

    fn store(&self) -> Result<Store, EngineError> {
        std::fs::create_dir_all(self.out).map_err(|error| file_error(self.out, &error))?;
        open_store(self.out, &Arc::new(BlockCache::new(CACHE_BYTES)))
    }

    fn find<'s>(&self, store: &'s Store, layer: G::Layer) -> Option<&'s marquis_table::Table<std::fs::File>> {
        store.find(self.game.game_name(), &self.game.variant(), &self.game.layer_name(layer))
    }

    fn is_finished(&self, store: &Store, bundle: &Bundle<G::Layer>) -> bool {
        bundle.layers.iter().all(|&layer| self.find(store, layer).is_some())
    }

    fn checkpoint(&self, bundle: &Bundle<G::Layer>) -> Checkpoint<'_, G> {
        Checkpoint::new(&self.game, &bundle.layers, self.out, self.checkpoint_every)
    }

    /// Bytes while a bundle is solved, with the layers that it leads to in memory.
    fn bytes_of(&self, bundle: &Bundle<G::Layer>) -> u64 {
        let below = bundle.below.iter().map(|&layer| self.game.slots(layer));
        let largest = below.clone().max().unwrap_or(0);
        let finished = below.sum::<u64>() * FINISHED_BYTES;
        finished + self.game.solving_bytes(&bundle.layers).max(largest * (READING_BYTES - FINISHED_BYTES))
    }

    /// The most memory at a time, however little is kept.
    fn memory_bytes(&self) -> u64 {
        let largest = self.plan.bundles.iter().map(|bundle| self.bytes_of(bundle)).max().unwrap_or(0);
        BASE_BYTES + self.game.bytes() + largest
    }

    pub(super) fn plan(&self) -> Result<BuildPlan, EngineError> {
        let store = if self.out.exists() { Some(self.store()?) } else { None };
        let planned = |(&layer, &slots): (&G::Layer, &u64)| PlannedLayer {
            layer: self.game.layer_name(layer),
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
            game: self.game.game_name().to_owned(),
            variant: self.game.variant(),
            slots: self.plan.slots(),
            memory_bytes: self.memory_bytes(),
            disk_bytes: self.plan.slots() / SLOTS_PER_DISK_BYTE + FILE_BYTES * layers.len() as u64,
            layers,
        })
    }

    pub(super) fn run(&self, limits: &Limits, control: &Control<'_>) -> Result<BuildReport, EngineError> {
        let begun = Instant::now();
        let name = format!("{} {}", self.game.game_name(), self.game.variant());
        let limit = common::allow(&name, self.memory_bytes(), limits)?;
        common::prepare(self.out, &self.out.join(self.game.folder()))?;
        let store = self.store()?;
        common::check_sound(&store, &|_| true, control)?;
        let kept: usize = self.plan.layers().filter(|&layer| self.find(&store, layer).is_some()).count();
        let mut session = Session {
            build: self,
            store,
            finished: Layers::default(),
            budget: limit - BASE_BYTES - self.game.bytes(),
            done: AtomicU64::new(0),
            limits,
            control,
        };
        for wave in self.plan.waves() {
            session.wave(&wave)?;
        }
        self.report(kept, begun)
    }

    fn report(&self, kept: usize, begun: Instant) -> Result<BuildReport, EngineError> {
        let names: BTreeSet<String> = self.plan.layers().map(|layer| self.game.layer_name(layer)).collect();
        let variant = self.game.variant();
        let own = |info: &TableInfo| {
            info.game == self.game.game_name() && info.variant == variant && names.contains(&info.layer)
        };
        common::report(&self.store()?, own, kept, begun)
    }
}

/// A build under way.
struct Session<'a, G: Tabled> {
    build: &'a Build<'a, G>,
    store: Store,
    /// Layers in memory, as far as the budget goes.
    finished: Layers<G::Layer>,
    /// Bytes for cells.
    budget: u64,
    done: AtomicU64,
    limits: &'a Limits,
    control: &'a Control<'a>,
}

impl<G: Tabled> Session<'_, G> {
    fn wave(&mut self, wave: &[&Bundle<G::Layer>]) -> Result<(), EngineError> {
        let mut open: Vec<&Bundle<G::Layer>> = Vec::new();
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
    fn side_by_side(&self, open: &[&Bundle<G::Layer>]) -> usize {
        let (mut slots, mut bytes) = (0, 0);
        let fits = |bundle: &&&Bundle<G::Layer>| {
            slots += bundle.slots();
            bytes += self.build.bytes_of(bundle);
            slots <= SMALL_SLOTS && bytes <= self.budget
        };
        open.iter().take_while(fits).count().max(1)
    }

    fn solve(&mut self, bundles: &[&Bundle<G::Layer>]) -> Result<(), EngineError> {
        self.make_room(bundles);
        let below: BTreeSet<G::Layer> =
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
    fn make_room(&mut self, bundles: &[&Bundle<G::Layer>]) {
        let game = &self.build.game;
        let held: u64 = self.finished.layers().map(|layer| game.slots(layer) * FINISHED_BYTES).sum();
        let needed: u64 = bundles.iter().map(|bundle| self.build.bytes_of(bundle)).sum();
        if held + needed > self.budget {
            self.finished.retain(|layer| bundles.iter().any(|bundle| bundle.below.contains(&layer)));
        }
    }

    /// Takes a finished layer from its file, if it is not in memory.
    fn load(&mut self, layer: G::Layer) -> Result<(), EngineError> {
        if self.finished.get(layer).is_some() {
            return Ok(());
        }
        let path = layer_path(&self.build.game, layer);
        let full = self.build.out.join(&path);
        if self.build.find(&self.store, layer).is_none() {
            self.store = self.build.store()?;
        }
        let table = self.build.find(&self.store, layer).ok_or_else(|| EngineError::File {
            path: full.clone(),
            message: "expected the finished layer, found no usable file; build again".to_owned(),
        })?;
        // Before they are read: a small file may promise more slots than memory holds.
        let (expected, found) = (self.build.game.slots(layer), table.header().slots);
        if expected != found {
            let message = format!("expected {expected} slots, found {found}; remove it and build again");
            return Err(EngineError::File { path: full, message });
        }
        let cells = read_layer(table).map_err(|error| file_error(&full, &error))?;
        self.finished.insert(layer, cells);
        Ok(())
    }

    /// Solves a bundle and writes its files.
    fn bundle(&self, bundle: &Bundle<G::Layer>) -> Result<Vec<Layer<G::Layer>>, EngineError> {
        let game = &self.build.game;
        let total = self.build.plan.slots();
        let phase =
            || format!("{} {} {}", game.game_name(), game.variant(), game.layer_name(bundle.layers[0]));
        let tell = |progress: marquis_retro::Progress| {
            let done = self.done.load(Relaxed) + progress.done / 2;
            self.control.tell(&Progress { phase: phase(), done, total: Some(total), bounds: None });
        };
        let limits = marquis_retro::Limits {
            states: usize::MAX,
            deadline: self.limits.deadline(),
            stop: self.control.flag(),
        };
        let checkpoint = self.build.checkpoint(bundle);
        let kept = checkpoint.load();
        let lower = &self.finished;
        let work = Work { lower, kept, keeper: &checkpoint, limits: &limits, progress: &tell };
        let solved = game.solve(bundle.layers[0], work).map_err(stopped)?;
        for layer in &solved {
            let path = self.build.out.join(layer_path(game, layer.layer));
            write_layer(game, layer, &path).map_err(|error| file_error(&path, &error))?;
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
