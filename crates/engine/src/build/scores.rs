//! Layers of scores, for builds and inspections.

use std::borrow::Cow;
use std::path::Path;

use marquis_cluster::Peers;
use marquis_core::{GameId, Indexed as _, Score};
use marquis_retro::layered::Layer;
use marquis_retro::layered::strips::{
    Failure, KeptStrips, RankedBundle, Share, StripCut, StripNumber, StripSizes,
};
use marquis_retro::verify::{Contradiction, Unfinished, verify_layer};
use marquis_retro::{Bundle, BundlePlan, BundleSnapshot, Counts, Keeper, LayerCells, Layers, Stopped};
use marquis_table::TableFile;

use crate::build::joint::{Between, KeptBundle, StripKeeper};
use crate::build::layered::{
    BundleJob, CheckSettings, Checking, FinishedLayers, LayerCheck, Layered, Missing, Solving,
};
use crate::build::shares::{SharedLayer, write_shares};
use crate::build::strip_files::StripFiles;
use crate::files::checkpoint::{Basis, Checkpoint};
use crate::files::layer::{LayerId, fingerprint};
use crate::files::scores::{SolvedPart, WHOLE_SLOTS, false_figures, is_ahead, leave_out_cells, write_layer};
use crate::files::spill;
use crate::game::implied::{cells_of, implying};
use crate::game::layer_solver::{LayerSolver as _, Work};
use crate::game::method::{Method, MethodCost, MethodCosts};
use crate::game::tabled::{LayerOf, Tabled, layer_id};
use crate::query::WrittenLayers;
use crate::{EngineError, Progress};

/// The bytes per slot of a finished layer in memory.
const FINISHED_BYTES: u64 = 1;
/// The bytes per slot while a finished layer is read from its file: between one, for a score that fits into a byte,
/// and five for longer games (value, plies and cell).
const READING_BYTES: u64 = 3;
/// The fixed memory of a build: the program, the block cache, the packing buffers of all threads.
const BASE_BYTES: u64 = 160 << 20;
/// The approximate number of slots per byte of a finished file.
const SLOTS_PER_DISK_BYTE: u64 = 4;
/// The bytes of a file without cells.
const FILE_BYTES: u64 = 300;

/// The layers of an index.
pub(crate) struct ScoreLayers<G: Tabled> {
    pub(crate) index: G::Index,
    pub(crate) extent: WrittenLayers,
}

impl<G: Tabled> ScoreLayers<G> {
    /// The bytes of the layers below a bundle, and the bytes needed to read them.
    fn below_bytes(&self, bundle: &Bundle<LayerOf<G>>) -> (u64, u64) {
        let below = bundle.below.iter().map(|&layer| self.index.slots(layer));
        let largest = below.clone().max().unwrap_or(0);
        let reading = (largest * (READING_BYTES - FINISHED_BYTES)).max(self.ahead_bytes(&bundle.below));
        (below.sum::<u64>() * FINISHED_BYTES, reading)
    }

    /// Solves a bundle in strips and writes its files.
    fn solve_in_strips(
        &self,
        bundle: &Bundle<LayerOf<G>>,
        sizes: StripSizes,
        keeper: &SnapshotKeeper<'_, G>,
        work: &Work<'_, LayerOf<G>>,
        job: &BundleJob<'_>,
    ) -> Result<(), EngineError> {
        let basis = keeper.basis_of(&format!("strips {}", spill::VERSION));
        let spill = StripFiles::new(job.checkpoint, basis, sizes.spill_bytes);
        match G::solver(&self.index).solve_in_strips(bundle.layers[0], sizes, &spill, work) {
            Ok(()) => {}
            Err(Failure::Stopped(why)) => return Err(stopped(why)),
            Err(Failure::SpillStore(error)) => return Err(error),
        }
        for (&layer, cells) in bundle.layers.iter().zip(spill.into_finished()) {
            let id = self.id(layer);
            write_layer(&id, &cells, &job.out.join(id.path()))?;
        }
        Ok(())
    }

    /// The most bytes needed to compute a layer that is derived one ply ahead, in addition to the layers below a
    /// bundle.
    fn ahead_bytes(&self, below: &[LayerOf<G>]) -> u64 {
        if self.extent == WrittenLayers::Whole {
            return 0;
        }
        let of_layer = |&layer: &LayerOf<G>| {
            let read = implying::<G>(&self.index, layer).filter(|other| !below.contains(other));
            let read: u64 = read.map(|other| self.index.slots(other) * READING_BYTES).sum();
            read + self.index.slots(layer) * (READING_BYTES - FINISHED_BYTES)
        };
        below.iter().filter(|&&layer| G::is_implied(layer)).map(of_layer).max().unwrap_or(0)
    }
}

impl<G: Tabled> Layered for ScoreLayers<G> {
    const GAME: GameId = G::ID;

    type Layer = LayerOf<G>;
    type Held = Layers<LayerOf<G>>;

    fn variant(&self) -> String {
        G::variant(&self.index)
    }

    fn id(&self, layer: LayerOf<G>) -> LayerId {
        layer_id::<G>(&self.index, layer)
    }

    fn component(&self, layer: LayerOf<G>) -> Vec<LayerOf<G>> {
        self.index.component(layer)
    }

    fn child_layers(&self, layer: LayerOf<G>) -> Vec<LayerOf<G>> {
        self.index.child_layers(layer)
    }

    fn slots(&self, layer: LayerOf<G>) -> u64 {
        self.index.slots(layer)
    }

    fn read(
        &self,
        layer: LayerOf<G>,
        table: &TableFile,
        source: FinishedLayers<'_>,
        held: &mut Self::Held,
    ) -> Result<(), EngineError> {
        let find = |layer| self.find(source.store, layer);
        let cells = cells_of::<G>(&self.index, layer, table, &find, held, source.control)?;
        held.insert(layer, cells);
        Ok(())
    }
}

impl<G: Tabled> Solving for ScoreLayers<G> {
    fn base_bytes(&self) -> u64 {
        BASE_BYTES + G::index_bytes(&self.index)
    }

    fn methods(&self, bundle: &Bundle<LayerOf<G>>, budget: u64) -> MethodCosts {
        let (finished, reading) = self.below_bytes(bundle);
        let alone = G::solver(&self.index).methods(bundle.layers[0], budget.saturating_sub(finished));
        let with_below = |cost: MethodCost| {
            let memory_bytes = finished.saturating_add(cost.memory_bytes.max(reading));
            MethodCost { memory_bytes, ..cost }
        };
        MethodCosts::new(alone.into_iter().map(with_below).collect())
    }

    fn bytes_a_slot(&self) -> u64 {
        FINISHED_BYTES
    }

    fn disk_bytes(&self, plan: &BundlePlan<LayerOf<G>>) -> u64 {
        plan.slots() / SLOTS_PER_DISK_BYTE + FILE_BYTES * plan.layers().count() as u64
    }

    fn is_finished(&self, table: &TableFile) -> bool {
        let told = self.named(&table.header().identity.layer).is_some_and(G::is_implied);
        self.extent == WrittenLayers::Whole || !told || is_ahead(table)
    }

    /// A build of whole layers has no memory reserved to compute derived ones.
    fn is_ground(&self, table: &TableFile) -> bool {
        self.extent == WrittenLayers::Half || !is_ahead(table)
    }

    /// Leaves out the cells that a search of one ply can derive.
    fn finish(&self, layer: LayerOf<G>, table: &TableFile, out: &Path) -> Result<(), EngineError> {
        Ok(leave_out_cells(table, &out.join(self.id(layer).path()))?)
    }

    fn kept_as(&self, layers: &[LayerOf<G>]) -> String {
        layers.iter().map(|&layer| G::layer_name(layer)).collect::<Vec<_>>().join("+")
    }

    fn solve(
        &self,
        bundle: &Bundle<LayerOf<G>>,
        lower: &Layers<LayerOf<G>>,
        job: &BundleJob<'_>,
    ) -> Result<Layers<LayerOf<G>>, EngineError> {
        let index = &self.index;
        let phase = || format!("{} {} {}", G::ID, G::variant(index), G::layer_name(bundle.layers[0]));
        let tell = |progress: marquis_retro::SolveProgress| job.tell(phase(), progress.done / 2);
        let limits = limits(job);
        let keeper = SnapshotKeeper::<G> { index, layers: &bundle.layers, checkpoint: job.checkpoint };
        let work = |kept| Work { lower, kept, keeper: &keeper, limits: &limits, progress: &tell };
        let mut held = Layers::default();
        if let Method::Strips(sizes) = job.method {
            self.solve_in_strips(bundle, sizes, &keeper, &work(None), job)?;
            return Ok(held);
        }
        let (solver, work) = (G::solver(index), work(keeper.load()));
        let solved = solver.solve(job.method, bundle.layers[0], work).map_err(stopped)?;
        for Layer { layer, cells } in solved {
            let id = self.id(layer);
            write_layer(&id, &cells, &job.out.join(id.path()))?;
            held.insert(layer, cells);
        }
        Ok(held)
    }

    fn bytes_among(&self, bundle: &Bundle<LayerOf<G>>, ranks: u64) -> Option<u64> {
        let (finished, reading) = self.below_bytes(bundle);
        let solving = G::solver(&self.index).bytes_among(bundle.layers[0], ranks)?;
        Some(finished.saturating_add(solving.max(reading)))
    }

    fn solve_among(
        &self,
        bundle: &Bundle<LayerOf<G>>,
        lower: &Layers<LayerOf<G>>,
        job: &BundleJob<'_>,
        peers: &dyn Peers,
    ) -> Result<(), EngineError> {
        let (index, first) = (&self.index, bundle.layers[0]);
        let ranks = u64::from(peers.ranks().get());
        let phase = || format!("{} {} {}, {ranks} ranks", G::ID, G::variant(index), G::layer_name(first));
        // The other ranks are about as far.
        let tell = |progress: marquis_retro::SolveProgress| job.tell(phase(), progress.done * ranks / 2);
        let limits = limits(job);
        let own = SnapshotKeeper::<G> { index, layers: &bundle.layers, checkpoint: job.checkpoint };
        let between = Between::new(peers);
        let keeper = StripKeeper { basis: own.basis(), checkpoint: job.checkpoint, exchange: &between };
        let kept = own.kept();
        let read = |cut: &StripCut,
                    wanted: &dyn Fn(StripNumber) -> bool,
                    take: &mut dyn FnMut(StripNumber, &[u8])| {
            kept.as_ref().is_some_and(|kept| kept.read(cut, wanted, take))
        };
        let strips =
            |kept: &KeptBundle<'_>| KeptStrips { ply: kept.ply, bytes_each: kept.bytes_each, read: &read };
        let kept = kept.as_ref().map(strips);
        let among = RankedBundle {
            lower,
            exchange: &between,
            kept,
            keeper: &keeper,
            whole: WHOLE_SLOTS,
            limits: &limits,
            progress: &tell,
        };
        let Some(solved) = G::solver(index).solve_among(first, &among) else {
            return self.solve(bundle, lower, job).map(|_| ());
        };
        let lost = |stopped| match stopped {
            Stopped::RankLost => between.lost().map_or(EngineError::Interrupted, EngineError::Ranks),
            other => self::stopped(other),
        };
        let shares = solved.map_err(lost)?;
        let shared = shares.iter().map(|Share { layer, slots, cells }| {
            let id = self.id(*layer);
            let path = job.out.join(id.path());
            SharedLayer { id, own: SolvedPart { first: slots.start, cells }, path }
        });
        write_shares(&shared.collect::<Vec<_>>(), peers)
    }
}

/// The limits of the work on a bundle.
fn limits<'a>(job: &BundleJob<'a>) -> marquis_retro::SolveLimits<'a> {
    marquis_retro::SolveLimits {
        states: usize::MAX,
        deadline: job.deadline,
        sharing: job.control.sharing(),
        stop: job.control.flag(),
    }
}

fn stopped(stopped: Stopped) -> EngineError {
    match stopped {
        Stopped::Interrupted => EngineError::Interrupted,
        other => EngineError::LimitReached(format!("{other}; finished layers are kept")),
    }
}

/// Half-solved layers, stored as one part of a checkpoint.
struct SnapshotKeeper<'a, G: Tabled> {
    index: &'a G::Index,
    layers: &'a [LayerOf<G>],
    checkpoint: &'a Checkpoint,
}

impl<G: Tabled> SnapshotKeeper<'_, G> {
    /// The rules and the numbering of the resulting tables, and the form of the snapshot.
    fn basis(&self) -> Basis {
        self.basis_of("checkpoint 2")
    }

    /// The basis of another form.
    fn basis_of(&self, form: &str) -> Basis {
        let rules = fingerprint(G::ID, &G::variant(self.index), G::NUMBERING);
        Basis::new("rules", &format!("{form} {rules}"))
    }

    /// Returns the snapshot kept by one process or by several ranks, if it is complete and belongs to this build,
    /// otherwise `None`.
    fn load(&self) -> Option<BundleSnapshot<LayerOf<G>>> {
        self.kept()?.snapshot::<G>(self.index, self.layers)
    }

    fn kept(&self) -> Option<KeptBundle<'_>> {
        let slots = self.layers.iter().map(|&layer| self.index.slots(layer)).collect();
        KeptBundle::load(self.basis(), self.checkpoint, slots)
    }
}

impl<G: Tabled> Keeper<LayerOf<G>> for SnapshotKeeper<'_, G> {
    fn is_due(&self) -> bool {
        self.checkpoint.is_due()
    }

    fn keep(&self, snapshot: &BundleSnapshot<LayerOf<G>>) {
        let begun = web_time::Instant::now();
        // Cells of one byte are written without a copy: a snapshot is as large as the layers.
        let wide = |cells: &[u16]| cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
        let bodies = snapshot.layers.iter().map(|own| match &own.cells {
            LayerCells::Narrow(cells) => (1, Cow::Borrowed(cells.as_slice())),
            LayerCells::Wide(cells) => (2, Cow::<[u8]>::Owned(wide(cells))),
        });
        let bodies: Vec<(u8, Cow<'_, [u8]>)> = bodies.collect();
        let bytes = bodies.iter().map(|(bytes, _)| *bytes).max().unwrap_or(1);
        let body: Vec<&[u8]> = bodies.iter().map(|(_, body)| body.as_ref()).collect();
        let words = [("ply", snapshot.ply.to_string()), ("bytes", bytes.to_string())];
        // A failed write only costs time after an interruption.
        let _ = self.checkpoint.keep("", &self.basis(), &words, &body);
        self.checkpoint.kept(begun);
    }
}

impl<G: Tabled> Checking for ScoreLayers<G> {
    type Sound = ();

    fn reopen(variant: &str, names: &[&str]) -> Result<Self, EngineError> {
        Ok(Self { index: G::reopen(variant, names)?, extent: WrittenLayers::Half })
    }

    fn named(&self, name: &str) -> Option<LayerOf<G>> {
        G::layer_named(&self.index, name)
    }

    /// Sorts layers that lead to the same ones next to each other.
    fn order(&self, layers: &mut Vec<LayerOf<G>>) {
        layers.sort_unstable_by_key(|&layer| (self.index.child_layers(layer), layer));
    }

    fn needed(&self, layer: LayerOf<G>) -> Vec<LayerOf<G>> {
        let mut needed = self.index.component(layer);
        needed.extend(self.index.child_layers(layer));
        needed
    }

    fn check(
        &self,
        layer: LayerOf<G>,
        table: &TableFile,
        held: &Layers<LayerOf<G>>,
        missing: &[Missing<LayerOf<G>>],
        look: CheckSettings<'_>,
    ) -> Result<LayerCheck<()>, EngineError> {
        let index = &self.index;
        let name = format!("{} {} {}", G::ID, G::variant(index), G::layer_name(layer));
        if let Some(cells) = held.get(layer).filter(|_| is_ahead(table)) {
            // The cells were computed by the rules and match the hash.
            let counts = Counts::of(cells);
            let faults = false_figures(table, counts).map(|figure| format!("{name}: {figure}")).collect();
            return Ok(LayerCheck::of(counts.positions(), faults, ()));
        }
        let every = look.sample.map_or(1, |sample| index.slots(layer) / sample.max(1));
        let tell = |progress: marquis_retro::SolveProgress| {
            let (phase, done, total) = (format!("verifying {name}"), progress.done, Some(progress.of));
            look.control.tell(&Progress { phase, done, total, bounds: None });
        };
        let limits = marquis_retro::SolveLimits {
            states: usize::MAX,
            deadline: look.deadline,
            sharing: look.control.sharing(),
            stop: look.control.flag(),
        };
        match verify_layer(index, layer, held, every, &limits, &tell) {
            Ok(verified) => {
                let fault = |fault: &Contradiction<G::Position>| {
                    let (position, expected, found) =
                        (G::text(index, &fault.position), words(fault.expected), words(fault.found.score()));
                    format!("{name}: {position}: expected {expected}, found {found}")
                };
                let mut faults: Vec<String> = verified.faults.iter().map(fault).collect();
                if every <= 1 {
                    let false_figure = |figure| format!("{name}: {figure}");
                    faults.extend(false_figures(table, verified.counts).map(false_figure));
                }
                Ok(LayerCheck::of(verified.counts.positions(), faults, ()))
            }
            Err(Unfinished::Stopped(stopped)) => Err(stopped.into()),
            Err(Unfinished::Missing(other)) => {
                let why = missing.iter().find(|missing| missing.layer == other).and_then(Missing::words);
                let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
                let fault = format!(
                    "{name}: expected the layer {} that its moves lead to, found no usable file of it{why}",
                    G::layer_name(other)
                );
                Ok(LayerCheck::Faulty { entries: 0, faults: vec![fault] })
            }
        }
    }
}

/// A score as readable text.
fn words(score: Option<Score>) -> String {
    match score {
        None => "nothing".to_owned(),
        Some(score) => score
            .plies()
            .map_or_else(|| "draw".to_owned(), |plies| format!("{} in {plies}", score.value().name())),
    }
}
