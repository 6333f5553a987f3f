//! Checks every entry of tables against its successors by the rules alone: the part that all games share.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use marquis_table::Store;
use marquis_table::store::MANIFEST;

use crate::EngineError;
use crate::build::layered::{CheckSettings, Checking, FinishedLayers, Held as _, LayerCheck, Missing};
use crate::error::{FileError, causes};
use marquis_wire::reports::VerifyReport;

/// A verification in progress.
pub(crate) struct Inspection<'a> {
    store: &'a Store,
    only: Option<&'a Path>,
    look: CheckSettings<'a>,
    pub(crate) report: VerifyReport,
}

impl<'a> Inspection<'a> {
    /// Starts an inspection; so far only the checksums and the manifest are checked.
    ///
    /// * `path`: a table or a folder of tables; `store`: the content of the folder.
    pub(crate) fn begin(path: &'a Path, store: &'a Store, look: CheckSettings<'a>) -> Self {
        let only = path.is_file().then_some(path);
        let mut inspection = Self { store, only, look, report: VerifyReport::default() };
        let about = |error: &marquis_table::Error| only.is_none_or(|only| Path::new(error.name()) == only);
        let problems = store.problems().iter().filter(|error| about(error));
        inspection.report.faults.extend(problems.map(|error| causes(error).to_string()));
        inspection.checksums();
        inspection.manifest();
        inspection
    }

    /// The report, once all games have been checked.
    ///
    /// # Errors
    /// Nothing was checked and no fault was found.
    pub(crate) fn concluded(self, path: &Path) -> Result<VerifyReport, EngineError> {
        let Self { only, look, report, .. } = self;
        if look.control.stopped() {
            return Err(EngineError::Interrupted);
        }
        if report.entries > 0 || !report.faults.is_empty() {
            return Ok(report);
        }
        let expected = if only.is_some() { "a table" } else { "a folder of tables" };
        let found = match report.files {
            0 => "none".to_owned(),
            files => format!("{files} files without an entry that could be checked"),
        };
        Err(FileError::unexpected(path, expected, found, "nothing was checked; check the path").into())
    }

    /// Whether the entries of a file should be checked.
    fn is_asked_for(&self, file: &Path) -> bool {
        self.only.is_none_or(|only| file == only)
    }

    fn checksums(&mut self) {
        for (_, table) in self.store.tables() {
            if self.is_asked_for(Path::new(table.name())) && !self.look.control.stopped() {
                self.report.files += 1;
                if let Err(error) = table.verify_checksums(&|_| {}) {
                    self.report.faults.push(causes(&error).to_string());
                }
            }
        }
    }

    /// Every table that the manifest lists must exist with the same cells; there may be more.
    fn manifest(&mut self) {
        let path = self.store.root().join(MANIFEST);
        if self.only.is_some() {
            return;
        }
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            Err(error) => {
                self.report.faults.push(format!("{MANIFEST}: cannot be read: {error}"));
                return;
            }
        };
        let found = self.store.manifest();
        let lines: BTreeSet<&str> = found.lines().collect();
        for line in text.lines().filter(|line| !lines.contains(line)) {
            self.report.faults.push(format!("{MANIFEST}: no table matches the line {line}"));
        }
    }

    /// Checks the entries of every variant of a game.
    ///
    /// # Errors
    /// A limit or an interruption. A defect in a table is a fault, not an error.
    pub(crate) fn game<C: Checking>(&mut self) -> Result<(), EngineError> {
        let mut variants: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (_, table) in self.store.tables() {
            let identity = &table.header().identity;
            if identity.game == C::GAME.name() {
                variants.entry(identity.variant.clone()).or_default().push(identity.layer.clone());
            }
        }
        for (variant, names) in variants {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            match C::reopen(&variant, &names) {
                Ok(layers) => self.variant(&layers, &names)?,
                Err(why) => self.report.faults.push(format!("{} {variant}: {}", C::GAME, causes(&why))),
            }
        }
        Ok(())
    }

    fn variant<C: Checking>(&mut self, of: &C, names: &[&str]) -> Result<(), EngineError> {
        let mut layers = Vec::new();
        for name in names {
            match of.named(name) {
                Some(layer) => layers.push(layer),
                None => self.report.faults.push(format!("expected the name of a layer, found {name}")),
            }
        }
        of.order(&mut layers);
        let (mut held, mut sound) = (C::Held::default(), Vec::new());
        for layer in layers {
            let table = of.find(self.store, layer);
            let Some(table) = table.filter(|table| self.is_asked_for(Path::new(table.name()))) else {
                continue;
            };
            let missing = self.load(of, &of.needed(layer), &mut held);
            match of.check(layer, table, &held, &missing, self.look)? {
                LayerCheck::Sound { entries, about } => {
                    self.report.entries += entries;
                    sound.push(about);
                }
                LayerCheck::Faulty { entries, faults } => {
                    self.report.entries += entries;
                    self.report.faults.extend(faults);
                }
            }
        }
        of.conclude(&sound, self.look, &mut self.report);
        Ok(())
    }

    /// Reads the needed layers that are in the store and evicts the others; the result lists the unavailable ones.
    fn load<C: Checking>(
        &mut self,
        of: &C,
        needed: &[C::Layer],
        held: &mut C::Held,
    ) -> Vec<Missing<C::Layer>> {
        held.keep(&|layer| needed.contains(&layer));
        let mut missing = Vec::new();
        for &layer in needed {
            if held.has(layer) {
                continue;
            }
            let Some(table) = of.find(self.store, layer) else {
                missing.push(Missing { layer, why: None });
                continue;
            };
            // Checked before reading: a small file may promise more slots than fit into memory.
            let source = FinishedLayers { store: self.store, control: self.look.control };
            let sized = of.id(layer).expect_slots(table).map_err(EngineError::from);
            let read = sized.and_then(|()| of.read(layer, table, source, held));
            if let Err(why) = read {
                missing.push(Missing { layer, why: Some(why) });
            }
        }
        missing
    }
}
