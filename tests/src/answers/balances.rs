//! B: the balance of a set-up follows from the bounds of both first positions.

use marquis_core::{GameId, Immobile};
use marquis_engine::{BalanceQuery, Pie, Until};
use serde_json::Value;

use super::case::Case;
use super::chances::check_verdict;
use super::document::{Bounds, Document, Verdict, Worth};
use super::judge::Judge;
use crate::fast::Fast;
use crate::reference;
use crate::reference::hexboard::HexBoard;
use crate::reference::symmetry::images;

/// The first position of one colour, as described by a balance.
#[derive(Clone, Debug, PartialEq)]
pub struct First {
    /// The position text.
    pub position: String,
    /// For the player who moves first.
    pub verdict: Verdict,
    /// The best moves.
    pub best: Vec<String>,
}

/// A balance.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighed {
    /// White's and Black's first position.
    pub firsts: [First; 2],
    /// The bounds of the better choice, for Player Two.
    pub player_two: Bounds,
    /// The better choice, if it is known.
    pub choice: Option<String>,
    /// Whether both choices are equal.
    pub balanced: Option<bool>,
}

impl Weighed {
    /// A balance from its JSON.
    ///
    /// # Errors
    /// A field is missing or of another type.
    pub fn read(json: &Value) -> Result<Self, String> {
        let first = |json: &Value| {
            let document = Document::read_value(json)?;
            let best = json["best"].as_array().ok_or("no best moves")?.iter();
            let best = best.filter_map(|mv| mv.as_str().map(ToOwned::to_owned)).collect();
            Ok::<First, String>(First { position: document.position, verdict: document.root, best })
        };
        let bound = |json: &Value| {
            let word = json.as_str().unwrap_or_default();
            Worth::named(word)?.ok_or_else(|| "an unknown bound".to_owned())
        };
        let player = &json["player_two"];
        let player_two = Bounds { worst: bound(&player["bounds"][0])?, best: bound(&player["bounds"][1])? };
        Ok(Self {
            firsts: [first(&json["first_mover"]["w"])?, first(&json["first_mover"]["b"])?],
            player_two,
            choice: player["choice"].as_str().map(ToOwned::to_owned),
            balanced: json["balanced"].as_bool(),
        })
    }
}

/// The bounds of the better choice, for Player Two.
///
/// Moving first has the smaller value of both colours under the Marquisian pie and the larger under the bait pie; the
/// other choice has the opposite value.
#[must_use]
pub fn player_two(firsts: [Bounds; 2], pie: Pie) -> Bounds {
    let [w, b] = firsts;
    let moving = match pie {
        Pie::Marquisian => Bounds { worst: w.worst.min(b.worst), best: w.best.min(b.best) },
        Pie::Bait => Bounds { worst: w.worst.max(b.worst), best: w.best.max(b.best) },
    };
    let other = moving.for_opponent();
    let is_drawn = moving.value() == Some(Worth::Draw);
    let is_decided = moving.worst == Worth::Win || moving.best == Worth::Loss;
    let worst = if is_decided { Worth::Win } else { Worth::Draw };
    Bounds { worst, best: if is_drawn { Worth::Draw } else { moving.best.max(other.best) } }
}

/// The balance query for the board of a position of Swish or Squeeze; `None` if it is not a set-up, and for games
/// without set-ups.
///
/// The stores are ignored; the target is kept.
#[must_use]
pub fn question(case: &Case, pie: Pie, until: Until) -> Option<BalanceQuery> {
    if !case.has_set_ups() {
        return None;
    }
    let board = case.position.split(' ').next()?.to_owned();
    let HexBoard { side, pieces } = HexBoard::read(&board);
    let on_edge = |&(q, r): &(i32, i32)| q.abs().max(r.abs()).max((q + r).abs()) == side - 1;
    let is_set_up = pieces.iter().all(|(cell, &piece)| on_edge(cell) == (piece != 'o'));
    let has = |letter: char| pieces.values().any(|&piece| piece == letter);
    if !is_set_up || !has('w') || !has('b') || !has('o') {
        return None;
    }
    let immobile = match case.immobile {
        reference::Immobile::Loss => Immobile::Loss,
        reference::Immobile::Pass => Immobile::Pass,
    };
    Some(BalanceQuery { game: GameId::new(case.game), board, bait: 0, pie, target: None, immobile, until })
}

/// Whether the board is its own image with the colours swapped, so that both first positions are the same.
#[must_use]
pub fn is_its_own_mirror(game: &str, board: &str) -> bool {
    images(game).into_iter().any(|image| image.swapped && image.position(game, board) == board)
}

/// Checks a balance for consistency and against the rules.
///
/// * `json`: the whole document.
pub fn check(json: &Value, query: &BalanceQuery, rules: &Fast, judge: &mut Judge) -> Option<Weighed> {
    let weighed = match Weighed::read(json) {
        Ok(weighed) => weighed,
        Err(error) => {
            judge.expect("P0.shape", false, || error);
            return None;
        }
    };
    let bounds = weighed.firsts.each_ref().map(|first| first.verdict.bounds);
    let found = || {
        format!("w {}, b {}: {:?}", weighed.firsts[0].verdict, weighed.firsts[1].verdict, weighed.player_two)
    };
    let follows = player_two(bounds, query.pie);
    judge.expect("B.verdict-contradicts", weighed.player_two.meet(follows), found);
    judge.expect("B.verdict-from-first-positions", weighed.player_two.within(follows), found);
    let expected = weighed.player_two.value().map(|value| value == Worth::Draw);
    judge.expect("B.balanced", weighed.balanced == expected, || {
        format!("{:?}, expected {expected:?}", weighed.balanced)
    });
    let is_won = weighed.player_two.value() == Some(Worth::Win);
    judge.expect("B.choice-of-a-won-set-up", !is_won || weighed.choice.is_some(), found);
    if is_its_own_mirror(query.game.name(), &query.board) && query.bait == 0 {
        judge.expect("B.both-colours-of-a-mirror", bounds[0] == bounds[1], found);
    }
    for first in &weighed.firsts {
        check_first(first, rules, judge);
    }
    greedy(json, &weighed, rules, judge);
    Some(weighed)
}

fn check_first(first: &First, rules: &Fast, judge: &mut Judge) {
    let First { position, verdict, best } = first;
    let found = || format!("{position}: {verdict}, best {best:?}");
    check_verdict(verdict, position, judge);
    judge.expect("P3.first-position-without-chance", verdict.value.is_some() || verdict.wdl.is_some(), found);
    if rules.over(position).is_some() {
        return;
    }
    let keeps = matches!(verdict.value, Some(Worth::Win | Worth::Draw));
    // The book may only know that the position before it is lost.
    let is_named = !best.is_empty() || verdict.proof == "book";
    judge.expect("B.best-of-a-known-first-position", !keeps || is_named, found);
    let legal = rules.moves(position, None);
    let wins_at_once = |after: &str| rules.over(after).is_some_and(|end| end.value == "loss");
    let at_once: Vec<&str> =
        legal.iter().filter(|(_, after)| wins_at_once(after)).map(|(text, _)| text.as_str()).collect();
    let holds = at_once.is_empty() || verdict.value == Some(Worth::Win) && verdict.plies == Some(1);
    judge.expect("B.first-position-that-wins-at-once", holds, || {
        format!("{}; {at_once:?} win at once", found())
    });
    let is_legal = |mv: &String| legal.iter().any(|(text, _)| text == mv);
    judge.expect("P0.best", best.iter().all(is_legal), found);
}

/// If the greedy move wins at once, it must be known that it keeps the value.
fn greedy(json: &Value, weighed: &Weighed, rules: &Fast, judge: &mut Judge) {
    let difficulty = &json["difficulty"];
    let (Some(mv), None) = (difficulty["greedy_move"].as_str(), difficulty["greedy_keeps"].as_bool()) else {
        return;
    };
    // It is a move from one of the first positions; the document does not say which.
    let wins = weighed.firsts.iter().filter_map(|first| {
        let (_, after) = rules.moves(&first.position, None).into_iter().find(|(text, _)| text == mv)?;
        Some(rules.over(&after).is_some_and(|end| end.value == "loss"))
    });
    let wins: Vec<bool> = wins.collect();
    let wins_anyway = !wins.is_empty() && wins.iter().all(|wins| *wins);
    judge.expect("B.greedy-move-that-wins-at-once", !wins_anyway, || {
        format!("{mv} wins at once, greedy_keeps is null")
    });
}
