//! The studies of a service: the list, a tree to browse, and the link to the board.

use std::num::NonZeroU64;
use std::path::Path;

use marquis_core::GameId;
use marquis_engine::{Control, Engine, EngineOptions, Limits, Query, StudyOptions};
use marquis_registry::official;

use super::accessible::{check, checker};
use super::driver::Browser;
use super::shared::{Server, wait};

/// Studies a loss for White in 12 plies, limited to `nodes` positions.
fn study(folder: &Path, nodes: Option<u64>) {
    let engine = Engine::open(official(), EngineOptions::default()).unwrap().0;
    let query = Query::new(GameId::new("swish"), "w1w/4/1ooo1/4/b1b w 0-0 2".to_owned());
    let job_nodes = NonZeroU64::new(100).unwrap();
    let options = StudyOptions { job_nodes, ..StudyOptions::in_folder(folder.to_owned()) };
    let limits = Limits { nodes, threads: Some(1), ..Limits::default() };
    engine.study(&query, &options, &limits, &Control::none()).unwrap();
}

#[test]
fn a_study_is_looked_through_while_it_grows() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("small");
    study(&own, Some(2000));
    let studies = folder.path().to_owned();
    let service = Server::start(|config| config.studies = Some(studies));
    browser.visit(&service, "/?game=swish");
    wait("a link to the studies", || {
        (browser.run("return document.querySelector('#studies').hidden") == false).then_some(())
    });
    browser.click("#studies a");
    browser.expect("#studies td", "small");
    browser.click("#studies td a");
    browser.expect("#study-title", "Swish: small");
    browser.expect("#known", "White to move: not known");
    let moves = browser.count("#tree > li > details > ol > li");
    assert!(moves > 5, "{moves}");
    if let Some(script) = checker() {
        check(&browser, &script, "a study");
    }
    // Nodes that the visitor closes stay closed, and new results appear automatically.
    browser.click("#tree > li > details > summary");
    study(&own, None);
    browser.expect("#known", "White to move: loses");
    browser.expect("#effort", "Ended: done.");
    assert_eq!(browser.run("return document.querySelector('#tree > li > details').open"), false);
    browser.click("#tree > li > details > summary");
    let chips = browser.count("#tree > li > details > ol > li > .step .chip.loss");
    assert_eq!(chips, browser.count("#tree > li > details > ol > li"), "every move of White loses");
    browser.click("#tree > li > details > ol > li:nth-child(2) > .step a");
    browser.expect("#turn", "Black to move");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_service_without_studies_says_so_and_links_to_none() {
    let Some(browser) = Browser::phone() else { return };
    let service = Server::start(|_| {});
    browser.visit(&service, "/studies/");
    browser.expect("#studies", "This service shows no studies");
    browser.visit(&service, "/studies/?study=nothing");
    browser.expect("#trouble", "no study `nothing` is shown");
}
