//! Swish and Squeeze: rooks that capture beads, and each other.
//!
//! Both share positions, stores, target, end, set-ups and notation; they differ in the [`Capture`] rule.
//! [`index`] numbers their positions.
//!
//! Source: RULES.md §3 and §4.

pub mod index;
mod leap;
mod notation;
mod rules;
mod sandwich;
mod setup;

pub use index::{BeadIndex, BeadLayer, Scope};
pub use leap::Leap;
pub use marquis_core::Immobile;
pub use rules::{BeadGame, Beads, Capture, Play, Table};
pub use sandwich::Sandwich;
pub use setup::{IllegalSetup, Setup};

/// Swish: leap over a row of beads or enemy rooks.
pub type Swish = BeadGame<Leap>;

/// Squeeze: enclose a row of beads or enemy rooks between two rooks.
pub type Squeeze = BeadGame<Sandwich>;
