//! The files of layers of which each rank has a share: each packs what it has, and one rank joins it to the file.

use std::path::PathBuf;

use marquis_cluster::talk::{swap_long, tell_all};
use marquis_cluster::{Peers, Rank};
use marquis_retro::Counts;
use marquis_table::{Error, TablePart};

use crate::EngineError;
use crate::files::layer::LayerId;
use crate::files::scores::{Entries as _, SolvedPart, pack_scores, write_parts};

/// A layer of which this rank has a share.
pub(super) struct SharedLayer<'a> {
    pub(super) id: LayerId,
    pub(super) own: SolvedPart<'a>,
    /// Where the file goes.
    pub(super) path: PathBuf,
}

/// A layer whose file this rank writes.
struct Joined<'a> {
    layer: &'a SharedLayer<'a>,
    figures: Counts,
    /// By ranks, as bytes.
    parts: Vec<Vec<u8>>,
}

/// Packs the shares of some layers, and writes the files of some of them; the other ranks do the rest.
///
/// All ranks call it with the same layers, also one that fails.
///
/// # Errors
/// What the own share cannot be packed for, a file that cannot be written, or a rank that is gone.
pub(super) fn write_shares(layers: &[SharedLayer<'_>], peers: &dyn Peers) -> Result<(), EngineError> {
    let (mut packed, mut own) = (Ok(()), Vec::new());
    let writers = (0..peers.ranks().get()).cycle().map(Rank);
    for (layer, writer) in layers.iter().zip(writers) {
        let figures = figures(layer, peers)?;
        let mut batches: Vec<Vec<u8>> = peers.ranks().all().map(|_| Vec::new()).collect();
        match pack_scores(&layer.id, figures, layer.own) {
            Ok(part) => batches[writer.index()] = part.into_bytes(),
            // The others go on until all know of it.
            Err(error) => packed = Err(error),
        }
        let parts = swap_long(peers, &batches)?;
        if writer == peers.rank() {
            own.push(Joined { layer, figures, parts });
        }
    }
    packed?;
    Ok(own.into_iter().try_for_each(Joined::write)?)
}

impl Joined<'_> {
    fn write(self) -> Result<(), Error> {
        let Self { layer: SharedLayer { id, own, path }, figures, parts } = self;
        // A rank that could not pack its share says why.
        if parts.iter().any(Vec::is_empty) {
            return Ok(());
        }
        let part = |bytes: Vec<u8>| TablePart::from_bytes(&id.name, &bytes);
        write_parts(id, figures, *own, parts.into_iter().map(part).collect::<Result<_, _>>()?, path)
    }
}

/// The figures of a layer of which each rank has some cells.
fn figures(layer: &SharedLayer<'_>, peers: &dyn Peers) -> Result<Counts, EngineError> {
    let Counts { wins, draws, losses, unused, longest_win, longest_loss } = layer.own.counts();
    let words = [wins, draws, losses, unused, longest_win, longest_loss].map(u64::to_le_bytes).concat();
    let told = tell_all(peers, &words)?;
    Ok(told.iter().map(|words| counts_of(words)).fold(Counts::default(), Counts::and))
}

fn counts_of(words: &[u8]) -> Counts {
    let mut words = words.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word));
    let mut next = || words.next().unwrap_or(0);
    Counts {
        wins: next(),
        draws: next(),
        losses: next(),
        unused: next(),
        longest_win: next(),
        longest_loss: next(),
    }
}
