//! Shipped proofs: opened once, at first use, and shared by all questions of all engines.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use web_time::Duration;

use crate::knowledge::proofs::AnyProof;

/// A proof file that is part of the program.
#[derive(Clone, Copy, Debug)]
pub struct ShippedProof {
    /// Its path in the folder of proofs, by which the book names it.
    pub name: &'static str,
    /// The bytes of the file.
    pub bytes: &'static [u8],
}

impl ShippedProof {
    /// Whether it opens within a second or two.
    #[must_use]
    pub const fn is_small(&self) -> bool {
        self.bytes.len() <= SMALL_BYTES
    }
}

/// Replays a file and keeps its proofs; `None` if it cannot be read or does not hold.
pub(crate) type Opener = dyn Fn(&str, &[u8]) -> Option<Vec<AnyProof>> + Send + Sync;

/// The state of a file.
enum Stage {
    Closed(&'static [u8]),
    /// Being replayed; a file of this many bytes.
    Opening(usize),
    /// Empty if it could not be read or does not hold.
    Open(Arc<[AnyProof]>),
}

/// Proof files by name, with their states.
#[derive(Default)]
pub(crate) struct ProofShelf {
    stages: Mutex<HashMap<String, Stage>>,
    changed: Condvar,
}

impl fmt::Debug for ProofShelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.stages().keys()).finish()
    }
}

impl ProofShelf {
    /// These files, closed.
    pub(crate) fn of(files: &[ShippedProof]) -> Self {
        let stages = files.iter().map(|file| (file.name.to_owned(), Stage::Closed(file.bytes))).collect();
        Self { stages: Mutex::new(stages), changed: Condvar::new() }
    }

    fn stages(&self) -> MutexGuard<'_, HashMap<String, Stage>> {
        self.stages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The shipped proof files, as an engine opens them.
pub(crate) struct ShippedProofs {
    opener: Box<Opener>,
    shelf: Arc<ProofShelf>,
}

/// The size of a file with some two million positions.
const SMALL_BYTES: usize = 1 << 20;
/// The interval between two polls of `give_up`.
const WAIT: Duration = Duration::from_millis(5);

impl ShippedProofs {
    pub(crate) fn new(shelf: Arc<ProofShelf>, opener: Box<Opener>) -> Self {
        Self { opener, shelf }
    }

    fn stages(&self) -> MutexGuard<'_, HashMap<String, Stage>> {
        self.shelf.stages()
    }

    /// Whether there is a file of this name, in any stage.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.stages().contains_key(name)
    }

    /// Adds the proofs of a file that is not shipped.
    pub(crate) fn add(&self, name: &str, kept: Vec<AnyProof>) {
        self.stages().insert(name.to_owned(), Stage::Open(kept.into()));
    }

    /// Whether a file is open, or there is none of this name.
    pub(crate) fn is_open(&self, name: &str) -> bool {
        !matches!(self.stages().get(name), Some(Stage::Closed(_) | Stage::Opening(_)))
    }

    /// Starts to open those of these files that are still closed, on a separate thread.
    pub(crate) fn begin<'n>(self: &Arc<Self>, names: impl Iterator<Item = &'n str>) {
        let files: Vec<_> = names.filter_map(|name| self.take(name)).collect();
        if files.is_empty() {
            return;
        }
        let shipped = Arc::clone(self);
        let open = move || files.into_iter().for_each(|(name, bytes)| shipped.open(name, bytes));
        // Not in the shared pool: callers that wait for a proof may occupy all of its threads, and hashing the file
        // would wait for them.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).thread_name(|_| "proofs".to_owned());
        match pool.build() {
            Ok(pool) => pool.spawn(open),
            // No thread can be started.
            Err(_) => open(),
        }
    }

    /// Whether a file is open, or opens within a second or two.
    pub(crate) fn is_soon_open(&self, name: &str) -> bool {
        match self.stages().get(name) {
            Some(Stage::Closed(bytes)) => bytes.len() <= SMALL_BYTES,
            Some(Stage::Opening(bytes)) => *bytes <= SMALL_BYTES,
            Some(Stage::Open(_)) | None => true,
        }
    }

    /// Takes the bytes of a closed file.
    fn take(&self, name: &str) -> Option<(String, &'static [u8])> {
        let mut stages = self.stages();
        let stage = stages.get_mut(name)?;
        let Stage::Closed(bytes) = *stage else { return None };
        *stage = Stage::Opening(bytes.len());
        Some((name.to_owned(), bytes))
    }

    fn open(&self, name: String, bytes: &[u8]) {
        // A file that does not hold is left out; the tests open every file.
        let kept = (self.opener)(&name, bytes).unwrap_or_default();
        self.stages().insert(name, Stage::Open(kept.into()));
        self.shelf.changed.notify_all();
    }

    /// The proofs of a file that is being opened: `None` until it is open, or if there is no such file.
    ///
    /// * `give_up`: polled to end the wait.
    pub(crate) fn opened(&self, name: &str, give_up: &dyn Fn() -> bool) -> Option<Arc<[AnyProof]>> {
        let mut stages = self.stages();
        loop {
            match stages.get(name) {
                None => return Some(Arc::from([])),
                Some(Stage::Open(kept)) => return Some(Arc::clone(kept)),
                Some(Stage::Closed(_) | Stage::Opening(_)) if give_up() => return None,
                Some(Stage::Closed(_) | Stage::Opening(_)) => {
                    let waited = self.shelf.changed.wait_timeout(stages, WAIT);
                    stages = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// The memory of the open proofs, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let weight = |stage: &Stage| match stage {
            Stage::Open(kept) => kept.iter().map(AnyProof::weight).sum(),
            Stage::Closed(_) | Stage::Opening(_) => 0,
        };
        self.stages().values().map(weight).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_large_file_is_not_soon_open_until_it_is() {
        static LARGE: [u8; SMALL_BYTES + 1] = [0; SMALL_BYTES + 1];
        let files = [
            ShippedProof { name: "small", bytes: &LARGE[1..] },
            ShippedProof { name: "large", bytes: &LARGE },
        ];
        let (go_on, told) = channel();
        let told = Mutex::new(told);
        let opener = move |_: &str, _: &[u8]| {
            told.lock().expect("no panic").recv().expect("a word");
            None
        };
        let shipped = Arc::new(ShippedProofs::new(Arc::new(ProofShelf::of(&files)), Box::new(opener)));
        let soon = || ["small", "large", "unknown"].map(|name| shipped.is_soon_open(name));
        assert_eq!(soon(), [true, false, true]);
        shipped.begin(["large"].into_iter());
        assert_eq!(soon(), [true, false, true], "while it is opened");
        go_on.send(()).expect("the opener waits");
        assert!(shipped.opened("large", &|| false).is_some());
        assert_eq!(soon(), [true, true, true]);
    }
}
