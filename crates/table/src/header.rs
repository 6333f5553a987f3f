//! The header of a table.

use std::collections::BTreeMap;
use std::fmt;

use crate::block::Codec;

/// Thirty-two bytes that identify the rules of a table: game, variant, version of the rules and of the ranking of
/// positions.
///
/// The caller computes it; a table with another fingerprint is refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    /// The fingerprint of a text that names everything that determines the meaning of a cell.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self(*blake3::hash(text.as_bytes()).as_bytes())
    }
}

/// The blake3 hash of all cells of a stream in slot order, each little-endian in its width.
///
/// It depends on neither codec nor block size, so equal hashes mean equal tables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash(pub [u8; 32]);

macro_rules! hex {
    ($($name:ident)*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }
    )*};
}
hex!(Fingerprint ContentHash);

/// Game, variant and layer.
pub type LayerKey = (String, String, String);

/// The game, variant, layer and rules of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The game, such as `squish`.
    pub game: String,
    /// The parameters of the whole game, such as `side=3`.
    pub variant: String,
    /// The layer, such as `03v05`.
    pub layer: String,
    /// The rules.
    pub rules: Fingerprint,
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.game, self.variant, self.layer)
    }
}

/// Bytes a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// Cells of 0…255.
    One,
    /// Cells of 0…65535.
    Two,
    /// Cells of 0…2³²−1.
    Four,
}

impl Width {
    /// The number of bytes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }

    /// The narrowest width that holds `largest`.
    #[must_use]
    pub const fn holding(largest: u32) -> Self {
        match largest {
            0..=0xff => Self::One,
            0x100..=0xffff => Self::Two,
            _ => Self::Four,
        }
    }

    /// The greatest cell.
    #[must_use]
    pub const fn largest(self) -> u32 {
        match self {
            Self::One => 0xff,
            Self::Two => 0xffff,
            Self::Four => u32::MAX,
        }
    }

    /// The cell with these little-endian bytes; missing bytes count as 0.
    pub(crate) fn get(self, bytes: &[u8]) -> u32 {
        bytes.iter().take(self.bytes()).rev().fold(0, |cell, &byte| cell << 8 | u32::from(byte))
    }

    /// Writes a cell that fits the width.
    pub(crate) fn put(self, cell: u32, bytes: &mut [u8]) {
        bytes.copy_from_slice(&cell.to_le_bytes()[..self.bytes()]);
    }
}

/// The header of one stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamHeader {
    /// The name, such as `value`.
    pub name: String,
    /// Bytes a cell.
    pub width: Width,
    /// Cells per block, a power of two; the last block may be shorter.
    pub cells_per_block: u32,
    /// How blocks are packed.
    pub codec: Codec,
    /// The earlier stream whose cells are needed to unpack this one.
    pub given: Option<usize>,
    /// The name of the hints that are needed to unpack this one.
    pub hints: Option<String>,
    /// Bytes of all packed blocks.
    pub packed_bytes: u64,
    /// Bytes of the trained dictionary or model; 0 if the codec has none.
    pub model_bytes: u32,
    /// The crc32 of the dictionary or model.
    pub model_crc: u32,
    /// The hash of the cells.
    pub content: ContentHash,
}

/// The header of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableHeader {
    /// The layer and its game.
    pub identity: Identity,
    /// Slots of the layer; each stream has a cell for each.
    pub slots: u64,
    /// The streams in the order of the file.
    pub streams: Vec<StreamHeader>,
    /// Figures by name: wins, draws, losses, unused indices, the longest win and so on.
    pub counts: BTreeMap<String, u64>,
    /// Notes by name.
    pub notes: BTreeMap<String, String>,
}
