//! P8: plies, bounds on plies, and deltas of a position and of its moves.

use super::document::{Document, LEAST_UNSAID, Move, Verdict, Worth};
use super::judge::Judge;

/// A move that does not end the game takes at least two plies: the opponent has to move, too.
const LEAST_BEYOND: u64 = 2;

/// Checks all figures in plies.
pub fn check(document: &Document, judge: &mut Judge) {
    check_verdict(&document.root, "the position", judge);
    for own in document.listed() {
        check_verdict(&own.verdict, &own.text, judge);
        judge.expect("P8.move-takes-a-ply", own.verdict.plies != Some(0), || format!("{} in 0", own.text));
    }
    if document.over.is_some() || document.listed().is_empty() {
        return;
    }
    deltas(document, judge);
    match document.root.value {
        Some(Worth::Win) => won(document, judge),
        Some(Worth::Loss) => lost(document, judge),
        _ => {}
    }
}

fn check_verdict(verdict: &Verdict, at: &str, judge: &mut Judge) {
    let found = || format!("{at}: {verdict}");
    let is_decided = matches!(verdict.value, Some(Worth::Win | Worth::Loss));
    judge.expect("P8.plies-of-decided", is_decided || verdict.plies.is_none(), found);
    let Some([least, most]) = verdict.plies_bounds else { return };
    judge.expect("P8.bounds-of-decided", is_decided, found);
    judge.expect("P8.bounds-say-something", least.is_some() || most.is_some(), found);
    let in_order = least.zip(most).is_none_or(|(least, most)| least <= most);
    judge.expect("P8.least-and-most", in_order, found);
    let holds =
        |plies: u64| least.is_none_or(|least| least <= plies) && most.is_none_or(|most| plies <= most);
    judge.expect("P8.plies-within-bounds", verdict.plies.is_none_or(holds), found);
    // If both are equal, `plies` must be set.
    let is_settled = least.is_some() && least == most && verdict.plies.is_none();
    judge.expect("P8.bounds-that-meet", !is_settled, found);
}

/// The least plies of this move, from the document or because it does not end the game.
///
/// A move that ends the game has a value, with one ply ([`super::closure`] checks that).
fn least(own: &Move) -> u64 {
    own.verdict.least().unwrap_or(LEAST_BEYOND)
}

/// A won position takes as long as its quickest winning move.
fn won(document: &Document, judge: &mut Judge) {
    let (root, moves) = (&document.root, document.listed());
    let wins = || moves.iter().filter(|own| own.verdict.value == Some(Worth::Win));
    let may_win = || moves.iter().filter(|own| own.verdict.bounds.best == Worth::Win);
    let quickest = wins().filter_map(|own| own.verdict.plies).min();
    let at_most = wins().filter_map(|own| own.verdict.most()).min();
    let at_least = may_win().map(least).min();
    let found = || format!("{root}; quickest {quickest:?}, {at_least:?} to {at_most:?} by the moves");
    // Bounds of the position from those of the moves.
    let settles =
        quickest.is_some() && quickest.zip(at_least).is_some_and(|(quickest, least)| quickest <= least);
    judge.expect("P2.plies-of-a-won-root", !settles || root.plies == quickest, found);
    let is_later = |plies: u64| at_most.is_none_or(|most| plies <= most);
    judge.expect("P1.plies-of-a-won-root", root.plies.is_none_or(is_later), found);
    let is_open = root.plies.is_none() && !settles;
    let closes = |own: Option<u64>, by_moves: Option<u64>| own.is_some() || by_moves.is_none();
    judge.expect("P8.most-of-a-won-root", !is_open || closes(root.most(), at_most), found);
    let is_tight = |most: u64| at_most.is_none_or(|by_moves| most <= by_moves);
    judge.expect("P8.most-of-a-won-root", root.most().is_none_or(is_tight), found);
    let fits = |most: u64| at_least.is_none_or(|least| least <= most);
    judge.expect("P1.plies-of-a-won-root", root.most().is_none_or(fits), found);
    // A position that takes at least this long has no quicker winning move.
    let slow = |own: &Move| root.least().zip(own.verdict.plies).is_none_or(|(least, plies)| least <= plies);
    judge.expect("P1.plies-of-a-winning-move", wins().all(slow), found);
}

/// A lost position takes as long as its longest move.
fn lost(document: &Document, judge: &mut Judge) {
    let (root, moves) = (&document.root, document.listed());
    let all: Option<Vec<u64>> = moves.iter().map(|own| own.verdict.plies).collect();
    let longest = all.and_then(|all| all.into_iter().max());
    let at_least = moves.iter().filter_map(|own| own.verdict.least()).max();
    let at_most: Option<Vec<u64>> = moves.iter().map(|own| own.verdict.most()).collect();
    let at_most = at_most.and_then(|all| all.into_iter().max());
    let found = || format!("{root}; longest {longest:?}, {at_least:?} to {at_most:?} by the moves");
    judge.expect("P2.plies-of-a-lost-root", longest.is_none() || root.plies == longest, found);
    let is_sooner = |plies: u64| at_least.is_none_or(|least| least <= plies);
    judge.expect("P1.plies-of-a-lost-root", root.plies.is_none_or(is_sooner), found);
    judge.expect("P1.plies-of-a-lost-root", root.most().is_none_or(is_sooner), found);
    let closes = root.plies.is_some() || at_most.is_none() || root.most().is_some();
    judge.expect("P8.most-of-a-lost-root", closes, found);
    let tells = at_least.filter(|&least| least > LEAST_UNSAID);
    judge.expect("P8.least-of-a-lost-root", tells.is_none() || root.least() >= tells, found);
    let quick = |own: &Move| root.most().zip(own.verdict.plies).is_none_or(|(most, plies)| plies <= most);
    judge.expect("P1.plies-of-a-losing-move", moves.iter().all(quick), found);
}

/// A delta counts from the best known move of the same value.
fn deltas(document: &Document, judge: &mut Judge) {
    let of = |value: Worth| document.listed().iter().filter(move |own| own.verdict.value == Some(value));
    let quickest = of(Worth::Win).filter_map(|own| own.verdict.plies).min();
    let longest = of(Worth::Loss).filter_map(|own| own.verdict.plies).max();
    for own in document.listed() {
        let expected = match (own.verdict.value, own.verdict.plies) {
            (Some(Worth::Draw), _) => Some(0),
            (Some(Worth::Win), Some(plies)) => quickest.map(|best| plies - best),
            (Some(Worth::Loss), Some(plies)) => longest.map(|best| best - plies),
            _ => None,
        };
        judge.expect("P8.delta", own.delta == expected, || {
            format!("{}: {} with delta {:?}, expected {expected:?}", own.text, own.verdict, own.delta)
        });
    }
}
