//! A budget for work that is done in passing.

use std::sync::atomic::{AtomicBool, Ordering};

/// Units of work that may still be done, unless a flag stops the work first.
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
    /// A budget of this many units.
    #[must_use]
    pub const fn of(pieces: u32) -> Self {
        Self { left: pieces, stop: None }
    }

    /// The same budget, which is empty once `stop` is true.
    #[must_use]
    pub const fn until(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Spends a unit; false if none is left.
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
