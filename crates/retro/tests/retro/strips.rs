//! Layers in strips that share no memory: messages between them travel in batches.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16};

use marquis_core::{Indexed, Plies, Retract, Rowed, Slot};
use marquis_games::beads::Leap;
use marquis_games::unification::{Approach, Flow, Material};
use marquis_retro::layered::strips::{Code, LayerNumber, Matrices, Sink, Strip, StripCut, StripNumber};
use marquis_retro::layered::{solve_bundle, solve_bundle_forward};
use marquis_retro::{BundlePlan, CellWidth, LayerCells, Layers, SolveLimits, Stopped};

use crate::beads::{self, parsed};
use crate::common::quiet;
use crate::layered::{index, materials};
use crate::rows::random_below;
use crate::track::Track;

/// The time when messages reach their strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Delivery {
    /// After the step of the strip that sent them.
    AtOnce,
    /// After the steps of all strips.
    EveryPly,
    /// Before the next step of the strip that receives them.
    WhenDue,
}

type Message = (Slot, Code);

/// Messages under way, by receiving strip.
struct Inboxes<'a> {
    cut: &'a StripCut,
    inboxes: Vec<Mutex<Vec<Message>>>,
}

impl<'a> Inboxes<'a> {
    fn new(cut: &'a StripCut) -> Self {
        Self { cut, inboxes: cut.strips().map(|_| Mutex::default()).collect() }
    }

    fn to<'s>(&'s self, layer: LayerNumber) -> impl Fn() -> Outgoing<'s> + Sync {
        move || Outgoing { inboxes: self, layer }
    }

    /// The messages in the order of sending.
    fn take(&self, StripNumber(strip): StripNumber) -> Vec<Message> {
        std::mem::take(&mut self.inboxes[strip].lock().unwrap())
    }
}

struct Outgoing<'a> {
    inboxes: &'a Inboxes<'a>,
    layer: LayerNumber,
}

impl Sink for Outgoing<'_> {
    fn put(&self, slot: Slot, code: Code) {
        let StripNumber(strip) = self.inboxes.cut.strip_of(self.layer, slot);
        self.inboxes.inboxes[strip].lock().unwrap().push((slot, code));
    }
}

/// A bundle in strips.
struct Strips<'m, 'a, G: Rowed + 'a, W> {
    matrices: &'m Matrices<'a, G>,
    inboxes: Inboxes<'m>,
    strips: Vec<Strip<W>>,
}

impl<'m, 'a, G: Rowed, W: CellWidth> Strips<'m, 'a, G, W> {
    fn new(matrices: &'m Matrices<'a, G>, cut: &'m StripCut) -> Self {
        let strips = cut.strips().map(|strip| Strip::undecided(cut.extent(strip))).collect();
        Self { matrices, inboxes: Inboxes::new(cut), strips }
    }

    fn deliver(&mut self) {
        for (strip, number) in self.strips.iter_mut().zip(self.inboxes.cut.strips()) {
            self.inboxes.take(number).into_iter().for_each(|(slot, code)| strip.put(slot, code));
        }
    }

    fn facing(&self, number: usize) -> LayerNumber {
        self.matrices.facing(self.strips[number].extent().layer)
    }

    fn look(&mut self, limits: &SolveLimits<'_>) -> Result<(), Stopped> {
        for (number, strip) in self.strips.iter().enumerate() {
            self.matrices.look(&strip.view(), &self.inboxes.to(self.facing(number)), limits)?;
        }
        Ok(())
    }

    /// All plies from one on, visiting the strips alternately forwards and backwards.
    fn spread(
        &mut self,
        mut ply: Plies,
        delivery: Delivery,
        limits: &SolveLimits<'_>,
    ) -> Result<(), Stopped> {
        self.deliver();
        while ply <= self.matrices.farthest() {
            self.step(ply, delivery, limits)?;
            ply = ply.next();
        }
        self.deliver();
        Ok(())
    }

    fn step(&mut self, ply: Plies, delivery: Delivery, limits: &SolveLimits<'_>) -> Result<(), Stopped> {
        let count = self.strips.len();
        for at in 0..count {
            let number = if ply.0.is_multiple_of(2) { at } else { count - 1 - at };
            if delivery == Delivery::WhenDue {
                let messages = self.inboxes.take(StripNumber(number));
                messages.into_iter().for_each(|(slot, code)| self.strips[number].put(slot, code));
            }
            self.step_one(number, ply, limits)?;
            if delivery == Delivery::AtOnce {
                self.deliver();
            }
        }
        if delivery == Delivery::EveryPly {
            self.deliver();
        }
        Ok(())
    }

    fn step_one(&self, number: usize, ply: Plies, limits: &SolveLimits<'_>) -> Result<(), Stopped> {
        let (strip, sink) = (&self.strips[number], self.inboxes.to(self.facing(number)));
        let is_due = strip.is_due(ply);
        let settled = if is_due { self.matrices.step(&strip.view(), ply, &sink, limits)? } else { 0 };
        assert_eq!(settled > 0, is_due, "{ply:?}, strip {number}");
        Ok(())
    }

    /// The cells of each layer.
    fn finished(self) -> Vec<LayerCells> {
        let mut layers = self.matrices.layers().iter().map(|_| Vec::new()).collect::<Vec<_>>();
        let is_wide = W::BYTES > 1;
        for strip in self.strips {
            let LayerNumber(layer) = strip.extent().layer;
            layers[layer].extend(codes(&strip.finished()));
        }
        let cells = |codes: Vec<u16>| {
            if is_wide {
                LayerCells::Wide(codes)
            } else {
                LayerCells::Narrow(codes.iter().map(|&c| c as u8).collect())
            }
        };
        layers.into_iter().map(cells).collect()
    }
}

fn codes(cells: &LayerCells) -> Vec<u16> {
    match cells {
        LayerCells::Narrow(cells) => cells.iter().map(|&code| code.into()).collect(),
        LayerCells::Wide(cells) => cells.clone(),
    }
}

/// The cells of a bundle, solved in strips of at most about `most` slots.
fn in_strips<G: Rowed, W: CellWidth>(
    game: &G,
    layer: G::Layer,
    lower: &Layers<G::Layer>,
    most: u64,
    delivery: Delivery,
) -> Result<Vec<LayerCells>, Stopped> {
    let stop = AtomicBool::new(false);
    let limits = SolveLimits::until(&stop);
    let matrices = Matrices::new(game, layer, lower);
    let cut = matrices.cut(most);
    let mut strips = Strips::<'_, '_, G, W>::new(&matrices, &cut);
    strips.look(&limits)?;
    strips.spread(Plies::ZERO, delivery, &limits)?;
    Ok(strips.finished())
}

const DELIVERIES: [Delivery; 3] = [Delivery::AtOnce, Delivery::EveryPly, Delivery::WhenDue];

fn check_all<G: Retract + Rowed>(game: &G, wanted: Vec<G::Layer>, threads: usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (stop, mut layers) = (AtomicBool::new(false), Layers::default());
    for bundle in BundlePlan::new(game, wanted).bundles {
        let first = bundle.layers[0];
        let limits = SolveLimits::until(&stop);
        let expected = solve_bundle(game, first, &layers, &limits, &quiet).unwrap();
        let slots = bundle.slots();
        for (delivery, most) in DELIVERIES.into_iter().zip([slots / 7, 1, slots / 3]) {
            let found =
                pool.install(|| in_strips::<_, AtomicU8>(game, first, &layers, most, delivery)).unwrap();
            assert!(
                found.iter().eq(expected.iter().map(|own| &own.cells)),
                "{first:?}, {delivery:?}, {most}"
            );
        }
        expected.into_iter().for_each(|own| layers.insert(own.layer, own.cells));
    }
}

#[test]
fn layers_in_strips_are_those_by_positions() {
    check_all(&index::<Approach>(2, 6), materials(2, 6), 1);
    check_all(&index::<Approach>(3, 4), materials(3, 4), 5);
    check_all(&index::<Flow>(3, 3), materials(3, 3), 2);
    let (swish, _) = parsed::<Leap>("w2/4/1oo2/4/1bb w", marquis_core::Immobile::Loss);
    let layers = beads::layers(&swish);
    check_all(&swish, layers, 2);
}

#[test]
fn random_scores_below_strips_are_carried_upwards_alike() {
    let stop = AtomicBool::new(false);
    for (mover, opponent, seed) in [(3, 3, 1), (2, 4, 2), (3, 4, 3)] {
        let (game, layer) = (index::<Approach>(3, 4), Material { mover, opponent });
        let below = random_below(&game, layer, seed);
        let limits = SolveLimits::until(&stop);
        let expected = solve_bundle_forward(&game, layer, &below, &limits, &quiet).unwrap();
        for (delivery, most) in DELIVERIES.into_iter().zip([5000, 20_000, 1000]) {
            let found = in_strips::<_, AtomicU8>(&game, layer, &below, most, delivery).unwrap();
            assert!(found.iter().eq(expected.iter().map(|own| &own.cells)), "{layer:?}, {delivery:?}");
        }
    }
}

#[test]
fn strips_of_wide_cells_hold_more_plies_than_a_byte() {
    let (track, none) = (Track { cells: 90 }, Layers::default());
    let stop = AtomicBool::new(false);
    let whole = solve_bundle_forward(&track, (), &none, &SolveLimits::until(&stop), &quiet).unwrap();
    assert_eq!(
        in_strips::<_, AtomicU8>(&track, (), &none, 100, Delivery::EveryPly),
        Err(Stopped::TooManyPlies)
    );
    for delivery in DELIVERIES {
        let found = in_strips::<_, AtomicU16>(&track, (), &none, 100, delivery).unwrap();
        assert!(found[0] == whole[0].cells, "{delivery:?}");
    }
}

/// After every ply the cells alone suffice to resume: mirrors follow from them.
#[test]
fn strips_go_on_from_their_cells_alone() {
    let stop = AtomicBool::new(false);
    let limits = SolveLimits::until(&stop);
    let (game, layer) = (index::<Approach>(3, 4), Material { mover: 3, opponent: 4 });
    let below = random_below(&game, layer, 4);
    let expected = in_strips::<_, AtomicU8>(&game, layer, &below, 1 << 20, Delivery::EveryPly).unwrap();
    for stop_after in [0, 1, 5, 12] {
        let matrices = Matrices::new(&game, layer, &below);
        let cut = matrices.cut(3000);
        let mut strips = Strips::<'_, '_, _, AtomicU8>::new(&matrices, &cut);
        strips.look(&limits).unwrap();
        strips.deliver();
        for ply in (0..stop_after).map(Plies) {
            strips.step(ply, Delivery::EveryPly, &limits).unwrap();
        }
        let cells: Vec<Vec<u8>> = strips.strips.into_iter().map(|strip| strip.into_bytes().0).collect();
        let again = Matrices::new(&game, layer, &below);
        again.resume_from(matrices.farthest());
        let inboxes = Inboxes::new(&cut);
        let fresh = |(strip, own): (StripNumber, Vec<u8>)| {
            let mirror = vec![1; own.len()];
            Strip::from_bytes(cut.extent(strip), own, mirror).expect("as many cells")
        };
        let strips: Vec<Strip<AtomicU8>> = cut.strips().zip(cells).map(fresh).collect();
        for strip in &strips {
            again.reflect(&strip.view(), &inboxes.to(again.facing(strip.extent().layer)), &limits).unwrap();
        }
        let mut strips = Strips { matrices: &again, inboxes, strips };
        for (strip, number) in strips.strips.iter_mut().zip(cut.strips()) {
            strips.inboxes.take(number).into_iter().for_each(|(slot, code)| strip.put_mirror(slot, code));
        }
        strips.spread(Plies(stop_after), Delivery::WhenDue, &limits).unwrap();
        assert!(strips.finished() == expected, "after {stop_after} plies");
    }
}

/// Strips have all rows of all layers, once each and in order.
#[test]
fn strips_are_whole_rows_and_all_of_them() {
    let game = index::<Flow>(3, 4);
    let layer = Material { mover: 2, opponent: 4 };
    let below = random_below(&game, layer, 1);
    let matrices = Matrices::new(&game, layer, &below);
    for most in [0, 1, 777, 5000, u64::MAX] {
        let cut = matrices.cut(most);
        let mut next = [0; 2];
        for number in cut.strips() {
            let extent = cut.extent(number);
            let LayerNumber(layer) = extent.layer;
            assert_eq!(extent.slots.start, next[layer], "{number:?} of {most}");
            let columns = (extent.slots.end - extent.slots.start) / (extent.rows.end - extent.rows.start);
            assert!(extent.slots.end - extent.slots.start <= most.max(columns));
            for slot in [extent.slots.start, extent.slots.end - 1].map(Slot) {
                assert_eq!(cut.strip_of(extent.layer, slot), number);
            }
            next[layer] = extent.slots.end;
        }
        let layers = matrices.layers();
        assert_eq!(next.to_vec(), layers.iter().map(|&layer| game.slots(layer)).collect::<Vec<_>>());
    }
}
