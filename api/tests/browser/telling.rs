//! The page's explanations of the rules.

use crate::driver::Browser;
use crate::shared::{Server, wait};
use crate::{ENTER, ESCAPE, RIGHT};

#[test]
fn a_piece_that_cannot_move_says_why() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    for (game, position, clicks, says) in [
        ("squish", "start:3", &["b3"][..], "The piece on b3 is not White’s, who is to move."),
        ("squish", "w2/4/1w2w/4/b1b_w", &["e1"], "No friend is in line with e1"),
        ("squish", "start:3", &["c4", "d4"], "beyond d4 there is none on that line"),
        ("flowish", "2w/4/ww2w/4/b1b_w", &["e3"], "The piece on e3 is on no flowline"),
        ("swish", "w1w/4/wob1o/4/b1b_w", &["c1", "c4"], "holds beads and rooks together"),
        ("squeeze", "w1w/4/wo2o/4/b1b_w", &["c1", "c3"], "a rook slides over vacant cells only"),
        ("squinch", "w1,3/4/1,r2,r1,1/r1,3_r", &["b2", "a2"], "and a2 is empty"),
    ] {
        browser.visit(&service, &format!("/?game={game}&position={position}"));
        browser.expect("#verdict", "to move");
        for cell in clicks {
            browser.click(&format!("[data-cell={cell}]"));
        }
        browser.expect("#why", says);
    }
    // In Senet it depends on the throw.
    browser.visit(&service, "/?game=senet&position=wbwbwbwbw1/b9/10_b");
    browser.expect("#verdict", "to throw");
    browser.click("[data-cell='2']");
    browser.expect("#why", "Throw the sticks first");
    browser.click("#throws .throw:nth-of-type(3)");
    assert_eq!(browser.text("#why"), "");
    browser.click("[data-cell='2']");
    browser.expect("#why", "A friend stands on 4.");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn what_was_said_stays_while_a_search_goes_on() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=squish&position=start:5");
    browser.expect("#verdict", "searching");
    browser.click("[data-cell=a2]");
    browser.expect("#why", "is not White’s");
    wait("the search to end", || (!browser.text("#verdict").contains("searching")).then_some(()));
    assert!(browser.text("#why").contains("is not White’s"), "{}", browser.text("#why"));
}

#[test]
fn keys_and_dragging_ask_why_as_well() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=squish&position=b1w/1wb1/wb1wb/1wb1/b1w_w");
    browser.expect("#verdict", "wins in 5");
    browser.run("document.querySelector('[data-cell=c1]').focus()");
    browser.press(&[RIGHT, ENTER]);
    browser.expect("#why", "The piece on c2 is not White’s");
    browser.drag("[data-cell=c4]", "[data-cell=e2]");
    browser.expect("#why", "e2 is not next to c4");
    // The piece is still selected: the next click makes the move, and the explanation disappears.
    browser.click("[data-cell=c3]");
    browser.expect("#history", "c4-c3");
    assert_eq!(browser.text("#why"), "");
}

#[test]
fn the_rules_stand_next_to_the_board_and_words_have_notes() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=squish&position=b1w/1wb1/wb1wb/1wb1/b1w_w");
    browser.expect("#verdict", "wins in 5");
    browser.click("#rules-open");
    browser.expect("#rulebook", "You win by bringing all your pieces together into one group.");
    browser.expect("#rulebook dl", "balanced");
    assert!(browser.count("#rulebook figure svg") >= 2, "the diagrams of the page");
    // The board remains usable next to them.
    browser.click("[data-cell=c1]");
    browser.click("[data-cell=c2]");
    browser.expect("#turn", "Black to move");
    browser.click("#games [data-game=squinch]");
    browser.expect("#verdict", "Red to move");
    browser.run("document.querySelector('.term').focus()");
    browser.expect("#tip", "A move by one of the players.");
    assert_eq!(browser.run("return document.activeElement.getAttribute('aria-describedby')"), "tip");
    browser.press(&[ESCAPE]);
    assert_eq!(browser.count("#tip:not([hidden])"), 0);
    // It does not reappear when an answer of the search redraws the word.
    browser.run(
        "const word = document.activeElement; const anew = word.cloneNode(true); word.replaceWith(anew); anew.focus()",
    );
    assert_eq!(browser.count("#tip:not([hidden])"), 0);
}
