//! The set-ups of a game that begins with one.

use marquis_core::TextError;
use rand::rngs::SmallRng;

use crate::game::tabled::Tabled;
use crate::query::{BalanceQuery, DesignKind, LaidOut};

/// A set-up, and the two games that can follow.
pub struct SetUp<G: Tabled> {
    /// The set-up.
    pub laid_out: LaidOut,
    /// The rules of the game.
    pub rules: G::Rules,
    /// The first mover's position with each colour, the first player's before the second's.
    pub firsts: [G::Position; 2],
}

/// The set-ups of a game.
pub trait SetUps<G: Tabled>: Sync {
    /// The set-up of a request, without its pie.
    ///
    /// # Errors
    /// Names the wrong row or field, or says why the set-up is illegal.
    fn parse(&self, query: &BalanceQuery) -> Result<SetUp<G>, TextError>;

    /// The first move that captures most; `None` if nothing can be captured or the game is over.
    fn greedy_move(&self, rules: &G::Rules, position: &G::Position) -> Option<G::Move>;

    /// Whether boards of this kind can be laid out.
    ///
    /// # Errors
    /// Names the quantity that is too large or too small.
    fn check(&self, kind: &DesignKind) -> Result<(), TextError>;

    /// A random board of a kind that [can be](Self::check) laid out.
    fn random_board(&self, kind: &DesignKind, random: &mut SmallRng) -> String;
}
