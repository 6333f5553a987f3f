//! Layers of scores that all ranks of a build solve together: each rank has some strips, and some ranks write the
//! files.

use std::sync::OnceLock;
use web_time::Instant;

use marquis_cluster::peers::most_bytes;
use marquis_cluster::{Error, Peers};
use marquis_core::{Indexed as _, Plies};
use marquis_retro::layered::strips::{Exchange, LayerNumber, PartKeeper, StripCut, StripNumber};
use marquis_retro::layered::{BundleSnapshot, Layer};
use marquis_retro::{LayerCells, Stopped};
use marquis_table::Container;

use crate::files::checkpoint::{Basis, Checkpoint};
use crate::game::tabled::{LayerOf, Tabled};

/// The ranks as the solver sees them.
pub(super) struct Between<'a> {
    peers: &'a dyn Peers,
    lost: OnceLock<Error>,
}

impl<'a> Between<'a> {
    pub(super) fn new(peers: &'a dyn Peers) -> Self {
        Self { peers, lost: OnceLock::new() }
    }

    /// The rank that was lost.
    pub(super) fn lost(&self) -> Option<Error> {
        self.lost.get().cloned()
    }

    fn or_lost<T>(&self, done: Result<T, Error>) -> Result<T, Stopped> {
        done.map_err(|error| {
            // The first one is the reason.
            let _ = self.lost.set(error);
            Stopped::RankLost
        })
    }
}

impl Exchange for Between<'_> {
    fn rank(&self) -> usize {
        self.peers.rank().index()
    }

    fn ranks(&self) -> usize {
        self.peers.ranks().get() as usize
    }

    fn most_bytes(&self) -> usize {
        most_bytes(self.peers.ranks())
    }

    fn swap(&self, batches: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Stopped> {
        self.or_lost(self.peers.swap(batches))
    }

    fn largest(&self, own: u64) -> Result<u64, Stopped> {
        self.or_lost(self.peers.largest(own))
    }
}

/// The key under which a checkpoint stores its number of parts.
const PARTS: &str = "parts";
/// Bytes per strip in the head of a checkpoint in parts: its layer, its first slot and the one after the last.
const STRIP_BYTES: usize = 24;

/// Keeps the strips of a rank as a part of the checkpoint; the first rank writes a head once all parts exist.
pub(super) struct StripKeeper<'a> {
    pub(super) basis: Basis,
    pub(super) checkpoint: &'a Checkpoint,
    pub(super) exchange: &'a Between<'a>,
}

impl PartKeeper for StripKeeper<'_> {
    fn is_due(&self) -> bool {
        self.checkpoint.is_due()
    }

    fn keep(&self, cut: &StripCut, ply: Plies, bytes_each: usize, cells: Vec<u8>) -> Result<(), Stopped> {
        let (begun, ranks) = (Instant::now(), self.exchange.ranks());
        let words = [("ply", ply.to_string()), ("bytes", bytes_each.to_string()), (PARTS, ranks.to_string())];
        let part = part_name(ply, self.exchange.rank(), ranks);
        let is_kept = self.checkpoint.keep(&part, &self.basis, &words, &[&cells]).is_ok();
        drop(cells);
        // The head of older parts stays until all new ones exist; it refers to those of an earlier ply.
        let are_kept = self.exchange.largest((!is_kept).into())? == 0;
        if are_kept
            && self.exchange.rank() == 0
            && self.checkpoint.keep("", &self.basis, &words, &[&head(cut)]).is_ok()
        {
            let kept = of_ply(ply);
            self.checkpoint.remove_parts(|part| !part.is_empty() && !part.starts_with(&kept));
        }
        self.checkpoint.kept(begun);
        self.exchange.largest(0).map(|_| ())
    }
}

/// The prefix of the parts of a ply.
fn of_ply(ply: Plies) -> String {
    format!("ply{ply}.")
}

fn part_name(ply: Plies, rank: usize, ranks: usize) -> String {
    format!("{}{rank}-of-{ranks}", of_ply(ply))
}

/// The list of strips.
fn head(cut: &StripCut) -> Vec<u8> {
    let strip = |strip| {
        let extent = cut.extent(strip);
        let LayerNumber(layer) = extent.layer;
        [layer as u64, extent.slots.start, extent.slots.end].map(u64::to_le_bytes).concat()
    };
    cut.strips().flat_map(strip).collect()
}

/// A half-solved bundle as stored in files: whole, or in parts written by the ranks that solved it.
pub(super) struct KeptBundle<'a> {
    pub(super) ply: Plies,
    pub(super) bytes_each: usize,
    basis: Basis,
    checkpoint: &'a Checkpoint,
    /// Slots of each layer.
    slots: Vec<u64>,
    kept: Container,
    /// The number of parts, if the cells are in parts.
    parts: Option<usize>,
}

impl<'a> KeptBundle<'a> {
    /// Returns the kept bundle if it belongs to this build, otherwise `None`.
    ///
    /// * `slots`: of each layer.
    pub(super) fn load(basis: Basis, checkpoint: &'a Checkpoint, slots: Vec<u64>) -> Option<Self> {
        // There is at most one strip per slot.
        let most = (slots.iter().sum::<u64>()).saturating_mul(STRIP_BYTES as u64);
        let kept = checkpoint.load("", &basis, most)?;
        let ply = Plies(kept.get("ply")?.parse().ok()?);
        let bytes_each = kept.get("bytes")?.parse().ok().filter(|bytes| [1, 2].contains(bytes))?;
        let parts = match kept.get(PARTS) {
            Some(parts) => Some(parts.parse().ok().filter(|&parts| parts > 0)?),
            None => None,
        };
        Some(Self { ply, bytes_each, basis, checkpoint, slots, kept, parts })
    }

    /// The strips of the parts: layer, first slot, and the one after the last; `None` if they do not match the
    /// layers.
    fn strips(&self) -> Option<Vec<[u64; 3]>> {
        let strip = |strip: &[[u8; 8]; 3]| strip.map(u64::from_le_bytes);
        let strips: Vec<_> = self.kept.body.as_chunks().0.as_chunks().0.iter().map(strip).collect();
        let mut next = vec![0; self.slots.len()];
        for &[layer, first, end] in &strips {
            let next = next.get_mut(usize::try_from(layer).ok()?)?;
            if first != *next || end <= first {
                return None;
            }
            *next = end;
        }
        (next == self.slots).then_some(strips)
    }

    /// Passes the cells of wanted strips to `take`, by their numbers.
    ///
    /// * Result: `None` if any of them is missing.
    fn read_parts(
        &self,
        parts: usize,
        wanted: &dyn Fn(usize) -> bool,
        take: &mut dyn FnMut(usize, &[u8]),
    ) -> Option<()> {
        let strips = self.strips()?;
        let bytes = |strip: usize| (strips[strip][2] - strips[strip][1]) as usize * self.bytes_each;
        for part in 0..parts {
            let own = || (part..strips.len()).step_by(parts);
            if !own().any(wanted) {
                continue;
            }
            let most = own().map(bytes).sum::<usize>() as u64;
            let kept = self.checkpoint.load(&part_name(self.ply, part, parts), &self.basis, most)?;
            let mut rest = kept.body.as_slice();
            for strip in own() {
                let (cells, others) = rest.split_at_checked(bytes(strip))?;
                rest = others;
                if wanted(strip) {
                    take(strip, cells);
                }
            }
        }
        Some(())
    }

    /// The bytes of the cells of all layers, in order.
    fn whole(self) -> Option<Vec<u8>> {
        let Some(parts) = self.parts else { return Some(self.kept.body) };
        let strips = self.strips()?;
        let before = |layer: u64| self.slots[..layer as usize].iter().sum::<u64>();
        let mut all = vec![0; self.slots.iter().sum::<u64>() as usize * self.bytes_each];
        self.read_parts(parts, &|_| true, &mut |strip, cells| {
            let [layer, first, _] = strips[strip];
            let place = (before(layer) + first) as usize * self.bytes_each;
            all[place..place + cells.len()].copy_from_slice(cells);
        })?;
        Some(all)
    }

    /// The bundle as a snapshot.
    pub(super) fn snapshot<G: Tabled>(
        self,
        index: &G::Index,
        layers: &[LayerOf<G>],
    ) -> Option<BundleSnapshot<LayerOf<G>>> {
        let (ply, bytes_each) = (self.ply, self.bytes_each);
        let all = self.whole()?;
        let mut rest = all.as_slice();
        let mut found = Vec::new();
        for &layer in layers {
            let bytes = usize::try_from(index.slots(layer)).ok()?.checked_mul(bytes_each)?;
            let (own, others) = rest.split_at_checked(bytes)?;
            rest = others;
            let cells = if bytes_each == 1 {
                LayerCells::Narrow(own.to_vec())
            } else {
                LayerCells::Wide(own.chunks(2).map(|cell| u16::from_le_bytes([cell[0], cell[1]])).collect())
            };
            found.push(Layer { layer, cells });
        }
        rest.is_empty().then_some(BundleSnapshot { ply, layers: found })
    }

    /// Passes the cells of the wanted strips to `take`.
    ///
    /// * Result: whether all of them were found.
    pub(super) fn read(
        &self,
        cut: &StripCut,
        wanted: &dyn Fn(StripNumber) -> bool,
        take: &mut dyn FnMut(StripNumber, &[u8]),
    ) -> bool {
        if let Some(parts) = self.parts {
            // The strips must match: another version of the program may cut them differently.
            return self.kept.body == head(cut)
                && self
                    .read_parts(parts, &|strip| wanted(StripNumber(strip)), &mut |strip, cells| {
                        take(StripNumber(strip), cells);
                    })
                    .is_some();
        }
        for strip in cut.strips().filter(|&strip| wanted(strip)) {
            let extent = cut.extent(strip);
            let LayerNumber(layer) = extent.layer;
            let before: u64 = self.slots[..layer].iter().sum();
            let place = |slot| (before + slot) as usize * self.bytes_each;
            let Some(cells) = self.kept.body.get(place(extent.slots.start)..place(extent.slots.end)) else {
                return false;
            };
            take(strip, cells);
        }
        true
    }
}
