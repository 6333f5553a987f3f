//! A stand-in for Zstandard where its C sources are not compiled, as in a browser: it reads frames and packs nothing.
//!
//! It has the same items as `zstd.rs`.

use std::io::{self, Read as _};
use std::sync::{Mutex, PoisonError};

use ruzstd::decoding::{BlockDecodingStrategy, Dictionary, FrameDecoder, StreamingDecoder};

use super::{BlockSamples, FRAME_MAGIC, Malformed};

/// The number of each dictionary of a table: frames do not name it.
const NO_NUMBER: u32 = 0;
/// The head of a dictionary, which its reader takes for granted.
const HEAD_BYTES: usize = 8;

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

/// Fills `out` with the cells of a frame.
pub(super) fn decompress(packed: &[u8], out: &mut [u8]) -> Result<(), Malformed> {
    let mut decoder = FrameDecoder::new();
    begin(&mut decoder, packed).and_then(|frame| finish(&mut decoder, frame, out))
}

/// Reads the head of a frame; the rest is returned.
fn begin<'a>(decoder: &mut FrameDecoder, packed: &'a [u8]) -> Result<impl io::Read + 'a, Malformed> {
    let mut frame = FRAME_MAGIC.as_slice().chain(packed);
    decoder.reset(&mut frame).map_err(|_| Malformed("a frame with a malformed head"))?;
    Ok(frame)
}

/// Fills `out` with the cells of a frame after its head.
fn finish(decoder: &mut FrameDecoder, frame: impl io::Read, out: &mut [u8]) -> Result<(), Malformed> {
    const BROKEN: Malformed = Malformed("a frame that does not decompress");
    // No more than that, however many cells a frame has.
    let most = BlockDecodingStrategy::UptoBytes(out.len().saturating_add(1));
    let is_whole = decoder.decode_blocks(frame, most).map_err(|_| BROKEN)?;
    if !is_whole || decoder.can_collect() != out.len() {
        return Err(Malformed("a frame of another number of cells"));
    }
    decoder.read_exact(out).map_err(|_| BROKEN)
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

/// A decompressor with a dictionary.
pub(crate) struct Prepared(Mutex<FrameDecoder>);

impl Prepared {
    /// Loads the dictionary.
    pub(super) fn new(dictionary: &[u8]) -> Result<Self, Malformed> {
        const BROKEN: Malformed = Malformed("a dictionary that does not load");
        if dictionary.len() < HEAD_BYTES {
            return Err(BROKEN);
        }
        let mut decoder = FrameDecoder::new();
        let dictionary = Dictionary::decode_dict(dictionary).map_err(|_| BROKEN)?;
        decoder.add_dict(dictionary).map_err(|_| BROKEN)?;
        Ok(Self(Mutex::new(decoder)))
    }

    /// Fills `out` with the cells of a frame.
    pub(super) fn decompress(&self, packed: &[u8], out: &mut [u8]) -> Result<(), Malformed> {
        let mut decoder = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let frame = begin(&mut decoder, packed)?;
        decoder.force_dict(NO_NUMBER).map_err(|_| Malformed("a dictionary with a number"))?;
        finish(&mut decoder, frame, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Width;
    use crate::pack::{Sample, zstd};

    /// Cells that pack well: few values in runs of different lengths.
    fn cells(seed: u8) -> Vec<u8> {
        (0..3000_u32).map(|at| ((at / (7 + u32::from(seed) % 5)) * 37 % 11) as u8 ^ (seed % 3)).collect()
    }

    #[test]
    fn frames_of_zstandard_are_read_with_and_without_a_dictionary() {
        let blocks: Vec<_> = (0..200).map(cells).collect();
        let sample = |cells: &Vec<u8>| Sample { cells: cells.clone(), given: Vec::new(), hints: Vec::new() };
        let samples = BlockSamples { blocks: blocks.iter().map(sample).collect(), width: Width::One };
        let trained = zstd::Trained::on(&samples, 19, 8 << 10).unwrap();
        let prepared = Prepared::new(trained.dictionary()).unwrap();
        for block in &blocks {
            let mut out = vec![0; block.len()];
            let plain = zstd::compress(block, 19).unwrap();
            decompress(&plain, &mut out).unwrap();
            assert_eq!(out, *block);
            out.fill(0);
            let packed = trained.compress(block).unwrap();
            assert!(packed.len() < plain.len(), "the dictionary is not used");
            prepared.decompress(&packed, &mut out).unwrap();
            assert_eq!(out, *block);
            // A frame of more or of fewer cells, and a cut one, are refused.
            assert!(decompress(&plain, &mut vec![0; block.len() - 1]).is_err());
            assert!(decompress(&plain, &mut vec![0; block.len() + 1]).is_err());
            assert!(prepared.decompress(&packed[..packed.len() - 1], &mut out).is_err());
        }
        assert!(Prepared::new(&[0x37, 0xa4]).is_err());
    }
}
