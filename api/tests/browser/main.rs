//! The page in a browser. Skipped, with a printed line, if there is no Chromium.

mod access;
mod accessible;
mod against;
mod docs;
mod driver;
mod editing;
mod element;
mod gallery;
mod laboratory;
mod layout;
mod loading;
mod offline;
#[path = "../shared/mod.rs"]
mod shared;
mod solved;
mod studies;
mod telling;

use driver::Browser;
use marquis_core::GameId;
use marquis_engine::tables::{CHECKPOINT_EVERY, generate};
use marquis_engine::{BuildQuery, Control, Limits};
use marquis_registry::official;
use shared::Server;
use tempfile::TempDir;

const TAB: char = '\u{e004}';
const ENTER: char = '\u{e007}';
const LEFT: char = '\u{e012}';
const RIGHT: char = '\u{e014}';
const UP: char = '\u{e013}';
const ESCAPE: char = '\u{e00c}';
const DELETE: char = '\u{e017}';
const BACKSPACE: char = '\u{e003}';

#[test]
fn a_game_is_played_to_its_end_with_the_best_moves_and_taken_back() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=squish&position=start:3");
    // "Check numbers" in `squish/rules.md`: the start of side 3 is won in five.
    browser.expect("#verdict", "White to move: wins in 5 plies");
    browser.click("[data-cell=a3]");
    browser.click("[data-cell=b3]");
    for plies in ["loses in 4", "wins in 3", "loses in 2", "wins in 1"] {
        browser.expect_value(plies);
        browser.click("#moves button");
    }
    browser.expect("#verdict", "White has won");
    assert_eq!(browser.count("#history li"), 5);
    browser.run("location.reload()");
    browser.expect("#verdict", "White has won");
    assert_eq!(browser.count("#history li"), 5, "the history is lost with a reload");
    browser.click("#undo");
    browser.expect("#verdict", "wins in 1 ply");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A folder with tables of Squish on side 3, of three pieces against three and fewer.
fn three_against_three() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let query = BuildQuery {
        side: Some(3),
        pieces: Some("3v3".to_owned()),
        ..BuildQuery::new(GameId::new("squish"))
    };
    generate(&official(), &query, folder.path(), CHECKPOINT_EVERY, &Limits::default(), &Control::none())
        .unwrap();
    folder
}

#[test]
fn a_game_is_played_to_its_end_against_the_table_and_shared_as_a_link() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let folder = three_against_three();
    let service = Server::start(|settings| settings.tables = vec![folder.path().to_owned()]);
    browser.visit(&service, "/?game=squish&position=3/w2w/b4/2wb/b2_w");
    browser.expect("#verdict", "White to move: wins in 5 plies");
    browser.run("const rival = document.querySelector('#rival'); rival.value = 'b'; rival.dispatchEvent(new Event('change'))");
    for plies in ["wins in 5", "wins in 3", "wins in 1"] {
        browser.expect_value(plies);
        browser.click("#moves button");
    }
    browser.expect("#verdict", "White has won");
    assert_eq!(browser.count("#history li"), 5, "Marquis answered two of three moves");
    let figures = browser.run("return fetch('/metrics').then((reply) => reply.text())");
    let figures = figures.as_str().unwrap();
    assert!(figures.contains("marquis_answers_total{source=\"table\"}"), "{figures}");
    assert!(!figures.contains("source=\"search\""), "the table knows every position of this game: {figures}");
    let link = browser.run("return location.pathname + location.search");
    browser.visit(&service, "/");
    browser.expect("#verdict", "White to move");
    browser.visit(&service, link.as_str().unwrap());
    browser.expect("#verdict", "White has won");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn where_nothing_is_proved_the_page_recommends_a_move_and_says_that_it_estimates() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    for (game, position) in [("flowish", "start:5"), ("squinch", "start"), ("senet", "start")] {
        browser.visit(&service, &format!("/?game={game}&position={position}"));
        if game == "senet" {
            browser.expect("#verdict", "estimated");
            // In Senet a throw is selected first.
            browser.click(".throw:nth-of-type(3)");
        }
        browser.expect("#chances-words", "Estimated, not proved");
        assert!(browser.count("#chances.estimate span") >= 2, "{game}");
        assert_eq!(browser.count(".advice-head"), 1, "{game}: no move is marked");
    }
    browser.visit(&service, "/?game=flowish&position=start:5");
    browser.expect("#pv", "Best line: ");
    // With values hidden nothing is recommended.
    browser.click("#hints");
    browser.expect("#verdict", "White to move");
    assert_eq!(browser.count(".advice-head") + browser.count("#chances:not([hidden])"), 0);
    browser.visit(&service, "/?game=squish&position=b1w/1wb1/wb1wb/1wb1/b1w_w");
    browser.expect("#chances-words", "Proved: White 100");
    assert_eq!(browser.count("#chances.exact"), 1);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_board_is_played_by_keys_alone() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=squish&position=b1w/1wb1/wb1wb/1wb1/b1w_w");
    browser.expect("#verdict", "wins in 5");
    browser.run("document.querySelector('[data-cell=c1]').focus()");
    browser.press(&[ENTER, RIGHT, ENTER]);
    browser.expect("#verdict", "Black to move: loses in 4");
    browser.expect("#history", "c1xc2");
    browser.press(&[UP, BACKSPACE]);
    browser.expect("#verdict", "White to move: wins in 5");
    assert_eq!(browser.run("return Boolean(document.activeElement.dataset.cell)"), true, "the focus is lost");
}

#[test]
fn a_setup_is_laid_out_and_balanced_and_its_result_found_after_a_reload() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=swish&setup=w1w/4/1oo2/4/b1b");
    browser.expect("#counts", "2 beads");
    browser.click("[data-piece=o]");
    browser.click("[data-cell=b1]");
    browser.expect("#illegal", "Beads lie inside only: b1");
    browser.click("[data-cell=b1]");
    browser.click("[data-cell=c4]");
    assert_eq!(browser.text("#illegal"), "");
    browser.click("#balance");
    // "Check numbers" in `swish/rules.md`: lost in 12 for White, who moves first.
    browser.expect("#result h3", "Choose Black and let Player One move first: you win in 12.");
    browser.run("location.reload()");
    browser.expect("#result h3", "Choose Black");
    browser.click("#result button");
    browser.expect("#turn", "beads: White 0, Black 0, 2 win");
}

#[test]
fn what_is_no_position_is_said_and_the_game_goes_on_where_it_was() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=squish&position=3/wb2/5/1w1b/3_w");
    browser.expect("#verdict", "White to move: wins in 1");
    browser.type_into("#position", "b1w/1wx1");
    browser.click("#position-form [type=submit]");
    browser.expect("#trouble", "row");
    assert_eq!(
        browser.run("return document.querySelector('#position').value"),
        "b1w/1wx1",
        "it can be mended"
    );
    browser.expect("#verdict", "White to move: wins in 1");
    browser.click("#moves button");
    browser.expect("#verdict", "White has won");
    assert_eq!(browser.text("#trouble"), "");

    // A link with an invalid position leads to the start of its game.
    browser.visit(&service, "/?game=squinch&position=nonsense");
    browser.expect("#trouble", "expected");
    browser.expect("#verdict", "Red to move");
    browser.visit(&service, "/?game=chess");
    browser.expect("#verdict", "White to move");
    // Shown with the first answer, not after the whole search.
    assert_eq!(browser.text("#trouble"), "There is no game chess; here is Squish.");
    browser.visit(&service, "/?game=squish&from=start:3&moves=a1-z9");
    browser.expect("#verdict", "White to move");
    assert!(browser.text("#trouble").contains("z9"), "{}", browser.text("#trouble"));
}

#[test]
fn what_is_no_set_up_is_said_and_the_board_stays() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=swish&setup=w1w/4/1ooo1/4/b1b");
    browser.expect("#counts", "3 beads");
    let hexagon = "Expected the rows of a hexagon";
    for (typed, says) in [
        ("w1w/4", hexagon),
        ("w1w/4/1ooo1/4", hexagon),
        ("", hexagon),
        ("99999999999/1", hexagon),
        ("w1w/4/1oxo1/4/b1b", "found x"),
        ("W1w/4/1ooo1/4/b1b", "found W"),
    ] {
        browser.type_into("#setup-text", typed);
        browser.click("#setup-form [type=submit]");
        browser.expect("#illegal", says);
        assert_eq!(browser.count("#balance:disabled"), 1, "{typed}");
        assert_eq!(browser.count("#board [data-cell]"), 19, "{typed}");
    }
    browser.click("#clear");
    browser.expect("#illegal", "White has 0 rooks");
    assert!(!browser.text("#illegal").contains("hexagon"));
    // A position starts like a set-up and has more fields.
    browser.type_into("#setup-text", "w1w/4/1ooo1/4/b1b w 0-0 2");
    browser.click("#setup-form [type=submit]");
    assert_eq!((browser.text("#illegal"), browser.count("#balance:enabled")), (String::new(), 1));
    for typed in ["0", "4", "70000", "-1"] {
        browser.type_into("#target", typed);
        browser.expect("#illegal", &format!("{typed} beads to win: 1 to 3 are allowed"));
        assert_eq!(browser.count("#balance:disabled"), 1, "{typed}");
    }
    browser.type_into("#target", "3");
    assert_eq!((browser.text("#illegal"), browser.count("#balance:enabled")), (String::new(), 1));
    assert_eq!(browser.complaints().iter().filter(|line| line.contains("TypeError")).count(), 0);
}

#[test]
fn a_shared_set_up_with_a_bait_says_what_taking_it_is_worth() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=swish&setup=2b/w3/1o1o1/3b/w2&pie=bait&bait=2&balance=1");
    browser.expect("#counts", "2 beads on the board, 2 off it; 3 win");
    // From the exhaustive solver: with the bait on the other side both colours lose in 4 when they move first.
    browser.expect("#result h3", "Take the bait: you win in at most 4");
}

#[test]
fn a_long_balance_shows_its_progress_and_is_cancelled() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    let board = "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b";
    browser.visit(&service, &format!("/?game=squeeze&setup={board}&balance=1"));
    browser.expect("#progress", "nodes");
    browser.click("#cancel");
    browser.expect("#progress", "Cancelled. Results so far:");
    browser.expect("#result .ended", "Stopped before an answer was found.");
    browser.expect("#result h3", "Not decided. Estimated, not proved:");
    browser.expect("#result li", "moving first");
}

#[test]
fn a_known_result_says_that_it_is_one() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=flowish&position=start:4");
    browser.expect("#verdict", "White to move: wins");
    browser.expect("#ended", "Solved: White wins.");
    browser.click("#ended summary");
    browser.expect("#ended details[open]", "A known result, built into Marquis.");
    browser.expect("#chances", "proved");
    let numbers =
        browser.run("return [...document.querySelectorAll('#moves .chip')].map((chip) => chip.textContent)");
    let numbers: Vec<String> =
        numbers.as_array().unwrap().iter().map(|own| own.as_str().unwrap().to_owned()).collect();
    assert!(numbers.len() == 30 && numbers.iter().all(|own| own != "?"), "{numbers:?}");
}

#[test]
fn a_throw_is_chosen_and_the_chance_of_each_move_shown() {
    let Some(browser) = Browser::phone() else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=senet&position=10/10/5b2w1_b");
    browser.expect("#verdict", "Black to throw: wins with a chance of");
    browser.click(".throw");
    browser.expect("#moves", "%");
    assert!(browser.fits(), "too wide");
}

#[test]
fn every_game_fits_a_phone_and_says_what_its_cells_are() {
    let Some(browser) = Browser::phone() else { return };
    let service = Server::start(|_| {});
    for (game, cells) in [("squish", 37), ("flowish", 61), ("swish", 19), ("squeeze", 19), ("squinch", 64)] {
        browser.visit(&service, &format!("/?game={game}"));
        browser.expect("#board", "a1");
        assert_eq!(browser.count("#board [role=button][aria-label]"), cells, "{game}");
        assert!(browser.fits(), "{game}");
    }
}

/// Side 3 is completely solved: White wins in five, and each of b2-c3, c4-c3 and d2-c3 loses in six.
const BLUNDER: &str = "[Game \"squish\"]\n[Position \"start:3\"]\n\n1. c4-c3 {why} (1. a3xb3 c2-c3) b3xc3\n";

/// Pastes a text into the field of the record and reads it.
fn paste(browser: &Browser, text: &str) {
    browser.run("document.querySelector('#record-box').open = true");
    browser.type_into("#record", text);
    browser.click("#record-read");
}

#[test]
fn mistakes_of_a_reviewed_game_are_trained_until_the_better_move_is_found() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    // White blunders the win; Black's answer takes it.
    browser.visit(&service, "/?game=squish&from=start:3&moves=c4-c3_b3xc3");
    browser.expect("#history", "b3xc3");
    browser.run("document.querySelector('#record-box').open = true");
    browser.click("#review");
    browser.expect("#review-result .marks", "1. c4-c3??");
    browser.click("#review-result > .primary");
    browser.expect("#task", "Mistake 1 of 1: White played c4-c3. Find a better move.");
    assert_eq!(browser.run("return document.querySelector('#controls').checkVisibility()"), false);
    let play = |from: &str, to: &str| {
        browser.click(&format!("[data-cell={from}]"));
        browser.click(&format!("[data-cell={to}]"));
    };
    browser.expect("#verdict", "White to move");
    play("c4", "c3");
    browser.expect("#task", "c4-c3 was played. Find a better move.");
    play("b2", "c3");
    browser.expect("#task", "No: b2-c3 loses");
    assert_eq!(browser.count("#history [aria-current]"), 0, "the move was made");
    play("a3", "b3");
    browser.expect("#task", "Right: a3xb3 is best.");
    browser.click("#task .primary");
    browser.expect("#task", "That was the last mistake.");
    assert_eq!(browser.run("return document.querySelector('#controls').checkVisibility()"), true);
    browser.expect("#verdict", "wins in 5 plies");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_pasted_game_with_a_known_blunder_is_reviewed_and_the_better_line_played_through() {
    let Some(browser) = Browser::open(1280, 800) else { return };
    let service = Server::start(|_| {});
    // Another game is on the board; the record names its own.
    browser.visit(&service, "/?game=squinch");
    browser.expect("#verdict", "Red to move");
    paste(&browser, BLUNDER);
    browser.expect("#history", "2. b3xc3");
    browser.expect("#history .variation", "1. a3xb3 2. c2-c3");
    let kept = browser.run("return document.querySelector('#record').value");
    assert!(kept.as_str().unwrap().contains("1. c4-c3 {why} (1. a3xb3 c2-c3) 1... b3xc3"), "{kept}");
    browser.click("#review");
    browser.expect("#review-result .marks", "1. c4-c3??");
    browser.expect("#review-result .marks", "White: a blunder; loses the proved value, now loses");
    browser.expect("#review-result .players", "White: accuracy");
    assert_eq!(browser.count("#review-result .mark-dot.blunder"), 1);
    browser.expect("#history", "1. c4-c3??");
    // The better line goes onto the board; the game is kept as a variation, and a click on the mark brings it back.
    browser.click("#review-result .marks li button:last-child");
    browser.expect("#verdict", "Black to move: loses in 4 plies");
    assert_eq!(browser.count("#history li:not(.variation)"), 5);
    browser.expect("#history .variation", "1. c4-c3?? 2. b3xc3");
    browser.expect("#history .variation ~ .variation", "2. c2-c3");
    browser.click("#review-result .marks li button");
    browser.expect("#history", "2. b3xc3");
    browser.expect("#verdict", "Black to move: wins in 5 plies");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A game of Senet in which every player moves the piece that comes first by its text, as a record.
const CARELESS: &str = "return (async () => {
  let position = 'start';
  const words = [];
  while (words.length < 90) {
    const score = [1, 4, 2, 6, 3][words.length % 5];
    const asked = new URLSearchParams({ position, throw: score });
    const { moves } = await fetch(`/v1/senet/moves?${asked}`).then((reply) => reply.json());
    const [first] = moves.toSorted((one, other) => (one.move < other.move ? -1 : 1));
    if (!first) break;
    words.push(`${score}:${first.move}`);
    position = first.position;
  }
  return words.join(' ');
})()";

#[test]
fn the_luck_of_throws_is_a_line_and_many_marks_come_in_pages() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=senet");
    let moves = browser.run(CARELESS);
    paste(&browser, &format!("[Game \"senet\"] {}", moves.as_str().unwrap()));
    browser.expect("#history", "90. ");
    browser.click("#review");
    browser.expect("#review-result .players", "accuracy");
    assert_eq!(browser.count("#review-result polyline.luck"), 1);
    browser.expect("#review-result", "Dashed: the chance by the luck of the throws alone.");
    let pages = "#review-result details";
    browser.run("document.querySelector('#review-result details').open = true");
    browser.expect(pages, "Page 1 of");
    assert_eq!(browser.count("#review-result details li"), 20);
    let first = browser.text("#review-result details li");
    assert_eq!(browser.count("#review-result details .row button:disabled"), 1, "a page before the first");
    browser.click("#review-result details .row button:last-child");
    browser.expect(pages, "Page 2 of");
    assert_ne!(browser.text("#review-result details li"), first);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn arrow_keys_go_through_the_game_and_a_key_flips_the_board() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=squish&from=start:3&moves=a3xb3_c2-c3");
    browser.expect("#history [aria-current]", "2. c2-c3");
    browser.press(&[LEFT]);
    browser.expect("#history [aria-current]", "1. a3xb3");
    // A piece picked up by the mouse does not take the keys.
    browser.click("[data-cell=b2]");
    browser.press(&[RIGHT]);
    browser.expect("#history [aria-current]", "2. c2-c3");
    let column =
        || browser.run("return document.querySelector('[data-cell=a1]').getBoundingClientRect().top");
    let before = column();
    browser.press(&['f']);
    assert!(column().as_f64() < before.as_f64(), "the board is not turned");
    browser.click("#flip");
    assert_eq!(column(), before);
    // In a field the keys are text.
    browser.click("#position");
    browser.press(&[LEFT]);
    browser.expect("#history [aria-current]", "2. c2-c3");
}

#[test]
fn going_back_keeps_the_moves_and_other_ones_become_another_line() {
    let Some(browser) = Browser::phone() else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=squish&from=start:3&moves=a3xb3_c2-c3&ply=1");
    browser.expect("#history", "2. c2-c3");
    browser.expect("#verdict", "Black to move: loses in 4 plies");
    browser.click("#redo");
    browser.expect("#verdict", "White to move: wins in 3 plies");
    browser.click("#undo");
    browser.click("#undo");
    browser.expect("#verdict", "White to move: wins in 5 plies");
    assert_eq!(browser.count("#history li"), 2, "going back drops the moves");
    browser.click("#moves li:nth-child(2) button");
    browser.expect("#history .variation", "1. a3xb3 2. c2-c3");
    browser.click("#history .variation button");
    browser.expect("#history", "2. c2-c3");
    // The address contains the moves, so that another visitor sees the same.
    let link = browser.run("return location.pathname + location.search");
    assert!(link.as_str().unwrap().contains("moves=a3xb3_c2-c3&ply=1"), "{link}");
    browser.run("history.replaceState(null, '', location.href)");
    browser.run("location.reload()");
    browser.expect("#history", "2. c2-c3");
    assert!(browser.fits(), "too wide");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn what_is_no_record_stays_to_be_mended() {
    let Some(browser) = Browser::open(1280, 800) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=squish&position=start:3");
    browser.expect("#verdict", "White to move: wins in 5 plies");
    for (text, says) in [
        ("[Game \"squish\"] 1. c4-c3 {cut", "line 1, column 30: expected `}` after the comment"),
        ("[Game \"senet\"] 1. 2:8-10 8-10", "ply 2 (move 1)"),
        ("[Game \"chess\"] 1. e2-e4", "There is no game chess."),
        ("  ", "Nothing to read"),
    ] {
        paste(&browser, text);
        browser.expect("#trouble", says);
        assert_eq!(browser.run("return document.querySelector('#record').value"), text);
    }
    browser.expect("#verdict", "White to move: wins in 5 plies");
    // A bare list of moves belongs to the current game.
    paste(&browser, "c4-c3 b3xc3");
    browser.expect("#history", "2. b3xc3");
    assert_eq!(
        browser.run("return document.querySelector('#record').value.includes('1. c4-c3 b3xc3')"),
        true
    );
}
