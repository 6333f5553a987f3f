//! Memory for proofs, shared by all that are worked out at the same time.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::Ended;

/// So many bytes for all proofs together.
#[derive(Debug)]
pub(crate) struct Pool {
    bytes: usize,
    taken: AtomicUsize,
}

impl Pool {
    pub(crate) const fn new(bytes: usize) -> Self {
        Self { bytes, taken: AtomicUsize::new(0) }
    }

    /// How large it is.
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether nobody has anything of it.
    pub(crate) fn is_free(&self) -> bool {
        self.taken.load(Relaxed) == 0
    }

    /// A share of nothing, for one proof.
    ///
    /// * `crowded`: is set where there was too little because others had some.
    pub(crate) const fn share<'a>(&'a self, crowded: &'a Cell<bool>) -> Share<'a> {
        Share { pool: self, bytes: 0, crowded }
    }
}

/// What one proof has of the memory; given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Share<'a> {
    pool: &'a Pool,
    bytes: usize,
    crowded: &'a Cell<bool>,
}

impl Share<'_> {
    /// How many it is.
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes or gives back, so that it is this many bytes.
    ///
    /// # Errors
    /// [`Ended::Memory`] where there are not so many; then it stays as it is.
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

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.pool.taken.fetch_sub(self.bytes, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_together_no_more_than_there_is() {
        let (pool, crowded) = (Pool::new(100), Cell::new(false));
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
