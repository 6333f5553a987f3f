//! Answers for games with throws: chances that agree with those of throws and moves.

use serde_json::Value;

use super::judge::Judge;
use crate::fast::Fast;

/// The tolerance for sums and means.
const EPSILON: f64 = 1e-9;

/// A chance, certified or estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    /// The chance; `None` if it is missing.
    pub chance: Option<f64>,
    /// The maximum error; `None` for an estimate.
    pub error: Option<f64>,
}

impl Chance {
    fn read(json: &Value) -> Self {
        Self { chance: json["chance"].as_f64(), error: json["error"].as_f64() }
    }

    /// The bounds of a certified chance.
    fn certified(self) -> Option<[f64; 2]> {
        let (chance, error) = self.chance.zip(self.error)?;
        Some([chance - error - EPSILON, chance + error + EPSILON])
    }

    /// Whether one true chance is compatible with both; estimates are compatible with everything.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        let both = self.certified().zip(other.certified());
        both.is_none_or(|(own, other)| own[0].max(other[0]) <= own[1].min(other[1]))
    }
}

/// A move for a throw.
#[derive(Clone, Debug, PartialEq)]
pub struct ThrownMove {
    /// Its text.
    pub text: String,
    /// The position after it.
    pub position: String,
    /// For the player who makes it.
    pub chance: Chance,
}

/// A throw.
#[derive(Clone, Debug, PartialEq)]
pub struct Thrown {
    /// Its score.
    pub score: i32,
    /// Its frequency, out of sixteen.
    pub weight: f64,
    /// With the best move.
    pub chance: Chance,
    /// Its moves; empty if they were omitted.
    pub moves: Vec<ThrownMove>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ThrowsDocument {
    /// The canonical text of the position.
    pub position: String,
    /// The reason why the game is over.
    pub over: Option<String>,
    /// For the player to throw.
    pub root: Chance,
    /// `exact` or `estimate`.
    pub source: Option<String>,
    /// The source of an exact chance.
    pub proof: String,
    /// The throws.
    pub throws: Vec<Thrown>,
}

impl ThrowsDocument {
    /// An answer.
    ///
    /// # Errors
    /// A field is missing or of another type.
    pub fn read(json: &Value) -> Result<Self, String> {
        let text = |json: &Value| json.as_str().map(ToOwned::to_owned).ok_or(format!("no text: {json}"));
        let read_move = |json: &Value| {
            Ok(ThrownMove {
                text: text(&json["move"])?,
                position: text(&json["position"])?,
                chance: Chance::read(json),
            })
        };
        let read_throw = |json: &Value| {
            let moves = json["moves"].as_array().into_iter().flatten();
            Ok(Thrown {
                score: json["throw"]
                    .as_i64()
                    .and_then(|score| i32::try_from(score).ok())
                    .ok_or("no throw")?,
                weight: json["weight"].as_f64().ok_or("no weight")?,
                chance: Chance::read(json),
                moves: moves.map(read_move).collect::<Result<_, String>>()?,
            })
        };
        let throws = json["throws"].as_array().ok_or("no throws")?.iter();
        Ok(Self {
            position: text(&json["position"])?,
            over: json["over"].as_str().map(ToOwned::to_owned),
            root: Chance::read(json),
            source: json["source"].as_str().map(ToOwned::to_owned),
            proof: text(&json["proof"])?,
            throws: throws.map(read_throw).collect::<Result<_, String>>()?,
        })
    }

    /// All chances, with names.
    #[must_use]
    pub fn chances(&self) -> Vec<(String, Chance)> {
        let mut all = vec![("the position".to_owned(), self.root)];
        for thrown in &self.throws {
            all.push((format!("throw {}", thrown.score), thrown.chance));
            all.extend(thrown.moves.iter().map(|own| (format!("{}:{}", thrown.score, own.text), own.chance)));
        }
        all
    }
}

/// Checks an answer for consistency and against the rules.
pub fn check(document: &ThrowsDocument, rules: &Fast, judge: &mut Judge) {
    let ThrowsDocument { root, source, proof, throws, .. } = document;
    let end = rules.over(&document.position);
    let reason = end.map(|end| end.reason);
    judge.expect("P0.over", document.over.as_deref() == reason, || {
        format!("{:?}, expected {reason:?}", document.over)
    });
    let found = || format!("{root:?}, source {source:?} by {proof}");
    if let Some(end) = end {
        let chance = if end.value == "win" { 1.0 } else { 0.0 };
        let holds =
            root.chance == Some(chance) && root.error == Some(0.0) && proof == "rules" && throws.is_empty();
        judge.expect("P0.value-of-the-end", holds, found);
    }
    for (at, chance) in document.chances() {
        judge.expect("P3.chance-without-number", chance.chance.is_some(), || format!("{at}: {chance:?}"));
        let is_share = chance.chance.is_none_or(|chance| (0.0..=1.0).contains(&chance));
        judge.expect("P3.share", is_share, || format!("{at}: {chance:?}"));
    }
    let expected = root.chance.map(|_| if root.error.is_some() { "exact" } else { "estimate" });
    judge.expect("P3.source", source.as_deref() == expected, found);
    judge.expect("P3.proof-named", (proof == "none") == root.error.is_none(), found);
    for thrown in throws {
        check_throw(thrown, document, rules, judge);
    }
    if end.is_none() && throws.iter().map(|thrown| thrown.weight).sum::<f64>() > 15.5 {
        mean(document, judge);
    }
}

/// The chance of a throw is that of its best move, and its moves are those of the rules.
fn check_throw(thrown: &Thrown, document: &ThrowsDocument, rules: &Fast, judge: &mut Judge) {
    if thrown.moves.is_empty() {
        return;
    }
    let mut legal = rules.moves(&document.position, Some(thrown.score));
    let mut listed: Vec<_> =
        thrown.moves.iter().map(|own| (own.text.clone(), own.position.clone())).collect();
    legal.sort();
    listed.sort();
    judge.expect("P0.moves", legal == listed, || {
        format!("throw {}: {listed:?}, expected {legal:?}", thrown.score)
    });
    let best = thrown.moves.iter().filter_map(|own| own.chance.chance).fold(0.0, f64::max);
    let error = thrown.chance.error.unwrap_or_default() + EPSILON;
    let is_best = thrown.chance.chance.is_none_or(|chance| (chance - best).abs() <= error);
    judge.expect("P1.throw-and-moves", is_best, || format!("{:?}, best move {best}", thrown.chance));
    let all_certified = thrown.moves.iter().all(|own| own.chance.error.is_some());
    judge.expect("P2.throw-from-moves", !all_certified || thrown.chance.error.is_some(), || {
        format!("throw {}: {:?} though all moves are certified", thrown.score, thrown.chance)
    });
    let is_sorted = thrown.moves.windows(2).all(|pair| pair[0].chance.chance >= pair[1].chance.chance);
    judge.expect("P7.order", is_sorted, || format!("throw {}: {:?}", thrown.score, thrown.moves));
    for own in &thrown.moves {
        let Some(end) = rules.over(&own.position) else { continue };
        let by_mover = own.position.ends_with(document.position.chars().last().unwrap_or_default());
        let chance = if (end.value == "win") == by_mover { 1.0 } else { 0.0 };
        let holds = own.chance == Chance { chance: Some(chance), error: Some(0.0) };
        judge.expect("P2.move-that-ends-the-game", holds, || format!("{}: {:?}", own.text, own.chance));
    }
}

/// The chance of a position is the mean of its throws.
fn mean(document: &ThrowsDocument, judge: &mut Judge) {
    let throws = &document.throws;
    let share = |thrown: &Thrown| Some(thrown.weight / 16.0 * thrown.chance.chance?);
    let Some(mean) = throws.iter().map(share).sum::<Option<f64>>() else { return };
    let errors: Option<f64> = throws.iter().map(|thrown| thrown.chance.error).sum();
    judge.expect("P2.root-from-throws", errors.is_none() || document.root.error.is_some(), || {
        format!("{:?} though all throws are certified", document.root)
    });
    // The throws of a certified position may be estimated: a known result has a chance for the position alone.
    let is_comparable = errors.is_some() == document.root.error.is_some();
    let error = errors.unwrap_or_default() + document.root.error.unwrap_or_default() + EPSILON;
    let near = document.root.chance.is_none_or(|chance| (chance - mean).abs() <= error);
    judge
        .expect("P1.root-and-throws", !is_comparable || near, || format!("{:?}, mean {mean}", document.root));
}
