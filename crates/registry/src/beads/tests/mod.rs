//! Tests of the tables of these games.

mod around;
mod room;
mod unwritten;
