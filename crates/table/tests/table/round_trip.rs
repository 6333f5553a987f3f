//! Cells read back as written, with any packing.

use std::sync::Mutex;

use marquis_table::{Codec, Error, Packing, StreamPlan, Unused, Width, write_table};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::common::{Cells, PACKINGS, at_once, layer, one_by_one, opened, plausible, stream, written};

fn widths() -> impl Strategy<Value = Width> {
    prop_oneof![Just(Width::One), Just(Width::Two), Just(Width::Four)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any cells, any width, any size of block, any packing.
    #[test]
    fn cells_come_back(
        numbers in vec(prop_oneof![4 => 0u32..3, 1 => any::<u32>()], 0..700),
        width in widths(),
        log in 0u32..=12,
        packing in proptest::sample::select(PACKINGS.to_vec()),
    ) {
        let numbers: Vec<u32> = numbers.into_iter().map(|cell| cell & width.largest()).collect();
        let cells = Cells(numbers.iter().flat_map(|c| c.to_le_bytes()[..width.bytes()].to_vec()).collect(), width);
        let plan = StreamPlan { cells_per_block: 1 << log, ..stream("value", &cells, packing) };
        let (bytes, _) = written(numbers.len() as u64, &[plan]);
        let table = opened(bytes).unwrap();
        prop_assert_eq!(one_by_one(&table, "value").unwrap(), numbers);
        prop_assert_eq!(at_once(&table, "value").unwrap(), cells.0);
        table.verify_checksums(&|_| {}).unwrap();
    }

    /// A run that starts and ends inside blocks.
    #[test]
    fn any_run_of_cells_comes_back(start in 0usize..3000, count in 0usize..3000, wide in any::<bool>()) {
        let width = if wide { Width::Two } else { Width::One };
        let cells = Cells(plausible(6000 * width.bytes() as u64, 5).0, width);
        let (bytes, _) = written(6000, &[stream("value", &cells, Packing::Zstd { level: 1 })]);
        let table = opened(bytes).unwrap();
        let mut run = vec![0; count * width.bytes()];
        table.cells(table.stream("value").unwrap(), start as u64, &mut run).unwrap();
        prop_assert_eq!(&run[..], &cells.0[start * width.bytes()..(start + count) * width.bytes()]);
    }
}

#[test]
fn a_layer_of_many_batches_comes_back_and_its_hash_is_that_of_the_plain_cells() {
    let slots = 3_000_001;
    let (values, plies) = plausible(slots, 1);
    let (values, plies) = (Cells(values, Width::One), Cells(plies, Width::One));
    for packing in PACKINGS {
        let streams = [
            StreamPlan { cells_per_block: 8192, ..stream("value", &values, packing) },
            StreamPlan { cells_per_block: 4096, given: Some("value"), ..stream("plies", &plies, packing) },
        ];
        let (bytes, header) = written(slots, &streams);
        let size = bytes.len() as u64;
        let table = opened(bytes).unwrap();
        assert_eq!(table.size(), size);
        assert!(at_once(&table, "value").unwrap() == values.0, "{packing:?}");
        assert!(at_once(&table, "plies").unwrap() == plies.0, "{packing:?}");
        for (stream, cells) in header.streams.iter().zip([&values, &plies]) {
            assert_eq!(stream.content.0, *blake3::hash(&cells.0).as_bytes(), "{packing:?}");
        }
        table.verify_checksums(&|_| {}).unwrap();
    }
}

#[test]
fn neither_codec_nor_block_size_changes_a_content_hash_of_a_layer_with_holes() {
    let (mut cells, _) = plausible(50_000, 2);
    cells.iter_mut().step_by(3).for_each(|cell| *cell = 9);
    let cells = Cells(cells, Width::One);
    let mut hashes = Vec::new();
    for packing in PACKINGS {
        for cells_per_block in [1, 64, 4096, 16_384] {
            let unused = Unused::Repeat { mark: 9 };
            let plan = StreamPlan { cells_per_block, unused, ..stream("value", &cells, packing) };
            let (bytes, header) = written(50_000, &[plan]);
            assert!(
                !at_once(&opened(bytes).unwrap(), "value").unwrap().contains(&9),
                "a mark is in the table"
            );
            hashes.push(header.streams[0].content);
        }
    }
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
}

#[test]
fn cells_that_matter_survive_the_filling_of_holes() {
    let (cells, _) = plausible(20_000, 3);
    let marked: Vec<u8> =
        cells.iter().enumerate().map(|(slot, &c)| if slot % 5 < 2 { 200 } else { c }).collect();
    let marked = Cells(marked, Width::One);
    for unused in [Unused::Repeat { mark: 200 }, Unused::Replace { mark: 200, cell: 1 }] {
        let (bytes, _) = written(20_000, &[StreamPlan { unused, ..stream("value", &marked, Packing::Raw) }]);
        let read = at_once(&opened(bytes).unwrap(), "value").unwrap();
        for slot in (0..20_000).filter(|slot| slot % 5 >= 2) {
            assert_eq!(read[slot], cells[slot], "slot {slot}");
        }
    }
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let slots = 400_000;
    let (values, plies) = plausible(slots, 4);
    let (values, plies) = (Cells(values, Width::One), Cells(plies, Width::One));
    for packing in PACKINGS {
        let write = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let streams = [
                stream("value", &values, packing),
                StreamPlan { given: Some("value"), ..stream("plies", &plies, packing) },
            ];
            pool.install(|| written(slots, &streams).0)
        };
        let one = write(1);
        assert!(one == write(2) && one == write(5), "{packing:?}");
    }
}

/// The trainer of zstd reads past the end of such samples, so it must not see them.
#[test]
fn no_dictionary_is_trained_on_tiny_blocks() {
    let cells = Cells(plausible(1000, 12).1, Width::One);
    for (cells_per_block, codec) in [(1, Codec::Zstd), (16, Codec::Zstd), (64, Codec::ZstdDictionary)] {
        let packing = Packing::ZstdDictionary { level: 3, bytes: 256 };
        let (bytes, header) =
            written(1000, &[StreamPlan { cells_per_block, ..stream("plies", &cells, packing) }]);
        assert_eq!(header.streams[0].codec, codec, "blocks of {cells_per_block}");
        assert!(at_once(&opened(bytes).unwrap(), "plies").unwrap() == cells.0);
    }
}

#[test]
fn cells_that_the_model_has_not_seen_come_back() {
    let slots = 300_000;
    let mut plies = plausible(slots, 9).1;
    let rare: Vec<usize> = (0..slots as usize).filter(|slot| slot % 1013 == 900).collect();
    rare.iter().for_each(|&slot| plies[slot] = (100 + slot % 150) as u8);
    for learn_from in [1, 1 << 12, 1 << 20] {
        let cells = Cells(plies.clone(), Width::One);
        let plan =
            StreamPlan { cells_per_block: 4096, ..stream("plies", &cells, Packing::Modelled { learn_from }) };
        let (bytes, header) = written(slots, &[plan]);
        assert!(at_once(&opened(bytes).unwrap(), "plies").unwrap() == plies, "learnt from {learn_from}");
        let packed = header.streams[0].packed_bytes;
        assert!(packed < slots, "learnt from {learn_from}: {packed} bytes");
    }
}

#[test]
fn wide_cells_of_more_kinds_than_an_alphabet_holds_come_back() {
    let cells: Vec<u8> = (0..40_000u32).flat_map(|slot| (slot * slot / 7 % 1009).to_le_bytes()).collect();
    let cells = Cells(cells, Width::Four);
    let packing = Packing::Modelled { learn_from: 1 << 20 };
    let (bytes, _) =
        written(40_000, &[StreamPlan { cells_per_block: 2048, ..stream("count", &cells, packing) }]);
    assert!(at_once(&opened(bytes).unwrap(), "count").unwrap() == cells.0);
}

#[test]
fn a_model_packs_a_plausible_layer_smaller_than_zstd_does() {
    let (values, plies) = plausible(500_000, 10);
    let (values, plies) = (Cells(values, Width::One), Cells(plies, Width::One));
    let packed = |packing| {
        let streams = [
            StreamPlan { cells_per_block: 4096, ..stream("value", &values, packing) },
            StreamPlan { cells_per_block: 4096, given: Some("value"), ..stream("plies", &plies, packing) },
        ];
        written(500_000, &streams).0.len()
    };
    let (zstd, model) =
        (packed(Packing::Zstd { level: 19 }), packed(Packing::Modelled { learn_from: 1 << 18 }));
    assert!(model * 10 < zstd * 9, "{model} bytes by a model, {zstd} by zstd");
}

#[test]
fn a_table_without_slots_is_a_table() {
    let (bytes, _) = written(0, &[stream("value", &Cells(Vec::new(), Width::One), Packing::Raw)]);
    let table = opened(bytes).unwrap();
    table.verify_checksums(&|_| {}).unwrap();
    assert!(matches!(
        table.cell(table.stream("value").unwrap(), 0),
        Err(Error::NoSlot { slot: 0, slots: 0, .. })
    ));
}

#[test]
fn progress_counts_every_cell_once() {
    let cells = Cells(plausible(100_000, 6).0, Width::One);
    let streams = [
        stream("value", &cells, Packing::Raw),
        stream("plies", &cells, Packing::ZstdDictionary { level: 1, bytes: 999 }),
    ];
    let told = Mutex::new(0);
    let count = |cells| *told.lock().unwrap() += cells;
    let mut bytes = Vec::new();
    write_table(&mut bytes, "a test", &layer(100_000), &streams, &count).unwrap();
    assert_eq!(*told.lock().unwrap(), 200_000, "written");
    opened(bytes).unwrap().verify_checksums(&count).unwrap();
    assert_eq!(*told.lock().unwrap(), 400_000, "written and checked");
}

#[test]
fn a_plan_that_the_format_cannot_hold_is_refused_with_a_reason() {
    let cells = Cells(vec![0; 100], Width::One);
    let sound = stream("value", &cells, Packing::Raw);
    let wide = Cells(vec![0; 400], Width::Four);
    let refused = |slots, streams: &[StreamPlan<'_>]| {
        let error = write_table(Vec::new(), "a test", &layer(slots), streams, &|_| {}).unwrap_err();
        assert!(matches!(error, Error::Plan { .. }), "{error}");
        error.to_string()
    };
    assert!(refused(1 << 60, &[]).contains("slots"));
    assert!(refused(100, &[sound, sound]).contains("name"));
    assert!(refused(100, &[StreamPlan { name: "", ..sound }]).contains("name"));
    assert!(refused(100, &[StreamPlan { cells_per_block: 100, ..sound }]).contains("power of two"));
    assert!(refused(100, &[StreamPlan { cells_per_block: 1 << 16, ..sound }]).contains("32768"));
    assert!(
        refused(100, &[StreamPlan { unused: Unused::Replace { mark: 1, cell: 256 }, ..sound }])
            .contains("255")
    );
    assert!(refused(100, &[StreamPlan { given: Some("plies"), ..sound }]).contains("plies"));
    let given_wide =
        [stream("value", &wide, Packing::Raw), StreamPlan { name: "plies", given: Some("value"), ..sound }];
    assert!(refused(100, &given_wide).contains("single bytes"));
    assert!(refused(100, &[sound; 17]).contains("16"));
}

#[test]
fn slots_and_streams_that_are_not_there_are_errors() {
    let (bytes, _) = written(100, &[stream("value", &Cells(vec![2; 100], Width::One), Packing::Raw)]);
    let table = opened(bytes).unwrap();
    let value = table.stream("value").unwrap();
    assert_eq!(table.cell(value, 99).unwrap(), 2);
    assert!(matches!(table.cell(value, 100), Err(Error::NoSlot { slot: 100, slots: 100, .. })));
    assert!(matches!(table.cell(value, u64::MAX), Err(Error::NoSlot { .. })));
    assert!(matches!(table.cells(value, 90, &mut [0; 11]), Err(Error::NoSlot { slot: 100, .. })));
    let error = table.stream("plies").unwrap_err().to_string();
    assert!(error.contains("\"plies\"") && error.contains("\"value\""), "{error}");
}
