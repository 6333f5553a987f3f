//! Why a search ended, and its unproved belief.

use serde::{Deserialize, Serialize};

use crate::MemorySize;

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum SearchEnd {
    /// The question is answered by a proof.
    Answered,
    /// The time was up.
    Time,
    /// The node limit was reached.
    Nodes,
    /// A proof did not fit its share of the memory: the search had an answer that could not be proved.
    Memory,
    /// It was stopped from outside.
    Stopped,
}

impl SearchEnd {
    /// Its name in answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Time => "time",
            Self::Nodes => "nodes",
            Self::Memory => "memory",
            Self::Stopped => "stopped",
        }
    }

    /// The reason as a sentence; `None` if the search has an answer.
    #[must_use]
    pub const fn sentence(self) -> Option<&'static str> {
        match self {
            Self::Answered => None,
            Self::Time => Some("Time was up before an answer was found."),
            Self::Nodes => Some("The node limit was reached before an answer was found."),
            Self::Memory => Some("The memory was too small for a proof."),
            Self::Stopped => Some("The search was stopped before an answer was found."),
        }
    }

    /// A short hint at a remedy; `None` if none is needed.
    #[must_use]
    pub const fn remedy(self) -> Option<&'static str> {
        match self {
            Self::Answered => None,
            Self::Time => Some("more time"),
            Self::Nodes => Some("more nodes"),
            Self::Memory => Some("more memory, or fewer threads, which share it"),
            Self::Stopped => Some("asking again, and waiting for longer"),
        }
    }
}

/// A result that a search believes but could not prove: never a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Unproved {
    /// The letter of the player who is believed to win; null if a player is only believed not to win.
    pub winner: Option<String>,
    /// The bytes of its proof when it was given up; it needs more.
    pub proof_bytes: u64,
    /// The memory to try next, in bytes, as a limit of the whole search: twice the present one.
    pub try_memory: u64,
    /// Why the disk for proofs did not help; left out if no disk was allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk: Option<String>,
    /// The disk to try next, in bytes, if its limit ended the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub try_disk: Option<u64>,
}

impl Unproved {
    /// The belief as a sentence that says that it is not proved.
    ///
    /// * `colour`: the name of the player with a letter.
    #[must_use]
    pub fn sentence(&self, colour: impl Fn(&str) -> String) -> String {
        let (winner, bytes) = (self.winner.as_deref().map(colour), MemorySize(self.proof_bytes));
        let believed = match winner {
            Some(winner) => format!("that {winner} wins"),
            None => "that one of the players cannot win".to_owned(),
        };
        let disk = self.disk.as_ref().map(|why| format!(", and the disk did not help ({why})"));
        let disk = disk.unwrap_or_default();
        format!("Believed by the search, not proved: {believed}; the proof needs more than {bytes}{disk}.")
    }
}
