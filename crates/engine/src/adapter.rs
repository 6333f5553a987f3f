//! The interface of every game, whatever the type of its positions.

use std::fmt::Debug;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use marquis_core::{ByPlayer, GameId, Immobile, Over, Player, TextError, Throw, Wish};
use marquis_proof::checker::Foregone;
use marquis_table::{Fingerprint, SlotFacts, TableFile};

use crate::ask::balance::Proving;
use crate::ask::review::Appraisal;
use crate::build::inspection::Inspection;
use crate::build::prepared::{PreparedBuild, Site};
use crate::error::Unsuited;
use crate::game::about::About;
use crate::knowledge::asking::Asking;
use crate::knowledge::book::Booked;
use crate::knowledge::known::Known;
use crate::knowledge::proofs::{AnyProof, Shown};
use crate::knowledge::tables::Shelved;
use crate::query::{Among, BalanceQuery, BuildQuery, DesignQuery, Detail, LaidOut, Opponent, StudyOptions};
use crate::study::WorkPlace;
use crate::{Control, EngineError, Limits};
use marquis_wire::answer::{Advice, Answer, Balance};
use marquis_wire::book::BookEntry;
use marquis_wire::reports::{ClaimsReport, Drawing, Line, ListedMove, ProofFile};
use marquis_wire::study::{SetUpStudyReport, StudyReport, WorkReport};

/// A game behind a common interface.
pub(crate) trait Adapter: Send + Sync {
    fn about(&self) -> About;

    fn letters(&self) -> ByPlayer<char>;

    fn has_throws(&self) -> bool;

    /// How its boards are laid out, if the game begins with a set-up.
    fn set_ups(&self) -> Option<Box<dyn SetUpDoor>> {
        None
    }

    fn starter(&self) -> Option<BuildQuery> {
        None
    }

    /// The throw of this score.
    ///
    /// # Errors
    /// There is no such throw, or there are none at all.
    fn throw(&self, score: u8) -> Result<Throw, EngineError>;

    /// The position of a text, in which `start` and `start:SIZE` stand for start positions.
    fn read(&self, text: &str, immobile: Immobile) -> Result<Arc<dyn Position>, TextError>;

    /// The fingerprint of the rules and of the numbering.
    fn fingerprint(&self, variant: &str) -> Fingerprint;

    fn hints(&self, variant: &str, layer: &str) -> Option<SlotFacts>;

    /// The tables of these files, which are all of this game.
    ///
    /// * `problems`: receives the reasons why files were left out.
    fn shelve(&self, files: Vec<Arc<TableFile>>, problems: &mut Vec<EngineError>) -> Shelved;

    /// The known results of this game among these.
    ///
    /// * `left_out`: receives the reasons why results were left out.
    fn book(&self, entries: &[Arc<BookEntry>], left_out: &mut Vec<String>) -> Booked;

    /// The build that a query asks for, with its positions numbered.
    fn prepare<'a>(
        &self,
        query: &BuildQuery,
        site: Site<'a>,
    ) -> Result<Box<dyn PreparedBuild + 'a>, EngineError>;

    /// Checks every entry of the tables of this game against its successors.
    fn verify(&self, inspection: &mut Inspection<'_>) -> Result<(), EngineError>;
}

/// A game that begins with a board that Player One lays out.
pub(crate) trait SetUpDoor {
    /// The set-up of a question.
    fn lay_out(&self, query: &BalanceQuery) -> Result<Arc<dyn OnBoard>, EngineError>;

    /// A source of random boards of one kind.
    fn designs<'a>(&self, query: &'a DesignQuery) -> Result<Boards<'a>, EngineError>;
}

/// A source of random boards.
pub(crate) type Boards<'a> = Box<dyn FnMut() -> String + 'a>;

/// A position with the rules that apply to it.
pub(crate) trait Position: Debug + Send + Sync {
    /// The canonical text.
    fn text(&self) -> String;

    /// The text of the representative among all images of the position.
    fn normal(&self) -> String;

    /// The texts of all images of the position, itself included, in any order; some may be equal.
    fn images(&self) -> Vec<String>;

    /// The names of the cells, row by row in the order of position texts.
    fn cells(&self) -> Vec<Vec<String>>;

    fn turn(&self) -> Player;

    /// Why the game is over, with the winner; `None` if it is not over.
    fn over(&self) -> Option<Over>;

    /// Whether the player to move throws first.
    fn has_throws(&self) -> bool {
        false
    }

    /// The count that a store has to reach, in games that end so.
    fn target(&self) -> Option<u16> {
        None
    }

    /// The position after the move of this text.
    fn play(&self, mv: &str) -> Result<Arc<dyn Position>, TextError>;

    /// The position after one of its moves, or of all moves for all throws; `None` if the game is over.
    ///
    /// * `pick`: gets the number of moves, at least one, and returns the number of one of them in the order of
    ///   [`moves`](Self::moves).
    fn play_any(&self, pick: &mut dyn FnMut(usize) -> usize) -> Option<Arc<dyn Position>>;

    fn draw(&self) -> Drawing;

    fn moves(&self, throw: Option<Throw>) -> Vec<ListedMove>;

    /// Why no legal move matches `wish`; `None` if one does, or if the game gives no reason.
    fn why_not(&self, wish: Wish<'_>, throw: Option<Throw>) -> Result<Option<String>, TextError>;

    fn solve(&self, asking: Asking<'_>, throw: Option<Throw>) -> Result<Answer, EngineError>;

    fn advise(
        &self,
        asking: Asking<'_>,
        throw: Option<Throw>,
        opponent: Opponent,
    ) -> Result<Advice, EngineError>;

    /// The knowledge about the position without a search; the limits are for opening proofs.
    fn probe(&self, asking: Asking<'_>, throw: Option<Throw>, detail: Detail) -> Result<Answer, EngineError>;

    /// The verdict or estimate of the position and of each of its moves, for a review.
    ///
    /// * `thrown`: the score that was thrown, if there are throws and a move was made.
    fn appraise(&self, asking: Asking<'_>, thrown: Option<u8>) -> Result<Appraisal, EngineError>;

    /// The same position for questions about proofs; `None` in games with throws.
    fn provable(&self) -> Option<&dyn Provable>;
}

/// A position of a game without throws, in which a value can be proved.
pub(crate) trait Provable {
    fn perft(&self, depth: u32, limits: &Limits, control: &Control<'_>) -> Result<Vec<u64>, EngineError>;

    fn solve_with_proof(&self, asking: Asking<'_>, file: &Path) -> Result<(Answer, ProofFile), EngineError>;

    fn line(&self, asking: Asking<'_>) -> Result<Line, EngineError>;

    fn solve_with_line(&self, asking: Asking<'_>) -> Result<(Answer, Line), EngineError>;

    fn claims(&self, asking: Asking<'_>, among: Among) -> Result<ClaimsReport, EngineError>;

    /// Resumes or starts the study of the position.
    fn study(
        &self,
        options: &StudyOptions,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(StudyReport, Option<ProofFile>), EngineError>;

    /// Does jobs for the study of the position that another process keeps.
    fn work_for(
        &self,
        place: WorkPlace<'_>,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<WorkReport, EngineError>;

    /// The proof files that the book names for the board.
    fn proof_files(&self, known: &Known) -> Vec<String>;

    /// The claims that strategies prove about the position, and the resulting bounds.
    ///
    /// * `foregone`: how to treat lines that end by a theorem.
    /// * `limits`: the memory and disk that may be used.
    ///
    /// # Errors
    /// [`EngineError::Refuted`] if a strategy does not hold, [`EngineError::LimitReached`] if there is no room for
    /// it.
    fn replay(
        &self,
        strategies: &[Vec<u8>],
        foregone: Foregone,
        limits: &Limits,
    ) -> Result<Shown, EngineError>;

    /// Writes hints for each strategy, after a replay by the rules alone.
    ///
    /// # Errors
    /// [`EngineError::Refuted`] if a strategy does not hold or ends lines on tables; too little memory; `out` cannot be
    /// written; an interruption.
    fn write_hints(
        &self,
        strategies: &[Vec<u8>],
        out: &mut dyn Write,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(), EngineError>;

    /// The claims of strategies about positions inside them, replayed before they are believed.
    ///
    /// * `known`: the tables on which lines may end.
    fn explore(&self, known: Option<&Known>, strategies: &[Vec<u8>]) -> Result<Vec<AnyProof>, String>;
}

/// A set-up with the rules that apply to it.
pub(crate) trait OnBoard: Send + Sync {
    fn laid_out(&self) -> &LaidOut;

    /// The proof files that the book names for the board.
    fn proof_files(&self, known: &Known) -> Vec<String>;

    /// The value of each choice for Player Two, as far as the limits allow.
    ///
    /// * `query`: how Player Two chooses, and when to stop.
    fn balance(
        &self,
        asking: Asking<'_>,
        query: &BalanceQuery,
        proving: Proving<'_>,
    ) -> Result<Balance, EngineError>;

    /// Resumes or starts the study of the set-up.
    fn study(
        &self,
        query: &BalanceQuery,
        options: &StudyOptions,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(SetUpStudyReport, Option<ProofFile>), EngineError>;

    /// Does jobs for the study of the set-up that another process keeps in a folder.
    fn work_for(
        &self,
        query: &BalanceQuery,
        folder: &Path,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<WorkReport, EngineError>;

    /// The state of the study of the set-up in a folder.
    fn study_status(&self, query: &BalanceQuery, folder: &Path) -> Result<SetUpStudyReport, EngineError>;
}

/// A set-up from a query, read and ready to be evaluated; cheap to clone.
#[derive(Clone)]
pub struct PosedSetUp {
    query: Arc<BalanceQuery>,
    on_board: Arc<dyn OnBoard>,
}

impl PosedSetUp {
    pub(crate) fn new(query: &BalanceQuery, on_board: Arc<dyn OnBoard>) -> Self {
        Self { query: Arc::new(query.clone()), on_board }
    }

    /// The query that was read.
    #[must_use]
    pub fn query(&self) -> &BalanceQuery {
        &self.query
    }

    /// The board in canonical text, the bait and the target.
    #[must_use]
    pub fn laid_out(&self) -> &LaidOut {
        self.on_board.laid_out()
    }

    pub(crate) fn proof_files(&self, known: &Known) -> Vec<String> {
        self.on_board.proof_files(known)
    }

    pub(crate) fn balance(&self, asking: Asking<'_>, proving: Proving<'_>) -> Result<Balance, EngineError> {
        self.on_board.balance(asking, &self.query, proving)
    }

    pub(crate) fn study(
        &self,
        options: &StudyOptions,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(SetUpStudyReport, Option<ProofFile>), EngineError> {
        self.on_board.study(&self.query, options, limits, control)
    }

    pub(crate) fn work_for(
        &self,
        folder: &Path,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<WorkReport, EngineError> {
        self.on_board.work_for(&self.query, folder, limits, control)
    }

    pub(crate) fn study_status(&self, folder: &Path) -> Result<SetUpStudyReport, EngineError> {
        self.on_board.study_status(&self.query, folder)
    }
}

impl Debug for PosedSetUp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PosedSetUp").field(&self.query).finish()
    }
}

/// A position from a query, read and ready to be answered; cheap to clone.
#[derive(Clone, Debug)]
pub struct Posed {
    game: GameId,
    position: Arc<dyn Position>,
    immobile: Immobile,
    throw: Option<Throw>,
    /// The position before the last move that the query plays first.
    before: Option<Arc<dyn Position>>,
}

impl Posed {
    pub(crate) fn new(
        game: GameId,
        position: Arc<dyn Position>,
        immobile: Immobile,
        throw: Option<Throw>,
    ) -> Self {
        Self { game, position, immobile, throw, before: None }
    }

    /// The same position, reached by a move from `before`.
    pub(crate) fn reached_from(self, before: Option<Arc<dyn Position>>) -> Self {
        Self { before, ..self }
    }

    /// The position before the last move that the query plays first.
    pub(crate) fn before(&self) -> Option<&Arc<dyn Position>> {
        self.before.as_ref()
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> GameId {
        self.game
    }

    /// The rule for a player who cannot move.
    #[must_use]
    pub const fn immobile(&self) -> Immobile {
        self.immobile
    }

    /// The requested throw; `None` for all throws, or in a game without throws.
    #[must_use]
    pub const fn throw(&self) -> Option<Throw> {
        self.throw
    }

    /// The canonical text of the position.
    #[must_use]
    pub fn text(&self) -> String {
        self.position.text()
    }

    /// The text of the representative among all images of the position, the same for each of them: rotated, mirrored,
    /// and with the colours exchanged if the rules allow it.
    #[must_use]
    pub fn normal(&self) -> String {
        self.position.normal()
    }

    /// The texts of all images of the position, itself included, each once and in alphabetical order: rotated,
    /// mirrored, and with the colours exchanged if the rules allow it.
    #[must_use]
    pub fn images(&self) -> Vec<String> {
        let mut images = self.position.images();
        images.sort_unstable();
        images.dedup();
        images
    }

    /// The names of the cells, row by row in the order of position texts; empty if the game does not name them.
    #[must_use]
    pub fn cells(&self) -> Vec<Vec<String>> {
        self.position.cells()
    }

    /// Why the game is over; `None` if it is not.
    #[must_use]
    pub fn over(&self) -> Option<&'static str> {
        self.position.over().map(|over| over.reason.name())
    }

    /// Whether the player to move throws first.
    #[must_use]
    pub fn has_throws(&self) -> bool {
        self.position.has_throws()
    }

    /// The player to move.
    #[must_use]
    pub fn turn(&self) -> Player {
        self.position.turn()
    }

    /// The board, row by row from the top, with labels.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        self.position.draw()
    }

    /// The legal moves, in the order of the rules, for each throw if there are throws; empty if the game is over.
    #[must_use]
    pub fn moves(&self) -> Vec<ListedMove> {
        self.position.moves(self.throw)
    }

    /// Why no legal move matches `wish`, in a sentence for the player; `None` if one does, or if the game gives no
    /// reason. Before a throw, a move that some throw allows counts as possible.
    ///
    /// # Errors
    /// Names `from` or `to` if there is no such cell.
    pub fn why_not(&self, wish: Wish<'_>) -> Result<Option<String>, TextError> {
        if self.over().is_some() {
            return Ok(Some("The game is over.".to_owned()));
        }
        self.position.why_not(wish, self.throw)
    }

    /// The number of positions after exactly 1, 2, … `depth` plies; a finished game counts as one wherever it ends.
    /// After an interruption or at the time limit, only the depths that were finished.
    ///
    /// # Errors
    /// A game with throws.
    pub fn perft(&self, depth: u32, limits: &Limits, control: &Control<'_>) -> Result<Vec<u64>, EngineError> {
        self.provable(Unsuited::Perft)?.perft(depth, limits, control)
    }

    /// The position after the move `mv`, `THROW:MOVE` if there are throws; its own throw is unset.
    ///
    /// # Errors
    /// Names the `move` or `throw`, and the legal ones.
    pub(crate) fn after(&self, mv: &str) -> Result<Self, TextError> {
        Ok(Self { position: self.position.play(mv)?, throw: None, ..self.clone() })
    }

    /// The position after one of its moves, as [`Position::play_any`] has it; its own throw is unset.
    pub(crate) fn after_any(&self, pick: &mut dyn FnMut(usize) -> usize) -> Option<Self> {
        Some(Self { position: self.position.play_any(pick)?, throw: None, ..self.clone() })
    }

    pub(crate) fn position(&self) -> &dyn Position {
        &*self.position
    }

    /// The position for a question about proofs.
    ///
    /// # Errors
    /// A game with throws: `unsuited`.
    pub(crate) fn provable(
        &self,
        unsuited: impl FnOnce(GameId) -> Unsuited,
    ) -> Result<&dyn Provable, EngineError> {
        Ok(self.position.provable().ok_or_else(|| unsuited(self.game))?)
    }
}
