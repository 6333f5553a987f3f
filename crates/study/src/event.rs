//! The events of a tree, and the journal that stores them.

use marquis_core::ByPlayer;
use marquis_proof::Numbers;

/// The number of a position in its tree; that of the first position is [`Id::ROOT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub u32);

impl Id {
    /// The position that the study is about.
    pub const ROOT: Self = Self(0);

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One step of the growth of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A search of a leaf ended.
    Job {
        /// The leaf.
        node: Id,
        /// Positions that it expanded.
        nodes: u64,
        /// How far each prover's question is from its answer, according to the search.
        numbers: ByPlayer<Numbers>,
        /// The strategies that it proved, as replayed bytes.
        strategies: Vec<Vec<u8>>,
    },
    /// A leaf became an inner node.
    Expanded {
        /// The leaf.
        node: Id,
        /// First numbers of the positions that are new to the tree and not over, in the order of the rules.
        numbers: Vec<ByPlayer<Numbers>>,
    },
}

/// Stores the events of a tree in order.
pub trait Journal: Send {
    /// Why an event cannot be stored or read.
    type Error: Send;

    /// Stores an event. A job must be stored durably, so that it survives a crash.
    ///
    /// * `number`: the number of the event, from 0.
    ///
    /// # Errors
    /// It cannot be stored.
    fn keep(&mut self, number: u32, event: &Event) -> Result<(), Self::Error>;

    /// The strategies of the job with this number.
    ///
    /// # Errors
    /// They cannot be read.
    fn strategies(&self, number: u32) -> Result<Vec<Vec<u8>>, Self::Error>;
}

/// Why an event does not fit a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Foreign {
    /// Its position is not a leaf.
    #[error("expected one of the leaves of {positions} positions, found number {node}")]
    Leaf {
        /// The number of positions of the tree.
        positions: usize,
        /// The number in the event.
        node: u32,
    },
    /// It has numbers for more or fewer new positions than there are.
    #[error("expected the numbers of {expected} positions, found those of {found}")]
    Numbers {
        /// The number of new positions below the leaf.
        expected: usize,
        /// The number of positions in the event.
        found: usize,
    },
    /// A strategy does not begin with a valid head.
    #[error("expected the head of a strategy, with a first byte of 0 to 3, found one with {found:?}")]
    Head {
        /// The first byte, if there is one.
        found: Option<u8>,
    },
}
