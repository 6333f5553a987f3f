//! Answers of all calls agree with each other: the small version of the example `answers`.

#[path = "../examples/answers/service.rs"]
mod service;

use marquis_registry::official;
use marquis_tests::answers::chunk::{Asking, Wanted};
use marquis_tests::answers::sources::Sources;
use marquis_tests::answers::tally::Tally;
use marquis_tests::answers::worlds::{World, Worlds};

use self::service::Hosting;

/// Positions per chunk, which has one game and one kind of engine.
const SIZE: usize = 2;
/// Larger proof files take too long to load for a test.
const PROOF_BYTES: u64 = 20_000;

/// The findings about `size` drawn positions a chunk, and about named ones, one chunk for each game and world.
fn tally(budget: u64, size: usize, wanted: &Wanted) -> Tally {
    let (registry, tables) = (official(), tempfile::tempdir().expect("a folder"));
    let worlds = Worlds::new(registry.clone(), tables.path(), PROOF_BYTES);
    let (sources, host) = (Sources::new(&registry), Hosting(registry));
    let asking = Asking {
        worlds: &worlds,
        sources: &sources,
        host: Some(&host),
        program: None,
        budgets: &[budget],
        long_every: 1,
        most_judged: 200,
    };
    let mut tally = Tally::default();
    for number in 0..(wanted.games.len() * wanted.worlds.len()) as u64 {
        tally.absorb(asking.chunk(20_261, number, size, wanted));
    }
    tally
}

#[test]
fn what_is_known_without_a_search_reaches_every_answer() {
    let tally = tally(0, SIZE, &Wanted::default());
    assert!(tally.positions() >= 60 && tally.answers() >= 350, "{}", tally.report());
    assert!(tally.faults().is_empty(), "{}", tally.report());
}

/// Swish and Squeeze, whose searches are quick.
#[test]
fn what_a_short_search_finds_reaches_every_answer() {
    let wanted = Wanted { games: vec!["swish", "squeeze"], worlds: vec![World::Plain, World::Bare] };
    let tally = tally(4, SIZE, &wanted);
    assert!(tally.positions() >= 10 && tally.answers() >= 100, "{}", tally.report());
    assert!(tally.faults().is_empty(), "{}", tally.report());
}
