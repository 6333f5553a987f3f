//! What a game tells the engine: how it is written and drawn, how its tables are made and found, and what it knows
//! beyond its rules.
//!
//! A game without chance is a type without values that has both abilities, [`Tabled`](tabled::Tabled) and
//! [`ExactGame`](exact::ExactGame); `Game::exact` makes an entry of the registry of it. A game with throws has one,
//! [`ChanceGame`](chance::ChanceGame), and `Game::chance` does the same for it.

pub(crate) mod about;
pub(crate) mod chance;
pub(crate) mod claim;
pub(crate) mod exact;
pub(crate) mod first_sight;
pub(crate) mod judge;
pub(crate) mod set_ups;
pub(crate) mod tabled;
