//! Invalid position text is rejected with a message that names the place, and never panics.

use marquis_tests::data;
use marquis_tests::draw::Draw;
use marquis_tests::fast::Fast;
use marquis_tests::games;
use marquis_tests::reference::{Immobile, Rules};

/// A message is for people; it does not repeat a megabyte of input.
const LONGEST_MESSAGE: usize = 500;

#[test]
fn a_malformed_position_is_refused_and_the_place_named() {
    let mut wrong = Vec::new();
    for game in games::all() {
        let fast = Fast::of(game, Immobile::Loss);
        let malformed = data::pairs(&format!("malformed/{game}.txt"));
        assert!(malformed.len() >= 40, "{} malformed positions of {game}, expected 40", malformed.len());
        for (position, places) in malformed {
            match fast.canonical(&position) {
                Ok(canonical) => wrong.push(format!("{game} {position:?} was read as {canonical:?}")),
                Err(message) => {
                    let names_it = places.split('|').any(|place| message.to_lowercase().contains(place));
                    if !names_it || message.len() > LONGEST_MESSAGE {
                        wrong.push(format!("{game} {position:?}: {message:?} does not name {places}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn text_that_is_not_canonical_but_unambiguous_is_accepted() {
    for game in games::all() {
        let fast = Fast::of(game, Immobile::Loss);
        for (position, canonical) in data::pairs(&format!("noncanonical/{game}.txt")) {
            assert_eq!(fast.canonical(&position), Ok(canonical), "{game} {position:?}");
        }
    }
}

#[test]
fn a_megabyte_is_refused_with_a_short_message() {
    const MEGABYTE: usize = 1 << 20;
    for game in games::all() {
        let fast = Fast::of(game, Immobile::Loss);
        let good = data::worked_by_hand(game).remove(0).position;
        for part in ["/", "1", "9", "w", "r1,", ",", " ", "_", "-", "0", "é", "w/", "\0", "\n", "3/"] {
            let long = part.repeat(MEGABYTE / part.len());
            for position in
                [long.clone(), format!("{long} w"), format!("{good}{long}x"), format!("{long}{good}x")]
            {
                let message = fast.canonical(&position).expect_err(part);
                assert!(message.len() <= LONGEST_MESSAGE, "{game} with {part:?}: {} bytes", message.len());
            }
        }
    }
}

/// A text with some letters dropped, doubled, replaced or moved.
fn mangled(draw: &mut Draw, text: &str) -> String {
    const LETTERS: &str = "wbro0123456789/-, _xé\0\t\n+.W";
    let strange: Vec<char> = LETTERS.chars().collect();
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..draw.between(1, 3) {
        let place = draw.below(letters.len().max(1)).min(letters.len());
        match draw.below(4) {
            0 => letters.insert(place, *draw.pick(&strange)),
            _ if place == letters.len() => {}
            1 => letters[place] = *draw.pick(&strange),
            2 => letters.insert(place, letters[place]),
            _ => drop(letters.remove(place)),
        }
    }
    letters.into_iter().collect()
}

#[test]
fn a_mangled_position_is_refused_or_read_as_something_the_reference_reads_too() {
    for game in games::all() {
        let (fast, rules) = (Fast::of(game, Immobile::Loss), Rules::of(game, Immobile::Loss));
        let mut draw = Draw::new(8);
        let mut accepted = 0;
        for _ in 0..200 {
            for worked in data::worked_by_hand(game) {
                let text = mangled(&mut draw, &worked.position);
                if let Ok(canonical) = fast.canonical(&text) {
                    accepted += 1;
                    assert_eq!(fast.canonical(&canonical).as_ref(), Ok(&canonical), "{game} {text:?}");
                    assert_eq!(fast.over(&canonical), rules.over(&canonical), "{game} {text:?}");
                }
            }
        }
        assert!(accepted > 0, "no mangled position of {game} was accepted");
    }
}
