//! How much work something may take that is asked for on the way.

use std::sync::atomic::{AtomicBool, Ordering};

/// Pieces of work that may still be done, unless somebody wants to stop before.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use marquis_core::Effort;
///
/// let mut effort = Effort::of(2);
/// assert!(effort.spend() && effort.spend() && !effort.spend());
/// let stop = AtomicBool::new(true);
/// assert!(!Effort::of(2).until(&stop).spend());
/// ```
#[derive(Clone, Debug)]
pub struct Effort<'a> {
    left: u32,
    stop: Option<&'a AtomicBool>,
}

impl<'a> Effort<'a> {
    /// So many pieces.
    #[must_use]
    pub const fn of(pieces: u32) -> Self {
        Self { left: pieces, stop: None }
    }

    /// The same, and none once this is true.
    #[must_use]
    pub const fn until(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Takes a piece; false where none is left.
    #[inline]
    pub fn spend(&mut self) -> bool {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            self.left = 0;
        }
        let spent = self.left.checked_sub(1);
        self.left = spent.unwrap_or(0);
        spent.is_some()
    }
}
