#![no_main]
//! No text makes the position parser of Squish panic, and accepted texts survive a round trip.
mod parser;

libfuzzer_sys::fuzz_target!(|data: &[u8]| parser::check("squish", data));
