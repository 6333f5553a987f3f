//! Answers of all calls agree with each other: the small version of the example `answers`.

#[path = "../examples/answers/service.rs"]
mod service;

use marquis_registry::official;
use marquis_tests::answers::chunk::{Asking, Wanted};
use marquis_tests::answers::sources::Sources;
use marquis_tests::answers::tally::Tally;
use marquis_tests::answers::worlds::Worlds;

use self::service::Hosting;

/// Positions that are drawn for each game and kind of engine.
const SIZE: usize = 1;
/// Larger proof files take longer to load than a test may.
const PROOF_BYTES: u64 = 20_000;

#[test]
fn whatever_is_proved_reaches_every_answer() {
    let (registry, tables) = (official(), tempfile::tempdir().expect("a folder"));
    let worlds = Worlds::new(registry.clone(), tables.path(), PROOF_BYTES);
    let (sources, host, wanted) = (Sources::new(&registry), Hosting(registry), Wanted::default());
    let asking = Asking {
        worlds: &worlds,
        sources: &sources,
        host: Some(&host),
        program: None,
        budgets: &[0, 10],
        long_every: 1,
        most_judged: 200,
    };
    let mut tally = Tally::default();
    for number in 0..(wanted.games.len() * wanted.worlds.len()) as u64 {
        tally.absorb(asking.chunk(20_261, number, SIZE, &wanted));
    }
    assert!(tally.positions() >= 60 && tally.answers() >= 1_500, "{}", tally.report());
    assert!(tally.faults().is_empty(), "{}", tally.report());
}
