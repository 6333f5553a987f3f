//! The progress of a bundle in strips, and its encoding in the spill store.

use marquis_core::Plies;

/// How far a bundle in strips is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StripProgress {
    /// Bytes of a cell.
    pub(super) width: u64,
    /// Most slots of a strip.
    pub(super) slots: u64,
    /// The ply under way; `None` during the first pass over the strips.
    pub(super) ply: Option<Plies>,
    /// The first strip that the current pass has not done.
    pub(super) next: u64,
    /// The most plies of any code.
    pub(super) farthest: Plies,
    /// Cells that are settled.
    pub(super) settled: u64,
    /// Which strips have work in which plies.
    pub(super) due: Vec<u64>,
}

impl StripProgress {
    /// The state before any work.
    pub(super) fn begun(width: u64, slots: u64) -> Self {
        let (next, farthest, settled) = (0, Plies::ZERO, 0);
        Self { width, slots, ply: None, next, farthest, settled, due: Vec::new() }
    }

    pub(super) fn words(&self) -> Vec<u8> {
        let ply = self.ply.map_or(u64::MAX, |Plies(ply)| ply.into());
        let head = [self.width, self.slots, ply, self.next, self.farthest.0.into(), self.settled];
        head.iter().chain(&self.due).flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Reads the output of [`words`](Self::words); `None` if `words` is anything else.
    pub(super) fn read(words: &[u8]) -> Option<Self> {
        let (words, []) = words.as_chunks::<8>() else { return None };
        let words: Vec<u64> = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
        let (&[width, slots, ply, next, farthest, settled], due) = words.split_first_chunk::<6>()?;
        let plies = |word: u64| u16::try_from(word).ok().map(Plies);
        let ply = if ply == u64::MAX { None } else { Some(plies(ply)?) };
        Some(Self { width, slots, ply, next, farthest: plies(farthest)?, settled, due: due.to_vec() })
    }
}
