//! The in-browser search. Skipped, with a printed line, if `.ci/web` has not built it.

use std::path::PathBuf;

use marquis_core::Immobile;
use marquis_engine::{BalanceQuery, Control, Engine, EngineOptions, Limits, Until};
use serde_json::{Value, json};

use crate::driver::Browser;
use crate::shared::{Server, skip, wait};
use crate::three_against_three;

/// Positions whose answers must be the same for the same number of nodes.
const ASKED: [(&str, &str); 8] = [
    ("squish", "start:4"),
    ("flowish", "start:5"),
    ("swish", "w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b w 0-0 10"),
    ("swish", "w1w/4/1ooo1/4/b1b w 0-0 2"),
    ("squeeze", "w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b w 0-0 10"),
    ("squinch", "start"),
    ("senet", "start"),
    ("senet", "b7wb/10/10 b"),
];

/// The output of `.ci/web` in the build directory; `None` if it was not run.
pub(crate) fn built() -> Option<PathBuf> {
    let program = std::env::current_exe().unwrap();
    let folder = program.parent().unwrap().parent().unwrap().join("web");
    if !folder.join("marquis_web_bg.wasm").is_file() {
        skip(&format!("there is no search for browsers in {}; run .ci/web", folder.display()));
        return None;
    }
    Some(folder)
}

/// A service that has the search, and one of its pages that has loaded it.
fn opened(path: &str) -> Option<(Browser, Server)> {
    let (folder, browser) = (built()?, Browser::open(1280, 900)?);
    let service = Server::start(|settings| settings.offline = Some(folder));
    browser.visit(&service, path);
    wait("the browser has its own search", || {
        let state = browser.run("return document.documentElement.dataset.offline ?? ''");
        (state == "ready").then_some(())
    });
    Some((browser, service))
}

/// The answers of the service and of the browser to a question about a position.
fn both(browser: &Browser, question: &Value) -> [Value; 2] {
    let told = browser.run(&format!(
        "const asked = {question};
        const {{ game, ...rest }} = asked;
        const there = fetch(`/v1/${{game}}?${{new URLSearchParams(rest)}}`).then((reply) => reply.json());
        const here = import('/assets/offline.js').then(({{ question }}) => question('ask', [JSON.stringify(asked)]));
        return Promise.all([there, here])"
    ));
    [told[0].clone(), told[1].clone()]
}

#[test]
fn the_browser_reads_the_tables_of_the_service_in_ranges() {
    let (Some(folder), Some(browser)) = (built(), Browser::open(1280, 900)) else { return };
    let tables = three_against_three();
    let service = Server::start(|settings| {
        settings.offline = Some(folder);
        settings.tables = vec![tables.path().to_owned()];
    });
    browser.visit(&service, "/?game=squish&position=start:3");
    for position in ["b2/w3/1b3/2w1/1wb w", "3/b2w/bw1w1/1b2/3 w", "wbw/4/5/4/bwb b"] {
        let asked = json!({"game": "squish", "position": position, "budget_ms": "0"});
        let [there, here] = both(&browser, &asked);
        assert_eq!(there["proof"], "table", "{there}");
        assert_eq!(here, there, "{position}");
    }
    // A game without tables, and the search above the tables.
    for (game, position) in [("flowish", "start:3"), ("squish", "start:3")] {
        let [there, here] = both(&browser, &json!({"game": game, "position": position, "nodes": "2000"}));
        assert_eq!(here, there, "{game}");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_browser_answers_as_the_service_does_for_the_same_number_of_positions() {
    // The page itself asks none of the questions below, because a service caches its results.
    let Some((browser, _service)) = opened("/?game=squish&position=3/4/2w2/b3/b1b_w") else { return };
    for (game, position) in ASKED {
        for nodes in [2_000_u32, 40_000] {
            let [there, here] =
                both(&browser, &json!({"game": game, "position": position, "nodes": nodes.to_string()}));
            assert!(there["moves"].is_array() || there["throws"].is_array(), "{game} {position}: {there}");
            assert_eq!(here, there, "{game} {position} with {nodes} positions");
        }
    }
    for (game, position, more) in [
        ("squinch", "start", json!({"level": "3"})),
        ("senet", "start", json!({"level": "2", "throw": "4"})),
        ("swish", "w1w/4/1ooo1/4/b1b w 0-0 2", json!({"line": "true"})),
    ] {
        let mut asked = json!({"game": game, "position": position, "nodes": "3000", "seed": "7"});
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let [there, here] = both(&browser, &asked);
        assert!(there["chosen"]["move"].is_string() || there["line"].is_array(), "{asked}: {there}");
        assert_eq!(here, there, "{asked}");
    }
    for (game, position, more) in [
        ("squish", "b1w/1wb1/wb1wb/1wb1/b1w w", json!({"from": "c3"})),
        ("swish", "w1w/4/1ooo1/4/b1b w 0-0 2", json!({"from": "a1", "to": "b2"})),
        ("swish", "w1w/4/1ooo1/4/b1b w 0-0 2", json!({"from": "b3", "immobile": "pass"})),
        ("senet", "10/10/5b2w1 b", json!({"from": "26", "throw": "1"})),
        ("squinch", "start", json!({"from": "a1"})),
    ] {
        let mut asked = json!({"position": position});
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let told = browser.run(&format!(
            "const asked = {asked};
            const there = fetch(`/v1/{game}/moves?${{new URLSearchParams(asked)}}`).then((reply) => reply.json());
            const words = JSON.stringify({{ game: '{game}', ...asked }});
            const here = import('/assets/offline.js').then(({{ question }}) => question('moves', [words]));
            return Promise.all([there, here])"
        ));
        assert!(told[0]["moves"].as_array().is_some_and(|moves| !moves.is_empty()), "{asked}: {told}");
        assert_eq!(told[1], told[0], "{game} {asked}");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The result of a review or a balance in the browser.
fn long(browser: &Browser, kind: &str, asked: &Value) -> Value {
    browser.run(&format!(
        "return import('/assets/offline.js').then(({{ jobHere }}) => jobHere('{kind}', {asked}, 60000))"
    ))[kind]
        .clone()
}

#[test]
fn the_browser_reviews_and_balances_as_the_service_does() {
    let Some((browser, _service)) = opened("/?game=squish&position=3/4/2w2/b3/b1b_w") else { return };
    for (game, record, nodes) in [
        ("squish", "[Position \"start:3\"] 1. c4-c3 b3xc3 *", 100_000),
        ("squinch", "1. a2-a3 a6-a5 *", 20_000),
        ("senet", "1. 1:11-12 *", 20_000),
    ] {
        let there = browser.run(&format!(
            "return fetch('/v1/{game}/review', {{ method: 'POST', headers: {{ 'Content-Type': 'application/json' }},
                body: JSON.stringify({}) }}).then((reply) => reply.json())",
            json!({"record": record, "nodes": nodes, "move_ms": 30_000, "budget_ms": 30_000})
        ));
        assert_eq!(there["complete"], true, "{game}: {there}");
        let here = long(&browser, "review", &json!({"game": game, "record": record, "nodes": nodes}));
        assert_eq!(here, there, "{game}");
    }
    let large = "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b";
    for (game, board, pie, nodes) in [
        ("swish", "w1w/4/1ooo1/4/b1b", "marquisian", None),
        ("squeeze", "w1w/4/1ooo1/4/b1b", "bait", None),
        // With proofs, which are fetched.
        ("swish", "3/1oo1/2oo1/1o2/1wb", "marquisian", None),
        ("squeeze", large, "marquisian", Some(20_000)),
    ] {
        let engine = Engine::open(marquis_registry::official(), EngineOptions::default()).unwrap().0;
        let query = BalanceQuery {
            game: engine.registry().game(game).unwrap().id(),
            board: board.to_owned(),
            bait: 0,
            pie: pie.parse().unwrap(),
            target: None,
            immobile: Immobile::default(),
            until: Until::Choice,
        };
        let limits = Limits { nodes, threads: Some(1), ..Limits::NONE };
        let there = engine.balance(&query, &limits, &Control::none()).unwrap();
        assert_eq!(there.balanced.is_some(), nodes.is_none(), "{game} {board}: {there:?}");
        let asked = json!({"game": game, "board": board, "pie": pie, "nodes": nodes});
        // A script has one kind of number.
        let there = browser.run(&format!("return {}", json!(there)));
        assert_eq!(long(&browser, "balance", &asked), there, "{game} {board}");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_mistake_is_trained_and_a_set_up_balanced_without_a_server() {
    let path = "/?game=squish&from=start:3&moves=c4-c3_b3xc3";
    let Some((browser, service)) = opened(path) else { return };
    browser.expect("#history", "b3xc3");
    drop(service);
    browser.run("document.querySelector('#record-box').open = true");
    browser.click("#review");
    browser.expect("#review-result .marks", "1. c4-c3??");
    browser.expect("#where", "The server cannot be reached.");
    browser.click("#review-result > .primary");
    browser.expect("#task", "Mistake 1 of 1: White played c4-c3. Find a better move.");
    browser.expect("#verdict", "White to move");
    let play = |from: &str, to: &str| {
        browser.click(&format!("[data-cell={from}]"));
        browser.click(&format!("[data-cell={to}]"));
    };
    play("b2", "c3");
    browser.expect("#task", "No: b2-c3 loses");
    play("a3", "b3");
    browser.expect("#task", "Right: a3xb3 is best.");
    browser.run(
        "history.pushState({}, '', '/?game=swish&setup=w1w/4/1ooo1/4/b1b&balance=1');
        dispatchEvent(new PopStateEvent('popstate', { state: {} }))",
    );
    browser.expect("#result h3", "Choose Black and let Player One move first: you win in 12.");
}

#[test]
fn a_balance_in_the_browser_shows_its_progress_and_its_worker_ends_when_it_is_cancelled() {
    let Some((browser, service)) = opened("/?game=squish&position=3/4/2w2/b3/b1b_w") else { return };
    browser.click("#match summary");
    browser.click("#here");
    browser.expect("#where", "Searching in this browser");
    let board = "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b";
    browser.visit(&service, &format!("/?game=squeeze&setup={board}"));
    browser.expect("#where", "Searching in this browser");
    // The link itself was looked up.
    browser.run("performance.clearResourceTimings()");
    browser.click("#balance");
    browser.expect("#progress", "nodes");
    browser.click("#cancel");
    browser.expect("#progress", "Cancelled. Stopped before an answer was found.");
    let asked = browser.run(
        "return performance.getEntriesByType('resource').filter(({ name }) => name.includes('/v1/')).map(({ name }) => name)",
    );
    assert!(!asked.to_string().contains("balance") && !asked.to_string().contains("jobs"), "{asked}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_reload_after_an_upgrade_runs_the_scripts_of_the_server() {
    let path = "/?game=squish&position=b1w/1wb1/wb1wb/1wb1/b1w_w";
    let Some((browser, _service)) = opened(path) else { return };
    // What an earlier version left in the browser.
    let stale = "caches.open('marquis').then((kept) => kept.put('/assets/app.js',
       new Response('document.body.textContent = 1', { headers: { 'Content-Type': 'text/javascript' } })))";
    browser.run(&format!("return {stale}.then(() => navigator.serviceWorker.ready).then(() => true)"));
    browser.run("location.reload()");
    browser.expect("#verdict", "wins in 5");
    wait("the cached script is the server's", || {
        let script = browser.run("return caches.match('/assets/app.js').then((kept) => kept.text())");
        (script.as_str()?.len() > 10_000).then_some(())
    });
    // The other cache asks whether a script is still the same.
    let policy =
        browser.run("return fetch('/assets/app.js').then(({ headers }) => headers.get('cache-control'))");
    assert!(policy.as_str().is_some_and(|policy| policy.contains("no-cache")), "{policy}");
}

#[test]
fn a_page_goes_on_without_its_server_and_opens_again_without_it() {
    let Some((browser, service)) = opened("/?game=squish&position=b1w/1wb1/wb1wb/1wb1/b1w_w") else { return };
    browser.expect("#verdict", "wins in 5");
    assert_eq!(browser.count("#where:not([hidden])"), 0, "the server answers");
    drop(service);
    browser.click("#moves button");
    browser.expect("#verdict", "loses in 4");
    browser.expect("#where", "The server cannot be reached. Searching in this browser.");
    browser.type_into("#record", "[Position \"b1w/1wb1/wb1wb/1wb1/b1w w\"] 1. c1xc2");
    browser.run(
        "document.querySelector('#record-box').open = true; document.querySelector('#record-read').click()",
    );
    browser.expect("#history", "1. c1xc2");
    // Only the files that the browser has cached.
    browser.run("location.reload()");
    browser.expect("#verdict", "loses in 4");
    browser.expect("#where", "The server cannot be reached");
    browser.click("#moves button");
    browser.expect("#verdict", "wins in 3");
    // The rules are available, too: why a piece of the other side cannot move, and whether a position is valid.
    let other = browser.run(
        "return [...document.querySelectorAll('#board .cell:not(.mine)')].find((cell) => cell.querySelector('.piece')).dataset.cell",
    );
    browser.click(&format!("[data-cell={}]", other.as_str().unwrap()));
    wait("a reason", || (!browser.text("#why").is_empty()).then_some(()));
    browser.click("#mode-setup");
    browser.expect("#legal", "A legal position");
}

#[test]
fn a_visitor_of_a_busy_server_searches_in_his_browser() {
    let Some((browser, _service)) = opened("/?game=flowish&position=start:5") else { return };
    let answered = || {
        let figures = browser.run("return fetch('/metrics').then((reply) => reply.text())");
        let count = |line: &str| line.rsplit_once(' ').map_or(0.0, |(_, number)| number.parse().unwrap());
        let lines =
            figures.as_str().unwrap().lines().filter(|line| line.starts_with("marquis_answers_total"));
        lines.map(count).sum::<f64>()
    };
    browser.expect("#chances-words", "Estimated");
    browser.click("#match summary");
    browser.click("#here");
    browser.expect("#where", "Searching in this browser");
    browser.expect("#chances-words", "Estimated");
    let before = answered();
    browser.click("#moves button");
    browser.expect("#turn", "Black to move");
    browser.expect("#pv", "Best line: ");
    assert_eq!(answered(), before, "the server was asked");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_server_without_the_search_offers_none() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/?game=squish&position=start:3");
    browser.expect("#verdict", "White to move: wins in 5 plies");
    let offered = browser.run("return fetch('/offline/').then((reply) => reply.json())");
    assert_eq!(offered, json!({"files": []}));
    drop(service);
    browser.click("#moves button");
    browser.expect("#trouble", "The service cannot be reached.");
    assert_eq!(browser.count("#here-label:not([hidden])"), 0);
}
