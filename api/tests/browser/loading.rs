//! The page's messages about files that fail to load, and their placement.

use serde_json::Value;

use crate::driver::Browser;
use crate::shared::{Server, wait};

/// A page, and an element that it has once it is complete.
const PAGES: [(&str, &str); 3] =
    [("/?game=squish&position=start:3", "#verdict"), ("/docs/", "#docs section"), ("/studies/", "#studies")];

/// The paths of the scripts and styles of a page, as loaded by the browser.
fn files(browser: &Browser) -> Vec<String> {
    let loaded = browser.run(
        "return performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
            .filter((path) => /^\\/assets\\/.*\\.(js|css)$/.test(path) && !/worker|sw\\.js/.test(path))",
    );
    serde_json::from_value(loaded).unwrap()
}

/// The visible message about missing files.
fn said(browser: &Browser) -> String {
    let shown = browser.run(
        "const place = document.querySelector('#loading');
         const seen = place && !place.hidden && getComputedStyle(place).visibility === 'visible';
         return seen ? place.textContent : ''",
    );
    shown.as_str().unwrap().to_owned()
}

#[test]
fn a_page_of_which_any_file_is_missing_says_so() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    for (page, sign) in PAGES {
        browser.block(&[]);
        browser.visit(&service, page);
        wait("the page is there", || (browser.count(sign) > 0).then_some(()));
        assert_eq!(said(&browser), "", "{page} is whole");
        let files = files(&browser);
        assert_eq!(files.len(), 3, "{page}: {files:?}");
        for file in files {
            browser.block(&[&format!("*{file}")]);
            browser.visit(&service, page);
            let words = wait(&format!("{page} says that {file} is missing"), || {
                Some(said(&browser)).filter(|words| !words.is_empty())
            });
            // The message offers a retry.
            assert!(words.contains("load it again"), "{words}");
            let name = file.rsplit('/').next().unwrap();
            assert!(words.contains(name), "{file}: {words}");
        }
    }
    browser.block(&["*/assets/style.css"]);
    browser.visit(&service, "/rules/squish");
    wait("the rules say so, too", || said(&browser).contains("style.css").then_some(()));
}

#[test]
fn a_board_is_there_after_five_requests() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    for page in ["/", "/?game=squish&position=start:3", "/?game=senet"] {
        browser.visit(&service, page);
        let loaded = wait("the board is there", || {
            // What begins after the first answer is not needed for the board.
            let loaded = browser.run(
                "const requests = performance.getEntriesByType('resource')
                     .map(({ name, startTime, responseEnd }) => ({ path: new URL(name).pathname, startTime, responseEnd }));
                 const answered = requests.find(({ path }) => path.startsWith('/v1/'))?.responseEnd;
                 const needed = requests.filter(({ path, startTime }) => startTime < answered && !path.endsWith('icon.svg'));
                 return document.querySelector('#board [data-cell]') ? needed.map(({ path }) => path) : []",
            );
            Some(loaded.as_array().unwrap().clone()).filter(|requested| !requested.is_empty())
        });
        // The page itself is one more.
        assert!(loaded.len() < 5, "{page}: {loaded:?}");
    }
}

#[test]
fn a_page_opens_for_a_client_who_may_ask_ten_times_a_second() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|config| (config.client_rate, config.client_burst) = (10, 20));
    for page in ["/?game=squish&position=start:3", "/?game=senet", "/?game=swish&view=gallery", "/docs/"] {
        browser.visit(&service, page);
        let sign = if page == "/docs/" { "#docs section" } else { "#games a" };
        wait("the page is there", || (browser.count(sign) > 0).then_some(()));
        assert_eq!(said(&browser), "", "{page}");
    }
    browser.visit(&service, "/?game=squish&position=start:3");
    browser.expect("#verdict", "White to move: wins in 5 plies");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The horizontal extent of the board: left side and width.
fn board(browser: &Browser) -> Value {
    browser.run(
        "const { left, width } = document.querySelector('#table').getBoundingClientRect();
         return [left, width].map(Math.round)",
    )
}

#[test]
fn a_message_stands_above_the_board_and_moves_nothing_beside_it() {
    for open in [|| Browser::open(1280, 900), Browser::phone] {
        let Some(browser) = open() else { return };
        let service = Server::start(|_| {});
        browser.visit(&service, "/?game=squish&position=start:3");
        browser.expect("#verdict", "White to move: wins in 5 plies");
        let before = board(&browser);
        for page in
            ["/?game=squish&position=garbage", "/?game=chess", "/?game=squish&moves=a1-a9&from=start:3"]
        {
            browser.visit(&service, page);
            wait("a message", || (browser.count("#trouble:not([hidden])") > 0).then_some(()));
            let places = browser.run(
                "const box = (css) => document.querySelector(css).getBoundingClientRect();
                 const [message, main, table] = ['#trouble', 'main', '#table'].map(box);
                 return [message.bottom <= table.top, message.left <= main.left, message.right >= main.right]",
            );
            assert_eq!(places, serde_json::json!([true, true, true]), "{page}");
            assert_eq!(board(&browser), before, "{page}");
        }
        // No message is part of the grid with the board and its neighbours.
        let inside = browser.run(
            "return [...document.querySelectorAll('main:not(.page) > *')]
                .filter((part) => ['alert', 'status'].includes(part.getAttribute('role')) || part.matches('.notice, .trouble'))
                .map(({ id }) => id)",
        );
        assert_eq!(inside, serde_json::json!([]));
    }
}

/// The number of answers of the service that did not come from its cache.
fn made_anew(browser: &Browser) -> u64 {
    let figures = browser.run("return fetch('/metrics').then((reply) => reply.text())");
    let of_answers =
        figures.as_str().unwrap().lines().filter(|line| line.starts_with("marquis_answers_total{"));
    let anew = of_answers.filter(|line| !line.contains("\"cache\""));
    anew.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum()
}

#[test]
fn a_second_visit_to_the_front_page_searches_nothing() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let service = Server::start(|_| {});
    let mut searched = Vec::new();
    for _ in 0..2 {
        browser.visit(&service, "/rules/squish");
        let before = made_anew(&browser);
        browser.visit(&service, "/");
        browser.expect("#ended", "Solved: White wins.");
        wait("more can be asked for", || {
            let can = browser.run("return !document.querySelector('#think').disabled");
            can.as_bool().unwrap().then_some(())
        });
        let looked_up = browser.run(
            "return performance.getEntriesByType('resource').filter(({ name }) => name.includes('budget_ms=0')).length",
        );
        // Look-ups may be cached from an earlier visit, too.
        searched.push((made_anew(&browser) - before).saturating_sub(looked_up.as_u64().unwrap()));
    }
    assert_eq!(searched, [1, 0]);
}
