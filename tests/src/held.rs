//! Games from solved positions: the highest level has the winning side, and wins against any play.

use std::time::{Duration, Instant};

use marquis_engine::Engine;

use crate::answers::asked;
use crate::answers::case::{Budget, Case};
use crate::draw::Draw;
use crate::reference::Immobile;

/// The number of plies after which a game counts as not won.
const MOST_PLIES: usize = 300;

/// The opponent of the highest level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rival {
    /// Uniformly random moves.
    Random,
    /// A level with a number of positions per move.
    Level(u8, u64),
}

/// The result of a game.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// Whether the highest level won.
    pub is_won: bool,
    /// The moves of the game.
    pub moves: Vec<String>,
    /// Moves of the highest level that were not proved to win.
    pub unproved: Vec<String>,
    /// The time of each of its moves.
    pub times: Vec<Duration>,
}

/// Positions that White wins: the start of Squish on side 4, and after each of nine first moves of Flowish on side 4.
///
/// Each has been queried, so that its proof is open.
///
/// Panics if the engine does not know them.
#[must_use]
pub fn won_by_white(engine: &Engine) -> Vec<Case> {
    let start = |game: &'static str| {
        let starts = engine.registry().game(game).expect("a game").starts();
        let start = starts.into_iter().find(|start| start.name == "start:4").expect("a start");
        Case { game, immobile: Immobile::Loss, position: start.position, origin: "solved" }
    };
    let flowish = start("flowish");
    let answer = asked::probe(engine, &flowish.query()).expect("an answer");
    let moves = answer["moves"].as_array().expect("moves").iter();
    let won = moves.filter(|own| own["value"] == "win");
    let after = won.map(|own| flowish.at(own["position"].as_str().expect("a position")));
    let cases: Vec<Case> = std::iter::once(start("squish")).chain(after).collect();
    for case in &cases {
        asked::probe(engine, &case.query()).expect("an answer");
    }
    cases
}

/// Plays a game to its end.
///
/// Panics if the engine has no answer.
#[must_use]
pub fn play(engine: &Engine, start: &Case, rival: Rival, budget: Budget, draw: &mut Draw) -> Held {
    let (rules, mut held, mut case) = (start.rules(), Held::default(), start.clone());
    while held.moves.len() < MOST_PLIES {
        if let Some(end) = rules.over(&case.position) {
            let to_move = case.position.split(' ').nth(1);
            held.is_won = (to_move == Some("w")) == (end.value == "win");
            return held;
        }
        let (mv, position) = match (case.position.split(' ').nth(1), rival) {
            (Some("w"), _) => own_move(engine, &case, budget, &mut held),
            (_, Rival::Random) => draw.pick(&rules.moves(&case.position, None)).clone(),
            (_, Rival::Level(level, nodes)) => {
                let advice = asked::advise(engine, &case, level, None, Budget::Nodes(nodes)).expect("advice");
                text(&advice)
            }
        };
        held.moves.push(mv);
        case = case.at(position);
    }
    held
}

fn own_move(engine: &Engine, case: &Case, budget: Budget, held: &mut Held) -> (String, String) {
    let begun = Instant::now();
    let advice = asked::advise(engine, case, 8, None, budget).expect("advice");
    held.times.push(begun.elapsed());
    let (mv, position) = text(&advice);
    let moves = advice["answer"]["moves"].as_array().expect("moves");
    let own = moves.iter().find(|own| own["move"] == mv.as_str()).expect("its own move");
    if own["value"] != "win" {
        held.unproved.push(format!("{mv} in {}", case.position));
    }
    (mv, position)
}

fn text(advice: &serde_json::Value) -> (String, String) {
    let of = |name: &str| advice[name].as_str().expect("a text").to_owned();
    (of("move"), of("position"))
}
