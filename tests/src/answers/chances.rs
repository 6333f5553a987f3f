//! P3: every position has a value or a chance, and chances agree with values and bounds.

use super::document::{Document, Verdict, Worth};
use super::judge::Judge;

/// The tolerance for sums.
const EPSILON: f64 = 1e-9;

/// Checks the chances of a position and of its moves.
pub fn check(document: &Document, judge: &mut Judge) {
    check_verdict(&document.root, "the position", judge);
    let has_chance = |verdict: &Verdict| verdict.value.is_some() || verdict.wdl.is_some();
    judge.expect("P3.root-without-chance", has_chance(&document.root), || document.root.to_string());
    for own in document.listed() {
        check_verdict(&own.verdict, &own.text, judge);
    }
    let without = document.listed().iter().filter(|own| !has_chance(&own.verdict)).count();
    let property = match document.root.value {
        Some(_) => "P3.move-without-chance-under-proved-root",
        None => "P3.move-without-chance",
    };
    let of = document.listed().len();
    judge.expect(property, without == 0, || format!("{without} of {of} moves, {}", document.root));
}

/// Checks the verdict of one position or move.
///
/// * `at`: its name, for messages.
pub fn check_verdict(verdict: &Verdict, at: &str, judge: &mut Judge) {
    let found = || format!("{at}: {verdict}, wdl {:?}, source {:?}", verdict.wdl, verdict.source);
    let Verdict { value, bounds, wdl, estimate, source, proof, .. } = verdict;
    judge.expect("P3.value-is-bounds", *value == bounds.value() && bounds.worst <= bounds.best, found);
    let is_open = *bounds == super::document::Bounds::UNKNOWN;
    judge.expect("P3.proof-named", (proof == "none") == is_open, found);
    let expected = wdl.map(|_| if value.is_some() { "exact" } else { "estimate" });
    judge.expect("P3.source", source.as_deref() == expected, found);
    judge.expect(
        "P3.estimate-where-unknown",
        estimate.is_some() == (value.is_none() && wdl.is_some()),
        found,
    );
    let Some([win, draw, loss]) = *wdl else { return };
    judge.expect("P3.sum", (win + draw + loss - 1.0).abs() < EPSILON, found);
    let is_share = |part: f64| (-EPSILON..=1.0 + EPSILON).contains(&part);
    judge.expect("P3.share", [win, draw, loss].into_iter().all(is_share), found);
    let excluded = [(Worth::Win, win), (Worth::Draw, draw), (Worth::Loss, loss)];
    let is_possible = |&(worth, _): &(Worth, f64)| (bounds.worst..=bounds.best).contains(&worth);
    let left_over: f64 = excluded.iter().filter(|part| !is_possible(part)).map(|part| part.1).sum();
    judge.expect("P3.within-bounds", left_over < EPSILON, found);
    let expected = win + draw / 2.0;
    judge.expect("P3.estimate", estimate.is_none_or(|own| (own - expected).abs() < EPSILON), found);
}
