//! Every entry of a table against its successors, by the rules alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use marquis_core::{Indexed as _, Score};
use marquis_retro::verify::{Fault, Unfinished, verify_layer};
use marquis_retro::{Layers, Stopped};
use marquis_table::store::MANIFEST;
use marquis_table::{Store, Table};

use crate::files::scores::read_layer;
use crate::game::tabled::{LayerOf, Tabled, layer_id};
use crate::wire::reports::VerifyReport;
use crate::{Control, EngineError, Limits, Progress};

/// A verification under way.
pub(crate) struct Inspection<'a> {
    pub(crate) store: &'a Store,
    only: Option<&'a Path>,
    pub(crate) sample: Option<u64>,
    limits: &'a Limits,
    pub(crate) control: &'a Control<'a>,
    pub(crate) report: VerifyReport,
}

impl<'a> Inspection<'a> {
    /// The inspection of tables of which nothing but the checksums and the manifest are checked yet.
    ///
    /// * `path`: a table or a folder of tables; `store`: what is in the folder.
    pub(crate) fn begin(
        path: &'a Path,
        store: &'a Store,
        sample: Option<u64>,
        limits: &'a Limits,
        control: &'a Control<'a>,
    ) -> Self {
        let only = path.is_file().then_some(path);
        let mut inspection = Self { store, only, sample, limits, control, report: VerifyReport::default() };
        let about = |error: &marquis_table::Error| only.is_none_or(|only| Path::new(error.name()) == only);
        let problems = store.problems().iter().filter(|error| about(error));
        inspection.report.faults.extend(problems.map(ToString::to_string));
        inspection.checksums();
        inspection.manifest();
        inspection
    }

    pub(crate) fn wanted(&self, file: &Path) -> bool {
        self.only.is_none_or(|only| self.store.root().join(file) == only)
    }

    fn checksums(&mut self) {
        for (file, table) in self.store.tables() {
            if self.wanted(file) && !self.control.stopped() {
                self.report.files += 1;
                if let Err(error) = table.verify_checksums(&|_| {}) {
                    self.report.faults.push(error.to_string());
                }
            }
        }
    }

    /// Every table that the manifest lists must be there with the same cells; there may be more.
    fn manifest(&mut self) {
        let path = self.store.root().join(MANIFEST);
        let Ok(text) = std::fs::read_to_string(&path) else { return };
        if self.only.is_some() {
            return;
        }
        let found = self.store.manifest();
        let lines: BTreeSet<&str> = found.lines().collect();
        for line in text.lines().filter(|line| !lines.contains(line)) {
            self.report.faults.push(format!("{MANIFEST}: no table is as it says: {line}"));
        }
    }

    /// Checks the entries of every variant of a game.
    pub(crate) fn game<G: Tabled>(&mut self) -> Result<(), EngineError> {
        let mut variants: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (_, table) in self.store.tables() {
            let identity = &table.header().identity;
            if identity.game == G::ID.name() {
                variants.entry(identity.variant.clone()).or_default().push(identity.layer.clone());
            }
        }
        for (variant, names) in variants {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            match G::reopen(&variant, &names) {
                Ok(index) => self.layers::<G>(&index, &names)?,
                Err(why) => self.report.faults.push(format!("{} {variant}: {why}", G::ID)),
            }
        }
        Ok(())
    }

    fn layers<G: Tabled>(&mut self, index: &G::Index, names: &[&str]) -> Result<(), EngineError> {
        let mut loaded = Layers::default();
        let mut layers = Vec::new();
        for name in names {
            match G::layer_named(index, name) {
                Some(layer) => layers.push(layer),
                None => self.report.faults.push(format!("expected the name of a layer, found {name}")),
            }
        }
        // Layers that lead to the same ones stand together.
        layers.sort_by_key(|&layer| (index.below(layer), layer));
        for layer in layers {
            if self.wanted_layer::<G>(index, layer) {
                self.layer::<G>(index, layer, &mut loaded)?;
            }
        }
        Ok(())
    }

    fn wanted_layer<G: Tabled>(&self, index: &G::Index, layer: LayerOf<G>) -> bool {
        self.only.is_none_or(|only| {
            only.ends_with(layer_id::<G>(index, layer).path()) || self.is_only::<G>(index, layer)
        })
    }

    /// Whether the one file that is asked for is of this layer, whatever it is called.
    fn is_only<G: Tabled>(&self, index: &G::Index, layer: LayerOf<G>) -> bool {
        let table = self.find::<G>(index, layer);
        table.is_some_and(|table| self.only.is_some_and(|only| Path::new(table.name()) == only))
    }

    fn find<G: Tabled>(&self, index: &G::Index, layer: LayerOf<G>) -> Option<&'_ Table<File>> {
        self.store.find(G::ID.name(), &G::variant(index), &G::layer_name(layer))
    }

    /// Reads what is needed and in the store, and lets go of what is not needed.
    fn load<G: Tabled>(&mut self, index: &G::Index, needed: &[LayerOf<G>], loaded: &mut Layers<LayerOf<G>>) {
        loaded.retain(|layer| needed.contains(&layer));
        for &layer in needed {
            if loaded.get(layer).is_some() {
                continue;
            }
            let Some(table) = self.find::<G>(index, layer) else { continue };
            // Before they are read: a small file may promise more slots than memory holds.
            let (expected, found) = (index.slots(layer), table.header().slots);
            if expected != found {
                let fault = format!("{}: expected {expected} slots, found {found}", table.name());
                self.report.faults.push(fault);
                continue;
            }
            // What cannot be read is among the faults of the checksums already.
            let Ok(cells) = read_layer(table) else { continue };
            loaded.insert(layer, cells);
        }
    }

    fn layer<G: Tabled>(
        &mut self,
        index: &G::Index,
        layer: LayerOf<G>,
        loaded: &mut Layers<LayerOf<G>>,
    ) -> Result<(), EngineError> {
        let mut needed = index.peers(layer);
        needed.extend(index.below(layer));
        self.load::<G>(index, &needed, loaded);
        let name = format!("{} {} {}", G::ID, G::variant(index), G::layer_name(layer));
        let every = self.sample.map_or(1, |sample| index.slots(layer) / sample.max(1));
        let tell = |progress: marquis_retro::SolveProgress| {
            let (phase, done, total) = (format!("verifying {name}"), progress.done, Some(progress.of));
            self.control.tell(&Progress { phase, done, total, bounds: None });
        };
        let limits = marquis_retro::SolveLimits {
            states: usize::MAX,
            deadline: self.limits.deadline(),
            stop: self.control.flag(),
        };
        let verified = verify_layer(index, layer, loaded, every, &limits, &tell);
        let fault = match verified {
            Ok(verified) => {
                self.report.entries += verified.entries;
                let fault = |fault: &Fault<G::Position>| {
                    let (position, expected, found) =
                        (G::text(index, &fault.position), words(fault.expected), words(fault.found.score()));
                    format!("{name}: {position}: expected {expected}, found {found}")
                };
                self.report.faults.extend(verified.faults.iter().map(fault));
                return Ok(());
            }
            Err(Unfinished::Stopped(Stopped::Interrupted)) => return Err(EngineError::Interrupted),
            Err(Unfinished::Stopped(other)) => return Err(EngineError::LimitReached(other.to_string())),
            Err(Unfinished::Missing(missing)) => {
                let missing = G::layer_name(missing);
                format!(
                    "{name}: expected the layer {missing} that its moves lead to, found no usable file of it"
                )
            }
        };
        self.report.faults.push(fault);
        Ok(())
    }
}

/// A score as a reader sees it.
fn words(score: Option<Score>) -> String {
    match score {
        None => "nothing".to_owned(),
        Some(score) => score
            .plies()
            .map_or_else(|| "draw".to_owned(), |plies| format!("{} in {plies}", score.value().name())),
    }
}
