//! A best line: legal moves whose values agree with the position at its start.

use serde_json::Value;

use super::document::{Document, Move, Worth};
use super::judge::Judge;
use crate::fast::Fast;

/// Checks a line and its answer.
///
/// * `json`: `answer` and `line`.
pub fn check(json: &Value, rules: &Fast, judge: &mut Judge) {
    let answer = Document::read(&json["answer"]);
    let moves = json["line"]["moves"].as_array().into_iter().flatten().map(Move::read);
    let moves: Result<Vec<Move>, String> = moves.collect();
    let (answer, moves) = match (answer, moves) {
        (Ok(answer), Ok(moves)) => (answer, moves),
        (answer, moves) => {
            return judge.expect("P0.shape", false, || format!("{:?} {:?}", answer.err(), moves.err()));
        }
    };
    let end = json["line"]["end"].as_str().unwrap_or_default();
    let is_shortest = json["line"]["shortest"] == Value::Bool(true);
    let root = &answer.root;
    if let (Some(first), Some(best)) = (moves.first(), answer.listed().first()) {
        judge.expect("P7.first-of-line", first.text == best.text, || {
            format!("{} {} is listed first, the line begins with {}", best.text, best.verdict, first.text)
        });
    }
    let mut here = answer.position.clone();
    for (number, own) in moves.iter().enumerate() {
        let legal = rules.moves(&here, None);
        let is_legal = legal.iter().any(|(text, after)| *text == own.text && *after == own.position);
        judge.expect("P0.line", is_legal, || format!("{} is not legal in {here}", own.text));
        // Both sides keep their values.
        let value = if number % 2 == 0 { root.value } else { root.value.map(Worth::for_opponent) };
        let keeps = value.is_none() || own.verdict.value == value;
        judge.expect("P1.line-keeps-the-value", keeps, || {
            format!("{root}, then {} {}", own.text, own.verdict)
        });
        let found = || format!("{root}, then {} {}", own.text, own.verdict);
        let late = is_shortest && own.verdict.plies != root.plies;
        judge.expect("P1.line-keeps-the-plies", !late, found);
        // Any other line stays within the bounds of the position.
        let meets = own.verdict.least().zip(root.most()).is_none_or(|(least, most)| least <= most);
        judge.expect("P1.line-within-the-plies", meets, found);
        here.clone_from(&own.position);
    }
    let is_over = rules.over(&here).is_some();
    judge.expect("P0.line-end", (end == "over") == is_over, || format!("{end} after {} moves", moves.len()));
    let whole = !is_shortest || root.plies == Some(moves.len() as u64);
    judge.expect("P2.line-to-the-end", whole, || format!("{root}, {} moves, {end}", moves.len()));
    // If the search counted the plies of the first move, it also counted those of the other moves, which are fewer.
    let by_search = root.proof == "search" && root.plies.is_some();
    let counted = moves.first().is_some_and(|first| by_search && first.verdict.plies == root.plies);
    judge.expect("P2.line-to-the-end", is_shortest || !counted, || {
        format!("{root}, {} moves, {end}, not the shortest", moves.len())
    });
    let is_unknown = end == "unknown";
    judge.expect("P2.line-end", is_unknown == root.value.is_none() || moves.len() > 1, || {
        format!("{root}, {end}")
    });
    // A won position has a winning move, as far as any proof reaches.
    let is_named = answer.listed().first().is_some_and(|first| first.verdict.value == Some(Worth::Win));
    let stops = root.value == Some(Worth::Win) && is_named && moves.is_empty();
    judge.expect("P2.line-of-a-won-root", !stops, || format!("{root}, no line"));
}
