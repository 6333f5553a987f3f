//! Errors of the engine.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use marquis_chance::grid::StripError;
use marquis_core::{GameId, TextError};
use marquis_retro::Stopped;
use marquis_table::elsewhere::is_address;

use marquis_wire::in_words;

/// The reason why a question got no answer; its kind decides the exit code and the HTTP status.
///
/// An error describes what happened, its sources why: [`causes`] puts all of it on one line.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The question itself is wrong: exit code 2, HTTP 400.
    #[error(transparent)]
    BadInput(#[from] TextError),
    /// The game does not support the question (perft of Senet, the balance of Squish): exit code 2, HTTP 400.
    #[error(transparent)]
    NotForThisGame(#[from] Unsuited),
    /// The claim that was checked is false: exit code 1.
    #[error("{0}")]
    Refuted(String),
    /// A limit was reached before there was any result: exit code 3.
    #[error("{0}")]
    LimitReached(String),
    /// No limit that can be set is enough: exit code 2, HTTP 400.
    #[error(
        "memory: expected at most {} for {what}, found {}; ask for fewer pieces or a smaller board",
        in_words((*most).into()),
        in_words(*needed)
    )]
    NeverFits {
        /// The work that was requested.
        what: String,
        /// The memory that it needs, in bytes.
        needed: u128,
        /// The most memory that it may use, in bytes, whatever the limits.
        most: u64,
    },
    /// The work does not fit its memory limit: exit code 4.
    #[error(
        "{what} needs {needed} bytes of memory, and the limit is {limit}; raise --memory or ask for less"
    )]
    TooLarge {
        /// The work that was requested.
        what: String,
        /// The memory that it needs, in bytes.
        needed: u64,
        /// The memory that it may use, in bytes.
        limit: u64,
    },
    /// A file could not be read or written, or has unexpected contents: exit code 4, HTTP 500.
    #[error(transparent)]
    File(#[from] FileError),
    /// The ranks of a build disagree about the work, or one of them has ended: exit code 4.
    #[error(transparent)]
    Ranks(#[from] marquis_cluster::Error),
    /// Another rank of a build failed, in its own words: exit code 4.
    #[error("{rank}: {why}")]
    OfRank {
        /// Which one.
        rank: marquis_cluster::Rank,
        /// The rank's message.
        why: String,
    },
    /// The work was stopped from outside: exit code 130.
    #[error("interrupted; finished parts are kept")]
    Interrupted,
}

/// A question that a game does not support.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsuited {
    /// A throw in a game without throws.
    #[error("{0} is played without throws")]
    Throws(GameId),
    /// A set-up of a game that begins without one.
    #[error("{game} has no set-ups to {what}; {others} have")]
    SetUps {
        /// The game.
        game: GameId,
        /// The request: `balance`.
        what: String,
        /// The games with set-ups.
        others: String,
    },
    /// Tables without the layers that others imply, where no layer is implied.
    #[error("no layer of this build of {0} follows from others; build it whole")]
    Half(GameId),
    /// Counting moves in a game with throws.
    #[error("perft counts moves without throws; {0} has throws")]
    Perft(GameId),
    /// A proof file of a game with throws.
    #[error("{0} is a game of chance and has no proof files")]
    ProofFile(GameId),
    /// A study of a game with throws.
    #[error("{0} is a game of chance: there is no win to prove; ask `solve`")]
    Study(GameId),
    /// The best line of a game with throws.
    #[error("{0} is a game of chance: ask for the moves of each throw instead of a line")]
    Line(GameId),
    /// The claims of a game whose designers made none.
    #[error("the rules of {0} make no claim to check")]
    Claims(GameId),
    /// Claims about values, checked in tables of chances.
    #[error(
        "the claims are about wins, draws and cycles, and tables of {0} hold chances; leave --tables out"
    )]
    ClaimsOfTables(GameId),
}

impl From<Stopped> for EngineError {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Interrupted => Self::Interrupted,
            other => Self::LimitReached(other.to_string()),
        }
    }
}

impl EngineError {
    /// Whether it is about a remote file: unreachable, changed since it was opened, or damaged.
    #[must_use]
    pub fn is_elsewhere(&self) -> bool {
        matches!(self, Self::File(error) if error.path().to_str().is_some_and(is_address))
    }

    /// Whether a caller that waits for remote data would get an answer.
    #[must_use]
    pub const fn is_awaited(&self) -> bool {
        matches!(self, Self::File(FileError::Format(marquis_table::Error::Awaited { .. })))
    }

    /// Whether a remote server does not answer, which may be temporary.
    #[must_use]
    pub const fn is_not_reached(&self) -> bool {
        matches!(self, Self::File(FileError::Format(marquis_table::Error::NotReached { .. })))
    }

    /// The error for a request for a move in a position in which the game is over.
    pub(crate) fn no_move(position: String) -> Self {
        TextError::fact("position", "one in which the game is not over", position).into()
    }
}

/// An error about a file, with advice.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// A table, a container or a list of tables cannot be read or written.
    #[error(transparent)]
    Format(#[from] marquis_table::Error),
    /// The system refused.
    #[error("{}: cannot {doing}{}", path.display(), advice.map(|words| format!("; {words}")).unwrap_or_default())]
    System {
        /// The file or folder.
        path: PathBuf,
        /// The action that failed, as in "cannot open it".
        doing: &'static str,
        /// Advice, if the system's own words do not give it.
        advice: Option<&'static str>,
        /// The system's own words.
        source: io::Error,
    },
    /// The file is sound, but not the expected one.
    #[error("{}: expected {expected}, found {found}; {advice}", path.display())]
    Unexpected {
        /// The file, or where it should be.
        path: PathBuf,
        /// The expected contents.
        expected: String,
        /// The contents that were found.
        found: String,
        /// What to do.
        advice: &'static str,
    },
    /// The disk has too little room.
    #[error("{}: expected {needed} free bytes on its disk, found {free}; make room, or name another folder", path.display())]
    NoRoom {
        /// The folder.
        path: PathBuf,
        /// The bytes that it needs.
        needed: u128,
        /// The number of free bytes.
        free: u64,
    },
    /// The table is of a variant that its game cannot number.
    #[error("{}: expected a variant of {game} that can be numbered, found {variant}", path.display())]
    Variant {
        /// The file.
        path: PathBuf,
        /// The name of the game.
        game: &'static str,
        /// The variant.
        variant: String,
        /// Why it cannot be numbered.
        source: Box<EngineError>,
    },
    /// A table that a build would use is damaged: its checksum would go into the lists.
    #[error("{}: expected a sound table, found a damaged one; remove the file and build again", source.name())]
    Unsound {
        /// The damage.
        source: marquis_table::Error,
    },
}

impl FileError {
    /// The file that it is about, or the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Format(error) | Self::Unsound { source: error } => Path::new(error.name()),
            Self::System { path, .. }
            | Self::Unexpected { path, .. }
            | Self::NoRoom { path, .. }
            | Self::Variant { path, .. } => path,
        }
    }

    /// The error of a file operation, `doing`, that the system refused.
    pub fn system(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::System { path: path.to_owned(), doing, advice: None, source }
    }

    /// The error of a file whose contents differ from the expected ones.
    pub(crate) fn unexpected(
        path: impl AsRef<Path>,
        expected: impl fmt::Display,
        found: impl fmt::Display,
        advice: &'static str,
    ) -> Self {
        let (expected, found) = (expected.to_string(), found.to_string());
        Self::Unexpected { path: path.as_ref().to_owned(), expected, found, advice }
    }
}

impl From<StripError> for EngineError {
    fn from(error: StripError) -> Self {
        // The stores of this crate have no other errors.
        let other = |error| FileError::system(Path::new("strips"), "keep them")(io::Error::other(error));
        Self::File(error.0.downcast().map_or_else(other, |own| *own))
    }
}

impl From<marquis_table::Error> for EngineError {
    fn from(error: marquis_table::Error) -> Self {
        Self::File(error.into())
    }
}

/// An error and its causes in one line, the outermost first: `squish.mqt: cannot open it: permission denied`.
///
/// A file that several errors name appears once.
pub fn causes(error: &dyn Error) -> impl fmt::Display {
    let mut told = error.to_string();
    let about = told.split_once(": ").map(|(about, _)| format!("{about}: ")).unwrap_or_default();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        let words = deeper.to_string();
        told = format!("{told}: {}", words.strip_prefix(&about).unwrap_or(&words));
        cause = deeper.source();
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of an error and of all its causes, the outermost first.
    fn chain(error: &dyn Error) -> Vec<String> {
        let mut words = vec![error.to_string()];
        let mut cause = error.source();
        while let Some(deeper) = cause {
            words.push(deeper.to_string());
            cause = deeper.source();
        }
        words
    }

    fn refused() -> io::Error {
        io::Error::new(io::ErrorKind::PermissionDenied, "permission denied")
    }

    #[test]
    fn what_the_system_says_is_the_cause_and_not_the_error() {
        let error = EngineError::from(FileError::system(Path::new("a/b"), "make the folder")(refused()));
        assert_eq!(chain(&error), ["a/b: cannot make the folder", "permission denied"]);
        let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
        assert_eq!(cause.map(io::Error::kind), Some(io::ErrorKind::PermissionDenied));
        assert_eq!(causes(&error).to_string(), "a/b: cannot make the folder: permission denied");
    }

    #[test]
    fn an_error_of_the_format_is_passed_on_whole() {
        let name = "a.mqt".to_owned();
        let error = marquis_table::Error::Io { name, doing: "open it", source: refused() };
        let error = EngineError::from(error);
        assert_eq!(chain(&error), ["a.mqt: cannot open it", "permission denied"]);
        let EngineError::File(file) = &error else { panic!("{error:?}") };
        assert!(matches!(file, FileError::Format(marquis_table::Error::Io { .. })));
        assert_eq!(file.path(), Path::new("a.mqt"));
    }

    #[test]
    fn a_damaged_table_is_named_once_with_what_to_do() {
        let damaged = marquis_table::Error::Damaged {
            name: "a.mqt".to_owned(),
            place: "block 0".to_owned(),
            expected: "1".to_owned(),
            found: "2".to_owned(),
        };
        let error = EngineError::from(FileError::Unsound { source: damaged });
        assert!(error.source().is_some_and(<dyn Error>::is::<marquis_table::Error>));
        let told = causes(&error).to_string();
        assert!(
            told.starts_with("a.mqt: expected a sound table, found a damaged one; remove the file"),
            "{told}"
        );
        assert!(told.contains(": damaged in block 0: expected 1, found 2"), "{told}");
        assert_eq!(told.matches("a.mqt").count(), 1, "{told}");
    }

    #[test]
    fn a_variant_that_cannot_be_numbered_says_why() {
        let what = "numbering squish side=5".to_owned();
        let source = Box::new(EngineError::NeverFits { what, needed: 9, most: 8 });
        let (path, variant) = ("a.mqt".into(), "side=5".to_owned());
        let error = EngineError::from(FileError::Variant { path, game: "squish", variant, source });
        let cause = error.source().and_then(|cause| cause.downcast_ref::<Box<EngineError>>());
        let cause = cause.map(|cause| &**cause);
        assert!(matches!(cause, Some(EngineError::NeverFits { needed: 9, most: 8, .. })), "{error:?}");
        assert_eq!(
            chain(&error)[0],
            "a.mqt: expected a variant of squish that can be numbered, found side=5"
        );
    }
}
