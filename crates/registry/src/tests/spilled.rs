//! Builds that keep half-solved layers in the spill store, stopped, killed, on a full disk and with damage: the tables
//! are the same, and damage is never used.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use marquis_core::GameId;
use marquis_engine::tables::{generate, plan};
use marquis_engine::{BuildQuery, Control, EngineError, GameEntry, Limits, Progress, Registry};
use marquis_games::unification::Approach;
use marquis_table::{read_container, write_container};
use marquis_wire::MemorySize;
use tempfile::TempDir;

use crate::senet::tests::strips::{Storage, solve_missing};
use crate::unification::Adapter;

/// Builds what is missing in a folder; the function may request a stop by means of the flag.
type Build = fn(&Path, Storage, &AtomicBool, &(dyn Fn() + Send + Sync)) -> Result<(), EngineError>;

/// A user of the spill store.
struct User {
    name: &'static str,
    /// The folder of its tables, and the last layers that it solves.
    tables: &'static str,
    last: &'static str,
    build: Build,
    /// Whether the error of a damaged file names it; otherwise its layer starts over.
    names_damage: bool,
}

const USERS: [User; 2] = [
    User { name: "squish", tables: "squish-s4", last: ".02v03+", build: squish, names_damage: false },
    User { name: "senet", tables: "senet", last: ".2v2.", build: senet, names_damage: true },
];

/// Layers of Squish; on disk, the last ones have too little memory.
fn squish(
    out: &Path,
    storage: Storage,
    stop: &AtomicBool,
    tick: &(dyn Fn() + Send + Sync),
) -> Result<(), EngineError> {
    // Not all games: the tests of this package would compile them once more.
    let (registry, squish) =
        (Registry::new([GameEntry::exact::<Adapter<Approach>>()]), GameId::new("squish"));
    let query = BuildQuery { side: Some(4), pieces: Some("3v2".to_owned()), ..BuildQuery::new(squish) };
    let needs = plan(&registry, &query, out)?;
    let little = MemorySize((needs.least_memory_bytes + needs.memory_bytes) / 2);
    let limits = Limits { memory: (storage == Storage::Disk).then_some(little), ..Limits::default() };
    let control = Control::new(stop, |_: &Progress| tick());
    generate(&registry, &query, out, Duration::ZERO, &limits, &control).map(|_| ())
}

/// Layers of Senet.
fn senet(
    out: &Path,
    storage: Storage,
    stop: &AtomicBool,
    tick: &(dyn Fn() + Send + Sync),
) -> Result<(), EngineError> {
    solve_missing(out, storage, stop, &|_| tick())
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder for temporary files")
}

impl User {
    fn paths(&self, out: &Path) -> BTreeSet<PathBuf> {
        let files = fs::read_dir(out.join(self.tables)).into_iter().flatten().flatten();
        files.map(|file| file.path()).collect()
    }

    fn files(&self, out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let read = |path: PathBuf| fs::read(&path).map(|bytes| (path, bytes)).expect("read");
        self.paths(out).into_iter().map(read).collect()
    }

    /// The tables, by name.
    fn tables(&self, out: &Path) -> Vec<(PathBuf, Vec<u8>)> {
        let files = self.files(out).into_iter();
        let tables = files.filter(|(file, _)| file.extension().is_some_and(|end| end == "mqt"));
        tables.map(|(file, bytes)| (file.strip_prefix(out).expect("below it").to_owned(), bytes)).collect()
    }

    /// The lists and files of unfinished layers in the spill store.
    fn spilled(&self, out: &Path) -> Vec<PathBuf> {
        let is_spilled = |file: &PathBuf| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let (layers, rest) = name.trim_start_matches('.').split_once('.').unwrap_or_default();
            let is_there = |layer: &str| file.with_file_name(format!("{layer}.mqt")).exists();
            let parts = ["strips.", "estimates.", "bounds."];
            let is_part = parts.into_iter().any(|part| rest.starts_with(part)) && !rest.contains("cells-");
            is_part && !layers.split('+').all(is_there)
        };
        self.paths(out).into_iter().filter(is_spilled).collect()
    }

    /// Builds, and stops at a report of progress; true if it was stopped.
    fn is_stopped(&self, out: &Path, report: usize) -> bool {
        let (stop, ticks) = (AtomicBool::new(false), AtomicUsize::new(0));
        let tick = || {
            if ticks.fetch_add(1, Relaxed) + 1 >= report {
                stop.store(true, Relaxed);
            }
        };
        match (self.build)(out, Storage::Disk, &stop, &tick) {
            Ok(()) => false,
            Err(EngineError::Interrupted) => true,
            Err(other) => panic!("{}: {other}", self.name),
        }
    }

    fn finish(&self, out: &Path, storage: Storage) -> Result<(), EngineError> {
        (self.build)(out, storage, &AtomicBool::new(false), &|| {})
    }

    /// All tables, and a folder in which the last layers are half solved.
    fn half_solved(&self) -> (TempDir, TempDir) {
        let (whole, half) = (folder(), folder());
        self.finish(whole.path(), Storage::Memory).expect("built");
        let is_last = |file: &PathBuf| {
            file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(self.last))
        };
        let mut report = 5;
        while self.spilled(half.path()).iter().filter(|file| is_last(file)).count() < 2 {
            assert!(self.is_stopped(half.path(), report), "{}: never half solved", self.name);
            report += 1;
        }
        (whole, half)
    }

    /// The build in another process, with a limit of the length of a file in blocks of 512 bytes.
    fn process(&self, out: &Path, limit: &str) -> Command {
        let mut own = Command::new("sh");
        own.args(["-c", &format!("trap '' XFSZ; ulimit -f {limit} && exec \"$@\""), "sh"]);
        own.arg(std::env::current_exe().expect("this program"));
        own.args(["--ignored", "--exact", "tests::spilled::a_build_in_another_process"]);
        own.env(FOLDER, out).env(USER, self.name).stdout(Stdio::piped()).stderr(Stdio::null());
        own
    }
}

/// Copies the files of a build.
fn copy(user: &User, from: &Path) -> TempDir {
    let to = folder();
    fs::create_dir_all(to.path().join(user.tables)).expect("made");
    for (file, bytes) in user.files(from) {
        fs::write(to.path().join(file.strip_prefix(from).expect("below it")), bytes).expect("written");
    }
    to
}

/// The environment variables with the folder and the user of a build in another process.
const FOLDER: &str = "MARQUIS_TEST_FOLDER";
const USER: &str = "MARQUIS_TEST_USER";

#[test]
#[ignore = "runs in processes that other tests start"]
fn a_build_in_another_process() {
    let (Some(out), Some(name)) = (std::env::var_os(FOLDER), std::env::var_os(USER)) else { return };
    let user = USERS.iter().find(|user| name == user.name).expect("a user");
    if let Err(error) = user.finish(Path::new(&out), Storage::Disk) {
        panic!("{}", marquis_engine::causes(&error));
    }
}

#[test]
fn a_build_that_is_stopped_again_and_again_gives_the_same_tables() {
    for user in USERS {
        let (whole, cut) = (folder(), folder());
        user.finish(whole.path(), Storage::Memory).expect("built");
        let (mut stops, mut spilled) = (0, 0);
        // A few reports later each time, so that some runs begin in the middle of a pass.
        while user.is_stopped(cut.path(), 5 + stops % 5) {
            stops += 1;
            spilled += usize::from(!user.spilled(cut.path()).is_empty());
        }
        assert!(spilled > 5, "{}: {spilled} of {stops} stops with spilled layers", user.name);
        assert!(user.tables(whole.path()) == user.tables(cut.path()), "{} after {stops} stops", user.name);
    }
}

#[test]
fn a_build_whose_process_is_killed_ten_times_gives_the_same_tables() {
    for user in USERS {
        let (whole, killed) = (folder(), folder());
        user.finish(whole.path(), Storage::Memory).expect("built");
        let mut spilled = 0;
        for kill in 0..10 {
            let before = user.spilled(killed.path());
            let mut process = user.process(killed.path(), "unlimited").spawn().expect("started");
            let mut has_ended = || process.try_wait().expect("a status").is_some();
            // It writes files under new numbers as soon as it has read the old ones.
            while user.spilled(killed.path()) == before && !has_ended() {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(Duration::from_millis(kill * 7 % 40));
            if has_ended() {
                // It came too late: from the beginning.
                fs::remove_dir_all(killed.path().join(user.tables)).expect("removed");
            }
            let _ = process.kill();
            process.wait().expect("ended");
            spilled += usize::from(!user.spilled(killed.path()).is_empty());
        }
        assert!(spilled > 4, "{}: {spilled} of ten kills with spilled layers", user.name);
        for storage in [Storage::Memory, Storage::Disk] {
            let left = copy(&user, killed.path());
            user.finish(left.path(), storage).expect("built");
            assert!(user.tables(whole.path()) == user.tables(left.path()), "{} in {storage:?}", user.name);
        }
    }
}

/// A file may not grow beyond a strip, as on a full disk: the error names it, and the kept files stay.
#[cfg(unix)]
#[test]
fn a_full_disk_costs_nothing_that_was_kept() {
    for user in USERS {
        let (whole, half) = user.half_solved();
        let before = user.spilled(half.path());
        let ran = user.process(half.path(), "16").output().expect("ended");
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(!ran.status.success() && said.contains(".checkpoint: cannot write it"), "{said}");
        let after = user.spilled(half.path());
        assert!(before.iter().all(|file| after.contains(file)), "{}: {before:?} and {after:?}", user.name);
        assert!(!user.is_stopped(half.path(), usize::MAX));
        assert!(user.tables(whole.path()) == user.tables(half.path()), "{}", user.name);
    }
}

#[test]
fn damage_is_named_or_the_layer_starts_over() {
    for user in USERS {
        let (whole, half) = user.half_solved();
        let all = user.spilled(half.path());
        for (number, file) in all.iter().enumerate().step_by(all.len().div_ceil(3)) {
            let sound = fs::read(file).expect("read");
            let mut flipped = sound.clone();
            flipped[(number * 7919) % sound.len()] ^= 1 << (number % 8);
            for bytes in [&flipped[..], &sound[..sound.len() - 1]] {
                let damaged = copy(&user, half.path());
                let file = damaged.path().join(file.strip_prefix(half.path()).expect("below it"));
                fs::write(&file, bytes).expect("written");
                match user.finish(damaged.path(), Storage::Disk) {
                    Err(EngineError::File(error)) if user.names_damage => {
                        assert_eq!(error.path(), file);
                        let made = user.tables(damaged.path());
                        assert!(made == user.tables(half.path()), "something was made of it");
                        if number > 0 {
                            continue;
                        }
                        // The advice of the error.
                        fs::remove_file(&file).expect("removed");
                        user.finish(damaged.path(), Storage::Disk).expect("built");
                    }
                    Ok(()) if !user.names_damage => {}
                    other => panic!("{}, {}: {other:?}", user.name, file.display()),
                }
                assert!(user.tables(damaged.path()) == user.tables(whole.path()), "{}", user.name);
            }
        }
    }
}

/// By their names those of 0.2.0; their content is never read.
#[test]
fn files_of_an_earlier_version_are_removed() {
    for user in USERS {
        let (whole, half) = user.half_solved();
        let spilled = user.spilled(half.path());
        let list = spilled.iter().min_by_key(|file| file.as_os_str().len()).expect("a list");
        let prefix = list.display().to_string();
        let (prefix, _) = prefix[..prefix.len() - ".checkpoint".len()].rsplit_once('.').expect("a part");
        let parts = ["strips", "strip-7", "estimates.0.1.7", "bounds.0.1.7"];
        let parts = if user.names_damage { &parts[2..] } else { &parts[..2] };
        spilled.iter().for_each(|file| fs::remove_file(file).expect("removed"));
        let old: Vec<PathBuf> =
            parts.iter().map(|part| format!("{prefix}.{part}.checkpoint").into()).collect();
        let words = [("rules".to_owned(), String::new()), ("basis".to_owned(), String::new())];
        old.iter().for_each(|file| write_container(file, "checkpoint", &words, b"").expect("written"));
        assert!(user.is_stopped(half.path(), 8), "{}", user.name);
        for file in old {
            let other = read_container(&file, "checkpoint", 1 << 20);
            assert!(other.is_err() || other.is_ok_and(|list| !list.body.is_empty()), "{}", file.display());
        }
        user.finish(half.path(), Storage::Disk).expect("built");
        assert!(user.tables(whole.path()) == user.tables(half.path()), "{}", user.name);
    }
}
