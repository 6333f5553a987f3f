//! How a command ends, and its exit code.
//!
//! The codes are a contract, which `marquis --help` prints.

use std::process::ExitCode;

use marquis_engine::{EngineError, causes};

/// How a command ends. If several lines were answered, a later variant outweighs an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CommandEnd {
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

impl CommandEnd {
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

impl From<CommandEnd> for ExitCode {
    fn from(ending: CommandEnd) -> Self {
        Self::from(ending.code())
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) struct CommandFailure {
    /// How the command ends.
    pub(crate) ending: CommandEnd,
    /// The message: expected and found values, the place, and the remedy.
    pub(crate) message: String,
}

impl CommandFailure {
    /// The arguments are wrong.
    pub(crate) fn bad_input(message: impl Into<String>) -> Self {
        Self { ending: CommandEnd::BadInput, message: message.into() }
    }

    /// The machine or a file failed.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self { ending: CommandEnd::Failed, message: message.into() }
    }
}

impl From<marquis_table::Error> for CommandFailure {
    fn from(error: marquis_table::Error) -> Self {
        EngineError::from(error).into()
    }
}

impl From<EngineError> for CommandFailure {
    fn from(error: EngineError) -> Self {
        let ending = match error {
            EngineError::BadInput(_) | EngineError::NotForThisGame(_) | EngineError::NeverFits { .. } => {
                CommandEnd::BadInput
            }
            EngineError::Refuted(_) => CommandEnd::Refuted,
            EngineError::LimitReached(_) => CommandEnd::LimitReached,
            EngineError::TooLarge { .. }
            | EngineError::File(_)
            | EngineError::Ranks(_)
            | EngineError::OfRank { .. } => CommandEnd::Failed,
            EngineError::Interrupted => CommandEnd::Interrupted,
        };
        Self { ending, message: causes(&error).to_string() }
    }
}
