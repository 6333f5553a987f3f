//! Paired matches: `marquis-strength squish:4 --ours PLAYER --theirs PLAYER --nodes N --pairs N`, where a player is
//! `weights`, `terms`, a file of weights, `level:N` or `mcts`; `marquis-strength squish:4 --ladder` plays each level
//! against the one below.
#![forbid(unsafe_code)]

use std::num::NonZero;
use std::path::Path;
use std::time::Duration;

use clap::Parser;
use marquis_core::Game;
use marquis_eval::{Estimator, HandMade, Inputs, Learned, file};
use marquis_games::beads::{Leap, Sandwich};
use marquis_games::hex::Side;
use marquis_games::squinch::Squinch;
use marquis_games::unification::{Approach, Flow};
use marquis_play::arena::{Contestant, Fair, Graded, Pentanomial, Thinker, pair};
use marquis_play::{Level, Searcher, Team};
use marquis_sense::{Schooled, Weights, beads, squinch, unification};
use marquis_strength::{Budget, TreeSearch};
use marquis_train::Lesson;

/// A paired match from random openings that a short search does not decide.
#[derive(Parser)]
struct Arguments {
    /// `squish:4`, `flowish:4`, `swish`, `squeeze`, `squinch:8`.
    game: String,
    /// Our player: `weights` for those that come with the program, `terms`, a file of weights, `level:3`, or `mcts`.
    #[arg(long, default_value = "weights")]
    ours: String,
    /// The opponent.
    #[arg(long, default_value = "mcts")]
    theirs: String,
    /// Each level against the one below, instead of these two.
    #[arg(long)]
    ladder: bool,
    /// Pairs of games.
    #[arg(long, default_value_t = 50)]
    pairs: u64,
    /// Threads of our player.
    #[arg(long, default_value = "1")]
    threads: NonZero<usize>,
    /// Seconds a move, for both.
    #[arg(long)]
    seconds: Option<f64>,
    /// Positions that a search of ours looks at before a move; of levels, the highest.
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    /// The same for the opponent, if he is one of ours and gets another number.
    #[arg(long)]
    their_nodes: Option<u64>,
    /// Random games of the tree search before a move.
    #[arg(long, default_value_t = 10_000)]
    rollouts: u32,
    /// Positions that a search looks at to find out whether an opening is decided.
    #[arg(long, default_value_t = 100_000)]
    glance: u64,
    /// The openings follow from it.
    #[arg(long, default_value_t = 2026)]
    seed: u64,
}

/// Bytes of our table.
const TABLE: usize = 64 << 20;
/// The same for a level that looks at few positions.
const SMALL_TABLE: usize = 1 << 20;
/// Openings that lean farther than this are left out.
const LOPSIDED: i32 = 120;

fn main() {
    let arguments = Arguments::parse();
    let side = |text: &str| text.parse().ok().and_then(Side::new).expect("a side from 2 to 5");
    match arguments.game.split_once(':').unwrap_or((&arguments.game, "")) {
        ("squish", size) => run(&unification::Course::<Approach>::new(side(size)), &arguments),
        ("flowish", size) => run(&unification::Course::<Flow>::new(side(size)), &arguments),
        ("swish", _) => run(&beads::Course::<Leap>::new(), &arguments),
        ("squeeze", _) => run(&beads::Course::<Sandwich>::new(), &arguments),
        ("squinch", size) => {
            let board = size.parse().ok().and_then(|n| Squinch::new(n, n)).expect("a size from 2 to 8");
            let filled = if board == Squinch::FULL { [3, 3] } else { [1, 2] };
            run(&squinch::Course::new(board, filled), &arguments);
        }
        _ => eprintln!("no such game: {}", arguments.game),
    }
}

fn run<L: Lesson>(lesson: &L, arguments: &Arguments)
where
    L::Game: Schooled<Sense = L::Sense> + 'static,
{
    let Arguments { ours, theirs, nodes, .. } = arguments;
    if !arguments.ladder {
        let threads = arguments.threads;
        let a = of_name::<L>(lesson, ours, (*nodes, threads), arguments);
        let b = of_name::<L>(
            lesson,
            theirs,
            (arguments.their_nodes.unwrap_or(*nodes), NonZero::<usize>::MIN),
            arguments,
        );
        let judge = if ours == "mcts" { theirs } else { ours };
        matched((a, b), openings(lesson, judge, arguments), true);
        return;
    }
    // All levels play the same openings.
    let openings: Vec<_> = openings(lesson, "weights", arguments).collect();
    for level in Level::all().skip(1) {
        let name = |level: u8| format!("level:{level}");
        let player = |level| of_name::<L>(lesson, &name(level), (*nodes, NonZero::<usize>::MIN), arguments);
        let players = (player(level.get()), player(level.get() - 1));
        let result = matched(players, openings.iter().cloned(), false);
        let (elo, off) = result.elo();
        println!("level {level} against {}: {elo:+.0} ± {off:.0} Elo  {:?}", level.get() - 1, result.pairs);
    }
}

/// How a game begins.
type Opening<L> = (<L as Lesson>::Game, <<L as Lesson>::Game as Game>::Position);
/// A player of either side.
type Player<L> = Box<dyn Contestant<<L as Lesson>::Game>>;

/// Openings that a search of the judge neither decides nor finds lopsided.
fn openings<L: Lesson>(lesson: &L, judge: &str, arguments: &Arguments) -> impl Iterator<Item = Opening<L>>
where
    L::Game: Schooled<Sense = L::Sense>,
{
    let judge = Searcher::new(estimator(lesson, judge), L::Sense::default(), TABLE);
    let mut fair = Fair { openings: lesson, judge, nodes: arguments.glance, lopsided: LOPSIDED };
    let seed = arguments.seed;
    (0..arguments.pairs).map(move |number| fair.opening(marquis_train::course::mixed(&[seed, number])))
}

/// The result of a match between two.
fn matched<G: Game>(
    (mut ours, mut theirs): (Box<dyn Contestant<G>>, Box<dyn Contestant<G>>),
    openings: impl Iterator<Item = (G, G::Position)>,
    aloud: bool,
) -> Pentanomial {
    let mut result = Pentanomial::default();
    for (rules, start) in openings {
        result.count(pair(&rules, &start, &mut *ours, &mut *theirs));
        let (elo, off) = result.elo();
        if aloud {
            println!(
                "{:4} pairs  {:5.1} %  {elo:+.0} ± {off:.0} Elo  {:?}",
                result.len(),
                100.0 * result.score(),
                result.pairs
            );
        }
    }
    result
}

fn of_name<L: Lesson>(
    lesson: &L,
    name: &str,
    (nodes, threads): (u64, NonZero<usize>),
    arguments: &Arguments,
) -> Player<L>
where
    L::Game: Schooled<Sense = L::Sense> + 'static,
{
    let time = arguments.seconds.map(Duration::from_secs_f64);
    if name == "mcts" {
        let budget = time.map_or(Budget::Rollouts(arguments.rollouts), Budget::Time);
        return Box::new(TreeSearch::new(budget));
    }
    if let Some(level) = name.strip_prefix("level:") {
        let level: Level = level.parse().expect("a level");
        let table = if level == Level::MAX { TABLE } else { SMALL_TABLE };
        let searcher = Searcher::new(estimator(lesson, "weights"), L::Sense::default(), table);
        return Box::new(Graded { searcher, level, nodes, seed: u64::from(level.get()) });
    }
    let searcher = Searcher::new(estimator(lesson, name), L::Sense::default(), TABLE);
    let nodes = if time.is_some() { u64::MAX } else { nodes };
    Box::new(Thinker { team: Team::new(searcher, threads), nodes, time })
}

/// The evaluation of this name: `weights` and levels, `terms`, or that of a file of weights.
fn estimator<L: Lesson>(lesson: &L, name: &str) -> Estimator<L::Sense>
where
    L::Game: Schooled<Sense = L::Sense>,
{
    if name == "terms" {
        return Estimator::Terms(HandMade::new());
    }
    if name == "weights" || name.starts_with("level:") {
        return Weights::embedded().estimator(&lesson.rules());
    }
    let bytes = std::fs::read(Path::new(name)).expect("the file of weights can be read");
    let network = file::read(&lesson.identity(), L::Sense::shape(&lesson.rules()), &bytes);
    Estimator::Learned(Learned::new(network.expect("weights of this game")))
}
