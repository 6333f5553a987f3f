//! Valid small files of every kind that a target reads.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use marquis_core::{GameId, Immobile};
use marquis_engine::tables::{generate, repack};
use marquis_engine::{BalanceQuery, BuildQuery, Control, Engine, EngineOptions, Limits, Pie, Query, Until};
use marquis_table::read_container;

use crate::{container, folder};

/// Small builds: a game, its side if it has one, its pieces or the position to build from.
pub const BUILDS: [(GameId, Option<u8>, Option<&str>, Option<&str>); 5] = [
    (GameId::new("squish"), Some(3), Some("2v2"), None),
    (GameId::new("flowish"), Some(3), Some("2v1"), None),
    (GameId::new("swish"), None, None, Some("w2/4/2o2/4/2b w 0-0 1")),
    (GameId::new("squeeze"), None, None, Some("w2/4/2o2/4/2b w 0-0 1")),
    (GameId::new("senet"), None, Some("2v1"), None),
];

/// The query of a small build.
#[must_use]
pub fn query((game, side, pieces, from): (GameId, Option<u8>, Option<&str>, Option<&str>)) -> BuildQuery {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    BuildQuery { side, pieces: owned(pieces), from: owned(from), ..BuildQuery::new(game) }
}

/// Records that cover all features, with a few games each.
pub const RECORDS: [&str; 7] = [
    "[Game \"squish\"]\n[Position \"start:3\"]\n\n1. c4-c3 {why} (1. b2-c3 {or} (1. d2-c3 c5-c4)) c5-c4 *\n",
    "[Game \"squish\"]\n[First \"A \\\"b\\\" \\\\\"]\n[Result \"1-0\"]\n\n1. a3xb3 {wins} 1-0\n",
    "[Game \"flowish\"]\n[Position \"start:3\"]\n\n1. b1-b2 *\n",
    "[Game \"swish\"]\n[Position \"w1w/4/1ooo1/4/b1b w 0-0 2\"]\n[Immobile \"pass\"]\n\n1. c5xc3 *\n",
    "[Game \"squeeze\"]\n[Position \"w1w/4/1ooo1/4/b1b w 0-0 2\"]\n\n*\n",
    "[Game \"senet\"]\n\n1. 2:8-10 (1. 3:pass) *\n\n[Game \"senet\"]\n\n1. 1:9-10 *\n",
    "[Game \"squinch\"]\n[Termination \"time forfeit\"]\n\n{before} *\n",
];

/// Writes records, as UTF-8, and with a byte order mark and CRLF line ends.
///
/// # Errors
/// A file cannot be written.
pub fn records(corpus: &Path) -> io::Result<()> {
    for (number, text) in RECORDS.iter().enumerate() {
        fs::write(corpus.join(format!("{number}.txt")), text)?;
        let elsewhere = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        fs::write(corpus.join(format!("{number}-elsewhere.txt")), elsewhere)?;
    }
    Ok(())
}

/// An interrupted build: its folder with the finished layers, and the checkpoints of the unfinished one.
pub struct Interrupted {
    /// The query of the build.
    pub query: BuildQuery,
    /// The folder.
    pub out: PathBuf,
    /// Everything in the folder except checkpoints, relative to it.
    pub finished: Vec<PathBuf>,
    /// The checkpoints, relative to the folder.
    pub checkpoints: Vec<PathBuf>,
}

/// Builds in `out` until the first checkpoint that an interruption at the n-th progress report leaves; `None` if no
/// interruption leaves one.
///
/// # Panics
/// The folder cannot be written.
#[must_use]
pub fn interrupted(query: &BuildQuery, out: &Path) -> Option<Interrupted> {
    (0..200).rev().find_map(|reports| {
        // Otherwise the remains of an earlier run would be resumed.
        let _ = fs::remove_dir_all(out);
        fs::create_dir_all(out).expect("a folder");
        let (stop, told) = (AtomicBool::new(reports == 0), AtomicBool::new(false));
        let count = std::sync::atomic::AtomicUsize::new(0);
        let control = Control::new(&stop, |_| {
            told.store(true, Ordering::Relaxed);
            if count.fetch_add(1, Ordering::Relaxed) + 1 == reports {
                stop.store(true, Ordering::Relaxed);
            }
        });
        let limits = Limits { threads: Some(1), ..Limits::default() };
        generate(&marquis_registry::official(), query, out, Duration::ZERO, &limits, &control).err()?;
        let (checkpoints, finished): (Vec<_>, _) = files(out, Path::new(""))
            .into_iter()
            .partition(|file| file.extension().is_some_and(|kind| kind == "checkpoint"));
        let out = out.to_owned();
        (!checkpoints.is_empty()).then(|| Interrupted { query: query.clone(), out, finished, checkpoints })
    })
}

/// The files below a folder, relative to `root`, sorted by name.
#[must_use]
pub fn files(root: &Path, within: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join(within)).into_iter().flatten().flatten() {
        let path = within.join(entry.file_name());
        if entry.path().is_dir() { found.extend(files(root, &path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// Tables of small builds, packed in both ways.
///
/// # Errors
/// A file cannot be written.
pub fn tables(corpus: &Path) -> io::Result<()> {
    for (number, build) in BUILDS.into_iter().enumerate() {
        let out = folder::empty();
        generate(
            &marquis_registry::official(),
            &query(build),
            out.path(),
            Duration::MAX,
            &Limits::default(),
            &Control::none(),
        )
        .map_err(io::Error::other)?;
        keep_tables(out.path(), corpus, &format!("{number}"))?;
        repack(&marquis_registry::official(), out.path(), &Control::none()).map_err(io::Error::other)?;
        keep_tables(out.path(), corpus, &format!("{number}-repacked"))?;
    }
    Ok(())
}

fn keep_tables(out: &Path, corpus: &Path, name: &str) -> io::Result<()> {
    let is_table = |file: &&PathBuf| file.extension().is_some_and(|kind| kind == "mqt");
    for (number, file) in files(out, Path::new("")).iter().filter(is_table).enumerate() {
        fs::copy(out.join(file), corpus.join(format!("{name}-{number}")))?;
    }
    Ok(())
}

/// Proofs of a win, of a position that neither side loses, and of balances, sealed and unpacked.
///
/// # Errors
/// A file cannot be written.
pub fn proofs(corpus: &Path) -> io::Result<()> {
    let (engine, _) =
        Engine::open(marquis_registry::official(), EngineOptions::default()).map_err(io::Error::other)?;
    let out = folder::empty();
    let limits = Limits { time: Some(Duration::from_secs(5)), threads: Some(1), ..Limits::default() };
    let positions = [
        (GameId::new("squish"), "b1w/1wb1/wb1wb/1wb1/b1w w"),
        (GameId::new("flowish"), "3/wb2/5/1w1b/3 w"),
        (GameId::new("squinch"), "start:3x3"),
        (GameId::new("swish"), "w1w/4/1ooo1/4/b1b w 0-0 2"),
        (GameId::new("squeeze"), "w2/4/2o2/4/2b w 0-0 1"),
    ];
    for (number, (game, position)) in positions.into_iter().enumerate() {
        let file = out.path().join(format!("{number}.proof"));
        // A position that is not proved in time gives no seed.
        let _ = engine.solve_with_proof(&Query::new(game, position), &limits, &Control::none(), &file);
    }
    for (game, name) in [(GameId::new("swish"), "swish"), (GameId::new("squeeze"), "squeeze")] {
        let query = BalanceQuery {
            game,
            board: "w1w/4/1ooo1/4/b1b".to_owned(),
            bait: 0,
            pie: Pie::Marquisian,
            target: None,
            immobile: Immobile::Loss,
            until: Until::BothColours,
        };
        let file = out.path().join(format!("{name}.proof"));
        let _ = engine.balance_and_keep(&query, &limits, &Control::none(), Some(&file));
    }
    for file in files(out.path(), Path::new("")) {
        keep_container(&out.path().join(&file), "proof", &[], corpus, &file.display().to_string())?;
    }
    Ok(())
}

/// Checkpoints of small builds, sealed and unpacked, each after the number of its build.
///
/// # Errors
/// A file cannot be written.
pub fn checkpoints(corpus: &Path) -> io::Result<()> {
    for (number, build) in BUILDS.into_iter().enumerate() {
        let out = folder::empty();
        let Some(interrupted) = interrupted(&query(build), out.path()) else {
            println!("no interruption of build {number} leaves a checkpoint");
            continue;
        };
        for (place, file) in interrupted.checkpoints.iter().enumerate() {
            let (path, choice) = (out.path().join(file), [number as u8, place as u8]);
            keep_container(&path, "checkpoint", &choice, corpus, &format!("{number}-{place}"))?;
        }
    }
    Ok(())
}

fn keep_container(path: &Path, kind: &str, before: &[u8], corpus: &Path, name: &str) -> io::Result<()> {
    let raw = fs::read(path)?;
    fs::write(corpus.join(format!("{name}-sealed")), [before, &raw].concat())?;
    let read = read_container(path, kind, 1 << 30).map_err(io::Error::other)?;
    let unpacked = container::unpacked(kind, &read.meta, &read.body);
    fs::write(corpus.join(format!("{name}-unpacked")), [before, &unpacked].concat())
}

/// The jobs of a service that finished one and was stopped during another.
///
/// # Errors
/// A file cannot be written.
#[cfg(feature = "service")]
pub fn jobs(corpus: &Path) -> io::Result<()> {
    let state = crate::service::left_behind()?;
    let records = crate::job::records(&state.path().join(crate::job::FILE)).map_err(io::Error::other)?;
    for (number, record) in records.iter().enumerate() {
        let bytes = crate::job::bytes(std::slice::from_ref(record));
        fs::write(corpus.join(format!("record-{number}")), bytes)?;
    }
    fs::write(corpus.join("records"), crate::job::bytes(&records))?;
    let change = |place: u32, new: &[u8]| {
        [&[crate::job::CHANGES][..], &place.to_le_bytes(), &[new.len() as u8], new].concat()
    };
    for (number, place) in [0, 9, 64, 128, 192, 4096, 4100, 8192, 12288].into_iter().enumerate() {
        fs::write(corpus.join(format!("change-{number}")), change(place, &[0, 1, 2, 3]))?;
    }
    Ok(())
}
