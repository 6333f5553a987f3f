//! Bundles solved with a spill store that fails, loses everything after its last checkpoint, and is used again.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use marquis_core::{Indexed, Rowed};
use marquis_games::beads::Leap;
use marquis_games::unification::{Approach, Flow, Material};
use marquis_retro::layered::solve_bundle_forward;
use marquis_retro::layered::strips::{
    Extent, Failure, LayerNumber, SpillStore, StripNumber, StripSizes, solve_in_strips,
};
use marquis_retro::{LayerCells, Layers, SolveLimits, Stopped};

use crate::beads::parsed;
use crate::common::quiet;
use crate::layered::index;
use crate::rows::random_below;
use crate::track::Track;

/// The content of the spill store.
#[derive(Clone, Default)]
struct Things {
    strips: BTreeMap<StripNumber, (Vec<u8>, Vec<u8>)>,
    messages: BTreeMap<StripNumber, Vec<u8>>,
}

#[derive(Default)]
struct Memory {
    now: Mutex<Things>,
    kept: Mutex<Option<(Things, Vec<u8>)>>,
    finished: Mutex<Vec<(Extent, LayerCells)>>,
    /// Operations until it fails; it never does at 0.
    patience: AtomicU64,
    /// A checkpoint is due at every `every`-th question.
    every: u64,
    asked: AtomicU64,
}

#[derive(Debug, PartialEq, Eq)]
struct Broken;

impl Memory {
    fn new(every: u64) -> Self {
        Self { every, ..Self::default() }
    }

    fn ask(&self) -> Result<(), Broken> {
        let left = self.patience.load(Relaxed);
        self.patience.store(left.saturating_sub(1), Relaxed);
        if left == 1 { Err(Broken) } else { Ok(()) }
    }

    /// The cells of each layer.
    fn cells(&self) -> Vec<LayerCells> {
        let mut layers: Vec<Option<LayerCells>> = Vec::new();
        for (extent, cells) in self.finished.lock().unwrap().drain(..) {
            let LayerNumber(layer) = extent.layer;
            layers.resize(layers.len().max(layer + 1), None);
            assert_eq!(layers[layer].as_ref().map_or(0, LayerCells::len) as u64, extent.slots.start);
            layers[layer] = Some(match (layers[layer].take(), cells) {
                (None, cells) => cells,
                (Some(LayerCells::Narrow(mut all)), LayerCells::Narrow(more)) => {
                    all.extend(more);
                    LayerCells::Narrow(all)
                }
                (Some(LayerCells::Wide(mut all)), LayerCells::Wide(more)) => {
                    all.extend(more);
                    LayerCells::Wide(all)
                }
                _ => panic!("one width for all strips of a bundle"),
            });
        }
        layers.into_iter().map(|cells| cells.expect("every layer has slots")).collect()
    }
}

impl SpillStore for Memory {
    type Error = Broken;

    fn kept(&self) -> Result<Option<Vec<u8>>, Broken> {
        self.finished.lock().unwrap().clear();
        let kept = self.kept.lock().unwrap().clone();
        let (things, words) = kept.map_or((Things::default(), None), |(things, words)| (things, Some(words)));
        *self.now.lock().unwrap() = things;
        Ok(words)
    }

    fn clear(&self) -> Result<(), Broken> {
        *self.kept.lock().unwrap() = None;
        *self.now.lock().unwrap() = Things::default();
        Ok(())
    }

    fn write(&self, strip: StripNumber, own: &[u8], mirror: &[u8]) -> Result<(), Broken> {
        self.ask()?;
        self.now.lock().unwrap().strips.insert(strip, (own.to_vec(), mirror.to_vec()));
        Ok(())
    }

    fn read(&self, strip: StripNumber, bytes: usize) -> Result<(Vec<u8>, Vec<u8>), Broken> {
        self.ask()?;
        let found = self.now.lock().unwrap().strips[&strip].clone();
        assert_eq!((found.0.len(), found.1.len()), (bytes, bytes));
        Ok(found)
    }

    fn tell(&self, strip: StripNumber, messages: &[u8]) -> Result<(), Broken> {
        self.ask()?;
        self.now.lock().unwrap().messages.entry(strip).or_default().extend_from_slice(messages);
        Ok(())
    }

    fn take(&self, strip: StripNumber, each: usize, visit: &mut dyn FnMut(&[u8])) -> Result<(), Broken> {
        self.ask()?;
        let messages = self.now.lock().unwrap().messages.remove(&strip).unwrap_or_default();
        assert!(messages.len().is_multiple_of(each));
        messages.chunks(each * 100).for_each(visit);
        Ok(())
    }

    fn is_due(&self) -> bool {
        self.every > 0 && self.asked.fetch_add(1, Relaxed) % self.every == self.every - 1
    }

    fn keep(&self, words: &[u8]) -> Result<(), Broken> {
        self.ask()?;
        *self.kept.lock().unwrap() = Some((self.now.lock().unwrap().clone(), words.to_vec()));
        Ok(())
    }

    fn finish(&self, extent: &Extent, cells: LayerCells) -> Result<(), Broken> {
        self.ask()?;
        self.finished.lock().unwrap().push((extent.clone(), cells));
        Ok(())
    }
}

/// Strips of `slots` slots.
fn sizes(slots: u64, outbox_bytes: u64) -> StripSizes {
    StripSizes { strips: 0, slots, outbox_bytes, memory_bytes: 0, spill_bytes: 0 }
}

fn solve<G: Rowed>(
    game: &G,
    layer: G::Layer,
    below: &Layers<G::Layer>,
    sizes: StripSizes,
    spill: &Memory,
) -> Result<(), Failure<Broken>> {
    let (stop, pool) =
        (AtomicBool::new(false), rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap());
    let limits = SolveLimits::until(&stop);
    pool.install(|| solve_in_strips(game, layer, below, sizes, spill, &limits, &quiet))
}

/// The cells by sweeps over all of them.
fn judged<G: Indexed>(game: &G, layer: G::Layer, below: &Layers<G::Layer>) -> Vec<LayerCells> {
    let stop = AtomicBool::new(false);
    let judged = solve_bundle_forward(game, layer, below, &SolveLimits::until(&stop), &quiet).unwrap();
    judged.into_iter().map(|own| own.cells).collect()
}

fn check<G: Rowed>(game: &G, layer: G::Layer, below: &Layers<G::Layer>) {
    let expected = judged(game, layer, below);
    for (slots, boxes) in [(1, 1 << 20), (5000, 0), (20_000, 4000), (1 << 24, 0)] {
        let spill = Memory::new(3);
        solve(game, layer, below, sizes(slots, boxes), &spill).unwrap();
        assert!(spill.cells() == expected, "{layer:?} in strips of {slots} slots");
    }
}

#[test]
fn layers_solved_with_a_spill_store_equal_those_in_memory() {
    for (mover, opponent) in [(3, 3), (4, 2), (3, 4)] {
        let layer = Material { mover, opponent };
        let (squish, flowish) = (index::<Approach>(3, 4), index::<Flow>(3, 4));
        check(&squish, layer, &random_below(&squish, layer, 1));
        check(&flowish, layer, &random_below(&flowish, layer, 2));
    }
    let (swish, root) = parsed::<Leap>("w1w/4/1oo2/4/1bb w", marquis_core::Immobile::Loss);
    let layer = swish.layer(&root);
    check(&swish, layer, &random_below(&swish, layer, 3));
}

/// The spill store fails at any moment, loses everything after its last checkpoint, and the result has the same cells.
#[test]
fn a_failing_spill_store_loses_only_work_since_its_last_checkpoint() {
    let (game, layer) = (index::<Approach>(3, 4), Material { mover: 3, opponent: 4 });
    let below = random_below(&game, layer, 5);
    let expected = judged(&game, layer, &below);
    let mut breaks = 0;
    for first in [1, 2, 7, 20, 90, 200] {
        let spill = Memory::new(4);
        let mut patience = first;
        loop {
            spill.patience.store(patience, Relaxed);
            match solve(&game, layer, &below, sizes(4000, 2000), &spill) {
                Ok(()) => break,
                Err(failure) => assert_eq!(failure, Failure::SpillStore(Broken)),
            }
            (breaks, patience) = (breaks + 1, patience + 60);
        }
        assert!(spill.cells() == expected, "broken first at question {first}");
    }
    assert!(breaks > 20, "it broke {breaks} times only");
}

#[test]
fn an_interrupted_bundle_in_strips_is_kept_and_gone_on_with() {
    let (game, layer) = (index::<Approach>(3, 4), Material { mover: 4, opponent: 3 });
    let below = random_below(&game, layer, 6);
    let expected = judged(&game, layer, &below);
    let (spill, mut stops) = (Memory::new(0), 0);
    loop {
        let (stop, messages) = (AtomicBool::new(false), AtomicU64::new(0));
        let interrupt = |_| {
            stop.fetch_or(messages.fetch_add(1, Relaxed) == 30, Relaxed);
        };
        let limits = SolveLimits::until(&stop);
        match solve_in_strips(&game, layer, &below, sizes(4000, 2000), &spill, &limits, &interrupt) {
            Ok(()) => break,
            Err(failure) => assert_eq!(failure, Failure::Stopped(Stopped::Interrupted)),
        }
        stops += 1;
        assert!(spill.kept.lock().unwrap().is_some(), "stop {stops}");
    }
    assert!(stops > 5, "it was stopped {stops} times only");
    assert!(spill.cells() == expected);
}

#[test]
fn strips_of_a_long_game_begin_again_with_wider_cells() {
    for cells in [64, 65, 90] {
        let (track, none) = (Track { cells }, Layers::default());
        let expected = judged(&track, (), &none);
        let spill = Memory::new(5);
        // It lasts longer each time: a spill store that always fails before the first checkpoint makes no progress.
        for patience in (500..).step_by(500) {
            spill.patience.store(patience, Relaxed);
            if solve(&track, (), &none, sizes(500, 0), &spill).is_ok() {
                break;
            }
        }
        assert!(spill.cells() == expected, "{cells} cells");
    }
}

#[test]
fn kept_strips_that_are_too_large_are_begun_again() {
    let (game, layer) = (index::<Flow>(3, 3), Material { mover: 3, opponent: 3 });
    let below = random_below(&game, layer, 7);
    let expected = judged(&game, layer, &below);
    for next in [9000, 4000, 2000] {
        let spill = Memory::new(1);
        spill.patience.store(50, Relaxed);
        solve(&game, layer, &below, sizes(4000, 0), &spill).unwrap_err();
        assert!(spill.kept.lock().unwrap().is_some());
        solve(&game, layer, &below, sizes(next, 0), &spill).unwrap();
        assert!(spill.cells() == expected, "4000, then {next}");
    }
}

#[test]
fn strips_take_the_memory_that_they_say() {
    let layer = Material { mover: 4, opponent: 4 };
    let four = index::<Approach>(4, 4);
    let slots = four.slots(layer);
    let least = StripSizes::least_bytes(&four, layer).unwrap();
    assert!(least < slots / 8, "{least} bytes for {slots} slots");
    assert_eq!(StripSizes::within(&four, layer, least - 1), None);
    for room in [least, least * 2, slots / 3, slots * 4] {
        let sizes = StripSizes::within(&four, layer, room).unwrap();
        assert!(sizes.memory_bytes <= room, "{sizes:?} in {room}");
        assert!(sizes.outbox_bytes + 6 * sizes.slots <= room, "{sizes:?} in {room}");
    }
    let (three, even) = (index::<Flow>(3, 9), Material { mover: 7, opponent: 7 });
    assert_eq!(StripSizes::least_bytes(&three, even), None, "rows do not pay there");
}
