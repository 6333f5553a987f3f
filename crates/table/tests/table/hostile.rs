//! Random bytes: errors, no panic, and no memory beyond what the bytes justify.

use marquis_table::{Packing, ReadAt, StreamPlan, Table, Width};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::common::{Cells, PACKINGS, opened, plausible, seal_header, stream, written};

/// Reads everything in a table; any result is fine, but no call may panic.
fn ask<R: ReadAt>(table: &Table<R>) {
    let _ = table.verify_checksums(&|_| {});
    for about in &table.header().streams {
        let Ok(stream) = table.stream(&about.name) else { continue };
        for slot in [0, 1, 63, 64, 4000, table.header().slots.saturating_sub(1), u64::MAX] {
            let _ = table.cell(stream, slot);
        }
        let _ = table.cells(stream, 3, &mut [0; 512]);
    }
}

fn sound(packing: Packing) -> Vec<u8> {
    let (values, plies) = plausible(3000, 21);
    let (values, plies) = (Cells(values, Width::One), Cells(plies, Width::One));
    let streams = [
        stream("value", &values, packing),
        StreamPlan { given: Some("value"), ..stream("plies", &plies, packing) },
    ];
    written(3000, &streams).0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn arbitrary_bytes_between_a_true_head_and_a_true_end(middle in vec(any::<u8>(), 0..400), length in 0u32..300) {
        let file = sound(Packing::Raw);
        let mut bytes = file[..12].to_vec();
        bytes.extend(middle);
        bytes.extend(length.to_le_bytes());
        bytes.extend(&file[file.len() - 12..]);
        let header = (length as usize).min(bytes.len() - 28);
        let trailer = bytes.len() - 16;
        bytes[trailer..trailer + 4].copy_from_slice(&(header as u32).to_le_bytes());
        seal_header(&mut bytes);
        if let Ok(table) = opened(bytes) {
            ask(&table);
        }
    }

    #[test]
    fn a_header_changed_on_purpose(
        packing in proptest::sample::select(PACKINGS.to_vec()),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = sound(packing);
        let trailer = bytes.len() - 16;
        let length = u32::from_le_bytes(bytes[trailer..trailer + 4].try_into().unwrap()) as usize;
        for (place, byte) in changes {
            bytes[trailer - length + place.index(length)] = byte;
        }
        seal_header(&mut bytes);
        if let Ok(table) = opened(bytes) {
            ask(&table);
        }
    }

    #[test]
    fn any_bytes_changed(
        packing in proptest::sample::select(PACKINGS.to_vec()),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..9),
    ) {
        let mut bytes = sound(packing);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        seal_header(&mut bytes);
        if let Ok(table) = opened(bytes) {
            ask(&table);
        }
    }
}
