//! A process that ends with its test, also if that fails.

use std::ops::{Deref, DerefMut};
use std::process::Child;

/// Kills the process when it is dropped.
pub(crate) struct Running(pub(crate) Child);

impl Deref for Running {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Running {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.kill();
        let _ = self.wait();
    }
}
