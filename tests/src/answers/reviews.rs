//! R: a review is consistent from each move to the next, and every mark has a reason.

use serde_json::Value;

use super::document::{Bounds, Document, Worth};
use super::judge::Judge;

/// A reviewed move.
struct Reviewed {
    text: String,
    value: Option<Worth>,
    bounds: Bounds,
    chance: Option<f64>,
    exact: bool,
    lost: Option<f64>,
    mark: Option<String>,
    ground: Option<String>,
}

impl Reviewed {
    fn read(json: &Value) -> Result<Self, String> {
        let bound = |json: &Value| {
            Worth::named(json.as_str().unwrap_or_default())?.ok_or_else(|| "an unknown bound".to_owned())
        };
        let word = |name: &str| json[name].as_str().map(ToOwned::to_owned);
        Ok(Self {
            text: word("move").ok_or("no move")?,
            value: Worth::named(json["value"].as_str().unwrap_or_default())?,
            bounds: Bounds { worst: bound(&json["bounds"][0])?, best: bound(&json["bounds"][1])? },
            chance: json["chance"].as_f64(),
            exact: json["source"] == "exact",
            lost: json["lost"].as_f64(),
            mark: word("mark"),
            ground: word("ground"),
        })
    }
}

/// Checks the review of a game without chance.
///
/// * `first`: the answer about the first position, with the same budget.
pub fn check(json: &Value, first: &Document, judge: &mut Judge) {
    let moves: Result<Vec<Reviewed>, String> =
        json["moves"].as_array().into_iter().flatten().map(Reviewed::read).collect();
    let moves = match moves {
        Ok(moves) => moves,
        Err(error) => return judge.expect("P0.shape", false, || error),
    };
    let mut here = first.root.bounds;
    for own in &moves {
        check_move(own, here, judge);
        here = own.bounds.for_opponent();
    }
}

/// Checks a move.
///
/// * `here`: the bounds of the position before it, for the player who moves.
fn check_move(own: &Reviewed, here: Bounds, judge: &mut Judge) {
    let Reviewed { text, value, bounds, chance, exact, lost, mark, ground } = own;
    let found = || {
        format!(
            "{text} in {here:?}: {bounds:?}, chance {chance:?}, exact {exact}, lost {lost:?}, {mark:?} by {ground:?}"
        )
    };
    judge.expect("P3.value-is-bounds", *value == bounds.value() && bounds.worst <= bounds.best, found);
    judge.expect("R.move-better-than-its-position", bounds.worst <= here.best, found);
    judge.expect("R.move-of-a-known-position", bounds.best <= here.best, found);
    judge.expect("R.move-without-chance", chance.is_some(), found);
    judge.expect("R.source", *exact == value.is_some(), found);
    let share = |worth: Worth| match worth {
        Worth::Win => 1.0,
        Worth::Draw => 0.5,
        Worth::Loss => 0.0,
    };
    let possible = share(bounds.worst) - 1e-9..=share(bounds.best) + 1e-9;
    judge.expect("R.chance-within-bounds", chance.is_none_or(|chance| possible.contains(&chance)), found);
    let is_lost = here.best == Worth::Loss;
    let blamed = lost.is_some_and(|lost| lost > 1e-9) || mark.is_some();
    judge.expect("R.nothing-to-lose-in-a-lost-position", !is_lost || !blamed, found);
    let is_blunder = mark.as_deref() == Some("blunder");
    judge.expect("R.blunder-without-proof", !is_blunder || ground.as_deref() == Some("value"), found);
    let gives_away = bounds.best < Worth::Win;
    judge.expect(
        "R.blunder-that-loses-nothing",
        !is_blunder || gives_away && here.best > bounds.worst,
        found,
    );
    let is_kept = bounds.worst >= here.best;
    let keeps_unblamed = !is_kept || !matches!(mark.as_deref(), Some("blunder" | "mistake" | "inaccuracy"));
    judge.expect("R.blame-for-a-kept-value", keeps_unblamed, found);
}
