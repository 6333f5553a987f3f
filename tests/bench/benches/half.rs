//! Answers with all moves from all layers and from half of them: `cargo bench --manifest-path tests/bench/Cargo.toml
//! --bench half`. The answers are compared.

use std::collections::{BTreeSet, VecDeque};
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use marquis_core::GameId;
use marquis_engine::tables::{CHECKPOINT_EVERY, generate};
use marquis_engine::{BuildQuery, Control, Engine, EngineOptions, Limits, Query, WrittenLayers};
use marquis_registry::official;
use marquis_wire::answer::{Answer, ExactAnswer};

const SQUISH: GameId = GameId::new("squish");
/// Five against four, neither side in one group.
const START: &str = "b1w/1b2/w3b/1w2/w1b w";
/// The number of positions to query.
const POSITIONS: usize = 1000;

fn engine(extent: WrittenLayers, folder: &Path, cache_bytes: u64) -> Engine {
    let pieces = Some("5v5".to_owned());
    let query = BuildQuery { side: Some(3), pieces, extent, ..BuildQuery::new(SQUISH) };
    generate(&official(), &query, folder, CHECKPOINT_EVERY, &Limits::default(), &Control::none())
        .expect("built");
    let options = EngineOptions { tables: vec![folder.to_owned()], cache_bytes, ..EngineOptions::default() };
    Engine::open(official(), options).expect("opened").0
}

fn probed(engine: &Engine, position: &str) -> ExactAnswer {
    match engine.probe(&Query::new(SQUISH, position)).expect(position) {
        Answer::Exact(answer) => answer,
        Answer::Chance(_) => panic!("no throws in this game"),
    }
}

/// Positions reached soon from the start.
fn positions(engine: &Engine) -> Vec<String> {
    let (mut seen, mut open) = (BTreeSet::new(), VecDeque::from([START.to_owned()]));
    while let Some(position) = open.pop_front().filter(|_| seen.len() < POSITIONS) {
        let after = probed(engine, &position).moves.into_iter().map(|mv| mv.position);
        open.extend(after.filter(|next| seen.insert(next.clone())));
    }
    seen.into_iter().take(POSITIONS).collect()
}

fn half(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("answers");
    group.throughput(Throughput::Elements(POSITIONS as u64)).sample_size(10);
    let mut expected: Option<Vec<_>> = None;
    for (name, extent) in [("all layers", WrittenLayers::Whole), ("half of them", WrittenLayers::Half)] {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        for (state, cache_bytes) in [("cached", 64 << 20), ("cold", 0)] {
            let engine = engine(extent, folder.path(), cache_bytes);
            let asked = positions(&engine);
            let ask = || asked.iter().map(|position| probed(&engine, position).verdict).collect::<Vec<_>>();
            assert_eq!(&ask(), expected.get_or_insert_with(ask), "{name}");
            group.bench_function(format!("{name}, {state}"), |bencher| bencher.iter(ask));
        }
    }
    group.finish();
}

criterion_group!(benches, half);
criterion_main!(benches);
