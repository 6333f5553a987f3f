//! Sizes of memory and disk as users write them, serialized as texts: `512MiB`.

use std::fmt;
use std::str::FromStr;

use marquis_core::TextError;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::quantity::{self, MOST_DISK, MOST_MEMORY};

/// An amount of memory in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemorySize(pub u64);

impl FromStr for MemorySize {
    type Err = TextError;

    /// Reads `512MiB`, `512M`, `1.5GiB`; a bare number is GiB, 16 TiB is the most.
    fn from_str(text: &str) -> Result<Self, TextError> {
        let bytes = quantity::bytes(text).filter(|bytes| (1..=MOST_MEMORY).contains(bytes));
        bytes.map(Self).ok_or_else(|| {
            let expected = "a size such as `512MiB` or `8GiB`, at most `16TiB`; a bare number is GiB";
            TextError::new("memory", expected, text)
        })
    }
}

/// An amount of disk in bytes; zero for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DiskSize(pub u64);

impl DiskSize {
    /// No disk.
    pub const NONE: Self = Self(0);
}

impl FromStr for DiskSize {
    type Err = TextError;

    /// Reads `0`, `512MiB`, `512M`, `1.5GiB`; a bare number is GiB, 1 PiB is the most.
    fn from_str(text: &str) -> Result<Self, TextError> {
        let bytes = quantity::bytes(text).filter(|&bytes| bytes <= MOST_DISK);
        bytes.map(Self).ok_or_else(|| {
            let expected =
                "a size such as `512MiB` or `8GiB`, at most `1PiB`, or 0 for none; a bare number is GiB";
            TextError::new("disk", expected, text)
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

impl Serialize for MemorySize {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&exactly(self.0))
    }
}

impl<'de> Deserialize<'de> for MemorySize {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

impl Serialize for DiskSize {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if *self == Self::NONE { to.serialize_str("0") } else { to.serialize_str(&exactly(self.0)) }
    }
}

impl<'de> Deserialize<'de> for DiskSize {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

/// The bytes in the largest unit that gives an integer; parsing gives the same size.
fn exactly(bytes: u64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let unit = units.into_iter().find(|(_, shift)| bytes > 0 && bytes.trailing_zeros() >= *shift);
    unit.map_or_else(|| format!("{bytes}B"), |(name, shift)| format!("{}{name}", bytes >> shift))
}

/// The bytes for display, in the largest unit with a value above one.
#[must_use]
pub fn in_words(bytes: u128) -> String {
    const UNITS: [&str; 9] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB", "RiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let power = (bytes.ilog2() / 10).min(UNITS.len() as u32);
    let unit = 2_f64.powf(f64::from(10 * power));
    format!("{:.1} {}", bytes as f64 / unit, UNITS[power as usize - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_as_the_same_size() {
        for bytes in [1, 1000, 1 << 10, (1 << 20) + 1, 193_359 << 10, 3 << 29, 8_000_000_000, MOST_MEMORY] {
            assert_eq!(exactly(bytes).parse(), Ok(MemorySize(bytes)));
            assert_eq!(exactly(bytes).parse(), Ok(DiskSize(bytes)));
        }
        assert_eq!((exactly(0).parse(), "0".parse()), (Ok(DiskSize::NONE), Ok(DiskSize::NONE)));
        assert_eq!(exactly(3 << 29), "1536MiB");
    }

    #[test]
    fn a_size_out_of_range_is_refused() {
        for wrong in ["0", "0.1B", "17TiB", "1e6", "lots"] {
            let error = wrong.parse::<MemorySize>().unwrap_err();
            assert!(error.to_string().contains("at most `16TiB`"), "{error}");
        }
        assert!("1.5PiB".parse::<DiskSize>().is_err());
    }

    #[test]
    fn bytes_are_told_in_the_largest_unit_that_fits() {
        for (bytes, words) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (2 << 30, "2.0 GiB"),
            (u128::from(u64::MAX), "16.0 EiB"),
            (5 << 80, "5.0 YiB"),
        ] {
            assert_eq!(in_words(bytes), words);
        }
    }
}
