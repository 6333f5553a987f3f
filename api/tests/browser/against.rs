//! Games against Marquis: levels, hints, taking back, the clock, and the best line.

use super::driver::Browser;
use super::shared::{Server, wait};
use super::three_against_three;

/// White wins it in five, as the tables say.
const WON: &str = "/?game=squish&position=3/w2w/b4/2wb/b2_w";

/// Selects an option or fills in a field, as a visitor would.
fn set(browser: &Browser, css: &str, value: &str) {
    browser.run(&format!(
        "const field = document.querySelector('{css}'); field.value = '{value}'; field.dispatchEvent(new Event('change'))"
    ));
}

/// Opens the settings and starts a match.
fn start_match(browser: &Browser) {
    browser.click("#match summary");
    browser.click("#match-form [type=submit]");
}

/// Asks for a hint twice, and plays the suggested move with two clicks on the board.
fn play_the_hint(browser: &Browser) {
    browser.click("#hint");
    browser.expect("#hint-words", "Hint: look at ");
    let piece = browser.text("#hint-words").replace("Hint: look at ", "").replace('.', "");
    assert_eq!(browser.count(&format!("[data-cell={piece}].chosen")), 1, "the piece is not marked");
    assert_eq!(browser.count(".advice-head"), 0, "the first hint tells the move");
    browser.click("#hint");
    browser.expect("#hint-words", &format!("Hint: {piece}"));
    assert_eq!(browser.count(".advice-head"), 1, "the second hint draws no arrow");
    let said = browser.text("#hint-words");
    let target = said.trim_end_matches('.').rsplit(['-', 'x']).next().unwrap().to_owned();
    browser.click(&format!("[data-cell={piece}]"));
    browser.click(&format!("[data-cell={target}]"));
}

#[test]
fn a_whole_game_is_won_against_a_level_by_hints_and_recorded() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let folder = three_against_three();
    let service = Server::start(|settings| settings.tables = vec![folder.path().to_owned()]);
    browser.visit(&service, WON);
    // A visitor starts a match.
    browser.expect("#verdict", "White to move: wins in 5 plies");
    set(&browser, "#level", "3");
    start_match(&browser);
    browser.expect("#verdict", "White to move");
    assert_eq!(browser.run("return document.querySelector('#rival').value"), "b");
    play_the_hint(&browser);
    browser.expect("#history", "2. ");
    browser.expect("#turn", "White to move");
    // Undo returns to the visitor's own move, and Marquis waits there.
    browser.click("#undo");
    wait("the first position comes back", || (browser.count("#history [aria-current]") == 0).then_some(()));
    browser.expect("#turn", "White to move");
    while !browser.text("#verdict").contains("has won") {
        assert_eq!(browser.text("#verdict"), "White to move", "a value is shown");
        assert_eq!(browser.count("#moves .chip") + browser.count("#board .badge:not(.plain)"), 0);
        let position = || browser.run("return document.querySelector('#position').value").to_string();
        let before = position();
        play_the_hint(&browser);
        wait("Marquis moves, or the game is over", || {
            // The field shows the position right after a move, the sheet only after the answer.
            let now = position();
            let moved = now != before && now.ends_with(" w\"") && browser.text("#turn").contains("White");
            (moved || browser.text("#verdict").contains("has won")).then_some(())
        });
    }
    browser.expect("#verdict", "White has won");
    let record = browser.run("return document.querySelector('#record').value");
    let record = record.as_str().unwrap();
    for says in ["[First \"Visitor\"]", "[Second \"Marquis, level 3\"]", "[Result \"1-0\"]", " 1-0\n"] {
        assert!(record.contains(says), "{says}: {record}");
    }
    browser.expect("#task", "White has won");
    // A rematch exchanges the sides.
    browser.click("#task button:nth-child(2)");
    browser.expect("#history", "1. ");
    assert_eq!(browser.run("return document.querySelector('#rival').value"), "w");
    assert_eq!(browser.text("#task"), "");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn marquis_begins_where_it_has_the_first_side_and_throws_for_itself() {
    let Some(browser) = Browser::phone() else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=senet&position=10/10/5b2w1_b");
    browser.expect("#verdict", "Black to throw: wins with a chance of");
    // Each throw shows its value in advance.
    assert_eq!(browser.count("#throws .throw .worth"), 5);
    set(&browser, "#level", "2");
    set(&browser, "#rival", "b");
    start_match(&browser);
    browser.expect("#history", "1. ");
    assert_eq!(browser.count("#throws .worth"), 0, "a worth is shown in a game without values");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_clock_that_runs_out_ends_the_game_and_the_record_says_so() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=squish&position=start:3");
    browser.expect("#turn", "White to move");
    assert_eq!(browser.count("#clocks[hidden]"), 1);
    browser.type_into("#minutes", "0.1");
    browser.type_into("#increment", "2");
    start_match(&browser);
    browser.expect("#clocks .running", "White");
    browser.click("[data-cell=a3]");
    browser.click("[data-cell=b3]");
    // Six seconds, plus two for the move.
    browser.expect("#history", "2. ");
    browser.expect("#clocks .running", "White");
    browser.expect("#verdict", "Black has won: White’s time is up.");
    assert_eq!(browser.count("#moves button"), 0, "a move is offered after the end");
    assert_eq!(browser.count("#clocks .running"), 0, "a clock still runs");
    let kept = || browser.run("return document.querySelector('#record').value").as_str().unwrap().to_owned();
    let record = kept();
    for says in ["[TimeControl \"6+2\"]", "[Result \"0-1\"]", "[Termination \"time forfeit\"]", " 0-1\n"] {
        assert!(record.contains(says), "{says}: {record}");
    }
    // The service can read the written record, and after a reload the game is still over.
    browser.run("document.querySelector('#record-box').open = true");
    browser.click("#record-read");
    browser.expect("#verdict", "Black has won: White’s time is up.");
    assert_eq!(browser.text("#trouble"), "");
    for says in ["[Result \"0-1\"]", "[Termination \"time forfeit\"]", " 0-1\n"] {
        assert!(kept().contains(says), "{says}: {}", kept());
    }
    // After an undo the game continues and is no longer decided.
    browser.click("#undo");
    browser.expect("#verdict", "White to move");
    browser.click("#moves li:nth-child(2) button");
    browser.expect("#history .variation", "1. a3xb3");
    assert!(!kept().contains("Termination"), "{}", kept());
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_best_line_is_told_where_it_is_asked_for_and_played_through() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let folder = three_against_three();
    let service = Server::start(|settings| settings.tables = vec![folder.path().to_owned()]);
    browser.visit(&service, WON);
    browser.expect("#verdict", "White to move: wins in 5 plies");
    assert_eq!(browser.text("#pv"), "");
    browser.click("#line-box summary");
    browser.expect("#pv", "(proved)");
    browser.click("#line-play");
    browser.expect("#verdict", "Black to move: loses in 4 plies");
    assert_eq!(browser.count("#history li"), 5);
    browser.click("#history li:last-child button");
    browser.expect("#verdict", "White has won");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn in_a_match_of_senet_nobody_chooses_a_throw() {
    let Some(browser) = Browser::phone() else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=senet");
    browser.expect("#throws h2", "choose a throw");
    assert_eq!(browser.count("#throws .throws button"), 6, "in an analysis throws are chosen");
    set(&browser, "#level", "1");
    start_match(&browser);
    browser.expect("#throws h2", "Your throw");
    assert_eq!(browser.count("#throws .throws button"), 1, "a throw can be chosen");
    browser.click("#throws .primary");
    browser.expect("#throws h2", "You threw ");
    assert_eq!(browser.count("#throws .sticks rect"), 4);
    assert_eq!(browser.count("#throws button"), 0, "the throw can be repeated");
    // All throws are shown with their worth.
    assert_eq!(browser.count("#throws span.throw"), 5);
    assert_eq!(browser.count("#throws span.throw[aria-current]"), 1);
    assert!(browser.fits(), "too wide");
    browser.click("#moves button");
    // Some throws give another one.
    wait("Marquis has thrown, and it is our turn", || {
        let is_own = browser.text("#throws h2") == "Your throw";
        if is_own && !browser.text("#throws").contains("Marquis threw") {
            browser.click("#throws .primary");
            browser.click("#moves button");
        }
        (is_own && browser.text("#throws").contains("Marquis threw")).then_some(())
    });
    let said = browser.text("#throws p");
    let words: Vec<&str> = said.trim_end_matches('.').split(": ").collect();
    let history = browser.text("#history");
    let throw = words[0].trim_start_matches("Marquis threw ");
    assert!(history.contains(&format!("{throw}: {}", words[1])), "{said} and {history}");
    // A move that is taken back leaves its throw.
    browser.click("#undo");
    browser.expect("#throws h2", "You threw ");
    let taken_back = browser.run(
        "const all = [...document.querySelectorAll('#history button')]; \
         return all[1 + all.findIndex((own) => own.hasAttribute('aria-current'))].textContent",
    );
    let taken_back = taken_back.as_str().unwrap();
    let [_, throw, _] = taken_back.split([' ', ':']).filter(|part| !part.is_empty()).collect::<Vec<_>>()[..]
    else {
        panic!("{taken_back}")
    };
    assert_eq!(browser.text("#throws h2"), format!("You threw {throw}"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
