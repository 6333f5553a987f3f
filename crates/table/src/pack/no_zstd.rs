//! A stand-in for Zstandard where its C sources are not compiled, as in a browser. It reads whole frames, such as
//! those of proofs, and packs nothing. There are no tables, so it does not read blocks of cells either.
//!
//! It has the same items as `zstd.rs`.

use std::io::{self, Read as _};

use ruzstd::decoding::StreamingDecoder;

use super::{BlockSamples, Malformed};

const NONE: &str = "there is no Zstandard in this build";

fn none<T>() -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::Unsupported, NONE))
}

/// Always an error in this build.
pub(crate) fn compress_whole(_: &[u8], _: i32) -> io::Result<Vec<u8>> {
    none()
}

/// Always an error in this build.
pub(crate) fn compress_parts(_: &[&[u8]], _: i32) -> io::Result<Vec<u8>> {
    none()
}

/// The bytes of a frame, at most `most`.
pub(crate) fn decompress_whole(frame: &[u8], most: usize) -> io::Result<Vec<u8>> {
    let mut plain = Vec::new();
    let decoder = StreamingDecoder::new(frame).map_err(io::Error::other)?;
    decoder.take(most as u64 + 1).read_to_end(&mut plain)?;
    if plain.len() > most {
        return Err(io::Error::other("it is longer than its head says"));
    }
    Ok(plain)
}

/// No bound is known in this build.
pub(crate) fn longest(_: usize) -> usize {
    usize::MAX
}

/// Always an error in this build.
pub(super) fn compress(_: &[u8], _: i32) -> io::Result<Vec<u8>> {
    none()
}

/// Always an error in this build.
pub(super) fn decompress(_: &[u8], _: &mut [u8]) -> Result<(), Malformed> {
    Err(Malformed(NONE))
}

/// A dictionary that cannot be trained in this build.
pub(crate) enum Trained {}

impl Trained {
    /// Always `None`: a plain codec is used.
    pub(super) fn on(_: &BlockSamples, _: i32, _: u32) -> Option<Self> {
        None
    }

    pub(super) fn dictionary(&self) -> &[u8] {
        match *self {}
    }

    pub(super) fn compress(&self, _: &[u8]) -> io::Result<Vec<u8>> {
        match *self {}
    }
}

/// A dictionary that cannot be loaded in this build.
pub(crate) enum Prepared {}

impl Prepared {
    /// Always an error in this build.
    pub(super) fn new(_: &[u8]) -> Result<Self, Malformed> {
        Err(Malformed(NONE))
    }

    pub(super) fn decompress(&self, _: &[u8], _: &mut [u8]) -> Result<(), Malformed> {
        match *self {}
    }
}
