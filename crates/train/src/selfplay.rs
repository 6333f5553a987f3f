//! Self-play games.

use marquis_core::{Game, Notation, Outcome, Player, Value};
use marquis_eval::Evaluate;
use marquis_play::arena::opening;
use marquis_play::{Budget, Guide, Searcher};

use crate::Lesson;
use crate::record::{Opinion, TrainingGame};

/// The bytes of the transposition table of a self-play search.
pub const TABLE: usize = 4 << 20;

/// Openings with a larger leaning are mostly rejected.
const LOPSIDED: i32 = 300;

/// A game from a random opening that is not decided; the same for the same seed.
///
/// * `nodes`: positions per move.
pub fn game<L: Lesson, E: Evaluate<L::Game>, H: Guide<L::Game>>(
    lesson: &L,
    searcher: &mut Searcher<L::Game, E, H>,
    nodes: u64,
    seed: u64,
) -> TrainingGame {
    for attempt in 0.. {
        let (rules, start) = opening(lesson, seed.wrapping_add(attempt << 48));
        searcher.forget();
        let first = searcher.think(&rules, &[], &start, &Budget::nodes(nodes), &mut |_| {});
        let even = first.proved.is_none() && first.leaning.hundredths().abs() <= LOPSIDED;
        if even || attempt == 15 {
            return play_out(lesson, searcher, nodes, &rules, start);
        }
    }
    unreachable!("the last attempt is played")
}

fn play_out<L: Lesson, E: Evaluate<L::Game>, H: Guide<L::Game>>(
    lesson: &L,
    searcher: &mut Searcher<L::Game, E, H>,
    nodes: u64,
    rules: &L::Game,
    start: <L::Game as Game>::Position,
) -> TrainingGame {
    let mut past = Vec::new();
    let mut position = start;
    let mut played = Vec::new();
    let mut legal = Vec::new();
    let outcome = loop {
        if let Some(over) = rules.over(&position) {
            break over.outcome;
        }
        let returns = past.iter().filter(|&&seen| seen == position).count();
        if returns >= 2 || past.len() >= lesson.longest() {
            break Outcome::Draw;
        }
        let thought = searcher.think(rules, &past, &position, &Budget::nodes(nodes), &mut |_| {});
        legal.clear();
        rules.moves(&position, &mut legal);
        let number = legal.iter().position(|mv| *mv == thought.line[0]).unwrap_or(0);
        let opinion = match thought.proved {
            Some(proved) => Opinion::Proved(proved.value),
            None => Opinion::Estimate(thought.leaning),
        };
        played.push((number as u16, opinion));
        past.push(position);
        position = rules.play(&position, thought.line[0]);
    };
    TrainingGame {
        start: rules.position_text(&start),
        outcome: agreed(rules, &start, &played, outcome),
        moves: played,
    }
}

/// The first proved value in the game if there is one, which repetition may have lost later; otherwise the outcome.
fn agreed<G: Game>(rules: &G, start: &G::Position, played: &[(u16, Opinion)], outcome: Outcome) -> Outcome {
    let turn = |ply: usize| {
        let first = rules.turn(start);
        if ply.is_multiple_of(2) { first } else { first.opponent() }
    };
    let proved = played.iter().enumerate().find_map(|(ply, (_, opinion))| match opinion {
        Opinion::Proved(Value::Win) => Some(Outcome::Winner(turn(ply))),
        Opinion::Proved(Value::Loss) => Some(Outcome::Winner(turn(ply).opponent())),
        _ => None,
    });
    proved.unwrap_or(outcome)
}

/// The outcome for the player to move: 1 is a win.
#[must_use]
pub fn result(outcome: Outcome, turn: Player) -> f32 {
    match outcome.for_mover(turn) {
        Value::Win => 1.0,
        Value::Draw => 0.5,
        Value::Loss => 0.0,
    }
}
