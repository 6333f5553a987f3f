//! What happens to a tree, and who keeps it.

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

/// A step in the growth of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A search of a leaf came to its end.
    Job {
        /// The leaf.
        node: Id,
        /// Positions that it expanded.
        nodes: u64,
        /// How far the question of each prover is from its answer, as the search sees it.
        numbers: ByPlayer<Numbers>,
        /// What it proved, as bytes that were replayed.
        strategies: Vec<Vec<u8>>,
    },
    /// A leaf became an inner node.
    Expanded {
        /// The leaf.
        node: Id,
        /// First numbers of the positions that were not in the tree and are not over, in the order of the rules.
        numbers: Vec<ByPlayer<Numbers>>,
    },
}

/// Keeps the events of a tree in their order.
pub trait Journal: Send {
    /// Why an event cannot be kept or read.
    type Error: Send;

    /// Keeps an event; one that is a job for good, so that it outlives whatever happens next.
    ///
    /// * `number`: that of the event, from 0.
    ///
    /// # Errors
    /// It cannot be kept.
    fn keep(&mut self, number: u32, event: &Event) -> Result<(), Self::Error>;

    /// The strategies of the job with this number.
    ///
    /// # Errors
    /// They cannot be read.
    fn strategies(&self, number: u32) -> Result<Vec<Vec<u8>>, Self::Error>;
}

/// Why an event cannot have happened to a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Foreign {
    /// It is about a position that is no leaf.
    #[error("expected one of the leaves of {positions} positions, found number {node}")]
    Leaf {
        /// The positions of the tree.
        positions: usize,
        /// The number that was found.
        node: u32,
    },
    /// It has numbers of more or fewer positions than there are.
    #[error("expected the numbers of {expected} positions, found those of {found}")]
    Numbers {
        /// New positions below the leaf.
        expected: usize,
        /// Numbers of the event.
        found: usize,
    },
    /// A strategy begins with no head of one.
    #[error("expected the head of a strategy, with a first byte of 0 to 3, found one with {found:?}")]
    Head {
        /// The first byte, if there is one.
        found: Option<u8>,
    },
}
