//! Why ranks do not go on together.

use crate::rank::Rank;

/// Why ranks do not go on together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A rank ended in the middle of the work.
    #[error(
        "{rank} is gone in the middle of the work; its own words say why. What was finished is kept: \
         the same command goes on, with as many ranks or others"
    )]
    Lost {
        /// Which one.
        rank: Rank,
    },
    /// Two ranks are not about to do the same.
    #[error(
        "{what} differs between ranks: expected {expected:?}, as {first} has, found {found:?} in {rank}; {advice}"
    )]
    Differs {
        /// What was compared.
        what: String,
        /// The rank that the others were compared with.
        first: Rank,
        /// What it has.
        expected: String,
        /// The first rank that has something else.
        rank: Rank,
        /// What that one has.
        found: String,
        /// What to do.
        advice: &'static str,
    },
    /// The launcher and the messages do not know each other.
    #[error("expected {launched} ranks, as many as the launcher started, found {found}; {advice}")]
    Apart {
        /// The processes that the launcher says there are.
        launched: u32,
        /// Those that messages reach.
        found: u32,
        /// What to do.
        advice: &'static str,
    },
    /// There are no messages at all.
    #[error("MPI cannot be initialised: expected support for threads, found {found}; install another MPI")]
    NoThreads {
        /// What there is.
        found: String,
    },
}
