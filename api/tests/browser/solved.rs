//! The official board of Squish, which is solved, from the start to the end of the game.

use super::driver::Browser;
use super::shared::{Server, wait};

const START: &str = "/?game=squish&position=start:4";
/// More plies than any game from there takes, by its proof.
const MOST_PLIES: usize = 60;

#[test]
fn the_solved_board_is_played_to_its_end_and_every_reply_is_shown_as_lost() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, START);
    browser.expect("#ended", "Solved: White wins.");
    for ply in 0..MOST_PLIES {
        let to_move = if ply % 2 == 0 { "White to move: wins" } else { "Black to move: loses" };
        let said = wait("the value of the position", || {
            let said = browser.text("#verdict");
            (said.contains(to_move) || said.contains("has won")).then_some(said)
        });
        if said.contains("has won") {
            browser.expect("#verdict", "White has won");
            assert_eq!(ply % 2, 1, "Black made the last move");
            return;
        }
        let sign = if ply % 2 == 0 { "+" } else { "−" };
        // White's first listed move is proved to win, and all of Black's moves are proved to lose.
        wait("moves with their proved values", || {
            let signs = browser
                .run("return [...document.querySelectorAll('#moves .chip')].map((own) => own.textContent)");
            let signs: Vec<&str> = signs.as_array()?.iter().filter_map(|own| own.as_str()).collect();
            let proved = signs.iter().take_while(|own| own.starts_with(sign)).count();
            let is_shown = if ply % 2 == 0 { proved > 0 } else { proved == signs.len() && proved > 0 };
            is_shown.then_some(())
        });
        browser.click("#moves button");
    }
    panic!("it did not end: {}", browser.text("#history"));
}

#[test]
fn how_a_value_is_known_links_to_the_checks_of_the_guide_if_the_service_has_it() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let guide = tempfile::tempdir().unwrap();
    std::fs::create_dir(guide.path().join("how")).unwrap();
    std::fs::write(guide.path().join("index.html"), "<title>guide</title>").unwrap();
    std::fs::write(guide.path().join("how/checks.html"), "<title>checks</title>").unwrap();
    let with_guide = Server::start(|config| config.guide = Some(guide.path().to_owned()));
    browser.visit(&with_guide, START);
    browser.expect("#ended", "Solved: White wins.");
    browser.click("#ended summary");
    browser.click("#ended a");
    wait("the page of checks", || (browser.run("return document.title") == "checks").then_some(()));

    let without = Server::start(|_| {});
    browser.visit(&without, START);
    browser.expect("#ended", "Solved: White wins.");
    assert_eq!(browser.count("#ended a"), 0, "a link to a guide that is not there");
}
