//! What every game can be asked, whatever its positions are made of.

use std::any::Any;
use std::fmt::Debug;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use marquis_core::{Bounds, ByPlayer, GameId, Immobile, Player, TextError, Throw};
use marquis_table::{Fingerprint, Hints, Table};

use crate::ask::balance::Proving;
use crate::ask::query::BalanceQuery;
use crate::ask::setups::LaidOut;
use crate::claims::Among;
use crate::game::About;
use crate::know::knowledge::Kept;
use crate::make::verify::Inspection;
use crate::wire::reports::{BuildPlan, BuildReport, ClaimsReport, Drawing, Line, ListedMove, ProofFile};
use crate::{Answer, Balance, BuildQuery, Control, DesignQuery, Engine, EngineError, Limits, Registry};

/// Where a build puts its files, and by which games it reads those that are there.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) registry: &'a Registry,
    pub(crate) out: &'a Path,
    /// How often what there is of a layer is kept.
    pub(crate) checkpoint_every: Duration,
}

/// A build that only has to be run.
pub(crate) trait PreparedBuild: Sync {
    /// Whether somebody began it here before, however far it came.
    fn is_begun(&self) -> bool;

    fn plan(&self) -> Result<BuildPlan, EngineError>;

    fn run(&self, limits: &Limits, control: &Control<'_>) -> Result<BuildReport, EngineError>;
}

/// How much of an answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Every move, of every throw where there are throws.
    Moves,
    /// The value of the position, and the chances of its throws.
    Value,
}

/// The tables of one game, of whatever type the game keeps them in.
pub(crate) type Shelved = Arc<dyn Any + Send + Sync>;

/// A game behind one door.
pub(crate) trait Adapter: Send + Sync {
    fn about(&self) -> About;

    fn letters(&self) -> ByPlayer<char>;

    fn has_throws(&self) -> bool;

    fn has_set_ups(&self) -> bool {
        false
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

    fn hints(&self, variant: &str, layer: &str) -> Option<Hints>;

    /// The tables of these files, which are all of this game.
    ///
    /// * `problems`: takes why files were left out.
    fn shelve(&self, files: Vec<Table<File>>, problems: &mut Vec<EngineError>) -> Shelved;

    /// What a question asks to be built, with its positions numbered.
    fn prepare<'a>(
        &self,
        query: &BuildQuery,
        site: Site<'a>,
    ) -> Result<Box<dyn PreparedBuild + 'a>, EngineError>;

    /// Checks every entry of the tables of this game against its successors.
    fn verify(&self, inspection: &mut Inspection<'_>) -> Result<(), EngineError>;

    /// The set-up of a question.
    fn lay_out(&self, query: &BalanceQuery, registry: &Registry) -> Result<Arc<dyn OnBoard>, EngineError> {
        Err(no_set_ups(query.game, "balance", registry))
    }

    /// A source of random boards of one kind.
    fn designs<'a>(&self, query: &'a DesignQuery, registry: &Registry) -> Result<Boards<'a>, EngineError> {
        Err(no_set_ups(query.game, "design", registry))
    }
}

/// Random boards, one after the other.
pub(crate) type Boards<'a> = Box<dyn FnMut() -> String + 'a>;

/// Why a game without set-ups is not asked about one.
pub(crate) fn no_set_ups(game: GameId, what: &str, registry: &Registry) -> EngineError {
    let others = registry.with_set_ups();
    EngineError::NotForThisGame(format!("{game} has no set-ups to {what}; {others} have"))
}

/// A position with the rules that it is asked about by.
pub(crate) trait Position: Debug + Send + Sync {
    /// The canonical text.
    fn text(&self) -> String;

    fn turn(&self) -> Player;

    /// What a store has to reach, in games that end so.
    fn target(&self) -> Option<u16> {
        None
    }

    /// The position after the move of this text.
    fn play(&self, mv: &str) -> Result<Arc<dyn Position>, TextError>;

    fn draw(&self) -> Drawing;

    fn moves(&self, throw: Option<Throw>) -> Vec<ListedMove>;

    fn perft(&self, depth: u32, control: &Control<'_>) -> Result<Vec<u64>, EngineError>;

    fn solve(
        &self,
        engine: &Engine,
        throw: Option<Throw>,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<Answer, EngineError>;

    fn solve_with_proof(
        &self,
        engine: &Engine,
        limits: &Limits,
        control: &Control<'_>,
        file: &Path,
    ) -> Result<(Answer, ProofFile), EngineError>;

    fn solve_with_line(
        &self,
        engine: &Engine,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(Answer, Line), EngineError>;

    fn probe(&self, engine: &Engine, throw: Option<Throw>, detail: Detail) -> Result<Answer, EngineError>;

    fn line(&self, engine: &Engine, limits: &Limits, control: &Control<'_>) -> Result<Line, EngineError>;

    fn claims(
        &self,
        engine: &Engine,
        among: Among,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<ClaimsReport, EngineError>;

    /// What strategies prove about the position, and how many positions they hold; or why one is refused.
    fn replay(&self, strategies: &[Vec<u8>]) -> Result<(Bounds, u64), String>;

    /// What strategies say about positions inside them, replayed before it is believed.
    ///
    /// * `engine`: whose tables lines may end on.
    fn explore(&self, engine: Option<&Engine>, strategies: &[Vec<u8>]) -> Result<Vec<Kept>, String>;
}

/// A set-up with the rules that it is asked about by.
pub(crate) trait OnBoard: Send + Sync {
    fn laid_out(&self) -> &LaidOut;

    /// * `query`: how Player Two chooses, and when to stop.
    fn balance(
        &self,
        engine: &Engine,
        query: &BalanceQuery,
        limits: &Limits,
        control: &Control<'_>,
        proving: Proving<'_>,
    ) -> Result<Balance, EngineError>;
}

/// A set-up that is asked about, read and ready to be weighed; cheap to clone.
#[derive(Clone)]
pub struct PosedSetUp {
    query: Arc<BalanceQuery>,
    on_board: Arc<dyn OnBoard>,
}

impl PosedSetUp {
    pub(crate) fn new(query: &BalanceQuery, on_board: Arc<dyn OnBoard>) -> Self {
        Self { query: Arc::new(query.clone()), on_board }
    }

    /// The question that was read.
    #[must_use]
    pub fn query(&self) -> &BalanceQuery {
        &self.query
    }

    /// The board in canonical text, the bait and the target.
    #[must_use]
    pub fn laid_out(&self) -> &LaidOut {
        self.on_board.laid_out()
    }

    pub(crate) fn balance(
        &self,
        engine: &Engine,
        limits: &Limits,
        control: &Control<'_>,
        proving: Proving<'_>,
    ) -> Result<Balance, EngineError> {
        self.on_board.balance(engine, &self.query, limits, control, proving)
    }
}

impl Debug for PosedSetUp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PosedSetUp").field(&self.query).finish()
    }
}

/// A position that is asked about, read and ready to be answered; cheap to clone.
#[derive(Clone, Debug)]
pub struct Posed {
    game: GameId,
    position: Arc<dyn Position>,
    immobile: Immobile,
    throw: Option<Throw>,
}

impl Posed {
    pub(crate) fn new(
        game: GameId,
        position: Arc<dyn Position>,
        immobile: Immobile,
        throw: Option<Throw>,
    ) -> Self {
        Self { game, position, immobile, throw }
    }

    /// Which game.
    #[must_use]
    pub const fn game(&self) -> GameId {
        self.game
    }

    /// What happens to a player who cannot move.
    #[must_use]
    pub const fn immobile(&self) -> Immobile {
        self.immobile
    }

    /// The throw that is asked for; none for all of them, or where there are none.
    #[must_use]
    pub const fn throw(&self) -> Option<Throw> {
        self.throw
    }

    /// The canonical text of the position.
    #[must_use]
    pub fn text(&self) -> String {
        self.position.text()
    }

    /// The board, row by row from the top, with labels.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        self.position.draw()
    }

    /// The legal moves, in the order of the rules, for each throw where there are throws; none where the game is over.
    #[must_use]
    pub fn moves(&self) -> Vec<ListedMove> {
        self.position.moves(self.throw)
    }

    /// How many positions there are after exactly 1, 2, … `depth` plies, a finished game counting as one
    /// wherever it ends; of fewer plies only those that were finished before an interruption.
    ///
    /// # Errors
    /// A game with throws.
    pub fn perft(&self, depth: u32, control: &Control<'_>) -> Result<Vec<u64>, EngineError> {
        self.position.perft(depth, control)
    }

    pub(crate) fn position(&self) -> &dyn Position {
        &*self.position
    }
}
