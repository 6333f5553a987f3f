//! Packs tables in several ways and prints the cost of each: `compare_packings FILE.mqt…`
//!
//! One line per way: bytes, slots a byte, seconds to pack, and microseconds to read a random cell of the last stream
//! whose block is not in the cache, at the median and in the slowest hundredth.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use marquis_table::file::open;
use marquis_table::{
    BlockCache, LayerPlan, Packing, ReadAt, StreamId, StreamPlan, Table, Unused, write_table,
};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

const PROBES: usize = 2000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut ways = vec![
        ("raw", Packing::Raw),
        ("zstd 3", Packing::Zstd { level: 3 }),
        ("zstd 19", Packing::Zstd { level: 19 }),
        ("differences 3", Packing::Differences { level: 3 }),
        ("differences 19", Packing::Differences { level: 19 }),
        ("zstd 19, dictionary", Packing::ZstdDictionary { level: 19, bytes: 112 << 10 }),
    ];
    for learn_from in [1 << 17, 1 << 20, 1 << 23] {
        ways.push(("modelled", Packing::Modelled { learn_from }));
    }
    for path in std::env::args_os().skip(1) {
        let table = open(Path::new(&path), &Arc::new(BlockCache::new(0)))?;
        println!("{} ({} slots)", table.name(), table.header().slots);
        for &(name, packing) in &ways {
            for cells_per_block in [2048, 4096, 8192, 16_384] {
                compare(&table, name, packing, cells_per_block)?;
            }
        }
    }
    Ok(())
}

/// Packs the table one way and prints its line.
fn compare(
    table: &Table<impl ReadAt>,
    name: &str,
    packing: Packing,
    cells_per_block: u32,
) -> Result<(), Box<dyn Error>> {
    let about = table.header();
    let ids: Vec<StreamId> =
        about.streams.iter().map(|stream| table.stream(&stream.name)).collect::<Result<_, _>>()?;
    let sources: Vec<_> = ids.iter().map(|&id| table.source(id)).collect();
    let streams: Vec<StreamPlan<'_>> = about
        .streams
        .iter()
        .zip(&sources)
        .map(|(stream, source)| StreamPlan {
            unused: Unused::None,
            packing,
            cells_per_block: cells_per_block.min(32_768 / stream.width.bytes() as u32),
            given: stream.given.map(|given| about.streams[given].name.as_str()),
            ..StreamPlan::new(&stream.name, stream.width, source)
        })
        .collect();
    let layer = LayerPlan {
        identity: about.identity.clone(),
        slots: about.slots,
        counts: about.counts.clone(),
        notes: about.notes.clone(),
    };
    let started = Instant::now();
    let mut bytes = Vec::new();
    write_table(&mut bytes, name, &layer, &streams, &|_| {})?;
    let took = started.elapsed();
    let size = bytes.len();
    let packed = Table::open(bytes, name, &Arc::new(BlockCache::new(0)))?;
    let (median, slow) = probe(table, &packed)?;
    println!(
        "{name:20} {packing:?}, {cells_per_block} cells a block: {size} bytes, {:.2} slots a byte, {:.2} s, \
         probe p50 {:.1} µs, p99 {:.1} µs",
        about.slots as f64 / size as f64,
        took.as_secs_f64(),
        median.as_secs_f64() * 1e6,
        slow.as_secs_f64() * 1e6,
    );
    Ok(())
}

/// The time to read random cells of the last stream, each compared with the original table.
fn probe(
    sound: &Table<impl ReadAt>,
    packed: &Table<impl ReadAt>,
) -> Result<(Duration, Duration), Box<dyn Error>> {
    let Some(last) = packed.header().streams.last().filter(|_| packed.header().slots > 0) else {
        return Ok((Duration::ZERO, Duration::ZERO));
    };
    let (id, sound_id) = (packed.stream(&last.name)?, sound.stream(&last.name)?);
    let mut times = Vec::with_capacity(PROBES);
    let mut random = SmallRng::seed_from_u64(1);
    for _ in 0..PROBES {
        let slot = random.random_range(0..packed.header().slots);
        let started = Instant::now();
        let cell = packed.cell(id, slot)?;
        times.push(started.elapsed());
        assert_eq!(cell, sound.cell(sound_id, slot)?, "slot {slot}");
    }
    times.sort_unstable();
    Ok((times[PROBES / 2], times[PROBES * 99 / 100]))
}
