//! Streams that follow from another one, and properties that do not depend on how a table is written.

use std::collections::BTreeSet;

use marquis_table::{CellSource, Codec, Error, Packing, StreamPlan, TableHeader, Unused, Width, write_table};

use crate::common::{Cells, PACKINGS, at_once, layer, one_by_one, opened, plausible, stream, written};

const SLOTS: u64 = 70_001;
const UNUSED: u8 = 255;

/// Codes of scores (0 a draw, 2 + 2p a loss, 3 + 2p a win in p plies), with unused indices, and the values and plies.
fn scores() -> [Cells; 3] {
    let (values, plies) = plausible(SLOTS, 5);
    let code = |(value, plies): (&u8, &u8)| match value {
        2 => 3 + 2 * plies,
        0 => 2 + 2 * plies,
        _ => 0,
    };
    let mut all = [values.iter().zip(&plies).map(code).collect(), values.clone(), plies.clone()];
    for cells in &mut all {
        (0..SLOTS as usize).step_by(13).for_each(|slot| cells[slot] = UNUSED);
    }
    all.map(|cells| Cells(cells, Width::One))
}

fn plans<'a>([scores, values, plies]: &'a [Cells; 3], packing: Packing) -> [StreamPlan<'a>; 3] {
    let unused = Unused::Repeat { mark: UNUSED.into() };
    [
        StreamPlan { unused, ..stream("score", scores, packing) },
        StreamPlan { unused, ..StreamPlan::implied("value", values, "score") },
        StreamPlan { unused, ..StreamPlan::implied("plies", plies, "score") },
    ]
}

#[test]
fn value_and_plies_follow_from_the_score_and_take_no_blocks() {
    let all = scores();
    let (bytes, header) = written(SLOTS, &plans(&all, Packing::Zstd { level: 3 }));
    let table = opened(bytes).unwrap();
    for (cells, name) in all.iter().zip(["score", "value", "plies"]).skip(1) {
        let about = table.stream_header(table.stream(name).unwrap());
        assert_eq!((about.codec, about.packed_bytes), (Codec::Implied, 0), "{name}");
        assert!(about.model_bytes <= 256);
        let read = at_once(&table, name).unwrap();
        let sound = |(slot, &cell): (usize, &u8)| cells.0[slot] == UNUSED || cells.0[slot] == cell;
        assert!(read.iter().enumerate().all(sound), "{name}");
        assert!(read == table.all_cells(table.stream(name).unwrap()).unwrap());
        let singly = one_by_one(&table, name).unwrap();
        assert!(read.iter().zip(&singly).all(|(&cell, &single)| u32::from(cell) == single));
    }
    table.verify_checksums(&|_| {}).unwrap();
    assert_eq!(table.header(), &header);
}

#[test]
fn cells_that_other_tables_tell_take_no_blocks_and_keep_their_hash() {
    let all = scores();
    let whole = plans(&all, Packing::Raw);
    let (_, expected) = written(SLOTS, &whole);
    let (bytes, header) = written(SLOTS, &whole.map(StreamPlan::ahead));
    assert!(bytes.len() < 2000, "{} bytes", bytes.len());
    let content =
        |header: &TableHeader| header.streams.iter().map(|stream| stream.content).collect::<Vec<_>>();
    assert_eq!(content(&header), content(&expected));
    let codecs: Vec<Codec> = header.streams.iter().map(|stream| stream.codec).collect();
    assert_eq!(codecs, [Codec::Ahead, Codec::Implied, Codec::Implied]);

    let table = opened(bytes).unwrap();
    table.verify_checksums(&|_| {}).unwrap();
    for name in ["score", "value", "plies"] {
        let stream = table.stream(name).unwrap();
        assert!(table.is_ahead(stream), "{name}");
        let refused = [
            table.cell(stream, 5).map(|_| ()),
            table.all_cells(stream).map(|_| ()),
            table.cells(stream, 0, &mut [0; 10]),
        ];
        for error in refused.map(Result::unwrap_err) {
            assert!(matches!(&error, Error::Ahead { stream, .. } if stream == "score"), "{name}: {error}");
        }
    }
    let (bytes, _) = written(SLOTS, &whole);
    let table = opened(bytes).unwrap();
    assert!(["score", "value"].iter().all(|name| !table.is_ahead(table.stream(name).unwrap())));
}

#[test]
fn cells_one_ply_ahead_that_are_given_something_are_refused() {
    let [scores, values, _] = scores();
    let unused = Unused::Repeat { mark: UNUSED.into() };
    let streams = [
        StreamPlan { unused, ..stream("score", &scores, Packing::Raw) },
        StreamPlan {
            unused,
            packing: Packing::Ahead,
            given: Some("score"),
            ..stream("value", &values, Packing::Raw)
        },
    ];
    let error = write_table(Vec::new(), "a test", &layer(SLOTS), &streams, &|_| {}).unwrap_err();
    assert!(matches!(&error, Error::Plan { .. }), "{error}");
}

#[test]
fn a_stream_that_does_not_follow_is_refused() {
    let [scores, mut values, _] = scores();
    values.0[60_000] ^= 1;
    let unused = Unused::Repeat { mark: UNUSED.into() };
    let streams = [
        StreamPlan { unused, ..stream("score", &scores, Packing::Raw) },
        StreamPlan { unused, ..StreamPlan::implied("value", &values, "score") },
    ];
    let error = write_table(Vec::new(), "a test", &layer(SLOTS), &streams, &|_| {}).unwrap_err();
    assert!(matches!(&error, Error::Plan { .. }), "{error}");
    let alone = [StreamPlan { given: None, ..streams[1] }];
    assert!(write_table(Vec::new(), "a test", &layer(SLOTS), &alone, &|_| {}).is_err());
}

#[test]
fn the_content_hash_is_the_same_for_every_codec_and_block_size() {
    let all = scores();
    let mut hashes = BTreeSet::new();
    for packing in PACKINGS {
        for cells_per_block in [64, 1024, 8192] {
            let plans = plans(&all, packing).map(|plan| StreamPlan { cells_per_block, ..plan });
            let (_, header) = written(SLOTS, &plans);
            hashes.insert(header.streams.iter().map(|stream| stream.content.to_string()).collect::<Vec<_>>());
        }
    }
    assert_eq!(hashes.len(), 1);
}

#[test]
fn the_bytes_of_a_file_do_not_depend_on_the_number_of_threads() {
    let all = scores();
    for packing in PACKINGS {
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| written(SLOTS, &plans(&all, packing)).0)
        };
        let one = with(1);
        for threads in [2, 5] {
            assert!(with(threads) == one, "{packing:?} with {threads} threads");
        }
    }
}

#[test]
fn one_source_serves_streams_of_any_width() {
    let wide = Cells((0..SLOTS as u32).flat_map(u32::to_le_bytes).collect(), Width::Four);
    let (bytes, _) = written(SLOTS, &[stream("number", &wide, Packing::Zstd { level: 1 })]);
    let table = opened(bytes).unwrap();
    let mut expected = vec![0; SLOTS as usize * 4];
    wide.fill(0, &mut expected).unwrap();
    assert!(table.all_cells(table.stream("number").unwrap()).unwrap() == expected);
}

#[test]
fn a_flipped_bit_in_any_byte_of_a_table_with_implied_streams_is_an_error() {
    let all = scores().map(|Cells(mut cells, width)| {
        cells.truncate(700);
        Cells(cells, width)
    });
    let (sound, _) = written(700, &plans(&all, Packing::Zstd { level: 3 }));
    let answers: Vec<Vec<u8>> = ["value", "plies"]
        .iter()
        .map(|name| at_once(&opened(sound.as_slice()).unwrap(), name).unwrap())
        .collect();
    for place in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[place] ^= 1 << (place % 8);
        let Ok(table) = opened(bytes.as_slice()) else { continue };
        assert!(table.verify_checksums(&|_| {}).is_err(), "byte {place} of {} goes unnoticed", sound.len());
        for (name, expected) in ["value", "plies"].iter().zip(&answers) {
            if let Ok(found) = at_once(&table, name) {
                assert!(found == *expected, "byte {place} changes {name}");
            }
        }
    }
}
