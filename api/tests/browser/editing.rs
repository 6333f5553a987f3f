//! Positions that are set up by hand.

use serde_json::json;

use crate::driver::Browser;
use crate::shared::{Server, wait};
use crate::{BACKSPACE, DELETE, ENTER, RIGHT, UP};

fn text(browser: &Browser) -> String {
    browser.run("return document.querySelector('#setup-text').value").as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_position_of_every_game_is_laid_out_and_played() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    for (game, laid, letter, cell, after) in [
        ("squish", "3/4/2w2/b3/b1b_w", "w", "e1", "w2/4/2w2/b3/b1b w"),
        ("flowish", "3/4/2w2/b3/b1b_w", "b", "c5", "3/4/2w1b/b3/b1b w"),
        ("squinch", "3/w1,2/r1,2_r", "r", "a1", "3/w1,2/r2,2 r"),
        ("senet", "10/10/5b2w1_b", "w", "30", "10/10/5b2ww b"),
    ] {
        browser.visit(&service, &format!("/?game={game}&edit={laid}"));
        browser.expect("#legal", "A legal position");
        browser.click(&format!("[data-piece={letter}]"));
        browser.click(&format!("[data-cell='{cell}']"));
        assert_eq!(text(&browser), after, "{game}");
    }
    // No piece rests on the last square: the service reports it, and nothing is played.
    browser.expect("#legal", "no piece on 27 or 30");
    assert_eq!(browser.count("#play-here:disabled"), 1);
    browser.click("[data-cell='30']");
    browser.expect("#legal", "A legal position: Black to throw");
    browser.click("#play-here");
    browser.expect("#verdict", "Black to throw: wins with a chance of");
    browser.click("#mode-setup");
    assert_eq!(text(&browser), "10/10/5b2w1 b", "the position comes back");
    // A position has captured beads, a set-up has none.
    browser.visit(&service, "/?game=squeeze&setup=w1w/4/1ooo1/4/b1b");
    browser.expect("#legal", "A legal position: White to move");
    browser.type_into("#store-b", "1");
    browser.expect("#illegal", "A set-up starts without captured beads.");
    browser.expect("#legal", "A legal position");
    browser.click("#play-b");
    browser.expect("#turn", "beads: White 0, Black 1, 3 win");
}

#[test]
fn pieces_are_dragged_from_the_list_about_the_board_and_off_it() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=squish&edit=3/4/2w2/b3/b1b_w");
    browser.expect("#legal", "A legal position");
    browser.drag("[data-piece=b]", "[data-cell=e3]");
    assert_eq!(text(&browser), "2b/4/2w2/b3/b1b w");
    browser.drag("[data-cell=c3]", "[data-cell=e1]");
    assert_eq!(text(&browser), "w1b/4/5/b3/b1b w");
    browser.drag("[data-cell=b1]", "h1");
    assert_eq!(text(&browser), "w1b/4/5/4/b1b w");
    browser.expect("#counts", "White 1, Black 3");
    // A stack is dragged as a whole, onto another one.
    browser.visit(&service, "/?game=squinch&edit=w1,2/3/r2,r1,1_r");
    browser.expect("#legal", "A legal position");
    browser.drag("[data-cell=b1]", "[data-cell=a1]");
    assert_eq!(text(&browser), "w1,2/3/r3,2 r");
    browser.run("history.back()");
    // The browser's back button undoes a change.
    wait("the stacks are apart again", || (text(&browser) == "w1,2/3/r2,r1,1 r").then_some(()));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn pieces_are_dragged_with_a_finger_and_the_page_stays_where_it_is() {
    let Some(browser) = Browser::phone() else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=squish&edit=3/4/2w2/b3/b1b_w");
    browser.expect("#legal", "A legal position");
    browser
        .run("addEventListener('pointermove', ({ pointerType }) => { window.pointed = pointerType }, true)");
    browser.swipe("[data-piece=b]", "[data-cell=e3]");
    assert_eq!(text(&browser), "2b/4/2w2/b3/b1b w");
    assert_eq!(browser.run("return window.pointed"), "touch");
    browser.swipe("[data-cell=c3]", "[data-cell=e1]");
    assert_eq!(text(&browser), "w1b/4/5/b3/b1b w");
    browser.swipe("[data-cell=b1]", "#turn");
    assert_eq!(text(&browser), "w1b/4/5/4/b1b w", "off the board");
    assert_eq!(browser.run("return scrollY"), 0, "the page went along");
    // A tap places the selected piece.
    browser.click("[data-piece=w]");
    browser.click("[data-cell=c3]");
    assert_eq!(text(&browser), "w1b/4/2w2/4/b1b w");
    browser.expect("#legal", "A legal position");
    // A stack moves as a whole.
    browser.visit(&service, "/?game=squinch&edit=w1,2/3/r2,r1,1_r");
    browser.expect("#legal", "A legal position");
    browser.swipe("[data-cell=b1]", "[data-cell=a1]");
    assert_eq!(text(&browser), "w1,2/3/r3,2 r");
    // In a game, a drag makes a move.
    browser.visit(&service, "/?game=squish&position=b1w/1wb1/wb1wb/1wb1/b1w_w");
    browser.expect("#verdict", "wins in 5");
    browser.swipe("[data-cell=c1]", "[data-cell=c2]");
    browser.expect("#history", "c1xc2");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_set_up_is_entered_by_keys_alone() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=swish&setup=3/4/1oo2/4/3");
    browser.expect("#illegal", "White has 0 rooks");
    // The list is a radio group: a single tab stop, and the arrow keys select.
    browser.run("document.querySelector('#palette [tabindex=\"0\"]').focus()");
    browser.press(&[RIGHT, RIGHT]);
    let chosen = "const one = document.activeElement; return [one.dataset.piece, one.getAttribute('aria-checked'), document.querySelectorAll('#palette [tabindex=\"0\"]').length]";
    assert_eq!(browser.run(chosen), json!(["o", "true", 1]));
    browser.run("document.querySelector('[data-cell=a1]').focus()");
    browser.press(&['b', RIGHT, 'b', DELETE, RIGHT, 'b', UP, 'o', UP, 'w', BACKSPACE]);
    browser.expect("#illegal", "White has 0 rooks");
    browser.run("document.querySelector('[data-cell=e1]').focus()");
    browser.press(&['w', RIGHT, RIGHT, 'w']);
    assert_eq!(browser.text("#illegal"), "");
    assert_eq!(text(&browser), "w1w/4/1ooo1/4/b1b");
    browser.run("document.querySelector('#balance').focus()");
    browser.press(&[ENTER]);
    browser.expect("#result h3", "you win");
    // Digits set the heights of stacks.
    browser.visit(&service, "/?game=squinch&edit=w1,2/3/r2,r1,1_r");
    browser.expect("#legal", "A legal position");
    browser.run("document.querySelector('[data-cell=c1]').focus()");
    browser.press(&['r', '3', '-', UP, 'w', '4']);
    assert_eq!(text(&browser), "w1,2/2,w4/r2,r1,r2 r");
}
