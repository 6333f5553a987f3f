//! Players by name: `weights`, `terms`, a file of weights, `level:N`, `strength:N:SPREAD` (any strength),
//! `mcts`, `program:PATH`; `answers:N`, the first move of an answer where the judge has N hundredths of the limit;
//! and `weights` without a part of its search, as `no-reductions` and `no-captures`.

use std::num::NonZero;
use std::path::Path;
use std::time::Duration;

use marquis_core::{Game, Hashed, Notation as _};
use marquis_engine::JudgeShare;
use marquis_eval::{Estimator, Evaluate, HandMade, Inputs, Learned, file};
use marquis_play::arena::{Choice, Contestant, Graded, Thinker};
use marquis_play::{Budget as Allowed, Guide, Level, Searcher, Strength, Team};
use marquis_sense::{Schooled, Weights};
use marquis_train::Lesson;

use crate::answers::Answers;
use crate::mcts::{Budget, TreeSearch};
use crate::program::Program;

/// The bytes of our table.
pub const TABLE: usize = 64 << 20;
/// The bytes for a level that searches few positions.
const SMALL_TABLE: usize = 1 << 20;

/// The effort of a player per move.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Positions for our search, or for a program.
    pub nodes: u64,
    /// Rollouts of the tree search.
    pub rollouts: u32,
    /// Time, which replaces both.
    pub time: Option<Duration>,
    /// Threads of our search.
    pub threads: NonZero<usize>,
}

/// A player of the games of a lesson.
pub type Player<L> = Box<dyn Contestant<<L as Lesson>::Game>>;

/// The player of this name.
///
/// * `seed`: determines the random choices of a level.
///
/// Panics if the player does not exist.
pub fn of_name<L: Lesson>(lesson: &L, name: &str, effort: Effort, seed: u64) -> Player<L>
where
    L::Game: Schooled<Sense = L::Sense>,
{
    let Effort { nodes, rollouts, time, .. } = effort;
    if name == "mcts" {
        return Box::new(TreeSearch::new(time.map_or(Budget::Rollouts(rollouts), Budget::Time)));
    }
    if let Some(path) = name.strip_prefix("program:") {
        let game = lesson.rules().schooling().game;
        return Box::new(Program { path: path.into(), game, nodes });
    }
    if let Some(hundredths) = name.strip_prefix("answers:") {
        let share = hundredths.parse().ok().and_then(JudgeShare::hundredths).expect("0 to 100 hundredths");
        return Box::new(Answers::new(lesson.rules().id(), share, effort));
    }
    if let Some(level) = name.strip_prefix("level:") {
        let level: Level = level.parse().expect("a level");
        let table = if level == Level::MAX { TABLE } else { SMALL_TABLE };
        let searcher = Searcher::new(estimator(lesson, "weights"), L::Sense::default(), table);
        let seed = marquis_train::generations::mixed(&[seed, u64::from(level.get())]);
        return Box::new(Graded { searcher, level, nodes, seed });
    }
    if let Some(numbers) = name.strip_prefix("strength:") {
        let (nodes, spread) = numbers.split_once(':').expect("positions behind a move, and a spread");
        let strength = Strength::new(nodes.parse().expect("a number"), spread.parse().expect("a number"));
        let searcher = Searcher::new(estimator(lesson, "weights"), L::Sense::default(), SMALL_TABLE);
        let seed =
            marquis_train::generations::mixed(&[seed, strength.nodes_a_move, strength.spread.to_bits()]);
        return Box::new(Held { searcher, strength, seed });
    }
    match name {
        "no-reductions" => thinker(lesson, name, Without::<_, true, false>(L::Sense::default()), effort),
        "no-captures" => thinker(lesson, name, Without::<_, false, true>(L::Sense::default()), effort),
        _ => thinker(lesson, name, L::Sense::default(), effort),
    }
}

/// A player with a strength that is not a level.
struct Held<G: Hashed, E: Evaluate<G>, H> {
    searcher: Searcher<G, E, H>,
    strength: Strength,
    /// The seed of the random choices; it changes with each game.
    seed: u64,
}

impl<G: Hashed, E: Evaluate<G>, H: Guide<G>> Contestant<G> for Held<G, E, H> {
    fn new_game(&mut self) {
        self.seed = marquis_train::generations::mixed(&[self.seed]);
    }

    fn choose(&mut self, game: &G, past: &[G::Position], position: &G::Position) -> Choice<G::Move> {
        let budget = Allowed::nodes(u64::MAX);
        let candidate = self.searcher.play_with(self.strength, self.seed, game, past, position, &budget);
        Choice { mv: candidate.mv, proved: None, expected: None }
    }
}

/// Our search with this move ordering.
fn thinker<L, H>(lesson: &L, name: &str, guide: H, effort: Effort) -> Player<L>
where
    L: Lesson,
    L::Game: Schooled<Sense = L::Sense>,
    H: Guide<L::Game> + Clone + Send + 'static,
{
    let Effort { nodes, time, threads, .. } = effort;
    let searcher = Searcher::new(estimator(lesson, name), guide, TABLE);
    let nodes = if time.is_some() { u64::MAX } else { nodes };
    Box::new(Thinker { team: Team::new(searcher, threads), nodes, time })
}

/// The evaluation of this name: `weights`, also for levels and other players, `terms`, or that of a file of weights.
///
/// Panics if the file cannot be read or belongs to another board.
pub fn estimator<L: Lesson>(lesson: &L, name: &str) -> Estimator<L::Sense>
where
    L::Game: Schooled<Sense = L::Sense>,
{
    if name == "terms" {
        return Estimator::Terms(HandMade::new());
    }
    if ["weights", "mcts", "no-reductions", "no-captures"].contains(&name) || name.contains(':') {
        return Weights::embedded().estimator(&lesson.rules());
    }
    let bytes = std::fs::read(Path::new(name)).expect("the file of weights can be read");
    let network = file::read(&lesson.identity(), L::Sense::shape(&lesson.rules()), &bytes);
    Estimator::Learned(Learned::new(network.expect("weights of this game")))
}

/// A move ordering with or without searching past captures at leaves, and with or without reductions of late moves.
#[derive(Clone, Copy, Debug)]
struct Without<H, const CAPTURES: bool, const REDUCTIONS: bool>(H);

impl<G, H, const CAPTURES: bool, const REDUCTIONS: bool> Guide<G> for Without<H, CAPTURES, REDUCTIONS>
where
    G: Game,
    H: Guide<G>,
{
    const REPEATS: bool = H::REPEATS;
    const LOOKS_PAST: u8 = if CAPTURES { H::LOOKS_PAST } else { 0 };
    const REDUCES: bool = REDUCTIONS;

    fn kind(&self, game: &G, position: &G::Position, mv: G::Move) -> usize {
        self.0.kind(game, position, mv)
    }

    fn is_noisy(&self, game: &G, position: &G::Position, mv: G::Move) -> bool {
        self.0.is_noisy(game, position, mv)
    }
}

/// The start of a game.
pub type Opening<L> = (<L as Lesson>::Game, <<L as Lesson>::Game as Game>::Position);
