//! Unknown headers that are probably misspelt known ones.

use marquis_record::Record;
use strsim::osa_distance;

use super::{BAIT, CHOICE, GAME, IMMOBILE, PIE, POSITION};

/// The header of the result, which the parser of records reads.
const RESULT: &str = "Result";
/// The known headers: `FORMAT.md` of the records describes them.
const KNOWN: [&str; 9] = [GAME, POSITION, IMMOBILE, PIE, BAIT, CHOICE, "First", "Second", RESULT];
/// Headers of other programs with the meaning of these, in lower case.
const OTHERS: [(&str, &str); 11] = [
    ("start", POSITION),
    ("startpos", POSITION),
    ("startposition", POSITION),
    ("fen", POSITION),
    ("setup", POSITION),
    ("board", POSITION),
    ("variant", GAME),
    ("gametype", GAME),
    ("stuck", IMMOBILE),
    ("winner", RESULT),
    ("outcome", RESULT),
];
/// Headers of PGN that resemble a known header, but have their own meaning.
const OWN: [&str; 3] = ["Name", "Date", "Site"];

/// A warning for each unknown header that resembles a missing one.
pub(super) fn warnings(record: &Record) -> Vec<String> {
    let names = record.headers.iter().map(marquis_record::Header::name);
    let meant = names.filter_map(|name| Some((name, meant(name)?)));
    let missing = meant.filter(|(_, meant)| match *meant {
        RESULT => record.outcome.is_none(),
        meant => record.header(meant).is_none(),
    });
    missing.map(|(name, meant)| format!("unknown header {name}; did you mean {meant}?")).collect()
}

/// The known header that an unknown one probably stands for.
fn meant(name: &str) -> Option<&'static str> {
    if KNOWN.contains(&name) || OWN.contains(&name) {
        return None;
    }
    let small: String = name.to_ascii_lowercase().split('_').collect();
    let other = OTHERS.into_iter().find_map(|(other, meant)| (small == other).then_some(meant));
    let near = |known: &str| {
        let letters = osa_distance(&small, &known.to_ascii_lowercase());
        (letters <= (known.len() / 4).max(1)).then_some(letters)
    };
    let nearest = KNOWN.into_iter().filter_map(|known| Some((near(known)?, known))).min();
    other.or(nearest.map(|(_, known)| known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slip_of_a_letter_in_a_known_header_is_named() {
        let letters = || ('a'..='z').chain(['_']);
        for known in KNOWN {
            assert_eq!(meant(known), None);
            let at = 0..known.len();
            let left_out = at.clone().map(|i| format!("{}{}", &known[..i], &known[i + 1..]));
            let put_in =
                at.clone().flat_map(|i| letters().map(move |c| format!("{}{c}{}", &known[..i], &known[i..])));
            let changed = at
                .clone()
                .flat_map(|i| letters().map(move |c| format!("{}{c}{}", &known[..i], &known[i + 1..])));
            let swapped = at.skip(1).map(|i| {
                let mut letters: Vec<char> = known.chars().collect();
                letters.swap(i - 1, i);
                letters.into_iter().collect()
            });
            let whole = [known.to_ascii_lowercase(), known.to_ascii_uppercase()];
            for slip in left_out.chain(put_in).chain(changed).chain(swapped).chain(whole) {
                let is_plain = KNOWN.contains(&slip.as_str()) || OWN.contains(&slip.as_str());
                let found = meant(&slip);
                // A misspelling may be as near to another header.
                let near = |other: &str| osa_distance(&slip.to_lowercase(), &other.to_lowercase()) <= 1;
                assert!(
                    is_plain || found.is_some_and(|found| found == known || near(found)),
                    "{slip}: {found:?}"
                );
            }
        }
    }

    #[test]
    fn headers_about_something_else_are_left_alone() {
        for name in [
            "Event",
            "Site",
            "Date",
            "Round",
            "White",
            "Black",
            "Name",
            "Time",
            "Annotator",
            "TimeControl",
            "Mode",
            "Termination",
            "WhiteElo",
            "BlackElo",
            "ECO",
            "Opening",
            "PlyCount",
            "Place",
            "Level",
            "Seed",
            "Source",
        ] {
            assert_eq!(meant(name), None, "{name}");
        }
    }
}
