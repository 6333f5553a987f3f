//! The lines of the Universal Game Interface, read and written.

use std::str::{FromStr, SplitWhitespace};
use std::time::Duration;

use marquis_engine::{Answer, Insight, Look, MoveAnswer, Source, Wdl};

use crate::exit::Failure;
use crate::output;

/// Prints one line of the protocol.
///
/// # Errors
/// Standard output cannot be written to.
pub(super) fn say(line: &str) -> Result<(), Failure> {
    output::text(&format!("{line}\n"))
}

/// How long a search may take, as `go` says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    movetime: Option<u64>,
    pub(super) nodes: Option<u64>,
    /// What each player has left, and what he gets for a move, in milliseconds.
    clocks: [Option<u64>; 2],
    increments: [u64; 2],
    pub(super) infinite: bool,
}

/// Where a game has clocks, a move takes one in so many parts of what is left.
const MOVES_LEFT: u64 = 30;
/// Milliseconds that are left for the way to the other program.
const ON_THE_WAY: u64 = 20;
/// What a move takes where nothing is said.
const USUAL: Duration = Duration::from_secs(1);

impl FromStr for Go {
    type Err = String;

    /// Reads what follows `go`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut go = Self::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "movetime" => go.movetime = Some(number(word, &mut words)?),
                "nodes" => go.nodes = Some(number(word, &mut words)?.max(1)),
                "p1time" => go.clocks[0] = Some(number(word, &mut words)?),
                "p2time" => go.clocks[1] = Some(number(word, &mut words)?),
                "p1inc" => go.increments[0] = number(word, &mut words)?,
                "p2inc" => go.increments[1] = number(word, &mut words)?,
                "infinite" => go.infinite = true,
                other => {
                    return Err(format!(
                        "go: expected movetime, nodes, p1time, p2time, p1inc, p2inc or infinite, found `{other}`"
                    ));
                }
            }
        }
        Ok(go)
    }
}

impl Go {
    /// How long the player of this number may think; as long as he likes where that is nothing.
    pub(super) fn time(&self, player: usize) -> Option<Duration> {
        let by_clock = self.clocks[player].map(|left| {
            let share = left / MOVES_LEFT + self.increments[player] / 2;
            share.min(left.saturating_sub(ON_THE_WAY)).max(1)
        });
        let said = self.movetime.or(by_clock).map(Duration::from_millis);
        let unlimited = self.infinite || self.nodes.is_some();
        said.or_else(|| (!unlimited).then_some(USUAL))
    }
}

fn number(name: &str, words: &mut SplitWhitespace<'_>) -> Result<u64, String> {
    let word = words.next().unwrap_or_default();
    word.parse().map_err(|_| format!("{name}: expected a whole number, found `{word}`"))
}

/// The name and the value of `setoption name NAME value VALUE`.
pub(super) fn option(text: &str) -> Result<(&str, &str), String> {
    let expected = || format!("setoption: expected `name NAME value VALUE`, found `{text}`");
    let rest = text.trim().strip_prefix("name ").ok_or_else(expected)?;
    let (name, value) = rest.split_once(" value").ok_or_else(expected)?;
    Ok((name.trim(), value.trim()))
}

/// The position text and the moves of `startpos|fen TEXT [moves …]`.
pub(super) fn position(text: &str) -> Result<(&str, Option<&str>), String> {
    let (place, moves) = match text.split_once("moves") {
        Some((place, moves)) => (place.trim(), Some(moves.trim())),
        None => (text.trim(), None),
    };
    let expected = || format!("position: expected `startpos` or `fen POSITION`, found `{place}`");
    let place = match place {
        "startpos" => "start",
        other => other.strip_prefix("fen ").ok_or_else(expected)?.trim(),
    };
    Ok((place, moves.filter(|moves| !moves.is_empty())))
}

/// The `info` lines of an answer: one for each of its first moves.
///
/// * `chosen`: the move that is played; `multi_pv`: so many moves at most.
pub(super) fn infos(answer: &Answer, chosen: &str, multi_pv: usize, time: Duration) -> Vec<String> {
    let Answer::Exact(answer) = answer else {
        return vec![format!("info time {} pv {chosen}", time.as_millis())];
    };
    let insight = answer.insight.as_ref();
    // The move that is played comes first.
    let (first, others): (Vec<_>, Vec<_>) = answer.moves.iter().partition(|own| own.mv == chosen);
    let line = |(number, own): (usize, &MoveAnswer)| {
        let rest = insight.filter(|insight| insight.pv.first() == Some(&own.mv));
        let alone = [own.mv.clone()];
        let pv = rest.map_or(&alone[..], |insight| &insight.pv);
        info(insight, number + 1, (own.verdict.wdl, own.verdict.source), pv, time)
    };
    first.into_iter().chain(others).take(multi_pv).enumerate().map(line).collect()
}

/// The `info` line of what is thought while the search goes on.
pub(super) fn look(Look { wdl, source, insight }: &Look, time: Duration) -> String {
    info(Some(insight), 1, (Some(*wdl), Some(*source)), &insight.pv, time)
}

/// An `info` line.
///
/// * `place`: of the line among others, from 1.
fn info(
    insight: Option<&Insight>,
    place: usize,
    (wdl, source): (Option<Wdl>, Option<Source>),
    pv: &[String],
    time: Duration,
) -> String {
    let looked = insight
        .map_or_else(String::new, |Insight { depth, nodes, .. }| format!(" depth {depth} nodes {nodes}"));
    let wdl = wdl.map_or_else(String::new, |wdl| format!(" {}", permille(&wdl)));
    let exact = if source == Some(Source::Exact) { " string exact" } else { "" };
    format!("info{looked} time {} multipv {place}{wdl} pv {}{exact}", time.as_millis(), pv.join(" "))
}

/// Chances in thousandths, as programs of this kind write them.
fn permille(wdl: &Wdl) -> String {
    let [win, loss] = [wdl.win, wdl.loss].map(|share| (1000.0 * share).round() as u32);
    format!("wdl {win} {} {loss}", 1000_u32.saturating_sub(win + loss))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_takes_what_its_clock_and_the_protocol_leave() {
        let time = |text: &str, player| text.parse::<Go>().unwrap().time(player);
        assert_eq!(time("", 0), Some(USUAL));
        assert_eq!(time("movetime 50", 1), Some(Duration::from_millis(50)));
        assert_eq!(time("nodes 10", 0), None);
        assert_eq!(time("infinite", 0), None);
        let clocks = "p1time 30000 p2time 60000 p1inc 100 p2inc 0";
        assert_eq!(time(clocks, 0), Some(Duration::from_millis(1050)));
        assert_eq!(time(clocks, 1), Some(Duration::from_millis(2000)));
        assert_eq!(time("p1time 10", 0), Some(Duration::from_millis(1)));
        assert!("movetime soon".parse::<Go>().unwrap_err().contains("found `soon`"));
        assert!("fast".parse::<Go>().unwrap_err().contains("found `fast`"));
    }

    #[test]
    fn positions_and_options_are_taken_apart() {
        assert_eq!(position("startpos"), Ok(("start", None)));
        assert_eq!(position("startpos moves a1-a2 b1-b2"), Ok(("start", Some("a1-a2 b1-b2"))));
        assert_eq!(position("fen 3/4 w 0-0 2 moves a1-a2"), Ok(("3/4 w 0-0 2", Some("a1-a2"))));
        assert!(position("here").unwrap_err().contains("found `here`"));
        assert_eq!(option("name Game value swish"), Ok(("Game", "swish")));
        assert!(option("Game swish").is_err());
    }
}
