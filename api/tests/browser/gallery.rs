//! The gallery of proved set-ups, downloaded proofs that are played out, and designs.

use std::path::PathBuf;

use super::driver::Browser;
use super::shared::{Server, wait};
use marquis_core::Value;
use marquis_engine::{BookUse, Engine, EngineOptions, Query, check_proof};
use marquis_registry::official;
use marquis_wire::answer::{Answer, PlayerTwoChoice};

/// Downloads the target of a link into a file.
fn download(browser: &Browser, css: &str, folder: &tempfile::TempDir) -> PathBuf {
    let link = browser.run(&format!("return document.querySelector('{css}').getAttribute('href')"));
    let link = link.as_str().expect("a link").to_owned();
    let bytes = browser.run(&format!(
        "return fetch('{link}').then((reply) => reply.arrayBuffer()).then((bytes) => [...new Uint8Array(bytes)])"
    ));
    let bytes: Vec<u8> = serde_json::from_value(bytes).unwrap();
    let file = folder.path().join("downloaded.proof");
    std::fs::write(&file, bytes).unwrap();
    file
}

/// The values of both colours from a proof alone.
fn proved(file: &std::path::Path, game: &str, board: &str) -> [Option<Value>; 2] {
    let options =
        EngineOptions { proofs: vec![file.to_owned()], book: BookUse::LeftAlone, ..EngineOptions::default() };
    let (engine, left_out) = Engine::open(official(), options).unwrap();
    assert!(left_out.is_empty());
    let game = official().game(game).unwrap().id();
    let value = |colour: &str| match engine.probe(&Query::new(game, format!("{board} {colour}"))).unwrap() {
        Answer::Exact(answer) => answer.verdict.value,
        Answer::Chance(_) => panic!("no chance here"),
    };
    ["w", "b"].map(value)
}

#[test]
fn the_gallery_opens_tells_when_asked_and_plays_a_set_up_out() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=swish&view=gallery");
    wait("the set-ups hang", || (browser.count("#exhibits .card svg.miniature") == 8).then_some(()));
    assert_eq!(browser.text("#exhibits .answer"), "", "the riddle is given away");
    assert_eq!(browser.count("#exhibits .meter"), 8);
    // The second set-up: White moving first wins, and so does Black.
    browser.click("#exhibits .card:nth-child(2) .row button");
    browser.expect("#exhibits .card:nth-child(2) .answer", "White moving first wins");
    browser.expect("#exhibits .card:nth-child(2) .answer", "Move first");
    assert_eq!(browser.text("#exhibits .card:nth-child(1) .answer"), "");
    let folder = tempfile::tempdir().unwrap();
    let file = download(&browser, "#exhibits .card:nth-child(2) a[download]", &folder);
    assert_eq!(check_proof(&official(), &file).unwrap().refused, None);
    assert_eq!(proved(&file, "swish", "3/1oo1/2oo1/1o2/1wb"), [Some(Value::Win); 2]);
    // Played out: Marquis has the other side, and no values are shown.
    browser.click("#exhibits .card:nth-child(2) .out button");
    browser.expect("#turn", "White to move");
    assert_eq!(browser.run("return document.querySelector('#rival').value"), "b");
    assert_eq!(browser.text("#verdict"), "White to move");
    browser.click("[data-cell=a2]");
    browser.click("[data-cell=b3]");
    browser.expect("#history", "2. ");
    browser.run("history.back()");
    browser.visit(&service, "/?game=squeeze&view=gallery");
    wait("the set-ups of another game hang", || (browser.count("#exhibits .card") == 6).then_some(()));
    browser.click("#exhibits .card .help a");
    browser.expect("#counts", "5 beads");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_set_up_comes_to_a_verdict_whose_proof_is_downloaded_and_played_out() {
    let Some(browser) = Browser::phone() else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=swish&setup=1b1/wo2/1o3/2o1/w1b&pie=bait&balance=1");
    browser.expect("#result h3", "you win");
    browser.expect("#result .proof", "Download the proof");
    let folder = tempfile::tempdir().unwrap();
    let file = download(&browser, "#result a[download]", &folder);
    let report = check_proof(&official(), &file).unwrap();
    assert_eq!(report.refused, None);
    let said = report.player_two.unwrap();
    let shown = browser.text("#result h3");
    let words = match said.choice {
        Some(PlayerTwoChoice::MoveFirst) => "Move first",
        Some(PlayerTwoChoice::TakeBait) => "Take the bait",
        other => panic!("{other:?}"),
    };
    assert!(shown.starts_with(words), "{shown} and {said:?}");
    // The winning colour is played out with the best moves, which the proof knows.
    browser.run("document.querySelector('#hints').checked = true");
    browser.click("#result .lanes li:nth-child(2) button");
    browser.expect("#turn", "Black to move");
    for _ in 0..20 {
        if browser.text("#verdict").contains("has won") {
            break;
        }
        let position = || browser.run("return document.querySelector('#position').value");
        let before = position();
        browser.click("#moves button");
        wait("the move is made", || {
            let settled = position() != before && browser.count("#think:disabled") == 1;
            (settled || browser.text("#verdict").contains("has won")).then_some(())
        });
    }
    browser.expect("#verdict", "Black has won");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_design_finds_set_ups_that_open_in_the_laboratory() {
    let Some(browser) = Browser::phone() else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=swish");
    browser.click("#mode-design");
    for (field, value) in [("side", "2"), ("rooks", "1"), ("beads", "1"), ("tries", "6"), ("keep", "3")] {
        browser.type_into(&format!("#design-{field}"), value);
    }
    browser.click("#design-begin");
    browser.expect("#design-progress", "6 set-ups tried: the hardest 3");
    assert_eq!(browser.count("#finds .card .miniature"), 3);
    assert_eq!(browser.count("#finds .card a[download]"), 3);
    assert!(browser.fits(), "too wide");
    browser.click("#finds .card .help a");
    browser.expect("#counts", "1 beads");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
