//! Tables that are built in memory for a question, and kept for the next ones.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use marquis_core::{Game as _, Indexed as _, Score};
use marquis_retro::{Layers, NoKeeper, Plan, SolveLimits, SolveProgress, Stopped};

use crate::game::tabled::{LayerOf, Tabled, Work};
use crate::wire::reports::SubTableFigures;

/// The scores of everything that play can lead to from a position, layer by layer, in memory.
pub struct SubTable<G: Tabled> {
    index: G::Index,
    layers: Layers<LayerOf<G>>,
    bytes: u64,
}

impl<G: Tabled> SubTable<G> {
    /// The table around a position; nothing where it is known to have more than so many slots, or where the game numbers
    /// nothing around a position.
    ///
    /// * `position`: not a finished game.
    /// * `progress`: is told of each component of layers how far it is.
    ///
    /// # Errors
    /// Which of the limits ended the work.
    pub fn around(
        rules: &G::Rules,
        position: &G::Position,
        slots: u64,
        limits: &SolveLimits<'_>,
        progress: &(dyn Fn(SolveProgress) + Sync),
    ) -> Result<Option<Self>, Stopped> {
        let Some((index, wanted)) = G::around(rules, position, slots) else { return Ok(None) };
        let plan = Plan::new(&index, wanted);
        if plan.slots() > slots {
            return Ok(None);
        }
        let mut layers = Layers::default();
        for bundle in &plan.bundles {
            let Some(&first) = bundle.layers.first() else { continue };
            // No copy is made for a checkpoint, so its byte a slot is free.
            let work = Work { lower: &layers, kept: None, room: slots, keeper: &NoKeeper, limits, progress };
            for solved in G::solve_layer(&index, first, work)? {
                layers.insert(solved.layer, solved.cells);
            }
        }
        let cells: u64 =
            plan.layers().filter_map(|layer| layers.get(layer)).map(marquis_retro::Cells::bytes).sum();
        let bytes = cells + G::index_bytes(&index);
        let table = Self { index, layers, bytes };
        // An index may be for less: where a player has no rook left, play goes on for a move that is in no layer.
        let holds = table.score(rules, position).is_some();
        Ok(holds.then_some(table))
    }

    /// The score of a position; none where it lies outside.
    #[must_use]
    pub fn score(&self, rules: &G::Rules, position: &G::Position) -> Option<Score> {
        if let Some(over) = rules.over(position) {
            return Some(Score::finished(over.outcome.for_mover(rules.turn(position))));
        }
        let (layer, position) = G::locate(&self.index, rules, position)?;
        let cells = self.layers.get(layer)?;
        let (_, slot) = self.index.slot(&position);
        cells.entry(slot).score()
    }

    /// About the bytes that it takes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Tables of all games, the oldest first, within so many bytes.
pub(crate) struct SubTables {
    most_bytes: u64,
    kept: Mutex<VecDeque<Kept>>,
}

/// A table of whatever type its game has.
struct Kept {
    table: Arc<dyn Any + Send + Sync>,
    bytes: u64,
}

impl SubTables {
    /// No table yet.
    pub(crate) const fn within(most_bytes: u64) -> Self {
        Self { most_bytes, kept: Mutex::new(VecDeque::new()) }
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The latest table that has a score for a position of these rules, which is not a finished game.
    pub(crate) fn holding<G: Tabled>(
        &self,
        rules: &G::Rules,
        position: &G::Position,
    ) -> Option<Arc<SubTable<G>>> {
        let of_game = |kept: &Kept| Arc::clone(&kept.table).downcast::<SubTable<G>>().ok();
        let tables: Vec<_> = self.kept().iter().rev().filter_map(of_game).collect();
        tables.into_iter().find(|table| table.score(rules, position).is_some())
    }

    /// Keeps a table, and lets go of the oldest until all fit; one that never fits is not kept.
    pub(crate) fn keep<G: Tabled>(&self, table: &Arc<SubTable<G>>) {
        let bytes = table.bytes();
        if bytes > self.most_bytes {
            return;
        }
        let mut kept = self.kept();
        kept.push_back(Kept { table: Arc::clone(table) as Arc<dyn Any + Send + Sync>, bytes });
        while kept.iter().map(|kept| kept.bytes).sum::<u64>() > self.most_bytes {
            kept.pop_front();
        }
    }

    /// How many there are, and their bytes.
    pub(crate) fn figures(&self) -> SubTableFigures {
        let kept = self.kept();
        SubTableFigures { tables: kept.len() as u64, bytes: kept.iter().map(|kept| kept.bytes).sum() }
    }
}
