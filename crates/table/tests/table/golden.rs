//! The exact bytes of the format: a change to them needs another version of the format.
//!
//! `golden/v1-raw.hex` is the exact output of the writer. `golden/v1-all.hex` has every codec; its packed blocks may
//! differ between versions of a compressor, so the test only reads it. `golden/v1-differences.hex` is the same for
//! the codec that was added later.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use marquis_table::{FORMAT_VERSION, Packing, SlotFacts, StreamPlan, Unused, Width};

use crate::common::{Cells, at_once, opened, plausible, stream, written};

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn golden(name: &str) -> Vec<u8> {
    let text = std::fs::read_to_string(path(name)).unwrap();
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.chunks(32).fold(String::new(), |mut text, line| {
        line.iter().for_each(|byte| write!(text, "{byte:02x}").unwrap());
        text + "\n"
    })
}

/// Ten slots: an unused index at slot 3, plies of two bytes in blocks of four, the last two blocks constant.
fn raw() -> Vec<u8> {
    let values = Cells(vec![2, 0, 1, 9, 2, 2, 2, 2, 2, 2], Width::One);
    let plies: Vec<u8> =
        [5u16, 4, 0, 0, 7, 7, 7, 7, 300, 300].iter().flat_map(|cell| cell.to_le_bytes()).collect();
    let plies = Cells(plies, Width::Two);
    let streams = [
        StreamPlan { unused: Unused::Repeat { mark: 9 }, ..stream("value", &values, Packing::Raw) },
        StreamPlan { cells_per_block: 4, ..stream("plies", &plies, Packing::Raw) },
    ];
    written(10, &streams).0
}

fn hints() -> SlotFacts {
    let values = plausible(600, 31).0;
    SlotFacts {
        name: "value-again".to_owned(),
        width: Width::One,
        bytes: Arc::new(Cells(values, Width::One)),
    }
}

fn all_cells() -> (Cells, Cells) {
    let (values, mut plies) = plausible(600, 31);
    plies[77] = 201;
    (Cells(values, Width::One), Cells(plies, Width::One))
}

fn all() -> Vec<u8> {
    let (values, plies) = all_cells();
    let modelled = Packing::Modelled { learn_from: 4096 };
    let hints = hints();
    let streams = [
        stream("value", &values, Packing::Zstd { level: 3 }),
        stream("with-dictionary", &plies, Packing::ZstdDictionary { level: 3, bytes: 256 }),
        StreamPlan { cells_per_block: 256, given: Some("value"), ..stream("given", &plies, modelled) },
        StreamPlan { cells_per_block: 256, hints: Some(&hints), ..stream("hinted", &plies, modelled) },
        StreamPlan { cells_per_block: 256, ..stream("alone", &values, modelled) },
    ];
    written(600, &streams).0
}

fn near_cells() -> [(&'static str, Cells); 3] {
    let number = |slot: u64| (30_000 + slot * 37 % 400 + slot * slot % 7).to_le_bytes();
    let cells = |width: Width| {
        let cells = (0..600).flat_map(|slot| number(slot)[..width.bytes()].to_vec()).collect();
        Cells(cells, width)
    };
    [("one", cells(Width::One)), ("two", cells(Width::Two)), ("four", cells(Width::Four))]
}

fn differences() -> Vec<u8> {
    let cells = near_cells();
    let streams = cells.each_ref().map(|(name, cells)| StreamPlan {
        cells_per_block: 256,
        ..stream(name, cells, Packing::Differences { level: 3 })
    });
    written(600, &streams).0
}

#[test]
fn a_small_table_has_these_bytes() {
    assert_eq!(FORMAT_VERSION, 1, "a new version needs new golden files");
    assert_eq!(hex(&raw()), hex(&golden("v1-raw.hex")));
}

/// The bytes of the example in the description of the format: lines of an offset, the bytes, and their meaning, two
/// spaces apart.
fn example() -> Vec<u8> {
    let page = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tablebases/FORMAT.md");
    let text = std::fs::read_to_string(page).unwrap();
    let (_, example) = text.split_once("## A worked example").unwrap();
    let block = example.split("```").nth(1).unwrap();
    let mut bytes = Vec::new();
    for line in block.lines().filter(|line| !line.is_empty()) {
        let mut columns = line.split("  ");
        assert_eq!(columns.next(), Some(format!("{:03x}", bytes.len()).as_str()), "the offset of {line}");
        let pairs = columns.next().unwrap().split(' ');
        bytes.extend(pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()));
    }
    bytes
}

#[test]
fn the_description_of_the_format_shows_these_bytes() {
    assert_eq!(hex(&example()), hex(&raw()));
}

#[test]
fn every_codec_of_this_version_is_still_read() {
    let table = opened(golden("v1-all.hex")).unwrap().with_hints(hints());
    table.verify_checksums(&|_| {}).unwrap();
    let (values, plies) = all_cells();
    for (name, cells) in [
        ("value", &values),
        ("with-dictionary", &plies),
        ("given", &plies),
        ("hinted", &plies),
        ("alone", &values),
    ] {
        assert_eq!(at_once(&table, name).unwrap(), cells.0, "{name}");
    }
}

#[test]
fn differences_of_this_version_are_still_read() {
    let table = opened(golden("v1-differences.hex")).unwrap();
    table.verify_checksums(&|_| {}).unwrap();
    for (name, cells) in near_cells() {
        assert_eq!(at_once(&table, name).unwrap(), cells.0, "{name}");
    }
}

#[test]
#[ignore = "writes the golden files that are missing, of a new version of the format or a new codec"]
fn write_golden_files() {
    std::fs::create_dir_all(path("")).unwrap();
    let files = [("raw", raw()), ("all", all()), ("differences", differences())];
    let named = files.map(|(name, bytes)| (path(&format!("v{FORMAT_VERSION}-{name}.hex")), bytes));
    let missing: Vec<_> = named.iter().filter(|(path, _)| !path.exists()).collect();
    assert!(!missing.is_empty(), "all are there already; another version of the format has other files");
    for (path, bytes) in missing {
        std::fs::write(path, hex(bytes)).unwrap();
    }
}
