//! The knowledge of all games without a search; the base of every answer.

use std::any::Any;
use std::sync::{Arc, PoisonError, RwLock};

use crate::game::chance::ChanceGame;
use crate::game::exact::ExactGame;
use crate::knowledge::book::{Books, ResultsOf};
use crate::knowledge::chances::{KnownChance, KnownChances};
use crate::knowledge::earlier::Earlier;
use crate::knowledge::proofs::Proofs;
use crate::knowledge::shipped::ShippedProofs;
use crate::knowledge::sub_tables::SubTables;
use crate::knowledge::tables::Tables;
use crate::query::EngineOptions;

/// The tables, the loaded proofs, the known results, and the results of earlier questions; shared freely between
/// threads.
pub(crate) struct Known {
    tables: RwLock<Arc<Tables>>,
    proofs: RwLock<Arc<Proofs>>,
    /// Known results, which never change.
    books: Books,
    /// Shipped proofs.
    shipped: Arc<ShippedProofs>,
    /// The approximate memory for loaded proofs, in bytes.
    proof_bytes: u64,
    /// Tables that were built for a question.
    sub_tables: Arc<SubTables>,
    /// The results of searches.
    earlier: Arc<Earlier>,
    /// The last solution that is small enough to keep, in the type of its game.
    last: RwLock<Option<Arc<dyn Any + Send + Sync>>>,
}

impl Known {
    /// * `options`: the memory limits for later results.
    pub(crate) fn new(
        tables: Tables,
        proofs: Proofs,
        books: Books,
        shipped: Arc<ShippedProofs>,
        options: &EngineOptions,
    ) -> Self {
        let (tables, proofs) = (RwLock::new(Arc::new(tables)), RwLock::new(Arc::new(proofs)));
        let sub_tables = Arc::new(SubTables::within(options.sub_table_bytes));
        let (proof_bytes, earlier, last) = (options.proof_bytes, Arc::default(), RwLock::default());
        Self { tables, proofs, books, shipped, proof_bytes, sub_tables, earlier, last }
    }

    /// Shipped proofs.
    pub(crate) fn shipped(&self) -> &Arc<ShippedProofs> {
        &self.shipped
    }

    /// The tables that were built for a question.
    pub(crate) fn sub_tables(&self) -> &Arc<SubTables> {
        &self.sub_tables
    }

    /// The results of earlier questions.
    pub(crate) fn earlier(&self) -> &Arc<Earlier> {
        &self.earlier
    }

    /// The known results of a game.
    pub(crate) fn book<G: ExactGame>(&self) -> Option<Arc<ResultsOf<G>>> {
        Arc::clone(self.books.get(&G::ID)?).downcast().ok()
    }

    /// The book's chance for a position before a throw.
    pub(crate) fn booked_chance<G: ChanceGame>(
        &self,
        rules: &G::Rules,
        position: &G::Position,
    ) -> Option<KnownChance> {
        let results = self.books.get(&G::ID)?.downcast_ref::<KnownChances<G>>()?;
        results.look(rules, position).cloned()
    }

    /// The current tables.
    pub(crate) fn tables(&self) -> Arc<Tables> {
        Arc::clone(&self.tables.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the tables; answers in progress keep the old ones.
    pub(crate) fn set_tables(&self, tables: Tables) {
        *self.tables.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(tables);
        // Results that the old tables gave are dropped with them.
        self.earlier.forget();
    }

    /// The current proofs.
    pub(crate) fn proofs(&self) -> Arc<Proofs> {
        Arc::clone(&self.proofs.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes the proofs; answers in progress keep the old ones.
    pub(crate) fn change_proofs(&self, change: impl FnOnce(&mut Proofs)) {
        let mut proofs = self.proofs.write().unwrap_or_else(PoisonError::into_inner);
        change(Arc::make_mut(&mut proofs));
        Arc::make_mut(&mut proofs).shrink_to(self.proof_bytes);
    }

    /// The last solution, if it is of this type.
    pub(crate) fn last<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.last.read().unwrap_or_else(PoisonError::into_inner).clone()?.downcast().ok()
    }

    /// Replaces the last solution.
    pub(crate) fn keep_last(&self, solution: impl Send + Sync + 'static) {
        *self.last.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(solution));
    }
}
