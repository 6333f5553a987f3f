//! Hints: a strategy as a list that a checker reads once, from the first entry to the last, without searching.
//!
//! An entry is a position with the holder to move, his move, and for each reply the number of the entry after it. In
//! the hints of a win the number is always smaller than that of the entry itself, so that the list is well-founded
//! and the last entry, the root, is won. Where a theorem ends the lines of a proof, the entry has all further moves of
//! the holder, if they do not depend on the replies.

use std::cell::Cell;

use marquis_core::{Game, Outcome};

use crate::checker::{Checked, Foregone, Grounds, Promise, Refusal, StrategyHead};
use crate::met::{Met, MetNumber};
use crate::strategy::Guarantee;

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
pub enum HolderPart<M> {
    /// A move.
    Move(M),
    /// The other player moves first; only in the last entry.
    Wait,
    /// All further moves, whatever the other player answers: [`Game::certain_line`].
    Line(Vec<M>),
}

/// An entry of the hints.
#[derive(Clone, Debug)]
pub struct HintEntry<G: Game> {
    /// The position before the holder's move; in the last entry, the root of the strategy.
    pub position: G::Position,
    /// The holder's part.
    pub play: HolderPart<G::Move>,
    /// Every move of the other player and where it leads; empty if the holder's move ends the game, and after a line.
    pub replies: Vec<(G::Move, Next)>,
}

/// The hints of a strategy.
#[derive(Debug)]
pub struct Hints<'a, G: Game> {
    game: &'a G,
    /// The kind of the strategy and its promise.
    pub head: StrategyHead,
    /// The positions, in the order in which they were met.
    met: Met<G::Position, Listed<G::Move>>,
    /// The positions of the entries.
    entries: Vec<MetNumber>,
    /// Bytes of the moves of certain lines.
    line_bytes: usize,
}

/// The holder's part in a position, and the number of its entry once the entries after it have theirs.
#[derive(Debug)]
struct Listed<M> {
    play: HolderPart<M>,
    number: u32,
}

/// A position without a number, with those after replies that are left to follow.
struct Open<P> {
    id: MetNumber,
    after: Vec<P>,
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
        let head = StrategyHead::read(bytes)?;
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
        let checked = Guarantee::from(head.promise).replay(game, root, head.holder, bytes, grounds);
        let checked = checked.map_err(in_room)?;
        let mut hints = Self { game, head, met: Met::default(), entries: Vec::new(), line_bytes: 0 };
        hints.list(root, &checked, &|used| ends(used + checked.bytes())).map_err(in_room)?;
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
    pub fn entries(&self) -> impl Iterator<Item = HintEntry<G>> {
        self.entries.iter().map(|&id| {
            let (position, play) = (self.met.position(id), &self.met.note(id).play);
            let next_of = |position: &G::Position| {
                let next = self.met.find(position);
                next.map_or(Next::Over, |id| Next::Entry(self.met.note(id).number))
            };
            let replies = self.replies(&position, play);
            let replies = replies.into_iter().map(|(mv, after)| (mv, next_of(&after))).collect();
            HintEntry { position, play: play.clone(), replies }
        })
    }

    /// Numbers the positions, those after replies first.
    ///
    /// * `ends`: called now and then with the bytes in use; returns whether to give up.
    fn list(
        &mut self,
        root: &G::Position,
        checked: &Checked<G::Position>,
        ends: &dyn Fn(usize) -> bool,
    ) -> Result<(), Refusal> {
        if self.game.over(root).is_some() {
            return Ok(());
        }
        let mut open = vec![self.opened(root, checked, ends)?];
        while let Some(Open { id, after }) = open.last_mut() {
            match after.pop() {
                Some(next) if self.game.over(&next).is_some() || self.met.find(&next).is_some() => {}
                Some(next) => open.push(self.opened(&next, checked, ends)?),
                None => {
                    self.met.note_mut(*id).number = self.entries.len() as u32;
                    self.entries.push(*id);
                    open.pop();
                }
            }
        }
        Ok(())
    }

    fn opened(
        &mut self,
        position: &G::Position,
        checked: &Checked<G::Position>,
        ends: &dyn Fn(usize) -> bool,
    ) -> Result<Open<G::Position>, Refusal> {
        let positions = self.met.len();
        if self.met.begins_chunk() && ends(self.bytes()) {
            return Err(Refusal::Stopped { positions });
        }
        let play = self.play_in(position, checked);
        if let HolderPart::Line(line) = &play {
            self.line_bytes += size_of_val(line.as_slice());
        }
        let after = self.replies(position, &play).into_iter().rev().map(|(_, position)| position).collect();
        let id = self.met.add(*position, Listed { play, number: 0 }).ok_or(Refusal::Large { positions })?;
        Ok(Open { id, after })
    }

    /// The memory in bytes until the next look.
    fn bytes(&self) -> usize {
        self.met.bytes() + self.entries.capacity() * size_of::<MetNumber>() + self.line_bytes
    }

    /// The moves of the other player after the holder's part, with the positions after them.
    fn replies(&self, position: &G::Position, play: &HolderPart<G::Move>) -> Vec<(G::Move, G::Position)> {
        let after = match *play {
            HolderPart::Move(mv) => self.game.play(position, mv),
            HolderPart::Wait => *position,
            HolderPart::Line(_) => return Vec::new(),
        };
        self.moves(&after).into_iter().map(|mv| (mv, self.game.play(&after, mv))).collect()
    }

    /// The holder's move in the strategy; outside it the theorem's line, or a move after which the theorem still
    /// promises the end.
    fn play_in(&self, position: &G::Position, checked: &Checked<G::Position>) -> HolderPart<G::Move> {
        if self.game.turn(position) != self.head.holder {
            return HolderPart::Wait;
        }
        let moves = self.moves(position);
        if let Some(number) = checked.play_in(position) {
            return HolderPart::Move(moves[usize::from(number)]);
        }
        let line = self.game.certain_line(position);
        if !line.is_empty() {
            return HolderPart::Line(line);
        }
        let keeps = |&mv: &G::Move| self.keeps(&self.game.play(position, mv));
        HolderPart::Move(moves.into_iter().find(keeps).expect("a theorem's end is inherited"))
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
