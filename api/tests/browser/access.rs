//! Keyboard, screen reader and phone access to the page.

use marquis_core::GameId;
use marquis_engine::tables::{CHECKPOINT_EVERY, generate};
use marquis_engine::{BuildQuery, Control, Limits};
use marquis_registry::official;

use crate::driver::Browser;
use crate::shared::Server;
use crate::{ENTER, TAB};

#[test]
fn senet_on_a_phone_has_everything_within_reach() {
    let Some(browser) = Browser::phone() else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=senet&position=10/10/5b2w1_b");
    browser.expect("#verdict", "Black to throw");
    let hidden = browser.run(
        "const all = [...document.querySelectorAll('#throws button, #board [data-cell]')];
         const off = all.filter((one) => {
           const { left, right, top, bottom } = one.getBoundingClientRect();
           return left < 0 || right > innerWidth || top < 0 || bottom > 844;
         });
         return [all.length, off.map((one) => one.dataset.cell ?? one.textContent)]",
    );
    // Five throws and the button that throws, thirty squares and the place past the last one.
    assert_eq!(hidden, serde_json::json!([37, []]));
    assert!(browser.fits(), "too wide");
    // A piece on 26 is borne off with a 4, by touching squares alone.
    browser.click("#throws .throw:nth-of-type(5)");
    browser.click("[data-cell='26']");
    browser.click("[data-cell=off]");
    browser.expect("#verdict", "Black has won");
}

#[test]
fn a_game_is_played_by_the_list_without_losing_the_focus() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=squish&position=b1w/1wb1/wb1wb/1wb1/b1w_w");
    browser.expect("#verdict", "wins in 5");
    browser.run("document.querySelector('#moves button').focus()");
    for plies in ["loses in 4", "wins in 3", "loses in 2", "wins in 1"] {
        browser.press(&[ENTER]);
        browser.expect_value(plies);
        assert_eq!(browser.count("#moves button:focus"), 1, "{plies}");
    }
    browser.press(&[ENTER]);
    browser.expect("#verdict", "White has won");
    // No move is left to take the focus; it moves to the board and is not lost.
    assert_eq!(browser.count("#board [data-cell]:focus"), 1);
    browser.press(&[TAB]);
    assert_eq!(browser.count("body:focus"), 0);
}

#[test]
fn values_that_are_hidden_are_neither_seen_nor_heard() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=squish&position=b1w/1wb1/wb1wb/1wb1/b1w_w");
    browser.expect("#verdict", "wins in 5");
    browser.click("#moves button");
    browser.expect("#said", "loses in 4 plies");
    browser.click("#hints");
    let kept = browser.text("#said");
    assert_eq!(kept, "Black to move", "what was read out before it was hidden");
    browser.click("#undo");
    browser.expect("#turn", "White to move");
    // Records everything that is announced, even briefly.
    browser.run(
        "window.heard = []; new MutationObserver(() => heard.push(document.querySelector('#said').textContent,
           document.querySelector('#verdict').textContent)).observe(document.body, {subtree: true, childList: true, characterData: true})",
    );
    browser.click("[data-cell=a3]");
    browser.click("[data-cell=b3]");
    browser.expect("#said", "Black to move");
    browser.click("#moves button");
    browser.expect("#said", "White to move");
    let heard = browser.run("return heard.join(' ')").as_str().unwrap().to_owned();
    assert!(heard.contains("White plays a3xb3") && heard.contains("a3: b3"), "{heard}");
    let seen = format!("{heard} {} {}", browser.text("#moves"), browser.text("#history"));
    for told in ["wins", "loses", "plies", "+", "−"] {
        assert!(!seen.contains(told), "{told}: {seen}");
    }
    assert_eq!(browser.count("#chart:not([hidden])"), 0);
    browser.click("#hints");
    browser.expect("#history", "+5");
}

#[test]
fn a_mistyped_position_does_not_end_the_search_for_the_one_on_the_board() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=flowish&position=start:5");
    browser.expect("#verdict", "searching");
    browser.type_into("#position", "wb1wb/b1");
    browser.run("document.querySelector('#position-form').requestSubmit()");
    browser.expect("#trouble", "expected");
    browser.expect("#chances-words", "Estimated, not proved");
    browser.expect("#trouble", "expected");
    assert_eq!(browser.run("return document.querySelector('#position').value"), "wb1wb/b1");
}

#[test]
fn moves_are_said_to_be_ordered_also_where_all_lose() {
    let Some(browser) = Browser::open(1280, 800) else { return };
    let service = Server::start(|_| {});
    // Every move loses, and the one that is hardest to refute is listed first.
    browser.visit(&service, "/?game=swish&position=w1w/4/1ooo1/4/b1b_w_0-0_2");
    browser.expect("#verdict", "White to move: loses");
    browser.expect("#moves", "e1xb3");
    assert_eq!(browser.text("#moves-title"), "Moves, best first");
    browser.visit(&service, "/?game=squish&position=start:3");
    browser.expect("#verdict", "wins in 5");
    assert_eq!(browser.text("#moves-title"), "Moves, best first");
}

#[test]
fn the_tables_of_the_service_are_listed_for_people() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let folder = tempfile::tempdir().unwrap();
    let query = BuildQuery {
        side: Some(2),
        pieces: Some("1v2".to_owned()),
        ..BuildQuery::new(GameId::new("squish"))
    };
    generate(&official(), &query, folder.path(), CHECKPOINT_EVERY, &Limits::default(), &Control::none())
        .unwrap();
    let service = Server::start(|settings| settings.tables = vec![folder.path().to_owned()]);
    browser.visit(&service, "/?game=squish&position=start:3");
    browser.expect("#verdict", "White to move");
    browser.click("#tables");
    browser.expect("#shelf-list tbody", "Squishside=201v02");
    browser.click("#shelf button");
    assert_eq!(browser.count("#shelf[open]"), 0);
}
