//! The codecs for the cells of a block.

mod cluster;
mod differences;
mod implied;
mod model;
mod modelled;
mod train;
// Compared with `zstd`.
#[cfg(all(test, not(target_family = "wasm")))]
#[expect(dead_code, reason = "the tests read blocks alone")]
mod no_zstd;
// Browser builds cannot compile its C sources.
#[cfg_attr(target_family = "wasm", path = "no_zstd.rs")]
pub(crate) mod zstd;

use crate::block::{Codec, Form, MAX_BLOCK_BYTES};
use crate::header::{StreamHeader, Width};

pub(crate) use implied::{Ambiguous, Implication};

/// The packing of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Unpacked; only blocks of equal cells are shortened.
    Raw,
    /// Zstandard.
    Zstd {
        /// 1 (fast) to 22 (small).
        level: i32,
    },
    /// Zstandard with a dictionary trained on blocks spread over the stream.
    ZstdDictionary {
        /// 1 (fast) to 22 (small).
        level: i32,
        /// The largest size of the dictionary.
        bytes: u32,
    },
    /// The differences between each cell and the one before, and then Zstandard: for numbers that are near their
    /// neighbours.
    Differences {
        /// 1 (fast) to 22 (small).
        level: i32,
    },
    /// An entropy coder with a model of the stream, trained on blocks spread over it. The model uses earlier cells,
    /// the given stream and the hints.
    Modelled {
        /// The number of cells on which the model is trained.
        learn_from: u32,
    },
    /// No blocks: each cell follows from that of the given stream, as a win follows from an odd number of plies. A
    /// stream with a cell that does not follow is refused.
    Implied,
    /// No blocks: the caller finds each cell in other tables, one ply ahead by the rules of the game.
    Ahead,
}

/// The first bytes of every Zstandard frame; they are not stored in the file.
const FRAME_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The bytes do not decode, although their checksum is right.
#[derive(Debug)]
pub(crate) struct Malformed(pub(crate) &'static str);

/// The data known about a block before it is unpacked; each slice is empty or has a byte for each cell.
#[derive(Clone, Copy)]
pub(crate) struct SideData<'a> {
    /// The cells of the given stream.
    pub(crate) given: &'a [u8],
    /// The hints.
    pub(crate) hints: &'a [u8],
}

/// Blocks on which a codec is trained.
pub(crate) struct BlockSamples {
    pub(crate) blocks: Vec<Sample>,
    pub(crate) width: Width,
}

/// A block with its given cells and hints.
pub(crate) struct Sample {
    pub(crate) cells: Vec<u8>,
    pub(crate) given: Vec<u8>,
    pub(crate) hints: Vec<u8>,
}

/// Cells on which a dictionary is trained: a hundred times its usual size.
const DICTIONARY_CELLS: u64 = 1 << 24;

/// Packs the blocks of one stream.
pub(crate) enum Packer {
    Raw,
    Zstd { level: i32 },
    ZstdDictionary(zstd::Trained),
    Differences { level: i32 },
    Modelled { coder: modelled::Coder, model: Vec<u8> },
}

impl Packer {
    /// An untrained packer, for packings that need no training.
    pub(crate) const fn untaught(packing: Packing) -> Self {
        match packing {
            Packing::Zstd { level } => Self::Zstd { level },
            Packing::Differences { level } => Self::Differences { level },
            _ => Self::Raw,
        }
    }

    /// The number of cells that a codec needs for training.
    pub(crate) fn samples_wanted(packing: Packing) -> u64 {
        match packing {
            Packing::Raw
            | Packing::Zstd { .. }
            | Packing::Differences { .. }
            | Packing::Implied
            | Packing::Ahead => 0,
            Packing::ZstdDictionary { .. } => DICTIONARY_CELLS,
            Packing::Modelled { learn_from } => learn_from.into(),
        }
    }

    /// The packer of a stream of `cells` cells, trained on the samples.
    ///
    /// Falls back to a plain codec if the samples are not enough.
    pub(crate) fn train(packing: Packing, samples: &BlockSamples, cells: u64) -> std::io::Result<Self> {
        Ok(match packing {
            Packing::Raw
            | Packing::Implied
            | Packing::Ahead
            | Packing::Zstd { .. }
            | Packing::Differences { .. } => Self::untaught(packing),
            Packing::ZstdDictionary { level, bytes } => {
                zstd::Trained::on(samples, level, bytes).map_or(Self::Zstd { level }, Self::ZstdDictionary)
            }
            Packing::Modelled { .. } if samples.blocks.is_empty() => Self::Raw,
            Packing::Modelled { .. } => {
                let coder = modelled::Coder::new(train::train(samples, cells), samples.width);
                let model = coder.to_bytes()?;
                Self::Modelled { coder, model }
            }
        })
    }

    pub(crate) fn codec(&self) -> Codec {
        match self {
            Self::Raw => Codec::Raw,
            Self::Zstd { .. } => Codec::Zstd,
            Self::ZstdDictionary(_) => Codec::ZstdDictionary,
            Self::Differences { .. } => Codec::Differences,
            Self::Modelled { .. } => Codec::Modelled,
        }
    }

    /// The dictionary or model that a reader needs to unpack.
    pub(crate) fn model(&self) -> &[u8] {
        match self {
            Self::Raw | Self::Zstd { .. } | Self::Differences { .. } => &[],
            Self::ZstdDictionary(trained) => trained.dictionary(),
            Self::Modelled { model, .. } => model,
        }
    }

    /// The shortest form of a block, and its bytes.
    ///
    /// * `cells`: at least one, at most [`MAX_BLOCK_BYTES`] bytes.
    pub(crate) fn pack(
        &self,
        cells: &[u8],
        side: SideData<'_>,
        width: Width,
    ) -> std::io::Result<(Form, Vec<u8>)> {
        debug_assert!(!cells.is_empty() && cells.len() <= MAX_BLOCK_BYTES);
        let bytes = width.bytes();
        if cells.chunks_exact(bytes).all(|cell| cell == &cells[..bytes]) {
            return Ok((Form::Constant, cells[..bytes].to_vec()));
        }
        let packed = match self {
            Self::Raw => None,
            Self::Zstd { level } => Some(zstd::compress(cells, *level)?),
            Self::ZstdDictionary(trained) => Some(trained.compress(cells)?),
            Self::Differences { level } => Some(differences::compress(cells, width, *level)?),
            Self::Modelled { coder, .. } => Some(coder.encode(cells, side)),
        };
        Ok(match packed {
            Some(packed) if packed.len() < cells.len() => (Form::Packed(packed.len() as u16), packed),
            _ => (Form::Stored, cells.to_vec()),
        })
    }
}

/// Unpacks the blocks of one stream.
pub(crate) enum Unpacker {
    Raw,
    Zstd,
    ZstdDictionary(zstd::Prepared),
    Differences(Width),
    Modelled(modelled::Coder),
    Implied(Implication),
}

impl Unpacker {
    /// The unpacker of a stream with its model.
    pub(crate) fn load(stream: &StreamHeader, model: &[u8]) -> Result<Self, Malformed> {
        match stream.codec {
            Codec::Raw | Codec::Ahead => Ok(Self::Raw),
            Codec::Zstd => Ok(Self::Zstd),
            Codec::ZstdDictionary => zstd::Prepared::new(model).map(Self::ZstdDictionary),
            Codec::Differences => Ok(Self::Differences(stream.width)),
            Codec::Implied => Implication::load(model).map(Self::Implied),
            Codec::Modelled => {
                modelled::Coder::load(model, stream.width, stream.given.is_some(), stream.hints.is_some())
                    .map(Self::Modelled)
            }
        }
    }

    /// Fills `out` with the cells of a block.
    ///
    /// Never panics, and never allocates an amount that the bytes determine.
    pub(crate) fn unpack(
        &self,
        form: Form,
        packed: &[u8],
        side: SideData<'_>,
        out: &mut [u8],
    ) -> Result<(), Malformed> {
        match form {
            Form::Stored => store(packed, out),
            Form::Constant => repeat(packed, out),
            Form::Packed(_) => match self {
                Self::Raw => Err(Malformed("a packed block in a stream that is not packed")),
                Self::Zstd => zstd::decompress(packed, out),
                Self::ZstdDictionary(prepared) => prepared.decompress(packed, out),
                Self::Differences(width) => differences::decompress(packed, *width, out),
                Self::Modelled(coder) => coder.decode(packed, side, out),
                Self::Implied(_) => Err(Malformed("a block in a stream that has none")),
            },
        }
    }
}

fn store(packed: &[u8], out: &mut [u8]) -> Result<(), Malformed> {
    if packed.len() != out.len() {
        return Err(Malformed("a stored block of another length"));
    }
    out.copy_from_slice(packed);
    Ok(())
}

fn repeat(cell: &[u8], out: &mut [u8]) -> Result<(), Malformed> {
    match cell {
        [] => return Err(Malformed("a constant block without its cell")),
        [byte] => out.fill(*byte),
        _ => out.chunks_mut(cell.len()).for_each(|place| place.copy_from_slice(&cell[..place.len()])),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::model::Model;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// A coder trained on cells that repeat with a few exceptions.
    fn coder() -> modelled::Coder {
        let cells: Vec<u8> =
            (0..4096u32).map(|slot| if slot % 97 == 5 { 9 } else { (slot / 7 % 3) as u8 }).collect();
        let sample = Sample { cells, given: Vec::new(), hints: Vec::new() };
        let samples = BlockSamples { blocks: vec![sample], width: Width::One };
        modelled::Coder::new(train::train(&samples, 4096), Width::One)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn arbitrary_bytes_decode_or_are_refused_by_a_true_model(packed in vec(any::<u8>(), 0..80), cells in 1usize..600) {
            let none = SideData { given: &[], hints: &[] };
            let mut out = vec![0; cells];
            let decoded = coder_once().decode(&packed, none, &mut out);
            // Two states that must end where they began, and sixteen check bits, make a chance success very unlikely.
            prop_assert!(decoded.is_err());
        }

        #[test]
        fn arbitrary_bytes_as_a_model(plain in vec(prop_oneof![any::<u8>(), 0u8..4], 0..120), packed in vec(any::<u8>(), 0..60)) {
            let bytes = ::zstd::bulk::compress(&plain, 1).unwrap();
            if let Ok(coder) = modelled::Coder::load(&bytes, Width::One, true, true) {
                let mut out = [0; 40];
                let _ = coder.decode(&packed, SideData { given: &[1; 40], hints: &[255; 40] }, &mut out);
            }
            prop_assert!(Model::from_bytes(&plain, Width::Two).is_err(), "plain bytes are no model");
        }

        #[test]
        fn a_true_model_with_changed_bytes(changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4), packed in vec(any::<u8>(), 0..60)) {
            let bytes = coder_once().to_bytes().unwrap();
            let mut plain = ::zstd::bulk::decompress(&bytes, 1 << 20).unwrap();
            for (place, byte) in changes {
                let place = place.index(plain.len());
                plain[place] = byte;
            }
            let bytes = ::zstd::bulk::compress(&plain, 1).unwrap();
            if let Ok(coder) = modelled::Coder::load(&bytes, Width::One, false, false) {
                let _ = coder.decode(&packed, SideData { given: &[], hints: &[] }, &mut [0; 300]);
            }
        }
    }

    fn coder_once() -> &'static modelled::Coder {
        static CODER: std::sync::OnceLock<modelled::Coder> = std::sync::OnceLock::new();
        CODER.get_or_init(coder)
    }

    #[test]
    fn a_model_is_the_same_after_a_trip_through_its_bytes() {
        let bytes = coder_once().to_bytes().unwrap();
        let loaded = modelled::Coder::load(&bytes, Width::One, false, false).ok().unwrap();
        assert_eq!(loaded.to_bytes().unwrap(), bytes);
    }

    #[test]
    fn a_model_that_looks_at_what_is_not_there_is_refused() {
        let cells: Vec<u8> = (0..4096).map(|slot| (slot % 5) as u8).collect();
        let given = cells.iter().map(|cell| cell % 2).collect();
        let samples =
            BlockSamples { blocks: vec![Sample { cells, given, hints: Vec::new() }], width: Width::One };
        let bytes = modelled::Coder::new(train::train(&samples, 1 << 30), Width::One).to_bytes().unwrap();
        assert!(modelled::Coder::load(&bytes, Width::One, true, false).is_ok());
        assert!(modelled::Coder::load(&bytes, Width::One, false, false).is_err());
    }

    #[test]
    fn a_model_that_contradicts_itself_is_refused() {
        let load = |plain: &[u8]| {
            let bytes = ::zstd::bulk::compress(plain, 1).unwrap();
            modelled::Coder::load(&bytes, Width::One, false, false).map(|_| ()).map_err(|Malformed(why)| why)
        };
        // Two cells, no stage, one distribution of two symbols with 2^13 each.
        let sound = [2, 3, 5, 0, 0, 1, 0, 0, 32, 1, 0, 32];
        assert_eq!(load(&sound), Ok(()));
        let with = |place: usize, byte: u8| {
            let mut plain = sound;
            plain[place] = byte;
            load(&plain).unwrap_err()
        };
        assert!(with(2, 3).contains("order"), "the same cell twice");
        assert!(with(8, 31).contains("incomplete"), "frequencies that add up to less");
        assert!(with(8, 33).contains("impossible"), "frequencies that add up to more");
        assert!(with(6, 9).contains("impossible"), "an unknown symbol");
        assert!(with(4, 1).contains("early"), "a distribution that is missing");
        assert!(load(&[&sound[..], &[0]].concat()).unwrap_err().contains("after its end"));
    }
}
