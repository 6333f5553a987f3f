//! Sizes of memory as users write them.

use std::fmt;
use std::str::FromStr;

use marquis_core::TextError;

/// A number of bytes of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemorySize(pub u64);

impl FromStr for MemorySize {
    type Err = TextError;

    /// Reads `512MiB`, `8GiB`; a bare number is GiB.
    fn from_str(text: &str) -> Result<Self, TextError> {
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, unit) = text.split_at(digits);
        let shift = match unit.trim() {
            "" | "GiB" => 30,
            "MiB" => 20,
            "KiB" => 10,
            "TiB" => 40,
            _ => u32::MAX,
        };
        let bytes = number.parse::<u64>().ok().filter(|_| shift < 64).and_then(|n| n.checked_mul(1 << shift));
        bytes.filter(|&bytes| bytes > 0).map(Self).ok_or_else(|| {
            TextError::new("memory", "a size such as `512MiB` or `8GiB`; a bare number is GiB", text)
        })
    }
}

/// A number of bytes of disk, zero for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DiskSize(pub u64);

impl DiskSize {
    /// No disk at all.
    pub const NONE: Self = Self(0);
}

impl FromStr for DiskSize {
    type Err = TextError;

    /// Reads `0`, and what is a size of memory.
    fn from_str(text: &str) -> Result<Self, TextError> {
        if text == "0" {
            return Ok(Self::NONE);
        }
        text.parse().map(|MemorySize(bytes)| Self(bytes)).map_err(|_: TextError| {
            TextError::new(
                "disk",
                "a size such as `512MiB` or `8GiB`, or 0 for none; a bare number is GiB",
                text,
            )
        })
    }
}

impl fmt::Display for DiskSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NONE { f.write_str("0") } else { MemorySize(self.0).fmt(f) }
    }
}

impl fmt::Display for MemorySize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 >= 1 << 30 && self.0.is_multiple_of(1 << 30) {
            write!(f, "{}GiB", self.0 >> 30)
        } else {
            write!(f, "{}MiB", self.0.div_ceil(1 << 20))
        }
    }
}
