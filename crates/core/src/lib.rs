//! The types and traits that rules and solvers share: players, values, plies, and the abilities of a game.
//!
//! Nothing here depends on a particular game or a particular solver, or touches a file. A game implements the traits
//! of [`game`] that it has; a solver requires those that it needs, so a missing ability is a compile error.
#![forbid(unsafe_code)]

pub mod cells;
pub mod chance;
pub mod effort;
pub mod game;
pub mod index;
pub mod lanes;
pub mod packed;
pub mod pages;
pub mod player;
pub mod rows;
pub mod sharing;
pub mod text;
pub mod value;

pub use cells::{Cell, Cells};
pub use chance::{Chance, Throw};
pub use effort::Effort;
pub use game::{Acyclic, Game, Hashed, Immobile, Symmetric};
pub use index::{Indexed, NoScan, Reach, Retract, Scan, ScanVisitor, Slot};
pub use lanes::{LANES, Lane, LaneSet, Lanes, NoLanes, Row, SetRank};
pub use packed::Packed;
pub use pages::{Diagram, Part, RulesPage};
pub use player::{ByPlayer, Player};
pub use rows::{Column, Rowed, Rows};
pub use sharing::Sharing;
pub use text::{ChanceNotation, GameId, Notation, Playable, TextError, Wish};
pub use value::{Bounds, Outcome, Over, Plies, Reason, Score, Value};
