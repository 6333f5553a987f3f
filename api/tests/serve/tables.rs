//! Table files that are added, renamed and removed while a server runs.

use std::fs;
use std::path::{Path, PathBuf};

use marquis_core::GameId;
use marquis_engine::tables::{CHECKPOINT_EVERY, generate};
use marquis_engine::{BuildQuery, Control, Limits};
use marquis_registry::official;
use serde_json::Value;

use crate::client::json;
use crate::shared::{Server, wait};

/// White wins in one (README).
const POSITION: &str = "/v1/squish?position=3/wb2/5/1w1b/3_w&budget_ms=30000";

/// A folder with the tables of Squish on side 3 with two pieces each.
fn generated(folder: &Path) -> PathBuf {
    let query = BuildQuery {
        side: Some(3),
        pieces: Some("2v2".to_owned()),
        ..BuildQuery::new(GameId::new("squish"))
    };
    generate(&official(), &query, folder, CHECKPOINT_EVERY, &Limits::default(), &Control::none()).unwrap();
    folder.join("squish-s3")
}

/// The answer, which is correct whatever its source.
fn answered(address: &str) -> Value {
    let answer = json(address, POSITION);
    assert_eq!((&answer["value"], &answer["plies"]), (&"win".into(), &1.into()), "{answer}");
    answer["proof"].clone()
}

#[test]
fn tables_are_loaded_when_they_come_revalidated_when_they_change_and_evicted_when_they_go() {
    let folder = tempfile::tempdir().unwrap();
    let (made, home) = (folder.path().join("made"), folder.path().join("home"));
    let running = Server::start(|config| config.tables = vec![home.clone()]);
    let address = &running.address;
    let count = || json(address, "/v1/tables")["tables"].as_array().map_or(0, Vec::len);
    assert_eq!((count(), answered(address)), (0, "search".into()));

    // A folder that did not exist when the server started.
    let files = fs::read_dir(generated(&made)).unwrap().count();
    fs::rename(&made, &home).unwrap();
    wait("the tables are loaded", || (count() == files).then_some(()));
    assert_eq!(answered(address), "table");

    // Each file under the name of another: the content of the file counts, not its name.
    let own = home.join("squish-s3");
    let swap = |from: &str, to: &str| fs::rename(own.join(from), own.join(to)).unwrap();
    swap("02v02.mqt", "kept");
    swap("02v01.mqt", "02v02.mqt");
    swap("kept", "02v01.mqt");
    let layer_in = |file: &str| {
        let tables = json(address, "/v1/tables")["tables"].as_array().cloned().unwrap_or_default();
        let found = tables.into_iter().find(|table| table["file"].as_str().unwrap().ends_with(file));
        found.map(|table| table["layer"].clone())
    };
    wait("the exchange is noticed", || {
        // The answer is correct at every moment.
        answered(address);
        (layer_in("02v01.mqt")? == "02v02").then_some(())
    });
    assert_eq!(answered(address), "table");

    // The largest layer truncated in place, with its header intact; then garbage in its place.
    let largest = own.join("02v01.mqt");
    let whole = fs::metadata(&largest).unwrap().len();
    fs::OpenOptions::new().write(true).open(&largest).unwrap().set_len(whole - 40).unwrap();
    wait("the stump is left out", || {
        answered(address);
        (count() == files - 1).then_some(())
    });
    assert_eq!(answered(address), "search");
    fs::write(&largest, b"this is no table").unwrap();
    for _ in 0..20 {
        assert_eq!(answered(address), "search");
    }
    fs::remove_dir_all(&home).unwrap();
    wait("the tables are evicted", || (count() == 0).then_some(()));
    assert_eq!(answered(address), "search");
    assert!(running.stop());
}
