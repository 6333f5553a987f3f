//! Checks every view of the page for accessibility with axe-core. Skipped, with a printed line, if it is not in
//! `target/tools`; `.ci/run` downloads it.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::driver::Browser;
use crate::shared::{Server, skip};

/// The script of the checker.
pub(crate) fn checker() -> Option<String> {
    let exe = std::env::current_exe().ok()?;
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    let mut targets = exe.ancestors().chain([own.as_path()]);
    let found = targets
        .find_map(|target| fs::read_to_string(target.join("tools/node_modules/axe-core/axe.min.js")).ok());
    if found.is_none() {
        skip("there is no axe-core in target/tools; .ci/run fetches it");
    }
    found
}

/// The violations that the checker finds in the current view.
fn violations(browser: &Browser, script: &str) -> Vec<String> {
    if browser.run("return typeof axe === 'undefined'") == true {
        browser.run(script);
    }
    let found = browser.run(
        "return axe.run(document, {resultTypes: ['violations']}).then(({ violations }) => violations.map(
           ({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')}`))",
    );
    let said = |one: &Value| one.as_str().unwrap_or_default().to_owned();
    found.as_array().expect("a list").iter().map(said).collect()
}

/// Checks the current view in both themes.
pub(crate) fn check(browser: &Browser, script: &str, view: &str) {
    for theme in ["light", "dark"] {
        browser.run(&format!("document.documentElement.dataset.theme = '{theme}'"));
        assert_eq!(violations(browser, script), Vec::<String>::new(), "{view}, {theme}");
    }
}

/// The pages, and a text that shows that each is loaded.
const VIEWS: [(&str, &str, &str); 19] = [
    ("/?game=squish", "#verdict", "to move"),
    ("/?game=flowish&position=start:3", "#verdict", "to move"),
    ("/?game=swish&position=w1w/4/1ooo1/4/b1b_w_0-0_2", "#verdict", "to move"),
    ("/?game=squeeze&position=w1w/4/1ooo1/4/b1b_w_0-0_2", "#verdict", "to move"),
    ("/?game=squinch", "#verdict", "to move"),
    ("/?game=senet&position=9w/7b1w/3b1w1b2_b", "#verdict", "to throw"),
    ("/?game=squish&from=start:3&moves=a3xb3_c2-c3", "#history", "c2-c3"),
    ("/?game=squish&edit=b1w/1wb1/wb1wb/1wb1/b1w_w", "#legal", "A legal position"),
    ("/?game=swish", "#legal", "A legal position"),
    ("/?game=squinch&edit=w1,w2/1,r3/r1,1_r", "#legal", "A legal position"),
    ("/?game=senet&edit=9w/7b1w/3b1w1b1w_b", "#legal", "Not a position"),
    ("/?game=swish&setup=w1w/4/1ooo1/4/b1b&balance=1", "#result h3", "."),
    ("/?game=squish&position=3/4/2w2/b3/b1b_w", "#verdict", "won"),
    ("/?game=swish&view=gallery", "#exhibits .card:last-child", "Puzzle 218"),
    ("/?game=squeeze&view=gallery", "#exhibits .card:last-child", "Puzzle 207"),
    ("/?game=swish&view=design", "#design-form", "Seed"),
    ("/rules/senet", ".rules h1", "Senet"),
    ("/rules/swish", ".rules h1", "Swish"),
    ("/docs/", "#docs", "Shapes"),
];

#[test]
fn no_view_of_the_page_breaks_a_rule_of_accessibility() {
    let Some(script) = checker() else { return };
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    for (path, css, says) in VIEWS {
        browser.visit(&service, path);
        browser.expect(css, says);
        check(&browser, &script, path);
    }
    browser.visit(&service, "/?game=squish");
    browser.expect("#verdict", "to move");
    browser.click("#rules-open");
    browser.expect("#rulebook", "Words");
    check(&browser, &script, "rules beside the board");
    browser.click("#rules-open");
    browser.run("document.querySelector('.term').focus()");
    check(&browser, &script, "a word with its note");
    browser.click("#tables");
    browser.expect("#shelf", "Close");
    check(&browser, &script, "tables");
    browser.visit(&service, "/?game=squish&from=start:3&moves=c4-c3_b3xc3");
    browser.expect("#history", "b3xc3");
    browser.run("document.querySelector('#record-box').open = true");
    browser.click("#review");
    browser.expect("#review-result .players", "accuracy");
    check(&browser, &script, "review");
    browser.visit(&service, "/?game=swish&view=gallery&puzzle=02");
    browser.expect("#puzzle-title", "Puzzle 02");
    browser.click("#puzzle-answer");
    browser.expect("#puzzle-said", "Move first");
    check(&browser, &script, "a puzzle with its answer");
    browser.click("#puzzle-choices button");
    browser.expect("#puzzle-said", "Right.");
    browser.click("#puzzle-said button");
    browser.expect("#task", "win with");
    check(&browser, &script, "a puzzle that is played out");
    browser.visit(&service, "/?game=swish&view=design");
    browser.expect("#design-form", "Seed");
    for (field, number) in [("side", 3), ("rooks", 1), ("beads", 2), ("tries", 8), ("keep", 3), ("seed", 7)] {
        browser.type_into(&format!("#design-{field}"), &number.to_string());
    }
    browser.click("#design-begin");
    // While it runs, the page shows how many of the eight set-ups were tried.
    browser.expect("#design-progress", "8 set-ups tried: the hardest");
    assert!(browser.count("#finds .card") > 0, "something is found");
    check(&browser, &script, "the set-ups of a design");
}

#[test]
fn no_view_on_a_phone_breaks_a_rule_of_accessibility() {
    let Some(script) = checker() else { return };
    let Some(browser) = Browser::phone() else { return };
    let service = Server::start(|_| {});
    for (path, css, says) in VIEWS {
        browser.visit(&service, path);
        browser.expect(css, says);
        assert!(browser.fits(), "{path}: too wide");
        check(&browser, &script, path);
    }
}
