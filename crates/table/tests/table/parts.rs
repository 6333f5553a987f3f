//! A table packed in parts equals the one packed whole.

use std::ops::Range;

use marquis_table::{
    CellSource, Error, FILL_UNIT, Packing, StreamPlan, TablePart, Unused, Width, pack_part,
    write_table_of_parts,
};

use crate::common::{Cells, PACKINGS, layer, plausible, stream, written};

const SLOTS: u64 = 70_001;
const UNUSED: u8 = 255;

/// The cells of one process's part; a request for other cells panics.
struct Own<'a>(&'a Cells, Range<u64>);

impl CellSource for Own<'_> {
    fn fill(&self, first_slot: u64, out: &mut [u8]) -> Result<(), Error> {
        let cells = (out.len() / self.0.1.bytes()) as u64;
        assert!(self.1.start <= first_slot && first_slot + cells <= self.1.end, "asked for another's cells");
        self.0.fill(first_slot, out)
    }
}

/// Values with holes, a stream that follows from them, and plies of two bytes with another block size.
fn streams() -> [Cells; 3] {
    let (mut values, plies) = plausible(SLOTS, 7);
    (0..SLOTS as usize).step_by(11).for_each(|slot| values[slot] = UNUSED);
    let doubled = values.iter().map(|&value| if value == UNUSED { UNUSED } else { 2 * value }).collect();
    let wide = plies.iter().flat_map(|&ply| (u16::from(ply) * 300).to_le_bytes()).collect();
    [Cells(values, Width::One), Cells(doubled, Width::One), Cells(wide, Width::Two)]
}

fn plans<'a>(cells: [&'a dyn CellSource; 3], packing: Packing) -> [StreamPlan<'a>; 3] {
    let unused = Unused::Repeat { mark: UNUSED.into() };
    [
        StreamPlan { unused, packing, ..StreamPlan::new("value", Width::One, cells[0]) },
        StreamPlan { unused, ..StreamPlan::implied("doubled", cells[1], "value") },
        StreamPlan { packing, cells_per_block: 256, ..StreamPlan::new("plies", Width::Two, cells[2]) },
    ]
}

/// Packs each range of slots as a separate process would, and sends the parts as bytes.
fn parts(all: &[Cells; 3], packing: Packing, between: &[u64]) -> Vec<TablePart> {
    let pack = |ends: &[u64]| {
        let own: Vec<_> = all.iter().map(|cells| Own(cells, ends[0]..ends[1])).collect();
        let plans = plans([&own[0], &own[1], &own[2]], packing);
        let part = pack_part("a test", &layer(SLOTS), &plans, ends[0]..ends[1]).unwrap();
        let sent = part.clone().into_bytes();
        assert_eq!(TablePart::from_bytes("a test", &sent).unwrap(), part);
        part
    };
    between.windows(2).map(pack).collect()
}

/// The source of cells for joining parts, which must not be called.
fn none(_: u64, _: &mut [u8]) {
    panic!("joining parts asks for no cells");
}

fn joined(parts: Vec<TablePart>, packing: Packing) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    write_table_of_parts(&mut bytes, "a test", &layer(SLOTS), &plans([&none; 3], packing), parts)?;
    Ok(bytes)
}

#[test]
fn parts_are_joined_to_the_bytes_of_the_whole() {
    let all = streams();
    for packing in PACKINGS.into_iter().filter(|packing| learns_nothing(*packing)) {
        let (whole, _) = written(SLOTS, &plans([&all[0], &all[1], &all[2]], packing));
        for between in [&[0, SLOTS][..], &[0, 8192, SLOTS], &[0, 0, 24_576, 24_576, 65_536, SLOTS, SLOTS]] {
            assert!(
                joined(parts(&all, packing, between), packing).unwrap() == whole,
                "{packing:?} {between:?}"
            );
        }
    }
}

fn learns_nothing(packing: Packing) -> bool {
    matches!(packing, Packing::Raw | Packing::Zstd { .. } | Packing::Differences { .. })
}

#[test]
fn a_part_that_cannot_be_packed_by_itself_is_refused() {
    let all = streams();
    let refused = |plans: &[StreamPlan<'_>], slots: Range<u64>, words: &str| {
        let error = pack_part("a test", &layer(SLOTS), plans, slots).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let quick = plans([&all[0], &all[1], &all[2]], Packing::Raw);
    refused(&quick, 0..FILL_UNIT, "multiples of 8192");
    refused(&quick, 8192..10_000, "multiples of 8192");
    refused(&quick, 0..2 * SLOTS, "0 to 140002");
    for packing in PACKINGS.into_iter().filter(|packing| !learns_nothing(*packing)) {
        refused(&[stream("value", &all[0], packing)], 0..SLOTS, "learns nothing");
    }
}

#[test]
fn parts_of_another_layer_and_damaged_ones_are_refused() {
    let all = streams();
    let packing = Packing::Zstd { level: 3 };
    let whole = parts(&all, packing, &[0, 8192, 65_536, SLOTS]);
    let lacking = [whole[0].clone(), whole[2].clone()];
    let error = joined(lacking.into(), packing).unwrap_err().to_string();
    assert!(error.contains("must be 70001, found 12657"), "{error}");
    assert!(joined(Vec::new(), packing).is_err());
    let mut sent = whole[1].clone().into_bytes();
    for place in [0, 9, sent.len() / 2, sent.len() - 1] {
        sent[place] ^= 4;
        let error = TablePart::from_bytes("a test", &sent).unwrap_err().to_string();
        assert!(error.contains("packed by another process"), "{error}");
        sent[place] ^= 4;
    }
    assert!(TablePart::from_bytes("a test", &sent).is_ok());
    for length in [0, 3, 4, sent.len() - 1] {
        assert!(TablePart::from_bytes("a test", &sent[..length]).is_err());
    }
}
