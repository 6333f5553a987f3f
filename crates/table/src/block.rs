//! Blocks: their largest size, how they are packed, and their form in the file.

/// The largest size of a block, decoded.
pub const MAX_BLOCK_BYTES: usize = 32 << 10;
/// The largest size of a dictionary or model.
pub(crate) const MAX_MODEL_BYTES: u32 = 1 << 20;

/// The packing of the blocks of a stream, as recorded in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// Unpacked; only blocks of equal cells are shortened.
    Raw,
    /// Zstandard, one frame a block.
    Zstd,
    /// Zstandard with a dictionary that the stream carries.
    ZstdDictionary,
    /// Zstandard, each block a frame of the differences between its cells.
    Differences,
    /// An entropy coder with a model of the stream, which the stream carries.
    Modelled,
    /// No blocks: each cell follows from that of the given stream.
    Implied,
    /// No blocks: each cell follows from other tables, by the rules, one ply ahead.
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

/// The encoding of the bytes of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Packed by the codec of the stream; the number of bytes.
    Packed(u16),
    /// The cells themselves.
    Stored,
    /// One cell, to which all others are equal.
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
pub(crate) struct BlockEntry {
    /// The encoding of its bytes.
    pub(crate) form: Form,
    /// The crc32 of its bytes.
    pub(crate) crc: u32,
}
