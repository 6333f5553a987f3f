#![no_main]
//! No state folder makes the service panic, answer 5xx or use more memory than its bytes justify: unreadable data is
//! rejected or skipped.

use std::fs;
use std::sync::LazyLock;

use marquis_fuzz::job::{self, CHANGES};
use marquis_fuzz::{folder, service};

/// A valid database and the ids in it.
static LEFT: LazyLock<(Vec<u8>, Vec<String>)> = LazyLock::new(|| {
    let state = service::left_behind().expect("a state folder");
    let file = state.path().join(job::FILE);
    let ids = job::records(&file).expect("jobs").into_iter().map(|record| record.id).collect();
    (fs::read(file).expect("a database"), ids)
});

/// The database panics on some damaged files, which the service catches and treats as damage; any other panic is a
/// finding, on any thread.
fn forgive_the_database() {
    let abort = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let theirs = panic.location().is_some_and(|location| location.file().contains("/redb-"));
        if !theirs {
            abort(panic);
        }
    }));
}

libfuzzer_sys::fuzz_target!(init: forgive_the_database(), |data: &[u8]| {
    let Some((&kind, rest)) = data.split_first() else { return };
    let state = folder::empty();
    let file = state.path().join(job::FILE);
    let (database, mut ids) = (&LEFT.0, LEFT.1.clone());
    if kind == CHANGES {
        fs::write(&file, job::changed(database, rest)).expect("a database");
    } else {
        let records = job::parse(rest);
        if job::write(&file, &records).is_err() {
            return;
        }
        ids = records.into_iter().map(|record| record.id).collect();
    }
    for status in service::visited(state.path(), &ids).into_iter().flatten() {
        assert!(status < 500, "{status}");
    }
});
