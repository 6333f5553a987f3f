//! What the cross-crate tests of Marquis share.
//!
//! [`reference`](mod@reference) is a second implementation of all six games, written from the rules alone and on
//! purpose slow and obvious; the fast rules are tested against it, text against text.
//! The other modules read the test data and draw random positions from fixed seeds.
#![forbid(unsafe_code)]

pub mod claim;
pub mod data;
pub mod draw;
pub mod fast;
pub mod promised;
pub mod quixo;
pub mod reference;
pub mod sense;
pub mod setups;
