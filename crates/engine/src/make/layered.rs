//! Games whose layers become files, as builds and inspections see them: with and without chance.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use web_time::Instant;

use marquis_cluster::Peers;
use marquis_core::GameId;
use marquis_retro::layered::strips::StripSizes;
use marquis_retro::{Bundle, Layers, Plan};
use marquis_table::{Store, TableFile};

use crate::error::causes;
use crate::files::chances::LoadedLayer;
use crate::files::layer::LayerId;
use crate::make::checkpoint::Checkpoint;
use crate::wire::reports::VerifyReport;
use crate::{Control, EngineError, Progress};

/// One variant of a game, with its layers.
pub(crate) trait Layered: Sized + Send + Sync {
    /// The name of the game.
    const GAME: GameId;

    /// What tells one layer from another.
    type Layer: Copy + Ord + Hash + Debug + Send + Sync;
    /// Finished layers in memory.
    type Held: Held<Self::Layer>;

    /// What is fixed for all layers.
    fn variant(&self) -> String;

    /// A layer as its file says it.
    fn id(&self, layer: Self::Layer) -> LayerId;

    /// How many slots a layer has.
    fn slots(&self, layer: Self::Layer) -> u64;

    /// The layers between which play can go to and fro, `layer` included.
    fn component(&self, layer: Self::Layer) -> Vec<Self::Layer>;

    /// The layers that one move from `layer` or another of its component can reach, the component left out.
    fn child_layers(&self, layer: Self::Layer) -> Vec<Self::Layer>;

    /// Reads a finished layer.
    ///
    /// * `source`: where its table and those of other layers are.
    ///
    /// # Errors
    /// A table that cannot be read, or an interruption.
    fn read(
        &self,
        layer: Self::Layer,
        table: &TableFile,
        source: Source<'_>,
        held: &mut Self::Held,
    ) -> Result<(), EngineError>;

    /// The plan for some layers and everything below them.
    fn plan(&self, wanted: Vec<Self::Layer>) -> Plan<Self::Layer> {
        Plan::of(wanted, &|layer| self.component(layer), &|layer| self.child_layers(layer), &|layer| {
            self.slots(layer)
        })
    }

    /// The table of a layer, if there is one.
    fn find<'s>(&self, store: &'s Store, layer: Self::Layer) -> Option<&'s TableFile> {
        let LayerId { game, variant, name, .. } = self.id(layer);
        store.find(game.name(), &variant, &name)
    }
}

/// Where finished layers are read from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) store: &'a Store,
    pub(crate) control: &'a Control<'a>,
}

/// Finished layers in memory.
pub(crate) trait Held<L>: Default + Send + Sync {
    /// The layers that are there.
    fn layers(&self) -> Vec<L>;

    /// Whether a layer is there.
    fn has(&self, layer: L) -> bool;

    /// Lets go of the layers that do not pass.
    fn keep(&mut self, pass: &dyn Fn(L) -> bool);

    /// Takes others in.
    fn take(&mut self, others: Self);
}

impl<L: Copy + Eq + Hash + Send + Sync> Held<L> for Layers<L> {
    fn layers(&self) -> Vec<L> {
        Layers::layers(self).collect()
    }

    fn has(&self, layer: L) -> bool {
        self.get(layer).is_some()
    }

    fn keep(&mut self, pass: &dyn Fn(L) -> bool) {
        self.retain(pass);
    }

    fn take(&mut self, mut others: Self) {
        for layer in Held::layers(&others) {
            if let Some(cells) = others.remove(layer) {
                self.insert(layer, cells);
            }
        }
    }
}

impl<L: Copy + Eq + Hash + Send + Sync> Held<L> for HashMap<L, LoadedLayer<L>> {
    fn layers(&self) -> Vec<L> {
        self.keys().copied().collect()
    }

    fn has(&self, layer: L) -> bool {
        self.contains_key(&layer)
    }

    fn keep(&mut self, pass: &dyn Fn(L) -> bool) {
        self.retain(|&layer, _| pass(layer));
    }

    fn take(&mut self, others: Self) {
        self.extend(others);
    }
}

/// Layers that can be solved.
pub(crate) trait Solving: Layered {
    /// Whether the layers below a bundle are held while it is solved; otherwise it reads them when it needs them.
    const HOLDS_BELOW: bool = true;

    /// Bytes that a build takes besides those of bundles.
    fn base_bytes(&self) -> u64;

    /// Bytes while a bundle is solved.
    fn bytes_of(&self, bundle: &Bundle<Self::Layer>) -> u64;

    /// The least bytes while a bundle is solved, in strips on the disk where that is possible.
    fn least_bytes_of(&self, bundle: &Bundle<Self::Layer>) -> u64 {
        self.bytes_of(bundle)
    }

    /// How a bundle is solved in strips with so many bytes, those of the layers below included; none where it cannot
    /// be.
    fn strips_of(&self, bundle: &Bundle<Self::Layer>, bytes: u64) -> Option<StripSizes> {
        let _ = (bundle, bytes);
        None
    }

    /// Bytes a slot of a finished layer in memory.
    fn bytes_a_slot(&self) -> u64;

    /// About the bytes of the files.
    fn disk_bytes(&self, plan: &Plan<Self::Layer>) -> u64;

    /// Whether a table holds all that was asked for, or more.
    fn is_enough(&self, _: &TableFile) -> bool {
        true
    }

    /// Whether a table is in the form that was asked for.
    fn is_finished(&self, _: &TableFile) -> bool {
        true
    }

    /// Whether other layers can be built on a table.
    fn is_ground(&self, _: &TableFile) -> bool {
        true
    }

    /// What is worth being told of a bundle before it is built: memory and disk where they are large.
    fn outlook(&self, _: &Bundle<Self::Layer>) -> Option<String> {
        None
    }

    /// About the seconds of one core for a bundle, where a trial of smaller ones would not tell.
    fn core_seconds(&self, _: &Bundle<Self::Layer>) -> Option<f64> {
        None
    }

    /// What the files of a checkpoint are called.
    fn kept_as(&self, layers: &[Self::Layer]) -> String;

    /// Solves a bundle and writes its files.
    ///
    /// * Result: the layers that are worth being held, from none to all.
    ///
    /// # Errors
    /// A file that cannot be written, an interruption, or a limit.
    fn solve(
        &self,
        bundle: &Bundle<Self::Layer>,
        lower: &Self::Held,
        job: &Job<'_>,
    ) -> Result<Self::Held, EngineError>;

    /// Bytes of one of several ranks while they solve a bundle together; none where that cannot be done.
    fn bytes_among(&self, bundle: &Bundle<Self::Layer>, ranks: u64) -> Option<u64> {
        let _ = (bundle, ranks);
        None
    }

    /// Solves a bundle together with other ranks, all of which call it, and writes some of its files; the others write
    /// the rest.
    ///
    /// # Errors
    /// As [`solve`](Self::solve), or a rank that is gone.
    fn solve_among(
        &self,
        bundle: &Bundle<Self::Layer>,
        lower: &Self::Held,
        job: &Job<'_>,
        peers: &dyn Peers,
    ) -> Result<(), EngineError> {
        let _ = peers;
        self.solve(bundle, lower, job).map(|_| ())
    }

    /// Brings a finished layer into the form that was asked for.
    ///
    /// # Errors
    /// A file that cannot be read or written.
    fn finish(&self, layer: Self::Layer, table: &TableFile, out: &Path) -> Result<(), EngineError> {
        let _ = (layer, table, out);
        Ok(())
    }
}

/// What solving a bundle may do and has to heed.
pub(crate) struct Job<'a> {
    /// The folder of tables.
    pub(crate) out: &'a Path,
    /// The finished layers in it.
    pub(crate) store: &'a Store,
    /// Bytes that it may take besides [`bytes_of`](Solving::bytes_of) the bundle.
    pub(crate) room: u64,
    /// Where the bundle does not fit into memory, how it is solved on the disk.
    pub(crate) strips: Option<StripSizes>,
    /// Where what there is of the bundle is kept.
    pub(crate) checkpoint: &'a Checkpoint,
    /// When to stop, on the clock of the control.
    pub(crate) deadline: Option<Instant>,
    /// Stops it as well.
    pub(crate) control: &'a Control<'a>,
    /// Slots of the build that are finished.
    pub(crate) done: &'a AtomicU64,
    /// Slots of the build.
    pub(crate) total: u64,
}

impl Job<'_> {
    /// Tells how far the work is.
    ///
    /// * `more`: slots that are as good as finished besides those that are.
    pub(crate) fn tell(&self, phase: String, more: u64) {
        let done = self.done.load(Relaxed) + more;
        self.control.tell(&Progress { phase, done, total: Some(self.total), bounds: None });
    }
}

/// Layers that can be checked by the rules alone.
pub(crate) trait Checking: Layered {
    /// What is worth knowing of a layer without faults when all are checked.
    type Sound;

    /// The variant of this name.
    ///
    /// * `names`: the layers that there are files of.
    ///
    /// # Errors
    /// Why there is no such variant, or that it is too large.
    fn reopen(variant: &str, names: &[&str]) -> Result<Self, EngineError>;

    /// The layer of this name.
    fn named(&self, name: &str) -> Option<Self::Layer>;

    /// Puts layers into the order in which they are checked.
    fn order(&self, layers: &mut Vec<Self::Layer>);

    /// The layers that one move from `layer` can reach, its component included.
    fn needed(&self, layer: Self::Layer) -> Vec<Self::Layer>;

    /// Checks every entry of a layer, or a sample, against its successors, and the figures in the head of its table
    /// against all of them.
    ///
    /// # Errors
    /// A limit or an interruption. What is wrong with the table is a fault.
    fn check(
        &self,
        layer: Self::Layer,
        table: &TableFile,
        held: &Self::Held,
        missing: &[Missing<Self::Layer>],
        look: Look<'_>,
    ) -> Result<Checked<Self::Sound>, EngineError>;

    /// Says what follows from all layers together.
    fn conclude(&self, sound: &[Self::Sound], look: Look<'_>, report: &mut VerifyReport) {
        let _ = (sound, look, report);
    }
}

/// A layer that is needed and not to be had.
pub(crate) struct Missing<L> {
    pub(crate) layer: L,
    /// Why its file is of no use; none where there is no usable file.
    pub(crate) why: Option<EngineError>,
}

impl<L> Missing<L> {
    /// Why its file is of no use, in words.
    pub(crate) fn words(&self) -> Option<String> {
        self.why.as_ref().map(|why| causes(why).to_string())
    }
}

/// How layers are looked at.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    /// Check about so many entries of each table instead of all.
    pub(crate) sample: Option<u64>,
    /// When to stop, on the clock of the control.
    pub(crate) deadline: Option<Instant>,
    pub(crate) control: &'a Control<'a>,
}

/// What came of the check of a layer.
pub(crate) enum Checked<S> {
    /// Nothing is wrong with so many entries.
    Sound { entries: u64, about: S },
    /// Something is, in words.
    Faulty { entries: u64, faults: Vec<String> },
}

impl<S> Checked<S> {
    /// * `faults`: none where nothing is wrong.
    pub(crate) fn of(entries: u64, faults: Vec<String>, about: S) -> Self {
        if faults.is_empty() { Self::Sound { entries, about } } else { Self::Faulty { entries, faults } }
    }
}
