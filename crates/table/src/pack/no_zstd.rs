//! In place of Zstandard where there is none, as in a browser: what it packed cannot be read, and nothing is packed by it.
//!
//! The same names as in `zstd.rs`.

use std::io;

use super::{Malformed, Samples};

const NONE: &str = "there is no Zstandard in this build";

fn none<T>() -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::Unsupported, NONE))
}

/// Nothing: it cannot be done here.
pub(crate) fn compress_whole(_: &[u8], _: i32) -> io::Result<Vec<u8>> {
    none()
}

/// Nothing: it cannot be done here.
pub(crate) fn compress_parts(_: &[&[u8]], _: i32) -> io::Result<Vec<u8>> {
    none()
}

/// Nothing: it cannot be done here.
pub(crate) fn decompress_whole(_: &[u8], _: usize) -> io::Result<Vec<u8>> {
    none()
}

/// No frame is read here, however long it is.
pub(crate) fn longest(_: usize) -> usize {
    usize::MAX
}

/// Nothing: it cannot be done here.
pub(super) fn compress(_: &[u8], _: i32) -> io::Result<Vec<u8>> {
    none()
}

/// Nothing: it cannot be done here.
pub(super) fn decompress(_: &[u8], _: &mut [u8]) -> Result<(), Malformed> {
    Err(Malformed(NONE))
}

/// A dictionary that nobody trains here.
pub(crate) enum Trained {}

impl Trained {
    /// None: a plain codec is used.
    pub(super) fn on(_: &Samples, _: i32, _: u32) -> Option<Self> {
        None
    }

    pub(super) fn dictionary(&self) -> &[u8] {
        match *self {}
    }

    pub(super) fn compress(&self, _: &[u8]) -> io::Result<Vec<u8>> {
        match *self {}
    }
}

/// A dictionary that nobody loads here.
pub(crate) enum Prepared {}

impl Prepared {
    /// Nothing: it cannot be done here.
    pub(super) fn new(_: &[u8]) -> Result<Self, Malformed> {
        Err(Malformed(NONE))
    }

    pub(super) fn decompress(&self, _: &[u8], _: &mut [u8]) -> Result<(), Malformed> {
        match *self {}
    }
}
