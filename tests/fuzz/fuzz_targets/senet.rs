#![no_main]
//! No text makes the position parser of Senet panic, and what it accepts it writes so that it reads it back.
mod parser;

libfuzzer_sys::fuzz_target!(|data: &[u8]| parser::check("senet", data));
