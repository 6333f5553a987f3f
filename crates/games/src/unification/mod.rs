//! Squish and Flowish: bring your pieces into one group by single steps.
//!
//! Both share positions, capture, end, start and notation; they differ in the [`Stepping`] rule,
//! which looks at the mover's own pieces alone.
//!
//! Source: RULES.md §1 and §2.

mod flow;
mod index;
mod notation;
mod race;
mod rules;
mod squish;

pub use flow::Flow;
pub use index::{Material, UnificationIndex};
pub use race::RaceHints;
pub use rules::{Duel, Stepping, Unification};
pub use squish::Approach;

/// Squish: step towards a friend anywhere on the same line.
pub type Squish = Unification<Approach>;

/// Flowish: step along a flowline towards your largest group.
pub type Flowish = Unification<Flow>;
