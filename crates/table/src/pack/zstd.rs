//! Zstandard: whole frames, and frames of blocks without the parts that every block would repeat.
//!
//! `no_zstd.rs` replaces it in builds without Zstandard.

use std::cell::RefCell;
use std::io::{self, Write as _};

use zstd::dict::{DecoderDictionary, EncoderDictionary};
use zstd::zstd_safe::{CCtx, CParameter, DCtx};

use super::{BlockSamples, FRAME_MAGIC, Malformed};
use crate::block::MAX_MODEL_BYTES;

/// The position of the number of a dictionary.
const DICTIONARY_NUMBER: std::ops::Range<usize> = 4..8;

thread_local! {
    static COMPRESSOR: RefCell<Option<CCtx<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<(DCtx<'static>, Vec<u8>)>> = const { RefCell::new(None) };
}

fn failed(code: usize) -> io::Error {
    io::Error::other(zstd::zstd_safe::get_error_name(code))
}

/// Runs `work` with this thread's compressor.
fn with_compressor(
    room: usize,
    work: impl FnOnce(&mut CCtx<'static>, &mut Vec<u8>) -> Result<usize, usize>,
) -> io::Result<Vec<u8>> {
    COMPRESSOR.with_borrow_mut(|slot| {
        if slot.is_none() {
            *slot = Some(CCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?);
        }
        let Some(context) = slot else { return Err(io::ErrorKind::OutOfMemory.into()) };
        let mut frame = Vec::with_capacity(zstd::zstd_safe::compress_bound(room));
        work(context, &mut frame).map_err(failed)?;
        if !frame.starts_with(&FRAME_MAGIC) {
            return Err(io::Error::other("the compressor wrote a frame of another kind"));
        }
        frame.drain(..FRAME_MAGIC.len());
        Ok(frame)
    })
}

/// Compresses the bytes into a whole frame.
pub(crate) fn compress_whole(plain: &[u8], level: i32) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(plain, level)
}

/// Compresses parts, one after the other, into a whole frame without concatenating them.
pub(crate) fn compress_parts(parts: &[&[u8]], level: i32) -> io::Result<Vec<u8>> {
    if let [whole] = parts {
        return compress_whole(whole, level);
    }
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), level)?;
    encoder.set_pledged_src_size(Some(parts.iter().map(|part| part.len() as u64).sum()))?;
    parts.iter().try_for_each(|part| encoder.write_all(part))?;
    encoder.finish()
}

/// The bytes of a whole frame, at most `most`.
pub(crate) fn decompress_whole(packed: &[u8], most: usize) -> io::Result<Vec<u8>> {
    zstd::bulk::decompress(packed, most)
}

/// The largest size of a whole frame of `plain` bytes.
pub(crate) fn longest(plain: usize) -> usize {
    zstd::zstd_safe::compress_bound(plain)
}

/// A block as a frame.
pub(super) fn compress(cells: &[u8], level: i32) -> io::Result<Vec<u8>> {
    with_compressor(cells.len(), |context, frame| {
        context.set_parameter(CParameter::CompressionLevel(level))?;
        context.set_parameter(CParameter::ContentSizeFlag(false))?;
        context.compress2(frame, cells)
    })
}

/// Fills `out` with the cells of a frame.
pub(super) fn decompress(packed: &[u8], out: &mut [u8]) -> Result<(), Malformed> {
    with_decompressor(packed, out, DCtx::decompress)
}

fn with_decompressor(
    packed: &[u8],
    out: &mut [u8],
    work: impl FnOnce(&mut DCtx<'static>, &mut [u8], &[u8]) -> Result<usize, usize>,
) -> Result<(), Malformed> {
    const NO_MEMORY: Malformed = Malformed("no memory for the decompressor");
    DECOMPRESSOR.with_borrow_mut(|slot| {
        if slot.is_none() {
            *slot = Some((DCtx::try_create().ok_or(NO_MEMORY)?, Vec::new()));
        }
        let Some((context, frame)) = slot else { return Err(NO_MEMORY) };
        frame.clear();
        frame.extend_from_slice(&FRAME_MAGIC);
        frame.extend_from_slice(packed);
        match work(context, out, frame) {
            Ok(length) if length == out.len() => Ok(()),
            Ok(_) => Err(Malformed("a frame of fewer cells")),
            Err(_) => Err(Malformed("a frame that does not decompress")),
        }
    })
}

/// Shorter samples are not shown to the trainer, which reads past the end of its input when all are shorter than
/// 8 bytes: <https://github.com/facebook/zstd/issues/4499>.
const MIN_SAMPLE_BYTES: usize = 32;
/// Fewer samples are not enough for training.
const MIN_SAMPLES: usize = 8;

/// A trained dictionary, ready to compress.
pub(crate) struct Trained {
    dictionary: Vec<u8>,
    prepared: EncoderDictionary<'static>,
}

impl Trained {
    /// The dictionary trained on the samples; `None` if they are too few.
    pub(super) fn on(samples: &BlockSamples, level: i32, bytes: u32) -> Option<Self> {
        let blocks = || {
            samples.blocks.iter().map(|sample| &sample.cells).filter(|cells| cells.len() >= MIN_SAMPLE_BYTES)
        };
        let sizes: Vec<usize> = blocks().map(Vec::len).collect();
        if sizes.len() < MIN_SAMPLES {
            return None;
        }
        let all: Vec<u8> = blocks().flatten().copied().collect();
        let most = bytes.min(MAX_MODEL_BYTES) as usize;
        let mut dictionary = zstd::dict::from_continuous(&all, &sizes, most).ok()?;
        // Number 0 is "no number": otherwise every frame would repeat it in four bytes.
        dictionary.get_mut(DICTIONARY_NUMBER)?.fill(0);
        let prepared = EncoderDictionary::try_copy(&dictionary, level).ok()?;
        Some(Self { dictionary, prepared })
    }

    pub(super) fn dictionary(&self) -> &[u8] {
        &self.dictionary
    }

    /// A block as a frame that needs the dictionary.
    pub(super) fn compress(&self, cells: &[u8]) -> io::Result<Vec<u8>> {
        with_compressor(cells.len(), |context, frame| {
            context.compress_using_cdict(frame, cells, self.prepared.as_cdict())
        })
    }
}

/// A dictionary, ready to decompress.
pub(crate) struct Prepared(DecoderDictionary<'static>);

impl Prepared {
    /// Loads the dictionary.
    pub(super) fn new(dictionary: &[u8]) -> Result<Self, Malformed> {
        DecoderDictionary::try_copy(dictionary)
            .map(Self)
            .map_err(|_| Malformed("a dictionary that does not load"))
    }

    /// Fills `out` with the cells of a frame.
    pub(super) fn decompress(&self, packed: &[u8], out: &mut [u8]) -> Result<(), Malformed> {
        with_decompressor(packed, out, |context, out, frame| {
            context.decompress_using_ddict(out, frame, self.0.as_ddict())
        })
    }
}
