//! Random probes of a table: `cargo bench --manifest-path tests/bench/Cargo.toml --bench probe`. Every answer is
//! compared with the packed cells.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use marquis_table::{
    BlockCache, Fingerprint, Identity, LayerPlan, Packing, StreamPlan, Table, Width, write_table,
};

const SLOTS: usize = 1 << 20;
/// Probes per iteration.
const PROBES: u64 = 1000;

/// Scores in runs, as in real layers.
fn cells() -> Vec<u8> {
    let (mut random, mut cell) = (0x9e37_79b9_7f4a_7c15_u64, 3);
    let next = || {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        if random >> 60 < 5 {
            cell = 2 + (random >> 32).trailing_zeros().min(14) as u8;
        }
        cell
    };
    std::iter::repeat_with(next).take(SLOTS).collect()
}

fn packed(cells: &[u8], packing: Packing, cells_per_block: u32, cache_bytes: usize) -> Table<Vec<u8>> {
    let source = |first: u64, out: &mut [u8]| out.copy_from_slice(&cells[first as usize..][..out.len()]);
    let identity = Identity {
        game: "none".to_owned(),
        variant: String::new(),
        layer: "bench".to_owned(),
        rules: Fingerprint::of("a bench"),
    };
    let layer = LayerPlan {
        identity,
        slots: SLOTS as u64,
        counts: std::collections::BTreeMap::new(),
        notes: std::collections::BTreeMap::new(),
    };
    let stream = StreamPlan { packing, cells_per_block, ..StreamPlan::new("score", Width::One, &source) };
    let mut bytes = Vec::new();
    write_table(&mut bytes, "a bench", &layer, &[stream], &|_| {}).expect("the plan is sound");
    Table::open(bytes, "a bench", &Arc::new(BlockCache::new(cache_bytes))).expect("the table is sound")
}

fn probe(criterion: &mut Criterion) {
    let cells = cells();
    let ways = [
        ("built", Packing::Zstd { level: 3 }, 8192),
        ("modelled", Packing::Modelled { learn_from: 1 << 20 }, 2048),
    ];
    let mut group = criterion.benchmark_group("probe");
    group.throughput(Throughput::Elements(PROBES)).sample_size(10);
    for (name, packing, cells_per_block) in ways {
        for (state, cache_bytes) in [("cold", 0), ("cached", 64 << 20)] {
            let table = packed(&cells, packing, cells_per_block, cache_bytes);
            let stream = table.stream("score").expect("it was written");
            let mut random = 1_u64;
            group.bench_function(format!("{name}, {state}"), |bencher| {
                bencher.iter(|| {
                    for _ in 0..PROBES {
                        random =
                            random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                        let slot = (random >> 20) as usize % SLOTS;
                        let cell = table.cell(stream, black_box(slot as u64)).expect("a sound table");
                        assert_eq!(cell, u32::from(cells[slot]));
                    }
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, probe);
criterion_main!(benches);
