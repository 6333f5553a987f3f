//! Lines from other programs: each of bounded length, and an unreadable line does not affect the others.

use std::fmt;
use std::io::{self, BufRead};
use std::str;

/// The maximum number of bytes of a line.
const LONGEST: usize = 1 << 20;
/// The mark that some editors write before a UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Why a line cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// Not UTF-8: the byte, and its place from 1.
    Bytes { byte: u8, place: usize },
    /// It is longer than a line may be; the rest of it was skipped.
    TooLong,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes { byte, place } => write!(f, "expected UTF-8, found the byte {byte:#04x} at {place}"),
            Self::TooLong => write!(f, "expected a line of at most {LONGEST} bytes, found more"),
        }
    }
}

/// The lines of a text without their ends; a byte order mark before the first one is left out.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    input: R,
    is_begun: bool,
}

impl<R: BufRead> Lines<R> {
    /// The lines of an input of which nothing was read yet.
    pub(crate) const fn of(input: R) -> Self {
        Self { input, is_begun: false }
    }

    /// The bytes of the next line with its end, or of a longer one the first [`LONGEST`] and room for an end.
    ///
    /// * Result: empty at the end of the input.
    fn next_bytes(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        loop {
            let buffer = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            let end = buffer.iter().position(|&byte| byte == b'\n').map(|end| end + 1);
            let taken = end.unwrap_or(buffer.len());
            let room = (LONGEST + "\r\n".len() + 1).saturating_sub(line.len());
            line.extend_from_slice(&buffer[..taken.min(room)]);
            self.input.consume(taken);
            if end.is_some() || taken == 0 {
                return Ok(line);
            }
        }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Result<String, Unreadable>>;

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = match self.next_bytes() {
            Ok(bytes) if bytes.is_empty() => return None,
            Ok(bytes) => bytes,
            Err(error) => return Some(Err(error)),
        };
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        let line = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let marked = if is_first { line.strip_prefix(BYTE_ORDER_MARK) } else { None };
        Some(Ok(text(marked.unwrap_or(line))))
    }
}

fn text(line: &[u8]) -> Result<String, Unreadable> {
    if line.len() > LONGEST {
        return Err(Unreadable::TooLong);
    }
    str::from_utf8(line).map(str::to_owned).map_err(|error| {
        let before = error.valid_up_to();
        Unreadable::Bytes { byte: line[before], place: before + 1 }
    })
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Result<String, Unreadable>> {
        // A buffer smaller than any line, so that lines are assembled.
        Lines::of(BufReader::with_capacity(7, bytes)).map(|line| line.expect("bytes in memory")).collect()
    }

    #[test]
    fn ends_of_lines_and_a_byte_order_mark_are_left_out() {
        let text = |line: &str| Ok(line.to_owned());
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\xef\xbb\xbfone\r\ntwo\n\nfour"), ["one", "two", "", "four"].map(text));
        assert_eq!(lines(b"one\n\xef\xbb\xbftwo\n"), ["one", "\u{feff}two"].map(text));
        assert_eq!(lines(b"\xef\xbb\xbf"), [text("")]);
    }

    #[test]
    fn a_line_that_cannot_be_read_leaves_the_others_as_they_are() {
        let latin = Unreadable::Bytes { byte: 0xe9, place: 3 };
        assert_eq!(lines(b"ab\xe9\nnext\n"), [Err(latin), Ok("next".to_owned())]);
        assert_eq!(latin.to_string(), "expected UTF-8, found the byte 0xe9 at 3");
        let long =
            [vec![b'a'; LONGEST], b"\n".to_vec(), vec![b'a'; 3 * LONGEST], b"\nnext".to_vec()].concat();
        let read = lines(&long);
        assert_eq!(read[0].as_ref().map(String::len), Ok(LONGEST));
        assert_eq!(read[1..], [Err(Unreadable::TooLong), Ok("next".to_owned())]);
    }
}
