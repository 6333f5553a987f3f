//! A game that can be judged: who looks at its positions, and what its boards are called.

use marquis_core::Hashed;
use marquis_eval::file::Identity;
use marquis_eval::{Inputs, Shape, Terms};
use marquis_play::{Guide, Ladder};

/// A game whose positions an evaluation can look at, on any board.
pub trait Schooled: Hashed + 'static {
    /// Inputs, terms and order of moves.
    type Sense: Inputs<Rules = Self, Position = Self::Position>
        + Terms<Rules = Self>
        + Guide<Self>
        + Clone
        + Default;

    /// The board that these rules are played on.
    fn schooling(&self) -> Board;
}

/// What weights are learned for: one board of one game, by one version of rules and inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The game: `squish`.
    pub game: &'static str,
    /// The board as the weights have it: `side=4`.
    pub variant: String,
    /// The version of rules and inputs.
    pub version: u32,
}

impl Board {
    /// What tells its weights from all others.
    #[must_use]
    pub fn identity(&self) -> Identity<'_> {
        Identity { game: self.game, variant: &self.variant, version: self.version }
    }

    /// What its files are called, without an ending: `squish-4`, `squinch-6x6`, `senet`.
    #[must_use]
    pub fn name(&self) -> String {
        let sizes: Vec<&str> =
            self.variant.split(' ').filter_map(|part| Some(part.split_once('=')?.1)).collect();
        if sizes.is_empty() { self.game.to_owned() } else { format!("{}-{}", self.game, sizes.join("x")) }
    }
}

/// A file of weights that comes with the program: what its board is called, and its bytes.
pub(crate) type Embedded = (&'static str, &'static [u8]);

/// The ladder of a game among those of games that have one of their own, else the plain one.
pub(crate) fn ladder_of(ladders: &[(&str, Ladder)], game: &str) -> Ladder {
    ladders.iter().find(|(own, _)| *own == game).map_or(Ladder::PLAIN, |&(_, ladder)| ladder)
}

/// The board of these rules, and what it looks like.
pub(crate) fn schooled<G: Schooled>(rules: &G) -> (Board, Shape) {
    (rules.schooling(), G::Sense::shape(rules))
}
