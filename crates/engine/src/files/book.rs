//! The book of known results as a text: one result per line, with tab-separated fields; see
//! `tablebases/book/README.md`.

use std::sync::Arc;

use marquis_chance::ChanceInterval;
use marquis_core::Value;

use marquis_wire::book::{BookEntry, BookProof, Made};
use marquis_wire::words::{CHANCE, value_of};

/// A missing field.
const NONE: &str = "-";
/// The number of fields of a line.
const PARTS: usize = 12;

/// The known results of a text, in its order.
///
/// * `fingerprint`: returns that of the rules of a game and variant in this program; `None` if there is no such game.
/// * Second result: the lines that are left out, with the reasons.
pub(crate) fn read(
    text: &str,
    fingerprint: impl Fn(&str, &str) -> Option<String>,
) -> (Vec<Arc<BookEntry>>, Vec<String>) {
    let (mut entries, mut left_out) = (Vec::new(), Vec::new());
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    for (number, line) in lines {
        let held = entry(line).and_then(|entry| {
            let here = fingerprint(&entry.game, &entry.variant).unwrap_or_else(|| "no such game".to_owned());
            let same = here == entry.fingerprint;
            same.then_some(entry)
                .ok_or_else(|| format!("it was proved under other rules than these ({here})"))
        });
        match held {
            Ok(entry) => entries.push(Arc::new(entry)),
            Err(why) => left_out.push(format!("line {} of the book: {why}", number + 1)),
        }
    }
    (entries, left_out)
}

fn entry(line: &str) -> Result<BookEntry, String> {
    let parts: Vec<&str> = line.split('\t').collect();
    let [game, variant, position, value, plies, best, made, nodes, file, seal, command, fingerprint] =
        <[&str; PARTS]>::try_from(parts)
            .map_err(|parts| format!("expected {PARTS} parts between tabs, found {}", parts.len()))?;
    let there = |part: &str| (part != NONE).then(|| part.to_owned());
    let (value, chance) = known(value)?;
    if chance.is_some() && (plies, best) != (NONE, NONE) {
        return Err(format!(
            "expected no plies and no best moves beside a chance, found {plies:?} and {best:?}"
        ));
    }
    let made = [Made::Listed, Made::Tables, Made::Search].into_iter().find(|way| way.name() == made);
    Ok(BookEntry {
        game: game.to_owned(),
        variant: variant.to_owned(),
        position: position.to_owned(),
        value,
        chance: chance.map(|[chance, _]| chance),
        error: chance.map(|[_, error]| error),
        plies: number(plies, "plies")?,
        best: there(best).map(|best| best.split(' ').map(str::to_owned).collect()).unwrap_or_default(),
        made: made.ok_or("expected `listed`, `tables` or `search` as its origin")?,
        nodes: number(nodes, "nodes")?,
        proof: there(file).zip(there(seal)).map(|(file, seal)| BookProof { file, seal }),
        command: command.to_owned(),
        fingerprint: fingerprint.to_owned(),
    })
}

/// A value, or a chance with its error.
fn known(text: &str) -> Result<(Option<Value>, Option<[f64; 2]>), String> {
    if let Some(value) = value_of(text) {
        return Ok((Some(value), None));
    }
    let expected = || format!("expected win, draw, loss or {CHANCE}=CHANCE±ERROR, found {text:?}");
    let parts = text.strip_prefix(CHANCE).and_then(|rest| rest.strip_prefix('=')?.split_once('±'));
    let (chance, error) = parts.ok_or_else(expected)?;
    let number = |text: &str| text.parse::<f64>().map_err(|_| expected());
    let (chance, error) = (number(chance)?, number(error)?);
    // Without an error it would be a value, and bounds outside the range of chances certify nothing.
    let holds = error > 0.0 && chance - error >= 0.0 && chance + error <= 1.0;
    holds.then_some((None, Some([chance, error]))).ok_or_else(|| {
        format!("expected an error above 0 and a chance that stays within 0 and 1 by it, found {text:?}")
    })
}

/// The bounds of a chance; `None` if the result is a value.
pub(crate) fn chance_of(entry: &BookEntry) -> Option<ChanceInterval> {
    let (chance, error) = entry.chance.zip(entry.error)?;
    Some(ChanceInterval { lower: chance - error, upper: chance + error })
}

fn number<T: std::str::FromStr>(part: &str, what: &str) -> Result<Option<T>, String> {
    if part == NONE {
        return Ok(None);
    }
    part.parse().map(Some).map_err(|_| format!("expected a number of {what} or -, found {part:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "nim\theap=3\t3 w\twin\t1\ttake-3\tsearch\t7\tnim.proof\tabc\tmarquis solve nim 3\tf00";

    #[test]
    fn a_line_is_a_result_and_one_by_other_rules_is_left_out() {
        let text = format!("# a remark\n\n{LINE}\n");
        let (entries, left_out) = read(&text, |_, _| Some("f00".to_owned()));
        assert_eq!((entries.len(), left_out.len()), (1, 0), "{left_out:?}");
        assert_eq!((entries[0].plies, entries[0].best.as_slice()), (Some(1), &["take-3".to_owned()][..]));
        let (entries, left_out) = read(&text, |_, _| Some("other".to_owned()));
        assert_eq!(entries.len(), 0);
        assert!(
            left_out[0].starts_with("line 3 of the book: it was proved under other rules"),
            "{left_out:?}"
        );
    }

    #[test]
    fn a_chance_stands_with_its_error_and_without_plies_and_moves() {
        let line =
            |value: &str, rest: &str| LINE.replace("\twin\t1\ttake-3\t", &format!("\t{value}\t{rest}\t"));
        let of = |text: &str| read(text, |_, _| Some("f00".to_owned()));
        let (entries, left_out) = of(&line("chance=0.510330640±1.1e-9", "-\t-"));
        assert_eq!((entries.len(), left_out.len()), (1, 0), "{left_out:?}");
        let entry = &entries[0];
        assert_eq!((entry.value, entry.chance, entry.error), (None, Some(0.510_330_64), Some(1.1e-9)));
        let ChanceInterval { lower, upper } = chance_of(entry).expect("bounds");
        assert!(lower < 0.510_330_64 && upper > 0.510_330_64 && upper - lower <= 2.3e-9, "{lower} {upper}");
        for (value, rest) in [
            ("chance=0.5", "-\t-"),
            ("chance=0.5±0", "-\t-"),
            ("chance=0.5±-1e-9", "-\t-"),
            ("chance=0.5±NaN", "-\t-"),
            ("chance=NaN±1e-9", "-\t-"),
            ("chance=1±1e-9", "-\t-"),
            ("chance=-0.1±1e-9", "-\t-"),
            ("0.5±1e-9", "-\t-"),
            ("chance=0.5±1e-9", "3\t-"),
            ("chance=0.5±1e-9", "-\ttake-3"),
        ] {
            let (entries, left_out) = of(&line(value, rest));
            assert_eq!((entries.len(), left_out.len()), (0, 1), "{value}");
            assert!(left_out[0].contains("expected"), "{left_out:?}");
        }
    }

    #[test]
    fn what_is_no_result_is_named_with_its_line() {
        for (from, to) in
            [("\twin\t", "\twon\t"), ("\t1\t", "\tone\t"), ("\tsearch\t", "\tguess\t"), ("\tf00", "")]
        {
            let (entries, left_out) = read(&LINE.replace(from, to), |_, _| Some("f00".to_owned()));
            assert_eq!((entries.len(), left_out.len()), (0, 1), "{to}");
            assert!(left_out[0].contains("expected"), "{left_out:?}");
        }
    }
}
