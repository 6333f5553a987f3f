//! Loaded proofs: strategies that were replayed, ready to be asked about the positions inside them.

use std::any::Any;
use std::sync::Arc;

use marquis_core::{Bounds, Playable};
use marquis_proof::checker::{Checked, Foregone, Grounds, Head, Refusal, Seen, replay_within};
use marquis_proof::{Disk, Explorer, Kind, Oracle};

use crate::Limits;
use crate::game::exact::ExactGame;

/// A proof of a game and the variant that it is about.
pub(crate) struct LoadedProof<G: ExactGame> {
    rules: G::Rules,
    explorer: Explorer<G::Rules>,
}

impl<G: ExactGame> LoadedProof<G> {
    /// What it says about a position, if it is inside.
    pub(crate) fn bounds(&self, position: &G::Position) -> Option<Bounds> {
        self.explorer.bounds(position)
    }
}

/// A proof of any game; cheap to clone.
#[derive(Clone)]
pub(crate) struct Kept {
    proof: Arc<dyn Any + Send + Sync>,
    /// About the bytes that it takes.
    weight: u64,
}

impl Kept {
    /// * `weight`: about the bytes that it takes.
    pub(crate) fn new<G: ExactGame>(rules: G::Rules, explorer: Explorer<G::Rules>, weight: u64) -> Self {
        Self { proof: Arc::new(LoadedProof::<G> { rules, explorer }), weight }
    }
}

/// The loaded proofs of every game, the oldest first; cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Proofs(Vec<Kept>);

impl Proofs {
    /// Takes loaded proofs in.
    pub(crate) fn extend(&mut self, proofs: impl IntoIterator<Item = Kept>) {
        self.0.extend(proofs);
    }

    /// Lets go of the oldest until the rest takes no more than so many bytes.
    pub(crate) fn shrink_to(&mut self, bytes: u64) {
        let mut left = bytes;
        let fits = |kept: &&Kept| left.checked_sub(kept.weight).inspect(|&rest| left = rest).is_some();
        let kept = self.0.iter().rev().take_while(fits).count();
        self.0.drain(..self.0.len() - kept);
    }

    /// Those that are about these rules.
    pub(crate) fn about<G: ExactGame>(&self, rules: &G::Rules) -> Vec<Arc<LoadedProof<G>>> {
        let of_game =
            self.0.iter().filter_map(|kept| Arc::clone(&kept.proof).downcast::<LoadedProof<G>>().ok());
        of_game.filter(|proof| proof.rules == *rules).collect()
    }
}

/// What the strategies of a claim prove, and what they lead to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    pub(crate) bounds: Bounds,
    pub(crate) positions: u64,
    /// How many of the positions end a line by a theorem that was believed.
    pub(crate) by_theorem: u64,
}

/// What the strategies of a claim prove, and what they lead to; or why one is refused.
///
/// * `foregone`: what to make of lines that end by a theorem.
///
/// What does not fit the memory of the limits goes to their disk.
pub(crate) fn replay<G: Playable>(
    game: &G,
    position: &G::Position,
    strategies: &[Vec<u8>],
    (foregone, limits): (Foregone, &Limits),
) -> Result<Shown, Refusal> {
    let memory = usize::try_from(limits.memory_bytes()).unwrap_or(usize::MAX);
    let disk = Disk::new(std::env::temp_dir(), limits.disk_bytes());
    let mut shown = Shown { bounds: Bounds::UNKNOWN, positions: 0, by_theorem: 0 };
    for bytes in strategies {
        let Head { holder, promise, .. } = Head::read(bytes)?;
        let grounds = Grounds { foregone, ..Grounds::without_tables(&|_| false) };
        let Seen { promise, positions, by_theorem } =
            replay_within(game, position, (holder, promise), bytes, grounds, (memory, &disk))?;
        shown.bounds = shown.bounds.and(Kind::from(promise).bounds(holder, game.turn(position)));
        shown.positions += positions;
        shown.by_theorem += by_theorem;
    }
    Ok(shown)
}

/// About the bytes that a checked strategy takes.
fn weight<P>(checked: &Checked<P>) -> u64 {
    /// Beside the position: its reply, its state, and the room that a hash table leaves.
    const BESIDE: usize = 24;
    (checked.positions * (size_of::<P>() + BESIDE)) as u64
}

/// Proofs that hold, ready to be asked about the positions inside them.
///
/// * `oracle`: tables that their lines may end on.
pub(crate) fn explored<G: ExactGame>(
    game: &G::Rules,
    position: &G::Position,
    strategies: &[Vec<u8>],
    oracle: &dyn Oracle<G::Rules>,
) -> Result<Vec<Kept>, Refusal> {
    let kept = |bytes: &Vec<u8>| {
        let Head { holder, promise, .. } = Head::read(bytes)?;
        let grounds = Grounds { oracle, ..Grounds::without_tables(&|_| false) };
        let checked = Kind::from(promise).replay(game, position, holder, bytes, grounds)?;
        let weight = weight(&checked);
        Ok(Kept::new::<G>(game.clone(), Explorer::new(game.clone(), checked), weight))
    };
    strategies.iter().map(kept).collect()
}
