//! How often a player throws away what he has, in positions whose values are known.
//!
//! A game of the engine against itself is followed back from its end, as far as everything that can be reached is
//! still listed and solved exhaustively. From there more games are played, with moves at random among good ones, and
//! every position of them has a known value, and so has each of its moves.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use marquis_core::{Game, Notation as _, Value};
use marquis_eval::Estimator;
use marquis_play::arena::opening;
use marquis_play::{Budget, Searcher};
use marquis_retro::{SolveLimits, Solved, exhaustive};
use marquis_sense::Schooled;
use marquis_sense::courses::Attend;
use marquis_train::Lesson;
use marquis_train::course::mixed;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::players::estimator;

/// Bytes of the table of a search, which is emptied for each position.
const TABLE: usize = 8 << 20;

/// Counts the moves that throw away a win or a draw, in positions near the ends of games whose values are known.
#[derive(Clone, Debug, clap::Args)]
pub struct Blunders {
    /// `squish:4`, `flowish:4`, `swish`, `squeeze`, `squinch:8`.
    pub game: String,
    /// Positions with a known value in which there are at least two moves.
    #[arg(long, default_value_t = 20_000)]
    positions: u64,
    /// Positions that the search looks at before a move, as many as in a tenth of a second.
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// So many positions that can be reached are solved exhaustively.
    #[arg(long, default_value_t = 100_000)]
    reach: usize,
    /// All games follow from it; no training has them.
    #[arg(long, default_value_t = 77_2026)]
    seed: u64,
}

/// Games that are played from a position from which everything is known.
const GAMES: u32 = 64;
/// One move of them in so many is any legal one.
const STRAY: u32 = 3;
/// Positions behind a move of those games.
const NODES: u64 = 500;
/// No game is followed farther.
const LONGEST: usize = 200;

/// What came of the moves of one player.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    thrown_away: u64,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    positions: u64,
    /// Positions that have moves which keep the value and moves which do not.
    at_stake: u64,
    won: u64,
    drawn: u64,
    roots: u64,
    alone: Tally,
    search: Tally,
}

/// Everything that can be reached from a late position of a game.
type Late<L> = (<L as Lesson>::Game, Solved<<L as Lesson>::Game>, <<L as Lesson>::Game as Game>::Position);

impl Attend for Blunders {
    type Output = ();

    fn attend<L: Lesson>(self, lesson: &L)
    where
        L::Game: Schooled<Sense = L::Sense>,
    {
        let evaluation = estimator(lesson, "weights");
        let mut searcher = Searcher::new(evaluation.clone(), L::Sense::default(), TABLE);
        let mut player = Searcher::new(evaluation.clone(), L::Sense::default(), 1 << 20);
        let mut count = Count::default();
        for number in 0.. {
            if count.positions >= self.positions {
                break;
            }
            let Some((rules, solved, root)) = self.late(lesson, &mut player, mixed(&[self.seed, number]))
            else {
                continue;
            };
            count.roots += 1;
            let mut random = SmallRng::seed_from_u64(mixed(&[self.seed, number, 1]));
            for position in reached(&rules, &root, &mut player, &mut random) {
                count.look::<L>(&rules, &solved, &position, &evaluation, &mut searcher, self.nodes);
            }
            if count.roots.is_multiple_of(100) {
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
    /// The earliest position of a game from which everything is soon listed; none where that is not so at its end.
    fn late<L: Lesson>(&self, lesson: &L, player: &mut BoardSearcher<L>, seed: u64) -> Option<Late<L>> {
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
        let mut found = None;
        // Two plies back each time.
        for root in positions.into_iter().rev().skip(1).step_by(2) {
            match exhaustive::solve(&rules, root, &limits, &mut |_| {}) {
                Ok(solved) => found = Some((solved, root)),
                Err(_) => break,
            }
        }
        found.map(|(solved, root)| (rules, solved, root))
    }
}

/// The search of a lesson's game.
type BoardSearcher<L> = Searcher<<L as Lesson>::Game, Estimator<<L as Lesson>::Sense>, <L as Lesson>::Sense>;

/// Positions of games from a root, each once, that are not over and have two moves.
fn reached<G, E, H>(
    rules: &G,
    root: &G::Position,
    player: &mut Searcher<G, E, H>,
    random: &mut SmallRng,
) -> Vec<G::Position>
where
    G: marquis_core::Hashed,
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
        solved: &Solved<L::Game>,
        position: &<L::Game as Game>::Position,
        evaluation: &Estimator<L::Sense>,
        searcher: &mut BoardSearcher<L>,
        nodes: u64,
    ) {
        let value = |position: &_| solved.score(position).map(marquis_core::Score::value);
        let Some(known) = value(position) else { return };
        let mut legal = Vec::new();
        rules.moves(position, &mut legal);
        // What a move leaves its player with.
        let kept = |mv| value(&rules.play(position, mv)).is_none_or(|after| after.for_opponent() == known);
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

/// The move after which the evaluation likes the position best; the ends of games are known.
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
