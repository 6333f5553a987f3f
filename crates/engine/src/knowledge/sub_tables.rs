//! Tables that are built in memory for one question and kept for later ones.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use marquis_core::{Game as _, Indexed as _, Score};
use marquis_retro::{BundlePlan, Layers, NoKeeper, SolveLimits, SolveProgress, Stopped};

use crate::game::layer_solver::{LayerSolver as _, Work};
use crate::game::method::MethodCosts;
use crate::game::tabled::{LayerOf, Tabled};
use marquis_wire::reports::SubTableFigures;

/// The scores of all positions reachable from a position, layer by layer, in memory.
pub struct SubTable<G: Tabled> {
    index: G::Index,
    layers: Layers<LayerOf<G>>,
    bytes: u64,
}

impl<G: Tabled> SubTable<G> {
    /// The table around a position; `None` if it is known to have more than `slots` slots, or if the game cannot
    /// number the positions around this one.
    ///
    /// * `position`: not a finished game.
    /// * `progress`: receives the progress of each component of layers.
    ///
    /// # Errors
    /// The limit that ended the work.
    pub fn around(
        rules: &G::Rules,
        position: &G::Position,
        slots: u64,
        limits: &SolveLimits<'_>,
        progress: &(dyn Fn(SolveProgress) + Sync),
    ) -> Result<Option<Self>, Stopped> {
        let Some((index, wanted)) = G::around(rules, position, slots) else { return Ok(None) };
        let plan = BundlePlan::new(&index, wanted);
        if plan.slots() > slots {
            return Ok(None);
        }
        let mut layers = Layers::default();
        for bundle in &plan.bundles {
            let Some(&first) = bundle.layers.first() else { continue };
            // No copy is made for a checkpoint, so its byte per slot is free for rows.
            let memory_bytes = slots.saturating_mul(3);
            let solver = G::solver(&index);
            let methods = MethodCosts::new(solver.methods(first, memory_bytes)).without_strips();
            let method = methods.within(memory_bytes).method;
            let work = Work { lower: &layers, kept: None, keeper: &NoKeeper, limits, progress };
            for solved in solver.solve(method, first, work)? {
                layers.insert(solved.layer, solved.cells);
            }
        }
        let cells: u64 =
            plan.layers().filter_map(|layer| layers.get(layer)).map(marquis_retro::LayerCells::bytes).sum();
        let bytes = cells + G::index_bytes(&index);
        let table = Self { index, layers, bytes };
        // An index may cover less: if a player has no rook left, play continues for one move outside all layers.
        let holds = table.score(rules, position).is_some();
        Ok(holds.then_some(table))
    }

    /// The score of a position; `None` if the table does not hold it.
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

    /// Its approximate memory in bytes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Tables of all games, the oldest first, within a memory limit.
pub(crate) struct SubTables {
    most_bytes: u64,
    kept: Mutex<VecDeque<HeldTable>>,
    /// Whether a table was ever kept. Until then no look-up takes the lock, which all threads share.
    is_used: AtomicBool,
}

/// A table in the type of its game.
struct HeldTable {
    table: Arc<dyn Any + Send + Sync>,
    bytes: u64,
}

impl SubTables {
    /// An empty set of tables.
    pub(crate) const fn within(most_bytes: u64) -> Self {
        Self { most_bytes, kept: Mutex::new(VecDeque::new()), is_used: AtomicBool::new(false) }
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<HeldTable>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The latest table with a score for a position of these rules, which is not a finished game.
    pub(crate) fn holding<G: Tabled>(
        &self,
        rules: &G::Rules,
        position: &G::Position,
    ) -> Option<Arc<SubTable<G>>> {
        if !self.is_used.load(Ordering::Acquire) {
            return None;
        }
        let of_game = |kept: &HeldTable| Arc::clone(&kept.table).downcast::<SubTable<G>>().ok();
        let tables: Vec<_> = self.kept().iter().rev().filter_map(of_game).collect();
        tables.into_iter().find(|table| table.score(rules, position).is_some())
    }

    /// Keeps a table, and evicts the oldest until all fit; a table that never fits is not kept.
    pub(crate) fn keep<G: Tabled>(&self, table: &Arc<SubTable<G>>) {
        let bytes = table.bytes();
        if bytes > self.most_bytes {
            return;
        }
        let mut kept = self.kept();
        self.is_used.store(true, Ordering::Release);
        kept.push_back(HeldTable { table: Arc::clone(table) as Arc<dyn Any + Send + Sync>, bytes });
        while kept.iter().map(|kept| kept.bytes).sum::<u64>() > self.most_bytes {
            kept.pop_front();
        }
    }

    /// The number of tables and their bytes.
    pub(crate) fn figures(&self) -> SubTableFigures {
        let kept = self.kept();
        SubTableFigures { tables: kept.len() as u64, bytes: kept.iter().map(|kept| kept.bytes).sum() }
    }
}
