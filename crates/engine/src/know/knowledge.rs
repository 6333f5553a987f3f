//! What is known of one game without a search: tables, the book and proof files, as the search's oracle and as answers.

use std::sync::{Arc, Mutex, PoisonError};

use marquis_core::{Bounds, Effort, Score, Value};
use marquis_play::Proved;
use marquis_proof::Oracle;

use crate::EngineError;
use crate::game::exact::ExactGame;
use crate::know::book::{Board, KnownResult};
use crate::know::known::Known;
use crate::know::proofs::LoadedProof;
use crate::know::shelf::{Shelf, look_up};
use crate::know::sub_tables::{SubTable, SubTables};

/// The effort for a direct score in the middle of a search: some tens of microseconds, enough for two in three races
/// of up to 16 checkers a side.
const SEARCH_EFFORT: u32 = 64;

/// Whether a search may rest on direct scores, which whoever checks its proof does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direct {
    Allowed,
    Forbidden,
}

/// Tables, known results and proofs of one game.
pub(crate) struct Knowledge<'a, G: ExactGame> {
    game: &'a G::Rules,
    direct: Direct,
    shelves: Arc<Vec<Shelf<G>>>,
    proofs: Vec<Arc<LoadedProof<G>>>,
    book: Option<Arc<Board<G>>>,
    sub_tables: Arc<SubTables>,
    /// Why a table elsewhere was silent in the middle of a search, the first time that one was.
    missed: Mutex<Option<EngineError>>,
}

impl<'a, G: ExactGame> Knowledge<'a, G> {
    /// What is known about a game.
    pub(crate) fn of(known: &Known, game: &'a G::Rules) -> Self {
        let (shelves, proofs) = (known.tables().shelves::<G>(), known.proofs().about::<G>(game));
        let book = known.book::<G>().and_then(|boards| boards.about(game));
        let sub_tables = Arc::clone(known.sub_tables());
        let missed = Mutex::default();
        Self { game, direct: Direct::Allowed, shelves, proofs, book, sub_tables, missed }
    }

    /// The same without direct scores and the book, for a proof that is to be made and checked by the rules.
    pub(crate) fn for_proof(self) -> Self {
        Self { direct: Direct::Forbidden, book: None, ..self }
    }

    /// The tables.
    pub(crate) fn shelves(&self) -> &[Shelf<G>] {
        &self.shelves
    }

    /// The score that a table gives to a position that is not over.
    pub(crate) fn table_score(&self, position: &G::Position) -> Result<Option<Score>, EngineError> {
        look_up(&self.shelves, self.game, position)
    }

    /// A table that was built for some question and holds the position.
    pub(crate) fn sub_table(&self, position: &G::Position) -> Option<Arc<SubTable<G>>> {
        self.sub_tables.holding(self.game, position)
    }

    /// Keeps a table that was built for a question for the next ones.
    pub(crate) fn keep_sub_table(&self, table: &Arc<SubTable<G>>) {
        self.sub_tables.keep(table);
    }

    /// What the book says about a position.
    pub(crate) fn known_result(&self, position: &G::Position) -> Option<&KnownResult> {
        self.book.as_ref()?.look(position)
    }

    /// What the loaded proof files say about a position.
    pub(crate) fn proved_bounds(&self, position: &G::Position) -> Option<Bounds> {
        self.proofs.iter().filter_map(|proof| proof.bounds(position)).reduce(Bounds::and)
    }
}

impl<G: ExactGame> Knowledge<'_, G> {
    /// The score by tables; one that cannot be read is silent here. Asking it directly reports the fault, and
    /// [`unless_missed`](Self::unless_missed) does so for one that lies elsewhere.
    pub(crate) fn quick_score(&self, position: &G::Position) -> Option<Score> {
        self.table_score(position).unwrap_or_else(|error| {
            if error.is_elsewhere() {
                self.missed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
            None
        })
    }

    /// What was found, unless it says less than it might because a table elsewhere was silent on the way.
    ///
    /// * `is_enough`: whether it says all that anybody wanted to know.
    ///
    /// # Errors
    /// Why the table was silent.
    pub(crate) fn unless_missed<T>(
        &self,
        found: T,
        is_enough: impl FnOnce(&T) -> bool,
    ) -> Result<T, EngineError> {
        let missed = self.missed.lock().unwrap_or_else(PoisonError::into_inner).take();
        missed.filter(|_| !is_enough(&found)).map_or(Ok(found), Err)
    }

    /// The score without tables, where that is allowed.
    fn direct_score(&self, position: &G::Position) -> Option<Score> {
        let mut effort = match self.direct {
            Direct::Allowed => Effort::of(SEARCH_EFFORT),
            Direct::Forbidden => return None,
        };
        G::direct_score(self.game, position, &mut effort)
    }
}

impl<G: ExactGame> Oracle<G::Rules> for Knowledge<'_, G> {
    fn value(&self, position: &G::Position) -> Option<Value> {
        self.quick_score(position).or_else(|| self.direct_score(position)).map(Score::value)
    }
}

impl<G: ExactGame> marquis_play::Oracle<G::Rules> for Knowledge<'_, G> {
    /// What tables, the book and loaded proofs say.
    fn score(&self, _: &G::Rules, position: &G::Position) -> Option<Score> {
        self.quick_score(position).or_else(|| {
            let known = self.known_result(position).map(|known| known.value);
            let value = known.or_else(|| self.proved_bounds(position)?.value())?;
            Some(match value {
                Value::Win => Score::Win(Proved::UNCOUNTED),
                Value::Draw => Score::Draw,
                Value::Loss => Score::Loss(Proved::UNCOUNTED),
            })
        })
    }

    /// The same, and the scores of races.
    fn score_at_length(&self, game: &G::Rules, position: &G::Position) -> Option<Score> {
        marquis_play::Oracle::score(self, game, position).or_else(|| self.direct_score(position))
    }
}
