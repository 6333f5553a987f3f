//! Why a question got no answer.

use std::path::{Path, PathBuf};

use marquis_core::TextError;

/// Why a question got no answer; its kind decides the exit code and the HTTP status.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The question itself is wrong: exit code 2, HTTP 400.
    #[error(transparent)]
    BadInput(#[from] TextError),
    /// This is not asked of this game (perft of Senet, the balance of Squish): exit code 2, HTTP 400.
    #[error("{0}")]
    NotForThisGame(String),
    /// What was checked is false: exit code 1.
    #[error("{0}")]
    Refuted(String),
    /// A limit was reached before there was anything to say: exit code 3.
    #[error("{0}")]
    LimitReached(String),
    /// The work does not fit the memory it may use: exit code 4.
    #[error(
        "{what} needs {needed} bytes of memory, and the limit is {limit}; raise --memory or ask for less"
    )]
    TooLarge {
        /// What would have been done.
        what: String,
        /// The bytes that it takes.
        needed: u64,
        /// The bytes that it may take.
        limit: u64,
    },
    /// A file could not be read or written, or is not what it should be: exit code 4, HTTP 500.
    #[error("{path}: {message}", path = path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it and what to do.
        message: String,
    },
    /// The work was stopped from outside: exit code 130.
    #[error("interrupted; what was finished is kept")]
    Interrupted,
}

/// The error of a file, told by whatever reads it, with its causes; the path is said once.
pub(crate) fn file_error(path: &Path, error: &dyn std::error::Error) -> EngineError {
    let told = error.to_string();
    let mut message = told.strip_prefix(&format!("{}: ", path.display())).unwrap_or(&told).to_owned();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        message = format!("{message}: {deeper}");
        cause = deeper.source();
    }
    EngineError::File { path: path.to_owned(), message }
}
