//! What is known of a position or of a move: bounds, plies, where they come from, and chances where they are open.

use marquis_core::{Bounds, Plies, Score, Value};
use marquis_eval::Wdl;
use marquis_proof::Span;

use crate::game::judge::certain;

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// The game is over.
    Rules,
    /// A tablebase.
    Table,
    /// A search or an exhaustive solution.
    Search,
    /// The book of known results.
    Book,
    /// A proof file: one that comes with the program, or one that was loaded.
    File,
    /// Nothing is proved.
    None,
}

/// What is known of a position, for the player to move, or of a move, for the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Verdict {
    /// The worst and the best value still possible.
    pub(crate) bounds: Bounds,
    /// The plies to the end of a decided game; of no meaning otherwise.
    pub(crate) span: Span,
    /// Where the bounds come from.
    pub(crate) proof: Proof,
    /// Where the value is unknown, the chances as the engine sees them; never a value.
    pub(crate) estimate: Option<Wdl>,
}

/// A game that goes on lasts a ply at least.
const OPEN: Span = Span { least: 1, most: None };

const fn exactly(Plies(plies): Plies) -> Span {
    Span { least: plies, most: Some(plies) }
}

impl Verdict {
    /// Nothing is known.
    pub(crate) const UNKNOWN: Self = Self::bounded(Bounds::UNKNOWN, Proof::None);

    /// The verdict of a proved score.
    pub(crate) fn exact(score: Score, proof: Proof) -> Self {
        let span = score.plies().map_or(OPEN, exactly);
        Self { span, ..Self::bounded(Bounds::exact(score.value()), proof) }
    }

    /// The verdict of proved bounds of a game that goes on.
    ///
    /// * `proof`: where the bounds come from; [`Proof::None`] where nothing is known.
    pub(crate) const fn bounded(bounds: Bounds, proof: Proof) -> Self {
        Self { bounds, span: OPEN, proof, estimate: None }
    }

    /// The verdict of a decided value whose game ends within so many plies, if anybody counted them.
    pub(crate) fn within(value: Value, within: Option<Plies>, proof: Proof) -> Self {
        let span = Span { most: within.map(|Plies(most)| most.max(OPEN.least)), ..OPEN };
        Self { span, ..Self::bounded(Bounds::exact(value), proof) }
    }

    /// What a move into a position with this verdict is worth to the player who makes it.
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

    /// What a move that is worth this says of the position after it; none where it may end the game.
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

    /// The value, once only one is left.
    pub(crate) fn value(&self) -> Option<Value> {
        self.bounds.value()
    }

    /// Plies to the end; none for a draw, and where they are not known.
    pub(crate) fn plies(&self) -> Option<Plies> {
        self.value().filter(|value| *value != Value::Draw)?;
        self.span.exact().map(Plies)
    }

    /// The bounds of the plies of a decided game whose plies are not known, where they say anything.
    pub(crate) fn plies_bounds(&self) -> Option<Span> {
        let is_decided = self.value().is_some_and(|value| value != Value::Draw);
        let says_something = self.span.most.is_some() || self.span.least > 2;
        (is_decided && says_something && self.span.exact().is_none()).then_some(self.span)
    }

    /// The chances: what is proved, or else the estimate, if there is one.
    pub(crate) fn wdl(&self) -> Option<Wdl> {
        self.value().map(certain).or(self.estimate)
    }

    /// The same with an estimate where the value is unknown, brought within the bounds.
    pub(crate) fn estimated(self, wdl: Wdl) -> Self {
        Self { estimate: Some(wdl), ..self }.clipped()
    }

    /// The same with its estimate brought within the bounds, or left out where the value is known.
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

    /// What both say together; this one where they contradict each other.
    ///
    /// A damaged table that contradicts a search is no reason to break down.
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
        let counts = |own: &Self| own.plies().is_some();
        let proof = match (settles(&self), settles(&other)) {
            (true, true) if counts(&other) && !counts(&self) || self.proof == Proof::None => other.proof,
            (true, _) => self.proof,
            (false, true) => other.proof,
            (false, false) => Proof::Search,
        };
        // The plies of a value are of no meaning for another one.
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
        if tightened.bounds != self.bounds {
            *self = Self { proof, ..tightened };
        }
    }

    /// Takes in other bounds of the plies.
    pub(crate) fn lasts(&mut self, span: Span) {
        self.span = both(self.span, span);
    }
}

/// What both say of the plies; the first where they contradict each other.
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
        let bounded = |worst, best| Verdict::bounded(Bounds { worst, best }, Proof::File);
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
        // What contradicts is left out.
        assert_eq!(won.and(Verdict::exact(Score::Loss(Plies(4)), Proof::Table)), won);
    }

    #[test]
    fn estimates_keep_within_the_bounds() {
        let wdl = Wdl { win: 0.5, draw: 0.2, loss: 0.3 };
        let safe = Verdict::bounded(Bounds { worst: Value::Draw, best: Value::Win }, Proof::Search);
        let estimate = safe.estimated(wdl).estimate.expect("it is open");
        assert_eq!((estimate.win, estimate.draw, estimate.loss), (0.5, 0.5, 0.0));
        // What is learned later clips an estimate that was made before.
        let mut later = Verdict::UNKNOWN.estimated(wdl);
        later.at_most(Value::Draw, Proof::Search);
        assert_eq!(later.estimate.map(|wdl| wdl.win), Some(0.0));
        later.at_most(Value::Loss, Proof::Search);
        assert_eq!(later.estimate, None);
    }
}
