//! Games with an evaluation, and the names of their boards.

use marquis_core::Hashed;
use marquis_eval::file::WeightsIdentity;
use marquis_eval::{Inputs, Shape, Terms};
use marquis_play::{Guide, Ladder};

/// A game with an evaluation, on any board.
pub trait Schooled: Hashed + 'static {
    /// Inputs, terms and move ordering.
    type Sense: Inputs<Rules = Self, Position = Self::Position>
        + Terms<Rules = Self>
        + Guide<Self>
        + Clone
        + Default;

    /// The board of these rules.
    fn schooling(&self) -> Board;
}

/// The board that weights are learned for: one game, one board, one version of rules and inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The game: `squish`.
    pub game: &'static str,
    /// The board as the weights name it: `side=4`.
    pub variant: String,
    /// The version of rules and inputs.
    pub version: u32,
}

impl Board {
    /// The identity of its weights.
    #[must_use]
    pub fn identity(&self) -> WeightsIdentity<'_> {
        WeightsIdentity { game: self.game, variant: &self.variant, version: self.version }
    }

    /// The name of its files, without the extension: `squish-4`, `squinch-6x6`, `senet`.
    #[must_use]
    pub fn name(&self) -> String {
        let sizes: Vec<&str> =
            self.variant.split(' ').filter_map(|part| Some(part.split_once('=')?.1)).collect();
        if sizes.is_empty() { self.game.to_owned() } else { format!("{}-{}", self.game, sizes.join("x")) }
    }
}

/// Built-in weights: the name of the board, and the bytes of the file.
pub(crate) type Embedded = (&'static str, &'static [u8]);

/// The ladder of a game, or the plain one if `ladders` does not list it.
pub(crate) fn ladder_of(ladders: &[(&str, Ladder)], game: &str) -> Ladder {
    ladders.iter().find(|(own, _)| *own == game).map_or(Ladder::PLAIN, |&(_, ladder)| ladder)
}

/// The board of these rules, and its shape.
pub(crate) fn schooled<G: Schooled>(rules: &G) -> (Board, Shape) {
    (rules.schooling(), G::Sense::shape(rules))
}
