//! A hand-made evaluation: a weighted sum of a few numbers of a position.

use std::marker::PhantomData;

use marquis_core::Game;

use crate::{Evaluate, Leaning};

/// The maximum number of terms of a game.
pub const TERMS: usize = 8;

/// A few numbers that say who is ahead, for every position of every board.
pub trait Terms: Copy + Send + Sync + 'static {
    /// The rules.
    type Rules: Game;

    /// The weight of a unit of each term, in hundredths of log-odds; fitted on games.
    const WEIGHTS: [i32; TERMS];

    /// The terms, greater where the player to move is better off; unused ones are 0.
    fn terms(rules: &Self::Rules, position: &<Self::Rules as Game>::Position) -> [i32; TERMS];
}

/// The evaluation by hand-made terms.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandMade<T>(PhantomData<fn() -> T>);

impl<T> HandMade<T> {
    /// The evaluation.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T: Terms> Evaluate<T::Rules> for HandMade<T> {
    type State = ();

    fn see(&self, _: &T::Rules, _: &<T::Rules as Game>::Position) {}

    fn follow(
        &self,
        _: &T::Rules,
        _: (&<T::Rules as Game>::Position, &()),
        _: &<T::Rules as Game>::Position,
        (): &mut (),
    ) {
    }

    fn leaning(&self, rules: &T::Rules, position: &<T::Rules as Game>::Position, (): &()) -> Leaning {
        let terms = T::terms(rules, position);
        Leaning::new(terms.iter().zip(T::WEIGHTS).map(|(term, weight)| term * weight).sum())
    }
}
