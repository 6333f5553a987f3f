//! The highest level never chooses a move by alphabetical order if another one looks better.

use marquis_engine::{BookUse, EngineOptions};
use marquis_registry::official;
use marquis_tests::answers::asked::{advise, engine, probe, solve};
use marquis_tests::answers::book::Book;
use marquis_tests::answers::case::{Budget, Case};
use marquis_tests::answers::document::{Document, Move};
use marquis_tests::games;
use marquis_tests::reference::Immobile;

/// The limit of a move.
const BUDGET: Budget = Budget::Nodes(5_000);
/// Estimates that differ by less are considered equal.
const CLOSE: f64 = 0.02;

/// The estimate of a move in a document about its position; `None` if the move is proved there.
fn estimate(document: &Document, text: &str) -> Option<f64> {
    document.of_move(text)?.verdict.estimate
}

#[test]
fn no_position_of_the_book_is_played_by_the_alphabet() {
    let registry = official();
    let informed = engine(&registry, &EngineOptions::default()).expect("an engine");
    let bare = EngineOptions { book: BookUse::LeftAlone, ..EngineOptions::default() };
    let bare = engine(&registry, &bare).expect("an engine without the book");
    let book = Book::read();
    let (mut asked, mut ranked) = (0, 0);
    for game in games::without_throws() {
        for entry in book.of(game) {
            let case =
                Case { game, immobile: Immobile::Loss, position: entry.position.clone(), origin: "book" };
            let advice = advise(&informed, &case, 8, None, BUDGET).expect("an answer");
            let document = Document::read(&advice["answer"]).expect("a document");
            let chosen =
                document.of_move(advice["move"].as_str().expect("a move")).expect("one of its moves");
            let known = |own: &Move| (own.verdict.value, own.verdict.plies, own.verdict.plies_bounds);
            // Equal plies are an exact tie.
            let is_tied = |own: &&Move| own.verdict.plies.is_none() && known(own) == known(chosen);
            let tied: Vec<&Move> = document.listed().iter().filter(is_tied).collect();
            asked += 1;
            if tied.len() < 2 {
                continue;
            }
            ranked += 1;
            if tied.iter().any(|own| own.text < chosen.text) {
                continue;
            }
            // The chosen move is alphabetically first: it must look best statically or after a search.
            let looks = [probe(&bare, &case.query()), solve(&bare, &case, BUDGET)];
            let looks = looks.map(|json| Document::read(&json.expect("an answer")).expect("a document"));
            let is_best = |look: &Document| {
                let own = estimate(look, &chosen.text);
                let others = tied.iter().filter_map(|own| estimate(look, &own.text));
                own.is_none_or(|own| others.fold(own, f64::max) - own <= CLOSE)
            };
            assert!(looks.iter().any(is_best), "{game} {}: {}", entry.position, chosen.text);
        }
    }
    assert!(asked > 80 && ranked > 20, "{ranked} of {asked} positions have moves that are worth the same");
}
