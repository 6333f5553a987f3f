//! Every entry of a table against its successors, by the rules alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use marquis_core::Score;
use marquis_games::beads::{BeadIndex, Leap, Sandwich};
use marquis_games::squinch::SquinchIndex;
use marquis_games::unification::{Approach, Flow, UnificationIndex};
use marquis_retro::verify::{Fault, Unfinished, verify_layer};
use marquis_retro::{Layers, Stopped};
use marquis_table::store::MANIFEST;
use marquis_table::{BlockCache, Store, Table};

use crate::build::in_pool;
use crate::facade::Engine;
use crate::layer_file::{layer_path, read_layer};
use crate::reports::VerifyReport;
use crate::senet;
use crate::tabled::{Reopen, Tabled};
use crate::tables::{folder_of, open_store};
use crate::{Control, EngineError, Limits, Progress};

const CACHE_BYTES: usize = 16 << 20;

impl Engine {
    /// Checks checksums, then entries against their successors.
    ///
    /// * `path`: a table or a folder of tables.
    /// * `sample`: check about so many entries of each table instead of all.
    ///
    /// # Errors
    /// A folder that cannot be read, or a limit. What is wrong with a table is a fault of the report.
    pub fn verify(
        &self,
        path: &Path,
        sample: Option<u64>,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<VerifyReport, EngineError> {
        let folder = folder_of(path)?;
        let store = open_store(folder, &Arc::new(BlockCache::new(CACHE_BYTES)))?;
        let mut inspection = Inspection {
            store: &store,
            only: path.is_file().then_some(path),
            sample,
            limits,
            control,
            report: VerifyReport::default(),
        };
        let about = |error: &marquis_table::Error| {
            path.is_dir() || error.to_string().contains(&path.display().to_string())
        };
        let problems = store.problems().iter().filter(|error| about(error));
        inspection.report.faults.extend(problems.map(ToString::to_string));
        inspection.checksums();
        inspection.manifest();
        in_pool(limits, || {
            inspection.game::<UnificationIndex<Approach>>()?;
            inspection.game::<UnificationIndex<Flow>>()?;
            inspection.game::<BeadIndex<Leap>>()?;
            inspection.game::<BeadIndex<Sandwich>>()?;
            inspection.game::<SquinchIndex>()?;
            inspection.senet()?;
            Ok(inspection.report)
        })
    }
}

/// A verification under way.
struct Inspection<'a> {
    store: &'a Store,
    only: Option<&'a Path>,
    sample: Option<u64>,
    limits: &'a Limits,
    control: &'a Control<'a>,
    report: VerifyReport,
}

impl Inspection<'_> {
    fn wanted(&self, file: &Path) -> bool {
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
    fn game<G: Reopen>(&mut self) -> Result<(), EngineError> {
        let mut variants: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (_, table) in self.store.tables() {
            let identity = &table.header().identity;
            if identity.game == G::GAME.name() {
                variants.entry(identity.variant.clone()).or_default().push(identity.layer.clone());
            }
        }
        for (variant, names) in variants {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            match G::reopen(&variant, &names) {
                Ok(index) => self.layers(&index, &names)?,
                Err(why) => self.report.faults.push(format!("{} {variant}: {why}", G::GAME)),
            }
        }
        Ok(())
    }

    /// Checks the entries of all layers of Senet.
    fn senet(&mut self) -> Result<(), EngineError> {
        let wanted = |layer| {
            let mut files = self.store.tables().filter(|(_, table)| {
                let identity = &table.header().identity;
                identity.game == senet::GAME && identity.layer == senet::layer_name(layer)
            });
            files.any(|(file, _)| self.wanted(file))
        };
        let checked = senet::check(self.store, &wanted, self.sample, self.control)?;
        self.report.entries += checked.entries;
        self.report.faults.extend(checked.faults);
        self.report.proved.extend(checked.proved);
        self.report.unproved.extend(checked.unproved);
        Ok(())
    }

    fn layers<G: Tabled>(&mut self, index: &G, names: &[&str]) -> Result<(), EngineError> {
        let mut loaded = Layers::default();
        let mut layers = Vec::new();
        for name in names {
            match index.layer_named(name) {
                Some(layer) => layers.push(layer),
                None => self.report.faults.push(format!("expected the name of a layer, found {name}")),
            }
        }
        // Layers that lead to the same ones stand together.
        layers.sort_by_key(|&layer| (index.below(layer), layer));
        for layer in layers {
            if self.wanted_layer(index, layer) {
                self.layer(index, layer, &mut loaded)?;
            }
        }
        Ok(())
    }

    fn wanted_layer<G: Tabled>(&self, index: &G, layer: G::Layer) -> bool {
        self.only.is_none_or(|only| only.ends_with(layer_path(index, layer)) || self.is_only(index, layer))
    }

    /// Whether the one file that is asked for is of this layer, whatever it is called.
    fn is_only<G: Tabled>(&self, index: &G, layer: G::Layer) -> bool {
        let table = self.find(index, layer);
        table.is_some_and(|table| self.only.is_some_and(|only| Path::new(table.name()) == only))
    }

    fn find<G: Tabled>(&self, index: &G, layer: G::Layer) -> Option<&'_ Table<File>> {
        self.store.find(index.game_name(), &index.variant(), &index.layer_name(layer))
    }

    /// Reads what is needed and in the store, and lets go of what is not needed.
    fn load<G: Tabled>(&mut self, index: &G, needed: &[G::Layer], loaded: &mut Layers<G::Layer>) {
        loaded.retain(|layer| needed.contains(&layer));
        for &layer in needed {
            if loaded.get(layer).is_some() {
                continue;
            }
            let Some(table) = self.find(index, layer) else { continue };
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
        index: &G,
        layer: G::Layer,
        loaded: &mut Layers<G::Layer>,
    ) -> Result<(), EngineError> {
        let mut needed = index.peers(layer);
        needed.extend(index.below(layer));
        self.load(index, &needed, loaded);
        let name = format!("{} {} {}", index.game_name(), index.variant(), index.layer_name(layer));
        let every = self.sample.map_or(1, |sample| index.slots(layer) / sample.max(1));
        let tell = |progress: marquis_retro::Progress| {
            let (phase, done, total) = (format!("verifying {name}"), progress.done, Some(progress.of));
            self.control.tell(&Progress { phase, done, total, bounds: None });
        };
        let limits = marquis_retro::Limits {
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
                        (index.text(&fault.position), words(fault.expected), words(fault.found.score()));
                    format!("{name}: {position}: expected {expected}, found {found}")
                };
                self.report.faults.extend(verified.faults.iter().map(fault));
                return Ok(());
            }
            Err(Unfinished::Stopped(Stopped::Interrupted)) => return Err(EngineError::Interrupted),
            Err(Unfinished::Stopped(other)) => return Err(EngineError::LimitReached(other.to_string())),
            Err(Unfinished::Missing(missing)) => {
                let missing = index.layer_name(missing);
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
