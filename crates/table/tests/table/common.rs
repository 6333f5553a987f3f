//! Small layers for the tests of this crate.

use std::collections::BTreeMap;
use std::sync::Arc;

use marquis_table::{
    BlockCache, CellSource, Error, Fingerprint, Identity, LayerPlan, Packing, ReadAt, StreamPlan, Table,
    TableHeader, Width, write_table,
};

/// The packings that every layer must survive.
pub(crate) const PACKINGS: [Packing; 5] = [
    Packing::Raw,
    Packing::Zstd { level: 3 },
    Packing::ZstdDictionary { level: 3, bytes: 4096 },
    Packing::Differences { level: 3 },
    Packing::Modelled { learn_from: 1 << 17 },
];

/// The layer of one rook against one, of no game in particular.
pub(crate) fn identity() -> Identity {
    Identity {
        game: "squish".to_owned(),
        variant: "side=3".to_owned(),
        layer: "01v02".to_owned(),
        rules: Fingerprint::of("the rules of the tests"),
    }
}

/// A layer of `slots` slots.
pub(crate) fn layer(slots: u64) -> LayerPlan {
    LayerPlan {
        identity: identity(),
        slots,
        counts: BTreeMap::from([("wins".to_owned(), 3), ("longest".to_owned(), 17)]),
        notes: BTreeMap::from([("made-by".to_owned(), "a test".to_owned())]),
    }
}

/// Cells in memory.
pub(crate) struct Cells(pub(crate) Vec<u8>, pub(crate) Width);

impl CellSource for Cells {
    fn fill(&self, first_slot: u64, out: &mut [u8]) -> Result<(), Error> {
        let start = first_slot as usize * self.1.bytes();
        out.copy_from_slice(&self.0[start..start + out.len()]);
        Ok(())
    }
}

/// A stream without unused indices, in blocks of 64 cells.
pub(crate) fn stream<'a>(name: &'a str, cells: &'a Cells, packing: Packing) -> StreamPlan<'a> {
    StreamPlan { packing, cells_per_block: 64, ..StreamPlan::new(name, cells.1, cells) }
}

/// The bytes of a table.
pub(crate) fn written(slots: u64, streams: &[StreamPlan<'_>]) -> (Vec<u8>, TableHeader) {
    let mut bytes = Vec::new();
    let header =
        write_table(&mut bytes, "a test", &layer(slots), streams, &|_| {}).expect("the plan is sound");
    (bytes, header)
}

/// The table of these bytes, with a new cache.
pub(crate) fn opened<R: ReadAt>(bytes: R) -> Result<Table<R>, Error> {
    Table::open(bytes, "a test", &Arc::new(BlockCache::new(1 << 20)))
}

/// Every cell of a stream, read one by one.
pub(crate) fn one_by_one<R: ReadAt>(table: &Table<R>, stream: &str) -> Result<Vec<u32>, Error> {
    let stream = table.stream(stream)?;
    (0..table.header().slots).map(|slot| table.cell(stream, slot)).collect()
}

/// Every cell of a stream, read at once, little-endian.
pub(crate) fn at_once<R: ReadAt>(table: &Table<R>, stream: &str) -> Result<Vec<u8>, Error> {
    let stream = table.stream(stream)?;
    let mut cells = vec![0; table.header().slots as usize * table.stream_header(stream).width.bytes()];
    table.cells(stream, 0, &mut cells)?;
    Ok(cells)
}

/// Values and plies like those of a solved layer: mostly wins and losses in runs, plies of matching parity.
///
/// The second vector holds the plies.
pub(crate) fn plausible(slots: u64, seed: u64) -> (Vec<u8>, Vec<u8>) {
    let mut state = seed | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let (mut value, mut depth) = (2u8, 3u8);
    let mut cells = (Vec::new(), Vec::new());
    for _ in 0..slots {
        let roll = next() % 100;
        if roll < 12 {
            value = [2, 2, 0, 0, 1][(next() % 5) as usize];
        }
        if roll % 7 == 0 {
            depth = (next() % 12) as u8;
        }
        cells.0.push(value);
        cells.1.push(match value {
            2 => 2 * depth + 1,
            0 => 2 * depth,
            _ => 0,
        });
    }
    cells
}

/// Makes the checksum of the header valid again, as an attacker would.
pub(crate) fn seal_header(bytes: &mut [u8]) {
    let trailer = bytes.len() - 16;
    let length = u32::from_le_bytes(bytes[trailer..trailer + 4].try_into().unwrap()) as usize;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[trailer.saturating_sub(length)..trailer]);
    hasher.update(&bytes[trailer..trailer + 4]);
    bytes[trailer + 4..trailer + 8].copy_from_slice(&hasher.finalize().to_le_bytes());
}
