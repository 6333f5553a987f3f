//! The cache of decoded blocks against moka: the time of a look-up, the hit rate, and the bytes in use.
//!
//! ```text
//! cargo run --release -p marquis-table --example compare_caches
//! ```
//!
//! Blocks have 64 KiB; the caches hold 16 MiB. Look-ups fall on 4096 blocks, some of them more often (the square of
//! an even distribution).

#[path = "../src/cache.rs"]
#[allow(dead_code, unreachable_pub, reason = "the library's own cache, of which only a part is used")]
mod cache;

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use cache::{BlockCache, BlockKey};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

const BLOCK: usize = 64 << 10;
const ROOM: usize = 16 << 20;
const BLOCKS: u64 = 4096;
const ASKED: usize = 1_000_000;

type Block = Arc<[u8]>;

/// A cache under test.
trait Kept: Sync {
    fn get(&self, block: u64) -> Option<Block>;
    fn put(&self, block: u64, cells: Block);
    fn bytes(&self) -> usize;
}

fn key(block: u64) -> BlockKey {
    BlockKey { table: 1, stream: 0, block }
}

impl Kept for BlockCache {
    fn get(&self, block: u64) -> Option<Block> {
        self.get(key(block))
    }

    fn put(&self, block: u64, cells: Block) {
        self.insert(key(block), cells);
    }

    fn bytes(&self) -> usize {
        Self::bytes(self)
    }
}

/// Moka, which runs its pending work itself, after a number of insertions.
struct Moka {
    kept: moka::sync::Cache<BlockKey, Block>,
}

impl Moka {
    fn new() -> Self {
        let weigh = |_: &BlockKey, cells: &Block| u32::try_from(cells.len() + 96).unwrap_or(u32::MAX);
        Self { kept: moka::sync::Cache::builder().max_capacity(ROOM as u64).weigher(weigh).build() }
    }
}

impl Kept for Moka {
    fn get(&self, block: u64) -> Option<Block> {
        self.kept.get(&key(block))
    }

    fn put(&self, block: u64, cells: Block) {
        self.kept.insert(key(block), cells);
    }

    fn bytes(&self) -> usize {
        // The actual entries, not the reported size: entries that wait for eviction are still in memory.
        self.kept.iter().map(|(_, cells)| cells.len()).sum()
    }
}

/// Nanoseconds of a look-up that finds its block, with `threads` threads at once.
fn found(cache: &impl Kept, threads: u64) -> u128 {
    for block in 0..64 {
        cache.put(block, vec![0; BLOCK].into());
    }
    let began = Instant::now();
    thread::scope(|scope| {
        for seed in 0..threads {
            scope.spawn(move || {
                let mut random = SmallRng::seed_from_u64(seed);
                for _ in 0..ASKED {
                    assert!(cache.get(random.random_range(0..64)).is_some());
                }
            });
        }
    });
    began.elapsed().as_nanos() / ASKED as u128
}

/// The share of look-ups that find their block, the largest number of bytes held, and the time of a look-up.
fn mixed(cache: &impl Kept) -> (f64, usize, Duration) {
    let (mut hits, mut most) = (0, 0);
    let mut random = SmallRng::seed_from_u64(7);
    let mut took = Duration::ZERO;
    for number in 0..ASKED / 10 {
        let block = (random.random::<f64>().powi(2) * BLOCKS as f64) as u64;
        let began = Instant::now();
        if cache.get(block).is_some() {
            hits += 1;
        } else {
            cache.put(block, vec![0; BLOCK].into());
        }
        took += began.elapsed();
        if number % 97 == 0 {
            most = most.max(cache.bytes());
        }
    }
    (f64::from(hits) / (ASKED / 10) as f64, most, took / (ASKED / 10) as u32)
}

fn main() {
    for round in 1..=3 {
        println!("round {round}");
        for (name, one, two, many) in [
            {
                let new = || BlockCache::new(ROOM);
                ("ours", found(&new(), 1), found(&new(), 2), mixed(&new()))
            },
            ("moka", found(&Moka::new(), 1), found(&Moka::new(), 2), mixed(&Moka::new())),
        ] {
            let (hits, most, took) = many;
            println!(
                "  {name}: found {one} ns by one thread, {two} by two at once; mixed {:.1} % found, {took:?} each, at \
                 most {:.1} of 16 MiB held",
                100.0 * hits,
                most as f64 / f64::from(1 << 20)
            );
        }
    }
}
