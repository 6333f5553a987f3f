//! What can go wrong with a table, in words for the person who has to mend it.

use std::fmt::Display;
use std::io;

/// Why a table, a container or a store could not be read or written.
///
/// `name` is the file, or what the caller called the bytes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("{name}: cannot {doing}")]
    Io {
        /// The file.
        name: String,
        /// What was being done, as in "cannot open it".
        doing: &'static str,
        /// The system's own words.
        source: io::Error,
    },
    /// The bytes are something else altogether.
    #[error("{name}: not {expected}: it starts with {found}; remove it from the folder or give another file")]
    WrongKind {
        /// The file.
        name: String,
        /// What kind of file was asked for.
        expected: String,
        /// The first bytes, escaped.
        found: String,
    },
    /// Another version of the format.
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
    /// The end is missing.
    #[error(
        "{name}: cut short: expected {expected}, found {found}; copy the file again from where it is whole, \
         or generate it again"
    )]
    CutShort {
        /// The file.
        name: String,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// Bytes have changed since they were written.
    #[error(
        "{name}: damaged in {place}: expected {expected}, found {found}; copy the file again from where it is \
         whole, or generate it again"
    )]
    Damaged {
        /// The file.
        name: String,
        /// Which part, such as `block 17 of the stream "plies"`.
        place: String,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A sound file, of something that was not asked for.
    #[error(
        "{name}: belongs to another {what}: expected {expected}, found {found}; \
         generate the table with this program, or remove the file"
    )]
    Foreign {
        /// The file.
        name: String,
        /// `game`, `variant`, `layer` or `version of the rules`.
        what: &'static str,
        /// What was asked for.
        expected: String,
        /// What the file holds.
        found: String,
    },
    /// The file does not carry this stream.
    #[error("{name}: no stream \"{stream}\": the file holds {present}; get the file that carries it too")]
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
    /// Cells that are not in the file, because other tables tell them.
    #[error(
        "{name}: the cells of the stream \"{stream}\" are not in the file: expected to look one ply ahead, into the \
         tables that its moves lead to; put those beside it, or generate it whole"
    )]
    Ahead {
        /// The file.
        name: String,
        /// The stream that was asked for.
        stream: String,
    },
    /// A slot past the end of the layer.
    #[error("{name}: no slot {slot}: the layer has {slots} slots, counted from 0")]
    NoSlot {
        /// The file.
        name: String,
        /// The slot that was asked for.
        slot: u64,
        /// The number of slots.
        slots: u64,
    },
    /// No such table in the store.
    #[error("no table of {wanted} under {root}; generate it, or give the folder that holds it")]
    NoTable {
        /// Game, variant and layer.
        wanted: String,
        /// The folder.
        root: String,
    },
    /// Nothing lies there.
    #[error(
        "{name}: nothing is there; check the address, which is that of the folder with MANIFEST.tsv and B3SUMS"
    )]
    NotThere {
        /// The address.
        name: String,
    },
    /// Whoever keeps the file does not answer, or not with what was asked for.
    ///
    /// It says nothing about the file.
    #[error(
        "{name}: not reached (tries: {tries}); see whether network, address and server are as they should be, and \
         give the same command again"
    )]
    NotReached {
        /// The address.
        name: String,
        /// How often it was tried.
        tries: u32,
        /// What came of the last try.
        source: io::Error,
    },
    /// Whoever keeps the file is there and does not hand it over, now or later.
    ///
    /// It says nothing about the file.
    #[error(
        "{name}: refused; see whether the credentials in the environment are right for this address, and whether the \
         server sends parts of files (ranges)"
    )]
    Refused {
        /// The address.
        name: String,
        /// What it says.
        source: io::Error,
    },
    /// What is asked for lies elsewhere, and whoever asks does not wait for it.
    #[error("{name}: lies elsewhere, and was asked for by somebody who does not wait; ask for it with time")]
    Awaited {
        /// The address.
        name: String,
    },
    /// A file elsewhere is not the one any more that was begun with.
    #[error(
        "{name}: has changed while it was read: expected {expected}, found {found}; give the same command again"
    )]
    Changed {
        /// The address.
        name: String,
        /// What it was.
        expected: String,
        /// What it is.
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
        /// Which part of the plan.
        what: String,
        /// What the format allows.
        expected: String,
        /// What was planned.
        found: String,
    },
    /// Larger than the caller allows.
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
    /// What the error is about: the file, or what the caller called the bytes; of a missing table the folder.
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

    /// Whether a server elsewhere does not answer, which may be over in a moment.
    #[must_use]
    pub const fn is_not_reached(&self) -> bool {
        matches!(self, Self::NotReached { .. })
    }

    /// Whether the bytes that were read are to blame.
    pub(crate) const fn is_about_bytes(&self) -> bool {
        matches!(
            self,
            Self::Damaged { .. } | Self::CutShort { .. } | Self::WrongKind { .. } | Self::Version { .. }
        )
    }

    /// That the system refused to do something with a file.
    ///
    /// * `doing`: what was to be done, as in "cannot read it".
    pub fn io(name: impl Display, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        // What keeps bytes from elsewhere from being read says more than that they cannot be read.
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

/// A checksum as it stands in messages.
pub(crate) fn crc_text(crc: u32) -> String {
    format!("crc32 {crc:08x}")
}

/// Refuses bytes whose checksum is not the one that was written.
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
