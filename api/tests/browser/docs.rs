//! The description of the API for people: contents, shapes, and examples that run.

use crate::driver::Browser;
use crate::shared::{Server, wait};
use crate::{ENTER, TAB};

/// The height of the page, in CSS pixels.
fn height(browser: &Browser) -> u64 {
    browser.run("return document.documentElement.scrollHeight").as_u64().unwrap()
}

#[test]
fn the_calls_are_found_by_task_and_their_examples_run() {
    let Some(browser) = Browser::open(1280, 800) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/docs/");
    browser.expect("#docs .contents", "Ask about a position");
    let (calls, links) = (browser.count("section.call"), browser.count(".contents ul ul a"));
    assert!(calls > 30 && calls == links, "{calls} calls, {links} links");
    let dead = "return [...document.querySelectorAll('#docs a')].filter(({ hash }) => hash && !document.getElementById(hash.slice(1))).map(String)";
    assert_eq!(browser.run(dead), serde_json::json!([]), "every link within the page leads somewhere");
    let height = height(&browser);
    assert!(height < 20_000, "{height} pixels, where one card for each call and shape took 47,000");

    browser.click(".contents a[href='#call-askPosition']");
    browser.click("#call-askPosition .trial button");
    browser.expect("#call-askPosition [role=status]", "200");
    browser.expect("#call-askPosition [aria-label^=Response]", "\"value\": \"win\"");
    browser.click("#call-readRecord .trial button");
    browser.expect("#call-readRecord [aria-label^=Response]", "c4-c3");
    assert_eq!(browser.count("#call-cancelJob .trial button"), 0, "nothing is cancelled by an example");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_shape_opens_by_its_link_from_the_keyboard() {
    let Some(browser) = Browser::open(1280, 800) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/docs/");
    browser.expect("#docs", "Shapes");
    browser.press(&[TAB, ENTER, TAB]);
    let inside = "return document.querySelector('#calls').contains(document.activeElement)";
    assert_eq!(browser.run(inside), true, "the first link skips the contents");
    let is_open = |name: &str| browser.run(&format!("return document.querySelector('#shape-{name}').open"));
    assert_eq!(is_open("Balance"), false);
    for _ in 0..2 {
        browser.run("document.querySelector('#call-weighSetUp a[href=\"#shape-Balance\"]').focus()");
        browser.press(&[ENTER]);
        wait("the shape is open", || (is_open("Balance") == true).then_some(()));
        // The same link opens it again after a reader has closed it.
        browser.run("document.querySelector('#shape-Balance').open = false");
    }
    browser.visit(&service, "/docs/?again#shape-SetUp");
    browser.expect("#docs", "Shapes");
    assert_eq!(is_open("SetUp"), true, "an address names a shape");
}

#[test]
fn the_contents_are_closed_above_the_calls_on_a_phone() {
    let Some(browser) = Browser::phone() else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/docs/");
    browser.expect("#docs", "Shapes");
    assert!(browser.fits());
    assert_eq!(browser.run("return document.querySelector('.contents').open"), false);
    browser.click(".contents summary");
    browser.click(".contents a[href='#call-listTables']");
    wait("the call is in view", || {
        let top = browser.run(
            "return Math.abs(document.querySelector('#call-listTables').getBoundingClientRect().top) < 5",
        );
        (top == true).then_some(())
    });
    let height = height(&browser);
    assert!(height < 35_000, "{height} pixels on a phone, where they were 90,000");
}
