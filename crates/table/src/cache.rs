//! A cache of decoded blocks.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;

const SHARDS: usize = 32;
/// Overhead of an entry besides its cells: the map, the queue, the counts of the `Arc`.
const OVERHEAD_BYTES: usize = 96;

/// The key of a block: its table, its stream and its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct BlockKey {
    pub(crate) table: u64,
    pub(crate) stream: usize,
    pub(crate) block: u64,
}

/// Decoded blocks of all tables that share the cache, up to a number of bytes.
///
/// A block that was read again since its last turn gets another turn before it is evicted (second chance).
pub struct BlockCache {
    shards: Box<[Mutex<Shard>]>,
    shard_bytes: usize,
    tables: AtomicU64,
}

#[derive(Default)]
struct Shard {
    blocks: HashMap<BlockKey, CachedBlock>,
    turns: VecDeque<BlockKey>,
    bytes: usize,
}

struct CachedBlock {
    cells: Arc<[u8]>,
    asked_again: AtomicBool,
}

impl BlockCache {
    /// An empty cache of at most `bytes` bytes; with 0 it stores nothing.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self { shards, shard_bytes: bytes / SHARDS, tables: AtomicU64::new(0) }
    }

    /// Bytes of all cached blocks, overhead included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.shards.iter().map(|shard| lock(shard).bytes).sum()
    }

    /// A number for a table, unique in this cache.
    pub(crate) fn enroll(&self) -> u64 {
        self.tables.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn get(&self, key: BlockKey) -> Option<Arc<[u8]>> {
        let shard = lock(self.shard(key));
        let kept = shard.blocks.get(&key)?;
        kept.asked_again.store(true, Ordering::Relaxed);
        Some(Arc::clone(&kept.cells))
    }

    pub(crate) fn insert(&self, key: BlockKey, cells: Arc<[u8]>) {
        let bytes = cells.len() + OVERHEAD_BYTES;
        if bytes > self.shard_bytes {
            return;
        }
        let mut shard = lock(self.shard(key));
        if shard.blocks.contains_key(&key) {
            return;
        }
        shard.make_room(self.shard_bytes - bytes);
        shard.bytes += bytes;
        shard.turns.push_back(key);
        shard.blocks.insert(key, CachedBlock { cells, asked_again: AtomicBool::new(false) });
    }

    fn shard(&self, key: BlockKey) -> &Mutex<Shard> {
        let mixed =
            (key.block ^ key.table << 40 ^ (key.stream as u64) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.shards[(mixed >> 32) as usize % SHARDS]
    }
}

/// Ignores poisoning: a shard has no invariant that a panic in another thread could have broken.
fn lock(shard: &Mutex<Shard>) -> std::sync::MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shard {
    fn make_room(&mut self, at_most: usize) {
        while self.bytes > at_most {
            let Some(key) = self.turns.pop_front() else { return };
            let Some(kept) = self.blocks.get(&key) else { continue };
            if kept.asked_again.swap(false, Ordering::Relaxed) {
                self.turns.push_back(key);
            } else if let Some(kept) = self.blocks.remove(&key) {
                self.bytes -= kept.cells.len() + OVERHEAD_BYTES;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(block: u64) -> BlockKey {
        BlockKey { table: 0, stream: 0, block }
    }

    #[test]
    fn the_limit_is_kept_to() {
        let cache = BlockCache::new(1 << 20);
        for block in 0..10_000 {
            cache.insert(key(block), vec![0; 4096].into());
            assert!(cache.bytes() <= 1 << 20, "after block {block}: {} bytes", cache.bytes());
        }
        assert!(cache.bytes() > 1 << 19, "a full cache uses its room, not {} bytes", cache.bytes());
    }

    #[test]
    fn a_block_that_is_asked_for_outlives_those_that_are_not() {
        let cache = BlockCache::new(1 << 20);
        cache.insert(key(0), vec![7; 4096].into());
        for block in 1..10_000 {
            assert!(cache.get(key(0)).is_some(), "dropped before block {block}");
            cache.insert(key(block), vec![0; 4096].into());
        }
        assert_eq!(cache.get(key(0)).as_deref(), Some(&[7; 4096][..]));
        assert!(cache.get(key(1)).is_none());
    }

    #[test]
    fn a_cache_of_nothing_keeps_nothing() {
        let cache = BlockCache::new(0);
        cache.insert(key(0), vec![7; 16].into());
        assert!(cache.get(key(0)).is_none());
    }
}
