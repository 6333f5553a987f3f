//! The scope of an index of Swish and Squeeze positions, and its name.

use std::fmt;
use std::str::FromStr;

use marquis_core::{ByPlayer, Cells};

use super::super::notation::write_board;
use super::super::{BeadGame, Beads, Capture, Immobile, Position};
use super::{BeadLayer, layer_of};
use crate::hex::{Hex, SYMMETRIES, Side, Symmetry, parse_rows};
use crate::notation::{TextError, fields};

/// The scope of an index: the positions that play can lead to from some layers.
///
/// Its text is `side=4 beads=3/1oo1/… root=k07-r3v3-n4v4 immobile=loss` for the beads of a set-up, and
/// `side=3 free=k02-r1v1-n1v1 immobile=loss` for all placements of two beads, whatever each side needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    side: Side,
    immobile: Immobile,
    kind: ScopeKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScopeKind {
    /// Lists only those sets of beads that remain after taking rows from these.
    Setup { beads: Cells, root: BeadLayer },
    /// All placements, ignoring the needs of the layer.
    Free { layer: BeadLayer },
}

impl ScopeKind {
    const fn layer(&self) -> BeadLayer {
        match *self {
            Self::Setup { root: layer, .. } | Self::Free { layer } => layer,
        }
    }
}

impl Scope {
    /// All positions that play can reach from a position; the same for all its images and its colour swap.
    #[must_use]
    pub fn of_position<R: Capture>(game: &BeadGame<R>, position: &Position) -> Self {
        let board = game.board();
        let images = (0..SYMMETRIES).map(|number| board.image_of(Symmetry(number as u8), position.beads));
        let beads = images.min().unwrap_or(position.beads);
        let layer = layer_of(game, position);
        let root = layer.min(layer.swapped());
        Self { side: game.side(), immobile: game.immobile(), kind: ScopeKind::Setup { beads, root } }
    }

    /// All placements of `beads` beads and of `rooks`, whatever each side needs, and the positions reached from
    /// there.
    #[must_use]
    pub fn free(side: Side, immobile: Immobile, beads: u8, rooks: ByPlayer<u8>) -> Self {
        let (mover_rooks, opponent_rooks) = (rooks.first.min(rooks.second), rooks.first.max(rooks.second));
        let layer = BeadLayer { beads, mover_rooks, opponent_rooks, mover_needs: 1, opponent_needs: 1 };
        Self { side, immobile, kind: ScopeKind::Free { layer } }
    }

    /// Cells along an edge.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The rule for a player who cannot move.
    #[must_use]
    pub const fn immobile(&self) -> Immobile {
        self.immobile
    }

    /// The layers from which everything can be reached.
    #[must_use]
    pub fn roots(&self) -> Vec<BeadLayer> {
        match self.kind {
            ScopeKind::Setup { root, .. } => {
                let lost = |rooks| self.immobile == Immobile::Loss && rooks == 0;
                let over = root.mover_needs == 0 || root.opponent_needs == 0;
                let playable = !over && !lost(root.mover_rooks) && !lost(root.opponent_rooks);
                playable.then_some(root).into_iter().collect()
            }
            ScopeKind::Free { layer } => {
                let needs = 1..=layer.beads + 1;
                let pairs =
                    needs.clone().flat_map(|mover| needs.clone().map(move |opponent| (mover, opponent)));
                pairs
                    .map(|(mover_needs, opponent_needs)| BeadLayer { mover_needs, opponent_needs, ..layer })
                    .collect()
            }
        }
    }

    /// The cells where beads can be.
    pub(super) fn universe(&self) -> Cells {
        match self.kind {
            ScopeKind::Setup { beads, .. } => beads,
            ScopeKind::Free { .. } => self.board().all(),
        }
    }

    /// Returns whether only those sets of beads are listed that remain after taking rows from the universe.
    pub(super) const fn by_rows(&self) -> bool {
        matches!(self.kind, ScopeKind::Setup { .. })
    }

    /// The most beads that a position can have.
    pub(super) const fn most_beads(&self) -> u8 {
        self.kind.layer().beads
    }

    pub(super) fn board(&self) -> &'static Hex {
        self.side.board()
    }

    /// A game that distinguishes all needs of the roots.
    pub(super) fn game<R: Capture>(&self) -> BeadGame<R> {
        let needs = self.roots().iter().map(|layer| layer.mover_needs.max(layer.opponent_needs)).max();
        BeadGame::new(self.side, Beads(needs.map_or(1, u16::from)), self.immobile)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "side={} ", self.side.get())?;
        match self.kind {
            ScopeKind::Setup { beads, root } => {
                let rows = write_board(self.board(), ByPlayer::default(), beads);
                write!(f, "beads={rows} root={}", root.name())?;
            }
            ScopeKind::Free { layer } => write!(f, "free={}", layer.name())?,
        }
        write!(f, " immobile={}", self.immobile.name())
    }
}

impl FromStr for Scope {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let wrong = || {
            TextError::new("variant", "the name of a set-up's tables, as `marquis generate` writes it", text)
        };
        let fields = fields(text);
        let named = |name: &str| fields.iter().find_map(|field| field.strip_prefix(name)?.strip_prefix('='));
        let side = named("side").and_then(|side| side.parse().ok()).and_then(Side::new).ok_or_else(wrong)?;
        let immobile = named("immobile").and_then(|immobile| immobile.parse().ok()).ok_or_else(wrong)?;
        let kind = match (named("beads"), named("root"), named("free")) {
            (Some(rows), Some(root), None) => {
                let [_, _, beads] = parse_rows(rows, ['w', 'b', 'o'])?.cells;
                let root = BeadLayer::named(root).filter(|root| u32::from(root.beads) == beads.len());
                ScopeKind::Setup { beads, root: root.ok_or_else(wrong)? }
            }
            (None, None, Some(layer)) => {
                let layer = BeadLayer::named(layer).filter(|layer| layer.beads > 0).ok_or_else(wrong)?;
                ScopeKind::Free { layer }
            }
            _ => return Err(wrong()),
        };
        let scope = Self { side, immobile, kind };
        if kind.layer().fits(side.board()) && scope.to_string() == text { Ok(scope) } else { Err(wrong()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_scope_is_read_back() {
        for name in [
            "side=3 free=k17-r1v1-n1v1 immobile=loss",
            "side=3 free=k01-r0v3-n1v1 immobile=pass",
            "side=3 beads=3/1ooo/5/4/3 root=k03-r1v2-n2v4 immobile=loss",
            "side=3 beads=3/4/5/4/3 root=over immobile=loss",
        ] {
            assert_eq!(name.parse::<Scope>().map(|scope| scope.to_string()), Ok(name.to_owned()));
        }
    }

    #[test]
    fn layers_that_do_not_fit_on_the_board_are_no_scope() {
        for name in [
            // 19 cells.
            "side=3 free=k30-r1v1-n1v1 immobile=loss",
            "side=3 free=k18-r1v1-n1v1 immobile=loss",
            "side=3 free=k255-r1v1-n1v1 immobile=loss",
            "side=3 free=k05-r4v1-n1v1 immobile=loss",
            "side=3 free=k05-r1v255-n1v1 immobile=loss",
            "side=3 free=k00-r1v1-n1v1 immobile=loss",
            "side=3 free=over immobile=loss",
            "side=3 beads=3/1ooo/5/4/3 root=k04-r1v2-n2v4 immobile=loss",
            "side=3 beads=3/1ooo/5/4/3 root=k03-r1v4-n2v4 immobile=loss",
            "side=3 beads=ooo/oooo/ooooo/oooo/ooo root=k19-r1v0-n2v4 immobile=loss",
        ] {
            assert!(name.parse::<Scope>().is_err(), "{name}");
        }
    }
}
