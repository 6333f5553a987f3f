//! What a block is: how large it may be, how it is packed, and in which form it lies in the file.

/// No block is longer, decoded.
pub const MAX_BLOCK_BYTES: usize = 32 << 10;
/// No dictionary or model is longer.
pub(crate) const MAX_MODEL_BYTES: u32 = 1 << 20;

/// How the blocks of a stream are packed, as the file says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// Not at all; only blocks of equal cells are shortened.
    Raw,
    /// Zstandard, each block a frame of its own.
    Zstd,
    /// Zstandard with a dictionary that the stream carries.
    ZstdDictionary,
    /// Zstandard, each block a frame of the differences between its cells.
    Differences,
    /// An entropy coder with a model of the stream, which the stream carries.
    Modelled,
    /// Not at all: each cell follows from that of the given stream.
    Implied,
    /// Not at all: each cell follows from other tables, by the rules, one ply ahead.
    Ahead,
}

impl Codec {
    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Zstd => "zstd",
            Self::ZstdDictionary => "zstd with dictionary",
            Self::Differences => "differences",
            Self::Modelled => "modelled",
            Self::Implied => "implied",
            Self::Ahead => "one ply ahead",
        }
    }

    pub(crate) const fn tag(self) -> u8 {
        match self {
            Self::Raw => 0,
            Self::Zstd => 1,
            Self::ZstdDictionary => 2,
            Self::Modelled => 3,
            Self::Implied => 4,
            Self::Ahead => 5,
            Self::Differences => 6,
        }
    }

    pub(crate) const fn from_tag(tag: u8) -> Option<Self> {
        match tag {
            0 => Some(Self::Raw),
            1 => Some(Self::Zstd),
            2 => Some(Self::ZstdDictionary),
            3 => Some(Self::Modelled),
            4 => Some(Self::Implied),
            5 => Some(Self::Ahead),
            6 => Some(Self::Differences),
            _ => None,
        }
    }
}

/// How the bytes of a block are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Packed by the codec of the stream into so many bytes.
    Packed(u16),
    /// The cells themselves.
    Stored,
    /// One cell that all others equal.
    Constant,
}

const STORED: u16 = 0x8000;
const CONSTANT: u16 = 0x8001;

impl Form {
    pub(crate) fn code(self) -> u16 {
        match self {
            Self::Packed(length) => length,
            Self::Stored => STORED,
            Self::Constant => CONSTANT,
        }
    }

    pub(crate) fn from_code(code: u16) -> Option<Self> {
        match code {
            0..STORED => Some(Self::Packed(code)),
            STORED => Some(Self::Stored),
            CONSTANT => Some(Self::Constant),
            _ => None,
        }
    }
}

/// Form and checksum of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// How its bytes are to be read.
    pub(crate) form: Form,
    /// The crc32 of its bytes.
    pub(crate) crc: u32,
}
