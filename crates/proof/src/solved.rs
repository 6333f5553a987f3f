//! Strategies read off known values: of an exhaustive solution, or of tables.
//!
//! A win keeps moves that bring the end nearer, so no line returns. "Never loses" keeps any move to a position that
//! is not lost, preferably one already in the strategy. The result counts only after the [`checker`](crate::checker)
//! has replayed it.

use std::collections::HashSet;

use foldhash::fast::FixedState;
use marquis_core::{Game, Player, Plies, Score, Value};

use crate::knowledge::end;
use crate::strategy::{ASK_EVERY, Draft, Guarantee, Strategy, StrategyEntry};

/// Limits on the size of a strategy and the time to read it off.
#[derive(Clone, Copy)]
pub struct Room<'a> {
    /// The maximum number of positions of one strategy.
    pub positions: usize,
    /// Called every few thousand positions; returns whether to give up.
    pub stop: &'a dyn Fn() -> bool,
}

impl std::fmt::Debug for Room<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Room").field("positions", &self.positions).finish_non_exhaustive()
    }
}

/// Why no strategy could be read off.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// The scores have no move that keeps the promise.
    #[error("no known score keeps the claimed value from {position}")]
    Gap {
        /// The position.
        position: String,
    },
    /// The strategy has too many positions.
    #[error("expected a strategy of at most {most} positions, found more; allow more memory")]
    TooLarge {
        /// The limit.
        most: usize,
    },
    /// The caller stopped it.
    #[error("interrupted while reading off the strategy")]
    Stopped,
}

/// The strategies that prove the value of a position: one that wins, or for a draw one per player that never loses.
///
/// * `score`: the score of an unfinished position for the player to move; `None` if unknown. It must know `root` and
///   all positions that the strategies lead to.
///
/// # Errors
/// Why no strategies could be read off.
pub fn strategies<G: Game>(
    game: &G,
    root: &G::Position,
    score: impl Fn(&G::Position) -> Option<Score>,
    room: Room<'_>,
) -> Result<Vec<Strategy<G>>, Unread> {
    let scores = Scores { game, score };
    let found = scores.of(root).ok_or_else(|| gap::<G>(root))?;
    let turn = game.turn(root);
    let held: &[(Player, Guarantee)] = match found.value() {
        Value::Win => &[(turn, Guarantee::Win)],
        Value::Loss => &[(turn.opponent(), Guarantee::Win)],
        Value::Draw => &[(Player::First, Guarantee::NeverLose), (Player::Second, Guarantee::NeverLose)],
    };
    let read = |&(holder, kind): &(Player, Guarantee)| {
        scores.extend(Draft::new(holder, kind, *root), vec![*root], room)
    };
    held.iter().map(read).collect()
}

impl<G: Game> Strategy<G> {
    /// The same strategy, with lines that end on a table continued to the end of the game by these scores.
    ///
    /// * `score`: as for [`strategies`].
    ///
    /// # Errors
    /// Why it cannot be completed.
    pub fn completed(
        self,
        game: &G,
        score: impl Fn(&G::Position) -> Option<Score>,
        room: Room<'_>,
    ) -> Result<Self, Unread> {
        let mut draft = self.draft(game);
        let ends = draft.kept.iter().filter(|(_, kept)| **kept == StrategyEntry::Table);
        let ends: Vec<G::Position> = ends.map(|(&position, _)| position).collect();
        draft.kept.retain(|_, kept| *kept != StrategyEntry::Table);
        Scores { game, score }.extend(draft, ends, room)
    }
}

fn gap<G: Game>(position: &G::Position) -> Unread {
    Unread::Gap { position: format!("{position:?}") }
}

/// The rules, and scores of positions in which the game is not over.
struct Scores<'a, G, S> {
    game: &'a G,
    score: S,
}

/// How good a move is, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Suits {
    /// It leads to a position already in the strategy.
    Met,
    /// The game is over.
    Over,
    /// The holder wins within these plies.
    Wins(Plies),
    /// It keeps the draw.
    Draws,
}

impl<G: Game, S: Fn(&G::Position) -> Option<Score>> Scores<'_, G, S> {
    /// The score for the player to move.
    fn of(&self, position: &G::Position) -> Option<Score> {
        match end(self.game, position) {
            Some(outcome) => Some(Score::finished(outcome.for_mover(self.game.turn(position)))),
            None => (self.score)(position),
        }
    }

    /// The value and the plies for the holder.
    fn for_holder(&self, holder: Player, position: &G::Position) -> Option<(Value, Option<Plies>)> {
        let score = self.of(position)?;
        let mine = self.game.turn(position) == holder;
        let value = if mine { score.value() } else { score.value().for_opponent() };
        Some((value, score.plies()))
    }

    /// Adds all positions that the strategy leads to from these.
    fn extend(
        &self,
        mut draft: Draft<G>,
        from: Vec<G::Position>,
        room: Room<'_>,
    ) -> Result<Strategy<G>, Unread> {
        let mut met: HashSet<G::Position, FixedState> = draft.kept.keys().copied().collect();
        let mut stack = from;
        stack.retain(|position| met.insert(*position));
        let mut moves = Vec::new();
        let mut steps = 0_usize;
        while let Some(position) = stack.pop() {
            steps += 1;
            if met.len() > room.positions {
                return Err(Unread::TooLarge { most: room.positions });
            }
            if steps.is_multiple_of(ASK_EVERY) && (room.stop)() {
                return Err(Unread::Stopped);
            }
            if end(self.game, &position).is_some() {
                continue;
            }
            moves.clear();
            self.game.moves(&position, &mut moves);
            let nexts: Vec<G::Position> = moves.iter().map(|&mv| self.game.play(&position, mv)).collect();
            if self.game.turn(&position) == draft.holder {
                let number = self.choose(&draft, &position, &nexts, &met)?;
                draft.kept.insert(position, StrategyEntry::Move(number as u16));
                stack.extend(Some(nexts[number]).filter(|next| met.insert(*next)));
            } else {
                stack.extend(nexts.into_iter().filter(|next| met.insert(*next)));
            }
        }
        draft.write_unless(self.game, || (room.stop)()).ok_or(Unread::Stopped)
    }

    /// The number of the holder's move.
    fn choose(
        &self,
        draft: &Draft<G>,
        position: &G::Position,
        nexts: &[G::Position],
        met: &HashSet<G::Position, FixedState>,
    ) -> Result<usize, Unread> {
        let holder = draft.holder;
        let plies = match draft.kind {
            Guarantee::Win => self.for_holder(holder, position).and_then(|(_, plies)| plies),
            Guarantee::NeverLose => None,
        };
        let suits = |next: &G::Position| match (draft.kind, self.for_holder(holder, next)?) {
            // Only moves that bring the end nearer, so that no line returns, whichever of them is kept.
            (Guarantee::Win, (Value::Win, Some(left))) if plies.is_some_and(|plies| left < plies) => {
                Some(if met.contains(next) { Suits::Met } else { Suits::Wins(left) })
            }
            (Guarantee::Win, _) | (Guarantee::NeverLose, (Value::Loss, _)) => None,
            (Guarantee::NeverLose, _) if met.contains(next) => Some(Suits::Met),
            (Guarantee::NeverLose, _) if end(self.game, next).is_some() => Some(Suits::Over),
            (Guarantee::NeverLose, (Value::Win, Some(left))) => Some(Suits::Wins(left)),
            (Guarantee::NeverLose, _) => Some(Suits::Draws),
        };
        let best = nexts.iter().enumerate().filter_map(|(number, next)| Some((suits(next)?, number)));
        best.min().map(|(_, number)| number).ok_or_else(|| gap::<G>(position))
    }
}
