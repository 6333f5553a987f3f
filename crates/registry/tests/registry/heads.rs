//! The figures in the header of a table are verified against its cells.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use marquis_core::GameId;
use marquis_engine::tables::{CHECKPOINT_EVERY, generate};
use marquis_engine::{BuildQuery, Control, Engine, EngineOptions, Limits};
use marquis_registry::official;
use marquis_table::{BlockCache, LayerPlan, StreamPlan, Width, file};

fn faults(folder: &Path) -> Vec<String> {
    let engine = Engine::open(official(), EngineOptions::default()).expect("opened").0;
    engine.verify(folder, None, &Limits::default(), &Control::none()).expect("verified").faults
}

/// Writes a table again with the same cells and falsified figures.
fn tamper(path: &Path, tamper: &dyn Fn(&mut BTreeMap<String, u64>)) {
    let table = file::open(path, &Arc::new(BlockCache::new(0))).expect("a table");
    let header = table.header().clone();
    let codes = table.all_cells(table.stream("score").expect("scores")).expect("readable");
    let cells = |first: u64, out: &mut [u8]| {
        let first = usize::try_from(first).expect("a slot");
        out.copy_from_slice(&codes[first..first + out.len()]);
    };
    let mut counts = header.counts;
    tamper(&mut counts);
    let plan = LayerPlan { identity: header.identity, slots: header.slots, counts, notes: header.notes };
    let streams = [StreamPlan::new("score", Width::One, &cells)];
    file::create(path, &plan, &streams, &|_| {}).expect("written");
}

#[test]
fn a_false_figure_in_a_head_is_a_fault() {
    let folder = std::env::temp_dir().join(format!("marquis-heads-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let pieces = Some("3v2".to_owned());
    let query = BuildQuery { side: Some(3), pieces, ..BuildQuery::new(GameId::new("squish")) };
    let limits = Limits { threads: Some(1), ..Limits::default() };
    generate(&official(), &query, &folder, CHECKPOINT_EVERY, &limits, &Control::none()).expect("built");
    // Its manifest does not match the bytes that are written below.
    std::fs::remove_file(folder.join("MANIFEST.tsv")).expect("a list");
    let path = folder.join("squish-s3/03v02.mqt");
    tamper(&path, &|_| {});
    assert_eq!(faults(&folder), Vec::<String>::new());
    for figure in ["wins", "draws", "losses", "holes", "longest win", "longest loss"] {
        tamper(&path, &|counts| *counts.get_mut(figure).expect("a figure") += 1);
        let found = faults(&folder);
        assert!(found.len() == 1 && found[0].contains(figure), "{figure}: {found:?}");
        tamper(&path, &|counts| *counts.get_mut(figure).expect("a figure") -= 1);
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}
