//! Loaded proofs: strategies that were replayed, ready to be asked about the positions inside them.

use std::any::Any;
use std::sync::Arc;

use marquis_core::{Bounds, Playable, Player};
use marquis_proof::checker::{Checked, Grounds, check_never_loses, check_win};
use marquis_proof::{Explorer, NoOracle, Oracle};

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

/// Bounds, and the strategies that prove them.
type Replayed<G> = (Bounds, Vec<Checked<<G as marquis_core::Game>::Position>>);

/// What the strategies of a claim prove, and the strategies themselves; or why one is refused.
pub(crate) fn replay<G: Playable>(
    game: &G,
    position: &G::Position,
    strategies: &[Vec<u8>],
) -> Result<Replayed<G>, String> {
    replay_with(game, position, strategies, &NoOracle)
}

/// The same with tables that lines may end on.
fn replay_with<G: Playable>(
    game: &G,
    position: &G::Position,
    strategies: &[Vec<u8>],
    oracle: &dyn Oracle<G>,
) -> Result<Replayed<G>, String> {
    let turn = game.turn(position);
    let mut bounds = Bounds::UNKNOWN;
    let mut all = Vec::new();
    for bytes in strategies {
        let holder =
            if bytes.first().is_some_and(|head| head & 1 == 1) { Player::Second } else { Player::First };
        let grounds = Grounds { oracle, stop: &|_| false };
        let wins = bytes.first().is_some_and(|head| head >> 1 == 0);
        let checked = if wins {
            check_win(game, position, holder, bytes, grounds)
        } else {
            check_never_loses(game, position, holder, bytes, grounds)
        };
        let checked = checked.map_err(|refusal| refusal.to_string())?;
        let kind = if wins { marquis_proof::Kind::Win } else { marquis_proof::Kind::NeverLose };
        bounds = bounds.and(kind.bounds(holder, turn));
        all.push(checked);
    }
    Ok((bounds, all))
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
) -> Result<Vec<Kept>, String> {
    let (_, all) = replay_with(game, position, strategies, oracle)?;
    let kept = |checked| {
        let weight = weight(&checked);
        Kept::new::<G>(game.clone(), Explorer::new(game.clone(), checked), weight)
    };
    Ok(all.into_iter().map(kept).collect())
}
