//! Studies whose jobs several ranks do, here threads: the verdict is that of one process, with a proof that holds.

use std::num::NonZeroU64;
use std::path::Path;
use std::thread;

use marquis_cluster::threads::ThreadPeer;
use marquis_cluster::{Peers, Rank, Ranks};
use marquis_core::{Bounds, Value};
use marquis_engine::study::{WorkPlace, as_rank_helper, with_rank_helpers};
use marquis_engine::{
    Control, Engine, EngineError, EngineOptions, Foregone, Limits, Query, StudyOptions, causes,
    check_proof_within,
};
use marquis_registry::official;
use marquis_wire::MemorySize;
use marquis_wire::ending::SearchEnd;
use marquis_wire::study::{StudyReport, WorkReport};

/// A position of Squinch that the player to move wins; takes seconds.
const WON: &str = "start:3x5";
const OTHER: &str = "start:3x4";

/// The study, as the first rank keeps it, and the work of the others.
struct Shared {
    kept: StudyReport,
    helped: Vec<Result<WorkReport, EngineError>>,
}

/// Runs a study of small jobs on three ranks.
///
/// * `nodes`: the limit of the study; `position`: by rank.
fn shared(folder: &Path, nodes: Option<u64>, position: impl Fn(Rank) -> &'static str + Sync) -> Shared {
    let engine = Engine::open(official(), EngineOptions::default()).expect("an engine").0;
    let squinch = official().game("squinch").expect("a game").id();
    let query = |rank| Query::new(squinch, position(rank));
    let limits = Limits { threads: Some(1), memory: Some(MemorySize(64 << 20)), ..Limits::default() };
    let keep = |peers: &dyn Peers| {
        let (folder, proof) = (folder.join("study"), Some(folder.join("proof")));
        let job_nodes = NonZeroU64::new(50).expect("some");
        let options = StudyOptions { job_nodes, proof, ..StudyOptions::in_folder(folder) };
        let limits = Limits { nodes, ..limits };
        let study = || engine.study(&query(Rank::FIRST), &options, &limits, &Control::none());
        with_rank_helpers(peers, &options.folder, study).expect("no rank is lost").expect("a study").0
    };
    let help = |peers: &dyn Peers| {
        let work = as_rank_helper(peers, |jobs| {
            engine.work_for_study(&query(peers.rank()), WorkPlace::Service(jobs), &limits, &Control::none())
        });
        work.expect("no rank is lost")
    };
    thread::scope(|scope| {
        let mut peers = ThreadPeer::some(Ranks::new(3).expect("some")).into_iter();
        let (first, help) = (peers.next().expect("the first rank"), &help);
        let helpers: Vec<_> = peers.map(|peer| scope.spawn(move || help(&peer))).collect();
        let kept = keep(&first);
        let helped = helpers.into_iter().map(|helper| helper.join().expect("no panic")).collect();
        Shared { kept, helped }
    })
}

#[test]
fn three_ranks_prove_what_one_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let Shared { kept, helped } = shared(folder.path(), None, |_| WON);
    assert_eq!((kept.value, kept.ended), (Some(Value::Win), Some(SearchEnd::Answered)));
    let helped: Vec<WorkReport> = helped.into_iter().map(|work| work.expect("work")).collect();
    let jobs: u64 = helped.iter().map(|work| work.jobs).sum();
    // A rank whose results do not arrive gets one job.
    assert!(jobs > 4 && jobs < kept.jobs, "{jobs} of {} jobs", kept.jobs);
    let file = folder.path().join("proof");
    let proof =
        check_proof_within(&official(), &file, Foregone::Believed, &Limits::default()).expect("it is read");
    assert_eq!((proof.refused, proof.claims.len()), (None, 1));
    assert_eq!(proof.claims[0].bounds, Bounds::exact(Value::Win));
}

#[test]
fn ranks_end_with_the_study_and_the_next_run_resumes_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let Shared { kept, helped } = shared(folder.path(), Some(2_000), |_| WON);
    assert_eq!((kept.value, kept.ended), (None, Some(SearchEnd::Nodes)));
    assert!(helped.iter().all(|work| work.as_ref().is_ok_and(|work| work.ended != SearchEnd::Answered)));
    let resumed = shared(folder.path(), None, |_| WON).kept;
    assert_eq!(resumed.value, Some(Value::Win));
    assert!(resumed.jobs > kept.jobs);
}

#[test]
fn a_rank_with_another_position_is_refused_by_name_and_the_others_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let position = |rank: Rank| if rank.index() == 2 { OTHER } else { WON };
    let Shared { kept, helped } = shared(folder.path(), None, position);
    assert_eq!(kept.value, Some(Value::Win));
    assert!(helped[0].is_ok());
    let refused = causes(helped[1].as_ref().expect_err("refused")).to_string();
    assert!(refused.contains("start all ranks alike") && refused.contains("squinch"), "{refused}");
}
