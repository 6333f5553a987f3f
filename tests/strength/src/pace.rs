//! The speed of the evaluation, and the time to a first answer.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use marquis_core::{Chance as _, Game, GameId, Notation as _};
use marquis_engine::{Control, Engine, EngineError, EngineOptions, Query};
use marquis_eval::Evaluate as _;
use marquis_games::senet::{Senet, THROWS};
use marquis_play::arena::opening;
use marquis_sense::Schooled;
use marquis_sense::lessons::LessonVisitor;
use marquis_train::Lesson;
use marquis_train::generations::mixed;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::board;
use crate::players::estimator;

/// Evaluations per second of one thread: the sums follow a move, and the leaning is read from them.
#[derive(Clone, Debug, clap::Args)]
pub struct Evaluations {
    /// `squish:4`, `flowish:4`, `swish`, `squeeze`, `squinch:8`.
    pub game: String,
    /// The evaluation: `weights`, `terms`, or a file of weights.
    #[arg(long, default_value = "weights")]
    ours: String,
    /// Positions of random games.
    #[arg(long, default_value_t = 400)]
    positions: u64,
    /// The number of passes over them.
    #[arg(long, default_value_t = 100)]
    times: u32,
}

impl LessonVisitor for Evaluations {
    type Output = ();

    fn visit<L: Lesson>(self, lesson: &L)
    where
        L::Game: Schooled<Sense = L::Sense>,
    {
        let evaluation = estimator(lesson, &self.ours);
        let positions = (0..self.positions).map(|number| {
            let (rules, position) = opening(lesson, mixed(&[number]));
            let mut legal = Vec::new();
            rules.moves(&position, &mut legal);
            let after: Vec<_> = legal.into_iter().map(|mv| rules.play(&position, mv)).collect();
            (rules, position, after)
        });
        let positions: Vec<_> = positions.collect();
        let (mut count, mut sum) = (0_u64, 0_i64);
        let begun = ProcessTime::now();
        for _ in 0..self.times {
            for (rules, position, after) in &positions {
                let state = evaluation.see(rules, position);
                let mut next = state.clone();
                for after in after {
                    evaluation.follow(rules, (position, &state), after, &mut next);
                    sum += i64::from(evaluation.leaning(rules, after, &next).hundredths());
                }
                count += after.len() as u64;
            }
        }
        let rate = count as f64 / begun.elapsed().as_secs_f64();
        println!(
            "{}: {rate:.0} evaluations a second ({count}, which lean {:.2} on the average)",
            self.game,
            sum as f64 / count as f64
        );
    }
}

/// Latency of the engine: the time from a query to an answer with a limit of one position.
#[derive(Clone, Debug, clap::Args)]
pub struct First {
    /// Positions per board.
    #[arg(long, default_value_t = 200)]
    positions: u64,
    /// The maximum number of positions per answer.
    #[arg(long, default_value_t = 1)]
    nodes: u64,
}

/// The boards to query.
const BOARDS: [&str; 8] =
    ["squish:4", "squish:5", "flowish:4", "flowish:5", "swish", "squeeze", "squinch:6", "squinch:8"];

/// Texts of random positions of a board.
struct Texts(u64);

impl LessonVisitor for Texts {
    type Output = (GameId, Vec<String>);

    fn visit<L: Lesson>(self, lesson: &L) -> Self::Output
    where
        L::Game: Schooled<Sense = L::Sense>,
    {
        let text = |number| {
            let (rules, position) = opening(lesson, mixed(&[number]));
            rules.position_text(&position)
        };
        (lesson.rules().id(), (0..self.0).map(text).collect())
    }
}

/// Texts of positions of random games of Senet.
fn senet(positions: u64) -> Vec<String> {
    let mut random = SmallRng::seed_from_u64(5);
    let mut text = |_| {
        let mut position = Senet.start();
        let mut legal = Vec::new();
        for _ in 0..random.random_range(0..80) {
            let throw = THROWS[random.random_range(0..THROWS.len())];
            legal.clear();
            Senet.moves(&position, throw, &mut legal);
            let after = Senet.play(&position, throw, legal[random.random_range(0..legal.len())]);
            if Senet.over(&after).is_some() {
                break;
            }
            position = after;
        }
        marquis_core::ChanceNotation::position_text(&Senet, &position)
    };
    (0..positions).map(&mut text).collect()
}

impl First {
    /// Prints the times of answers, by board.
    ///
    /// # Errors
    /// The engine does not open or does not answer.
    pub fn run(&self) -> Result<(), EngineError> {
        let (engine, _) = Engine::open(marquis_registry::official(), EngineOptions::default())?;
        let mut asked: Vec<(String, GameId, Vec<String>)> = Vec::new();
        for name in BOARDS {
            let (id, texts) = board::on(name, Texts(self.positions)).expect("a board");
            asked.push((name.to_owned(), id, texts));
        }
        asked.push(("senet".to_owned(), marquis_core::ChanceNotation::id(&Senet), senet(self.positions)));
        let limits =
            marquis_engine::Limits { nodes: Some(self.nodes), threads: Some(1), ..Default::default() };
        println!("{:12} {:>9} {:>9} {:>9} {:>9}  ms", "", "first", "median", "95 %", "longest");
        for (name, id, texts) in asked {
            let mut times: Vec<Duration> = Vec::new();
            for text in texts {
                let begun = Instant::now();
                engine.solve(&Query::new(id, text), &limits, &Control::none())?;
                times.push(begun.elapsed());
            }
            let first = times[0];
            times.sort();
            let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
            let [first, median, most, longest] =
                [first, at(0.5), at(0.95), at(1.0)].map(|time| 1000.0 * time.as_secs_f64());
            println!("{name:12} {first:9.2} {median:9.2} {most:9.2} {longest:9.2}");
        }
        Ok(())
    }
}
