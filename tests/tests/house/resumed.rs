//! Builds of third-party games, interrupted anywhere and resumed: the files are identical.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use marquis_engine::tables::generate;
use marquis_engine::{BuildQuery, Control, EngineError, Limits, Progress};
use tempfile::TempDir;

use super::{QUIXO, SCURRY, registry};

/// The number of interruptions tried, spread over the build.
const INTERRUPTIONS: usize = 12;

/// All files below a folder, by path.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(here) = folders.pop() {
        for entry in fs::read_dir(&here).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below it").to_owned();
                files.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

/// The number of files with this extension.
fn ending(files: &BTreeMap<PathBuf, Vec<u8>>, end: &str) -> usize {
    files.keys().filter(|file| file.extension().is_some_and(|found| found == end)).count()
}

/// Builds until `watch` says stop, with checkpoints as often as possible; returns the number of layers that already
/// existed.
fn build(
    query: &BuildQuery,
    out: &Path,
    watch: &(dyn Fn() -> bool + Send + Sync),
) -> Result<usize, EngineError> {
    let stop = AtomicBool::new(false);
    let control = Control::new(&stop, |_: &Progress| {
        if watch() {
            stop.store(true, Relaxed);
        }
    });
    let limits = Limits { threads: Some(1), ..Limits::default() };
    generate(&registry(), query, out, Duration::ZERO, &limits, &control).map(|report| report.kept)
}

/// The files left by an interruption.
struct Left {
    tables: usize,
    checkpoints: usize,
}

/// Interrupts a build at places spread over all of it, and resumes it from each.
fn interrupted_and_resumed(query: &BuildQuery) -> Vec<Left> {
    let whole = TempDir::new().expect("a folder");
    let reports = AtomicUsize::new(0);
    let count = || {
        reports.fetch_add(1, Relaxed);
        false
    };
    assert_eq!(build(query, whole.path(), &count).expect("built"), 0);
    let (whole, reports) = (files(whole.path()), reports.into_inner());
    assert!(reports > INTERRUPTIONS, "only {reports} places to interrupt it at");
    let mut left = Vec::new();
    for number in 0..INTERRUPTIONS {
        let (at, told) = (1 + number * reports / INTERRUPTIONS, AtomicUsize::new(0));
        let cut = TempDir::new().expect("a folder");
        let stopped = build(query, cut.path(), &|| told.fetch_add(1, Relaxed) + 1 == at);
        assert!(matches!(stopped, Err(EngineError::Interrupted)), "at report {at}: {stopped:?}");
        let found = files(cut.path());
        let found = Left { tables: ending(&found, "mqt"), checkpoints: ending(&found, "checkpoint") };
        let kept = build(query, cut.path(), &|| false).expect("resumed");
        assert_eq!(kept, found.tables, "interrupted at report {at} of {reports}");
        assert!(files(cut.path()) == whole, "interrupted at report {at} of {reports}");
        left.push(found);
    }
    left
}

#[test]
fn quixo_is_resumed_from_finished_and_from_half_solved_layers() {
    let left = interrupted_and_resumed(&BuildQuery { side: Some(3), ..BuildQuery::new(QUIXO) });
    assert!(left.iter().any(|left| left.tables > 0), "no interruption came after a layer");
    assert!(left.iter().any(|left| left.checkpoints > 0), "no interruption came in a layer");
}

#[test]
fn scurry_is_resumed_from_finished_layers() {
    let left =
        interrupted_and_resumed(&BuildQuery { pieces: Some("3v3".to_owned()), ..BuildQuery::new(SCURRY) });
    assert!(left.iter().any(|left| left.tables > 0), "no interruption came after a layer");
}
