//! Puzzles, downloaded proofs that are played out, and designs.

use std::path::PathBuf;

use super::driver::Browser;
use super::shared::{Server, wait};
use marquis_core::Value;
use marquis_engine::{BookUse, Control, Engine, EngineOptions, Limits, Query, check_proof};
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

/// Opens a puzzle and waits for its choices.
fn pose(browser: &Browser, service: &Server, game: &str, name: &str) {
    browser.visit(service, &format!("/?game={game}&view=gallery&puzzle={name}"));
    browser.expect("#puzzle-title", &format!("Puzzle {name}"));
    wait("the choices are there", || (browser.count("#puzzle-choices button") == 3).then_some(()));
}

/// Clicks the choice with these words.
fn choose(browser: &Browser, words: &str) {
    browser.run(&format!(
        "[...document.querySelectorAll('#puzzle-choices button')].find((own) => own.textContent === '{words}').click()"
    ));
}

/// Plays the moves that an engine recommends until the game is over.
fn play_out(browser: &Browser, game: &str, own: char) {
    let (engine, _) = Engine::open(official(), EngineOptions::default()).unwrap();
    let game = official().game(game).unwrap().id();
    let position =
        || browser.run("return document.querySelector('#position').value").as_str().unwrap().to_owned();
    let limits = Limits { nodes: Some(50_000), ..Limits::default() };
    for _ in 0..40 {
        let to_move = wait("it is our turn, or the game is over", || {
            let over = browser.text("#verdict").contains("has won");
            let text = position();
            let is_own = text.split(' ').nth(1) == Some(&own.to_string());
            let settled = is_own && browser.text("#verdict").ends_with("to move");
            (over || settled).then_some((!over).then_some(text))
        });
        let Some(text) = to_move else { return };
        let answer = engine.solve(&Query::new(game, text.clone()), &limits, &Control::none());
        let Answer::Exact(answer) = answer.unwrap() else { panic!("no chance here") };
        let mv = &answer.moves.first().unwrap().mv;
        let (from, to) = mv.split_once(['x', '-']).unwrap();
        browser.click(&format!("[data-cell={from}]"));
        browser.click(&format!("[data-cell={to}]"));
        wait("the move is made", || (position() != text).then_some(()));
    }
    panic!("the game does not end");
}

#[test]
fn a_puzzle_is_solved_by_the_right_choice_and_a_won_game() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=swish&view=gallery");
    let listed = browser.run("return fetch('/v1/swish/gallery').then((reply) => reply.json())");
    let is_rated = |set: &&serde_json::Value| !set["rating"].is_null();
    let puzzles = listed["set_ups"].as_array().unwrap().iter().filter(is_rated).count() as u64;
    wait("the puzzles are listed", || {
        (browser.count("#exhibits .card svg.miniature") == puzzles).then_some(())
    });
    assert_eq!(browser.count("#exhibits .meter"), puzzles);
    browser.expect("#gallery-words", "from easy to hard");
    browser.click("#exhibits .card:nth-child(2) a");
    browser.expect("#puzzle-title", "Puzzle ");
    // In this set-up White moving first wins, and so does Black.
    pose(&browser, &service, "swish", "02");
    assert_eq!(browser.text("#puzzle-said"), "", "the answer is given away");
    choose(&browser, "Move first");
    browser.expect("#puzzle-said", "Right.");
    browser.click("#puzzle-said button");
    browser.expect("#task", "Puzzle 02: win with");
    let own = if browser.text("#task").contains("White") { 'w' } else { 'b' };
    // Nothing that helps is in sight, and no move is taken back.
    for hidden in ["#controls", "#moves", "#match", "#record-box", "#position-form", "#line-box"] {
        assert_eq!(
            browser.run(&format!("return document.querySelector('{hidden}').checkVisibility()")),
            false
        );
    }
    browser.expect("#verdict", "to move");
    assert_eq!(browser.run("return document.querySelector('#hints').checked"), false);
    play_out(&browser, "swish", own);
    browser.expect("#task", "Solved!");
    browser.expect("#task", "1 of");
    assert_eq!(browser.run("return document.querySelector('#controls').checkVisibility()"), true);
    // The result stays, and the next puzzle is another one.
    browser.visit(&service, "/?game=swish&view=gallery");
    browser.expect("#gallery-words", "Your level: ");
    browser.expect("#exhibits", "solved");
    browser.click("#puzzle-random");
    browser.expect("#puzzle-title", "Puzzle ");
    assert_ne!(browser.text("#puzzle-title"), "Puzzle 02");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_puzzle_is_failed_by_a_wrong_choice_and_by_the_answer() {
    let Some(browser) = Browser::phone() else { return };
    let service = Server::start(|_| {});
    pose(&browser, &service, "swish", "02");
    assert!(browser.fits(), "too wide");
    choose(&browser, "Choose White");
    browser.expect("#puzzle-said", "No. Then Player One moves first with Black, and Black wins");
    browser.expect("#puzzle-words", "0 of");
    let level = browser.text("#puzzle-words");
    // What follows does not change the level.
    choose(&browser, "Choose Black");
    browser.expect("#puzzle-said", "No. Then Player One moves first with White, and White wins");
    browser.click("#puzzle-answer");
    browser.expect("#puzzle-said", "Move first");
    assert_eq!(browser.text("#puzzle-words"), level);
    let folder = tempfile::tempdir().unwrap();
    let file = download(&browser, "#puzzle-more a[download]", &folder);
    assert_eq!(check_proof(&official(), &file).unwrap().refused, None);
    assert_eq!(proved(&file, "swish", "3/1oo1/2oo1/1o2/1wb"), [Some(Value::Win); 2]);
    // After giving up, the values are in sight again, and the puzzle is not solved.
    choose(&browser, "Move first");
    browser.expect("#puzzle-said", "Right.");
    browser.click("#puzzle-said button");
    browser.click("#task button");
    browser.expect("#task", "Given up: not solved. Your level");
    assert_eq!(browser.run("return document.querySelector('#controls').checkVisibility()"), true);
    // A name that does not exist leads to the list.
    browser.visit(&service, "/?game=swish&view=gallery&puzzle=nothing");
    browser.expect("#trouble", "There is no puzzle nothing.");
    wait("the list is shown", || (browser.count("#exhibits .card") > 0).then_some(()));
    browser.visit(&service, "/?game=squeeze&view=gallery&puzzle=03");
    browser.expect("#puzzle-title", "Puzzle 03");
    browser.click("#puzzle-more a");
    browser.expect("#counts", "5 beads");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_puzzle_after_a_training_that_was_left_shows_no_values() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(
        &service,
        "/?game=swish&position=3/1oo1/2oo1/1o2/w1b_b&from=3/1oo1/2oo1/1o2/1wb_w&moves=a2-a1",
    );
    browser.expect("#history", "a2-a1");
    browser.run("document.querySelector('#record-box').open = true");
    browser.click("#review");
    browser.expect("#review-result .marks", "1. a2-a1??");
    browser.click("#review-result > .primary");
    browser.expect("#task", "Mistake 1 of 1");
    browser.click("#mode-gallery");
    browser.click("#exhibits a[href*='puzzle=02']");
    browser.expect("#puzzle-title", "Puzzle 02");
    wait("the choices are there", || (browser.count("#puzzle-choices button") == 3).then_some(()));
    choose(&browser, "Move first");
    browser.expect("#puzzle-said", "Right.");
    browser.click("#puzzle-said button");
    browser.expect("#task", "Puzzle 02: win with");
    wait("the position is there", || browser.text("#verdict").ends_with("to move").then_some(()));
    assert_eq!(browser.run("return document.querySelector('#hints').checked"), false);
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
