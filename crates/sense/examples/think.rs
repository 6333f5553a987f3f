//! The search result for a position: `think GAME WEIGHTS|terms SECONDS [POSITION]`, depth by depth.

use std::time::{Duration, Instant};

use marquis_core::Notation as _;
use marquis_eval::{Evaluate, HandMade, Inputs, Learned, file};
use marquis_play::{Budget, Searcher, arena::opening};
use marquis_sense::lessons::LessonVisitor;
use marquis_sense::{Schooled, beads, squinch, unification};
use marquis_train::Lesson;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, weights, seconds, position @ ..] = &arguments[..] else {
        eprintln!("think GAME WEIGHTS|terms SECONDS [POSITION]");
        std::process::exit(2);
    };
    let position = position.first().map(String::as_str);
    let seconds: f64 = seconds.parse().expect("seconds");
    let (name, size) = game.split_once(':').map_or((game.as_str(), None), |(game, size)| (game, Some(size)));
    let visited = unification::visit_lesson(name, size, Thinking { weights, seconds, position })
        .or_else(|what| beads::visit_lesson(name, size, what))
        .or_else(|what| squinch::visit_lesson(name, size, what));
    if visited.is_err() {
        eprintln!("no such board: {game}");
    }
}

/// A search with some weights.
struct Thinking<'a> {
    weights: &'a str,
    seconds: f64,
    position: Option<&'a str>,
}

impl LessonVisitor for Thinking<'_> {
    type Output = ();

    fn visit<L: Lesson>(self, lesson: &L)
    where
        L::Game: Schooled<Sense = L::Sense>,
    {
        run(lesson, self.weights, self.seconds, self.position);
    }
}

fn run<L: Lesson>(lesson: &L, weights: &str, seconds: f64, position: Option<&str>) {
    if weights == "terms" {
        return think(lesson, HandMade::<L::Sense>::new(), seconds, position);
    }
    let bytes = std::fs::read(weights).expect("the file of weights can be read");
    let network = file::read(&lesson.identity(), L::Sense::shape(&lesson.rules()), &bytes);
    think(lesson, Learned::<L::Sense>::new(network.expect("weights of this game")), seconds, position);
}

fn think<L: Lesson, E: Evaluate<L::Game>>(lesson: &L, evaluation: E, seconds: f64, position: Option<&str>) {
    let (rules, position) = match position {
        Some(text) => lesson.parse(text).expect("a position"),
        None => opening(lesson, 1),
    };
    println!("{}", rules.position_text(&position));
    let mut searcher = Searcher::new(evaluation, L::Sense::default(), 256 << 20);
    let begun = Instant::now();
    let limits = Budget::until(begun + Duration::from_secs_f64(seconds));
    searcher.think(&rules, &[], &position, &limits, &mut |thought| {
        let took = begun.elapsed().as_secs_f64();
        let mut here = position;
        let mut line = String::new();
        for &mv in &thought.line {
            line += &rules.move_text(&here, mv);
            line.push(' ');
            here = marquis_core::Game::play(&rules, &here, mv);
        }
        println!(
            "{:3}  {:6.3} s  {:9} nodes  {:4.0} k/s  {:+5}  {:5.1} %  {}  {line}",
            thought.depth,
            took,
            thought.nodes,
            thought.nodes as f64 / took / 1000.0,
            thought.leaning.hundredths(),
            100.0 * thought.leaning.expected(),
            thought
                .proved
                .map_or(String::new(), |proved| format!("{} within {}", proved.value, proved.within)),
        );
    });
}
