//! P0, P1 and P2: consistency between a position, its moves and the rules, one step apart.

use super::document::{Bounds, Document, Move, Worth};
use super::judge::Judge;
use super::{chances, order, plies};
use crate::fast::Fast;

/// Checks everything in one document about a position.
pub fn check(document: &Document, rules: &Fast, judge: &mut Judge) {
    by_rules(document, rules, judge);
    chances::check(document, judge);
    plies::check(document, judge);
    if document.over.is_none() && !document.listed().is_empty() {
        root_and_moves(document, rules, judge);
        order::check(document, judge);
    }
}

/// Checks the end of the game, the legal moves, and moves that end it against the rules.
fn by_rules(document: &Document, rules: &Fast, judge: &mut Judge) {
    let end = rules.over(&document.position);
    let reason = end.map(|end| end.reason);
    judge.expect("P0.over", document.over.as_deref() == reason, || {
        format!("{:?}, expected {reason:?}", document.over)
    });
    if let Some(end) = end {
        let root = &document.root;
        let value = Worth::named(end.value).expect("a value of the rules");
        let plies = value.filter(|value| *value != Worth::Draw).map(|_| 0);
        let holds = root.value == value && root.plies == plies && root.proof == "rules";
        judge.expect("P0.value-of-the-end", holds, || format!("{root}, expected {value:?}"));
    }
    let Some(moves) = &document.moves else { return };
    let mut legal = rules.moves(&document.position, None);
    let mut listed: Vec<_> = moves.iter().map(|own| (own.text.clone(), own.position.clone())).collect();
    legal.sort();
    listed.sort();
    judge.expect("P0.moves", legal == listed, || format!("{} listed, {} legal", listed.len(), legal.len()));
    for own in moves {
        let Some(end) = rules.over(&own.position) else { continue };
        let value = Worth::named(end.value).expect("a value of the rules").map(Worth::for_opponent);
        let plies = value.filter(|value| *value != Worth::Draw).map(|_| 1);
        let holds = own.verdict.value == value && own.verdict.plies == plies;
        judge.expect("P2.move-that-ends-the-game", holds, || {
            format!("{}: {}, expected {value:?} in 1", own.text, own.verdict)
        });
    }
}

/// The bounds of a position that follow from those of all its moves.
#[must_use]
pub fn by_moves(moves: &[Move]) -> Option<Bounds> {
    let worst = moves.iter().map(|own| own.verdict.bounds.worst).max()?;
    let best = moves.iter().map(|own| own.verdict.bounds.best).max()?;
    Some(Bounds { worst, best })
}

fn root_and_moves(document: &Document, rules: &Fast, judge: &mut Judge) {
    let (root, moves) = (&document.root, document.listed());
    let Some(follows) = by_moves(moves) else { return };
    let found = || format!("{root}, moves {:?}..{:?}", follows.worst, follows.best);
    judge.expect("P1.root-and-moves", root.bounds.meet(follows), found);
    if !root.bounds.meet(follows) {
        return;
    }
    judge.expect("P2.root-from-moves", root.bounds.within(follows), found);
    let better: Vec<&Move> = moves.iter().filter(|own| own.verdict.bounds.best > root.bounds.best).collect();
    let property = match root.bounds.best {
        Worth::Loss => "P2.moves-of-a-lost-root",
        _ => "P2.moves-of-a-drawn-root",
    };
    judge.expect(property, better.is_empty(), || {
        format!(
            "{root}; {} of {} moves may be better, {} {}",
            better.len(),
            moves.len(),
            better[0].text,
            better[0].verdict
        )
    });
    let keeps = |own: &&Move| own.verdict.bounds.best >= root.bounds.worst;
    let keeping: Vec<&Move> = moves.iter().filter(keeps).collect();
    if let ([only], true) = (&keeping[..], root.bounds.worst > Worth::Loss) {
        judge.expect("P2.only-move", only.verdict.bounds.worst >= root.bounds.worst, || {
            format!("{root}; only {} can keep that: {}", only.text, only.verdict)
        });
    }
    let named = moves.iter().any(|own| own.verdict.bounds.worst >= root.bounds.worst);
    let property = match root.bounds.worst {
        Worth::Win => "P2.winning-move-named",
        _ => "P2.drawing-move-named",
    };
    // It may only be known that the position before it is lost.
    let is_own = |booked: &String| rules.representative(booked) == rules.representative(&document.position);
    let is_named_elsewhere = root.proof == "book" && !document.booked.as_ref().is_some_and(is_own);
    judge.expect(property, named || is_named_elsewhere || root.bounds.worst == Worth::Loss, || {
        format!("{root}; none of {} moves is known to keep that", moves.len())
    });
}
