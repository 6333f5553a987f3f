//! Every entry of a table against its successors, by the rules alone.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use marquis_core::{Indexed, Slot};
use marquis_games::catalogue::Notation;
use marquis_games::hex::Side;
use marquis_games::unification::{Approach, Duel, Flow, Material, Stepping, Unification, UnificationIndex};
use marquis_retro::verify::{Probe, Unfinished, verify_layer};
use marquis_retro::{Cells, Entry, Stopped};
use marquis_table::{BlockCache, Store};

use crate::build::MOST_INDEX_BYTES;
use crate::facade::Engine;
use crate::reports::VerifyReport;
use crate::tables::{folder_of, layer_name, layer_named, open_store, read_cells, variant};
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
            report: VerifyReport { files: 0, entries: 0, faults: Vec::new() },
        };
        let about = |error: &marquis_table::Error| {
            path.is_dir() || error.to_string().contains(&path.display().to_string())
        };
        let problems = store.problems().iter().filter(|error| about(error));
        inspection.report.faults.extend(problems.map(ToString::to_string));
        inspection.checksums();
        for side in Side::all() {
            inspection.game::<Approach>(side)?;
            inspection.game::<Flow>(side)?;
        }
        Ok(inspection.report)
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

/// Layers in memory; a layer that is missing has no entries.
struct Loaded(BTreeMap<Material, Cells>);

impl Probe<Material> for Loaded {
    type Error = Material;

    fn entry(&self, layer: Material, slot: Slot) -> Result<Entry, Material> {
        match self.0.get(&layer) {
            Some(cells) => Ok(cells.entry(slot)),
            // A side without pieces is in one group: the game is over, whatever a table would say.
            None if layer.mover == 0 || layer.waiter == 0 => Ok(Entry::Hole),
            None => Err(layer),
        }
    }
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

    fn game<R: Stepping>(&mut self, side: Side) -> Result<(), EngineError>
    where
        Unification<R>: Notation<Position = Duel>,
    {
        let here = |(file, table): &(&Path, &marquis_table::Table<std::fs::File>)| {
            let identity = &table.header().identity;
            self.wanted(file) && identity.game == R::ID && identity.variant == variant(side)
        };
        let layers: Vec<Material> = self
            .store
            .tables()
            .filter(here)
            .filter_map(|(_, table)| layer_named(&table.header().identity.layer))
            .filter(|layer| {
                UnificationIndex::<R>::bytes(side, layer.mover.max(layer.waiter)) <= MOST_INDEX_BYTES
            })
            .collect();
        let most = layers.iter().map(|layer| layer.mover.max(layer.waiter)).max();
        let Some(most) = most else { return Ok(()) };
        let index = UnificationIndex::<R>::new(Unification::new(side), most);
        for layer in layers {
            self.layer(&index, side, layer)?;
        }
        Ok(())
    }

    fn layer<R: Stepping>(
        &mut self,
        index: &UnificationIndex<R>,
        side: Side,
        layer: Material,
    ) -> Result<(), EngineError>
    where
        Unification<R>: Notation<Position = Duel>,
    {
        let mut needed = index.peers(layer);
        needed.extend(index.below(layer));
        let mut loaded = Loaded(BTreeMap::new());
        for layer in needed {
            let Some(table) = self.store.find(R::ID, &variant(side), &layer_name(layer)) else { continue };
            match read_cells(table) {
                Ok(cells) if cells.len() as u64 == index.slots(layer) => {
                    loaded.0.insert(layer, cells);
                }
                Ok(cells) => {
                    let (found, expected) = (cells.len(), index.slots(layer));
                    self.report
                        .faults
                        .push(format!("{}: expected {expected} slots, found {found}", table.name()));
                }
                // Already among the faults of the checksums.
                Err(_) => return Ok(()),
            }
        }
        let name = layer_name(layer);
        let every = self.sample.map_or(1, |sample| index.slots(layer) / sample.max(1));
        let tell = |progress: marquis_retro::Progress| {
            let phase = format!("verifying {} {} {name}", R::ID, variant(side));
            self.control.tell(&Progress {
                phase,
                done: progress.done,
                total: Some(progress.of),
                bounds: None,
            });
        };
        let limits = marquis_retro::Limits {
            states: usize::MAX,
            deadline: self.limits.deadline(),
            stop: self.control.flag(),
        };
        match verify_layer(index, layer, &loaded, every, &limits, &tell) {
            Ok(verified) => {
                self.report.entries += verified.entries;
                let fault = |fault: &marquis_retro::verify::Fault<Duel>| {
                    let position = index.game().position_text(&fault.position);
                    format!("{name}: {position}: expected {:?}, found {:?}", fault.expected, fault.found)
                };
                self.report.faults.extend(verified.faults.iter().map(fault));
                Ok(())
            }
            Err(Unfinished::Unreadable(missing)) => {
                let missing = layer_name(missing);
                self.report.faults.push(format!(
                    "{name}: expected the layer {missing} that its moves lead to, found no usable file of it"
                ));
                Ok(())
            }
            Err(Unfinished::Stopped(Stopped::Interrupted)) => Err(EngineError::Interrupted),
            Err(Unfinished::Stopped(other)) => Err(EngineError::LimitReached(other.to_string())),
        }
    }
}
