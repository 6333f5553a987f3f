//! Answers of all calls agree with each other: the small version of the example `answers`.

#[path = "../examples/answers/service.rs"]
mod service;

use marquis_registry::official;
use marquis_tests::answers::chunk::{Asking, Wanted};
use marquis_tests::answers::sources::Sources;
use marquis_tests::answers::tally::Tally;
use marquis_tests::answers::worlds::Worlds;

use self::service::Hosting;

/// Positions per chunk, which has one game and one kind of engine.
const SIZE: usize = 2;
/// Larger proof files take too long to load for a test.
const PROOF_BYTES: u64 = 20_000;

#[test]
fn what_is_known_without_a_search_reaches_every_answer() {
    let (registry, tables) = (official(), tempfile::tempdir().expect("a folder"));
    let worlds = Worlds::new(registry.clone(), tables.path(), PROOF_BYTES);
    let (sources, host, wanted) = (Sources::new(&registry), Hosting(registry), Wanted::default());
    let asking = Asking {
        worlds: &worlds,
        sources: &sources,
        host: Some(&host),
        program: None,
        budgets: &[0],
        long_every: 1,
        most_judged: 200,
    };
    let mut tally = Tally::default();
    for number in 0..(wanted.games.len() * wanted.worlds.len()) as u64 {
        tally.absorb(asking.chunk(20_261, number, SIZE, &wanted));
    }
    assert!(tally.positions() >= 60 && tally.answers() >= 350, "{}", tally.report());
    assert!(tally.faults().is_empty(), "{}", tally.report());
}
