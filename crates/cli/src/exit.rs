//! What the exit code says.

use std::process::ExitCode;

use marquis_engine::EngineError;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Answered.
    Answered = 0,
    /// Checked and found false.
    False = 1,
    /// Bad input.
    BadInput = 2,
    /// A limit was reached before an answer.
    Limit = 3,
    /// The machine or a file failed.
    Failed = 4,
    /// Ctrl-C, with the state kept.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Writes an error to standard error and says how the command ended.
pub(crate) fn report(error: &anyhow::Error) -> Exit {
    // A reader that closes the pipe has seen enough.
    if let Some(io) = error.downcast_ref::<std::io::Error>()
        && io.kind() == std::io::ErrorKind::BrokenPipe
    {
        return Exit::Answered;
    }
    anstream::eprintln!("marquis: {error:#}");
    match error.downcast_ref::<EngineError>() {
        Some(EngineError::BadInput(_) | EngineError::NotForThisGame(_)) => Exit::BadInput,
        Some(EngineError::Refuted(_)) => Exit::False,
        Some(EngineError::LimitReached(_)) => Exit::Limit,
        Some(EngineError::Interrupted) => Exit::Interrupted,
        _ => Exit::Failed,
    }
}
