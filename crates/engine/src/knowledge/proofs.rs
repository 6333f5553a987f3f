//! Loaded proofs: replayed strategies, ready for look-ups of the positions inside them.

use std::any::Any;
use std::sync::Arc;

use marquis_core::{Bounds, Playable};
use marquis_proof::checker::{Foregone, Grounds, Refusal, Seen, StrategyHead, replay_within};
use marquis_proof::{Disk, Footing, Guarantee, Oracle, ProofIndex, ProofKey};

use crate::Limits;
use crate::game::exact::ExactGame;

/// A proof with the rules of its game and variant.
pub(crate) struct LoadedProof<G: ExactGame> {
    rules: G::Rules,
    index: ProofIndex<G::Rules>,
}

impl<G: ExactGame> LoadedProof<G> {
    /// The proof's result for a position in which its holder has just moved, if the position is inside.
    ///
    /// * `key`: of the representative of the images of the position.
    pub(crate) fn look(&self, key: &ProofKey<G::Position>) -> Option<Footing> {
        self.index.look(key)
    }
}

/// A proof of any game; cheap to clone.
#[derive(Clone)]
pub(crate) struct AnyProof {
    proof: Arc<dyn Any + Send + Sync>,
    /// Its memory in bytes.
    weight: u64,
}

impl AnyProof {
    fn new<G: ExactGame>(rules: G::Rules, index: ProofIndex<G::Rules>) -> Self {
        let weight = index.bytes() as u64;
        Self { proof: Arc::new(LoadedProof::<G> { rules, index }), weight }
    }

    /// Its memory in bytes.
    pub(crate) const fn weight(&self) -> u64 {
        self.weight
    }

    /// The proof, if it is about these rules.
    pub(crate) fn about<G: ExactGame>(&self, rules: &G::Rules) -> Option<Arc<LoadedProof<G>>> {
        let proof = Arc::clone(&self.proof).downcast::<LoadedProof<G>>().ok()?;
        (proof.rules == *rules).then_some(proof)
    }
}

/// The loaded proofs of every game, the oldest first; cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Proofs(Vec<AnyProof>);

impl Proofs {
    /// Adds loaded proofs.
    pub(crate) fn extend(&mut self, proofs: impl IntoIterator<Item = AnyProof>) {
        self.0.extend(proofs);
    }

    /// Evicts the oldest proofs until the rest fits into `bytes`.
    pub(crate) fn shrink_to(&mut self, bytes: u64) {
        let mut left = bytes;
        let fits = |kept: &&AnyProof| left.checked_sub(kept.weight).inspect(|&rest| left = rest).is_some();
        let kept = self.0.iter().rev().take_while(fits).count();
        self.0.drain(..self.0.len() - kept);
    }

    /// The proofs for these rules.
    pub(crate) fn about<G: ExactGame>(&self, rules: &G::Rules) -> Vec<Arc<LoadedProof<G>>> {
        self.0.iter().filter_map(|kept| kept.about::<G>(rules)).collect()
    }
}

/// The bounds that the strategies of a claim prove, and the positions that they reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    pub(crate) bounds: Bounds,
    pub(crate) positions: u64,
    /// The number of positions that end a line by a theorem that was believed.
    pub(crate) by_theorem: u64,
}

/// Replays the strategies of a claim: the bounds that they prove, or why one is refused.
///
/// * `foregone`: how to treat lines that end by a theorem.
///
/// Data that do not fit the memory of the limits go to their disk.
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
        let StrategyHead { holder, promise, .. } = StrategyHead::read(bytes)?;
        let grounds = Grounds { foregone, ..Grounds::without_tables(&|_| false) };
        let Seen { promise, positions, by_theorem, .. } =
            replay_within(game, position, (holder, promise), bytes, grounds, (memory, &disk))?;
        shown.bounds = shown.bounds.and(Guarantee::from(promise).bounds(holder, game.turn(position)));
        shown.positions += positions;
        shown.by_theorem += by_theorem;
    }
    Ok(shown)
}

/// The memory for the replay of a loaded proof; the excess goes to disk.
const REPLAY_BYTES: usize = 256 << 20;
/// The disk for that excess.
const REPLAY_DISK_BYTES: u64 = 4 << 30;

/// Proofs that hold, ready for look-ups of the positions inside them.
///
/// * `oracle`: tables that their lines may end on.
pub(crate) fn explored<G: ExactGame>(
    game: &G::Rules,
    position: &G::Position,
    strategies: &[Vec<u8>],
    oracle: &dyn Oracle<G::Rules>,
) -> Result<Vec<AnyProof>, Refusal> {
    let disk = match cfg!(target_family = "wasm") {
        // WebAssembly has no files, nor a folder for them.
        true => Disk::new("", 0),
        false => Disk::new(std::env::temp_dir(), REPLAY_DISK_BYTES),
    };
    let kept = |bytes: &Vec<u8>| {
        let grounds = Grounds { oracle, ..Grounds::without_tables(&|_| false) };
        let index = ProofIndex::of(game, position, bytes, grounds, (REPLAY_BYTES, &disk))?;
        Ok(AnyProof::new::<G>(game.clone(), index))
    };
    strategies.iter().map(kept).collect()
}
