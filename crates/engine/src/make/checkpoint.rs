//! What is kept of a layer that is half solved, so that a build that was stopped goes on there.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use marquis_core::{Indexed as _, Plies};
use marquis_retro::layered::Layer;
use marquis_retro::{Cells, Keeper, Snapshot};
use marquis_table::{Fingerprint, read_container, write_container};

use crate::files::layer::fingerprint;
use crate::game::tabled::{LayerOf, Tabled};

const KIND: &str = "checkpoint";

/// The checkpoint of one bundle: a file beside those of its layers.
pub(super) struct Checkpoint<'a, G: Tabled> {
    index: &'a G::Index,
    layers: Vec<LayerOf<G>>,
    path: PathBuf,
    every: Duration,
    last: Mutex<Instant>,
}

impl<'a, G: Tabled> Checkpoint<'a, G> {
    pub(super) fn new(index: &'a G::Index, layers: &[LayerOf<G>], out: &Path, every: Duration) -> Self {
        let name = layers.iter().map(|&layer| G::layer_name(layer)).collect::<Vec<_>>().join("+");
        let path = out.join(G::folder(index)).join(format!(".{name}.checkpoint"));
        Self { index, layers: layers.to_vec(), path, every, last: Mutex::new(Instant::now()) }
    }

    /// What was kept, if it is whole and of this build; anything else is as good as nothing.
    pub(super) fn load(&self) -> Option<Snapshot<LayerOf<G>>> {
        let slots: u64 = self.layers.iter().map(|&layer| self.index.slots(layer)).sum();
        let kept = read_container(&self.path, KIND, 2 * slots).ok()?;
        if kept.get("rules")? != self.rules() {
            return None;
        }
        let ply = Plies(kept.get("ply")?.parse().ok()?);
        let bytes_each: usize = kept.get("bytes")?.parse().ok()?;
        let mut rest = kept.body.as_slice();
        let mut layers = Vec::new();
        for &layer in &self.layers {
            let bytes = usize::try_from(self.index.slots(layer)).ok()?.checked_mul(bytes_each)?;
            let (own, others) = rest.split_at_checked(bytes)?;
            rest = others;
            let cells = match bytes_each {
                1 => Cells::Narrow(own.to_vec()),
                2 => Cells::Wide(own.chunks(2).map(|cell| u16::from_le_bytes([cell[0], cell[1]])).collect()),
                _ => return None,
            };
            layers.push(Layer { layer, cells });
        }
        rest.is_empty().then_some(Snapshot { ply, layers })
    }

    /// Takes the file away when the layers are finished.
    pub(super) fn remove(&self) {
        // Where it cannot be removed it is of no use and does no harm.
        let _ = std::fs::remove_file(&self.path);
    }

    /// What a checkpoint is of: the rules and the numbering of the tables that come of it, and the form of this file.
    fn rules(&self) -> String {
        Fingerprint::of(&format!(
            "checkpoint 2 {}",
            fingerprint(G::ID, &G::variant(self.index), G::NUMBERING)
        ))
        .to_string()
    }
}

impl<G: Tabled> Keeper<LayerOf<G>> for Checkpoint<'_, G> {
    fn is_due(&self) -> bool {
        self.last.lock().is_ok_and(|last| last.elapsed() >= self.every)
    }

    /// A checkpoint that cannot be written costs time after an interruption, and nothing else.
    fn keep(&self, snapshot: &Snapshot<LayerOf<G>>) {
        let (mut body, mut bytes) = (Vec::new(), 1);
        for own in &snapshot.layers {
            match &own.cells {
                Cells::Narrow(cells) => body.extend_from_slice(cells),
                Cells::Wide(cells) => {
                    bytes = 2;
                    body.extend(cells.iter().flat_map(|cell| cell.to_le_bytes()));
                }
            }
        }
        let meta = [("rules", self.rules()), ("ply", snapshot.ply.to_string()), ("bytes", bytes.to_string())];
        let meta = meta.map(|(name, words)| (name.to_owned(), words));
        if let Some(folder) = self.path.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let _ = write_container(&self.path, KIND, &meta, &body);
        if let Ok(mut last) = self.last.lock() {
            *last = Instant::now();
        }
    }
}
