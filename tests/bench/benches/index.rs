//! Slots, positions, successors and retractions. Every answer is compared with another way to compute it.

use std::hint::black_box;
use std::ops::ControlFlow;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use marquis_core::{Game, Indexed, Reach, Retract, Slot};
use marquis_games::hex::Side;
use marquis_games::unification::{Approach, Material, Position, Unification, UnificationIndex};

const POSITIONS: u64 = 4096;

fn index(bench: &mut Criterion) {
    let side = Side::new(4).expect("a side");
    let index = UnificationIndex::<Approach>::new(Unification::new(side), 4);
    let layer = Material { mover: 4, opponent: 4 };
    let step = index.slots(layer) / POSITIONS;
    let slots: Vec<Slot> = (0..POSITIONS).map(|number| Slot(number * step)).collect();
    let positions: Vec<Position> = slots.iter().filter_map(|&slot| index.position(layer, slot)).collect();
    let mut group = bench.benchmark_group("index of squish, side 4, 4 against 4");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("position of a slot", |bench| {
        bench.iter(|| {
            let found =
                slots.iter().filter(|&&slot| index.position(layer, black_box(slot)).is_some()).count();
            assert_eq!(found, positions.len());
        });
    });
    group.bench_function("slot of a position", |bench| {
        let sum: u64 = positions.iter().map(|position| index.slot(position).1.0).sum();
        bench.iter(|| {
            let found: u64 = positions.iter().map(|position| index.slot(black_box(position)).1.0).sum();
            assert_eq!(found, sum);
        });
    });
    let by_rules: u64 = positions.iter().map(|position| moves(&index, position)).sum();
    group.throughput(Throughput::Elements(by_rules));
    group.bench_function("successors, each", |bench| {
        bench.iter(|| {
            let found: u64 = positions.iter().map(|position| successors(&index, position)).sum();
            assert_eq!(found, by_rules);
        });
    });
    let mirror: u64 = positions.iter().map(|position| un_moves(&index, position)).sum();
    group.throughput(Throughput::Elements(mirror));
    group.bench_function("moves taken back, each", |bench| {
        bench.iter(|| {
            let found: u64 = positions.iter().map(|position| un_moves(&index, black_box(position))).sum();
            assert_eq!(found, mirror);
        });
    });
    group.finish();
}

fn moves(index: &UnificationIndex<Approach>, position: &Position) -> u64 {
    let mut moves = Vec::new();
    index.moves(position, &mut moves);
    moves.len() as u64
}

fn successors(index: &UnificationIndex<Approach>, position: &Position) -> u64 {
    let mut count = 0;
    let _ = index.successors::<()>(black_box(position), Reach::All, |_, _| {
        count += 1;
        ControlFlow::Continue(())
    });
    count
}

fn un_moves(index: &UnificationIndex<Approach>, position: &Position) -> u64 {
    let mut count = 0;
    index.predecessors(position, |layer, slot, before| {
        assert_eq!(index.slot(before), (layer, slot));
        count += 1;
    });
    count
}

criterion_group!(benches, index);
criterion_main!(benches);
