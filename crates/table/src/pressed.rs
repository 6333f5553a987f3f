//! Packed spans of streams, to be joined in order.

use crate::Error;
use crate::block::BlockEntry;
use crate::content::Subtree;
use crate::pack::{Ambiguous, Implication};

/// Consecutive spans of a stream as stored in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pressed {
    pub(crate) cells: u64,
    /// One per span.
    pub(crate) subtrees: Vec<Subtree>,
    /// The entries of the blocks, if the stream has any.
    pub(crate) entries: Vec<BlockEntry>,
    /// The bytes of the blocks, one after the other.
    pub(crate) packed: Vec<u8>,
    /// The implication, for a stream whose cells follow from given ones.
    pub(crate) implication: Implication,
}

impl Pressed {
    /// Appends the next spans.
    pub(crate) fn join(&mut self, name: &str, stream: &str, mut next: Self) -> Result<(), Error> {
        self.cells += next.cells;
        self.subtrees.append(&mut next.subtrees);
        self.entries.append(&mut next.entries);
        self.packed.append(&mut next.packed);
        self.implication.join(&next.implication).map_err(|found| found.refused(name, stream))
    }
}

impl Ambiguous {
    /// The error for a stream that does not follow from its given one.
    pub(crate) fn refused(self, name: &str, stream: &str) -> Error {
        let Self { given, cells: [one, other] } = self;
        let what = format!("cells of the stream \"{stream}\"");
        Error::plan(name, what, "one for each given cell", format!("{one} and {other}, both given {given}"))
    }
}

/// Some slots of a layer, packed: see [`pack_part`](crate::pack_part).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablePart {
    /// By streams.
    pub(crate) streams: Vec<Pressed>,
}
