//! `rules`, and the diagrams of the pages that it prints.
//!
//! `MARQUIS_DRAW=1 cargo test --release -p marquis --test cli rules` draws the diagrams of the pages again.

use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::common::Place;

/// The pages of rules under a folder.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.file_name().is_some_and(|name| name == "rules.md") {
            found.push(path);
        }
    }
    found
}

/// The diagrams of a page: file and command.
fn diagrams(text: &str) -> Vec<(&str, &str)> {
    let lines: Vec<&str> = text.lines().collect();
    let drawn = lines.windows(2).filter_map(|pair| {
        let (_, file) = pair[0].strip_prefix("![")?.strip_suffix(')')?.split_once("](")?;
        let command = pair[1].strip_prefix("<!-- marquis ")?.strip_suffix(" -->")?;
        Some((file, command))
    });
    drawn.collect()
}

#[test]
fn the_diagrams_of_the_rules_are_what_their_commands_draw() {
    let place = Place::new();
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/src");
    let draw = env::var_os("MARQUIS_DRAW").is_some();
    let mut compared = 0;
    for page in pages(&games) {
        let text = fs::read_to_string(&page).expect("a page of rules");
        for (file, command) in diagrams(&text) {
            let arguments: Vec<&str> = command.split(' ').collect();
            let ran = place.run(&arguments);
            assert_eq!(ran.code(), 0, "{}: {command}: {}", page.display(), ran.err());
            let file = page.with_file_name(file);
            if draw {
                fs::write(&file, ran.out()).expect("a diagram can be written");
            }
            let committed = fs::read_to_string(&file).expect("a diagram of the page");
            assert!(committed == ran.out(), "{} is not what `marquis {command}` draws", file.display());
            compared += 1;
        }
    }
    assert!(compared >= 12, "only {compared} diagrams are left in the pages");
}

#[test]
fn the_rules_of_a_game_are_a_page_with_drawings() {
    let place = Place::new();
    let ran = place.run(&["rules", "squish"]);
    let text = ran.out();
    assert_eq!(ran.code(), 0);
    for expected in ["Squish\n", "c   b . w b . w", "The start on side 4"] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
    assert!(!text.contains("<!--") && !text.contains("!["));
    let document = place.run(&["rules", "senet", "--json"]).json();
    assert_eq!(document["game"], "senet");
    assert!(document["rules"].as_str().unwrap().starts_with("# Senet"));
    assert!(document["diagram"].as_str().unwrap().starts_with("<svg"));
    assert_eq!(place.run(&["rules", "chess"]).code(), 2);
}

#[test]
fn arrows_are_legal_moves_and_what_they_take_is_crossed_out() {
    let place = Place::new();
    let svg = |arrows: &str| {
        let position = "4/5/2ww2/2wb3/1bwb2/2b2/b1w1_w";
        place.run(&["show", "squish", position, "--svg", "--arrows", arrows])
    };
    // An arrow is a line and a head, a cross two lines.
    let lines = |text: &str| text.matches("<line ").count();
    assert_eq!(lines(&svg("a3xb3").out()), 3);
    assert_eq!(lines(&svg("c3-c4").out()), 0);
    let refused = svg("c3-c4");
    assert_eq!(refused.code(), 2);
    assert!(refused.err().contains("`c3-c4`") && refused.err().contains("legal move"), "{}", refused.err());
    let bump = place.run(&["show", "senet", "wb8/10/10_w", "--throw", "1", "--svg", "--arrows", "1x2"]);
    assert_eq!(lines(&bump.out()), 1, "a bumped piece stays on the board");
    let water = place.run(&["show", "senet", "w9/10/3b6_b", "--throw", "3", "--svg", "--arrows", "24-27>2"]);
    assert_eq!((water.code(), lines(&water.out())), (0, 2), "{}", water.err());
    assert_eq!(place.run(&["show", "squish", "start:3", "--arrows", "all"]).code(), 2, "arrows need --svg");
}
