//! Hints: a strategy as a list that a checker reads once, from the first entry to the last, without searching.
//!
//! An entry is a position with the holder to move, his move, and for each reply the number of the entry after it. In
//! the hints of a win the number is always smaller than that of the entry itself, so that the list is well-founded
//! and the last entry, the root, is won. Where a theorem ends the lines of a proof, the entry has all further moves of
//! the holder, if they do not depend on the replies.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;
use marquis_core::{Game, Outcome};

use crate::checker::{Foregone, Grounds, Head, Promise, Refusal};
use crate::strategy::Kind;

/// Entries between two looks at the memory.
const LOOK_EVERY: usize = 1 << 12;

/// Where a reply leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The game is over, as the strategy promises.
    Over,
    /// To the position of the entry with this number.
    Entry(u32),
}

/// The holder's part of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Play<M> {
    /// A move.
    Move(M),
    /// The other player moves first; only in the last entry.
    Wait,
    /// All further moves, whatever the other player answers: [`Game::certain_line`].
    Line(Vec<M>),
}

/// An entry of the hints.
#[derive(Clone, Debug)]
pub struct Entry<G: Game> {
    /// The position before the holder's move; in the last entry, the root of the strategy.
    pub position: G::Position,
    /// The holder's part.
    pub play: Play<G::Move>,
    /// Every move of the other player and where it leads; empty if the holder's move ends the game, and after a line.
    pub replies: Vec<(G::Move, Next)>,
}

/// The hints of a strategy.
#[derive(Debug)]
pub struct Hints<'a, G: Game> {
    game: &'a G,
    /// The kind of the strategy and its promise.
    pub head: Head,
    /// The positions of the entries, in the order of their numbers, each with the holder's part.
    entries: Vec<(G::Position, Play<G::Move>)>,
    numbers: HashMap<G::Position, u32, FixedState>,
    /// Bytes of the moves of certain lines.
    line_bytes: usize,
}

/// An entry without a number, with the positions after replies that are left to follow.
struct Open<G: Game> {
    position: G::Position,
    play: Play<G::Move>,
    after: Vec<G::Position>,
}

impl<'a, G: Game> Hints<'a, G> {
    /// The hints of these bytes, after a replay by the rules.
    ///
    /// Lines that end by a theorem are played on until the game is over, along moves that the theorem suggests, where
    /// there is no certain line.
    ///
    /// * `memory`: the most bytes in use.
    /// * `stop`: called now and then; returns whether to give up.
    ///
    /// # Errors
    /// The strategy does not hold, ends lines on tables, or was stopped; [`Refusal::Room`].
    pub fn of(
        game: &'a G,
        root: &G::Position,
        bytes: &[u8],
        memory: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, Refusal> {
        let head = Head::read(bytes)?;
        let is_full = Cell::new(false);
        let ends = |used: usize| {
            is_full.set(used > memory);
            is_full.get() || stop()
        };
        let in_room = |refusal| match refusal {
            Refusal::Stopped { positions } if is_full.get() => Refusal::Room { positions, disk: None },
            refusal => refusal,
        };
        let grounds = Grounds { foregone: Foregone::Believed, ..Grounds::without_tables(&ends) };
        let checked = Kind::from(head.promise).replay(game, root, head.holder, bytes, grounds);
        let checked = checked.map_err(in_room)?;
        let plays: HashMap<G::Position, u16, FixedState> =
            checked.plays().map(|(position, number)| (*position, number)).collect();
        let mut hints = Self { game, head, entries: Vec::new(), numbers: HashMap::default(), line_bytes: 0 };
        hints.list(root, &plays, &ends).map_err(in_room)?;
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
        self.entries.iter().map(|(position, play)| {
            let numbered = |mv, position: &G::Position| {
                let next = self.numbers.get(position).copied();
                (mv, next.map_or(Next::Over, Next::Entry))
            };
            let replies = self.replies(position, play);
            let replies = replies.into_iter().map(|(mv, position)| numbered(mv, &position)).collect();
            Entry { position: *position, play: play.clone(), replies }
        })
    }

    /// Numbers the positions, those after replies first.
    ///
    /// * `ends`: called now and then with the bytes in use; returns whether to give up.
    fn list(
        &mut self,
        root: &G::Position,
        plays: &HashMap<G::Position, u16, FixedState>,
        ends: &dyn Fn(usize) -> bool,
    ) -> Result<(), Refusal> {
        if self.game.over(root).is_some() {
            return Ok(());
        }
        let known = plays.capacity() * (size_of::<(G::Position, u16)>() + 1);
        let mut open = vec![self.opened(root, plays)];
        // Met, but not numbered yet.
        let mut met: HashSet<G::Position, FixedState> = HashSet::default();
        met.insert(*root);
        while let Some(mut top) = open.pop() {
            if let Some(next) = top.after.pop() {
                open.push(top);
                if self.game.over(&next).is_none() && met.insert(next) {
                    open.push(self.opened(&next, plays));
                }
                continue;
            }
            let positions = self.entries.len();
            if positions.is_multiple_of(LOOK_EVERY) && ends(self.bytes() + set_bytes(&met) + known) {
                return Err(Refusal::Stopped { positions });
            }
            let number = u32::try_from(positions).map_err(|_| Refusal::Large { positions })?;
            self.numbers.insert(top.position, number);
            if let Play::Line(line) = &top.play {
                self.line_bytes += line.capacity() * size_of::<G::Move>();
            }
            self.entries.push((top.position, top.play));
        }
        Ok(())
    }

    /// The memory in bytes until the next look.
    fn bytes(&self) -> usize {
        let entry = size_of::<(G::Position, Play<G::Move>)>();
        self.line_bytes
            + held(self.entries.len(), self.entries.capacity(), entry)
            + held(self.numbers.len(), self.numbers.capacity(), size_of::<(G::Position, u32)>() + 1)
    }

    fn opened(&self, position: &G::Position, plays: &HashMap<G::Position, u16, FixedState>) -> Open<G> {
        let play = self.play_in(position, plays);
        let after = self.replies(position, &play).into_iter().rev().map(|(_, position)| position).collect();
        Open { position: *position, play, after }
    }

    /// The moves of the other player after the holder's part, with the positions after them.
    fn replies(&self, position: &G::Position, play: &Play<G::Move>) -> Vec<(G::Move, G::Position)> {
        let after = match *play {
            Play::Move(mv) => self.game.play(position, mv),
            Play::Wait => *position,
            Play::Line(_) => return Vec::new(),
        };
        self.moves(&after).into_iter().map(|mv| (mv, self.game.play(&after, mv))).collect()
    }

    /// The holder's move in the strategy; outside it the theorem's line, or a move after which the theorem still
    /// promises the end.
    fn play_in(
        &self,
        position: &G::Position,
        plays: &HashMap<G::Position, u16, FixedState>,
    ) -> Play<G::Move> {
        if self.game.turn(position) != self.head.holder {
            return Play::Wait;
        }
        let moves = self.moves(position);
        if let Some(&number) = plays.get(position) {
            return Play::Move(moves[usize::from(number)]);
        }
        let line = self.game.certain_line(position);
        if !line.is_empty() {
            return Play::Line(line);
        }
        let keeps = |&mv: &G::Move| self.keeps(&self.game.play(position, mv));
        Play::Move(moves.into_iter().find(keeps).expect("a theorem's end is inherited"))
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

/// The bytes of a set until the next look.
fn set_bytes<P>(set: &HashSet<P, FixedState>) -> usize {
    held(set.len(), set.capacity(), size_of::<P>() + 1)
}

/// The bytes of a collection that grows until the next look: while it doubles, the old items are held as well.
const fn held(items: usize, capacity: usize, bytes: usize) -> usize {
    let grows = items + LOOK_EVERY > capacity;
    let most = if capacity > LOOK_EVERY { capacity } else { LOOK_EVERY };
    (if grows { 3 * most } else { capacity }) * bytes
}
