//! Paired matches: `marquis-strength squish:4 --ours FILE|terms --theirs mcts|terms|FILE --nodes N --pairs N`.
#![forbid(unsafe_code)]

use std::path::Path;
use std::time::Duration;

use clap::Parser;
use marquis_eval::{Estimator, HandMade, Inputs, Learned, file};
use marquis_games::beads::{Leap, Sandwich};
use marquis_games::hex::Side;
use marquis_games::squinch::Squinch;
use marquis_games::unification::{Approach, Flow};
use marquis_play::Searcher;
use marquis_play::arena::{Contestant, Fair, Pentanomial, Thinker, pair};
use marquis_sense::{beads, squinch, unification};
use marquis_strength::{Budget, TreeSearch};
use marquis_train::Lesson;

/// A paired match from random openings that a short search does not decide.
#[derive(Parser)]
struct Arguments {
    /// `squish:4`, `flowish:4`, `swish`, `squeeze`, `squinch:8`.
    game: String,
    /// Our evaluation: a file of weights, or `terms`.
    #[arg(long)]
    ours: String,
    /// The opponent: `mcts`, a file of weights, or `terms`.
    #[arg(long)]
    theirs: String,
    /// Pairs of games.
    #[arg(long, default_value_t = 50)]
    pairs: u64,
    /// Seconds a move, for both.
    #[arg(long)]
    seconds: Option<f64>,
    /// Positions that a search of ours looks at before a move.
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    /// The same for the opponent, if he is one of ours and gets another number.
    #[arg(long)]
    their_nodes: Option<u64>,
    /// Random games of the tree search before a move.
    #[arg(long, default_value_t = 10_000)]
    rollouts: u32,
    /// The openings follow from it.
    #[arg(long, default_value_t = 2026)]
    seed: u64,
}

/// Bytes of our table.
const TABLE: usize = 64 << 20;
/// Positions that a search looks at to find out whether an opening is decided.
const GLANCE: u64 = 100_000;
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
    L::Game: 'static,
{
    let mut ours = of_name::<L>(lesson, &arguments.ours, arguments.nodes, arguments);
    let their_nodes = arguments.their_nodes.unwrap_or(arguments.nodes);
    let mut theirs = of_name::<L>(lesson, &arguments.theirs, their_nodes, arguments);
    let judge = if arguments.ours == "mcts" { &arguments.theirs } else { &arguments.ours };
    let judge = Searcher::new(estimator(lesson, judge), L::Sense::default(), TABLE);
    let mut fair = Fair { openings: lesson, judge, nodes: GLANCE, lopsided: LOPSIDED };
    let mut result = Pentanomial::default();
    for number in 0..arguments.pairs {
        let (rules, start) = fair.opening(marquis_train::course::mixed(&[arguments.seed, number]));
        result.count(pair(&rules, &start, &mut *ours, &mut *theirs));
        let (elo, off) = result.elo();
        println!(
            "{:4} pairs  {:5.1} %  {elo:+.0} ± {off:.0} Elo  {:?}",
            result.len(),
            100.0 * result.score(),
            result.pairs
        );
    }
}

fn of_name<L: Lesson>(
    lesson: &L,
    name: &str,
    nodes: u64,
    arguments: &Arguments,
) -> Box<dyn Contestant<L::Game>>
where
    L::Game: 'static,
{
    let time = arguments.seconds.map(Duration::from_secs_f64);
    match name {
        "mcts" => {
            let budget = time.map_or(Budget::Rollouts(arguments.rollouts), Budget::Time);
            Box::new(TreeSearch::new(budget))
        }
        name => {
            let searcher = Searcher::new(estimator(lesson, name), L::Sense::default(), TABLE);
            let nodes = if time.is_some() { u64::MAX } else { nodes };
            Box::new(Thinker { searcher, nodes, time })
        }
    }
}

/// The evaluation of this name: `terms`, or that of a file of weights.
fn estimator<L: Lesson>(lesson: &L, name: &str) -> Estimator<L::Sense> {
    if name == "terms" {
        return Estimator::Terms(HandMade::new());
    }
    let bytes = std::fs::read(Path::new(name)).expect("the file of weights can be read");
    let network = file::read(&lesson.identity(), L::Sense::shape(&lesson.rules()), &bytes);
    Estimator::Learned(Learned::new(network.expect("weights of this game")))
}
