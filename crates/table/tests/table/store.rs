//! A folder of tables.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use marquis_table::file::{self, Repacked};
use marquis_table::store::remove_unfinished;
use marquis_table::{
    BlockCache, Error, Fingerprint, Identity, LayerPlan, Packing, Store, StreamPlan, TableFile, Width,
};

use crate::common::{Cells, at_once, identity, layer, plausible, stream};

fn put(root: &Path, path: &str, identity: Identity) {
    let (values, plies) = plausible(5000, 8);
    let (values, plies) = (Cells(values, Width::One), Cells(plies, Width::One));
    let packing = Packing::Zstd { level: 1 };
    let streams = [
        stream("value", &values, packing),
        StreamPlan { given: Some("value"), ..stream("plies", &plies, packing) },
    ];
    let plan = LayerPlan { identity, ..layer(5000) };
    file::create(&root.join(path), &plan, &streams, &|_| {}).unwrap();
}

fn rules(game: &str, _variant: &str) -> Option<Fingerprint> {
    (game == "squish").then(|| identity().rules)
}

fn scan(root: &Path) -> Store {
    Store::scan(root, &rules, &Arc::new(BlockCache::new(1 << 20))).unwrap()
}

fn open(path: &Path) -> TableFile {
    file::open(path, &Arc::new(BlockCache::new(0))).unwrap()
}

fn of_layer(name: &str) -> Identity {
    Identity { layer: name.to_owned(), ..identity() }
}

#[test]
fn tables_are_found_in_every_folder_and_looked_up_by_game_variant_and_layer() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "squish-s3/01v02.mqt", of_layer("01v02"));
    put(root.path(), "squish-s3/deep/er/01v03.mqt", of_layer("01v03"));
    fs::write(root.path().join("README.md"), "no table").unwrap();
    let store = scan(root.path());
    assert!(store.problems().is_empty(), "{:?}", store.problems());
    assert_eq!(store.tables().count(), 2);
    let table = store.get(&of_layer("01v03")).unwrap();
    assert_eq!(at_once(table, "value").unwrap(), plausible(5000, 8).0);
    let error = store.get(&of_layer("09v09")).map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::NoTable { .. }), "{error}");
    assert!(store.find("squish", "side=4", "01v02").is_none());
}

#[test]
fn files_that_cannot_be_used_are_told_of_and_the_others_are_used() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "a/good.mqt", of_layer("01v02"));
    put(root.path(), "b/same-layer-again.mqt", of_layer("01v02"));
    put(root.path(), "b/unknown-game.mqt", Identity { game: "halma".to_owned(), ..identity() });
    put(root.path(), "b/other-rules.mqt", Identity { rules: Fingerprint::of("older"), ..of_layer("01v05") });
    put(root.path(), "b/short.mqt", of_layer("01v06"));
    let short = root.path().join("b/short.mqt");
    let bytes = fs::read(&short).unwrap();
    fs::write(&short, &bytes[..bytes.len() - 1]).unwrap();
    fs::write(root.path().join("empty.mqt"), "").unwrap();
    let store = scan(root.path());
    assert_eq!(
        store.tables().map(|(path, _)| path.to_owned()).collect::<Vec<_>>(),
        [PathBuf::from("a/good.mqt")]
    );
    let problems: Vec<String> = store.problems().iter().map(ToString::to_string).collect();
    assert_eq!(problems.len(), 5, "{problems:#?}");
    for (file, word) in [
        ("same-layer-again.mqt", "a/good.mqt"),
        ("unknown-game.mqt", "halma"),
        ("other-rules.mqt", "rules"),
        ("short.mqt", "truncated"),
        ("empty.mqt", "truncated"),
    ] {
        assert!(
            problems.iter().any(|text| text.contains(file) && text.contains(word)),
            "{file}: {problems:#?}"
        );
    }
}

#[test]
fn a_root_that_is_not_there_is_an_error_with_its_name() {
    let nobody = Store::scan(Path::new("/nobody/here"), &rules, &Arc::new(BlockCache::new(0)));
    let error = nobody.map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::Io { .. }) && error.to_string().contains("/nobody/here"), "{error}");
}

#[test]
fn b3sums_vouches_for_every_byte_and_names_the_file_that_changed() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "s3/01v02.mqt", of_layer("01v02"));
    put(root.path(), "s3/01v03.mqt", of_layer("01v03"));
    let list = scan(root.path()).write_b3sums().unwrap();
    let text = fs::read_to_string(list).unwrap();
    let expected = blake3::hash(&fs::read(root.path().join("s3/01v02.mqt")).unwrap());
    assert!(text.starts_with(&format!("{expected}  s3/01v02.mqt\n")), "{text}");
    // The files that differ from the list or cannot be read.
    let differ = || -> Vec<String> {
        let lines = text.lines().map(|line| line.split_once("  ").unwrap());
        let is_same = |sum: &str, file: &str| {
            fs::read(root.path().join(file)).is_ok_and(|bytes| blake3::hash(&bytes).to_string() == sum)
        };
        lines.filter(|(sum, file)| !is_same(sum, file)).map(|(_, file)| file.to_owned()).collect()
    };
    assert!(differ().is_empty());
    let changed = root.path().join("s3/01v03.mqt");
    let mut bytes = fs::read(&changed).unwrap();
    bytes[100] ^= 1;
    fs::write(&changed, bytes).unwrap();
    fs::remove_file(root.path().join("s3/01v02.mqt")).unwrap();
    assert_eq!(differ(), ["s3/01v02.mqt", "s3/01v03.mqt"]);
}

#[test]
fn repacking_changes_the_bytes_and_no_cell_and_can_leave_out_the_plies() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "full.mqt", identity());
    let (full, other) = (root.path().join("full.mqt"), root.path().join("values/only.mqt"));
    let cache = Arc::new(BlockCache::new(0));
    let before = file::open(&full, &cache).unwrap().header().clone();
    let harder = Repacked { packing: Packing::Zstd { level: 19 }, cells_per_block: 4096, hints: None };
    file::repack(&open(&full), &full, |_| Some(harder), &|_| {}).unwrap();
    let after = file::open(&full, &cache).unwrap();
    after.verify_checksums(&|_| {}).unwrap();
    for (old, new) in before.streams.iter().zip(&after.header().streams) {
        assert_eq!((&old.name, old.content), (&new.name, new.content));
        assert!(new.packed_bytes < old.packed_bytes, "{} is no smaller", new.name);
    }
    assert_eq!(after.header().counts, before.counts);
    assert_eq!(after.header().notes, before.notes);
    file::repack(&open(&full), &other, |stream| (stream.name == "value").then_some(harder), &|_| {}).unwrap();
    let values = file::open(&other, &cache).unwrap();
    assert_eq!(at_once(&values, "value").unwrap(), plausible(5000, 8).0);
    assert!(matches!(values.stream("plies"), Err(Error::NoStream { .. })));
}

#[test]
fn plies_without_the_values_they_were_packed_with_are_packed_without_them() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "full.mqt", identity());
    let (full, other) = (root.path().join("full.mqt"), root.path().join("plies.mqt"));
    let plain = Repacked { packing: Packing::Raw, cells_per_block: 512, hints: None };
    file::repack(&open(&full), &other, |stream| (stream.name == "plies").then_some(plain), &|_| {}).unwrap();
    let plies = file::open(&other, &Arc::new(BlockCache::new(0))).unwrap();
    assert_eq!(at_once(&plies, "plies").unwrap(), plausible(5000, 8).1);
}

#[test]
fn a_damaged_table_is_not_repacked_and_the_target_is_left_alone() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "full.mqt", identity());
    let full = root.path().join("full.mqt");
    let mut bytes = fs::read(&full).unwrap();
    bytes[40] ^= 1;
    fs::write(&full, &bytes).unwrap();
    let plain = Repacked { packing: Packing::Raw, cells_per_block: 64, hints: None };
    let error = file::repack(&open(&full), &full, |_| Some(plain), &|_| {}).unwrap_err();
    assert!(matches!(error, Error::Damaged { .. }), "{error}");
    assert!(fs::read(&full).unwrap() == bytes);
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1, "a temporary file was left");
}

#[test]
fn what_a_dead_writer_left_is_removed_and_nothing_else() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "s3/01v02.mqt", identity());
    fs::write(root.path().join("s3/.x1y2.unfinished"), "half").unwrap();
    fs::write(root.path().join(".hidden"), "mine").unwrap();
    assert_eq!(
        remove_unfinished(&root.path().join("s3")).unwrap(),
        [root.path().join("s3/.x1y2.unfinished")]
    );
    assert!(root.path().join(".hidden").exists());
    assert_eq!(scan(root.path()).tables().count(), 1);
}

#[test]
fn the_manifest_has_a_line_a_stream_with_hash_and_counts() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "01v02.mqt", identity());
    let manifest = scan(root.path()).manifest();
    let hash = blake3::hash(&plausible(5000, 8).0);
    let line = format!("squish\tside=3\t01v02\t5000\tvalue\t{hash}\tlongest=17 wins=3");
    assert_eq!(manifest.lines().next(), Some(line.as_str()));
    assert_eq!(manifest.lines().count(), 2);
}
