//! From the bytes of a file to a text.

use crate::error::{Fault, ReadError};

/// The text that the bytes are: UTF-8 with or without a byte order mark, or UTF-16 with one.
///
/// # Errors
/// Bytes of another encoding; the place is that of the first one that is no text.
pub fn decode(bytes: &[u8]) -> Result<String, ReadError> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => narrow(rest, 3),
        bytes => narrow(bytes, 0),
    }
}

fn narrow(bytes: &[u8], before: usize) -> Result<String, ReadError> {
    let sound = match std::str::from_utf8(bytes) {
        // Zeros are UTF-8, and in a file of ours the sign of UTF-16.
        Ok(text) => match text.find('\0') {
            None => return Ok(text.to_owned()),
            Some(zero) => &text[..zero],
        },
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    };
    Err(Fault::NoText { offset: before + sound.len() }.at(end_of(sound)))
}

fn wide(bytes: &[u8], number: fn([u8; 2]) -> u16) -> Result<String, ReadError> {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let mut text = String::new();
    for read in char::decode_utf16(pairs.iter().map(|pair| number(*pair))) {
        match read {
            Ok(letter) => text.push(letter),
            Err(_) => return Err(no_text(&text)),
        }
    }
    if odd.is_empty() { Ok(text) } else { Err(no_text(&text)) }
}

/// The fault after so much of a text in UTF-16.
fn no_text(sound: &str) -> ReadError {
    let offset = 2 + sound.chars().map(|letter| 2 * letter.len_utf16()).sum::<usize>();
    Fault::NoText { offset }.at(end_of(sound))
}

/// The place after a text.
fn end_of(text: &str) -> (usize, usize) {
    let line = 1 + text.matches('\n').count();
    let column = 1 + text.rsplit('\n').next().unwrap_or_default().chars().count();
    (line, column)
}
