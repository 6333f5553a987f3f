//! A proof file that proves nothing is as false as one with a wrong move.

use std::path::Path;

use marquis_engine::{Control, Engine, EngineOptions, Limits, check_proof};
use marquis_registry::official;
use marquis_table::write_container;

/// A proof file about Squish with a claim for each position, none of which has a strategy.
fn forged(file: &Path, positions: &[&str]) {
    let part = |bytes: &[u8]| [&(bytes.len() as u32).to_le_bytes(), bytes].concat();
    let claim = |position: &&str| [part(position.as_bytes()), part(&[0])].concat();
    let body: Vec<u8> = positions.iter().flat_map(claim).collect();
    let words = [("game", "squish"), ("immobile", "loss")];
    let words = words.map(|(name, word)| (name.to_owned(), word.to_owned()));
    write_container(file, "proof", &words, &body).expect("it is written");
}

#[test]
fn a_proof_without_a_strategy_does_not_hold() {
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join("forged.proof");
    let registry = official();
    for positions in [&["start:2"][..], &["start:2", "start:3"]] {
        forged(&file, positions);
        let report = check_proof(&registry, &file).expect("it is read");
        let why = report.refused.expect("nothing is proved");
        assert!(why.contains("expected a claim about a value, found none"), "{why}");
    }
    forged(&file, &[]);
    assert!(check_proof(&registry, &file).is_err());
}

#[test]
fn a_folder_without_a_table_is_not_verified() {
    let place = tempfile::tempdir().expect("a folder");
    let (engine, _) = Engine::open(official(), EngineOptions::default()).expect("an engine");
    let verified = |path: &Path| engine.verify(path, None, &Limits::default(), &Control::none());
    let words = verified(place.path()).expect_err("nothing was checked").to_string();
    assert!(words.contains("expected a folder of tables, found none"), "{words}");
    let file = place.path().join("a.txt");
    std::fs::write(&file, "no table").expect("a file");
    let words = verified(&file).expect_err("nothing was checked").to_string();
    assert!(words.contains("expected a table, found none"), "{words}");
}
