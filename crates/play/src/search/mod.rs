//! Principal variation search: iterative deepening, with an evaluation at the leaves.
//!
//! Proved results are certain: a win rests on one winning reply to each answer, down to the ends of games.
//! Repetitions, estimates and reduced searches never count as proofs. A draw by repetition is a draw on its path
//! alone; it counts as even and is never called proved.

mod node;
mod order;
mod player;
mod team;

use std::ops::Range;
use std::sync::Arc;

use marquis_core::{Game, Hashed, Plies, Score, Value};
use marquis_eval::{Evaluate, Leaning};

use crate::guide::{Guide, NoOracle, Oracle};
use crate::table::TranspositionTable;
use crate::{Budget, Proved, Worth};

pub use self::team::Team;

use self::node::SearchHalt;
use self::order::MoveStatistics;

/// The maximum length of a line.
const MOST_PLIES: usize = 96;

/// The result of a search of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<M> {
    /// The last finished depth, in plies.
    pub depth: u8,
    /// The number of positions searched.
    pub nodes: u64,
    /// The best line, as far as it is known; its first move is the one to play.
    pub line: Vec<M>,
    /// The estimate for the player to move; the extreme one if the value is proved.
    pub leaning: Leaning,
    /// The value, if it was proved.
    pub proved: Option<Proved>,
    /// The number of finished depths that chose the first move of the line.
    pub agreeing: u8,
}

/// A move, and the search result for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// The result after the move, for the player who makes it; the line starts with the reply.
    pub thought: Thought<M>,
    /// Its static estimate and those after each finished depth, for the player who makes it; empty if it was not
    /// searched separately.
    pub by_depth: Vec<Leaning>,
}

impl<M> Candidate<M> {
    /// The first move of a thought.
    pub(crate) fn of_thought(mut thought: Thought<M>) -> Self {
        let mv = thought.line.remove(0);
        Self { mv, thought, by_depth: Vec::new() }
    }
}

/// A search that keeps its table from one call to the next.
///
/// ```
/// use marquis_core::{Game as _, Hashed as _, Value};
/// use marquis_eval::{Evaluate, Leaning};
/// use marquis_games::Squish;
/// use marquis_games::unification::Position;
/// use marquis_play::{Budget, Guide, Searcher};
///
/// /// All positions are even.
/// struct Even;
///
/// impl Evaluate<Squish> for Even {
///     type State = ();
///     fn see(&self, _: &Squish, _: &Position) {}
///     fn follow(&self, _: &Squish, _: (&Position, &()), _: &Position, (): &mut ()) {}
///     fn leaning(&self, _: &Squish, _: &Position, (): &()) -> Leaning {
///         Leaning::new(0)
///     }
/// }
///
/// /// All moves are of one kind.
/// struct Any;
///
/// impl Guide<Squish> for Any {
///     const REPEATS: bool = true;
///     fn kind(&self, _: &Squish, _: &Position, _: <Squish as marquis_core::Game>::Move) -> usize {
///         0
///     }
/// }
///
/// let (game, position) = Squish::parse("b1w/1wb1/wb1wb/1wb1/b1w w").expect("a position");
/// let mut searcher = Searcher::new(Even, Any, 1 << 20);
/// let thought = searcher.think(&game, &[], &position, &Budget::nodes(200_000), &mut |_| {});
/// // It was seen to the end, so the evaluation does not matter.
/// let proved = thought.proved.expect("a small board");
/// assert_eq!(proved.value, Value::Win);
/// ```
pub struct Searcher<G: Hashed, E: Evaluate<G>, H, O = NoOracle> {
    evaluation: E,
    guide: H,
    oracle: O,
    table: Arc<TranspositionTable<G>>,
    order: MoveStatistics,
    /// By ply: the state of the evaluation.
    states: Vec<E::State>,
    /// By ply: moves to sort, kept to reuse their memory.
    moves: Vec<Vec<(i32, G::Move)>>,
    /// By ply: the best line from there.
    lines: Vec<Vec<G::Move>>,
    listed: Vec<G::Move>,
    /// Keys and positions from the start of the game to the current one.
    path: Vec<(u64, G::Position)>,
    nodes: u64,
}

impl<G: Hashed, E: Evaluate<G>, H: Guide<G>> Searcher<G, E, H> {
    /// A search whose only certain knowledge is the ends of games.
    #[must_use]
    pub fn new(evaluation: E, guide: H, bytes: usize) -> Self {
        Self::with_oracle(evaluation, guide, NoOracle, bytes)
    }
}

impl<G: Hashed, E: Evaluate<G>, H: Guide<G>, O: Oracle<G>> Searcher<G, E, H, O> {
    /// A search that asks an oracle about each position.
    ///
    /// * `bytes`: the size of the transposition table.
    #[must_use]
    pub fn with_oracle(evaluation: E, guide: H, oracle: O, bytes: usize) -> Self {
        Self {
            evaluation,
            guide,
            oracle,
            table: Arc::new(TranspositionTable::new(bytes)),
            order: MoveStatistics::new(),
            states: Vec::new(),
            moves: (0..=MOST_PLIES).map(|_| Vec::new()).collect(),
            lines: (0..=MOST_PLIES + 1).map(|_| Vec::new()).collect(),
            listed: Vec::new(),
            path: Vec::new(),
            nodes: 0,
        }
    }

    /// The evaluation.
    pub const fn evaluation(&self) -> &E {
        &self.evaluation
    }

    /// Another search that shares the table and learns its own order of moves.
    #[must_use]
    pub fn companion(&self) -> Self
    where
        E: Clone,
        H: Clone,
        O: Clone,
    {
        let (evaluation, guide, oracle) = (self.evaluation.clone(), self.guide.clone(), self.oracle.clone());
        Self { table: Arc::clone(&self.table), ..Self::with_oracle(evaluation, guide, oracle, 0) }
    }

    /// Resets the search to its initial state.
    pub fn forget(&mut self) {
        self.table.clear();
        self.forget_order();
    }

    fn forget_order(&mut self) {
        self.order = MoveStatistics::new();
    }

    /// Searches a position where the game is not over, until a limit is reached or the value is proved.
    ///
    /// * `past`: the previous positions of the game, whose repetition is a draw.
    /// * `report`: receives the result of each finished depth.
    /// * Result: its line has at least one move; without any time, the first legal one.
    pub fn think(
        &mut self,
        game: &G,
        past: &[G::Position],
        root: &G::Position,
        budget: &Budget<'_>,
        report: &mut dyn FnMut(&Thought<G::Move>),
    ) -> Thought<G::Move> {
        self.table.turn_page();
        self.think_from(1, game, past, root, budget, report)
    }

    /// Like [`think`](Self::think), starting at depth `first`, and without a new generation in the table.
    fn think_from(
        &mut self,
        first: u8,
        game: &G,
        past: &[G::Position],
        root: &G::Position,
        budget: &Budget<'_>,
        report: &mut dyn FnMut(&Thought<G::Move>),
    ) -> Thought<G::Move> {
        self.begin(game, past, root);
        let mut legal = Vec::new();
        game.moves(root, &mut legal);
        let leaning = self.evaluation.leaning(game, root, &self.states[0]);
        let mut best =
            Thought { depth: 0, nodes: 0, line: vec![legal[0]], leaning, proved: None, agreeing: 0 };
        for depth in first..=budget.depth.min(MOST_PLIES as u8 - 1) {
            self.lines[0].clear();
            let outcome = self.node(game, root, Worth::LEAST, Worth::MOST, depth.into(), 0, budget);
            let finished = outcome.is_ok();
            // If some moves were not searched, a loss only covers the others.
            let unsure =
                |worth: Worth| !finished && worth.decided().is_some_and(|(value, _)| value == Value::Loss);
            if let Ok(worth) | Err(SearchHalt::Better(worth)) = outcome
                && !unsure(worth)
                && !self.lines[0].is_empty()
            {
                let same = best.line[0] == self.lines[0][0];
                best.agreeing = if same { best.agreeing + u8::from(finished) } else { u8::from(finished) };
                best.line.clone_from(&self.lines[0]);
                best.leaning = worth.leaning();
                best.proved = worth.decided().map(|(value, within)| Proved { value, within });
            }
            best.nodes = self.nodes;
            if !finished {
                break;
            }
            best.depth = depth;
            report(&best);
            if best.proved.is_some() || budget.reached(self.nodes) {
                break;
            }
        }
        best
    }

    /// Searches all legal moves, each with an equal share of the positions and of the time; the best move comes
    /// first.
    ///
    /// Proved values come before worse estimates and after better ones.
    pub fn candidates(
        &mut self,
        game: &G,
        past: &[G::Position],
        root: &G::Position,
        budget: &Budget<'_>,
    ) -> Vec<Candidate<G::Move>> {
        let moves = LegalMoves::of(game, past, root, 1);
        sorted(moves.all().map(|number| self.candidate(game, &moves, number, budget)).collect())
    }

    /// Searches one of several moves.
    fn candidate(
        &mut self,
        game: &G,
        moves: &LegalMoves<G>,
        number: usize,
        budget: &Budget<'_>,
    ) -> Candidate<G::Move> {
        let mv = moves.legal[number];
        let nodes = (budget.nodes / moves.legal.len() as u64).max(1);
        let share = Budget { nodes, ..budget.part(moves.turns_left(number)) };
        let after = game.play(&moves.root, mv);
        let state = self.evaluation.see(game, &after);
        let mut by_depth = vec![-self.evaluation.leaning(game, &after, &state)];
        let mut note = |thought: &Thought<G::Move>| by_depth.push(-thought.leaning);
        let thought = self.reply(game, &moves.past, &after, &share, &mut note);
        Candidate { mv, thought, by_depth }
    }

    /// Searches a position for the player who moved to it.
    fn reply(
        &mut self,
        game: &G,
        past: &[G::Position],
        after: &G::Position,
        budget: &Budget<'_>,
        report: &mut dyn FnMut(&Thought<G::Move>),
    ) -> Thought<G::Move> {
        let ended = game.over(after).map(|over| Score::finished(over.outcome.for_mover(game.turn(after))));
        let mut thought = match ended.or_else(|| self.oracle.score_at_length(game, after)) {
            None => self.think(game, past, after, budget, report),
            Some(score) => {
                let worth = Worth::known(score, 0);
                let proved = worth.decided().map(|(value, within)| Proved { value, within });
                Thought {
                    depth: 0,
                    nodes: 1,
                    line: Vec::new(),
                    leaning: worth.leaning(),
                    proved,
                    agreeing: 0,
                }
            }
        };
        thought.leaning = -thought.leaning;
        thought.proved = thought
            .proved
            .map(|Proved { value, within }| Proved { value: value.for_opponent(), within: longer(within) });
        thought
    }

    fn begin(&mut self, game: &G, past: &[G::Position], root: &G::Position) {
        self.order.fade();
        self.nodes = 0;
        self.path.clear();
        self.path.extend(past.iter().map(|position| (game.key(position), *position)));
        let state = self.evaluation.see(game, root);
        self.states.clear();
        self.states.resize(MOST_PLIES + 1, state);
    }
}

/// The legal moves of a position, which are searched one by one.
struct LegalMoves<G: Game> {
    /// The positions of the game up to this one.
    past: Vec<G::Position>,
    root: G::Position,
    legal: Vec<G::Move>,
    /// The number of moves that are searched concurrently.
    abreast: usize,
}

impl<G: Game> LegalMoves<G> {
    fn of(game: &G, past: &[G::Position], root: &G::Position, abreast: usize) -> Self {
        let mut legal = Vec::new();
        game.moves(root, &mut legal);
        Self { past: [past, &[*root]].concat(), root: *root, legal, abreast }
    }

    /// The numbers of all moves.
    const fn all(&self) -> Range<usize> {
        0..self.legal.len()
    }

    /// The number of moves that one thread still has to search, including this one.
    const fn turns_left(&self, number: usize) -> usize {
        (self.legal.len() - number).div_ceil(self.abreast)
    }
}

/// Sorts the best first; equal ones keep their order.
fn sorted<M>(mut candidates: Vec<Candidate<M>>) -> Vec<Candidate<M>> {
    candidates.sort_by_key(|candidate| std::cmp::Reverse(worth_of(&candidate.thought)));
    candidates
}

/// Adds a ply, if they are counted.
fn longer(plies: Plies) -> Plies {
    if plies == Proved::UNCOUNTED { plies } else { plies.next() }
}

/// The worth by which a thought is compared with others.
fn worth_of<M>(thought: &Thought<M>) -> Worth {
    match thought.proved {
        None => Worth::estimate(thought.leaning),
        Some(Proved { value: Value::Win, within }) => Worth::known(Score::Win(within), 0),
        Some(Proved { within, .. }) => Worth::known(Score::Loss(within), 0),
    }
}
