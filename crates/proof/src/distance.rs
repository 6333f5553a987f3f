//! How soon a decided game ends if the winner hurries and the loser delays.
//!
//! A search to a fixed depth asks whether the winner wins within a number of plies. Asked again one ply deeper each
//! time, it finds the shortest win; until then each "no" is a lower bound. With a bounded number of plies, repetition
//! cannot help the winner, so the answers do not depend on the path.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use marquis_core::{Game, Outcome, Player};

use crate::limits::SLICE;
use crate::{Ended, SearchLimits};

/// The knowledge about the plies to the end of a decided game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Lower bound.
    pub least: u16,
    /// Upper bound; `None` if unknown.
    pub most: Option<u16>,
}

impl Span {
    /// The exact number of plies, if known.
    #[must_use]
    pub fn exact(self) -> Option<u16> {
        self.most.filter(|&most| most == self.least)
    }
}

/// The knowledge about the plies from one position.
#[derive(Clone, Copy, Debug)]
struct DistanceEntry {
    span: Span,
    /// The number of the move that decided the last question.
    decisive: u16,
}

/// The plies to the end of games that one player wins; remembers results between questions.
pub struct Distances<'a, G: Game> {
    game: &'a G,
    winner: Player,
    /// The span of a position that this player wins, if known without a search.
    known: &'a dyn Fn(&G::Position) -> Option<Span>,
    limits: SearchLimits<'a>,
    entries: HashMap<G::Position, DistanceEntry, FixedState>,
    most_entries: usize,
    nodes: u64,
}

impl<'a, G: Game> Distances<'a, G> {
    /// Starts with no knowledge but the rules and `known`.
    ///
    /// * `known`: must be correct for every position that it answers, even if `winner` does not win there.
    /// * `bytes`: memory for results.
    pub fn new(
        game: &'a G,
        winner: Player,
        known: &'a dyn Fn(&G::Position) -> Option<Span>,
        limits: SearchLimits<'a>,
        bytes: usize,
    ) -> Self {
        // A table of this many entries is at most half empty, and is copied once while it grows.
        let most_entries = bytes / (3 * size_of::<(G::Position, DistanceEntry)>());
        let entries = HashMap::with_hasher(FixedState::default());
        Self { game, winner, known, limits, entries, most_entries, nodes: 0 }
    }

    /// Positions examined so far.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The span of a position that the player wins.
    #[must_use]
    pub fn span(&self, position: &G::Position) -> Span {
        if self.game.over(position).is_some() {
            return Span { least: 0, most: Some(0) };
        }
        let found = self.entries.get(position).map(|entry| entry.span).unwrap_or_default();
        let known = (self.known)(position).unwrap_or_default();
        let most = found.most.into_iter().chain(known.most).min();
        Span { least: found.least.max(known.least).max(1), most }
    }

    /// Whether the player wins from a position within `plies` plies, if known without a search.
    #[must_use]
    pub fn known_within(&self, position: &G::Position, plies: u16) -> Option<bool> {
        if let Some(over) = self.game.over(position) {
            return Some(over.outcome == Outcome::Winner(self.winner));
        }
        answered(self.span(position), plies)
    }

    /// Whether the player wins from a position within `plies` plies.
    ///
    /// # Errors
    /// A limit was reached first; intermediate results are kept.
    pub fn within(&mut self, position: &G::Position, plies: u16) -> Result<bool, Ended> {
        if let Some(over) = self.game.over(position) {
            return Ok(over.outcome == Outcome::Winner(self.winner));
        }
        let entry = self.entries.get(position).copied();
        if let Some(answer) = entry.and_then(|entry| answered(entry.span, plies)) {
            return Ok(answer);
        }
        if plies == 0 {
            return Ok(false);
        }
        if let Some(answer) = (self.known)(position).and_then(|span| answered(span, plies)) {
            return Ok(answer);
        }
        self.count()?;
        let (answer, decisive) = self.by_moves(position, plies, entry.map_or(0, |entry| entry.decisive))?;
        self.keep(position, plies, answer, decisive);
        Ok(answer)
    }

    /// Answers by the moves; also returns the number of the decisive move, which is tried first next time.
    fn by_moves(&mut self, position: &G::Position, plies: u16, first: u16) -> Result<(bool, u16), Ended> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        // One good move is enough for the winner, one that lasts longer for the loser.
        let enough = self.game.turn(position) == self.winner;
        let first = usize::from(first).min(moves.len() - 1);
        let others = (0..moves.len()).filter(|&number| number != first);
        for number in std::iter::once(first).chain(others) {
            if self.within(&self.game.play(position, moves[number]), plies - 1)? == enough {
                return Ok((enough, number as u16));
            }
        }
        Ok((!enough, first as u16))
    }

    fn keep(&mut self, position: &G::Position, plies: u16, answer: bool, decisive: u16) {
        let full = self.entries.len() >= self.most_entries;
        let entry = match self.entries.get_mut(position) {
            Some(entry) => entry,
            None if full => return,
            None => {
                self.entries.entry(*position).or_insert(DistanceEntry { span: Span::default(), decisive })
            }
        };
        entry.decisive = decisive;
        if answer {
            entry.span.most = Some(entry.span.most.map_or(plies, |most| most.min(plies)));
        } else {
            entry.span.least = entry.span.least.max(plies + 1);
        }
    }

    fn count(&mut self) -> Result<(), Ended> {
        self.nodes += 1;
        if self.limits.nodes.is_some_and(|most| self.nodes > most) {
            return Err(Ended::Nodes);
        }
        if !self.nodes.is_multiple_of(SLICE) {
            return Ok(());
        }
        self.limits.check()
    }
}

impl<G: Game> std::fmt::Debug for Distances<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Distances")
            .field("winner", &self.winner)
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}

/// Whether a game with this span is won within `plies` plies, if known.
fn answered(span: Span, plies: u16) -> Option<bool> {
    if span.most.is_some_and(|most| most <= plies) {
        return Some(true);
    }
    (span.least > plies).then_some(false)
}
