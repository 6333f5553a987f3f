//! A check that checked nothing has not passed.

use std::fs;

use crate::common::Place;

#[test]
fn no_check_of_nothing_ends_with_zero() {
    let place = Place::new();
    fs::create_dir(place.path().join("empty")).expect("a folder");
    fs::write(place.path().join("text"), "").expect("a file");
    fs::write(place.path().join("spaces"), " \n\n").expect("a file");
    for (what, code, words) in [
        ("verify empty", 4, "empty: expected a folder of tables, found none"),
        ("verify text", 4, "text: expected a table, found none"),
        ("verify empty --sample 10", 4, "expected a folder of tables, found none"),
        ("repack empty", 4, "empty: expected a table or a folder of tables, found none"),
        ("repack text", 4, "text: expected a table or a folder of tables, found none"),
        ("check-proof text", 4, "text: "),
        ("claims squish --side 3 --tables empty", 3, "no table is about"),
        ("claims senet --side 3", 2, "no claim"),
        ("record check text", 1, "expected a game"),
        ("record check spaces", 1, "expected a game"),
        ("review text", 2, "expected a game"),
        ("inspect empty", 2, "expected a file"),
        ("status empty", 3, "nothing is being built"),
    ] {
        let ran = place.run(&what.split(' ').collect::<Vec<_>>());
        let said = ran.out() + &ran.err();
        assert_eq!(ran.code(), code, "{what}: {said}");
        assert!(said.contains(words), "{what}: {said}");
    }
}

#[test]
fn a_manifest_that_cannot_be_read_is_a_fault() {
    let place = Place::new();
    let built = place.run(&["generate", "squish", "--side", "2", "--pieces", "1v1", "--out", "t"]);
    assert_eq!(built.code(), 0, "{}", built.err());
    assert_eq!(place.run(&["verify", "t"]).code(), 0);
    fs::write(place.path().join("t/MANIFEST.tsv"), b"\xff\xfe").expect("a file");
    let ran = place.run(&["verify", "t"]);
    assert_eq!(ran.code(), 1, "{}", ran.out());
    assert!(ran.out().contains("MANIFEST.tsv: cannot be read"), "{}", ran.out());
}
