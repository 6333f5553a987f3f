//! How a command ends, and its exit code.
//!
//! The codes are a contract, which `marquis --help` prints.

use std::process::ExitCode;

use marquis_engine::{EngineError, causes};

/// How a command ends. If several lines were answered, a later variant outweighs an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ending {
    /// Answered.
    Answered,
    /// A limit was reached before an answer.
    LimitReached,
    /// The arguments or the position are wrong.
    BadInput,
    /// Checked and found false.
    Refuted,
    /// The machine or a file failed.
    Failed,
    /// Stopped by Ctrl-C.
    Interrupted,
}

impl Ending {
    /// The exit code.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Answered => 0,
            Self::Refuted => 1,
            Self::BadInput => 2,
            Self::LimitReached => 3,
            Self::Failed => 4,
            Self::Interrupted => 130,
        }
    }
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        Self::from(ending.code())
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) struct Failure {
    /// How the command ends.
    pub(crate) ending: Ending,
    /// The message: expected and found values, the place, and the remedy.
    pub(crate) message: String,
}

impl Failure {
    /// The arguments are wrong.
    pub(crate) fn bad_input(message: impl Into<String>) -> Self {
        Self { ending: Ending::BadInput, message: message.into() }
    }

    /// The machine or a file failed.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self { ending: Ending::Failed, message: message.into() }
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        let ending = match error {
            EngineError::BadInput(_) | EngineError::NotForThisGame(_) | EngineError::NeverFits { .. } => {
                Ending::BadInput
            }
            EngineError::Refuted(_) => Ending::Refuted,
            EngineError::LimitReached(_) => Ending::LimitReached,
            EngineError::TooLarge { .. }
            | EngineError::File(_)
            | EngineError::Ranks(_)
            | EngineError::OfRank { .. } => Ending::Failed,
            EngineError::Interrupted => Ending::Interrupted,
        };
        Self { ending, message: causes(&error).to_string() }
    }
}
