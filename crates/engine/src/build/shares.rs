//! The files of layers that are shared among ranks: each packs its share, and one rank joins them into the file.

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
    /// The path of the file.
    pub(super) path: PathBuf,
}

/// A layer whose file this rank writes.
struct Joined<'a> {
    layer: &'a SharedLayer<'a>,
    figures: Counts,
    /// The packed parts, by rank.
    parts: Vec<Vec<u8>>,
}

/// Packs the shares of some layers, and writes the files of some of them; the other ranks do the rest.
///
/// All ranks call it with the same layers, even a rank that fails.
///
/// # Errors
/// An error while packing the local share, a file that cannot be written, or a lost rank.
pub(super) fn write_shares(layers: &[SharedLayer<'_>], peers: &dyn Peers) -> Result<(), EngineError> {
    let (mut packed, mut own) = (Ok(()), Vec::new());
    let writers = (0..peers.ranks().get()).cycle().map(Rank);
    for (layer, writer) in layers.iter().zip(writers) {
        let figures = figures(layer, peers)?;
        let mut batches: Vec<Vec<u8>> = peers.ranks().all().map(|_| Vec::new()).collect();
        match pack_scores(&layer.id, figures, layer.own) {
            Ok(part) => batches[writer.index()] = part.into_bytes(),
            // All ranks continue until everyone knows of the error.
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
        // The rank that failed to pack its share reports why.
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
    let of_ranks: Vec<Counts> = told.iter().map(|words| counts_of(words)).collect();
    together(&layer.id.name, layer.id.slots, &of_ranks)
}

/// The figures of a layer, after checking that those of its ranks count each slot once.
fn together(name: &str, slots: u64, of_ranks: &[Counts]) -> Result<Counts, EngineError> {
    let mut left = slots;
    for (rank, Counts { wins, draws, losses, unused, .. }) in (0..).map(Rank).zip(of_ranks) {
        let counted: u128 = [wins, draws, losses, unused].into_iter().map(|&count| u128::from(count)).sum();
        let counted = u64::try_from(counted).ok().filter(|&counted| counted <= left);
        let Some(counted) = counted else {
            let why =
                format!("counts more than the {left} slots of layer {name} that the ranks before leave");
            return Err(EngineError::OfRank { rank, why });
        };
        left -= counted;
    }
    if left > 0 {
        let why = format!("all ranks together leave {left} of the {slots} slots of layer {name} uncounted");
        return Err(EngineError::OfRank { rank: Rank::FIRST, why });
    }
    Ok(of_ranks.iter().copied().fold(Counts::default(), Counts::and))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(wins: u64, unused: u64) -> Counts {
        Counts { wins, unused, longest_win: 3, ..Counts::default() }
    }

    #[test]
    fn ranks_count_each_slot_once() {
        let of = |of_ranks: &[Counts]| together("2v1", 10, of_ranks).map_err(|error| error.to_string());
        let sound = of(&[counts(4, 1), counts(2, 0), counts(3, 0)]).expect("ten of ten");
        assert_eq!((sound.wins, sound.unused, sound.longest_win), (9, 1, 3));
        for (of_ranks, words) in [
            ([counts(4, 1), counts(6, 0)], "rank 1: counts more than the 5 slots of layer 2v1"),
            ([counts(u64::MAX, 1), counts(0, 0)], "rank 0: counts more than the 10 slots"),
            ([counts(u64::MAX, u64::MAX), counts(0, 0)], "rank 0: counts more"),
            ([counts(5, 0), counts(4, 0)], "leave 1 of the 10 slots"),
        ] {
            let refused = of(&of_ranks).expect_err("a lie");
            assert!(refused.contains(words), "{refused}");
        }
    }
}
