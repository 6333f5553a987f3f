//! Values, bounds, colours and numbers as text for a reader.

use clap::builder::styling::{AnsiColor, Style};
use marquis_core::{Bounds, Value};
use marquis_engine::chance::within;
use marquis_wire::answer::{Proof, Verdict, Wdl};
use marquis_wire::ending::{SearchEnd, Unproved};
use marquis_wire::words::{names, word};

use crate::games;

/// The text in its style; unchanged if the style is plain.
pub(crate) fn painted(text: &str, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

/// The colour of a value, never its only sign.
pub(crate) fn style(value: Option<Value>) -> Style {
    let colour = match value {
        Some(Value::Win) => AnsiColor::Green,
        Some(Value::Draw) => AnsiColor::Yellow,
        Some(Value::Loss) => AnsiColor::Red,
        None => AnsiColor::Cyan,
    };
    colour.on_default()
}

/// The sign of a value: `+` a win, `=` a draw, `-` a loss, `?` unknown.
pub(crate) fn sign(value: Option<Value>) -> &'static str {
    match value {
        Some(Value::Win) => "+",
        Some(Value::Draw) => "=",
        Some(Value::Loss) => "-",
        None => "?",
    }
}

/// A value, or what is left of it: `win`, `unknown`, `draw or win`.
pub(crate) fn value_or_bounds(verdict: &Verdict) -> String {
    let [worst, best] = names(verdict.bounds);
    match verdict.value {
        None if verdict.bounds != Bounds::UNKNOWN => format!("{worst} or {best}"),
        value => word(value).to_owned(),
    }
}

/// The same, with the estimated chance of winning if the value is unknown.
pub(crate) fn value_or_chance(verdict: &Verdict) -> String {
    let value = value_or_bounds(verdict);
    verdict
        .estimate
        .map_or_else(|| value.clone(), |chance| format!("{value}, about {:.0} % to win", 100.0 * chance))
}

/// The value, or the worst and the best one: `draw to win`.
pub(crate) fn range(bounds: Bounds) -> String {
    let [worst, best] = names(bounds);
    if worst == best { worst.to_owned() } else { format!("{worst} to {best}") }
}

/// The knowledge about a position, as a sentence about the player to move.
///
/// * `who`: the colour of that player.
/// * `over`: why the game is over.
pub(crate) fn sentence(who: &str, verdict: &Verdict, over: Option<&str>) -> String {
    let style = style(verdict.value).bold();
    if let Some(reason) = over {
        let end = match verdict.value {
            Some(Value::Win) => format!("{who}, to move, has won"),
            Some(Value::Loss) => format!("{who}, to move, has lost"),
            Some(Value::Draw) | None => "nobody has won".to_owned(),
        };
        return format!("The game is over ({reason}): {}.", painted(&end, style));
    }
    let plies = plies(verdict);
    let said = match (verdict.value, verdict.bounds) {
        (Some(Value::Win), _) => format!("{who} to move wins{plies}"),
        (Some(Value::Loss), _) => format!("{who} to move loses{plies}"),
        (Some(Value::Draw), _) => format!("{who} to move: a draw"),
        (None, Bounds { worst: Value::Draw, .. }) => {
            format!("{who} to move cannot lose; whether that is a draw or a win is unknown")
        }
        (None, Bounds { best: Value::Draw, .. }) => {
            format!("{who} to move cannot win; whether that is a draw or a loss is unknown")
        }
        (None, _) => format!("{who} to move: unknown"),
    };
    format!("{}{}.", painted(&said, style), source(verdict.proof))
}

/// How soon a decided game ends, as an addition to a sentence: ` in 5 plies`, ` within 57 plies`.
fn plies(verdict: &Verdict) -> String {
    let say = |how: &str, plies: u16| format!(" {how} {plies} {}", plural(plies.into(), "ply", "plies"));
    match (verdict.plies, verdict.plies_bounds) {
        (Some(plies), _) => say("in", plies),
        (None, Some([_, Some(most)])) => say("within", most),
        (None, Some([Some(least), None])) => say("in no fewer than", least),
        (None, _) => String::new(),
    }
}

/// The limit that ended the search and the belief of the search by then, one line each; empty if there is an answer.
pub(crate) fn cut_short((ended, unproved): (Option<SearchEnd>, Option<&Unproved>), game: &str) -> String {
    let believed =
        unproved.map(|unproved| unproved.sentence(|letter| games::colour(game, letter).to_owned()));
    let ended = ended.and_then(SearchEnd::sentence).map(str::to_owned);
    ended.into_iter().chain(believed).map(|line| line + "\n").collect()
}

/// The first moves of a list, and the number of the others.
pub(crate) fn shortened(moves: &[String]) -> String {
    const SHOWN: usize = 4;
    let shown = moves.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(" ");
    match moves.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The source of a value, as an addition to a sentence.
pub(crate) const fn source(proof: Proof) -> &'static str {
    match proof {
        Proof::Rules => " (by the rules)",
        Proof::Table => " (from a table)",
        Proof::Search => " (proved by search)",
        Proof::Book => " (a known result)",
        Proof::Proof => " (by a proof that comes with the program or was loaded)",
        Proof::None => "",
    }
}

/// The chance with its error.
pub(crate) fn chance(chance: Option<f64>, error: Option<f64>) -> String {
    match (chance, error) {
        (Some(chance), Some(error)) => within(chance, error),
        (Some(chance), None) => format!("about {chance:.3}"),
        (None, _) => "unknown".to_owned(),
    }
}

/// The chances of the three results for the player to move: `win 62 %, draw 8 %, loss 30 %`.
pub(crate) fn chances(wdl: &Wdl) -> String {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    format!("win {}, draw {}, loss {}", percent(wdl.win), percent(wdl.draw), percent(wdl.loss))
}

/// The form of a noun that goes with a number.
pub(crate) const fn plural<'a>(number: u64, one: &'a str, more: &'a str) -> &'a str {
    if number == 1 { one } else { more }
}

/// A number with commas between the thousands.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A time as people say it: `40 s`, `12 min`, `3.5 h`, `4.0 days`.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 90.0 => format!("{seconds:.0} s"),
        seconds if seconds < 5400.0 => format!("{:.0} min", seconds / 60.0),
        seconds if seconds < 172_800.0 => format!("{:.1} h", seconds / 3600.0),
        seconds => format!("{:.1} days", seconds / 86_400.0),
    }
}

/// A number of bytes in the largest unit that keeps it above one.
pub(crate) fn bytes(number: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"];
    if number < 1024 {
        return format!("{number} B");
    }
    let mut size = number as f64 / 1024.0;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < units.len() {
        size /= 1024.0;
        unit += 1;
    }
    format!("{size:.1} {}", units[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(["0", "999", "1,000", "1,234,567"], [0, 999, 1000, 1_234_567].map(count)[..]);
    }

    #[test]
    fn sizes_are_read_in_binary_units() {
        assert_eq!([bytes(1023), bytes(1024), bytes(3 << 29)], ["1023 B", "1.0 KiB", "1.5 GiB"]);
    }

    #[test]
    fn times_are_said_in_the_unit_that_people_would_take() {
        let said = [0.4, 89.0, 90.0, 5399.0, 7200.0, 259_200.0].map(duration);
        assert_eq!(said, ["0 s", "89 s", "2 min", "90 min", "2.0 h", "3.0 days"]);
    }

    #[test]
    fn bounds_say_what_a_player_cannot_do() {
        let verdict = |worst, best| Verdict {
            value: None,
            plies: None,
            plies_bounds: None,
            bounds: Bounds { worst, best },
            proof: Proof::Search,
            estimate: None,
            wdl: None,
            source: None,
        };
        assert!(
            sentence("White", &verdict(Value::Draw, Value::Win), None).contains("White to move cannot lose")
        );
        assert!(
            sentence("Black", &verdict(Value::Loss, Value::Draw), None).contains("Black to move cannot win")
        );
        assert!(sentence("Red", &verdict(Value::Loss, Value::Win), None).contains("Red to move: unknown"));
    }
}
