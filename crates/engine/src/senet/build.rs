//! Plan and build of the layers of Senet.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use marquis_chance::grid::{Cell, Grids, Guess};
use marquis_games::notation::TextError;
use marquis_games::senet::{self, Layer};
use marquis_table::store::remove_unfinished;
use marquis_table::{BlockCache, Store};

use super::checkpoint::Checkpoint;
use super::file::{GAME, LoadedLayer, VARIANT, layer_name, layer_named, layer_path, write};
use super::iterating::{Ending, close, first_guess, guesses, settle};
use super::layout::SenetLayout;
use super::solving::{
    Bundle, Edges, Precision, Sides, bound_grids, edge_of_files, edges, estimate_grids, gap_below, layouts,
    swapped,
};
use crate::build::BuildQuery;
use crate::facade::file_error;
use crate::reports::{BuildPlan, BuildReport, PlannedLayer};
use crate::tables::{infos, open_store};
use crate::{Control, EngineError, Limits, Progress};

/// What a build takes besides bounds: the program, edges, masks of columns, packing buffers.
const BASE_BYTES: u64 = 512 << 20;
const CACHE_BYTES: usize = 16 << 20;
/// The bytes of a chance in a file.
const FILE_CELL_BYTES: u64 = 4;

/// The largest layer that is asked for.
fn largest(query: &BuildQuery) -> Result<Layer, EngineError> {
    if query.side.is_some() {
        return Err(TextError::new("side", "none, since Senet has one board", "a side").into());
    }
    if let Some(from) = &query.from {
        let (_, position) = senet::parse(from)?;
        let over = || TextError::new("from", "a position that is not over", from.as_str());
        return Ok(Layer::of(&position).ok_or_else(over)?);
    }
    let text = query.pieces.as_deref().unwrap_or("5v5");
    let bad = || TextError::new("pieces", "pieces of both players, 1 to 5 each, such as `3v3`", text);
    Ok(layer_named(text).ok_or_else(bad)?)
}

/// All bundles of a build, those with fewer pieces first.
fn bundles(query: &BuildQuery) -> Result<Vec<Bundle>, EngineError> {
    let top = largest(query)?;
    let (most, least) = (top.mover.max(top.waiter), top.mover.min(top.waiter));
    let mut bundles = Vec::new();
    for mover in 1..=most {
        for waiter in 1..=mover.min(least) {
            bundles.push(Bundle { layer: Layer { mover, waiter } });
        }
    }
    bundles.sort_by_key(|bundle| (bundle.layer.mover + bundle.layer.waiter, bundle.layer.mover));
    Ok(bundles)
}

/// Bytes while a bundle is solved: both bounds, as rows and as columns, and the estimates.
fn bytes_of(bundle: Bundle) -> u64 {
    let cell = match bundle.precision() {
        Precision::Fine => 8,
        Precision::Coarse => 4,
    };
    bundle.cells() * cell * 5
}

fn memory_bytes(bundles: &[Bundle]) -> u64 {
    BASE_BYTES + bundles.iter().map(|&bundle| bytes_of(bundle)).max().unwrap_or(0)
}

fn open(out: &Path) -> Result<Store, EngineError> {
    open_store(out, &Arc::new(BlockCache::new(CACHE_BYTES)))
}

fn is_finished(store: &Store, layer: Layer) -> bool {
    store.find(GAME, VARIANT, &layer_name(layer)).is_some()
}

/// The layers, slots, memory and disk space of a build.
pub(crate) fn plan(query: &BuildQuery, out: &Path) -> Result<BuildPlan, EngineError> {
    let bundles = bundles(query)?;
    let store = if out.exists() { Some(open(out)?) } else { None };
    let layers: Vec<PlannedLayer> = bundles
        .iter()
        .flat_map(|bundle| bundle.layers())
        .map(|layer| PlannedLayer {
            layer: layer_name(layer),
            slots: layer.slots(),
            finished: store.as_ref().is_some_and(|store| is_finished(store, layer)),
        })
        .collect();
    let slots = layers.iter().map(|layer| layer.slots).sum();
    Ok(BuildPlan {
        game: GAME.to_owned(),
        variant: VARIANT.to_owned(),
        layers,
        slots,
        memory_bytes: memory_bytes(&bundles),
        disk_bytes: slots * FILE_CELL_BYTES,
    })
}

/// Builds every layer of a plan that has no finished file yet.
pub(crate) fn generate(
    query: &BuildQuery,
    out: &Path,
    checkpoint_every: Duration,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<BuildReport, EngineError> {
    let begun = Instant::now();
    let bundles = bundles(query)?;
    let (needed, limit) = (memory_bytes(&bundles), limits.memory_bytes());
    if needed > limit {
        let what = format!("this build of {GAME}");
        return Err(EngineError::TooLarge { what, needed, limit });
    }
    let folder = out.join(GAME);
    std::fs::create_dir_all(&folder).map_err(|error| file_error(&folder, &error))?;
    for folder in [out, &folder] {
        remove_unfinished(folder).map_err(|error| file_error(folder, &error))?;
    }
    let store = open(out)?;
    let mut session = Session {
        out,
        sides: Sides::new(bundles.iter().map(|bundle| bundle.layer.mover).max().unwrap_or(1)),
        edges: Edges::new(),
        checkpoint_every,
        deadline: limits.deadline(),
        control,
        done: 0,
        total: bundles.iter().map(|bundle| bundle.slots()).sum(),
    };
    let mut kept = 0;
    for &bundle in &bundles {
        if bundle.layers().into_iter().all(|layer| is_finished(&store, layer)) {
            kept += bundle.layers().len();
            session.take_up(&store, bundle)?;
        } else {
            session.solve(bundle)?;
        }
        session.done += bundle.slots();
    }
    let store = open(out)?;
    store.write_b3sums().map_err(|error| file_error(out, &error))?;
    let mut tables = infos(&store);
    let names: Vec<String> = bundles.iter().flat_map(|bundle| bundle.layers()).map(layer_name).collect();
    tables.retain(|info| info.game == GAME && names.contains(&info.layer));
    Ok(BuildReport { tables, kept, seconds: begun.elapsed().as_secs_f64() })
}

/// A build under way.
struct Session<'a> {
    out: &'a Path,
    sides: Sides,
    edges: Edges,
    checkpoint_every: Duration,
    deadline: Option<Instant>,
    control: &'a Control<'a>,
    done: u64,
    total: u64,
}

impl Session<'_> {
    /// Takes a finished bundle from its files.
    fn take_up(&mut self, store: &Store, bundle: Bundle) -> Result<(), EngineError> {
        Checkpoint::new(bundle, self.out, self.checkpoint_every).remove();
        let mut loaded = Vec::new();
        for layer in bundle.layers() {
            let path = self.out.join(layer_path(layer));
            let missing = || "expected a finished layer, found none; build again".to_owned();
            let table = store.find(GAME, VARIANT, &layer_name(layer)).ok_or_else(missing);
            let read = table.and_then(LoadedLayer::read);
            loaded.push(read.map_err(|message| EngineError::File { path, message })?);
        }
        for file in &loaded {
            let swap = loaded.iter().find(|other| other.layer == swapped(file.layer)).unwrap_or(file);
            self.edges.insert(file.layer, edge_of_files(&self.sides, file, swap));
        }
        Ok(())
    }

    /// Solves a bundle and writes its files.
    fn solve(&mut self, bundle: Bundle) -> Result<(), EngineError> {
        let layouts = layouts(&self.sides, bundle);
        let edges = Solving { session: self, bundle, layouts: &layouts }.run()?;
        self.edges.extend(edges);
        Ok(())
    }
}

/// A bundle being solved.
struct Solving<'a> {
    session: &'a Session<'a>,
    bundle: Bundle,
    layouts: &'a [SenetLayout<'a>],
}

/// How far from the truth estimates in numbers of four bytes are worth being, where those of eight bytes follow.
const COARSE_ERROR: f64 = 1e-7;
/// The part of the room for the guesses that the estimates may use up.
const ESTIMATE_SHARE: f64 = 0.1;
/// How often estimates that do not lead to bounds are improved before bounds are found without them.
const ATTEMPTS: usize = 3;

impl<'a> Solving<'a> {
    fn run(&self) -> Result<Edges, EngineError> {
        let Session { sides, edges, .. } = self.session;
        let mut coarse = estimate_grids::<u32>(sides, self.layouts, self.bundle, edges);
        first_guess(sides, self.bundle, &mut coarse);
        match self.bundle.precision() {
            Precision::Coarse => {
                let mut checkpoint = self.checkpoint();
                checkpoint.load(&mut coarse);
                self.finish(coarse, &mut checkpoint)
            }
            Precision::Fine => {
                let mut fine = estimate_grids::<u64>(sides, self.layouts, self.bundle, edges);
                let mut checkpoint = self.checkpoint();
                if !checkpoint.load(&mut fine) {
                    checkpoint.load(&mut coarse);
                    self.estimate(&mut coarse, COARSE_ERROR, &mut checkpoint)?;
                    let estimates = coarse.into_estimates();
                    fine.set(|half, row, column| estimates[half].at(row, column).map(u64::floor_of));
                }
                self.finish(fine, &mut checkpoint)
            }
        }
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint::new(self.bundle, self.session.out, self.session.checkpoint_every)
    }

    /// Sweeps until the estimates seem to be as good as asked for, or as they get.
    fn estimate<C: Cell>(
        &self,
        grids: &mut Grids<'a, C, 1>,
        goal: f64,
        checkpoint: &mut Checkpoint,
    ) -> Result<(), EngineError> {
        let ending = settle(grids, goal, self.session.control.flag(), &mut |grids, sweep, error| {
            if checkpoint.is_due() {
                checkpoint.keep(grids);
            }
            self.tell(&format!("sweep {sweep}, estimates off by some {error:.1e}"))
        });
        if ending == Ending::Stopped {
            checkpoint.keep(grids);
            return Err(self.stopped());
        }
        Ok(())
    }

    /// Brings estimates to their end, finds bounds and writes the files.
    fn finish<C: Cell>(
        &self,
        mut grids: Grids<'a, C, 1>,
        checkpoint: &mut Checkpoint,
    ) -> Result<Edges, EngineError> {
        let Session { sides, edges, .. } = self.session;
        let (goal, below) = (self.bundle.goal(), gap_below(self.bundle, edges));
        let mut share = ESTIMATE_SHARE;
        for _ in 0..ATTEMPTS {
            self.estimate(&mut grids, share * (goal - below).max(0.0), checkpoint)?;
            let guesses = guesses(sides, self.bundle, grids.into_estimates(), below, goal);
            let mut bounds = bound_grids::<C>(sides, self.layouts, self.bundle, edges);
            bounds.suppose(&guesses);
            if let Some(gap) = self.close(&mut bounds, Some(&guesses), goal)? {
                return self.write(&bounds, gap, checkpoint);
            }
            drop(bounds);
            share /= 10.0;
            grids = estimate_grids::<C>(sides, self.layouts, self.bundle, edges);
            grids.set(|half, row, column| guesses[half].estimates.at(row, column));
        }
        drop(grids);
        // Slow, and right whatever the estimates were.
        let mut bounds = bound_grids::<C>(sides, self.layouts, self.bundle, edges);
        let gap = self.close(&mut bounds, None, goal)?.unwrap_or(1.0);
        self.write(&bounds, gap, checkpoint)
    }

    /// Brings bounds close; the result is how far they are apart, or none where guesses were not confirmed.
    fn close<C: Cell>(
        &self,
        bounds: &mut Grids<'a, C, 2>,
        guesses: Option<&[Guess<C>]>,
        goal: f64,
    ) -> Result<Option<f64>, EngineError> {
        let flag = self.session.control.flag();
        let mut tell = |sweep, gap| self.tell(&format!("sweep {sweep} of the bounds, {gap:.1e} apart"));
        match close(bounds, guesses, goal, flag, &mut tell) {
            Ending::Met(gap) => Ok(Some(gap)),
            Ending::Stalled => Ok(None),
            Ending::Stopped => Err(self.stopped()),
        }
    }

    /// Tells how far the work is; the result is whether to go on.
    fn tell(&self, what: &str) -> bool {
        let Session { control, deadline, done, total, .. } = *self.session;
        let phase = format!("{GAME} {}, {what}", layer_name(self.bundle.layer));
        control.tell(&Progress { phase, done, total: Some(total), bounds: None });
        deadline.is_none_or(|deadline| Instant::now() < deadline)
    }

    fn stopped(&self) -> EngineError {
        if self.session.control.stopped() {
            EngineError::Interrupted
        } else {
            let name = layer_name(self.bundle.layer);
            EngineError::LimitReached(format!("time is up at layer {name}; what was finished is kept"))
        }
    }

    /// Writes the files; the result is what other layers need.
    fn write<C: Cell>(
        &self,
        grids: &Grids<'a, C, 2>,
        gap: f64,
        checkpoint: &Checkpoint,
    ) -> Result<Edges, EngineError> {
        let sides = &self.session.sides;
        for (layer, half) in self.bundle.layers().into_iter().zip(grids.halves()) {
            let path = self.session.out.join(layer_path(layer));
            let sets = (sides.placements(layer.mover), sides.placements(layer.waiter));
            write(&path, layer, half.again(), sets, gap).map_err(|error| file_error(&path, &error))?;
        }
        checkpoint.remove();
        Ok(edges(sides, self.bundle, grids, gap))
    }
}
