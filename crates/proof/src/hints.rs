//! Hints: a strategy as a list that a checker reads once, from the first entry to the last, without searching.
//!
//! An entry is a position with the holder to move, his move, and for each reply the number of the entry after it. In
//! the hints of a win the number is always smaller than that of the entry itself, so that the list is well-founded
//! and the last entry, the root, is won.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;
use marquis_core::{Game, Outcome};

use crate::checker::{Foregone, Grounds, Head, Promise, Refusal};
use crate::strategy::Kind;

/// Where a reply leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The game is over, as the strategy promises.
    Over,
    /// To the position of the entry with this number.
    Entry(u32),
}

/// An entry of the hints.
#[derive(Clone, Debug)]
pub struct Entry<G: Game> {
    /// The position before the holder's move; in the last entry, the root of the strategy.
    pub position: G::Position,
    /// The holder's move; `None` in the last entry if the other player moves first.
    pub mv: Option<G::Move>,
    /// Every move of the other player and where it leads; empty if the holder's move ends the game.
    pub replies: Vec<(G::Move, Next)>,
}

/// The hints of a strategy.
#[derive(Debug)]
pub struct Hints<'a, G: Game> {
    game: &'a G,
    /// The kind of the strategy and its promise.
    pub head: Head,
    /// The positions of the entries, in the order of their numbers, each with the holder's move.
    entries: Vec<(G::Position, Option<G::Move>)>,
    numbers: HashMap<G::Position, u32, FixedState>,
}

/// The position after an entry's move, with the replies that are left to follow.
struct Open<P> {
    position: P,
    after: Vec<P>,
}

impl<'a, G: Game> Hints<'a, G> {
    /// The hints of these bytes, after a replay by the rules.
    ///
    /// Lines that end by a theorem are played on until the game is over, along moves that the theorem suggests.
    ///
    /// * `stop`: called now and then with the bytes in use; returns whether to give up.
    ///
    /// # Errors
    /// The strategy does not hold, ends lines on tables, or was stopped.
    pub fn of(
        game: &'a G,
        root: &G::Position,
        bytes: &[u8],
        stop: &dyn Fn(usize) -> bool,
    ) -> Result<Self, Refusal> {
        let head = Head::read(bytes)?;
        let grounds = Grounds { foregone: Foregone::Believed, ..Grounds::without_tables(stop) };
        let checked = Kind::from(head.promise).replay(game, root, head.holder, bytes, grounds)?;
        let plays: HashMap<G::Position, u16, FixedState> =
            checked.plays().map(|(position, number)| (*position, number)).collect();
        let mut hints = Self { game, head, entries: Vec::new(), numbers: HashMap::default() };
        hints.list(root, &plays);
        Ok(hints)
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the game is over at the root; then there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries, the root last.
    pub fn entries(&self) -> impl Iterator<Item = Entry<G>> {
        self.entries.iter().map(|&(position, mv)| {
            let after = mv.map_or(position, |mv| self.game.play(&position, mv));
            let reply = |mv| {
                let next = self.numbers.get(&self.game.play(&after, mv)).copied();
                (mv, next.map_or(Next::Over, Next::Entry))
            };
            Entry { position, mv, replies: self.moves(&after).into_iter().map(reply).collect() }
        })
    }

    /// Numbers the positions, those after replies first.
    fn list(&mut self, root: &G::Position, plays: &HashMap<G::Position, u16, FixedState>) {
        if self.game.over(root).is_some() {
            return;
        }
        let mut open = vec![self.opened(root, plays)];
        // Met, but not numbered yet.
        let mut met: HashSet<G::Position, FixedState> = HashSet::default();
        met.insert(*root);
        while let Some(top) = open.last_mut() {
            if let Some(next) = top.after.pop() {
                if self.game.over(&next).is_none() && met.insert(next) {
                    open.push(self.opened(&next, plays));
                }
                continue;
            }
            let position = top.position;
            let number = u32::try_from(self.entries.len()).expect("a replay counts positions in 32 bits");
            self.entries.push((position, self.move_in(&position, plays)));
            self.numbers.insert(position, number);
            open.pop();
        }
    }

    fn opened(
        &self,
        position: &G::Position,
        plays: &HashMap<G::Position, u16, FixedState>,
    ) -> Open<G::Position> {
        let mv = self.move_in(position, plays);
        let after = mv.map_or(*position, |mv| self.game.play(position, mv));
        let replies = self.moves(&after).into_iter().rev().map(|mv| self.game.play(&after, mv));
        Open { position: *position, after: replies.collect() }
    }

    /// The holder's move: that of the strategy, or one after which the theorem still promises the end.
    fn move_in(
        &self,
        position: &G::Position,
        plays: &HashMap<G::Position, u16, FixedState>,
    ) -> Option<G::Move> {
        if self.game.turn(position) != self.head.holder {
            return None;
        }
        let moves = self.moves(position);
        if let Some(&number) = plays.get(position) {
            return moves.get(usize::from(number)).copied();
        }
        moves.into_iter().find(|&mv| self.keeps(&self.game.play(position, mv)))
    }

    /// Whether the game is over, or certain to end, as the strategy promises.
    fn keeps(&self, position: &G::Position) -> bool {
        let over = self.game.over(position).map(|over| over.outcome);
        over.or_else(|| self.game.foregone(position)).is_some_and(|outcome| match self.head.promise {
            Promise::Win => outcome == Outcome::Winner(self.head.holder),
            Promise::NeverLose => outcome != Outcome::Winner(self.head.holder.opponent()),
        })
    }

    /// The legal moves; none if the game is over.
    fn moves(&self, position: &G::Position) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.game.over(position).is_none() {
            self.game.moves(position, &mut moves);
        }
        moves
    }
}
