//! The lines of the Universal Game Interface, read and written.

use std::io::{self, Write as _};
use std::time::Duration;

use marquis_engine::Look;
use marquis_wire::answer::{Answer, Insight, MoveAnswer, Source, Wdl};
use marquis_wire::quantity::count;

/// Prints lines of the protocol.
///
/// # Errors
/// Standard output cannot be written to, or nobody reads it.
pub(super) fn say(lines: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(format!("{lines}\n").as_bytes())?;
    out.flush()
}

/// The limits of a search, as given by `go`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    movetime: Option<u64>,
    pub(super) nodes: Option<u64>,
    /// The depth in plies.
    pub(super) depth: Option<u64>,
    /// The time left for each player, and the increment per move, in milliseconds.
    clocks: [Option<u64>; 2],
    increments: [Option<u64>; 2],
    pub(super) infinite: bool,
}

/// With clocks, a move takes the time left divided by this.
const MOVES_LEFT: u64 = 30;
/// Milliseconds reserved for the transfer to the other program.
const ON_THE_WAY: u64 = 20;
/// The default time of a move.
const USUAL: Duration = Duration::from_secs(1);

/// The words of `go`.
const GO: &str = "movetime, depth, nodes, p1time, p2time, p1inc, p2inc or infinite";

impl Go {
    /// The arguments of `go`, and the errors in those that are ignored.
    pub(super) fn read(text: &str) -> (Self, Vec<String>) {
        let (mut go, mut faults) = (Self::default(), Vec::new());
        let mut words = text.split_whitespace().peekable();
        let mut unknown = Vec::new();
        while let Some(word) = words.next() {
            if word == "infinite" {
                go.infinite = true;
            } else if let Some(place) = go.place(word) {
                match words.next_if(|word| Self::default().place(word).is_none() && *word != "infinite") {
                    Some(found) => match milliseconds(found) {
                        Some(number) => *place = Some(number),
                        None => {
                            faults
                                .push(format!("{word}: expected a whole number, found `{found}`; left out"));
                        }
                    },
                    None => faults.push(format!("{word}: expected a whole number, found nothing; left out")),
                }
            } else {
                unknown.push(word);
            }
        }
        if !unknown.is_empty() {
            faults.push(format!("go: expected {GO}, found `{}`; left out", unknown.join(" ")));
        }
        go.nodes = go.nodes.map(|nodes| nodes.max(1));
        go.depth = go.depth.map(|depth| depth.max(1));
        (go, faults)
    }

    /// The field for the number after a word.
    fn place(&mut self, word: &str) -> Option<&mut Option<u64>> {
        Some(match word {
            "movetime" => &mut self.movetime,
            "nodes" => &mut self.nodes,
            "depth" => &mut self.depth,
            "p1time" => &mut self.clocks[0],
            "p2time" => &mut self.clocks[1],
            "p1inc" => &mut self.increments[0],
            "p2inc" => &mut self.increments[1],
            _ => return None,
        })
    }

    /// How long the player of this number may think; `None` for no limit.
    ///
    /// * `looks`: whether a search of this game reports its depth, so that `depth` can end it.
    pub(super) fn time(&self, player: usize, looks: bool) -> Option<Duration> {
        let by_clock = self.clocks[player].map(|left| {
            let share = left / MOVES_LEFT + self.increments[player].unwrap_or(0) / 2;
            share.min(left.saturating_sub(ON_THE_WAY)).max(1)
        });
        let said = self.movetime.or(by_clock).map(Duration::from_millis);
        let unlimited = self.infinite || self.nodes.is_some() || self.depth.is_some() && looks;
        said.or_else(|| (!unlimited).then_some(USUAL))
    }
}

/// A whole number; a clock below zero counts as zero.
fn milliseconds(text: &str) -> Option<u64> {
    count(text).or_else(|| text.strip_prefix('-').and_then(count).map(|_| 0))
}

/// The name and the value of `setoption name NAME value VALUE`.
pub(super) fn option(text: &str) -> Result<(&str, &str), String> {
    let expected = || format!("setoption: expected `name NAME value VALUE`, found `{text}`");
    let rest = text.trim().strip_prefix("name ").ok_or_else(expected)?;
    let (name, value) = parted(rest, "value").ok_or_else(expected)?;
    Ok((name, value))
}

/// The text before a word, and the text after it.
fn parted<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let is_apart = |text: &str| text.is_empty() || text.starts_with(char::is_whitespace);
    let mut places = text.match_indices(word).map(|(at, _)| (&text[..at], &text[at + word.len()..]));
    let found = places.find(|(before, after)| before.ends_with(char::is_whitespace) && is_apart(after));
    found.map(|(before, after)| (before.trim(), after.trim()))
}

/// The position text and the moves of `startpos|fen TEXT [moves …]`.
pub(super) fn position(text: &str) -> Result<(&str, Option<&str>), String> {
    let (place, moves) = match parted(text, "moves") {
        Some((place, moves)) => (place, Some(moves)),
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
/// * `chosen`: the move that is played; `multi_pv`: the maximum number of moves.
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

/// The `info` line of a report of the running search.
pub(super) fn look(Look { wdl, source, insight }: &Look, time: Duration) -> String {
    info(Some(insight), 1, (Some(*wdl), Some(*source)), &insight.pv, time)
}

/// An `info` line.
///
/// * `place`: the number of the line among others, from 1.
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
        let time = |text: &str, player| Go::read(text).0.time(player, true);
        assert_eq!(time("", 0), Some(USUAL));
        assert_eq!(time("movetime 50", 1), Some(Duration::from_millis(50)));
        for unlimited in ["nodes 10", "infinite", "depth 3"] {
            assert_eq!(time(unlimited, 0), None);
        }
        let clocks = "p1time 30000 p2time 60000 p1inc 100 p2inc 0";
        assert_eq!(time(clocks, 0), Some(Duration::from_millis(1050)));
        assert_eq!(time(clocks, 1), Some(Duration::from_millis(2000)));
        assert_eq!(time("p1time 10", 0), Some(Duration::from_millis(1)));
        assert_eq!(time("p1time -5", 0), Some(Duration::from_millis(1)));
        assert_eq!(time("p1time 9223372036854775807 p1inc 9223372036854775807", 0).map(|_| ()), Some(()));
        // If the search does not report its depth, the time ends it.
        assert_eq!(Go::read("depth 3").0.time(0, false), Some(USUAL));
    }

    #[test]
    fn words_that_are_not_understood_are_left_out_and_the_others_count() {
        let (go, faults) = Go::read("ponder movetime soon depth nodes 1e3 searchmoves a1-a2 depth 4 p1time");
        assert_eq!((go.movetime, go.nodes, go.depth, go.clocks), (None, Some(1000), Some(4), [None; 2]));
        assert_eq!(faults.len(), 4, "{faults:?}");
        for (fault, found) in
            faults.iter().zip(["`soon`", "nothing", "nothing", "`ponder searchmoves a1-a2`"])
        {
            assert!(fault.contains(&format!("found {found}; left out")), "{fault}");
        }
        assert_eq!(Go::read("infinite infinite depth 0").1, Vec::<String>::new());
    }

    #[test]
    fn positions_and_options_are_taken_apart() {
        assert_eq!(position("startpos"), Ok(("start", None)));
        assert_eq!(position("startpos moves a1-a2 b1-b2"), Ok(("start", Some("a1-a2 b1-b2"))));
        assert_eq!(position("fen 3/4 w 0-0 2 moves a1-a2"), Ok(("3/4 w 0-0 2", Some("a1-a2"))));
        assert_eq!(position("startpos moves"), Ok(("start", None)));
        assert!(position("startposmoves a1-a2").is_err());
        assert!(position("here").unwrap_err().contains("found `here`"));
        assert_eq!(option("name Game value swish"), Ok(("Game", "swish")));
        assert_eq!(option("name Game value"), Ok(("Game", "")));
        assert!(option("Game swish").is_err() && option("name Gamevalue swish").is_err());
    }
}
