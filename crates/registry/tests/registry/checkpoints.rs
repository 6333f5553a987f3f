//! Half-solved layers: what was kept by these rules is resumed, and by others it is as good as nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use marquis_engine::{BuildQuery, Control, GameId, Limits, Prepared, Progress, generate};
use marquis_registry::official;
use marquis_table::{read_container, write_container};

/// A folder that is gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("marquis-checkpoints-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Everything in a folder, by its path there.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        if entry.path().is_dir() {
            files.extend(files_below(&entry.path()));
        } else {
            files
                .insert(entry.path().strip_prefix(folder).expect("below it").to_owned(), read(&entry.path()));
        }
    }
    files
}

fn files_below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let name = folder.file_name().expect("a name");
    files(folder).into_iter().map(|(path, bytes)| (Path::new(name).join(path), bytes)).collect()
}

fn read(file: &Path) -> Vec<u8> {
    fs::read(file).expect("a file")
}

fn query(game: &'static str, pieces: &str) -> BuildQuery {
    let side = (game != "senet").then_some(3);
    BuildQuery { side, pieces: Some(pieces.to_owned()), ..BuildQuery::new(GameId::new(game)) }
}

fn build(query: &BuildQuery, out: &Path, control: &Control<'_>) -> bool {
    let limits = Limits { threads: Some(1), ..Limits::default() };
    generate(&official(), query, out, Duration::ZERO, &limits, control).is_ok()
}

/// The checkpoints that an interruption leaves, the latest one that leaves any.
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

/// Replaces the word that tells what a checkpoint rests on, and what it holds.
fn forge(file: &Path, name: &str) {
    let mut kept = read_container(file, "checkpoint", u64::MAX).expect("a checkpoint");
    let word = kept.meta.iter_mut().find(|(word, _)| word == name).expect("what it rests on");
    word.1 = word.1.chars().rev().collect();
    kept.body.fill(1);
    write_container(file, "checkpoint", &kept.meta, &kept.body).expect("written");
}

#[test]
fn a_checkpoint_of_other_rules_is_as_good_as_nothing() {
    for (game, pieces, word) in [("squish", "3v3", "rules"), ("senet", "2v1", "basis")] {
        let (query, whole, cut) =
            (query(game, pieces), Folder::new(&format!("whole-{game}")), Folder::new(game));
        assert!(build(&query, &whole.0, &Control::none()));
        let checkpoints = interrupted(&query, &cut.0);
        checkpoints.iter().for_each(|file| forge(file, word));
        assert!(build(&query, &cut.0, &Control::none()), "{game}");
        assert!(files(&cut.0) == files(&whole.0), "{game}: {checkpoints:?} of other rules was believed");
    }
}

#[test]
fn a_checkpoint_of_these_rules_is_taken_up_and_gone_in_the_end() {
    for (game, pieces) in [("squish", "3v3"), ("senet", "2v1")] {
        let query = query(game, pieces);
        let (whole, cut) = (Folder::new(&format!("all-{game}")), Folder::new(&format!("cut-{game}")));
        assert!(build(&query, &whole.0, &Control::none()));
        interrupted(&query, &cut.0);
        assert!(build(&query, &cut.0, &Control::none()), "{game}");
        assert!(files(&cut.0) == files(&whole.0), "{game}");
    }
}

#[test]
fn a_build_is_begun_where_its_folder_is() {
    let folder = Folder::new("begun");
    let query = query("squish", "1v1");
    let registry = official();
    let is_begun = || {
        Prepared::new(&registry, &query, &folder.0, Duration::ZERO).expect("it can be prepared").is_begun()
    };
    assert!(!is_begun());
    fs::create_dir_all(folder.0.join("squish-s4")).expect("made");
    assert!(!is_begun(), "another board");
    let stop = AtomicBool::new(true);
    build(&query, &folder.0, &Control::new(&stop, |_| {}));
    assert!(is_begun(), "though nothing of it is finished");
}
