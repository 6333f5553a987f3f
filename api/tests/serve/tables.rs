//! Table files that come, change places and go under a running server.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use marquis_engine::{BuildQuery, CHECKPOINT_EVERY, Control, GameId, Limits, generate};
use serde_json::Value;

use crate::client::{json, start, wait};

/// White wins in one (README).
const POSITION: &str = "/v1/squish?position=3/wb2/5/1w1b/3_w&budget_ms=30000";

/// A folder with the tables of Squish on side 3 with two pieces each.
fn generated(folder: &Path) -> PathBuf {
    let query =
        BuildQuery { side: Some(3), pieces: Some("2v2".to_owned()), ..BuildQuery::new(GameId::Squish) };
    generate(&query, folder, CHECKPOINT_EVERY, &Limits::default(), &Control::none()).unwrap();
    folder.join("squish-s3")
}

/// The answer, which is right whoever gives it.
fn answered(address: &str) -> Value {
    let answer = json(address, POSITION);
    assert_eq!((&answer["value"], &answer["plies"]), (&"win".into(), &1.into()), "{answer}");
    answer["proof"].clone()
}

#[test]
fn tables_are_taken_up_when_they_come_doubted_when_they_change_and_let_go_of_when_they_go() {
    let folder = tempfile::tempdir().unwrap();
    let (made, home) = (folder.path().join("made"), folder.path().join("home"));
    let running = start(|config| config.tables = vec![home.clone()]);
    let address = &running.address;
    let count = || json(address, "/v1/tables")["tables"].as_array().map_or(0, Vec::len);
    assert_eq!((count(), answered(address)), (0, "search".into()));

    // A folder that was not there when the server started.
    let files = fs::read_dir(generated(&made)).unwrap().count();
    fs::rename(&made, &home).unwrap();
    wait("the tables are taken up", || (count() == files).then_some(()));
    assert_eq!(answered(address), "table");

    // Each file under the name of another: what a file holds is said by the file, not by its name.
    let own = home.join("squish-s3");
    let swap = |from: &str, to: &str| fs::rename(own.join(from), own.join(to)).unwrap();
    swap("02v02.mqt", "kept");
    swap("02v01.mqt", "02v02.mqt");
    swap("kept", "02v01.mqt");
    wait("the exchange is noticed", || {
        // It is answered rightly at every moment.
        answered(address);
        fs::metadata(own.join("02v01.mqt")).is_ok().then_some(())
    });
    // The largest layer replaced by rubbish in place.
    fs::write(own.join("02v01.mqt"), b"this is no table").unwrap();
    wait("the rubbish is left out", || {
        answered(address);
        (count() == files - 1).then_some(())
    });
    fs::remove_dir_all(&home).unwrap();
    wait("the tables are let go of", || (count() == 0).then_some(()));
    assert_eq!(answered(address), "search");
    running.stop.store(true, Ordering::Relaxed);
    assert!(running.server.join().unwrap().is_ok());
}
