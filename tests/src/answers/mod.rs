//! The judge of answers: properties that hold for the documents of all calls.
//!
//! Everything is read from the JSON that users get, so the library, the service and the program are judged by one
//! standard. The judge knows the rules but has no solver: [`closure`] propagates values one step, [`plies`] checks
//! lengths, [`order`] the order of moves, [`chances`] the chances, [`throws`] games with throws, and [`compare`] two
//! documents about the same position. [`sources`] draws the positions, [`chunk`] asks everything about them and
//! [`tally`] counts the results.
//!
//! A property has a name such as `P2.root-from-moves`: P0 is the rules, P1 contradiction, P2 one step, P3 chances, P4
//! HTTP and command line, P5 images, P6 earlier requests, P7 order, P8 plies, B balances, R reviews.

pub mod asked;
pub mod balances;
pub mod book;
pub mod case;
pub mod chances;
pub mod chunk;
pub mod closure;
pub mod compare;
pub mod document;
pub mod images;
pub mod judge;
pub mod lines;
pub mod order;
pub mod plies;
pub mod program;
pub mod reviews;
pub mod said;
pub mod sources;
pub mod tally;
pub mod throws;
pub mod truth;
pub mod worlds;
