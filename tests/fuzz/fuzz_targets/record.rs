#![no_main]
//! No file makes the reader of records panic; a record that it takes is written and read again the same, and what the rules
//! take of it is a record that they take again.

use std::sync::LazyLock;

use marquis_engine::{EngineError, Record, Registry, read_record, records_of, replay};

static GAMES: LazyLock<Registry> = LazyLock::new(marquis_registry::official);

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    match records_of(data) {
        Ok(records) => records.iter().for_each(check),
        Err(error) => refused(&error),
    }
});

fn check(record: &Record) {
    let again = read_record(&record.to_string()).expect("what was written can be read");
    assert_eq!(&again, record);
    for game in GAMES.games() {
        match replay(&GAMES, record, Some(game.id())) {
            Ok(replayed) => {
                let told = replayed.told(&GAMES);
                let canonical = read_record(&told.record).expect("what was told can be read");
                let again = replay(&GAMES, &canonical, Some(game.id())).expect("and played");
                assert_eq!(again.told(&GAMES), told);
            }
            Err(error) => refused(&error),
        }
    }
}

/// A refusal names what is wrong without repeating it all.
fn refused(error: &EngineError) {
    let words = error.to_string();
    assert!(words.len() < 2000, "{words}");
}
