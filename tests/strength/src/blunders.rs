//! Error rates of players in positions with known values.
//!
//! A game of the engine against itself is followed back from its end, as long as all reachable positions can be
//! listed and solved exhaustively or, if there are too many, as long as the engine proves the value. From there more
//! games are played, with random moves among good ones; their counted positions have a known value, and so does each
//! of their moves.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::atomic::AtomicBool;

use marquis_core::{Game, Hashed, Notation, Score, Value};
use marquis_eval::Estimator;
use marquis_play::arena::opening;
use marquis_play::{Budget, Searcher};
use marquis_retro::{SolveLimits, Solved, exhaustive};
use marquis_sense::Schooled;
use marquis_sense::lessons::LessonVisitor;
use marquis_train::Lesson;
use marquis_train::generations::mixed;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::answers::Answers;
use crate::players::estimator;

/// The bytes of the table of a search, which is cleared for each position.
const TABLE: usize = 8 << 20;

/// Counts the moves that lose a win or a draw, in positions near the ends of games with known values.
#[derive(Clone, Debug, clap::Args)]
pub struct Blunders {
    /// `squish:4`, `flowish:4`, `swish`, `squeeze`, `squinch:8`.
    pub game: String,
    /// Positions with a known value and at least two moves.
    #[arg(long, default_value_t = 20_000)]
    positions: u64,
    /// Positions that the search visits per move, about as many as in a tenth of a second.
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// The maximum number of reachable positions to solve exhaustively.
    #[arg(long, default_value_t = 100_000)]
    reach: usize,
    /// Use values that the engine proves with this number of positions instead.
    #[arg(long, value_name = "NODES")]
    proofs: Option<u64>,
    /// The seed of all games; no training uses it.
    #[arg(long, default_value_t = 77_2026)]
    seed: u64,
}

/// Games played from a position with a known subtree.
const GAMES: u32 = 64;
/// One in `STRAY` of their moves is a random legal one.
const STRAY: u32 = 3;
/// Positions per move of those games.
const NODES: u64 = 500;
/// The number of positions between progress messages.
const TOLD: u64 = 250;
/// The maximum number of plies of a game.
const LONGEST: usize = 200;

/// The results of one player.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    thrown_away: u64,
}

/// The counts.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    positions: u64,
    /// Positions where some moves keep the value and others do not.
    at_stake: u64,
    won: u64,
    drawn: u64,
    roots: u64,
    alone: Tally,
    search: Tally,
}

/// A late position of a game, its rules, and the source of values from there on.
type Late<L> = (<L as Lesson>::Game, Known<<L as Lesson>::Game>, <<L as Lesson>::Game as Game>::Position);

/// A source of values.
enum Known<G: Hashed> {
    /// All reachable positions were listed.
    Listed(Solved<G>),
    /// The engine proves values.
    Proved(Prover<G>),
}

impl<G: Hashed + Notation> Known<G> {
    fn value(&mut self, rules: &G, position: &G::Position) -> Option<Value> {
        if let Some(over) = rules.over(position) {
            return Some(over.outcome.for_mover(rules.turn(position)));
        }
        match self {
            Self::Listed(solved) => solved.score(position).map(Score::value),
            Self::Proved(prover) => prover.value(rules, position),
        }
    }
}

/// The engine, queried position by position.
struct Prover<G: Hashed> {
    answers: Rc<Answers>,
    known: HashMap<G::Position, Option<Value>>,
}

impl<G: Hashed + Notation> Prover<G> {
    fn value(&mut self, rules: &G, position: &G::Position) -> Option<Value> {
        let answers = &self.answers;
        *self.known.entry(*position).or_insert_with(|| answers.value(rules.position_text(position)))
    }
}

impl LessonVisitor for Blunders {
    type Output = ();

    fn visit<L: Lesson>(self, lesson: &L)
    where
        L::Game: Schooled<Sense = L::Sense>,
    {
        let evaluation = estimator(lesson, "weights");
        let prover = self.proofs.map(|nodes| Rc::new(Answers::of_proofs(lesson.rules().id(), nodes)));
        let mut searcher = Searcher::new(evaluation.clone(), L::Sense::default(), TABLE);
        let mut player = Searcher::new(evaluation.clone(), L::Sense::default(), 1 << 20);
        let mut count = Count::default();
        for number in 0.. {
            if count.positions >= self.positions {
                break;
            }
            let seed = mixed(&[self.seed, number]);
            let Some((rules, mut known, root)) = self.late(lesson, prover.as_ref(), &mut player, seed) else {
                continue;
            };
            count.roots += 1;
            let before = count.positions;
            let mut random = SmallRng::seed_from_u64(mixed(&[self.seed, number, 1]));
            for position in reached(&rules, &root, &mut player, &mut random) {
                count.look::<L>(&rules, &mut known, &position, &evaluation, &mut searcher, self.nodes);
            }
            if count.positions / TOLD > before / TOLD {
                eprintln!("{}: {count:?}", self.game);
            }
        }
        let Count { positions, at_stake, won, drawn, roots, alone, search } = count;
        println!(
            "{}: {positions} positions from {roots} games, {won} won, {drawn} drawn, {at_stake} with something at stake",
            self.game
        );
        for (name, tally) in
            [("network, one ply".to_owned(), alone), (format!("{} nodes", self.nodes), search)]
        {
            let part = |of: u64| 100.0 * tally.thrown_away as f64 / of as f64;
            println!(
                "  {name:18} {:6} thrown away: {:.3} % of all, {:.3} % of those with something at stake",
                tally.thrown_away,
                part(positions),
                part(at_stake)
            );
        }
    }
}

impl Blunders {
    /// The earliest position of a game with a small listed subtree, or with a quick proof; `None` if there is none
    /// even at the end of the game.
    fn late<L: Lesson>(
        &self,
        lesson: &L,
        prover: Option<&Rc<Answers>>,
        player: &mut BoardSearcher<L>,
        seed: u64,
    ) -> Option<Late<L>> {
        let (rules, start) = opening(lesson, seed);
        player.forget();
        let mut positions = vec![start];
        let mut position = start;
        while positions.len() < LONGEST {
            let thought = player.think(&rules, &[], &position, &Budget::nodes(NODES), &mut |_| {});
            position = rules.play(&position, thought.line[0]);
            if rules.over(&position).is_some() {
                break;
            }
            positions.push(position);
        }
        let stop = AtomicBool::new(false);
        let limits = SolveLimits { states: self.reach, ..SolveLimits::until(&stop) };
        let known_from = |root: &<L::Game as Game>::Position| match prover {
            Some(answers) => {
                let mut prover = Prover { answers: Rc::clone(answers), known: HashMap::new() };
                prover.value(&rules, root).map(|_| Known::Proved(prover))
            }
            None => exhaustive::solve(&rules, *root, &limits, &mut |_| {}).ok().map(Known::Listed),
        };
        let mut found = None;
        // In steps of two plies.
        for root in positions.into_iter().rev().skip(1).step_by(2) {
            match known_from(&root) {
                Some(known) => found = Some((known, root)),
                None => break,
            }
        }
        found.map(|(known, root)| (rules, known, root))
    }
}

/// The search of a lesson's game.
type BoardSearcher<L> = Searcher<<L as Lesson>::Game, Estimator<<L as Lesson>::Sense>, <L as Lesson>::Sense>;

/// The distinct positions of games from a root that are not over and have two moves.
fn reached<G, E, H>(
    rules: &G,
    root: &G::Position,
    player: &mut Searcher<G, E, H>,
    random: &mut SmallRng,
) -> Vec<G::Position>
where
    G: Hashed,
    E: marquis_eval::Evaluate<G>,
    H: marquis_play::Guide<G>,
{
    let (mut seen, mut found, mut legal) = (HashSet::new(), Vec::new(), Vec::new());
    for _ in 0..GAMES {
        let mut position = *root;
        for _ in 0..LONGEST {
            if rules.over(&position).is_some() {
                break;
            }
            legal.clear();
            rules.moves(&position, &mut legal);
            if legal.len() > 1 && seen.insert(position) {
                found.push(position);
            }
            let mv = if random.random_range(0..STRAY) == 0 {
                legal[random.random_range(0..legal.len())]
            } else {
                player.think(rules, &[], &position, &Budget::nodes(NODES), &mut |_| {}).line[0]
            };
            position = rules.play(&position, mv);
        }
    }
    found
}

impl Count {
    fn look<L: Lesson>(
        &mut self,
        rules: &L::Game,
        known: &mut Known<L::Game>,
        position: &<L::Game as Game>::Position,
        evaluation: &Estimator<L::Sense>,
        searcher: &mut BoardSearcher<L>,
        nodes: u64,
    ) {
        let mut legal = Vec::new();
        rules.moves(position, &mut legal);
        let mut after = |mv: &_| Some(known.value(rules, &rules.play(position, *mv))?.for_opponent());
        let Some(values) = legal.iter().map(&mut after).collect::<Option<Vec<Value>>>() else { return };
        let Some(&known) = values.iter().max() else { return };
        let kept = |mv| legal.iter().zip(&values).any(|(own, value)| *own == mv && *value == known);
        self.positions += 1;
        self.won += u64::from(known == Value::Win);
        self.drawn += u64::from(known == Value::Draw);
        if legal.iter().all(|mv| kept(*mv)) {
            return;
        }
        self.at_stake += 1;
        self.alone.thrown_away += u64::from(!kept(one_ply(rules, position, &legal, evaluation)));
        searcher.forget();
        let thought = searcher.think(rules, &[], position, &Budget::nodes(nodes), &mut |_| {});
        if !kept(thought.line[0]) {
            self.search.thrown_away += 1;
            eprintln!("{known}: {} after {} nodes", rules.position_text(position), thought.nodes);
        }
    }
}

/// The move to the position that the evaluation prefers; ends of games have their true values.
fn one_ply<G, E>(rules: &G, position: &G::Position, legal: &[G::Move], evaluation: &E) -> G::Move
where
    G: Game,
    E: marquis_eval::Evaluate<G>,
{
    let worth = |mv: &G::Move| {
        let after = rules.play(position, *mv);
        match rules.over(&after).map(|over| over.outcome.for_mover(rules.turn(position))) {
            Some(Value::Win) => i32::MAX,
            Some(Value::Draw) => 0,
            Some(Value::Loss) => i32::MIN,
            None => -evaluation.leaning(rules, &after, &evaluation.see(rules, &after)).hundredths(),
        }
    };
    *legal.iter().max_by_key(|mv| worth(mv)).expect("a position that is not over has moves")
}
