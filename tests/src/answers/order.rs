//! P7: moves are sorted best first, and unranked moves are not sorted alphabetically.

use super::document::{Document, Move, Worth};
use super::judge::Judge;

/// Estimates that differ by less are equal.
const EPSILON: f64 = 1e-9;
/// This many moves are hardly ever in alphabetical order by chance; six may be images of each other. They may still be
/// [`ties`]: in a race of Squinch on one rank eight moves change nothing.
const MANY: usize = 7;
/// The start of the names of properties about moves in alphabetical order.
pub const ALPHABET: &str = "P7.alphabet";

/// Checks the order of the moves.
pub fn check(document: &Document, judge: &mut Judge) {
    let moves = document.listed();
    let root = document.root.value;
    let out_of_order = moves.windows(2).find(|pair| !in_order(&pair[0], &pair[1], root));
    judge.expect("P7.order", out_of_order.is_none(), || {
        let pair = out_of_order.map(|pair| {
            format!("{} {} before {} {}", pair[0].text, pair[0].verdict, pair[1].text, pair[1].verdict)
        });
        pair.unwrap_or_default()
    });
    for (property, unranked) in unranked(moves) {
        let by_text = unranked.len() >= MANY && unranked.is_sorted();
        judge.expect(property, !by_text, || {
            format!("{} unranked moves from {} on", unranked.len(), unranked[0])
        });
    }
    if let (Some(first), Some(pv)) = (moves.first(), document.pv.first()) {
        judge.expect("P7.first-of-pv", first.text == *pv, || {
            let own = document.of_move(pv).map(|own| own.verdict.to_string()).unwrap_or_default();
            format!("{} {} is listed first, the line begins with {pv} {own}", first.text, first.verdict)
        });
    }
}

/// Unranked moves by class, each with the property that they are not in alphabetical order.
fn unranked(moves: &[Move]) -> [(&'static str, Vec<&str>); 3] {
    [
        ("P7.alphabet-of-wins", of_class(moves, |own| class(own) == 0 && own.verdict.plies.is_none())),
        ("P7.alphabet-of-unknown", of_class(moves, |own| class(own) == 2 && own.verdict.wdl.is_none())),
        ("P7.alphabet-of-losses", of_class(moves, |own| class(own) == 3 && own.verdict.plies.is_none())),
    ]
}

/// Whether the unranked moves of a class are equal to the ply, so that only the alphabet can break the tie.
///
/// * `counted`: an answer with the plies of all moves.
#[must_use]
pub fn ties(document: &Document, counted: &Document) -> bool {
    unranked(document.listed()).iter().all(|(_, moves)| {
        let mut known =
            moves.iter().map(|mv| counted.of_move(mv).map(|own| (own.verdict.value, own.verdict.plies)));
        let first = known.next();
        first.is_none_or(|first| {
            first.is_some_and(|(_, plies)| plies.is_some()) && known.all(|own| own == first)
        })
    })
}

/// Checks the move chosen by the highest level.
pub fn check_chosen(document: &Document, chosen: &str, judge: &mut Judge) {
    let Some(first) = document.listed().first() else { return };
    judge.expect("P7.chosen-is-first", first.text == chosen, || {
        let own = document.of_move(chosen).map(|own| own.verdict.to_string()).unwrap_or_default();
        format!("{} {} is listed first, {chosen} {own} is chosen", first.text, first.verdict)
    });
}

fn of_class(moves: &[Move], belongs: impl Fn(&Move) -> bool) -> Vec<&str> {
    moves.iter().filter(|own| belongs(own)).map(|own| own.text.as_str()).collect()
}

const fn class(own: &Move) -> u8 {
    match own.verdict.value {
        Some(Worth::Win) => 0,
        Some(Worth::Draw) => 1,
        None => 2,
        Some(Worth::Loss) => 3,
    }
}

/// Whether the first of two neighbours may come before the second.
///
/// * `root`: the value of the position; if it is unknown, a draw equals an even chance.
fn in_order(a: &Move, b: &Move, root: Option<Worth>) -> bool {
    let chance = |own: &Move| match own.verdict.value {
        Some(Worth::Draw) => Some(0.5),
        None => own.verdict.estimate,
        Some(Worth::Win | Worth::Loss) => None,
    };
    if let (None, Some(a), Some(b)) = (root, chance(a), chance(b)) {
        return a >= b - EPSILON;
    }
    if class(a) != class(b) {
        return class(a) < class(b);
    }
    match a.verdict.value {
        // A win without known plies may come after any other, and a bound may place it.
        Some(Worth::Win) => a.verdict.plies.zip(b.verdict.plies).is_none_or(|(a, b)| a <= b),
        Some(Worth::Loss) => a.verdict.plies.zip(b.verdict.plies).is_none_or(|(a, b)| a >= b),
        Some(Worth::Draw) => true,
        None => a.verdict.estimate.zip(b.verdict.estimate).is_none_or(|(a, b)| a >= b - EPSILON),
    }
}
