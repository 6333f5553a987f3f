//! The engine as its users ask it: search for a proof and judge share the limit, and the first move of the answer is
//! played.

use marquis_core::{GameId, Notation, Plies, Value};
use marquis_engine::{Answer, Control, Engine, EngineOptions, JudgeShare, Limits, Query};
use marquis_play::Proved;
use marquis_play::arena::{Choice, Contestant};

use crate::players::Effort;

/// Who plays the first move of an answer.
pub struct Answers {
    engine: Engine,
    game: GameId,
    limits: Limits,
}

impl Answers {
    /// Answers to questions about this game.
    ///
    /// * `share`: what the judge has of each limit.
    ///
    /// Panics when the engine does not open; without tables and proof files nothing can keep it from that.
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
}

impl<G: Notation> Contestant<G> for Answers {
    fn new_game(&mut self) {}

    fn choose(&mut self, game: &G, _: &[G::Position], position: &G::Position) -> Choice<G::Move> {
        let query = Query::new(self.game, game.position_text(position));
        let answer = self.engine.solve(&query, &self.limits, &Control::none()).expect("an answer");
        let Answer::Exact(answer) = answer else { panic!("a game without throws") };
        let best = &answer.moves.first().expect("a game that is not over has moves").mv;
        let mv = game.parse_move(position, best).expect("a legal move");
        let value = match answer.verdict.value.as_str() {
            "win" => Some(Value::Win),
            "loss" => Some(Value::Loss),
            _ => None,
        };
        let within = answer.verdict.plies.map_or(Proved::UNCOUNTED, Plies);
        Choice { mv, proved: value.map(|value| Proved { value, within }) }
    }
}
