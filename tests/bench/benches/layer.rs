//! A whole bundle: solved backwards, solved by sweeps, verified. The cells must be equal.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use marquis_bench::{NEVER, solved};
use marquis_core::Indexed;
use marquis_games::beads::{BeadGame, BeadIndex, Capture, Immobile, Leap, Sandwich, Scope};
use marquis_games::hex::Side;
use marquis_games::unification::{Approach, Material, Unification, UnificationIndex};
use marquis_retro::layered::{solve_bundle, solve_bundle_by_rows_from, solve_bundle_forward};
use marquis_retro::verify::verify_layer;
use marquis_retro::{Counts, NoKeeper, SolveLimits};

/// The layer of a set-up of rooks and beads, solved both ways.
fn rooks<R: Capture>(bench: &mut Criterion) {
    let text = "4/1oo2/1o4/7/6/5/wwbb w";
    let (game, position) = BeadGame::<R>::parse(text, Immobile::Loss).expect("a set-up");
    let index = BeadIndex::<R>::new(Scope::of_position(&game, &position));
    let layer = index.layer(&position);
    let (layers, limits) = (solved(&index, [layer]), SolveLimits::until(&NEVER));
    let cells = layers.get(layer).expect("it");
    let mut group = bench.benchmark_group(format!("{}, side 4, 2 rooks each, 3 beads", R::ID));
    group.sample_size(10).throughput(Throughput::Elements(index.slots(layer)));
    group.bench_function("by moves taken back", |bench| {
        bench.iter(|| {
            let solved = solve_bundle(&index, layer, &layers, &limits, &|_| ()).expect("no limit");
            assert!(solved.iter().any(|own| own.layer == layer && own.cells == *cells));
        });
    });
    group.bench_function("by rows", |bench| {
        bench.iter(|| {
            let solved = solve_bundle_by_rows_from(&index, layer, &layers, None, &NoKeeper, &limits, &|_| ());
            let solved = solved.expect("no limit");
            assert!(solved.iter().any(|own| own.layer == layer && own.cells == *cells));
        });
    });
    group.bench_function("verified", |bench| {
        bench.iter(|| {
            let verified = verify_layer(&index, layer, &layers, 1, &limits, &|_| ()).expect("no limit");
            assert!(verified.faults.is_empty());
        });
    });
    group.finish();
}

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
            let solved = solve_bundle_by_rows_from(&index, layer, &layers, None, &NoKeeper, &limits, &|_| ());
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

criterion_group!(benches, layer, rooks::<Leap>, rooks::<Sandwich>);
criterion_main!(benches);
