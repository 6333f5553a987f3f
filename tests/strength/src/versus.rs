//! Paired matches, and each level against the one below.

use std::iter;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use marquis_core::Notation as _;
use marquis_eval::Estimator;
use marquis_play::arena::{Ends, Fair, Pentanomial, pair};
use marquis_play::{Level, Searcher};
use marquis_sense::Schooled;
use marquis_sense::lessons::LessonVisitor;
use marquis_train::Lesson;
use marquis_train::generations::mixed;

use crate::answers::Answers;
use crate::kept::{Kept, KeptError};
use crate::players::{Effort, Opening, TABLE, estimator, of_name};

/// Openings with a larger leaning are rejected.
const LOPSIDED: i32 = 120;

/// The terms of a match.
#[derive(Clone, Debug, clap::Args)]
pub struct Terms {
    /// `squish:4`, `flowish:4`, `swish`, `squeeze`, `squinch:8`.
    pub game: String,
    /// Pairs of games.
    #[arg(long, default_value_t = 50)]
    pairs: u64,
    /// Positions that our search visits per move; for levels, those of the highest.
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    /// Positions searched to find out whether an opening is decided.
    #[arg(long, default_value_t = 100_000)]
    glance: u64,
    /// Also rejects openings that the proof search decides with this number of positions.
    #[arg(long, value_name = "NODES")]
    undecided: Option<u64>,
    /// The seed of the openings and of the random choices of levels.
    #[arg(long, default_value_t = 2026)]
    seed: u64,
    /// Ends a game once our search, on its turn, has proved the winner.
    #[arg(long)]
    until_proved: bool,
    /// Also ends a game once both players, for six plies in a row, have expected at least this many points for the
    /// same player, of 0.5 to 1.
    #[arg(long, value_name = "POINTS", value_parser = points)]
    agreed: Option<f64>,
    /// Stores each result in this file, and resumes from it; a ladder appends the number of the level.
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
}

/// A paired match from random openings that a short search does not decide.
#[derive(Clone, Debug, clap::Args)]
pub struct Match {
    #[command(flatten)]
    pub terms: Terms,
    /// Our player: `weights` for the built-in ones, `terms`, a file of weights, `level:3`, `mcts`, `answers:20`, or
    /// `program:PATH`.
    #[arg(long, default_value = "weights")]
    ours: String,
    /// The opponent.
    #[arg(long, default_value = "mcts")]
    theirs: String,
    /// Threads of our player.
    #[arg(long, default_value = "1")]
    threads: NonZero<usize>,
    /// Seconds per move, for both, instead of positions and rollouts.
    #[arg(long)]
    seconds: Option<f64>,
    /// Positions for the opponent, if different.
    #[arg(long)]
    their_nodes: Option<u64>,
    /// Rollouts of the tree search per move.
    #[arg(long, default_value_t = 10_000)]
    rollouts: u32,
}

/// Each level against the one below.
#[derive(Clone, Debug, clap::Args)]
pub struct Ladder {
    #[command(flatten)]
    pub terms: Terms,
    /// The first level that plays against the one below.
    #[arg(long, default_value = "2")]
    from: Level,
    /// The last level.
    #[arg(long, default_value = "8")]
    to: Level,
}

impl Terms {
    /// The identity of the match, without the number of pairs.
    fn title(&self, players: &str) -> String {
        let Self { game, glance, undecided, seed, until_proved, agreed, .. } = self;
        let undecided = undecided.map_or_else(String::new, |nodes| format!(", undecided by {nodes}"));
        let proved = if *until_proved { ", until proved" } else { "" };
        let agreed = agreed.map_or_else(String::new, |points| format!(", agreed at {points}"));
        format!("{game}, {players}; glance {glance}{undecided}, seed {seed}{proved}{agreed}")
    }

    const fn ends(&self) -> Ends {
        match (self.agreed, self.until_proved) {
            (Some(points), _) => Ends::OnceAgreed(points),
            (None, true) => Ends::OnceProved,
            (None, false) => Ends::ByRules,
        }
    }

    /// The results of pairs; stored ones are used first.
    ///
    /// * `play`: the points of the first player from a pair, in half points.
    fn run<L: Lesson>(
        &self,
        lesson: &L,
        (judge, title, level): (&str, &str, Option<Level>),
        play: &mut dyn FnMut(u64, &Opening<L>) -> usize,
        report: &mut dyn FnMut(&Pentanomial),
    ) -> Result<Pentanomial, KeptError>
    where
        L::Game: Schooled<Sense = L::Sense>,
    {
        let mut kept = match (&self.keep, level) {
            (None, _) => Kept::default(),
            (Some(path), None) => Kept::open(path, title)?,
            (Some(path), Some(level)) => {
                let mut name = path.clone().into_os_string();
                name.push(format!(".{level}"));
                Kept::open(&PathBuf::from(name), title)?
            }
        };
        let judge = Searcher::new(estimator(lesson, judge), L::Sense::default(), TABLE);
        let mut fair = fair(lesson, judge, self.glance);
        let prover = self.undecided.map(|nodes| Answers::of_proofs(lesson.rules().id(), nodes));
        let is_open = |(rules, start): &Opening<L>| {
            prover.as_ref().is_none_or(|prover| prover.value(rules.position_text(start)).is_none())
        };
        let mut opening = |number| {
            let next = (1..).map(|more| mixed(&[self.seed, number, more]));
            let mut seeds = iter::once(mixed(&[self.seed, number])).chain(next);
            seeds.find_map(|seed| Some(fair.opening(seed)).filter(is_open)).expect("seeds do not end")
        };
        let mut result = Pentanomial::default();
        for number in 0..self.pairs {
            let halves = match kept.get(number) {
                Some(halves) => halves,
                None => {
                    let halves = play(number, &opening(number));
                    kept.put(number, halves)?;
                    halves
                }
            };
            result.count(halves);
            report(&result);
        }
        Ok(result)
    }
}

/// The points of a game that end it.
fn points(text: &str) -> Result<f64, String> {
    let points = text.parse().ok().filter(|points| (0.5..=1.0).contains(points));
    points.ok_or_else(|| format!("{text}: expected a number from 0.5 to 1"))
}

/// The openings of a match.
///
/// * `glance`: positions that the judge searches to find out whether an opening is decided or lopsided.
pub fn fair<L: Lesson>(
    lesson: &L,
    judge: Judge<L>,
    glance: u64,
) -> Fair<'_, L::Game, Estimator<L::Sense>, L::Sense> {
    Fair { openings: lesson, judge, nodes: glance, lopsided: LOPSIDED }
}

/// The search that judges openings.
type Judge<L> = Searcher<<L as Lesson>::Game, Estimator<<L as Lesson>::Sense>, <L as Lesson>::Sense>;

/// A result in one line.
fn told(result: &Pentanomial) -> String {
    let elo = result.elo_in_words();
    let score = 100.0 * result.score();
    let points = 100.0 * result.error();
    format!("{:4} pairs  {score:5.1} ± {points:.1} %  {elo}  {:?}", result.len(), result.pairs)
}

impl LessonVisitor for Match {
    type Output = Result<(), KeptError>;

    fn visit<L: Lesson>(self, lesson: &L) -> Self::Output
    where
        L::Game: Schooled<Sense = L::Sense>,
    {
        let Self { terms, ours, theirs, threads, seconds, their_nodes, rollouts } = &self;
        let time = seconds.map(Duration::from_secs_f64);
        let effort = Effort { nodes: terms.nodes, rollouts: *rollouts, time, threads: *threads };
        let nodes = their_nodes.unwrap_or(terms.nodes);
        let their_effort = Effort { nodes, threads: NonZero::<usize>::MIN, ..effort };
        let spent = |name: &str, effort: Effort| match time {
            Some(time) => format!("{name} with {} s", time.as_secs_f64()),
            None if name == "mcts" => format!("mcts with {rollouts} rollouts"),
            None => format!("{name} with {} nodes", effort.nodes),
        };
        let title = terms.title(&format!("{} against {}", spent(ours, effort), spent(theirs, their_effort)));
        let judge = if ours == "mcts" { theirs } else { ours };
        let mut play = |number, (rules, start): &Opening<L>| {
            let seed = mixed(&[terms.seed, number, 1]);
            let mut first = of_name(lesson, ours, effort, seed);
            let mut second = of_name(lesson, theirs, their_effort, seed);
            pair(rules, start, &mut *first, &mut *second, terms.ends(), lesson.longest_match())
        };
        terms.run(lesson, (judge, &title, None), &mut play, &mut |result| println!("{}", told(result)))?;
        Ok(())
    }
}

impl LessonVisitor for Ladder {
    type Output = Result<(), KeptError>;

    fn visit<L: Lesson>(self, lesson: &L) -> Self::Output
    where
        L::Game: Schooled<Sense = L::Sense>,
    {
        let terms = &self.terms;
        let effort = Effort { nodes: terms.nodes, rollouts: 0, time: None, threads: NonZero::<usize>::MIN };
        for level in Level::all()
            .filter(|level| (self.from.max(Level::MIN)..=self.to).contains(level))
            .skip_while(|level| *level == Level::MIN)
        {
            let [name, below] = [level.get(), level.get() - 1].map(|number| format!("level:{number}"));
            let title = terms.title(&format!("{name} against {below}, at most {} nodes", terms.nodes));
            // All levels play the same openings.
            let mut play = |number, (rules, start): &Opening<L>| {
                let seed = mixed(&[terms.seed, number, 1]);
                let [mut upper, mut lower] = [&name, &below].map(|name| of_name(lesson, name, effort, seed));
                pair(rules, start, &mut *upper, &mut *lower, terms.ends(), lesson.longest_match())
            };
            let result = terms.run(lesson, ("weights", &title, Some(level)), &mut play, &mut |_| {})?;
            println!("level {level} against {}: {}", level.get() - 1, told(&result));
        }
        Ok(())
    }
}
