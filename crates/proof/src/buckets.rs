//! The memory of the transposition table: zeroed on first touch, on huge pages if available.
//!
//! A search looks up some 26 positions per node all over the table; with pages of 4 KiB nearly every lookup misses
//! the TLB as well as the caches.

use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;
use self_cell::{MutBorrow, self_cell};
use zerocopy::{FromBytes, IntoBytes, KnownLayout};

/// Entries in a bucket.
pub(crate) const SLOTS: usize = 4;

/// One cache line: two words per entry.
#[repr(C, align(64))]
#[derive(Debug, Default, FromBytes, IntoBytes, KnownLayout)]
pub(crate) struct Bucket(pub(crate) [AtomicU64; 2 * SLOTS]);

const BUCKET_BYTES: usize = size_of::<Bucket>();

type SharedBuckets<'a> = &'a [Bucket];

self_cell!(
    struct Mapped {
        owner: MutBorrow<MmapMut>,
        #[covariant]
        dependent: SharedBuckets,
    }
);

/// Empty buckets.
pub(crate) struct Buckets(Memory);

enum Memory {
    Mapped(Mapped),
    Allocated(Vec<Bucket>),
}

impl Buckets {
    /// As many empty buckets as fit in `bytes`, but at least one.
    pub(crate) fn with_bytes(bytes: usize) -> Self {
        let count = (bytes / BUCKET_BYTES).max(1);
        let memory = map(count).map_or_else(
            || Memory::Allocated(std::iter::repeat_with(Bucket::default).take(count).collect()),
            Memory::Mapped,
        );
        Self(memory)
    }

    #[inline]
    pub(crate) fn all(&self) -> &[Bucket] {
        match &self.0 {
            Memory::Mapped(mapped) => mapped.borrow_dependent(),
            Memory::Allocated(buckets) => buckets,
        }
    }
}

fn map(count: usize) -> Option<Mapped> {
    let map = MmapMut::map_anon(count * BUCKET_BYTES).ok()?;
    // Without huge pages the normal ones are used.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    Mapped::try_new(MutBorrow::new(map), |map| {
        <[Bucket]>::mut_from_bytes(map.borrow_mut()).map(|buckets| &*buckets).map_err(|_| ())
    })
    .ok()
}

impl std::fmt::Debug for Buckets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} buckets", self.all().len())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn a_bucket_is_a_cache_line_and_empty_at_first() {
        assert_eq!(BUCKET_BYTES, 64);
        let buckets = Buckets::with_bytes(1 << 22);
        assert!(matches!(buckets.0, Memory::Mapped(_)));
        assert_eq!(buckets.all().len(), (1 << 22) / 64);
        assert!(buckets.all().iter().flat_map(|bucket| &bucket.0).all(|word| word.load(Relaxed) == 0));
    }

    #[test]
    fn there_is_always_a_bucket_and_never_more_than_fit() {
        assert_eq!(Buckets::with_bytes(0).all().len(), 1);
        assert_eq!(Buckets::with_bytes(1000).all().len(), 15);
    }
}
