//! Squish and Flowish: bring your pieces into one group by single steps.
//!
//! Both share positions, capture, end, start and notation; they differ in the [`Stepping`] rule, which only depends
//! on the mover's own pieces.
//!
//! Source: `squish/rules.md` and `flowish/rules.md` beside this file.

mod flow;
mod gathering;
mod index;
mod notation;
mod race_hints;
mod remembered;
mod rules;
mod squish;
mod why;

pub use flow::Flow;
pub use gathering::Gathering;
pub use index::{Material, UnificationIndex, UnificationRows};
pub use race_hints::RaceHints;
pub use rules::{Position, Stepping, Unification};
pub use squish::Approach;

/// The rules of Squish for people.
pub static SQUISH_RULES: marquis_core::RulesPage =
    marquis_core::rules_page!("squish/": "start.svg", "moves.svg", "end.svg");
/// The rules of Flowish for people.
pub static FLOWISH_RULES: marquis_core::RulesPage =
    marquis_core::rules_page!("flowish/": "start.svg", "moves.svg", "end.svg");

/// Squish: step towards a friend anywhere on the same line.
///
/// ```
/// use marquis_core::{Game, Notation};
/// use marquis_games::Squish;
///
/// let (squish, start) = Squish::parse("b1w/1wb1/wb1wb/1wb1/b1w w")?;
/// let mut moves = Vec::new();
/// squish.moves(&start, &mut moves);
/// assert_eq!(moves.len(), 6);
/// let step = squish.parse_move(&start, "a3xb3")?;
/// assert_eq!(squish.position_text(&squish.play(&start, step)), "b1w/1wb1/wb1wb/1ww1/b2 b");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Squish = Unification<Approach>;

/// Flowish: step along a flowline towards your largest group.
pub type Flowish = Unification<Flow>;
