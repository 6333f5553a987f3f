//! The difficulty of finding and playing the right move.

use std::collections::HashMap;

use marquis_core::{Game, Score, Value};

/// The length in plies of the longest line from a decided position in which the winner has, at each of his turns,
/// only one move that keeps the win; `None` for a draw.
///
/// Such a line ends: the only winning move is also the quickest, so the remaining plies decrease along the line.
pub(crate) fn only_move_line<G: Game>(
    game: &G,
    position: &G::Position,
    score: impl Fn(&G::Position) -> Option<Score>,
) -> Option<u16> {
    let value = score(position)?.value();
    if value == Value::Draw {
        return None;
    }
    let mut walk = Walk { game, score, known: HashMap::new() };
    Some(walk.longest(position, value == Value::Win))
}

struct Walk<'a, G: Game, S> {
    game: &'a G,
    score: S,
    known: HashMap<G::Position, u16>,
}

impl<G: Game, S: Fn(&G::Position) -> Option<Score>> Walk<'_, G, S> {
    /// * `winning`: whether the winner is to move.
    fn longest(&mut self, position: &G::Position, winning: bool) -> u16 {
        if let Some(&known) = self.known.get(position) {
            return known;
        }
        let mut children = Vec::new();
        if self.game.over(position).is_none() {
            let mut moves = Vec::new();
            self.game.moves(position, &mut moves);
            children.extend(moves.into_iter().map(|mv| self.game.play(position, mv)));
        }
        if winning {
            children.retain(|child| (self.score)(child).is_some_and(|s| s.value() == Value::Loss));
            if children.len() != 1 {
                children.clear();
            }
        }
        let longest = children.iter().map(|child| 1 + self.longest(child, !winning)).max().unwrap_or(0);
        self.known.insert(*position, longest);
        longest
    }
}
