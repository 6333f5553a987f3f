#![no_main]
//! No file makes the reader of records panic. An accepted record survives a round trip, and the part that the rules
//! accept is a record that they accept again.

use std::sync::LazyLock;

use marquis_engine::record::{read_record, records_of, replay};
use marquis_engine::{EngineError, Registry};
use marquis_record::Record;

static GAMES: LazyLock<Registry> = LazyLock::new(marquis_registry::official);

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    match records_of(data) {
        Ok(records) => records.iter().for_each(check),
        Err(error) => refused(&error),
    }
});

fn check(record: &Record) {
    let again = read_record(&record.to_string()).expect("a written record can be read");
    assert_eq!(&again, record);
    for game in GAMES.games() {
        match replay(&GAMES, record, Some(game.id())) {
            Ok(replayed) => {
                let told = replayed.response(&GAMES);
                let canonical = read_record(&told.record).expect("a canonical record can be read");
                let again = replay(&GAMES, &canonical, Some(game.id())).expect("and played");
                assert_eq!(again.response(&GAMES), told);
            }
            Err(error) => refused(&error),
        }
    }
}

/// An error names the problem without repeating the whole input.
fn refused(error: &EngineError) {
    let words = error.to_string();
    assert!(words.len() < 2000, "{words}");
}
