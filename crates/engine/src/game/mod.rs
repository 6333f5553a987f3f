//! The interface of a game to the engine: notation and drawing, tables, and knowledge beyond the rules.
//!
//! A game without chance is a unit type that implements [`Tabled`] and
//! [`ExactGame`]; `GameEntry::exact` makes its registry entry. A game with throws implements
//! [`ChanceGame`](chance::ChanceGame); `GameEntry::chance` makes its entry.

pub(crate) mod about;
pub(crate) mod chance;
pub(crate) mod claim;
pub(crate) mod exact;
pub(crate) mod first_sight;
pub(crate) mod implied;
pub(crate) mod judge;
pub(crate) mod layer_solver;
pub(crate) mod method;
pub(crate) mod set_ups;
pub(crate) mod shelf;
pub(crate) mod tabled;

pub use about::About;
pub use claim::{ClaimId, Evidence, Finding, LookedAt, PositionSource as ClaimSource};
pub use exact::{ExactGame, WorkByLeaning, read_position};
pub use first_sight::FirstSight;
pub use judge::{Judge, JudgedMove, Judgement, LookAhead, Means};
pub use marquis_proof::Kin;

pub use layer_solver::{ByRows, ByUnMoves, LayerSolver, Work};
pub use method::{Method, MethodCost};
pub use set_ups::{SetUp, SetUps};
pub use shelf::Shelf;
pub use tabled::{LayerOf, Tabled, allow_index};
