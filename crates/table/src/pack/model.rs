//! The model of a stream: the likely values of a cell, given the data known before it is decoded.
//!
//! A cascade of small tables turns this data into a *state*. It starts at 0, and each stage maps the state and one
//! byte of data (the cell of the given stream, the hint, or an earlier cell of the block) to the next state. Each
//! final state has a distribution over the symbols, which are the numbered cells that occur.

use super::{Malformed, zstd};
use crate::block::MAX_MODEL_BYTES;
use crate::header::Width;

/// The frequencies of a distribution add up to two to this power.
pub(super) const TOTAL_BITS: u32 = 14;
/// The sum of the frequencies of a distribution.
pub(super) const TOTAL: u32 = 1 << TOTAL_BITS;
/// The largest alphabet; two more symbols are the escape and the outside.
pub(super) const MAX_ALPHABET: usize = 254;
/// The largest number of states after a stage.
pub(super) const MAX_STATES: usize = 256;
/// The largest distance at which a stage looks back.
pub(super) const MAX_BACK: usize = 128;
/// The largest number of stages of a cascade.
pub(super) const MAX_STAGES: usize = 8;
const LEVEL: i32 = 19;

/// The input of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StageInput {
    /// The cell of the given stream at the same slot.
    Given,
    /// This byte of the hint at the same slot.
    Hint(u8),
    /// The symbol this many cells earlier in the lane; the outside before the first one.
    Back(u8),
}

impl StageInput {
    const fn tag(self) -> u8 {
        match self {
            Self::Given => 254,
            Self::Hint(0) => 255,
            Self::Hint(byte) => 254 - byte,
            Self::Back(distance) => distance,
        }
    }

    const fn from_tag(tag: u8) -> Option<Self> {
        match tag {
            254 => Some(Self::Given),
            255 => Some(Self::Hint(0)),
            251..=253 => Some(Self::Hint(254 - tag)),
            1..=128 => Some(Self::Back(tag)),
            _ => None,
        }
    }
}

/// A table of the cascade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ModelStage {
    pub(super) look: StageInput,
    /// The next state for `state * fan + byte`.
    pub(super) next: Vec<u8>,
    /// The number of bytes that the stage distinguishes.
    pub(super) fan: usize,
}

/// A symbol of a distribution, which owns `frequency` of the numbers below [`TOTAL`], starting at `start`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SymbolShare {
    pub(super) start: u16,
    pub(super) frequency: u16,
    pub(super) symbol: u8,
}

/// The symbols of a final state, most frequent first; together they own all of [`TOTAL`].
pub(super) type Distribution = Vec<SymbolShare>;

/// The likely values of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Model {
    /// The cell of each symbol, in rising order.
    pub(super) alphabet: Vec<u32>,
    pub(super) stages: Vec<ModelStage>,
    pub(super) distributions: Vec<Distribution>,
}

impl Model {
    /// The symbol of a cell that is not in the alphabet, or not in the distribution.
    pub(super) fn escape(&self) -> u8 {
        self.alphabet.len() as u8
    }

    /// The symbol that stands for cells before the first one.
    pub(super) fn outside(&self) -> u8 {
        self.escape() + 1
    }

    /// The bytes of the model in a file.
    pub(super) fn to_bytes(&self, width: Width) -> std::io::Result<Vec<u8>> {
        let mut plain = vec![self.alphabet.len() as u8];
        for cell in &self.alphabet {
            plain.extend_from_slice(&cell.to_le_bytes()[..width.bytes()]);
        }
        plain.push(self.stages.len() as u8);
        for stage in &self.stages {
            plain.push(stage.look.tag());
            plain.extend_from_slice(&(stage.fan as u16).to_le_bytes());
            plain.push((stage.next.len() / stage.fan - 1) as u8);
            plain.extend_from_slice(&stage.next);
        }
        plain.push((self.distributions.len() - 1) as u8);
        for distribution in &self.distributions {
            plain.push((distribution.len() - 1) as u8);
            for share in distribution {
                plain.push(share.symbol);
                plain.extend_from_slice(&share.frequency.to_le_bytes());
            }
        }
        zstd::compress_whole(&plain, LEVEL)
    }

    /// The model of these bytes.
    pub(super) fn from_bytes(bytes: &[u8], width: Width) -> Result<Self, Malformed> {
        let plain = zstd::decompress_whole(bytes, MAX_MODEL_BYTES as usize)
            .map_err(|_| Malformed("a model that does not decompress"))?;
        let mut reader = SymbolReader(&plain);
        let alphabet_len = usize::from(reader.byte()?);
        if alphabet_len > MAX_ALPHABET {
            return Err(Malformed("a model with too many symbols"));
        }
        let cells = reader.take(alphabet_len * width.bytes())?;
        let alphabet: Vec<u32> = cells.chunks_exact(width.bytes()).map(|cell| width.get(cell)).collect();
        if !alphabet.is_sorted_by(|a, b| a < b) {
            return Err(Malformed("a model whose symbols are out of order"));
        }
        let stage_count = usize::from(reader.byte()?);
        if stage_count > MAX_STAGES {
            return Err(Malformed("a model with too many stages"));
        }
        let stages = (0..stage_count).map(|_| reader.stage(alphabet_len)).collect::<Result<_, _>>()?;
        let distribution_count = usize::from(reader.byte()?) + 1;
        let distributions =
            (0..distribution_count).map(|_| reader.distribution(alphabet_len)).collect::<Result<_, _>>()?;
        if !reader.0.is_empty() {
            return Err(Malformed("a model with bytes after its end"));
        }
        let model = Self { alphabet, stages, distributions };
        model.check_states()?;
        Ok(model)
    }

    /// Checks that every state that a stage can reach has a row in the next one, and finally a distribution.
    fn check_states(&self) -> Result<(), Malformed> {
        let mut states = 1;
        for stage in &self.stages {
            if stage.next.len() != states * stage.fan {
                return Err(Malformed("a model with a stage that does not fit the one before"));
            }
            states = stage.next.iter().copied().max().map_or(0, usize::from) + 1;
        }
        if states > self.distributions.len() {
            return Err(Malformed("a model with a state without a distribution"));
        }
        Ok(())
    }
}

/// The remaining bytes of a model.
struct SymbolReader<'a>(&'a [u8]);

impl<'a> SymbolReader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Malformed("a model that ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, Malformed> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn short(&mut self) -> Result<u16, Malformed> {
        self.take(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn stage(&mut self, alphabet_len: usize) -> Result<ModelStage, Malformed> {
        let look =
            StageInput::from_tag(self.byte()?).ok_or(Malformed("a model with an unknown kind of stage"))?;
        let fan = usize::from(self.short()?);
        let needed = match look {
            StageInput::Given | StageInput::Hint(_) => 256,
            StageInput::Back(_) => alphabet_len + 2,
        };
        if fan != needed {
            return Err(Malformed("a model with a stage of the wrong width"));
        }
        let states = usize::from(self.byte()?) + 1;
        Ok(ModelStage { look, next: self.take(states * fan)?.to_vec(), fan })
    }

    fn distribution(&mut self, alphabet_len: usize) -> Result<Distribution, Malformed> {
        let count = usize::from(self.byte()?) + 1;
        let mut end = 0u32;
        let mut shares = Vec::with_capacity(count);
        for _ in 0..count {
            let symbol = self.byte()?;
            let frequency = self.short()?;
            let start = end as u16;
            end += u32::from(frequency);
            if frequency == 0 || end > TOTAL || usize::from(symbol) > alphabet_len {
                return Err(Malformed("a model with an impossible distribution"));
            }
            shares.push(SymbolShare { start, frequency, symbol });
        }
        if end != TOTAL {
            return Err(Malformed("a model with an incomplete distribution"));
        }
        Ok(shares)
    }
}
