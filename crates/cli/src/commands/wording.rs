//! Values in words.

use marquis_engine::{Answer, ChanceAnswer, ExactAnswer, MoveAnswer, Verdict};

use crate::output::table;

/// `win in 5`, `draw`, `unknown (draw..win)`.
pub(crate) fn verdict(verdict: &Verdict) -> String {
    match (verdict.value.as_str(), verdict.plies) {
        ("unknown", _) => format!("unknown ({}..{})", verdict.bounds[0], verdict.bounds[1]),
        (value, Some(plies)) => format!("{value} in {plies}"),
        (value, None) => value.to_owned(),
    }
}

/// An answer for people.
pub(crate) fn answer(answer: &Answer) -> String {
    match answer {
        Answer::Exact(answer) => exact(answer),
        Answer::Chance(answer) => chance(answer),
    }
}

fn exact(answer: &ExactAnswer) -> String {
    let over = answer.over.as_ref().map_or_else(String::new, |over| format!(", the game is over ({over})"));
    let mut text =
        format!("{}\n{} to move: {}{over}\n", answer.position, answer.turn, verdict(&answer.verdict));
    if !answer.moves.is_empty() {
        text += &moves(&answer.moves);
    }
    text
}

/// The moves of an answer, best first.
pub(crate) fn moves(moves: &[MoveAnswer]) -> String {
    let row = |mv: &MoveAnswer| {
        let delta =
            mv.delta.filter(|&delta| delta > 0).map_or_else(String::new, |delta| format!("{delta} worse"));
        let estimate = mv.verdict.estimate.map_or_else(String::new, |e| format!("estimate {e:.2}"));
        vec![mv.mv.clone(), verdict(&mv.verdict), format!("{delta}{estimate}"), mv.position.clone()]
    };
    table(&["move", "value", "", "position"], moves.iter().map(row))
}

fn percent(chance: Option<f64>, error: Option<f64>) -> String {
    match (chance, error) {
        (Some(chance), Some(error)) => format!("{chance:.9} ± {error:.1e}"),
        _ => "unknown".to_owned(),
    }
}

fn chance(answer: &ChanceAnswer) -> String {
    let over = answer.over.as_ref().map_or_else(String::new, |over| format!(", the game is over ({over})"));
    let total = percent(answer.chance, answer.error);
    let mut text = format!("{}\n{} to throw: {total}{over}\n", answer.position, answer.turn);
    let rows = answer.throws.iter().flat_map(|throw| {
        throw.moves.iter().map(|mv| {
            let weight = format!("{}/16", throw.weight);
            vec![
                throw.throw.to_string(),
                weight,
                mv.mv.clone(),
                percent(mv.chance, mv.error),
                mv.position.clone(),
            ]
        })
    });
    if !answer.throws.is_empty() {
        text += &table(&["throw", "chance", "move", "wins", "position"], rows);
    }
    text
}
