//! The verdict on a position or move: bounds, plies, their source, and chances if the value is open.

use std::ops::RangeInclusive;

use marquis_core::{Bounds, Plies, Score, Value};
use marquis_eval::Wdl;
use marquis_proof::Span;

use crate::game::judge::certain;

/// The source of a value.
///
/// Of several sources that know the same, answers name the first in this order: a search may have answered an earlier
/// question, and a proof file may not be open yet, so that those come last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Proof {
    /// The game is over.
    Rules,
    /// A tablebase.
    Table,
    /// The book of known results.
    Book,
    /// A search or an exhaustive solution.
    Search,
    /// A proof file, shipped or loaded.
    File,
    /// Nothing is proved.
    None,
}

/// The knowledge about a position, for the player to move, or about a move, for the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Verdict {
    /// The worst and the best value still possible.
    pub(crate) bounds: Bounds,
    /// The plies to the end of a decided game; meaningless otherwise.
    pub(crate) span: Span,
    /// The source of the bounds.
    pub(crate) proof: Proof,
    /// If the value is unknown, the chances by the engine's estimate; never a value.
    pub(crate) estimate: Option<Wdl>,
}

/// A game that is not over lasts at least one ply.
const OPEN: Span = Span { least: 1, most: None };

const fn exactly(Plies(plies): Plies) -> Span {
    Span { least: plies, most: Some(plies) }
}

/// A lower bound of the plies up to here says nothing: a game that neither this move nor the next one ends takes three.
const LEAST_UNSAID: u16 = 3;

impl Verdict {
    /// Nothing is known.
    pub(crate) const UNKNOWN: Self = Self::bounded(Bounds::UNKNOWN, Proof::None);

    /// The verdict of a proved score.
    pub(crate) fn exact(score: Score, proof: Proof) -> Self {
        let span = score.plies().map_or(OPEN, exactly);
        Self { span, ..Self::bounded(Bounds::exact(score.value()), proof) }
    }

    /// The verdict of proved bounds of a game that is not over.
    ///
    /// * `proof`: the source of the bounds; [`Proof::None`] if nothing is known.
    pub(crate) const fn bounded(bounds: Bounds, proof: Proof) -> Self {
        Self { bounds, span: OPEN, proof, estimate: None }
    }

    /// The verdict of a decided value whose game ends `within` a number of plies, if that is known.
    pub(crate) fn within(value: Value, within: Option<Plies>, proof: Proof) -> Self {
        let span = Span { most: within.map(|Plies(most)| most.max(OPEN.least)), ..OPEN };
        Self { span, ..Self::bounded(Bounds::exact(value), proof) }
    }

    /// The verdict of a decided value, with the least and the most plies to the end.
    pub(crate) fn between(value: Value, plies: &RangeInclusive<Plies>, proof: Proof) -> Self {
        let (&Plies(least), &Plies(most)) = (plies.start(), plies.end());
        Self { span: Span { least, most: Some(most) }, ..Self::bounded(Bounds::exact(value), proof) }
    }

    /// The verdict on a move into a position with this verdict, for the player who makes it.
    pub(crate) fn before_move(self) -> Self {
        let Span { least, most } = self.span;
        let later = |plies: u16| plies.saturating_add(1);
        let span = Span { least: later(least), most: most.map(later) };
        Self {
            bounds: self.bounds.for_opponent(),
            span,
            estimate: self.estimate.map(Wdl::for_opponent),
            ..self
        }
    }

    /// The verdict on the position after a move with this verdict; `None` if the move may end the game.
    pub(crate) fn after_move(self) -> Option<Self> {
        let Span { least, most } = self.span;
        let most = most.map(|plies| plies.saturating_sub(1));
        if most == Some(0) {
            return None;
        }
        let span = Span { least: least.saturating_sub(1).max(OPEN.least), most };
        Some(Self {
            bounds: self.bounds.for_opponent(),
            span,
            estimate: self.estimate.map(Wdl::for_opponent),
            ..self
        })
    }

    /// The value, if only one is possible.
    pub(crate) fn value(&self) -> Option<Value> {
        self.bounds.value()
    }

    /// Plies to the end; `None` for a draw, or if they are not known.
    pub(crate) fn plies(&self) -> Option<Plies> {
        self.value().filter(|value| *value != Value::Draw)?;
        self.span.exact().map(Plies)
    }

    /// The bounds of the plies of a decided game whose plies are not known, if they say anything.
    pub(crate) fn plies_bounds(&self) -> Option<Span> {
        let is_decided = self.value().is_some_and(|value| value != Value::Draw);
        let says_something = self.span.most.is_some() || self.span.least > LEAST_UNSAID;
        (is_decided && says_something && self.span.exact().is_none()).then_some(self.span)
    }

    /// The chances: the proved ones, or else the estimate, if there is one.
    pub(crate) fn wdl(&self) -> Option<Wdl> {
        self.value().map(certain).or(self.estimate)
    }

    /// The same with an estimate if the value is unknown, clipped to the bounds.
    pub(crate) fn estimated(self, wdl: Wdl) -> Self {
        Self { estimate: Some(wdl), ..self }.clipped()
    }

    /// The same with its estimate clipped to the bounds, or removed if the value is known.
    pub(crate) fn clipped(self) -> Self {
        let Some(Wdl { mut win, mut draw, mut loss }) = self.estimate.filter(|_| self.value().is_none())
        else {
            return Self { estimate: None, ..self };
        };
        if self.bounds.worst == Value::Draw {
            (draw, loss) = (draw + loss, 0.0);
        }
        if self.bounds.best == Value::Draw {
            (draw, win) = (draw + win, 0.0);
        }
        Self { estimate: Some(Wdl { win, draw, loss }), ..self }
    }

    /// The combined verdict; `self` if they contradict each other.
    ///
    /// A damaged table that contradicts a search is no reason to panic.
    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        let bounds = Bounds {
            worst: self.bounds.worst.max(other.bounds.worst),
            best: self.bounds.best.min(other.bounds.best),
        };
        if bounds.worst > bounds.best {
            return self;
        }
        let settles = |own: &Self| own.bounds == bounds;
        let proof = match (settles(&self), settles(&other)) {
            _ if bounds == Bounds::UNKNOWN => Proof::None,
            (true, true) => self.proof.min(other.proof),
            (true, false) => self.proof,
            (false, true) => other.proof,
            (false, false) => Proof::Search,
        };
        // The plies of one value are meaningless for another.
        let span = match (self.bounds.value() == bounds.value(), other.bounds.value() == bounds.value()) {
            (true, true) => both(self.span, other.span),
            (false, true) => other.span,
            (true, false) => self.span,
            (false, false) => OPEN,
        };
        let estimate = self.estimate.or(other.estimate);
        Self { bounds, span, proof, estimate }.clipped()
    }

    /// Raises the worst value still possible.
    pub(crate) fn at_least(&mut self, worst: Value, proof: Proof) {
        self.tighten(Bounds { worst, ..Bounds::UNKNOWN }, proof);
    }

    /// Lowers the best value still possible.
    pub(crate) fn at_most(&mut self, best: Value, proof: Proof) {
        self.tighten(Bounds { best, ..Bounds::UNKNOWN }, proof);
    }

    fn tighten(&mut self, bounds: Bounds, proof: Proof) {
        let tightened = self.and(Self::bounded(bounds, proof));
        let proof = if tightened.bounds == self.bounds { tightened.proof } else { proof };
        *self = Self { proof, ..tightened };
    }

    /// Tightens the bounds of the plies.
    pub(crate) fn lasts(&mut self, span: Span) {
        self.span = both(self.span, span);
    }
}

/// The intersection of both; `own` if they contradict each other.
fn both(own: Span, other: Span) -> Span {
    let least = own.least.max(other.least);
    let most = own.most.into_iter().chain(other.most).min();
    if most.is_some_and(|most| most < least) { own } else { Span { least, most } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn together_two_verdicts_say_what_both_know() {
        let by = |worst, best, proof| Verdict::bounded(Bounds { worst, best }, proof);
        let bounded = |worst, best| by(worst, best, Proof::File);
        let won = Verdict::within(Value::Win, Some(Plies(9)), Proof::Book);
        let joined = bounded(Value::Draw, Value::Win).and(won);
        assert_eq!(
            (joined.value(), joined.span.most, joined.proof),
            (Some(Value::Win), Some(9), Proof::Book)
        );
        let counted = won.and(Verdict::exact(Score::Win(Plies(5)), Proof::Table));
        assert_eq!((counted.plies(), counted.proof), (Some(Plies(5)), Proof::Table));
        let drawn = bounded(Value::Draw, Value::Win).and(bounded(Value::Loss, Value::Draw));
        assert_eq!((drawn.value(), drawn.proof), (Some(Value::Draw), Proof::Search));
        // Two sources that know the same are named in one order, whichever is asked first.
        let [booked, filed] = [Proof::Book, Proof::File].map(|proof| by(Value::Draw, Value::Win, proof));
        assert_eq!((booked.and(filed).proof, filed.and(booked).proof), (Proof::Book, Proof::Book));
        let mut open = Verdict::UNKNOWN;
        open.at_most(Value::Win, Proof::Search);
        assert_eq!(open, Verdict::UNKNOWN);
        // A contradiction is ignored.
        assert_eq!(won.and(Verdict::exact(Score::Loss(Plies(4)), Proof::Table)), won);
    }

    #[test]
    fn estimates_keep_within_the_bounds() {
        let wdl = Wdl { win: 0.5, draw: 0.2, loss: 0.3 };
        let safe = Verdict::bounded(Bounds { worst: Value::Draw, best: Value::Win }, Proof::Search);
        let estimate = safe.estimated(wdl).estimate.expect("it is open");
        assert_eq!((estimate.win, estimate.draw, estimate.loss), (0.5, 0.5, 0.0));
        // Later bounds clip an estimate that was made before.
        let mut later = Verdict::UNKNOWN.estimated(wdl);
        later.at_most(Value::Draw, Proof::Search);
        assert_eq!(later.estimate.map(|wdl| wdl.win), Some(0.0));
        later.at_most(Value::Loss, Proof::Search);
        assert_eq!(later.estimate, None);
    }
}
