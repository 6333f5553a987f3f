//! The knowledge about one game without a search: tables, the book and proof files, as the search's oracle and as
//! answers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use marquis_core::{Bounds, Effort, Game as _, Score, Symmetric as _, Value};
use marquis_play::Proved;
use marquis_proof::{Oracle, ProofIndex, Span};

use crate::EngineError;
use crate::game::exact::ExactGame;
use crate::game::shelf::{Shelf, look_up};
use crate::knowledge::book::{BoardResults, KnownResult};
use crate::knowledge::earlier::Earlier;
use crate::knowledge::known::Known;
use crate::knowledge::proofs::LoadedProof;
use crate::knowledge::shipped::ShippedProofs;
use crate::knowledge::sub_tables::{SubTable, SubTables};
use crate::results::closure::close;
use crate::results::{Proof, Verdict};

/// The effort for a direct score in the middle of a search: some tens of microseconds, enough for two in three races
/// of up to 16 checkers a side.
const SEARCH_EFFORT: u32 = 64;

/// Whether a search may use direct scores, which the checker of its proof does not know.
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
    /// Shipped proofs that were opened for this question.
    opened: OnceLock<Vec<Arc<LoadedProof<G>>>>,
    book: Option<Arc<BoardResults<G>>>,
    shipped: Arc<ShippedProofs>,
    sub_tables: Arc<SubTables>,
    earlier: Arc<Earlier>,
    /// Whether results of earlier questions are looked up.
    recalls: AtomicBool,
    /// Whether the question is about positions that the book or proofs know something about, so that it pays to ask
    /// them about every position of a search.
    is_near: AtomicBool,
    /// The proof files that the book names for these positions.
    near_files: Mutex<Vec<String>>,
    /// The first error of a remote table in the middle of a search.
    missed: Mutex<Option<EngineError>>,
}

/// A selection of the proof files about a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Files {
    /// Files that are open, or open within a second or two.
    Soon,
    /// Also the files that the book names for the position, however long it takes to open them.
    SoonOrNear,
}

impl<'a, G: ExactGame> Knowledge<'a, G> {
    /// The knowledge about a game.
    pub(crate) fn of(known: &Known, game: &'a G::Rules) -> Self {
        let (shelves, proofs) = (known.tables().shelves::<G>(), known.proofs().about::<G>(game));
        let book = known.book::<G>().and_then(|boards| boards.about(game));
        let knowledge = Self {
            game,
            direct: Direct::Allowed,
            shelves,
            proofs,
            opened: OnceLock::new(),
            book,
            shipped: Arc::clone(known.shipped()),
            sub_tables: Arc::clone(known.sub_tables()),
            earlier: Arc::clone(known.earlier()),
            recalls: AtomicBool::new(false),
            is_near: AtomicBool::new(false),
            near_files: Mutex::default(),
            missed: Mutex::default(),
        };
        if knowledge.files().iter().all(|file| knowledge.shipped.is_open(file)) {
            knowledge.open_proofs(Files::SoonOrNear, &|| true);
        }
        knowledge
    }

    /// The same without direct scores, the book and shipped proofs, for a proof that has to be checked by the rules.
    pub(crate) fn for_proof(self) -> Self {
        let opened = OnceLock::from(Vec::new());
        Self { direct: Direct::Forbidden, book: None, opened, ..self }
    }

    /// The shipped proof files about this board.
    fn files(&self) -> &[String] {
        self.book.as_ref().map_or(&[], |board| board.files())
    }

    /// Whether shipped proofs could say more once they are opened.
    pub(crate) fn has_closed_proofs(&self) -> bool {
        self.opened.get().is_none() && !self.files().is_empty()
    }

    /// The shipped proof files about this board that are wanted.
    fn wanted_files(&self, wanted: Files) -> Vec<&str> {
        let near = self.near_files.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let is_near = |file: &String| wanted == Files::SoonOrNear && near.contains(file);
        let wanted = |file: &&String| is_near(file) || self.shipped.is_soon_open(file);
        self.files().iter().filter(wanted).map(String::as_str).collect()
    }

    /// Starts to open the proofs of this board on another thread, without waiting.
    pub(crate) fn begin_to_open_proofs(&self) {
        if self.has_closed_proofs() {
            self.shipped.begin(self.wanted_files(Files::SoonOrNear).into_iter());
        }
    }

    /// Opens the shipped proofs about this board, on separate threads.
    ///
    /// * `give_up`: polled to end the wait; the files are opened all the same, for later questions.
    /// * Result: whether they are open.
    pub(crate) fn open_proofs(&self, files: Files, give_up: &dyn Fn() -> bool) -> bool {
        if !self.has_closed_proofs() {
            return self.opened.get().is_some();
        }
        let files = self.wanted_files(files);
        self.shipped.begin(files.iter().copied());
        let opened: Option<Vec<_>> = files.iter().map(|file| self.shipped.opened(file, give_up)).collect();
        let Some(opened) = opened else { return false };
        let kept = opened.iter().flat_map(|file| file.iter()).filter_map(|kept| kept.about::<G>(self.game));
        self.opened.set(kept.collect()).is_ok() || self.opened.get().is_some()
    }

    /// The tables.
    pub(crate) fn shelves(&self) -> &[Shelf<G>] {
        &self.shelves
    }

    /// The score that a table gives to a position that is not over.
    pub(crate) fn table_score(&self, position: &G::Position) -> Result<Option<Score>, EngineError> {
        look_up(&self.shelves, self.game, position)
    }

    /// A table that was built for an earlier question and holds the position.
    pub(crate) fn sub_table(&self, position: &G::Position) -> Option<Arc<SubTable<G>>> {
        self.sub_tables.holding(self.game, position)
    }

    /// Keeps a table that was built for a question, for later questions.
    pub(crate) fn keep_sub_table(&self, table: &Arc<SubTable<G>>) {
        self.sub_tables.keep(table);
    }

    /// The book's entry for a position.
    pub(crate) fn known_result(&self, position: &G::Position) -> Option<&KnownResult> {
        self.book.as_ref()?.look(&self.game.canonical(position))
    }

    fn all_proofs(&self) -> impl Iterator<Item = &Arc<LoadedProof<G>>> {
        self.proofs.iter().chain(self.opened.get().into_iter().flatten())
    }

    /// Whether there is a book or a proof about this board.
    fn has_results(&self) -> bool {
        self.book.is_some() || self.all_proofs().next().is_some()
    }

    /// The verdict of the book and the proofs on a position, for the player to move; its moves are not examined.
    ///
    /// * `position`: not a finished game.
    fn results(&self, position: &G::Position) -> Verdict {
        if !self.has_results() {
            return Verdict::UNKNOWN;
        }
        let canonical = self.game.canonical(position);
        let booked = self.book.as_ref().and_then(|board| board.look(&canonical));
        let booked = booked.map_or(Verdict::UNKNOWN, |known| known.verdict);
        let mut proofs = self.all_proofs().peekable();
        if proofs.peek().is_none() {
            return booked;
        }
        let key = ProofIndex::<G::Rules>::key(&canonical);
        proofs.filter_map(|proof| proof.look(&key)).fold(booked, |known, footing| {
            known.and(match footing.bounds.value() {
                Some(value) => Verdict::within(value, footing.within, Proof::File),
                None => Verdict::bounded(footing.bounds, Proof::File),
            })
        })
    }

    /// The knowledge about a position without a search, for the player to move; its moves are not examined.
    pub(crate) fn fact(&self, position: &G::Position) -> Verdict {
        if let Some(over) = self.game.over(position) {
            let value = over.outcome.for_mover(self.game.turn(position));
            return Verdict::exact(Score::finished(value), Proof::Rules);
        }
        if let Some(score) = self.quick_score(position) {
            return Verdict::exact(score, Proof::Table);
        }
        if let Some(table) = self.sub_table(position)
            && let Some(score) = table.score(self.game, position)
        {
            return Verdict::exact(score, Proof::Search);
        }
        let foregone = self.game.foregone(position).map(|outcome| {
            let value = outcome.for_mover(self.game.turn(position));
            let decided = Verdict::bounded(Bounds::exact(value), Proof::Search);
            let plies = self.game.foregone_plies(position, outcome);
            plies.map_or(decided, |plies| Verdict::between(value, &plies, Proof::Search))
        });
        let known = self.results(position).and(foregone.unwrap_or(Verdict::UNKNOWN));
        known.and(self.found_earlier(position))
    }

    /// Looks up the results of earlier questions from now on.
    ///
    /// Until then the answer does not depend on earlier questions. If all reachable positions are soon listed, it
    /// never does.
    pub(crate) fn recall(&self) {
        self.recalls.store(true, Ordering::Relaxed);
    }

    /// The verdict that a search for an earlier question proved, if proofs may rest on more than the rules.
    fn found_earlier(&self, position: &G::Position) -> Verdict {
        let recalls = self.direct != Direct::Forbidden && self.recalls.load(Ordering::Relaxed);
        if !recalls || self.earlier.is_empty() {
            return Verdict::UNKNOWN;
        }
        self.earlier.look::<G>(self.game, &self.game.canonical(position))
    }

    /// Keeps the proved results of an answer for later questions.
    ///
    /// * `found`: positions that are not finished games, with their verdicts.
    pub(crate) fn remember<'p>(&self, found: impl Iterator<Item = (&'p G::Position, Verdict)>)
    where
        G::Position: 'p,
    {
        let canonical = found.map(|(position, verdict)| (self.game.canonical(position), verdict));
        self.earlier.keep::<G>(self.game, canonical);
    }

    /// As [`fact`](Self::fact), with the conclusions from the moves if the book or proofs may know some of them.
    pub(crate) fn fact_ahead(&self, position: &G::Position) -> Verdict {
        if self.has_results() { self.follows(position) } else { self.fact(position) }
    }

    /// The knowledge about a position without a search, with the conclusions from its moves.
    pub(crate) fn follows(&self, position: &G::Position) -> Verdict {
        let mut fact = self.fact(position);
        if fact.plies().is_some() || fact.value() == Some(Value::Draw) {
            return fact;
        }
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let after = |mv: G::Move| self.fact(&self.game.play(position, mv)).before_move();
        let mut moves: Vec<Verdict> = moves.into_iter().map(after).collect();
        close(&mut fact, &mut moves);
        fact
    }

    /// The plies to the end of a position that its player to move has lost, as far as the book and proofs know them.
    pub(crate) fn plies_of_loss(&self, position: &G::Position) -> Option<Span> {
        let known = self.results(position);
        (known.value() == Some(Value::Loss) && known.span.most.is_some()).then_some(known.span)
    }

    /// Whether the question is about positions that the book or proofs know something about.
    pub(crate) fn is_near(&self) -> bool {
        self.is_near.load(Ordering::Relaxed)
    }

    /// Sets whether the question is about positions that the book or proofs know something about.
    ///
    /// * `positions`: the positions of the question.
    pub(crate) fn set_near<'p>(&self, is_near: bool, positions: impl Iterator<Item = &'p G::Position>)
    where
        G::Position: 'p,
    {
        self.is_near.store(is_near, Ordering::Relaxed);
        let known = positions.filter_map(|position| self.known_result(position));
        let files = known.filter_map(|known| Some(known.entry.proof.as_ref()?.file.clone()));
        *self.near_files.lock().unwrap_or_else(PoisonError::into_inner) = files.collect();
    }
}

impl<G: ExactGame> Knowledge<'_, G> {
    /// The score by tables; `None` if a table cannot be read. A direct look-up reports the fault; for a remote table,
    /// [`unless_missed`](Self::unless_missed) does.
    pub(crate) fn quick_score(&self, position: &G::Position) -> Option<Score> {
        self.table_score(position).unwrap_or_else(|error| {
            if error.is_elsewhere() {
                self.missed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
            None
        })
    }

    /// Returns `found`, unless it may be incomplete because a remote table could not be read.
    ///
    /// * `is_enough`: whether it answers all of the question.
    ///
    /// # Errors
    /// Why the table could not be read.
    pub(crate) fn unless_missed<T>(
        &self,
        found: T,
        is_enough: impl FnOnce(&T) -> bool,
    ) -> Result<T, EngineError> {
        let missed = self.missed.lock().unwrap_or_else(PoisonError::into_inner).take();
        missed.filter(|_| !is_enough(&found)).map_or(Ok(found), Err)
    }

    /// The score without tables, if that is allowed.
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
    /// The score by tables and, near positions that they know, by the book and proofs.
    fn score(&self, _: &G::Rules, position: &G::Position) -> Option<Score> {
        self.quick_score(position).or_else(|| {
            let value = self.is_near().then(|| self.results(position).value()).flatten()?;
            Some(match value {
                Value::Win => Score::Win(Proved::UNCOUNTED),
                Value::Draw => Score::Draw,
                Value::Loss => Score::Loss(Proved::UNCOUNTED),
            })
        })
    }

    /// The same with the scores of races.
    fn score_at_length(&self, game: &G::Rules, position: &G::Position) -> Option<Score> {
        marquis_play::Oracle::score(self, game, position).or_else(|| self.direct_score(position))
    }
}
