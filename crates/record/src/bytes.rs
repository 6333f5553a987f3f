//! Decodes a stream of bytes to characters.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use crate::error::{ReadError, TextFault};

/// The characters of a byte stream: UTF-8 with or without a byte order mark, or UTF-16 with one.
///
/// They end with the bytes, or at an error that [`broken`](Self::broken) returns.
pub(crate) struct Letters<R> {
    bytes: io::Bytes<R>,
    /// Bytes read while looking for the mark.
    ahead: VecDeque<u8>,
    /// `None` before the first character.
    encoding: Option<Encoding>,
    /// Bytes of the mark and of the characters returned.
    offset: usize,
    broken: Option<Broken>,
}

#[derive(Clone, Copy)]
enum Encoding {
    Narrow,
    Wide(fn([u8; 2]) -> u16),
}

/// Why the characters ended early.
pub(crate) enum Broken {
    /// The bytes are not text.
    NoText {
        /// The number of bytes that are text.
        offset: usize,
    },
    /// They cannot be read.
    Io(io::Error),
}

impl<R: BufRead> Letters<R> {
    pub(crate) fn of(read: R) -> Self {
        Self { bytes: read.bytes(), ahead: VecDeque::new(), encoding: None, offset: 0, broken: None }
    }

    /// Why the characters ended before the bytes did, once they have ended.
    pub(crate) fn broken(&mut self) -> Option<Broken> {
        self.broken.take()
    }

    fn byte(&mut self) -> Option<u8> {
        if let Some(byte) = self.ahead.pop_front() {
            return Some(byte);
        }
        match self.bytes.next()? {
            Ok(byte) => Some(byte),
            Err(error) => {
                self.broken = Some(Broken::Io(error));
                None
            }
        }
    }

    /// Skips the byte order mark, if any.
    fn begin(&mut self) -> Encoding {
        while self.ahead.len() < 3 {
            match self.bytes.next() {
                Some(Ok(byte)) => self.ahead.push_back(byte),
                Some(Err(error)) => {
                    self.broken = Some(Broken::Io(error));
                    break;
                }
                None => break,
            }
        }
        let (encoding, mark) = match self.ahead.make_contiguous() {
            [0xff, 0xfe, ..] => (Encoding::Wide(u16::from_le_bytes), 2),
            [0xfe, 0xff, ..] => (Encoding::Wide(u16::from_be_bytes), 2),
            [0xef, 0xbb, 0xbf] => (Encoding::Narrow, 3),
            _ => (Encoding::Narrow, 0),
        };
        self.ahead.drain(..mark);
        self.offset = mark;
        encoding
    }

    /// The next character; `Err` if the bytes are not text.
    fn letter(&mut self) -> Result<Option<char>, NoText> {
        let encoding = self.encoding.unwrap_or_else(|| self.begin());
        self.encoding = Some(encoding);
        match encoding {
            Encoding::Narrow => self.narrow(),
            Encoding::Wide(number) => self.wide(number),
        }
    }

    fn narrow(&mut self) -> Result<Option<char>, NoText> {
        let Some(first) = self.byte() else { return Ok(None) };
        let length = match first {
            // A zero byte would be valid UTF-8, but in a record it means UTF-16.
            0 => return Err(NoText),
            0x01..=0x7f => {
                self.offset += 1;
                return Ok(Some(first.into()));
            }
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf7 => 4,
            _ => return Err(NoText),
        };
        let mut all = [first, 0, 0, 0];
        for byte in &mut all[1..length] {
            *byte = self.byte().ok_or(NoText)?;
        }
        let text = std::str::from_utf8(&all[..length]).map_err(|_| NoText)?;
        self.offset += length;
        Ok(text.chars().next())
    }

    fn wide(&mut self, number: fn([u8; 2]) -> u16) -> Result<Option<char>, NoText> {
        let Some(low) = self.byte() else { return Ok(None) };
        let mut units = vec![number([low, self.byte().ok_or(NoText)?])];
        if (0xd800..0xdc00).contains(&units[0]) {
            units.push(number([self.byte().ok_or(NoText)?, self.byte().ok_or(NoText)?]));
        }
        let letter = char::decode_utf16(units).next().and_then(Result::ok).ok_or(NoText)?;
        self.offset += 2 * letter.len_utf16();
        Ok(Some(letter))
    }
}

/// The bytes are not a character.
struct NoText;

impl<R: BufRead> Iterator for Letters<R> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        if self.broken.is_some() {
            return None;
        }
        self.letter().unwrap_or_else(|NoText| {
            // A read error is the reason for a truncated character.
            self.broken.get_or_insert(Broken::NoText { offset: self.offset });
            None
        })
    }
}

/// Decodes text: UTF-8 with or without a byte order mark, or UTF-16 with one.
///
/// # Errors
/// Bytes of another encoding; the place is that of the first byte that is not text.
pub fn decode(bytes: &[u8]) -> Result<String, ReadError> {
    let mut letters = Letters::of(bytes);
    let text: String = letters.by_ref().collect();
    match letters.broken() {
        Some(Broken::NoText { offset }) => Err(TextFault::NoText { offset }.at(end_of(&text))),
        // Bytes in memory can be read.
        Some(Broken::Io(_)) | None => Ok(text),
    }
}

/// The place after a text.
fn end_of(text: &str) -> (usize, usize) {
    let line = 1 + text.matches('\n').count();
    let column = 1 + text.rsplit('\n').next().unwrap_or_default().chars().count();
    (line, column)
}
