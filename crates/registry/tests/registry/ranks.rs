//! Builds by several ranks, here threads: the files equal those of one process, and all ranks understand how the
//! build ends.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use marquis_cluster::threads::ThreadPeer;
use marquis_cluster::{Error, Peers, Rank, Ranks};
use marquis_engine::tables::{NumberedBuild, RankTeam};
use marquis_engine::{BuildQuery, Control, EngineError, Limits, Progress};
use marquis_registry::official;
use marquis_wire::MemorySize;
use marquis_wire::reports::BuildReport;

use crate::files;

/// Some layers with two large ones, which all ranks solve together.
fn joint() -> BuildQuery {
    query("squish", "3v2", 4)
}

fn query(game: &str, pieces: &str, side: u8) -> BuildQuery {
    let id = official().game(game).unwrap().id();
    BuildQuery { side: Some(side), pieces: Some(pieces.to_owned()), ..BuildQuery::new(id) }
}

type Built = Result<BuildReport, EngineError>;

/// Runs `one` on each rank and returns the results.
fn among(count: u32, one: impl Fn(&dyn Peers) -> Built + Sync) -> Vec<Built> {
    thread::scope(|scope| {
        let one = &one;
        let start = |peer: ThreadPeer| scope.spawn(move || one(&peer));
        let running: Vec<_> = ThreadPeer::some(Ranks::new(count).unwrap()).into_iter().map(start).collect();
        running.into_iter().map(|rank| rank.join().unwrap()).collect()
    })
}

/// Runs one rank of a build that can be stopped.
fn run(peers: &dyn Peers, query: &BuildQuery, out: &Path, program: &str, control: &Control<'_>) -> Built {
    let registry = official();
    let limits = Limits { threads: Some(1), memory: Some(MemorySize(1 << 30)), ..Limits::default() };
    let build = NumberedBuild::new(&registry, query, out, Duration::ZERO)?;
    build.run_among(&limits, control, RankTeam { peers, program, asked: "the same" })
}

fn ranks(count: u32, query: &BuildQuery, out: &Path) -> Vec<Built> {
    among(count, |peers| run(peers, query, out, "1", &Control::none()))
}

fn whole(query: &BuildQuery) -> BTreeMap<PathBuf, Vec<u8>> {
    let out = tempfile::tempdir().unwrap();
    run(&marquis_cluster::Alone, query, out.path(), "1", &Control::none()).unwrap();
    files(out.path())
}

/// More slots than the remainders of divisions among a few ranks.
const REST: u64 = 100;

fn slots(query: &BuildQuery, out: &Path) -> u64 {
    NumberedBuild::new(&official(), query, out, Duration::ZERO).unwrap().plan().unwrap().slots
}

#[test]
fn ranks_write_the_files_of_one_process_and_tell_what_each_did() {
    for query in [joint(), query("flowish", "4v4", 3), query("squish", "3v3", 3)] {
        let expected = whole(&query);
        for count in [1, 2, 3, 5] {
            let out = tempfile::tempdir().unwrap();
            let built: Vec<_> = ranks(count, &query, out.path()).into_iter().map(Result::unwrap).collect();
            assert!(files(out.path()) == expected, "{query:?} differs with {count} ranks");
            assert!(built.iter().all(|report| report.ranks == built[0].ranks));
            let told = &built[0].ranks;
            assert_eq!(told.len() as u32, if count == 1 { 0 } else { count });
            assert!(told.iter().zip(0..).all(|(own, rank)| own.rank == rank), "{told:?}");
            // For layers solved together each rank counts its share, without the remainder of the division.
            let (sum, all) = (told.iter().map(|own| own.slots).sum::<u64>(), slots(&query, out.path()));
            assert!(count == 1 || sum <= all && all < sum + REST, "{all} slots, {told:?}");
        }
    }
}

#[test]
fn ranks_of_different_versions_are_refused_by_name() {
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().join("t");
    let built = among(3, |peers| {
        let version = if peers.rank() == Rank(2) { "0.2.0" } else { "0.1.0" };
        run(peers, &joint(), &folder, version, &Control::none())
    });
    for end in built {
        let Err(EngineError::Ranks(Error::Differs { what, expected, rank, found, .. })) = end else {
            panic!("{end:?}")
        };
        assert_eq!((what.as_str(), rank), ("the version of the program", Rank(2)));
        assert_eq!((expected.as_str(), found.as_str()), ("0.1.0", "0.2.0"));
    }
    assert!(!folder.exists(), "nothing was started");
}

/// The number of the report, on layers that all ranks solve together, at which one of them is stopped.
///
/// There is one report before the first look (or before the first step after resuming), and one before each ply. The
/// longest loss is in ten.
const STOP_IN: usize = 4;

#[test]
fn when_one_rank_is_stopped_all_are_and_others_go_on() {
    let expected = whole(&joint());
    let out = tempfile::tempdir().unwrap();
    for (count, odd) in [(2, 1), (3, 0)] {
        let built = among(count, |peers| {
            let (stop, reports, is_odd) =
                (AtomicBool::new(false), AtomicUsize::new(0), peers.rank() == Rank(odd));
            let control = Control::new(&stop, |progress: &Progress| {
                let is_joint = progress.phase.ends_with(" ranks");
                if is_odd && is_joint && reports.fetch_add(1, Relaxed) + 1 == STOP_IN {
                    stop.store(true, Relaxed);
                }
            });
            run(peers, &joint(), out.path(), "1", &control)
        });
        let is_stopped = |end: &Built| matches!(end, Err(EngineError::Interrupted));
        assert!(built.iter().all(is_stopped), "{count} ranks: {built:?}");
    }
    assert!(ranks(4, &joint(), out.path()).iter().all(Result::is_ok));
    assert!(files(out.path()) == expected);
}
