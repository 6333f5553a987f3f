//! P0: answers about small positions compared with the slow solver.

use std::collections::HashSet;

use super::case::Case;
use super::document::{Bounds, Document, Verdict, Worth};
use super::judge::Judge;
use crate::reference::Rules;
use crate::reference::solver::{Solved, solve};

/// The solution of everything reachable, by the reference rules; `None` in games with throws, and above `most`
/// positions.
#[must_use]
pub fn of(case: &Case, most: usize) -> Option<Solved> {
    if case.has_throws() {
        return None;
    }
    let (rules, fast) = (Rules::of(case.game, case.immobile), case.rules());
    let mut seen = HashSet::from([case.position.clone()]);
    let mut open = vec![case.position.clone()];
    while let Some(position) = open.pop() {
        let nexts = fast.moves(&position, None).into_iter().map(|(_, next)| next);
        open.extend(nexts.filter(|next| seen.insert(next.clone())));
        if seen.len() > most {
            return None;
        }
    }
    Some(solve(rules.plain(), &case.position))
}

/// Checks a document against the solution.
pub fn check(document: &Document, truth: &Solved, judge: &mut Judge) {
    let of = |position: &str| truth.scores.get(position).copied();
    if let Some((value, plies)) = of(&document.position) {
        let value = Worth::named(value).expect("a value of the solver");
        compare("the position", &document.root, value, plies.map(u64::from), judge);
    }
    for own in document.listed() {
        let Some((value, plies)) = of(&own.position) else { continue };
        let value = Worth::named(value).expect("a value of the solver").map(Worth::for_opponent);
        compare(&own.text, &own.verdict, value, plies.map(|plies| u64::from(plies) + 1), judge);
    }
}

fn compare(at: &str, said: &Verdict, value: Option<Worth>, plies: Option<u64>, judge: &mut Judge) {
    let Some(value) = value else { return };
    let found = || format!("{at}: {said}, the truth is {value:?} in {plies:?}");
    judge.expect("P0.true-value", Bounds::exactly(value).within(said.bounds), found);
    let within = |plies: u64| {
        said.least().is_none_or(|least| least <= plies) && said.most().is_none_or(|most| plies <= most)
    };
    judge.expect("P0.true-plies", plies.is_none_or(within), found);
}
