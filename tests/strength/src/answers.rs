//! The engine as users call it: proof search and judge share the limit, and the first move of the answer is played.

use std::num::NonZero;
use std::time::Duration;

use marquis_core::{GameId, Notation, Plies, Value};
use marquis_engine::{Control, Engine, EngineOptions, JudgeShare, Limits, Query};
use marquis_play::Proved;
use marquis_play::arena::{Choice, Contestant, opening};
use marquis_sense::Schooled;
use marquis_sense::lessons::LessonVisitor;
use marquis_train::Lesson;
use marquis_train::generations::mixed;
use marquis_wire::answer::{Answer, ExactAnswer};

use crate::players::Effort;

/// A player who plays the first move of an answer.
pub struct Answers {
    engine: Engine,
    game: GameId,
    limits: Limits,
}

impl Answers {
    /// Answers to queries about this game.
    ///
    /// * `share`: the judge's share of each limit.
    ///
    /// Panics if the engine does not open, which cannot happen without tables and proof files.
    #[must_use]
    pub fn new(game: GameId, share: JudgeShare, effort: Effort) -> Self {
        let (engine, _) =
            Engine::open(marquis_registry::official(), EngineOptions::default()).expect("an engine");
        let nodes = effort.time.is_none().then_some(effort.nodes);
        let threads = Some(effort.threads.get());
        Self {
            engine,
            game,
            limits: Limits { time: effort.time, nodes, threads, judge: share, ..Limits::default() },
        }
    }

    /// Answers of the proof search alone.
    ///
    /// * `nodes`: the maximum number of positions.
    ///
    /// Panics like [`Answers::new`].
    pub(crate) fn of_proofs(game: GameId, nodes: u64) -> Self {
        let effort = Effort { nodes, rollouts: 0, time: None, threads: NonZero::<usize>::MIN };
        Self::new(game, JudgeShare::hundredths(0).expect("nothing"), effort)
    }

    /// The value of a position, if the limit is sufficient to prove it.
    pub(crate) fn value(&self, position: String) -> Option<Value> {
        value(&self.answer(position))
    }

    /// The answer for a position of a game without throws.
    ///
    /// Panics if there is none.
    fn answer(&self, position: String) -> ExactAnswer {
        let query = Query::new(self.game, position);
        match self.engine.solve(&query, &self.limits, &Control::none()).expect("an answer") {
            Answer::Exact(answer) => answer,
            Answer::Chance(_) => panic!("a game without throws"),
        }
    }
}

/// The value that an answer proves.
fn value(answer: &ExactAnswer) -> Option<Value> {
    answer.verdict.value
}

/// The number of positions proved with different shares of the limit for the judge: the cost of the judge.
#[derive(Clone, Debug, clap::Args)]
pub struct Parts {
    /// `squish:4`, `flowish:4`, `swish`, `squeeze`, `squinch:8`.
    pub game: String,
    /// Random openings.
    #[arg(long, default_value_t = 40)]
    positions: u64,
    /// Seconds per answer.
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// The judge's shares of the limit, in hundredths.
    #[arg(long, value_delimiter = ',', default_value = "0,20,50,80")]
    parts: Vec<u32>,
}

impl LessonVisitor for Parts {
    type Output = ();

    fn visit<L: Lesson>(self, lesson: &L)
    where
        L::Game: Schooled<Sense = L::Sense>,
    {
        let text = |number| {
            let (rules, position) = opening(lesson, mixed(&[number, 13]));
            rules.position_text(&position)
        };
        let texts: Vec<String> = (0..self.positions).map(text).collect();
        let time = Some(Duration::from_secs_f64(self.seconds));
        let effort = Effort { nodes: u64::MAX, rollouts: 0, time, threads: NonZero::<usize>::MIN };
        for part in &self.parts {
            let share = JudgeShare::hundredths(*part).expect("0 to 100 hundredths");
            let answers = Answers::new(lesson.rules().id(), share, effort);
            let proved = texts.iter().filter(|text| answers.answer((*text).clone()).verdict.value.is_some());
            println!("{}: {part} for the judge: {} of {} proved", self.game, proved.count(), texts.len());
        }
    }
}

impl<G: Notation> Contestant<G> for Answers {
    fn new_game(&mut self) {}

    fn choose(&mut self, game: &G, _: &[G::Position], position: &G::Position) -> Choice<G::Move> {
        let answer = self.answer(game.position_text(position));
        let best = &answer.moves.first().expect("a game that is not over has moves").mv;
        let mv = game.parse_move(position, best).expect("a legal move");
        let value = value(&answer).filter(|value| *value != Value::Draw);
        let within = answer.verdict.plies.map_or(Proved::UNCOUNTED, Plies);
        let expected = answer.verdict.wdl.map(|chances| chances.win + chances.draw / 2.0);
        Choice { mv, proved: value.map(|value| Proved { value, within }), expected }
    }
}
