//! The board and everything that acts on it are in sight without scrolling, and the page follows the game.

use serde_json::json;

use crate::driver::Browser;
use crate::shared::{Server, wait};

/// The largest usual board of each game.
const BOARDS: [&str; 6] = [
    "squish&position=start:4",
    "flowish&position=start:5",
    "swish&position=w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b_w_0-0_10",
    "squeeze&position=w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b_w_0-0_10",
    "squinch&position=start",
    "senet&position=start",
];

/// A finished position of each game.
const FINISHED: [&str; 6] = [
    "squish&position=3/4/2w2/b3/b1b_w",
    "flowish&position=3/4/2w2/b3/b1b_w",
    "swish&position=w1w/4/5/4/b1b_w_2-0_2",
    "squeeze&position=w1w/4/2o2/4/b1b_b_2-0_2",
    "squinch&position=w1,2/3/3_r",
    "senet&position=9w/10/10_b",
];

/// White wins with the first move of the list.
const WON_IN_ONE: &str = "/?game=squish&position=3/wb2/5/1w1b/3_w";

/// The elements in sight during play: the board, the tools, the chances, and the first moves.
const IN_REACH: &str = "#board svg, #controls > *, #verdict, #chances, #moves li:nth-child(-n+2)";

/// The elements that are not entirely within the window, or that others cover or cut off.
fn out_of_sight(browser: &Browser, css: &str) -> Vec<String> {
    let found = browser.run(&format!(
        "const all = [...document.querySelectorAll({})];
         const off = all.filter((one) => {{
           const {{ left, right, top, bottom }} = one.getBoundingClientRect();
           const over = document.elementFromPoint((left + right) / 2, bottom - 2);
           return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight || !one.contains(over);
         }});
         return all.length ? off.map((one) => one.id || one.textContent || one.localName) : ['nothing']",
        json!(css)
    ));
    serde_json::from_value(found).unwrap()
}

fn scroll_down(browser: &Browser) {
    browser.run("scrollTo(0, document.body.scrollHeight)");
    assert!(!out_of_sight(browser, "#board svg").is_empty(), "the page is too short to scroll");
}

fn everything_is_in_reach(browser: &Browser, service: &Server) {
    for board in BOARDS {
        browser.visit(service, &format!("/?game={board}"));
        if board.starts_with("senet") {
            browser.click(".throw:nth-of-type(3)");
        }
        wait("the moves are listed", || (browser.count("#moves li") > 1).then_some(()));
        wait("the chances are drawn", || (browser.count("#chances:not([hidden])") == 1).then_some(()));
        assert_eq!(out_of_sight(browser, IN_REACH), Vec::<String>::new(), "{board}");
    }
}

#[test]
fn on_a_small_window_everything_is_in_reach_without_scrolling() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    browser.resize(1280, 800);
    everything_is_in_reach(&browser, &Server::start(|_| {}));
}

#[test]
fn on_a_phone_everything_is_in_reach_without_scrolling() {
    let Some(browser) = Browser::phone() else { return };
    everything_is_in_reach(&browser, &Server::start(|_| {}));
}

#[test]
fn the_turn_line_of_a_finished_game_has_the_result() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    for board in FINISHED {
        browser.visit(&service, &format!("/?game={board}"));
        browser.expect("#verdict", " has won: ");
        let name = browser.run("return document.querySelector('#board svg').getAttribute('aria-label')");
        for said in [browser.text("#turn"), name.as_str().unwrap().to_owned()] {
            assert!(said.contains(" has won") && !said.contains(" to "), "{board}: {said}");
        }
    }
}

#[test]
fn a_set_up_shown_on_the_board_is_in_sight() {
    let service = Server::start(|_| {});
    for open in [Browser::phone, || Browser::open(1280, 800)] {
        let Some(browser) = open() else { return };
        browser.visit(&service, "/?game=swish&setup=w1w/4/1ooo1/4/b1b&balance=1");
        browser.expect("#result h3", "Choose Black");
        browser.run("scrollTo(0, document.body.scrollHeight)");
        browser.run(
            "[...document.querySelectorAll('#result button')].find((own) => own.textContent === 'Show on the board').click()",
        );
        browser.expect("#moves", "e1xb3");
        assert_eq!(out_of_sight(&browser, IN_REACH), Vec::<String>::new());
    }
}

#[test]
fn a_long_list_of_moves_shows_that_it_scrolls_and_starts_at_its_top() {
    let Some(browser) = Browser::phone() else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=squish&position=start:4");
    browser.expect("#moves-title", "Moves");
    wait("the list is longer than its box", || (browser.count("#moves.more") == 1).then_some(()));
    browser.run("const list = document.querySelector('#moves'); list.scrollTop = list.scrollHeight");
    wait("the list is at its end", || (browser.count("#moves.more") == 0).then_some(()));
    browser.run("scrollTo(0, document.body.scrollHeight); document.querySelector('#moves li:last-child button').click()");
    browser.expect("#turn", "Black to move");
    wait("the list has more below", || (browser.count("#moves.more") == 1).then_some(()));
    assert_eq!(browser.run("return document.querySelector('#moves').scrollTop"), 0);
    // A move from the list is in sight on the board.
    assert_eq!(out_of_sight(&browser, IN_REACH), Vec::<String>::new());
}

#[test]
fn a_new_game_and_its_result_are_in_sight() {
    let Some(browser) = Browser::phone() else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, WON_IN_ONE);
    browser.expect("#verdict", "White to move: wins in 1 ply");
    browser.click("#match summary");
    browser.run("document.querySelector('#record-box').open = true");
    scroll_down(&browser);
    browser.run("document.querySelector('#match-form').requestSubmit()");
    browser.expect("#verdict", "White to move");
    assert_eq!(out_of_sight(&browser, "#board svg, #controls > *"), Vec::<String>::new());
    assert_eq!(browser.count("#match[open]"), 0);
    // A page that keeps its focus on the board would scroll there by itself.
    browser.run("document.querySelector('#match').open = true; document.activeElement.blur()");
    scroll_down(&browser);
    // Not by the list, which brings the board into sight itself.
    browser.run(
        "document.querySelector('[data-cell=b2]').dispatchEvent(new MouseEvent('click', { bubbles: true }))",
    );
    browser.run(
        "document.querySelector('[data-cell=c2]').dispatchEvent(new MouseEvent('click', { bubbles: true }))",
    );
    browser.expect("#task", "White has won");
    assert_eq!(browser.text("#turn"), "White has won");
    assert_eq!(out_of_sight(&browser, "#task, #task button, #board svg"), Vec::<String>::new());
    // The result stands above the board.
    assert_eq!(browser.count("#table > #task"), 1);
}
