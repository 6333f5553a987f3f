//! Swish and Squeeze: rooks that capture beads, and each other.
//!
//! Both share positions, stores, target, end, set-ups and notation; they differ in the [`Capture`] rule.
//! [`index`] numbers their positions.
//!
//! Source: `swish/rules.md` and `squeeze/rules.md` beside this file.

pub mod index;
mod leap;
mod notation;
mod rules;
mod sandwich;
mod setup;
mod why;

pub use index::{BeadIndex, BeadLayer, BeadRows, Scope};
pub use leap::Leap;
pub use marquis_core::Immobile;
pub use rules::{BeadGame, Beads, Capture, Move, Position};
pub use sandwich::Sandwich;
pub use setup::Setup;

/// The rules of Swish for people.
pub static SWISH_RULES: marquis_core::RulesPage =
    marquis_core::rules_page!("swish/": "start.svg", "moves.svg");
/// The rules of Squeeze for people.
pub static SQUEEZE_RULES: marquis_core::RulesPage =
    marquis_core::rules_page!("squeeze/": "start.svg", "moves.svg");

/// Swish: leap over a row of beads or enemy rooks.
pub type Swish = BeadGame<Leap>;

/// Squeeze: enclose a row of beads or enemy rooks between two rooks.
pub type Squeeze = BeadGame<Sandwich>;
