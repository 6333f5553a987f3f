//! The attempts at the bounds of a layer: stops, estimates, and failed attempts.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use marquis_engine::{Control, EngineError, Limits, Progress};
use marquis_games::senet::SenetLayer;

use crate::senet::SolveSession;
use crate::senet::bundle::{BundleSolver, ESTIMATE_SHARE, Storage};
use crate::senet::solving::{Edges, PlacementTables, SwapPair, layouts};

use super::judge::agrees_with_the_judge;
use super::{Folder, build, with_work};

#[test]
fn a_build_that_was_stopped_goes_on_where_it_was() {
    let folder = Folder::new("stopped");
    let (stop, sweeps) = (AtomicBool::new(false), AtomicU32::new(0));
    let count = |limit: u32, progress: &Progress| {
        if progress.phase.contains("2v2, sweep") && sweeps.fetch_add(1, Relaxed) + 1 == limit {
            stop.store(true, Relaxed);
        }
    };
    let control = Control::new(&stop, |progress| count(30, progress));
    assert!(matches!(build("2v2", &folder.0, &control), Err(EngineError::Interrupted)));
    let kept = || {
        let files = std::fs::read_dir(folder.0.join("senet")).expect("listed").flatten();
        files.filter(|file| file.path().to_string_lossy().ends_with(".checkpoint")).count()
    };
    assert!(kept() > 0);
    stop.store(false, Relaxed);
    let before = sweeps.load(Relaxed);
    let control = Control::new(&stop, |progress| count(u32::MAX, progress));
    assert_eq!(build("2v2", &folder.0, &control).expect("built"), 4);
    assert_eq!(kept(), 0);

    let resumed = sweeps.load(Relaxed) - before;
    let fresh = Folder::new("fresh");
    build("2v2", &fresh.0, &control).expect("built");
    let whole = sweeps.load(Relaxed) - before - resumed;
    assert!(resumed + 10 < whole, "{resumed} sweeps after 30, and {whole} in one go");
    assert_eq!(agrees_with_the_judge(&folder, "wbwb6/10/10 b"), 122_850);
}

/// Counts the starts of sweeps over bounds.
fn count_attempts(what: &str, begun: &AtomicU32) {
    if what.contains("sweep 1 of the bounds") {
        begun.fetch_add(1, Relaxed);
    }
}

#[test]
fn estimates_lead_to_bounds_at_the_first_attempt() {
    let folder = Folder::new("attempts");
    let (stop, begun) = (AtomicBool::new(false), AtomicU32::new(0));
    let control = Control::new(&stop, |progress: &Progress| count_attempts(&progress.phase, &begun));
    build("2v2", &folder.0, &control).expect("built");
    assert_eq!(begun.load(Relaxed), 3, "one for 1v1, one for 2v1 with its swap, one for 2v2");
}

/// Solves one piece each into a folder; returns the number of starts of sweeps over bounds.
fn attempts_at_one_each(folder: &Folder, goal: f64, share: f64) -> u32 {
    let begun = AtomicU32::new(0);
    let bundle = SwapPair { layer: SenetLayer { mover: 1, opponent: 1 } };
    let (sides, edges) = (PlacementTables::new(1), Edges::new());
    let layouts = layouts(&sides, bundle);
    with_work(folder, &|what| count_attempts(what, &begun), |work| {
        let session = SolveSession { work, sides: &sides };
        let (order, ground) = (bundle.order(), Storage::Memory);
        let solving = BundleSolver {
            session: &session,
            bundle,
            goal,
            share,
            layouts: &layouts,
            edges: &edges,
            order,
            ground,
        };
        solving.run().expect("solved");
    });
    begun.load(Relaxed)
}

#[test]
fn bounds_are_found_without_guesses_where_these_never_prove_themselves() {
    let folder = Folder::new("without");
    // No room for a guess: its error would have to be negative.
    let attempts = attempts_at_one_each(&folder, 0.0, ESTIMATE_SHARE);
    assert_eq!(attempts, 4, "three guesses, and then bounds from 0 and 1");
    assert_eq!(agrees_with_the_judge(&folder, "wb8/10/10 b"), 756);
    let report = folder.engine().verify(&folder.0, None, &Limits::default(), &Control::none());
    assert_eq!(report.expect("verified").proved.len(), 1);
}

#[test]
fn estimates_that_are_not_good_enough_are_given_up_and_bounds_are_found_all_the_same() {
    let folder = Folder::new("poor");
    // The estimates may be off by a thousand times the tolerance of the bounds around them, and then by less.
    assert_eq!(attempts_at_one_each(&folder, 1e-12, 1e3), 4, "three guesses, and then bounds from 0 and 1");
    assert_eq!(agrees_with_the_judge(&folder, "wb8/10/10 b"), 756);
}
