//! Answers inside a proof without a search.

use marquis_core::{Bounds, Game, Value};

use crate::checker::{Checked, Promise, Reply};

/// A checked strategy, asked position by position.
#[derive(Clone, Debug)]
pub struct Explorer<G: Game> {
    game: G,
    checked: Checked<G::Position>,
}

impl<G: Game> Explorer<G> {
    /// Explores a strategy that a checker has accepted.
    #[must_use]
    pub fn new(game: G, checked: Checked<G::Position>) -> Self {
        Self { game, checked }
    }

    /// What the strategy proves about a position, for the player to move; nothing where it does not lead.
    #[must_use]
    pub fn bounds(&self, position: &G::Position) -> Option<Bounds> {
        self.checked.reply(position)?;
        let for_holder = match self.checked.promise {
            Promise::Win => Bounds::exact(Value::Win),
            Promise::NeverLose => Bounds { worst: Value::Draw, best: Value::Win },
        };
        let mine = self.game.turn(position) == self.checked.holder;
        Some(if mine { for_holder } else { for_holder.for_opponent() })
    }

    /// The move that the strategy plays; nothing where it does not lead, or has none to play.
    #[must_use]
    pub fn reply(&self, position: &G::Position) -> Option<G::Move> {
        let Reply::Play(number) = self.checked.reply(position)? else { return None };
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        moves.get(usize::from(number)).copied()
    }
}
