#![no_main]
//! No table file makes a reader panic or use more memory than its bytes justify, with or without valid checksums.

use marquis_core::GameId;
use marquis_engine::{Control, Engine, EngineOptions, Limits, Query};
use marquis_fuzz::{folder, table};
use marquis_table::{ReadAt, Table};

/// Larger layers are only sampled.
const MOST_SLOTS: u64 = 1 << 22;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut bytes = data.to_vec();
    table::seal(&mut bytes);
    if let Ok(opened) = table::open(bytes.clone()) {
        ask(&opened);
        take_in(&opened, &bytes);
    }
});

/// Probes cells in every way; any answer is fine.
fn ask<R: ReadAt>(table: &Table<R>) {
    let slots = table.header().slots;
    if slots <= MOST_SLOTS {
        let _ = table.verify_checksums(&|_| {});
    }
    for about in &table.header().streams {
        let Ok(stream) = table.stream(&about.name) else { continue };
        for slot in [0, 1, 63, 64, 4000, slots / 2, slots.saturating_sub(1), u64::MAX] {
            let _ = table.cell(stream, slot);
        }
        let _ = table.cells(stream, 3, &mut [0; 512]);
    }
}

/// Puts the file among the tables of an engine, which verifies it and probes a few positions.
fn take_in<R: ReadAt>(table: &Table<R>, bytes: &[u8]) {
    let about = table.header();
    if about.slots > MOST_SLOTS && about.streams.iter().any(|stream| stream.packed_bytes > 0) {
        // Verification would read all cells, which is slow; smaller tables show that it needs no memory.
        return;
    }
    let folder = folder::empty();
    let file = folder.path().join("table.mqt");
    std::fs::write(&file, bytes).expect("a file of a few kilobytes");
    let options = EngineOptions { tables: vec![folder.path().to_owned()], ..EngineOptions::default() };
    let Ok((engine, _)) = Engine::open(marquis_registry::official(), options) else { return };
    for (game, position) in [
        (GameId::new("squish"), "5/2w3/6/1b3/4 w"),
        (GameId::new("squish"), "3/1w2/5/2b1/3 w"),
        (GameId::new("senet"), "wb8/10/10 b"),
        (GameId::new("squinch"), "start:3x3"),
        (GameId::new("swish"), "w2/4/2o2/4/2b w 0-0 1"),
    ] {
        let _ = engine.probe(&Query::new(game, position));
    }
    let _ = engine.verify(folder.path(), None, &Limits::default(), &Control::none());
}
