//! The result of a match, as a document and as text.

use marquis_engine::Pentanomial;
use serde::Serialize;

use super::Match;
use crate::exit::CommandFailure;

/// The result of a match.
#[derive(Serialize)]
pub(super) struct Report {
    game: &'static str,
    position: String,
    a: String,
    b: String,
    /// Games of finished pairs.
    games: u64,
    /// Openings in which A scored 0, ½, 1, 1½ and 2 points.
    pairs: [u64; 5],
    /// The mean score of a game for A; null without games.
    score: Option<f64>,
    /// The ends of the 95 % interval of the score.
    score_interval: [f64; 2],
    /// The difference in Elo and its error with 95 % certainty; null without games, and if A won or lost them all.
    elo: Option<[f64; 2]>,
    /// The ends of the 95 % interval of the difference; an end is null if it is unbounded.
    elo_interval: [Option<f64>; 2],
    /// The accepted hypothesis, if a test was requested and has ended.
    accepted: Option<i32>,
    /// The error that ended the match early, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Report {
    pub(super) fn new(
        of: &Match,
        results: &Pentanomial,
        accepted: Option<i32>,
        failed: Option<&CommandFailure>,
    ) -> Self {
        Self {
            game: of.game.name(),
            position: of.position.clone(),
            a: of.a.to_string(),
            b: of.b.to_string(),
            games: 2 * results.len(),
            pairs: results.pairs,
            score: (!results.is_empty()).then(|| results.score()),
            score_interval: results.interval(),
            elo: results.elo(),
            elo_interval: results.elo_interval(),
            accepted,
            error: failed.map(|failure| failure.message.clone()),
        }
    }
}

/// The score and the difference in Elo.
pub(super) fn words(results: &Pentanomial) -> String {
    format!("{:.1} %, {}", 100.0 * results.score(), results.elo_in_words())
}

pub(super) fn say(report: &Report, results: &Pentanomial) -> String {
    let Report { game, position, a, b, games, pairs, .. } = report;
    if results.is_empty() {
        return format!("{game} {position}: no opening was finished.\n");
    }
    let accepted = report.accepted.map_or_else(String::new, |elo| format!("Accepted: {elo} Elo.\n"));
    let [none, half, one, more, two] = pairs;
    format!(
        "{game} {position}: {a} against {b}, {games} games: {}\n\
         openings with 0, ½, 1, 1½, 2 points: {none} {half} {one} {more} {two}\n{accepted}",
        words(results)
    )
}
