//! One strategy combined from several.

use marquis_core::{Game, Player};

use crate::checker::Checked;
use crate::strategy::{Draft, Guarantee, Strategy, StrategyEntry};

/// Strategies and single moves of one player, to be combined into one strategy.
///
/// Each position takes the move of the first part that plays one there. Lines of the union then lead from a part to
/// the same or to earlier ones. If every part keeps its promise, alone or where it leads to earlier parts, so does
/// the union, because a line that stays in one part for ever is a line of that part. Only the
/// [`checker`](crate::checker) verifies this; the union itself proves nothing.
#[derive(Debug)]
pub struct Union<G: Game> {
    draft: Draft<G>,
}

impl<G: Game> Union<G> {
    /// No parts yet.
    #[must_use]
    pub fn new(holder: Player, kind: Guarantee, root: G::Position) -> Self {
        Self { draft: Draft::new(holder, kind, root) }
    }

    /// Adds a strategy of the same player that was replayed by the rules alone.
    pub fn add(&mut self, checked: &Checked<G::Position>) {
        for (position, number) in checked.plays() {
            self.add_move(*position, number);
        }
    }

    /// Adds the move with this number, in the order of the rules.
    pub fn add_move(&mut self, position: G::Position, number: u16) {
        self.draft.kept.entry(position).or_insert(StrategyEntry::Move(number));
    }

    /// The strategy of all parts, restricted to positions reachable from the first one.
    #[must_use]
    pub fn finish(&self, game: &G) -> Strategy<G> {
        self.draft.write(game)
    }
}
