//! A whole bundle: solved backwards, solved by sweeps, verified. The cells must be the same.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use marquis_bench::{NEVER, solved};
use marquis_games::hex::Side;
use marquis_games::unification::{Approach, Material, Unification, UnificationIndex};
use marquis_retro::layered::{solve_bundle, solve_bundle_by_rows_from, solve_bundle_forward};
use marquis_retro::verify::verify_layer;
use marquis_retro::{Counts, NoKeeper, SolveLimits};

fn layer(bench: &mut Criterion) {
    let side = Side::new(4).expect("a side");
    let index = UnificationIndex::<Approach>::new(Unification::new(side), 3);
    let layer = Material { mover: 3, opponent: 3 };
    let layers = solved(&index, [layer]);
    let cells = layers.get(layer).expect("it");
    let limits = SolveLimits::until(&NEVER);
    let mut group = bench.benchmark_group("squish, side 4, 3 against 3");
    group.sample_size(10).throughput(Throughput::Elements(Counts::of(cells).positions()));
    group.bench_function("by moves taken back", |bench| {
        bench.iter(|| {
            let solved = solve_bundle(&index, layer, &layers, &limits, &|_| ()).expect("no limit");
            assert!(solved[0].cells == *cells);
        });
    });
    group.bench_function("by rows", |bench| {
        bench.iter(|| {
            let solved =
                solve_bundle_by_rows_from(&index, layer, &layers, None, &NoKeeper, &limits, &|_| ());
            assert!(solved.expect("no limit")[0].cells == *cells);
        });
    });
    group.bench_function("by sweeps", |bench| {
        bench.iter(|| {
            let solved = solve_bundle_forward(&index, layer, &layers, &limits, &|_| ()).expect("no limit");
            assert!(solved[0].cells == *cells);
        });
    });
    group.bench_function("verified", |bench| {
        bench.iter(|| {
            let verified = verify_layer(&index, layer, &layers, 1, &limits, &|_| ()).expect("no limit");
            assert_eq!(verified.counts.positions(), Counts::of(cells).positions());
            assert!(verified.faults.is_empty());
        });
    });
    group.finish();
}

criterion_group!(benches, layer);
criterion_main!(benches);
