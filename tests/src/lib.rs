//! Code shared by the cross-crate tests of Marquis.
//!
//! [`reference`](mod@reference) is a second implementation of all six games, written from the rules alone and
//! deliberately slow and obvious; the fast rules are tested against it, text against text. [`answers`] judges all
//! answers that users get, from every interface. [`guests`] are two games that no crate knows, to test the solvers
//! and the interfaces for third-party games. [`games`] are the names in the registry. The other modules read the
//! test data and draw random positions from fixed seeds.
#![forbid(unsafe_code)]

pub mod answers;
pub mod any_position;
pub mod claim;
pub mod data;
pub mod draw;
pub mod fast;
pub mod games;
pub mod guests;
pub mod held;
pub mod promised;
pub mod reference;
pub mod sense;
pub mod setups;
