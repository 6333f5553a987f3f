//! Checks layers by the scans of their games: as verifying slot by slot, but without the positions of faults.

use std::sync::atomic::AtomicU64;

use marquis_core::{Indexed, Scan, ScanVisitor, Score, Slot, Value};
use rayon::prelude::*;

use crate::cell::{Entry, LayerCells, Preference, UNUSED};
use crate::limits::{SolveLimits, SolveProgress};
use crate::probe::{Counts, Layers};
use crate::tasks::{Tasks, Unfinished};

/// Positions whose cells are prefetched together.
const TOGETHER: usize = 16;

/// The result of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scanned {
    /// Each entry is the best that the moves of its position offer.
    Sound(Counts),
    /// At least one entry is not.
    Faulty,
}

/// Checks every entry of a layer by a [`scan`](Indexed::scan).
///
/// * `tables`: holds the component of the layer and its child layers.
/// * Result: `None` if the game has no scan of this layer.
///
/// # Errors
/// A limit, or a missing layer that a move leads to.
pub fn scan_layer<G: Indexed>(
    game: &G,
    layer: G::Layer,
    tables: &Layers<G::Layer>,
    limits: &SolveLimits<'_>,
    progress: &(dyn Fn(SolveProgress) + Sync),
) -> Result<Option<Scanned>, Unfinished<G::Layer>> {
    let Some(scan) = game.scan(layer) else { return Ok(None) };
    let cells = |layer| tables.get(layer).ok_or(layer);
    let own = cells(layer).map_err(Unfinished::Missing)?;
    let (slots, groups) = (game.slots(layer), scan.groups());
    let a_task = (Tasks::SLOTS * groups).checked_div(slots).unwrap_or(1).max(1);
    let tasks = Tasks { units: groups, a_task, slots, done: AtomicU64::new(0), limits, progress };
    let check = |(scan, check): &mut (_, Check<'_, G::Layer>), task: u64| {
        for group in tasks.begin(task).map_err(Unfinished::Stopped)? {
            Scan::visit(scan, group, check);
        }
        check.compare();
        match check.missing {
            Some(layer) => Err(Unfinished::Missing(layer)),
            None => Ok((std::mem::take(&mut check.counts), check.is_sound)),
        }
    };
    let parts: Vec<(Counts, bool)> = (0..tasks.count())
        .into_par_iter()
        .map_init(|| (scan.clone(), Check::new(own, scan.layers().iter().map(|&layer| cells(layer)))), check)
        .collect::<Result<_, _>>()?;
    if parts.iter().any(|(_, is_sound)| !is_sound) {
        return Ok(Some(Scanned::Faulty));
    }
    let mut counts = parts.into_iter().fold(Counts::default(), |all, (counts, _)| all.and(counts));
    counts.unused = slots - counts.positions();
    Ok(Some(Scanned::Sound(counts)))
}

/// A position whose cells were prefetched.
struct Asked {
    slot: Slot,
    /// The score if the game is over.
    over: Option<Score>,
    /// The best of its near successors, and the end of the list of its far ones.
    best: Preference,
    end: usize,
}

struct Check<'a, L> {
    own: &'a LayerCells,
    /// The layers of the scan, as far as they are in memory.
    layers: Vec<Result<&'a LayerCells, L>>,
    /// The entries of the near slots.
    near: Vec<Preference>,
    far: Vec<(&'a LayerCells, Slot)>,
    /// The best near successor of the current position.
    best: Preference,
    asked: Vec<Asked>,
    counts: Counts,
    is_sound: bool,
    missing: Option<L>,
}

impl<'a, L: Copy> Check<'a, L> {
    fn new(own: &'a LayerCells, layers: impl Iterator<Item = Result<&'a LayerCells, L>>) -> Self {
        Self {
            own,
            layers: layers.collect(),
            near: Vec::new(),
            far: Vec::new(),
            best: Preference::LEAST,
            asked: Vec::with_capacity(TOGETHER),
            counts: Counts::default(),
            is_sound: true,
            missing: None,
        }
    }

    #[inline]
    fn cells(&mut self, layer: usize) -> Option<&'a LayerCells> {
        match self.layers[layer] {
            Ok(cells) => Some(cells),
            Err(layer) => {
                self.missing = Some(layer);
                None
            }
        }
    }

    #[inline]
    fn ask(&mut self, slot: Slot, over: Option<Score>) {
        self.own.send_for(slot);
        self.asked.push(Asked { slot, over, best: self.best, end: self.far.len() });
        self.best = Preference::LEAST;
        if self.asked.len() == TOGETHER {
            self.compare();
        }
    }

    /// Compares the entries of the positions since the last time.
    fn compare(&mut self) {
        let mut first = 0;
        for Asked { slot, over, best, end } in self.asked.drain(..) {
            let far = self.far[first..end].iter().map(|&(cells, slot)| Preference::of(cells.code(slot)));
            first = end;
            let expected = over.or_else(|| far.fold(best, Ord::max).score().map(Score::before_move));
            let found = self.own.entry(slot);
            self.counts.count(found);
            self.is_sound &= found.score() == expected && found != Entry::Unused;
        }
        self.far.clear();
    }
}

impl<L: Copy> ScanVisitor for Check<'_, L> {
    fn near_slots(&mut self, count: usize, slots: impl Iterator<Item = (u32, Slot)>) {
        let Some(cells) = self.cells(0) else { return };
        self.near.resize(count, Preference::of(UNUSED));
        for (number, slot) in slots {
            self.near[number as usize] = Preference::of(cells.code(slot));
        }
    }

    fn over(&mut self, slot: Slot, value: Value) {
        self.ask(slot, Some(Score::finished(value)));
    }

    #[inline]
    fn near(&mut self, number: u32) {
        // Without its layer there are no near slots.
        let offered = self.near.get(number as usize).copied().unwrap_or(Preference::of(UNUSED));
        self.best = self.best.max(offered);
    }

    #[inline]
    fn far(&mut self, layer: usize, slot: Slot) {
        if let Some(cells) = self.cells(layer) {
            cells.send_for(slot);
            self.far.push((cells, slot));
        }
    }

    #[inline]
    fn moved(&mut self, slot: Slot) {
        self.ask(slot, None);
    }
}
