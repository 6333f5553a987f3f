//! Comparisons of two documents: identical, images of each other, or one requested after the other.

use serde_json::Value;

use super::document::{Document, LEAST_UNSAID, Move, Verdict};
use super::judge::Judge;
use super::throws::ThrowsDocument;

/// Estimates of one position that differ by less are equal.
const EPSILON: f64 = 1e-9;

/// The first difference between two documents; `None` if they are equal.
///
/// * `left_out`: fields of the outermost object to ignore.
#[must_use]
pub fn difference(a: &Value, b: &Value, left_out: &[&str]) -> Option<String> {
    fn walk(a: &Value, b: &Value, at: &str) -> Option<String> {
        match (a, b) {
            (Value::Object(own), Value::Object(other)) => {
                let names: std::collections::BTreeSet<&String> = own.keys().chain(other.keys()).collect();
                names
                    .into_iter()
                    .find_map(|name| walk(&a[name.as_str()], &b[name.as_str()], &format!("{at}.{name}")))
            }
            (Value::Array(own), Value::Array(other)) if own.len() == other.len() => {
                own.iter().zip(other).enumerate().find_map(|(n, (a, b))| walk(a, b, &format!("{at}[{n}]")))
            }
            _ if a == b => None,
            _ => Some(format!("{at}: {} and {}", short(a), short(b))),
        }
    }
    let trimmed = |json: &Value| {
        let mut json = json.clone();
        if let Some(object) = json.as_object_mut() {
            left_out.iter().for_each(|name| drop(object.remove(*name)));
        }
        json
    };
    walk(&trimmed(a), &trimmed(b), "")
}

fn short(json: &Value) -> String {
    let text = json.to_string();
    if text.chars().count() <= 60 { text } else { text.chars().take(60).chain("…".chars()).collect() }
}

/// Checks that two documents about one position are equal, field by field.
pub fn same(property: &'static str, a: &Value, b: &Value, judge: &mut Judge) {
    // Some calls add these fields to the answer; `ended` is null if no search was needed.
    let left_out = ["chosen", "line", "line_is_shortest", "cut", "budget_cut_ms", "ended"];
    let found = difference(a, b, &left_out);
    judge.expect(property, found.is_none(), || found.unwrap_or_default());
}

/// Checks that two documents about one position are equal, unless earlier requests let one know more.
pub fn same_or_more(property: &'static str, a: &Value, b: &Value, judge: &mut Judge) {
    let read = |json: &Value| Document::read(json).or_else(|_| Document::read_value(json)).ok();
    let Some((own, other)) = read(a).zip(read(b)) else { return same(property, a, b, judge) };
    let pair = Pair { contradiction: property, forgotten: property };
    let knows = |less: &Document, more: &Document| {
        let mut inner = Judge::default();
        knows_at_least(less, more, pair, &mut inner);
        inner.faults.is_empty()
    };
    match (knows(&own, &other), knows(&other, &own)) {
        // If both know the same, nothing may differ.
        (true, true) => same(property, a, b, judge),
        // Each may know what the other does not.
        (false, false) => agree_on_all(&own, &other, property, judge),
        _ => {}
    }
}

/// The properties checked for two documents about the same position.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// One contradicts the other.
    pub contradiction: &'static str,
    /// The second lacks bounds or plies of the first.
    pub forgotten: &'static str,
}

/// Two documents about one position, from any requests.
pub const ASKED_TWICE: Pair =
    Pair { contradiction: "P1.two-documents", forgotten: "P6.forgotten-after-others" };

/// Checks that the second of two documents about one position knows at least as much as the first.
pub fn knows_at_least(first: &Document, second: &Document, pair: Pair, judge: &mut Judge) {
    for (at, own, other) in same_subjects(first, second) {
        verdicts(at, own, other, pair, judge);
    }
}

/// The position and the moves of which both documents have a verdict.
fn same_subjects<'d>(
    first: &'d Document,
    second: &'d Document,
) -> impl Iterator<Item = (&'d str, &'d Verdict, &'d Verdict)> {
    let of_both =
        |own: &'d Move| Some((own.text.as_str(), &own.verdict, &second.of_move(&own.text)?.verdict));
    let root = ("the position", &first.root, &second.root);
    std::iter::once(root).chain(first.listed().iter().filter_map(of_both))
}

/// Checks that two documents about one position know the same.
pub fn knows_the_same(first: &Document, second: &Document, pair: Pair, judge: &mut Judge) {
    knows_at_least(first, second, pair, judge);
    knows_at_least(second, first, pair, judge);
}

/// Checks that the second of two verdicts on one subject knows at least as much as the first.
pub fn verdicts(at: &str, first: &Verdict, second: &Verdict, pair: Pair, judge: &mut Judge) {
    let found = || format!("{at}: {first}, and {second}");
    if !agree(at, first, second, pair.contradiction, judge) {
        return;
    }
    let has_range = first.least().is_none_or(|least| second.least().unwrap_or(LEAST_UNSAID) >= least)
        && first.most().is_none_or(|most| second.most().is_some_and(|own| own <= most));
    judge.expect(pair.forgotten, second.bounds.within(first.bounds) && has_range, found);
}

/// Checks that two verdicts on one subject do not contradict each other; returns the result.
pub fn agree(
    at: &str,
    first: &Verdict,
    second: &Verdict,
    contradiction: &'static str,
    judge: &mut Judge,
) -> bool {
    let ranges_meet = first.least().zip(second.most()).is_none_or(|(least, most)| least <= most)
        && second.least().zip(first.most()).is_none_or(|(least, most)| least <= most);
    let agree = first.bounds.meet(second.bounds) && ranges_meet;
    judge.expect(contradiction, agree, || format!("{at}: {first}, and {second}"));
    agree
}

/// Checks that two documents do not contradict each other.
fn agree_on_all(first: &Document, second: &Document, property: &'static str, judge: &mut Judge) {
    for (at, own, other) in same_subjects(first, second) {
        agree(at, own, other, property, judge);
    }
}

/// Checks that two documents with throws about one position do not contradict each other, and that the second knows
/// at least as much.
pub fn knows_at_least_of_throws(
    first: &ThrowsDocument,
    second: &ThrowsDocument,
    pair: Pair,
    judge: &mut Judge,
) {
    let (of_first, of_second) = (first.chances(), second.chances());
    for (at, own) in of_first {
        let Some((_, other)) = of_second.iter().find(|(name, _)| *name == at) else { continue };
        let found = || format!("{at}: {own:?}, and {other:?}");
        judge.expect(pair.contradiction, own.meets(*other), found);
        judge.expect(pair.forgotten, own.error.is_none() || other.error.is_some(), found);
    }
}

/// Whether two chances are equal.
#[must_use]
pub fn same_chance(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() < EPSILON,
        (None, None) => true,
        _ => false,
    }
}
