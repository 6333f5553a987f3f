//! Half builds, whose other tables are left out because they follow one ply ahead, compared with whole builds.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use marquis_core::GameId;
use marquis_engine::tables::{CHECKPOINT_EVERY, generate};
use marquis_engine::{BuildQuery, Control, Engine, EngineError, EngineOptions, Limits, Query, WrittenLayers};
use marquis_registry::official;
use marquis_table::file::{self, Repacked};
use marquis_table::{BlockCache, Error, LayerPlan, StreamHeader, StreamPlan, TableFile, Width};
use marquis_wire::answer::{Answer, ExactAnswer, Proof};
use marquis_wire::reports::VerifyReport;
use tempfile::TempDir;

/// A small build of each game whose layers follow from each other, and a position to start from.
fn builds() -> [(BuildQuery, &'static str); 4] {
    let game = |name| BuildQuery::new(GameId::new(name));
    let unified = |name| BuildQuery { side: Some(3), pieces: Some("3v3".to_owned()), ..game(name) };
    let beads = |name| BuildQuery { from: Some("w1w/4/1ooo1/4/b1b".to_owned()), ..game(name) };
    [
        (unified("squish"), "b1w/4/w3b/4/w1b w"),
        (unified("flowish"), "b1w/4/w3b/4/w1b w"),
        (beads("swish"), "w1w/4/1ooo1/4/b1b w 0-0 2"),
        (beads("squeeze"), "w1w/4/1ooo1/4/b1b w 0-0 2"),
    ]
}

fn built(query: &BuildQuery, extent: WrittenLayers, folder: &Path) -> Result<(), EngineError> {
    let query = BuildQuery { extent, ..query.clone() };
    let limits = Limits { threads: Some(2), ..Limits::default() };
    generate(&official(), &query, folder, CHECKPOINT_EVERY, &limits, &Control::none()).map(|_| ())
}

fn folder_with(query: &BuildQuery, extent: WrittenLayers) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    built(query, extent, folder.path()).expect("built");
    folder
}

/// The tables of a folder, relative to it, with their bytes.
fn tables(folder: &Path) -> Vec<(PathBuf, u64)> {
    let inside = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let inside = inside.filter(|path| path.is_dir()).flat_map(|path| fs::read_dir(path).expect("a folder"));
    let size = |entry: fs::DirEntry| {
        let path = entry.path().strip_prefix(folder).expect("inside").to_owned();
        (path, entry.metadata().expect("a file").len())
    };
    let mut tables: Vec<_> = inside.map(|entry| size(entry.expect("an entry"))).collect();
    tables.retain(|(path, _)| path.extension().is_some_and(|end| end == "mqt"));
    tables.sort();
    tables
}

fn opened(folder: &Path) -> (Engine, Vec<EngineError>) {
    let tables = vec![folder.to_owned()];
    let cache_bytes = 16 << 20;
    Engine::open(official(), EngineOptions { tables, cache_bytes, ..EngineOptions::default() })
        .expect("opened")
}

fn verified(folder: &Path) -> VerifyReport {
    let engine = Engine::open(official(), EngineOptions::default()).expect("opened").0;
    engine.verify(folder, None, &Limits::default(), &Control::none()).expect("verified")
}

fn probed(engine: &Engine, game: GameId, position: &str) -> ExactAnswer {
    let Answer::Exact(answer) = engine.probe(&Query::new(game, position)).expect(position) else {
        panic!("no throws in this game")
    };
    answer
}

fn table(path: &Path) -> TableFile {
    file::open(path, &Arc::new(BlockCache::new(0))).expect("a table")
}

/// Removes the cells of a table.
fn leave_out(path: &Path) {
    let ahead = |stream: &StreamHeader| Some(Repacked::ahead(stream));
    file::repack(&table(path), path, ahead, &|_| {}).expect("written");
}

#[test]
fn half_of_the_tables_answer_as_all_of_them_do() {
    for (query, start) in builds() {
        let (whole, half) =
            (folder_with(&query, WrittenLayers::Whole), folder_with(&query, WrittenLayers::Half));
        let (all, few) = (opened(whole.path()).0, opened(half.path()).0);
        let (mut seen, mut open) = (BTreeSet::new(), vec![start.to_owned()]);
        while let Some(position) = open.pop().filter(|_| seen.len() < 3000) {
            let expected = probed(&all, query.game, &position);
            let found = probed(&few, query.game, &position);
            let text = |answer: &ExactAnswer| serde_json::to_string(answer).expect("an answer");
            assert_eq!(text(&found), text(&expected), "{} {position}", query.game);
            assert!(expected.over.is_some() || expected.verdict.proof == Proof::Table, "{position}");
            let after = expected.moves.into_iter().map(|mv| mv.position);
            open.extend(after.filter(|next| seen.insert(next.clone())));
        }
        assert!(seen.len() > 100, "{}: {}", query.game, seen.len());
    }
}

#[test]
fn half_of_the_tables_are_as_many_as_all_and_say_the_same_of_themselves() {
    for (query, _) in builds() {
        let (whole, half) =
            (folder_with(&query, WrittenLayers::Whole), folder_with(&query, WrittenLayers::Half));
        let manifest = |folder: &Path| fs::read_to_string(folder.join("MANIFEST.tsv")).expect("a list");
        assert_eq!(manifest(half.path()), manifest(whole.path()), "the hashes are those of all cells");
        let bytes = |folder: &Path| tables(folder).iter().map(|(_, bytes)| bytes).sum::<u64>();
        let (few, all) = (bytes(half.path()), bytes(whole.path()));
        assert!(few < all, "{}: {few} of {all} bytes", query.game);
        let (few, all) = (verified(half.path()), verified(whole.path()));
        assert_eq!((few.faults, few.files, few.entries), (vec![], all.files, all.entries), "{}", query.game);
        built(&query, WrittenLayers::Half, whole.path()).expect("finished");
        assert_eq!(
            tables(whole.path()),
            tables(half.path()),
            "existing tables are finished in the other form"
        );
        built(&query, WrittenLayers::Whole, half.path()).expect("nothing to do");
        assert_eq!(
            tables(whole.path()),
            tables(half.path()),
            "nothing is written out that was not asked for"
        );
    }
}

#[test]
fn a_larger_build_goes_on_from_half_of_the_tables() {
    let (query, _) = builds().into_iter().next().expect("a build");
    let larger = BuildQuery { pieces: Some("5v3".to_owned()), ..query.clone() };
    for extent in [WrittenLayers::Half, WrittenLayers::Whole] {
        let (direct, later) = (folder_with(&larger, extent), folder_with(&query, WrittenLayers::Half));
        built(&larger, extent, later.path()).expect("built");
        let content = |folder: &Path| {
            let read = |(path, _): &(PathBuf, u64)| fs::read(folder.join(path)).expect("a file");
            tables(folder).iter().map(read).collect::<Vec<_>>()
        };
        assert!(content(later.path()) == content(direct.path()), "{extent:?}");
    }
}

#[test]
fn a_table_without_cells_that_nothing_tells_is_left_out_and_a_fault() {
    let (query, _) = builds().into_iter().next().expect("a build");
    let folder = folder_with(&query, WrittenLayers::Whole);
    leave_out(&folder.path().join("squish-s3/02v03.mqt"));
    let problems = opened(folder.path()).1;
    assert!(problems.len() == 1 && problems[0].to_string().contains("02v03"), "{problems:?}");
    assert!(verified(folder.path()).faults.iter().any(|fault| fault.contains("02v03")));
}

#[test]
fn where_the_tables_that_tell_are_missing_there_is_no_answer_and_a_fault() {
    let (query, _) = builds().into_iter().next().expect("a build");
    let folder = folder_with(&query, WrittenLayers::Half);
    fs::remove_file(folder.path().join("squish-s3/02v03.mqt")).expect("a file");
    let position = "w1b/w3/5/4/b1w w";
    assert_eq!(probed(&opened(folder.path()).0, query.game, position).verdict.proof, Proof::None);
    let faults = verified(folder.path()).faults;
    assert!(faults.iter().any(|fault| fault.contains("03v02") && fault.contains("02v03")), "{faults:?}");
}

#[test]
fn cells_that_are_not_those_of_the_hash_are_a_fault() {
    let (query, _) = builds().into_iter().next().expect("a build");
    let folder = folder_with(&query, WrittenLayers::Whole);
    let path = folder.path().join("squish-s3/03v02.mqt");
    let header = table(&path).header().clone();
    let mut codes = table(&path).all_cells(table(&path).stream("score").expect("scores")).expect("readable");
    let changed = codes.iter().position(|&code| code == 3 + 2 * 3).expect("a win in three");
    codes[changed] += 4;
    let cells = |first: u64, out: &mut [u8]| {
        let first = usize::try_from(first).expect("a slot");
        out.copy_from_slice(&codes[first..first + out.len()]);
    };
    let (identity, slots, counts) = (header.identity, header.slots, header.counts);
    let plan = LayerPlan { identity, slots, counts, notes: header.notes };
    let streams = [StreamPlan::new("score", Width::One, &cells).ahead()];
    file::create(&path, &plan, &streams, &|_| {}).expect("written");
    fs::remove_file(folder.path().join("MANIFEST.tsv")).expect("a list");
    let faults = verified(folder.path()).faults;
    assert!(faults.iter().any(|fault| fault.contains("03v02") && fault.contains("hash")), "{faults:?}");
}

#[test]
fn what_no_other_layer_tells_is_not_left_out() {
    let none = |game, pieces: Option<&str>| BuildQuery {
        from: pieces.is_none().then(|| "start:3x3".to_owned()),
        pieces: pieces.map(str::to_owned),
        ..BuildQuery::new(GameId::new(game))
    };
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    for query in [none("squinch", None), none("senet", Some("1v1"))] {
        let refused =
            built(&query, WrittenLayers::Half, folder.path()).expect_err("there is nothing to leave out");
        assert!(matches!(refused, EngineError::NotForThisGame(_)), "{refused}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    let table = tempfile::tempdir().expect("a folder for temporary files");
    let (query, _) = builds().into_iter().next().expect("a build");
    built(&query, WrittenLayers::Half, table.path()).expect("built");
    let told = self::table(&table.path().join("squish-s3/03v02.mqt"));
    let refused = told.all_cells(told.stream("score").expect("scores")).expect_err("they are not there");
    assert!(matches!(refused, Error::Ahead { .. }), "{refused}");
}
