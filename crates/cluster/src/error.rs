//! Errors between ranks.

use crate::rank::Rank;

/// Why ranks cannot continue together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A rank ended before the work was done.
    #[error(
        "{rank} ended before the work was done; see its output. Finished parts are kept: \
         the same command resumes, with any number of ranks"
    )]
    Lost {
        /// The lost rank.
        rank: Rank,
    },
    /// Two ranks were started for different work.
    #[error(
        "{what} differs between ranks: expected {expected:?}, as {first} has, found {found:?} in {rank}; {advice}"
    )]
    Differs {
        /// The name of the value compared.
        what: String,
        /// The rank that the others were compared with.
        first: Rank,
        /// Its value.
        expected: String,
        /// The first rank with a different value.
        rank: Rank,
        /// The value of that rank.
        found: String,
        /// What to do.
        advice: &'static str,
    },
    /// The launcher and MPI disagree about the number of ranks.
    #[error("expected the {launched} ranks that the launcher started, found {found}; {advice}")]
    Apart {
        /// The number of processes according to the launcher.
        launched: u32,
        /// The number of ranks that messages reach.
        found: u32,
        /// What to do.
        advice: &'static str,
    },
    /// MPI does not support threads.
    #[error("MPI cannot be initialised: expected support for threads, found {found}; install another MPI")]
    NoThreads {
        /// The level of support found.
        found: String,
    },
}
