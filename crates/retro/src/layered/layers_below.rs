//! The common basis of the work on a bundle, however its cells are stored: the layers below, and the most plies so
//! far.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use marquis_core::{Indexed, Plies, Score, Slot};

use crate::cell::{CellWidth, LayerCells, UNDECIDED, UNUSED, code_of, score_of};
use crate::limits::Stopped;
use crate::probe::Layers;

/// The layers below a bundle, and the most plies of any code that was written in it.
pub(super) struct LayersBelow<'a, L> {
    /// A list, because they are few.
    lower: Vec<(L, &'a LayerCells)>,
    /// The most plies of any code written so far.
    farthest: AtomicU32,
    /// A code did not fit.
    overflow: AtomicBool,
}

impl<'a, L: Copy + Ord + std::hash::Hash> LayersBelow<'a, L> {
    /// A bundle without any code.
    pub(super) fn new<G: Indexed<Layer = L>>(game: &G, layer: L, lower: &'a Layers<L>) -> Self {
        let below = game.child_layers(layer).into_iter();
        let lower = below.filter_map(|layer| Some((layer, lower.get(layer)?))).collect();
        Self { lower, farthest: AtomicU32::new(0), overflow: AtomicBool::new(false) }
    }

    /// The score of a slot of a layer below.
    ///
    /// Panics if the layer is missing.
    #[inline]
    pub(super) fn score_below(&self, layer: L, slot: Slot) -> Score {
        let (_, cells) =
            self.lower.iter().find(|(own, _)| *own == layer).expect("every layer below is finished");
        cells.entry(slot).score().expect("a move leads to a position")
    }

    /// The code of a score that is final or better than the score before; `None` if it does not fit.
    #[inline]
    pub(super) fn code<W: CellWidth>(&self, score: Score) -> Option<u32> {
        let Some(plies) = score.plies() else { return Some(W::DRAWN) };
        let code = code_of(score);
        if code > W::GREATEST {
            self.overflow.store(true, Relaxed);
            return None;
        }
        self.reach_plies(plies);
        Some(code)
    }

    /// Notes a code that another worker wrote.
    pub(super) fn reach<W: CellWidth>(&self, code: u32) {
        if code != W::DRAWN {
            self.reach_plies(score_of(code).plies().unwrap_or(Plies::ZERO));
        }
    }

    #[inline]
    pub(super) fn reach_plies(&self, Plies(plies): Plies) {
        let plies = u32::from(plies);
        if plies > self.farthest.load(Relaxed) {
            self.farthest.fetch_max(plies, Relaxed);
        }
    }

    /// The most plies of any code written so far.
    pub(super) fn farthest(&self) -> Plies {
        Plies(self.farthest.load(Relaxed) as u16)
    }

    /// Returns an error if a code did not fit.
    pub(super) fn check(&self) -> Result<(), Stopped> {
        if self.overflow.load(Relaxed) { Err(Stopped::TooManyPlies) } else { Ok(()) }
    }
}

/// The score of a code while solving; a draw if it is undecided.
#[inline]
pub(super) fn score_inside<W: CellWidth>(code: u32) -> Score {
    if code == W::DRAWN { Score::Draw } else { score_of(code) }
}

/// Returns whether a code is a win or loss in exactly `ply` plies.
#[inline]
pub(super) fn is_settled_in(code: u32, ply: Plies) -> bool {
    code == code_of(Score::Loss(ply)) || code == code_of(Score::Win(ply))
}

/// Returns whether a code is undecided or a win that a win in `ply + 1` improves.
#[inline]
pub(super) fn can_gain<W: CellWidth>(code: u32, ply: Plies) -> bool {
    let later = || matches!(score_inside::<W>(code), Score::Win(plies) if plies.0 > ply.0 + 1);
    code == UNDECIDED || code != UNUSED && later()
}
