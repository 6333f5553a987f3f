//! Tables and races of Squinch through the public interface.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use marquis_core::GameId;
use marquis_engine::tables::{CHECKPOINT_EVERY, generate};
use marquis_engine::{
    Among, BuildQuery, ClaimsQuery, Control, Engine, EngineOptions, Limits, Query, check_proof,
};
use marquis_registry::official;
use marquis_wire::answer::{Answer, ExactAnswer, Proof};
use marquis_wire::words::word;
use tempfile::TempDir;

use crate::files;

const SQUINCH: GameId = GameId::new("squinch");

/// A folder of tables.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder for temporary files"))
    }

    fn engine(&self) -> Engine {
        let options = EngineOptions { tables: vec![self.0.path().to_owned()], ..EngineOptions::default() };
        let (engine, problems) = Engine::open(official(), options).expect("the folder can be read");
        assert!(problems.is_empty(), "{problems:?}");
        engine
    }

    /// Builds everything from a position; returns the number of layers that were kept.
    fn build(&self, from: &str) -> usize {
        let query = BuildQuery { from: Some(from.to_owned()), ..BuildQuery::new(SQUINCH) };
        let none = Control::none();
        generate(&official(), &query, self.0.path(), CHECKPOINT_EVERY, &Limits::default(), &none)
            .expect("built")
            .kept
    }

    fn tables(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        files(&self.0.path().join("squinch-3x3"))
    }
}

fn exact(answer: Answer) -> ExactAnswer {
    match answer {
        Answer::Exact(answer) => answer,
        Answer::Chance(_) => panic!("Squinch has no throws"),
    }
}

fn solve(engine: &Engine, position: &str, limits: &Limits) -> ExactAnswer {
    exact(engine.solve(&Query::new(SQUINCH, position), limits, &Control::none()).expect("answered"))
}

#[test]
fn layers_taken_from_files_make_the_same_layers_as_those_in_memory() {
    let (whole, parts) = (Folder::new(), Folder::new());
    assert_eq!(whole.build("start:3x3"), 0);
    // Unused indices in files have arbitrary values, which must not matter.
    for (from, kept) in [("w2,2/3/2,r1 r", 0), ("w2,2/3/1,r1,r1 r", 7), ("start:3x3", 8)] {
        assert_eq!(parts.build(from), kept, "{from}");
    }
    assert!(whole.tables() == parts.tables());
    let verified =
        whole.engine().verify(whole.0.path(), None, &Limits::default(), &Control::none()).expect("verified");
    assert_eq!((verified.faults, verified.files), (Vec::new(), 15));
}

#[test]
fn tables_answer_as_the_exhaustive_solver_does() {
    let folder = Folder::new();
    folder.build("start:3x3");
    let (with, without) = (folder.engine(), Folder::new().engine());
    for position in ["start:3x3", "w2,1,r1/3/r1,w1,1 w", "3/w1,w1,w1/r1,1,r1 r", "w3,2/3/2,r1 r"] {
        let (by_table, searched) =
            (solve(&with, position, &Limits::default()), solve(&without, position, &Limits::default()));
        assert_eq!((by_table.verdict.proof, searched.verdict.proof), (Proof::Table, Proof::Search));
        let plain = |answer: &ExactAnswer| {
            let moves = answer.moves.iter().map(|mv| (mv.mv.clone(), mv.verdict.value, mv.verdict.plies));
            (answer.verdict.value, answer.verdict.plies, moves.collect::<Vec<_>>())
        };
        assert_eq!(plain(&by_table), plain(&searched), "{position}");
    }
}

#[test]
fn all_claims_hold_in_all_positions_of_the_tables() {
    let folder = Folder::new();
    folder.build("start:3x3");
    let query = ClaimsQuery { game: SQUINCH, position: "start:3x3".to_owned(), among: Among::Tables };
    let report = folder.engine().claims(&query, &Limits::default(), &Control::none()).expect("checked");
    assert_eq!(report.claims.len(), 4);
    for claim in report.claims {
        assert_eq!(claim.holds, Some(true), "{}: {}", claim.claim, claim.evidence);
    }
}

const RACE: &str = "8/r2,1,r1,r3,4/8/8/w2,2,w1,w2,3/8/8/8 r";

#[test]
fn a_race_on_the_full_board_is_answered_at_once_with_plies() {
    let limits = Limits { time: Some(Duration::from_millis(1000)), ..Limits::default() };
    let answer = solve(&Folder::new().engine(), RACE, &limits);
    assert_eq!((word(answer.verdict.value), answer.verdict.plies), ("win", Some(17)));
    assert!(answer.moves.iter().all(|mv| mv.verdict.plies.is_some()));
}

#[test]
fn a_proof_rests_on_no_race_that_whoever_checks_it_would_have_to_believe() {
    let folder = Folder::new();
    let query = Query::new(SQUINCH, "r1,r1,1/3/w2,1,w1 w");
    let file = &folder.0.path().join("race.proof");
    let engine = folder.engine();
    engine.solve_with_proof(&query, &Limits::default(), &Control::none(), file).expect("proved");
    let report = check_proof(&official(), file).expect("a proof file");
    assert_eq!(report.refused, None);
    assert!(!report.claims.is_empty());
}
