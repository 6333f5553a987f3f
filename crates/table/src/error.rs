//! The errors of this crate, with messages that say how to fix them.

use std::fmt::Display;
use std::io;

/// The reason why a table, a container or a store could not be read or written.
///
/// `name` is the file, or the caller's name for the bytes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("{name}: cannot {doing}")]
    Io {
        /// The file.
        name: String,
        /// The failed operation, as in "cannot open it".
        doing: &'static str,
        /// The system error.
        source: io::Error,
    },
    /// The bytes are of another kind of file.
    #[error("{name}: not {expected}: it starts with {found}; remove it from the folder or give another file")]
    WrongKind {
        /// The file.
        name: String,
        /// The kind of file that was asked for.
        expected: String,
        /// The first bytes, escaped.
        found: String,
    },
    /// The file has another version of the format.
    #[error(
        "{name}: format version {found}, this program reads version {expected}; \
         generate the file again, or use the program that wrote it"
    )]
    Version {
        /// The file.
        name: String,
        /// The version of this program.
        expected: u32,
        /// The version of the file.
        found: u32,
    },
    /// The end of the file is missing.
    #[error(
        "{name}: truncated: expected {expected}, found {found}; copy an intact file, \
         or generate it again"
    )]
    CutShort {
        /// The file.
        name: String,
        /// The expected contents.
        expected: String,
        /// The contents found.
        found: String,
    },
    /// Bytes have changed since they were written.
    #[error(
        "{name}: damaged in {place}: expected {expected}, found {found}; copy an intact file, \
         or generate it again"
    )]
    Damaged {
        /// The file.
        name: String,
        /// The damaged part, such as `block 17 of the stream "plies"`.
        place: String,
        /// The expected contents.
        expected: String,
        /// The contents found.
        found: String,
    },
    /// A valid file of something else.
    #[error(
        "{name}: belongs to another {what}: expected {expected}, found {found}; \
         generate the table with this program, or remove the file"
    )]
    Foreign {
        /// The file.
        name: String,
        /// `game`, `variant`, `layer` or `version of the rules`.
        what: &'static str,
        /// The value that was asked for.
        expected: String,
        /// The value in the file.
        found: String,
    },
    /// The file does not contain this stream.
    #[error("{name}: no stream \"{stream}\": the file holds {present}; get a file that contains it")]
    NoStream {
        /// The file.
        name: String,
        /// The stream that was asked for.
        stream: String,
        /// The streams that are there.
        present: String,
    },
    /// The stream was packed with hints that the reader does not have.
    #[error(
        "{name}: the stream \"{stream}\" needs the hints \"{hints}\", which were not given; \
         use a program that has them, or repack the table without them"
    )]
    NoHints {
        /// The file.
        name: String,
        /// The stream that was asked for.
        stream: String,
        /// The hints that it was packed with.
        hints: String,
    },
    /// The cells are not in the file, because they follow from other tables.
    #[error(
        "{name}: the cells of the stream \"{stream}\" follow from the tables that its moves lead to; put those tables in \
         the same folder, or generate it whole"
    )]
    Ahead {
        /// The file.
        name: String,
        /// The stream that was asked for.
        stream: String,
    },
    /// The slot is past the end of the layer.
    #[error("{name}: no slot {slot}: the layer has {slots} slots, counted from 0")]
    NoSlot {
        /// The file.
        name: String,
        /// The slot that was asked for.
        slot: u64,
        /// The number of slots.
        slots: u64,
    },
    /// The store has no such table.
    #[error("no table of {wanted} under {root}; generate it, or give the folder that holds it")]
    NoTable {
        /// Game, variant and layer.
        wanted: String,
        /// The folder.
        root: String,
    },
    /// No file at this address.
    #[error("{name}: not found; give the address of the folder with MANIFEST.tsv and B3SUMS")]
    NotThere {
        /// The address.
        name: String,
    },
    /// The server does not answer, or its answer is not usable.
    ///
    /// This says nothing about the file.
    #[error(
        "{name}: not reached (tries: {tries}); check the network, the address and the server, then \
         retry"
    )]
    NotReached {
        /// The address.
        name: String,
        /// The number of tries.
        tries: u32,
        /// The error of the last try.
        source: io::Error,
    },
    /// The server answers but refuses to send the file.
    ///
    /// This says nothing about the file.
    #[error(
        "{name}: refused; check that the credentials in the environment fit this address, and that the \
         server supports range requests"
    )]
    Refused {
        /// The address.
        name: String,
        /// The response of the server.
        source: io::Error,
    },
    /// The data is remote, and the caller asked not to wait for it.
    #[error("{name}: a remote table that the caller did not wait for; retry with a time budget")]
    Awaited {
        /// The address.
        name: String,
    },
    /// A remote file changed while it was being read.
    #[error("{name}: changed during the read: expected {expected}, found {found}; retry")]
    Changed {
        /// The address.
        name: String,
        /// The earlier state.
        expected: String,
        /// The current state.
        found: String,
    },
    /// Two files hold the same layer.
    #[error("{name}: holds the same layer as {other}; remove one of them")]
    Twice {
        /// The file that is left out.
        name: String,
        /// The file that is used.
        other: String,
    },
    /// The caller asks for a file that the format cannot hold.
    #[error("{name}: cannot be written: {what} must be {expected}, found {found}")]
    Plan {
        /// The file.
        name: String,
        /// The part of the plan.
        what: String,
        /// The values that the format allows.
        expected: String,
        /// The planned value.
        found: String,
    },
    /// The size is above the caller's limit.
    #[error("{name}: too large: {found} bytes decoded, at most {expected} are allowed here")]
    TooLarge {
        /// The file.
        name: String,
        /// The limit.
        expected: u64,
        /// The size that the file states.
        found: u64,
    },
}

impl Error {
    /// The subject of the error: the file, the caller's name for the bytes, or the folder for a missing table.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Io { name, .. }
            | Self::WrongKind { name, .. }
            | Self::Version { name, .. }
            | Self::CutShort { name, .. }
            | Self::Damaged { name, .. }
            | Self::Foreign { name, .. }
            | Self::NoStream { name, .. }
            | Self::NoHints { name, .. }
            | Self::Ahead { name, .. }
            | Self::NoSlot { name, .. }
            | Self::NotThere { name }
            | Self::NotReached { name, .. }
            | Self::Refused { name, .. }
            | Self::Awaited { name }
            | Self::Changed { name, .. }
            | Self::Twice { name, .. }
            | Self::Plan { name, .. }
            | Self::TooLarge { name, .. } => name,
            Self::NoTable { root, .. } => root,
        }
    }

    /// Whether a remote server does not answer, which may be temporary.
    #[must_use]
    pub const fn is_not_reached(&self) -> bool {
        matches!(self, Self::NotReached { .. })
    }

    /// Whether the bytes that were read are the cause.
    pub(crate) const fn is_about_bytes(&self) -> bool {
        matches!(
            self,
            Self::Damaged { .. } | Self::CutShort { .. } | Self::WrongKind { .. } | Self::Version { .. }
        )
    }

    /// An error of the operating system on a file.
    ///
    /// * `doing`: the failed operation, as in "cannot read it".
    pub fn io(name: impl Display, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        // An error of remote bytes arrives wrapped in an I/O error; it says more than "cannot read it".
        move |source| match source.downcast::<Self>() {
            Ok(error) => error,
            Err(source) => Self::Io { name: name.to_string(), doing, source },
        }
    }

    pub(crate) fn damaged(
        name: &str,
        place: impl Into<String>,
        expected: impl Display,
        found: impl Display,
    ) -> Self {
        Self::Damaged {
            name: name.to_owned(),
            place: place.into(),
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }

    pub(crate) fn plan(
        name: &str,
        what: impl Into<String>,
        expected: impl Display,
        found: impl Display,
    ) -> Self {
        Self::Plan {
            name: name.to_owned(),
            what: what.into(),
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }
}

/// A checksum as shown in messages.
pub(crate) fn crc_text(crc: u32) -> String {
    format!("crc32 {crc:08x}")
}

/// Refuses bytes whose checksum differs from the recorded one.
pub(crate) fn check_crc(
    name: &str,
    place: impl FnOnce() -> String,
    bytes: &[u8],
    expected: u32,
) -> Result<(), Error> {
    let found = crc32fast::hash(bytes);
    if found == expected {
        return Ok(());
    }
    Err(Error::damaged(name, place(), crc_text(expected), crc_text(found)))
}
