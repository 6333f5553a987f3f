//! Weights as bytes, for the inputs of one board of one game only.
//!
//! ```text
//! magic      8 bytes  "MARQNET1", or "MARQFIN1" where the numbers are of finer steps
//! identity  32 bytes  BLAKE3 of game, variant, version of the inputs, and the shape
//! rows       4 bytes  number of rows, then 2 bytes neurons a view, 2 bytes phases
//! bias               i16 a neuron
//! rows               i16 a neuron and row
//! outputs            a phase: i16 a neuron and view, i32 bias
//! sum       32 bytes  BLAKE3 of all before it
//! ```
//!
//! All numbers are little-endian. A row takes about 64 bytes, a network at most 1 MiB. The bytes may be packed as one
//! Zstandard frame, as `zstd --ultra -22` writes it: the built-in
//! ones take less than half so.

use std::borrow::Cow;
use std::io::Read as _;

use ruzstd::decoding::StreamingDecoder;

use crate::features::Features;
use crate::fine::Fine;
use crate::inputs::Shape;
use crate::network::{Network, NetworkWeights, OVERFLOW, Outputs, WIDTH};

/// The magic of a [`Network`].
const COARSE: &[u8; 8] = b"MARQNET1";
/// The magic of a [`Fine`] network.
const FINE: &[u8; 8] = b"MARQFIN1";
/// The magic of a Zstandard frame.
const PACKED: &[u8; 4] = b"\x28\xB5\x2F\xFD";
const HASH: usize = 32;
/// The maximum size of a file.
pub const MOST_BYTES: usize = 1 << 20;

/// Why bytes are not weights for a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsFileError {
    /// Not a file of weights, or one of a later version.
    #[error("not a weights file: the file does not start as expected")]
    Foreign,
    /// Weights of another game, board, or version of rules or inputs.
    #[error("these weights are for another game, board or version of the rules; train them again")]
    Other,
    /// Too short or too long.
    #[error("the weights file has the wrong length: expected {expected} bytes, found {found}")]
    Size {
        /// The size that the game needs.
        expected: usize,
        /// The size of the file.
        found: usize,
    },
    /// Changed in transfer.
    #[error("the weights are damaged: wrong checksum; fetch or train them again")]
    Damaged,
    /// Weights that the trainer never writes.
    #[error("{OVERFLOW}")]
    TooLarge,
}

/// Identifies the weights of one board of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsIdentity<'a> {
    /// The game: `squish`.
    pub game: &'a str,
    /// The board and any other options of the rules: `side=4`.
    pub variant: &'a str,
    /// The version of rules and inputs.
    pub version: u32,
}

impl WeightsIdentity<'_> {
    fn hash(&self, shape: &Shape) -> [u8; HASH] {
        let Self { game, variant, version } = self;
        let Shape { slots, patterns, phase, .. } = shape;
        let text = format!("{game} {variant} {version} {slots:?} {patterns:?} {phase}");
        *blake3::hash(text.as_bytes()).as_bytes()
    }
}

/// The bytes of a network.
#[must_use]
pub fn write(identity: &WeightsIdentity<'_>, network: &Network) -> Vec<u8> {
    written(COARSE, identity.hash(network.features().shape()), network.weights())
}

/// The bytes of a network in fine steps.
#[must_use]
pub fn write_fine(identity: &WeightsIdentity<'_>, network: &Fine) -> Vec<u8> {
    written(FINE, identity.hash(network.features().shape()), network.weights())
}

/// The network that these bytes hold.
///
/// # Errors
/// The bytes are not weights, are cut short or damaged, or belong to another game, board or version.
pub fn read(identity: &WeightsIdentity<'_>, shape: Shape, bytes: &[u8]) -> Result<Network, WeightsFileError> {
    let features = Features::new(shape);
    let weights = parsed(COARSE, identity.hash(features.shape()), &features, bytes)?;
    Network::new(features, weights).ok_or(WeightsFileError::TooLarge)
}

/// The network in fine steps that these bytes hold.
///
/// # Errors
/// As [`read`].
pub fn read_fine(
    identity: &WeightsIdentity<'_>,
    shape: Shape,
    bytes: &[u8],
) -> Result<Fine, WeightsFileError> {
    let features = Features::new(shape);
    let weights = parsed(FINE, identity.hash(features.shape()), &features, bytes)?;
    Ok(Fine::new(features, weights))
}

/// The header of a file of weights of any game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsHeader {
    /// The precision of the numbers.
    pub steps: Steps,
    /// Identifies the board and the game for which the weights were trained.
    pub identity: blake3::Hash,
    /// Rows of the first layer.
    pub rows: u32,
    /// Neurons per view.
    pub neurons: u16,
    /// Phases of the game, each with separate outputs.
    pub phases: u16,
}

/// The precision of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// The precision of a [`Network`].
    Coarse,
    /// The precision of a [`Fine`] network.
    Fine,
}

/// Reads the header of the network in these bytes and checks the sum.
///
/// # Errors
/// The bytes are not weights, are cut short, or are damaged.
pub fn head(bytes: &[u8]) -> Result<WeightsHeader, WeightsFileError> {
    let bytes = &*unpacked(bytes)?;
    let (magic, rest) = bytes.split_first_chunk::<8>().ok_or(WeightsFileError::Foreign)?;
    let steps = match magic {
        COARSE => Steps::Coarse,
        FINE => Steps::Fine,
        _ => return Err(WeightsFileError::Foreign),
    };
    let cut_short = || WeightsFileError::Size { expected: HEADER + HASH, found: bytes.len() };
    let (&identity, rest) = rest.split_first_chunk::<HASH>().ok_or_else(cut_short)?;
    let &[a, b, c, d, e, f, g, h] = rest.first_chunk().ok_or_else(cut_short)?;
    let rows = u32::from_le_bytes([a, b, c, d]);
    let (neurons, phases) = (u16::from_le_bytes([e, f]), u16::from_le_bytes([g, h]));
    let expected = size(usize::from(neurons), rows as usize, usize::from(phases));
    sealed(bytes, expected)?;
    Ok(WeightsHeader { steps, identity: blake3::Hash::from_bytes(identity), rows, neurons, phases })
}

/// The bytes of a file, out of the frame in which they may be packed.
///
/// # Errors
/// The frame is damaged.
pub fn unpacked(bytes: &[u8]) -> Result<Cow<'_, [u8]>, WeightsFileError> {
    if !bytes.starts_with(PACKED) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut plain = Vec::new();
    let frame = StreamingDecoder::new(bytes).map_err(|_| WeightsFileError::Damaged)?;
    // One byte too many shows that a file is too long, without unpacking all of it.
    frame.take(MOST_BYTES as u64 + 1).read_to_end(&mut plain).map_err(|_| WeightsFileError::Damaged)?;
    Ok(Cow::Owned(plain))
}

/// The number of bytes before the numbers.
const HEADER: usize = 8 + HASH + 8;

/// The size in bytes of weights with this number of neurons per view, of rows and of phases.
const fn size(neurons: usize, rows: usize, phases: usize) -> usize {
    let numbers = neurons.saturating_mul(rows.saturating_add(1 + 2 * phases));
    numbers.saturating_mul(2).saturating_add(HEADER + 4 * phases + HASH)
}

/// The bytes before the sum, if the size is as expected and the sum matches.
fn sealed(bytes: &[u8], expected: usize) -> Result<&[u8], WeightsFileError> {
    if bytes.len() != expected || expected > MOST_BYTES {
        return Err(WeightsFileError::Size { expected, found: bytes.len() });
    }
    let (body, sum) = bytes.split_at(expected - HASH);
    if blake3::hash(body).as_bytes() == sum { Ok(body) } else { Err(WeightsFileError::Damaged) }
}

/// The first bytes of a file.
type Magic = [u8; 8];

fn written(
    magic: &Magic,
    identity: [u8; HASH],
    NetworkWeights { bias, rows, outputs }: &NetworkWeights,
) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    bytes.extend(identity);
    bytes.extend((rows.len() as u32).to_le_bytes());
    bytes.extend((WIDTH as u16).to_le_bytes());
    bytes.extend((outputs.len() as u16).to_le_bytes());
    let mut put = |numbers: &[i16]| bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    put(bias);
    rows.iter().for_each(|row| put(row));
    for output in outputs {
        output.weights.iter().for_each(|view| bytes.extend(view.iter().flat_map(|n| n.to_le_bytes())));
        bytes.extend(output.bias.to_le_bytes());
    }
    let sum = blake3::hash(&bytes);
    bytes.extend(sum.as_bytes());
    bytes
}

fn parsed(
    magic: &Magic,
    identity: [u8; HASH],
    features: &Features,
    bytes: &[u8],
) -> Result<NetworkWeights, WeightsFileError> {
    let bytes = &*unpacked(bytes)?;
    let phases = features.shape().phases();
    let expected = size(WIDTH, features.rows(), phases);
    if !bytes.starts_with(magic) {
        return Err(WeightsFileError::Foreign);
    }
    let Some(found) = bytes.get(magic.len()..magic.len() + HASH) else {
        return Err(WeightsFileError::Size { expected, found: bytes.len() });
    };
    if found != identity {
        return Err(WeightsFileError::Other);
    }
    let body = sealed(bytes, expected)?;
    let mut numbers = NumberReader(&body[HEADER..]);
    let bias = numbers.view();
    let rows = (0..features.rows()).map(|_| numbers.view()).collect();
    let outputs = (0..phases)
        .map(|_| Outputs {
            weights: [numbers.view(), numbers.view()],
            bias: i32::from_le_bytes(numbers.take()),
        })
        .collect();
    Ok(NetworkWeights { bias, rows, outputs })
}

/// Reads numbers from bytes, whose size was checked.
struct NumberReader<'a>(&'a [u8]);

impl NumberReader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (bytes, rest) = self.0.split_first_chunk().expect("the size was looked at");
        self.0 = rest;
        *bytes
    }

    fn view(&mut self) -> [i16; WIDTH] {
        std::array::from_fn(|_| i16::from_le_bytes(self.take()))
    }
}
