//! How a game that begins with a set-up lays it out.

use marquis_core::TextError;
use rand::rngs::SmallRng;

use crate::game::tabled::Tabled;
use crate::query::{BalanceQuery, DesignQuery};

/// A set-up in canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaidOut {
    /// The board text.
    pub board: String,
    /// The beads beside the board.
    pub bait: u16,
    /// The number of beads that wins.
    pub target: u16,
    /// The texts of the positions that the first mover faces with each colour.
    pub firsts: [String; 2],
}

/// A set-up, and the two games that can follow.
pub struct SetUp<G: Tabled> {
    /// The set-up.
    pub laid_out: LaidOut,
    /// The rules of the game.
    pub rules: G::Rules,
    /// The position that the first mover faces with each colour, the first player's before the second's.
    pub firsts: [G::Position; 2],
}

/// What set-ups of a game are like.
pub trait SetUps<G: Tabled>: Sync {
    /// The set-up that a question is about; its pie is none of this.
    ///
    /// # Errors
    /// Names the row or field that is wrong, or why the set-up is illegal.
    fn parse(&self, query: &BalanceQuery) -> Result<SetUp<G>, TextError>;

    /// The first move that captures most; none where nothing can be captured or the game is over.
    fn greedy_move(&self, rules: &G::Rules, position: &G::Position) -> Option<G::Move>;

    /// Whether boards of this kind can be laid out.
    ///
    /// # Errors
    /// Names what there is too much or too little of.
    fn check(&self, query: &DesignQuery) -> Result<(), TextError>;

    /// A random board of a kind that [can be](Self::check) laid out.
    fn random_board(&self, query: &DesignQuery, random: &mut SmallRng) -> String;
}
