//! Damaged files: an error, never a wrong answer.

use marquis_table::{Error, Fingerprint, Identity, Packing, StreamPlan, Unused, Width};

use crate::common::{Cells, PACKINGS, identity, one_by_one, opened, plausible, seal_header, stream, written};

/// A small table with packed, stored and constant blocks of 64 cells, more than a page of them.
fn small(packing: Packing) -> Vec<u8> {
    let (mut values, mut plies) = plausible(4500, 7);
    values[640..1280].fill(2);
    for (slot, cell) in plies[1280..1344].iter_mut().enumerate() {
        *cell = (slot * 151 + 13) as u8;
    }
    let (values, plies) = (Cells(values, Width::One), Cells(plies, Width::One));
    let streams = [
        stream("value", &values, packing),
        StreamPlan {
            given: Some("value"),
            unused: Unused::Repeat { mark: 255 },
            ..stream("plies", &plies, packing)
        },
    ];
    written(4500, &streams).0
}

/// All cells of a table; an error if the bytes do not match their checksums.
fn answers(bytes: &[u8]) -> Result<Vec<Vec<u32>>, Error> {
    let table = opened(bytes)?;
    table.expect(&identity())?;
    ["value", "plies"].iter().map(|stream| one_by_one(&table, stream)).collect()
}

fn verified(bytes: &[u8]) -> Result<(), Error> {
    opened(bytes)?.verify_checksums(&|_| {})
}

#[test]
fn a_flipped_bit_in_any_byte_is_an_error_and_never_a_wrong_answer() {
    for packing in PACKINGS {
        let sound = small(packing);
        let expected = answers(&sound).unwrap();
        verified(&sound).unwrap();
        for place in 0..sound.len() {
            let mut bytes = sound.clone();
            bytes[place] ^= 1 << (place % 8);
            assert!(verified(&bytes).is_err(), "{packing:?}: byte {place} of {} goes unnoticed", sound.len());
            let table = match opened(bytes.as_slice()) {
                Ok(table) => table,
                Err(_) => continue,
            };
            for (stream, expected) in ["value", "plies"].iter().zip(&expected) {
                let id = table.stream(stream).unwrap();
                for slot in (0..expected.len()).step_by(64) {
                    if let Ok(cell) = table.cell(id, slot as u64) {
                        assert_eq!(
                            cell, expected[slot],
                            "{packing:?}: byte {place}, {stream} of slot {slot}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_file_cut_short_anywhere_does_not_open() {
    for packing in PACKINGS {
        let sound = small(packing);
        for length in 0..sound.len() {
            let error = opened(&sound[..length]).map(|_| ()).unwrap_err();
            assert!(matches!(error, Error::CutShort { .. }), "{packing:?}: {length} bytes: {error}");
        }
    }
}

#[test]
fn a_file_with_bytes_after_its_end_does_not_open() {
    let mut bytes = small(Packing::Raw);
    bytes.push(0);
    assert!(opened(bytes).is_err());
}

#[test]
fn cells_other_than_those_that_were_hashed_do_not_pass() {
    let mut bytes = small(Packing::Raw);
    let content = opened(bytes.as_slice()).unwrap().header().streams[1].content.0;
    let place = bytes.windows(32).position(|window| window == content).unwrap();
    bytes[place] ^= 1;
    seal_header(&mut bytes);
    let error = verified(&bytes).unwrap_err();
    assert!(error.to_string().contains("the cells of the stream \"plies\""), "{error}");
}

#[test]
fn an_index_that_passes_over_blocks_does_not_pass() {
    const BLOCKS: usize = 65;
    let cells = Cells((0..64).cycle().take(64 * BLOCKS).collect(), Width::One);
    let (mut bytes, _) = written(64 * BLOCKS as u64, &[stream("value", &cells, Packing::Raw)]);
    let first_page = 12 + 64 * BLOCKS;
    let second_page = first_page + 12 + 6 * 64;
    let last_block = bytes[second_page..second_page + 8].to_vec();
    assert_eq!(last_block, (64 * 64u64).to_le_bytes(), "where the second page starts");
    bytes[second_page..second_page + 8].fill(0);
    let crc = crc32fast::hash(&bytes[second_page..second_page + 14]);
    bytes[second_page + 14..second_page + 18].copy_from_slice(&crc.to_le_bytes());
    assert_eq!(answers_of(&bytes, "value").len(), 64 * BLOCKS, "all blocks are alike, so it can be read");
    let error = verified(&bytes).unwrap_err();
    assert!(error.to_string().contains("block 64"), "{error}");
}

fn answers_of(bytes: &[u8], stream: &str) -> Vec<u32> {
    one_by_one(&opened(bytes).unwrap(), stream).unwrap()
}

#[test]
fn bytes_that_belong_to_nothing_are_refused() {
    let mut bytes = small(Packing::Raw);
    let trailer = bytes.len() - 16;
    let header = u32::from_le_bytes(bytes[trailer..trailer + 4].try_into().unwrap()) as usize;
    bytes.insert(trailer - header, 0);
    let error = opened(bytes).map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::Damaged { .. }), "{error}");
}

#[test]
fn bytes_that_are_no_table_are_called_so() {
    for bytes in [&b"not a table at all, but long enough to be one"[..], &[0; 64], &[0xff; 7]] {
        let error = opened(bytes).map(|_| ()).unwrap_err();
        assert!(matches!(error, Error::WrongKind { .. }), "{error}");
    }
}

#[test]
fn another_version_is_named() {
    let mut bytes = small(Packing::Raw);
    bytes[8] += 1;
    let error = opened(bytes).map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::Version { expected: 1, found: 2, .. }), "{error}");
}

#[test]
fn a_table_of_another_game_variant_layer_or_version_of_the_rules_is_refused() {
    let table = opened(small(Packing::Raw)).unwrap();
    table.expect(&identity()).unwrap();
    let others = [
        ("game", Identity { game: "flowish".to_owned(), ..identity() }),
        ("variant", Identity { variant: "side=4".to_owned(), ..identity() }),
        ("layer", Identity { layer: "02v01".to_owned(), ..identity() }),
        ("version of the rules", Identity { rules: Fingerprint::of("other rules"), ..identity() }),
    ];
    for (part, other) in others {
        let error = table.expect(&other).unwrap_err();
        assert!(matches!(&error, Error::Foreign { what, .. } if *what == part), "{part}: {error}");
        assert!(error.to_string().contains("a test"), "names the file: {error}");
    }
}
