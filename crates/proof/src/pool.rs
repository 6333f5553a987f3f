//! Memory for proofs, shared by all that are extracted at the same time.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::Ended;

/// A memory budget for all proofs together.
#[derive(Debug)]
pub(crate) struct ProofPool {
    bytes: usize,
    taken: AtomicUsize,
}

impl ProofPool {
    pub(crate) const fn new(bytes: usize) -> Self {
        Self { bytes, taken: AtomicUsize::new(0) }
    }

    /// Its size.
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether no share holds any of it.
    pub(crate) fn is_free(&self) -> bool {
        self.taken.load(Relaxed) == 0
    }

    /// An empty share, for one proof.
    ///
    /// * `crowded`: set to whether a failed request failed because other shares hold memory.
    pub(crate) const fn share<'a>(&'a self, crowded: &'a Cell<bool>) -> PoolShare<'a> {
        PoolShare { pool: self, bytes: 0, crowded }
    }
}

/// The memory of one proof; released on drop.
#[derive(Debug)]
pub(crate) struct PoolShare<'a> {
    pool: &'a ProofPool,
    bytes: usize,
    crowded: &'a Cell<bool>,
}

impl PoolShare<'_> {
    /// Its size.
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Reserves or releases memory, so that the share has `bytes` bytes.
    ///
    /// # Errors
    /// [`Ended::Memory`] if the pool has too little; the share is then unchanged.
    pub(crate) fn resize(&mut self, bytes: usize) -> Result<(), Ended> {
        let others = |taken: usize| taken - self.bytes;
        let resized = |taken: usize| Some(others(taken) + bytes).filter(|&all| all <= self.pool.bytes);
        match self.pool.taken.fetch_update(Relaxed, Relaxed, resized) {
            Ok(_) => {
                self.bytes = bytes;
                Ok(())
            }
            Err(taken) => {
                self.crowded.set(others(taken) > 0);
                Err(Ended::Memory)
            }
        }
    }
}

impl Drop for PoolShare<'_> {
    fn drop(&mut self) {
        self.pool.taken.fetch_sub(self.bytes, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_together_no_more_than_there_is() {
        let (pool, crowded) = (ProofPool::new(100), Cell::new(false));
        let (mut one, mut other) = (pool.share(&crowded), pool.share(&crowded));
        assert_eq!(one.resize(70), Ok(()));
        assert_eq!(other.resize(40), Err(Ended::Memory));
        assert!(crowded.get());
        assert_eq!(one.resize(101), Err(Ended::Memory));
        assert!(!crowded.get(), "nobody else has any");
        drop(one);
        assert_eq!(other.resize(100), Ok(()));
        assert!(!pool.is_free());
        drop(other);
        assert!(pool.is_free());
    }
}
