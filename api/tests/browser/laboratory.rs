//! The laboratory of set-ups: both pies, both colours, traps, and agreement with the board.

use std::time::{Duration, Instant};

use super::driver::Browser;
use super::shared::{Server, wait};

#[test]
fn both_pies_stand_side_by_side_and_a_trap_is_on_the_board() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    // White moving first wins in 7, Black in 1; of White's five moves only one wins, and the greedy one does not.
    browser.visit(&service, "/?game=swish&setup=3/1oo1/2oo1/1o2/1wb&balance=1");
    browser.expect("#result .pies section:first-child .pie", "Marquisian pie");
    browser.expect("#result .pies section:first-child h3", "Move first: you win in at most 7");
    browser.expect("#result .lanes li:nth-child(1)", "White moving first wins in 7 plies");
    browser.expect("#result .lanes li:nth-child(2)", "Black moving first wins in 1 ply");
    browser.expect("#result .findings", "Of the 5 first moves, only one keeps the value");
    assert_eq!(browser.count("#result .meter i"), 8);
    wait("the other pie", || {
        // On a busy machine the first pie takes longer, and the other one is computed on request.
        if browser.count("#result .other button") == 1 {
            browser.click("#result .other button");
        }
        browser.text("#result .other h3").contains("Move first with White: you win in 7").then_some(())
    });
    browser.expect("#result .traps", "White a2xc2");
    browser.expect("#result .traps", "it captures most");
    wait("an arrow for each trap", || {
        let (arrows, traps) = (browser.count("#board .advice.trap"), browser.count("#result .traps li"));
        (arrows == traps && arrows > 0).then_some(())
    });
    browser.expect("#legend", "looks best but is wrong");
    // Another set-up has other traps.
    browser.click("#mirror");
    assert_eq!(browser.count("#board .advice.trap") + browser.count("#result .traps"), 0);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_board_says_of_the_first_moves_what_the_balance_says() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    // "Check numbers" in `squeeze/rules.md`: a draw for either colour moving first; four of eight moves keep it.
    let ask = || {
        browser.visit(&service, "/?game=squeeze&setup=w1w/4/1ooo1/4/b1b&balance=1");
        browser.expect("#result h3", "Balanced");
        browser.expect("#result .lanes li:nth-child(1)", "Best: e1-c1, e1-d1, e3-c5, e3-d4.");
        Instant::now()
    };
    let mut asked = ask();
    // Some moves tempt three levels, which are shown as one list. The levels have so little time that a busy machine
    // may find fewer traps.
    let several = wait("all traps", || {
        if asked.elapsed() > Duration::from_secs(15) {
            asked = ask();
        }
        let told = browser.text("#result .traps");
        (told.contains("Black") && told.contains(" or ")).then_some(told)
    });
    assert!(several.split("may choose it").all(|trap| trap.matches(" or ").count() < 2), "{several}");
    browser.click("#result .lanes li:nth-child(1) button");
    let marked = |sign: &str| {
        browser.run(&format!(
            "return [...document.querySelectorAll('#moves button')].filter((own) => own.querySelector('.chip')?.textContent.startsWith('{sign}')).map((own) => own.querySelector('.text').textContent).sort().join(' ')"
        ))
    };
    wait("four moves draw", || (marked("=") == "e1-c1 e1-d1 e3-c5 e3-d4").then_some(()));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn each_colour_is_told_of_while_a_long_balance_goes_on() {
    let Some(browser) = Browser::phone() else { return };
    let service = Server::start(|_| {});
    let board = "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b";
    browser.visit(&service, &format!("/?game=squeeze&setup={board}&balance=1"));
    browser.expect("#balance-help", "a hard one an hour or more");
    browser.expect("#progress", "of at most 10 min");
    browser.expect("#lanes li:nth-child(1)", "White moving first not known");
    browser.expect("#lanes li:nth-child(2)", "to win, estimated");
    assert_eq!(browser.count("#lanes .chances.estimate"), 2);
    assert!(browser.fits(), "too wide");
    browser.click("#cancel");
    browser.expect("#result .lanes li:nth-child(2)", "Black moving first");
    assert_eq!(browser.count("#lanes li"), 0, "the colours are shown twice");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_link_to_a_balanced_set_up_shows_its_verdict_at_once() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    // The book has this verdict, although nobody balanced the set-up here.
    browser.visit(&service, "/?game=swish&setup=3/1oo1/2oo1/1o2/1wb");
    browser.expect("#result h3", "Move first: you win");
    assert_eq!(browser.count("#result .meter"), 0);
    // With the button its difficulty is found, which the link then shows without a job.
    browser.click("#balance");
    browser.expect("#result .findings", "only one keeps the value");
    let meter = browser.count("#result .meter i");
    browser.run("localStorage.clear()");
    browser.visit(&service, "/?game=swish&setup=3/1oo1/2oo1/1o2/1wb");
    browser.expect("#result .findings", "only one keeps the value");
    assert_eq!((browser.count("#result .meter i"), meter), (8, 8));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn this_browser_remembers_a_verdict_that_the_service_has_forgotten() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    let link = "/?game=squeeze&setup=w1w/4/1ooo1/4/b1b";
    browser.visit(&service, &format!("{link}&balance=1"));
    browser.expect("#result h3", "Balanced");
    browser.block(&["*/balance"]);
    browser.visit(&service, link);
    browser.expect("#result h3", "Balanced");
    // A set-up that was never balanced has no verdict, and the failed look-up is no news.
    browser.visit(&service, "/?game=squeeze&setup=w1w/4/1oo2/4/b1b");
    browser.expect("#legal", "A legal position");
    assert_eq!(browser.count("#result h3"), 0);
}

#[test]
fn a_design_starts_from_the_board_of_the_laboratory() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=swish&setup=w2/4/1oo2/4/2b");
    browser.click("#vary");
    browser.type_into("#design-max-beads", "3");
    browser.type_into("#design-tries", "6");
    browser.click("#design-begin");
    browser.expect("#design-progress", "6 set-ups tried: the hardest");
    let boards = browser.run("return [...document.querySelectorAll('#finds .help a:first-child')].map((link) => link.href).join(' ')");
    let boards = boards.as_str().unwrap().to_owned();
    assert!(
        !boards.is_empty()
            && boards
                .split(' ')
                .all(|link| link.contains("setup=w2/") && link.contains("/1oo") && link.ends_with("/2b")),
        "{boards}"
    );
    // The full game has nineteen beads.
    browser.run("const preset = document.querySelector('#design-preset'); preset.selectedIndex = 2; preset.dispatchEvent(new Event('change'))");
    assert_eq!(browser.run("return ['side', 'rooks', 'beads', 'from'].map((name) => document.querySelector(`#design-${name}`).value).join()"), "5,3,19,");
    browser.click("#mode-setup");
    browser.run("const preset = document.querySelector('#preset'); preset.selectedIndex = 2; preset.dispatchEvent(new Event('change'))");
    browser.expect("#counts", "19 beads on the board; 10 win");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
