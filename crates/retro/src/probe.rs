//! Finished layers in memory, and their figures.

use std::collections::HashMap;
use std::hash::Hash;

use foldhash::fast::FixedState;
use marquis_core::Score;

use crate::cell::{Entry, LayerCells};

/// Finished layers in memory.
#[derive(Clone, Debug)]
pub struct Layers<L>(HashMap<L, LayerCells, FixedState>);

impl<L> Default for Layers<L> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<L: Copy + Eq + Hash> Layers<L> {
    /// Adds a layer, or replaces it.
    pub fn insert(&mut self, layer: L, cells: LayerCells) {
        self.0.insert(layer, cells);
    }

    /// The layers in memory.
    pub fn layers(&self) -> impl Iterator<Item = L> + '_ {
        self.0.keys().copied()
    }

    /// Removes a layer.
    pub fn remove(&mut self, layer: L) -> Option<LayerCells> {
        self.0.remove(&layer)
    }

    /// Keeps the layers for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(L) -> bool) {
        self.0.retain(|&layer, _| keep(layer));
    }

    /// The cells of a layer.
    #[must_use]
    pub fn get(&self, layer: L) -> Option<&LayerCells> {
        self.0.get(&layer)
    }
}

/// The figures of a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions won for the player to move.
    pub wins: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Positions lost for the player to move.
    pub losses: u64,
    /// Slots without a position.
    pub unused: u64,
    /// Plies of the longest win; 0 if there is none.
    pub longest_win: u64,
    /// Plies of the longest loss; 0 if there is none.
    pub longest_loss: u64,
}

impl Counts {
    /// The figures of some cells.
    #[must_use]
    pub fn of(cells: &LayerCells) -> Self {
        let mut counts = Self::default();
        match cells {
            LayerCells::Narrow(codes) => {
                let mut times = [0; 256];
                codes.iter().for_each(|&code| times[usize::from(code)] += 1);
                let found = (0..).zip(times).filter(|(_, times)| *times > 0);
                found.for_each(|(code, times)| counts.add(Entry::of_code(code), times));
            }
            LayerCells::Wide(codes) => {
                codes.iter().for_each(|&code| counts.count(Entry::of_code(code.into())));
            }
        }
        counts
    }

    /// Counts one more entry.
    pub fn count(&mut self, entry: Entry) {
        self.add(entry, 1);
    }

    fn add(&mut self, entry: Entry, times: u64) {
        match entry.score() {
            None => self.unused += times,
            Some(Score::Draw) => self.draws += times,
            Some(Score::Win(plies)) => {
                self.wins += times;
                self.longest_win = self.longest_win.max(u64::from(plies.0));
            }
            Some(Score::Loss(plies)) => {
                self.losses += times;
                self.longest_loss = self.longest_loss.max(u64::from(plies.0));
            }
        }
    }

    /// The figures of both layers together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            unused: self.unused + other.unused,
            longest_win: self.longest_win.max(other.longest_win),
            longest_loss: self.longest_loss.max(other.longest_loss),
        }
    }

    /// Slots that have a position.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }
}
