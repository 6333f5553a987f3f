//! Streams that were packed with hints.

use std::sync::Arc;

use marquis_table::{Error, Packing, SlotFacts, StreamPlan, TableHeader, Width};

use crate::common::{Cells, at_once, one_by_one, opened, plausible, stream, written};

const SLOTS: u64 = 100_000;

/// Hints that give all of a cell of a stream but its lowest bit, at most slots.
fn telling(cells: &[u8], lies_every: usize) -> SlotFacts {
    let bytes: Vec<u8> = cells
        .iter()
        .enumerate()
        .map(|(slot, &cell)| if slot % lies_every == 0 { 7 } else { cell | 1 })
        .collect();
    SlotFacts { name: "nearly-1".to_owned(), width: Width::One, bytes: Arc::new(Cells(bytes, Width::One)) }
}

fn packed_with(hints: Option<&SlotFacts>) -> (Vec<u8>, TableHeader) {
    let cells = Cells(plausible(SLOTS, 11).1, Width::One);
    let plan = StreamPlan {
        hints,
        cells_per_block: 4096,
        ..stream("plies", &cells, Packing::Modelled { learn_from: 1 << 16 })
    };
    written(SLOTS, &[plan])
}

#[test]
fn hints_that_tell_much_save_most_bytes_and_change_no_cell() {
    let plies = plausible(SLOTS, 11).1;
    let hints = telling(&plies, 50);
    let (without, with) = (packed_with(None), packed_with(Some(&hints)));
    assert_eq!(without.1.streams[0].content, with.1.streams[0].content);
    let (without, with) = (without.1.streams[0].packed_bytes, with.1.streams[0].packed_bytes);
    assert!(with < without, "{with} bytes with hints, {without} without");
    let table = opened(packed_with(Some(&hints)).0).unwrap().with_hints(hints);
    assert!(at_once(&table, "plies").unwrap() == plies);
    let one_by_one = one_by_one(&table, "plies").unwrap();
    assert!(one_by_one.iter().zip(&plies).all(|(&read, &cell)| read == u32::from(cell)));
    table.verify_checksums(&|_| {}).unwrap();
}

#[test]
fn without_its_hints_a_stream_is_not_read() {
    let plies = plausible(SLOTS, 11).1;
    let (bytes, _) = packed_with(Some(&telling(&plies, 50)));
    let others = SlotFacts { name: "nearly-2".to_owned(), ..telling(&plies, 50) };
    let table = opened(bytes).unwrap().with_hints(others);
    let error = table.cell(table.stream("plies").unwrap(), 0).unwrap_err();
    assert!(matches!(&error, Error::NoHints { hints, .. } if hints == "nearly-1"), "{error}");
}

#[test]
fn other_hints_under_the_same_name_give_errors_and_no_wrong_answer() {
    let plies = plausible(SLOTS, 11).1;
    let (bytes, _) = packed_with(Some(&telling(&plies, 50)));
    let table = opened(bytes).unwrap().with_hints(telling(&plies, 49));
    let id = table.stream("plies").unwrap();
    let mut refused = 0;
    for slot in (0..SLOTS).step_by(97) {
        match table.cell(id, slot) {
            Ok(cell) => assert_eq!(cell, u32::from(plies[slot as usize]), "slot {slot}"),
            Err(error) => {
                assert!(error.to_string().contains("hints"), "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused > 0, "other hints go unnoticed");
    assert!(table.verify_checksums(&|_| {}).is_err());
}
