//! Tests of the tables of these games.

mod around;
mod methods;
mod unwritten;
