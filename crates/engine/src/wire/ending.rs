//! Why a search ended, and what it believed by then.

use serde::{Deserialize, Serialize};

use crate::memory_size::MemorySize;

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum SearchEnd {
    /// What was asked is proved.
    Answered,
    /// The time was up.
    Time,
    /// The nodes were spent.
    Nodes,
    /// A proof did not fit its share of the memory: the search had an answer that could not be worked out.
    Memory,
    /// It was told to stop.
    Stopped,
}

impl SearchEnd {
    /// The word for it in answers.
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

    /// What ended the search, as a sentence; none where it has answered.
    #[must_use]
    pub const fn sentence(self) -> Option<&'static str> {
        match self {
            Self::Answered => None,
            Self::Time => Some("The time was up before there was an answer."),
            Self::Nodes => Some("The nodes were spent before there was an answer."),
            Self::Memory => Some("The memory was too small for a proof of the answer."),
            Self::Stopped => Some("The search was stopped before there was an answer."),
        }
    }

    /// What would help, in a few words; none where nothing has to.
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

/// What a search believed and could not prove: never a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Unproved {
    /// The letter of the player who is believed to win; null where somebody is only believed not to.
    pub winner: Option<String>,
    /// The bytes that its proof had taken when it was given up; it needs more.
    pub proof_bytes: u64,
    /// The bytes of memory to try next, as a limit of the whole search: twice what it was given.
    pub try_memory: u64,
    /// Why the disk for proofs did not help, in words; left out where none was allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk: Option<String>,
    /// The bytes of disk to try next, where their limit ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub try_disk: Option<u64>,
}

impl Unproved {
    /// What is believed, as a sentence that says that it is not proved.
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
