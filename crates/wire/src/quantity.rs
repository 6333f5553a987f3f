//! Counts and sizes as people type them: `20000`, `20k`, `1e6`, `512M`, `1.5GiB`.
//!
//! One reader serves the command line, the parameters and settings of the service, and the Universal Game Interface.
//! `marquis --help` documents the forms and the maxima below.

use std::ops::RangeInclusive;

use marquis_core::TextError;

/// The maximum of worker threads.
pub const MOST_THREADS: u64 = 1024;
/// The maximum of memory in bytes: 16 TiB.
pub const MOST_MEMORY: u64 = 16 << 40;
/// The maximum of disk in bytes: 1 PiB.
pub const MOST_DISK: u64 = 1 << 50;
/// The maximum of positions of a search, and of every other count without a separate maximum: 63 bits, which all JSON
/// parsers can hold.
pub const MOST: u64 = i64::MAX as u64;
/// The maximum of a time limit in seconds: thirty years.
pub const MOST_SECONDS: u64 = 1_000_000_000;
/// The maximum of best lines that a caller may request.
pub const MOST_LINES: u64 = 1024;

/// A decimal number, exactly: `digits × 10^tens`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Decimal {
    digits: u128,
    tens: i32,
}

impl Decimal {
    /// Parses `20000`, `20_000`, `1.5`, `1e6` at the beginning of a text.
    ///
    /// * Result: the number and the rest of the text; `None` if there is no number, or one of too many digits.
    fn read(text: &str) -> Option<(Self, &str)> {
        let (whole, rest) = digits(text)?;
        let (fraction, rest) = match rest.strip_prefix('.') {
            Some(rest) => digits(rest)?,
            None => ("", rest),
        };
        let mut number = Self { digits: 0, tens: 0 };
        for digit in whole.chars().chain(fraction.chars()).filter_map(|c| c.to_digit(10)) {
            number.digits = number.digits.checked_mul(10)?.checked_add(digit.into())?;
        }
        number.tens = -i32::try_from(fraction.chars().filter(char::is_ascii_digit).count()).ok()?;
        let Some((power, rest)) = exponent(rest) else { return Some((number, rest)) };
        number.tens = number.tens.checked_add(power)?;
        Some((number, rest))
    }

    /// The number in steps of 1/`unit`, rounded down; the flag is true if that is exact.
    fn times(self, unit: u128) -> Option<(u128, bool)> {
        let product = self.digits.checked_mul(unit)?;
        let power = 10_u128.checked_pow(self.tens.unsigned_abs());
        match power {
            Some(power) if self.tens < 0 => Some((product / power, product.is_multiple_of(power))),
            Some(power) => Some((product.checked_mul(power)?, true)),
            None if self.tens < 0 || product == 0 => Some((0, product == 0)),
            None => None,
        }
    }
}

/// The leading digits of a text, including `_` after the first one, and the rest; `None` without a digit.
fn digits(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_');
    text.starts_with(|c: char| c.is_ascii_digit()).then(|| text.split_at(text.len() - rest.len()))
}

/// The power of ten of `e6`, `E+6` or `e-3` at the beginning of a text, and the rest.
fn exponent(text: &str) -> Option<(i32, &str)> {
    let rest = text.strip_prefix(['e', 'E'])?;
    let sign = usize::from(rest.starts_with(['+', '-']));
    let (power, rest) = rest.split_at(sign + digits(&rest[sign..])?.0.len());
    Some((power.parse().ok()?, rest))
}

/// Parses a count: `20000`, `20_000`, `20k`, `1.5M`, `1e6`; `k`, `M`, `G` and `T` are powers of 1000.
///
/// `None` if it is not an integer, or more than [`MOST`].
#[must_use]
pub fn count(text: &str) -> Option<u64> {
    let (number, unit) = Decimal::read(text)?;
    let unit = match unit {
        "" => 1,
        "k" | "K" => 1000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        "T" => 1_000_000_000_000,
        _ => return None,
    };
    let (whole, is_exact) = number.times(unit)?;
    u64::try_from(whole).ok().filter(|&whole| is_exact && whole <= MOST)
}

/// Parses a count in a range.
///
/// # Errors
/// The error names the range.
pub fn count_within(place: &str, range: &RangeInclusive<u64>, text: &str) -> Result<u64, TextError> {
    let (least, most) = range.clone().into_inner();
    let expected = || format!("a whole number from {least} to {most}");
    count(text).filter(|count| range.contains(count)).ok_or_else(|| TextError::new(place, expected(), text))
}

/// Parses a number of bytes: `512M`, `1.5GiB`, `8GB`, `1e9B`; a bare number is GiB.
///
/// `K`, `M`, `G`, `T`, `P` and `KiB` to `PiB` are powers of 1024, `kB` to `PB` of 1000, case-insensitively; a
/// fraction of a byte is dropped. `None` if it is not a size, or exceeds 64 bits.
#[must_use]
pub fn bytes(text: &str) -> Option<u64> {
    let (number, unit) = Decimal::read(text)?;
    let unit = unit.trim().to_ascii_lowercase();
    let (letter, rest) = unit.split_at_checked(1).unwrap_or(("g", ""));
    let power = ["b", "k", "m", "g", "t", "p"].iter().position(|known| *known == letter)?;
    let base: u128 = match rest {
        "" | "ib" if power > 0 => 1024,
        "b" if power > 0 => 1000,
        "" => 1,
        _ => return None,
    };
    number.times(base.pow(power as u32)).and_then(|(bytes, _)| u64::try_from(bytes).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_people_type_them_and_only_whole_ones() {
        for (text, number) in [
            ("0", 0),
            ("20000", 20_000),
            ("20_000", 20_000),
            ("20k", 20_000),
            ("1.5M", 1_500_000),
            ("1e6", 1_000_000),
            ("1.25E+3", 1250),
            ("5000e-3", 5),
            ("2e3k", 2_000_000),
            ("9223372036854775807", MOST),
            ("0e999", 0),
        ] {
            assert_eq!(count(text), Some(number), "{text}");
        }
        for wrong in [
            "",
            "-1",
            "+1",
            " 1",
            "1 ",
            "one",
            "1.5",
            "1e-1",
            "1e",
            "e6",
            ".5",
            "5.",
            "1.e3",
            "0x10",
            "1kk",
            "1m",
            "1,000",
            "_1",
            "9223372036854775808",
            "1e19",
            "1e999999999999",
            "1e+-3",
            "\u{661}",
        ] {
            assert_eq!(count(wrong), None, "{wrong}");
        }
        assert_eq!(count(&"9".repeat(1_000_000)), None);
    }

    #[test]
    fn sizes_are_binary_without_a_b_and_decimal_with_one() {
        for (text, size) in [
            ("2", 2 << 30),
            ("1.5", 3 << 29),
            ("512M", 512 << 20),
            ("512m", 512 << 20),
            ("512MiB", 512 << 20),
            ("512 MiB", 512 << 20),
            ("512MB", 512_000_000),
            ("1.5GiB", 3 << 29),
            ("1e3MiB", 1000 << 20),
            ("8GB", 8_000_000_000),
            ("1e9B", 1_000_000_000),
            ("100KiB", 100 << 10),
            ("1TiB", 1 << 40),
            ("0.3B", 0),
        ] {
            assert_eq!(bytes(text), Some(size), "{text}");
        }
        for wrong in ["", "-1", "GiB", "12parsecs", "1iB", "1BB", "1GiBs", "1e99", "18446744073709551616B"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_count_out_of_range_is_refused_with_the_range() {
        let error = count_within("threads", &(1..=MOST_THREADS), "1e4").unwrap_err();
        assert_eq!(error.to_string(), "threads: expected a whole number from 1 to 1024, found `1e4`");
    }
}
