//! What is known without a search: tables and proof files, as the search's oracle and as answers.

use std::any::Any;
use std::sync::Arc;

use marquis_core::{Bounds, Score, Value};
use marquis_proof::{Explorer, Heuristic, Numbers, Oracle, Question};

use crate::EngineError;
use crate::facade::Engine;
use crate::game::ExactGame;
use crate::know::tables::{Shelf, look_up};

/// A proof of a game and the variant that it is about.
struct Proof<G: ExactGame> {
    rules: G::Rules,
    explorer: Explorer<G::Rules>,
}

/// A proof of any game; cheap to clone.
#[derive(Clone)]
pub(crate) struct Kept {
    proof: Arc<dyn Any + Send + Sync>,
    /// About the bytes that it takes.
    weight: u64,
}

impl Kept {
    /// * `weight`: about the bytes that it takes.
    pub(crate) fn new<G: ExactGame>(rules: G::Rules, explorer: Explorer<G::Rules>, weight: u64) -> Self {
        Self { proof: Arc::new(Proof::<G> { rules, explorer }), weight }
    }
}

/// The loaded proofs of every game, the oldest first; cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Proofs(Vec<Kept>);

impl Proofs {
    /// Takes loaded proofs in.
    pub(crate) fn extend(&mut self, proofs: impl IntoIterator<Item = Kept>) {
        self.0.extend(proofs);
    }

    /// Lets go of the oldest until the rest takes no more than so many bytes.
    pub(crate) fn shrink_to(&mut self, bytes: u64) {
        let mut left = bytes;
        let fits = |kept: &&Kept| left.checked_sub(kept.weight).inspect(|&rest| left = rest).is_some();
        let kept = self.0.iter().rev().take_while(fits).count();
        self.0.drain(..self.0.len() - kept);
    }

    /// Those that are about these rules.
    fn about<G: ExactGame>(&self, rules: &G::Rules) -> Vec<Arc<Proof<G>>> {
        let of_game = self.0.iter().filter_map(|kept| Arc::clone(&kept.proof).downcast::<Proof<G>>().ok());
        of_game.filter(|proof| proof.rules == *rules).collect()
    }
}

/// The effort for a direct score in the middle of a search: some tens of microseconds, enough for two in three races
/// of up to 16 checkers a side.
const SEARCH_EFFORT: u32 = 64;

/// Whether a search may rest on direct scores, which whoever checks its proof does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direct {
    Allowed,
    Forbidden,
}

/// Tables and proofs of one game.
pub(crate) struct Knowledge<'a, G: ExactGame> {
    game: &'a G::Rules,
    direct: Direct,
    shelves: Arc<Vec<Shelf<G>>>,
    proofs: Vec<Arc<Proof<G>>>,
}

impl Engine {
    /// What the engine knows about a game.
    pub(crate) fn knowledge<'a, G: ExactGame>(&self, game: &'a G::Rules) -> Knowledge<'a, G> {
        let (shelves, proofs) = (self.loaded().shelves::<G>(), self.proofs().about::<G>(game));
        Knowledge { game, direct: Direct::Allowed, shelves, proofs }
    }
}

impl<G: ExactGame> Knowledge<'_, G> {
    /// The same without direct scores, for a proof that is to be checked by the rules.
    pub(crate) fn for_proof(self) -> Self {
        Self { direct: Direct::Forbidden, ..self }
    }

    /// The tables.
    pub(crate) fn shelves(&self) -> &[Shelf<G>] {
        &self.shelves
    }

    /// The score that a table gives to a position that is not over.
    pub(crate) fn table_score(&self, position: &G::Position) -> Result<Option<Score>, EngineError> {
        look_up(&self.shelves, self.game, position)
    }

    /// What the loaded proof files say about a position.
    pub(crate) fn proved_bounds(&self, position: &G::Position) -> Option<Bounds> {
        self.proofs.iter().filter_map(|proof| proof.explorer.bounds(position)).reduce(Bounds::and)
    }
}

impl<G: ExactGame> Oracle<G::Rules> for Knowledge<'_, G> {
    /// A table that cannot be read is silent here; asking it directly reports the fault.
    fn value(&self, position: &G::Position) -> Option<Value> {
        let table = self.table_score(position).ok().flatten();
        let direct = || match self.direct {
            Direct::Allowed => {
                let mut effort = SEARCH_EFFORT;
                G::direct_score(self.game, position, &mut effort)
            }
            Direct::Forbidden => None,
        };
        table.or_else(direct).map(Score::value)
    }
}

impl<G: ExactGame> Heuristic<G::Rules> for Knowledge<'_, G> {
    fn numbers(&self, position: &G::Position, question: Question) -> Numbers {
        let work = G::work(self.game, position, question.prover);
        work.map_or(Numbers::UNIT, |work| Numbers { proof: work, disproof: 1 })
    }

    fn wins_at_once(&self, position: &G::Position) -> bool {
        G::wins_at_once(self.game, position)
    }

    fn may_lose_next(&self, position: &G::Position) -> bool {
        G::may_lose_next(self.game, position)
    }
}
