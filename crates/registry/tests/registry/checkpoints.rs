//! Half-solved layers: a checkpoint by the same rules is resumed, one by other rules is ignored.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use marquis_core::GameId;
use marquis_engine::tables::{NumberedBuild, generate};
use marquis_engine::{BuildQuery, Control, Limits, Progress};
use marquis_registry::official;
use marquis_table::{read_container, write_container};
use tempfile::TempDir;

use crate::files;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder for temporary files")
}

fn query(game: &'static str, pieces: &str) -> BuildQuery {
    let side = (game != "senet").then_some(3);
    BuildQuery { side, pieces: Some(pieces.to_owned()), ..BuildQuery::new(GameId::new(game)) }
}

fn build(query: &BuildQuery, out: &Path, control: &Control<'_>) -> bool {
    let limits = Limits { threads: Some(1), ..Limits::default() };
    generate(&official(), query, out, Duration::ZERO, &limits, control).is_ok()
}

/// The checkpoints that an interruption leaves, of the latest interruption that leaves any.
fn interrupted(query: &BuildQuery, out: &Path) -> Vec<PathBuf> {
    let (never, all) = (AtomicBool::new(false), AtomicUsize::new(0));
    let count = |_: &Progress| {
        all.fetch_add(1, Relaxed);
    };
    assert!(build(query, out, &Control::new(&never, count)));
    for reports in (1..all.into_inner()).rev() {
        let _ = fs::remove_dir_all(out);
        let (stop, count) = (AtomicBool::new(false), AtomicUsize::new(0));
        let control = Control::new(&stop, |_| {
            if count.fetch_add(1, Relaxed) + 1 == reports {
                stop.store(true, Relaxed);
            }
        });
        if build(query, out, &control) {
            continue;
        }
        let found =
            files(out).into_keys().filter(|file| file.extension().is_some_and(|end| end == "checkpoint"));
        let found: Vec<PathBuf> = found.map(|file| out.join(file)).collect();
        if !found.is_empty() {
            return found;
        }
    }
    panic!("no interruption leaves a checkpoint")
}

/// Replaces the contents of a checkpoint by undecided cells.
///
/// * `word`: the key of the rules or basis in the meta part, which is falsified as well; `None` keeps it valid.
fn forge(file: &Path, word: Option<&str>) {
    let mut kept = read_container(file, "checkpoint", u64::MAX).expect("a checkpoint");
    if let Some(name) = word {
        let word = kept.meta.iter_mut().find(|(word, _)| word == name).expect("its foundations");
        word.1 = word.1.chars().rev().collect();
    }
    kept.body.fill(1);
    write_container(file, "checkpoint", &kept.meta, &kept.body).expect("written");
}

#[test]
fn a_checkpoint_of_other_rules_is_as_good_as_nothing() {
    for (game, pieces, word) in [("squish", "3v3", "rules"), ("senet", "2v1", "basis")] {
        let (query, whole, cut) = (query(game, pieces), folder(), folder());
        assert!(build(&query, whole.path(), &Control::none()));
        let checkpoints = interrupted(&query, cut.path());
        checkpoints.iter().for_each(|file| forge(file, Some(word)));
        assert!(build(&query, cut.path(), &Control::none()), "{game}");
        let same = files(cut.path()) == files(whole.path());
        assert!(same, "{game}: {checkpoints:?} of other rules was believed");
    }
}

#[test]
fn a_build_that_was_cut_off_comes_to_the_files_of_a_whole_one_and_leaves_no_checkpoint() {
    for (game, pieces) in [("squish", "3v3"), ("senet", "2v1")] {
        let (query, whole, cut) = (query(game, pieces), folder(), folder());
        assert!(build(&query, whole.path(), &Control::none()));
        interrupted(&query, cut.path());
        assert!(build(&query, cut.path(), &Control::none()), "{game}");
        assert!(files(cut.path()) == files(whole.path()), "{game}");
    }
}

/// Valid cells lead to the same files whether they are resumed or computed again, so the test uses wrong ones.
#[test]
fn a_checkpoint_of_these_rules_is_taken_up() {
    let (query, whole, cut) = (query("squish", "3v3"), folder(), folder());
    assert!(build(&query, whole.path(), &Control::none()));
    let checkpoints = interrupted(&query, cut.path());
    checkpoints.iter().for_each(|file| forge(file, None));
    let is_built = build(&query, cut.path(), &Control::none());
    assert!(!is_built || files(cut.path()) != files(whole.path()), "{checkpoints:?} was not taken up");
}

#[test]
fn a_build_is_begun_where_its_folder_is() {
    let folder = folder();
    let query = query("squish", "1v1");
    let registry = official();
    let is_begun = || {
        NumberedBuild::new(&registry, &query, folder.path(), Duration::ZERO)
            .expect("it can be prepared")
            .is_begun()
    };
    assert!(!is_begun());
    fs::create_dir_all(folder.path().join("squish-s4")).expect("made");
    assert!(!is_begun(), "another board");
    let stop = AtomicBool::new(true);
    build(&query, folder.path(), &Control::new(&stop, |_| {}));
    assert!(is_begun(), "though nothing of it is finished");
}
