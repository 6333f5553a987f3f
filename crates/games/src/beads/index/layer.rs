//! Layers of Swish and Squeeze positions, and their names.

use std::hash::{Hash, Hasher};

use super::super::Setup;
use crate::hex::Hex;

/// Beads on the board, the rooks of both players, and the beads that each still needs to win.
///
/// If a player needs more beads than are left, the exact number does not matter: it is one more than are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BeadLayer {
    /// Beads on the board.
    pub beads: u8,
    /// Rooks of the player to move.
    pub mover_rooks: u8,
    /// Rooks of the player who is not to move.
    pub opponent_rooks: u8,
    /// Beads that win for the player to move; at most one more than there are.
    pub mover_needs: u8,
    /// Beads that win for the player who is not to move; at most one more than there are.
    pub opponent_needs: u8,
}

impl Hash for BeadLayer {
    /// One word, because layers are looked up for each position.
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { beads, mover_rooks, opponent_rooks, mover_needs, opponent_needs } = *self;
        let bytes = [beads, mover_rooks, opponent_rooks, mover_needs, opponent_needs, 0, 0, 0];
        state.write_u64(u64::from_le_bytes(bytes));
    }
}

impl BeadLayer {
    /// All games that the last move has won, by the target or by taking the last rook: one slot, lost.
    pub const OVER: Self =
        Self { beads: 0, mover_rooks: 0, opponent_rooks: 0, mover_needs: 1, opponent_needs: 0 };

    /// The layer with the other player to move.
    #[inline]
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self {
            beads: self.beads,
            mover_rooks: self.opponent_rooks,
            opponent_rooks: self.mover_rooks,
            mover_needs: self.opponent_needs,
            opponent_needs: self.mover_needs,
        }
    }

    /// The layer after a move that captures beads and rooks.
    ///
    /// * `beads`, `rooks`: at most as many as there are.
    /// * Result: the other player is to move; he has lost if the opponent needs no more beads.
    #[inline]
    #[must_use]
    pub const fn after(self, beads: u8, rooks: u8) -> Self {
        let left = self.beads - beads;
        Self {
            beads: left,
            mover_rooks: self.opponent_rooks - rooks,
            opponent_rooks: self.mover_rooks,
            mover_needs: at_most_one_more(self.opponent_needs, left),
            opponent_needs: at_most_one_more(self.mover_needs.saturating_sub(beads), left),
        }
    }

    /// The name in file names: `over`, or `k05-r2v1-n3v4` for 5 beads, 2 rooks of the player to move against 1, and
    /// needs of 3 and 4 beads.
    #[must_use]
    pub fn name(self) -> String {
        if self == Self::OVER {
            return "over".to_owned();
        }
        let Self { beads, mover_rooks, opponent_rooks, mover_needs, opponent_needs } = self;
        format!("k{beads:02}-r{mover_rooks}v{opponent_rooks}-n{mover_needs}v{opponent_needs}")
    }

    /// The layer that has this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        if name == "over" {
            return Some(Self::OVER);
        }
        let mut fields = name.split('-');
        let mut field = |letter| fields.next()?.strip_prefix(letter);
        let pair = |text: &str| {
            let (mover, opponent) = text.split_once('v')?;
            Some((mover.parse().ok()?, opponent.parse().ok()?))
        };
        let beads = field('k')?.parse().ok()?;
        let (mover_rooks, opponent_rooks) = pair(field('r')?)?;
        let (mover_needs, opponent_needs) = pair(field('n')?)?;
        let layer = Self { beads, mover_rooks, opponent_rooks, mover_needs, opponent_needs };
        (layer.is_sound() && layer.name() == name).then_some(layer)
    }

    /// Returns whether a board has room for the beads and rooks, and neither player has too many.
    pub(super) fn fits(self, board: &Hex) -> bool {
        let [beads, mover, opponent] = [self.beads, self.mover_rooks, self.opponent_rooks].map(u32::from);
        mover.max(opponent) <= Setup::MOST_ROOKS && beads + mover + opponent <= board.count()
    }

    /// Returns whether the layer has unfinished games.
    const fn is_sound(self) -> bool {
        let most = self.beads.saturating_add(1);
        self.mover_needs > 0
            && self.mover_needs <= most
            && self.opponent_needs > 0
            && self.opponent_needs <= most
    }
}

/// A need, reduced if it cannot be met.
const fn at_most_one_more(needs: u8, left: u8) -> u8 {
    if needs > left { left + 1 } else { needs }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_back() {
        let layer =
            BeadLayer { beads: 5, mover_rooks: 2, opponent_rooks: 1, mover_needs: 3, opponent_needs: 4 };
        assert_eq!(layer.name(), "k05-r2v1-n3v4");
        for layer in [layer, layer.swapped(), BeadLayer::OVER, layer.after(2, 1)] {
            assert_eq!(BeadLayer::named(&layer.name()), Some(layer));
        }
        for wrong in ["", "k5-r2v1-n3v4", "k05-r2v1-n7v4", "k05-r2v1", "k05-r2v1-n3v4-", "k05-r2v1-n0v4"] {
            assert_eq!(BeadLayer::named(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn captured_beads_are_needed_no_more() {
        let layer =
            BeadLayer { beads: 5, mover_rooks: 2, opponent_rooks: 3, mover_needs: 3, opponent_needs: 5 };
        let after =
            BeadLayer { beads: 3, mover_rooks: 2, opponent_rooks: 2, mover_needs: 4, opponent_needs: 1 };
        assert_eq!(layer.after(2, 1), after);
        assert_eq!(layer.after(4, 0).opponent_needs, 0);
    }
}
