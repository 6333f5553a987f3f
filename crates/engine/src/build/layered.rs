//! Games whose layers become files, for builds and inspections, with and without chance.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use web_time::Instant;

use marquis_cluster::Peers;
use marquis_core::GameId;
use marquis_retro::{Bundle, BundlePlan, Layers};
use marquis_table::{Store, TableFile};

use crate::error::causes;
use crate::files::chances::LoadedLayer;
use crate::files::checkpoint::Checkpoint;
use crate::files::layer::LayerId;
use crate::game::method::{Method, MethodCosts};
use crate::{Control, EngineError, Progress};
use marquis_wire::reports::VerifyReport;

/// One variant of a game, with its layers.
pub(crate) trait Layered: Sized + Send + Sync {
    /// The name of the game.
    const GAME: GameId;

    /// The key of a layer.
    type Layer: Copy + Ord + Hash + Debug + Send + Sync;
    /// Finished layers in memory.
    type Held: Held<Self::Layer>;

    /// The properties that all layers share.
    fn variant(&self) -> String;

    /// The identity of a layer in its file.
    fn id(&self, layer: Self::Layer) -> LayerId;

    /// The number of slots of a layer.
    fn slots(&self, layer: Self::Layer) -> u64;

    /// The layers between which play can go back and forth, including `layer`.
    fn component(&self, layer: Self::Layer) -> Vec<Self::Layer>;

    /// The layers that one move from the component of `layer` can reach, without the component.
    fn child_layers(&self, layer: Self::Layer) -> Vec<Self::Layer>;

    /// Reads a finished layer.
    ///
    /// * `source`: the location of its table and those of other layers.
    ///
    /// # Errors
    /// A table that cannot be read, or an interruption.
    fn read(
        &self,
        layer: Self::Layer,
        table: &TableFile,
        source: FinishedLayers<'_>,
        held: &mut Self::Held,
    ) -> Result<(), EngineError>;

    /// The plan for some layers and everything below them.
    fn plan(&self, wanted: Vec<Self::Layer>) -> BundlePlan<Self::Layer> {
        BundlePlan::of(wanted, &|layer| self.component(layer), &|layer| self.child_layers(layer), &|layer| {
            self.slots(layer)
        })
    }

    /// The table of a layer, if there is one.
    fn find<'s>(&self, store: &'s Store, layer: Self::Layer) -> Option<&'s TableFile> {
        let LayerId { game, variant, name, .. } = self.id(layer);
        store.find(game.name(), &variant, &name)
    }
}

/// The source of finished layers.
#[derive(Clone, Copy)]
pub(crate) struct FinishedLayers<'a> {
    pub(crate) store: &'a Store,
    pub(crate) control: &'a Control<'a>,
}

/// Finished layers in memory.
pub(crate) trait Held<L>: Default + Send + Sync {
    /// The layers in memory.
    fn layers(&self) -> Vec<L>;

    /// Whether a layer is in memory.
    fn has(&self, layer: L) -> bool;

    /// Releases the layers that do not pass.
    fn keep(&mut self, pass: &dyn Fn(L) -> bool);

    /// Adds the layers of `others`.
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
    /// Whether the layers below a bundle are held while it is solved; otherwise it reads them on demand.
    const HOLDS_BELOW: bool = true;

    /// The bytes that a build takes in addition to those of bundles.
    fn base_bytes(&self) -> u64;

    /// The methods that a bundle allows, with memory and disk space of each, the layers below included.
    ///
    /// * `budget`: bytes of memory.
    fn methods(&self, bundle: &Bundle<Self::Layer>, budget: u64) -> MethodCosts;

    /// The bytes per slot of a finished layer in memory.
    fn bytes_a_slot(&self) -> u64;

    /// The approximate size of the files.
    fn disk_bytes(&self, plan: &BundlePlan<Self::Layer>) -> u64;

    /// Whether a table holds at least the requested content.
    fn is_enough(&self, _: &TableFile) -> bool {
        true
    }

    /// Whether a table is in the requested form.
    fn is_finished(&self, _: &TableFile) -> bool {
        true
    }

    /// Whether other layers can be built on a table.
    fn is_ground(&self, _: &TableFile) -> bool {
        true
    }

    /// A note to print before a bundle is built: its memory and disk space, if they are large.
    fn outlook(&self, _: &Bundle<Self::Layer>) -> Option<String> {
        None
    }

    /// The approximate core seconds for a bundle, if a trial of smaller ones would not predict them.
    fn core_seconds(&self, _: &Bundle<Self::Layer>) -> Option<f64> {
        None
    }

    /// The name of the files of a checkpoint.
    fn kept_as(&self, layers: &[Self::Layer]) -> String;

    /// Solves a bundle by the method of the job, and writes its files.
    ///
    /// * Result: the layers that are worth holding, from none to all.
    ///
    /// # Errors
    /// A file that cannot be written, an interruption, or a limit.
    fn solve(
        &self,
        bundle: &Bundle<Self::Layer>,
        lower: &Self::Held,
        job: &BundleJob<'_>,
    ) -> Result<Self::Held, EngineError>;

    /// The bytes that each of several ranks needs to solve a bundle together; `None` if that is impossible.
    fn bytes_among(&self, bundle: &Bundle<Self::Layer>, ranks: u64) -> Option<u64> {
        let _ = (bundle, ranks);
        None
    }

    /// Solves a bundle together with other ranks, all of which call it, and writes some of its files; the other ranks
    /// write the rest.
    ///
    /// # Errors
    /// Like [`solve`](Self::solve), or a lost rank.
    fn solve_among(
        &self,
        bundle: &Bundle<Self::Layer>,
        lower: &Self::Held,
        job: &BundleJob<'_>,
        peers: &dyn Peers,
    ) -> Result<(), EngineError> {
        let _ = peers;
        self.solve(bundle, lower, job).map(|_| ())
    }

    /// Converts a finished layer to the requested form.
    ///
    /// # Errors
    /// A file that cannot be read or written.
    fn finish(&self, layer: Self::Layer, table: &TableFile, out: &Path) -> Result<(), EngineError> {
        let _ = (layer, table, out);
        Ok(())
    }
}

/// The inputs and limits for solving a bundle.
pub(crate) struct BundleJob<'a> {
    /// The folder of tables.
    pub(crate) out: &'a Path,
    /// The finished layers in it.
    pub(crate) store: &'a Store,
    /// How to solve it.
    pub(crate) method: Method,
    /// The checkpoint of the bundle.
    pub(crate) checkpoint: &'a Checkpoint,
    /// When to stop, on the clock of the control.
    pub(crate) deadline: Option<Instant>,
    /// The control, which may also stop it.
    pub(crate) control: &'a Control<'a>,
    /// The finished slots of the build.
    pub(crate) done: &'a AtomicU64,
    /// The slots of the build.
    pub(crate) total: u64,
}

impl BundleJob<'_> {
    /// Reports progress.
    ///
    /// * `more`: slots that count as finished, in addition to those that are.
    pub(crate) fn tell(&self, phase: String, more: u64) {
        let done = self.done.load(Relaxed) + more;
        self.control.tell(&Progress { phase, done, total: Some(self.total), bounds: None });
    }
}

/// Layers that can be checked by the rules alone.
pub(crate) trait Checking: Layered {
    /// The facts about a layer without faults that [`conclude`](Self::conclude) needs.
    type Sound;

    /// The variant of this name.
    ///
    /// * `names`: the layers that have files.
    ///
    /// # Errors
    /// The variant does not exist or is too large.
    fn reopen(variant: &str, names: &[&str]) -> Result<Self, EngineError>;

    /// The layer of this name.
    fn named(&self, name: &str) -> Option<Self::Layer>;

    /// Sorts layers into the order in which they are checked.
    fn order(&self, layers: &mut Vec<Self::Layer>);

    /// The layers that one move from `layer` can reach, including its component.
    fn needed(&self, layer: Self::Layer) -> Vec<Self::Layer>;

    /// Checks all entries of a layer, or a sample, against their successors, and the figures in the table's header
    /// against all entries.
    ///
    /// # Errors
    /// A limit or an interruption. A defect in the table is a fault, not an error.
    fn check(
        &self,
        layer: Self::Layer,
        table: &TableFile,
        held: &Self::Held,
        missing: &[Missing<Self::Layer>],
        look: CheckSettings<'_>,
    ) -> Result<LayerCheck<Self::Sound>, EngineError>;

    /// Reports conclusions from all layers together.
    fn conclude(&self, sound: &[Self::Sound], look: CheckSettings<'_>, report: &mut VerifyReport) {
        let _ = (sound, look, report);
    }
}

/// A layer that is needed but unavailable.
pub(crate) struct Missing<L> {
    pub(crate) layer: L,
    /// The reason why its file is unusable; `None` if there is no file.
    pub(crate) why: Option<EngineError>,
}

impl<L> Missing<L> {
    /// The reason why its file is unusable, as text.
    pub(crate) fn words(&self) -> Option<String> {
        self.why.as_ref().map(|why| causes(why).to_string())
    }
}

/// The settings of a check.
#[derive(Clone, Copy)]
pub(crate) struct CheckSettings<'a> {
    /// Check about `sample` entries of each table instead of all.
    pub(crate) sample: Option<u64>,
    /// When to stop, on the clock of the control.
    pub(crate) deadline: Option<Instant>,
    pub(crate) control: &'a Control<'a>,
}

/// The result of checking a layer.
pub(crate) enum LayerCheck<S> {
    /// None of `entries` is wrong.
    Sound { entries: u64, about: S },
    /// Some entries are wrong, described as text.
    Faulty { entries: u64, faults: Vec<String> },
}

impl<S> LayerCheck<S> {
    /// * `faults`: empty if nothing is wrong.
    pub(crate) fn of(entries: u64, faults: Vec<String>, about: S) -> Self {
        if faults.is_empty() { Self::Sound { entries, about } } else { Self::Faulty { entries, faults } }
    }
}
