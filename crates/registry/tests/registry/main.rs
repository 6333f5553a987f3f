//! What a user can ask of the games that the registry knows: tables, builds, proofs and the look ahead.

mod book;
mod checkpoints;
mod half;
mod heads;
mod judged;
mod pages;
mod ranks;
mod refusals;
mod squinch;
mod sub_tables;
