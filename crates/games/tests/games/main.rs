//! Races, by the rules.

mod race;
mod squinch_race;
