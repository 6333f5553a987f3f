//! Every entry of the tables of Senet against its successors, by the rules alone.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use marquis_core::{Chance, Player, Slot};
use marquis_games::Senet;
use marquis_games::senet::{Layer, Position};
use marquis_table::Store;
use rayon::prelude::*;

use super::file::{GAME, LoadedLayer, VARIANT, layer_name, layer_named};
use super::solving::swapped;
use crate::{Control, EngineError, Progress};

/// Entries between two looks at the stop flag.
const BATCH: u64 = 1 << 14;
/// Faults of a layer that are told.
const MOST_FAULTS: usize = 5;
/// More than the sums of a backup can lose.
const ROUNDING: f64 = 1e-14;

/// What was found in the tables of Senet.
#[derive(Default)]
pub(crate) struct Checked {
    pub(crate) entries: u64,
    pub(crate) faults: Vec<String>,
}

/// Checks the entries of all layers that `wanted` names.
///
/// * `sample`: check about so many entries of each layer instead of all.
///
/// # Errors
/// An interruption. What is wrong with a table is a fault.
pub(crate) fn check(
    store: &Store,
    wanted: &dyn Fn(Layer) -> bool,
    sample: Option<u64>,
    control: &Control<'_>,
) -> Result<Checked, EngineError> {
    let names = store.tables().map(|(_, table)| &table.header().identity);
    let mut layers: Vec<Layer> =
        names.filter(|identity| identity.game == GAME).filter_map(|own| layer_named(&own.layer)).collect();
    layers.sort_by_key(|layer| (layer.mover + layer.waiter, layer.mover.max(layer.waiter), layer.mover));
    layers.dedup();
    let mut checked = Checked::default();
    let mut loaded = HashMap::new();
    for layer in layers.into_iter().filter(|&layer| wanted(layer)) {
        if load(store, layer, &mut loaded, &mut checked.faults) {
            check_layer(layer, &loaded, sample, control, &mut checked)?;
        }
    }
    Ok(checked)
}

/// The layers that moves of one lead to, itself among them.
fn needed(layer: Layer) -> Vec<Layer> {
    let fewer = Layer::new(layer.mover - 1, layer.waiter);
    let both = [Some(layer), fewer].into_iter().flatten();
    both.flat_map(|layer| [layer, swapped(layer)]).collect()
}

/// Reads what is needed, and lets go of what is not; false when something is missing.
fn load(
    store: &Store,
    layer: Layer,
    loaded: &mut HashMap<Layer, LoadedLayer>,
    faults: &mut Vec<String>,
) -> bool {
    let needed = needed(layer);
    loaded.retain(|layer, _| needed.contains(layer));
    for other in needed {
        if loaded.contains_key(&other) {
            continue;
        }
        let missing = || "expected this layer that moves lead to, found no usable file of it".to_owned();
        let table = store.find(GAME, VARIANT, &layer_name(other)).ok_or_else(missing);
        match table.and_then(LoadedLayer::read) {
            Ok(file) => drop(loaded.insert(other, file)),
            Err(why) => {
                faults.push(format!("{GAME} {}: {}: {why}", layer_name(layer), layer_name(other)));
                return false;
            }
        }
    }
    true
}

fn check_layer(
    layer: Layer,
    loaded: &HashMap<Layer, LoadedLayer>,
    sample: Option<u64>,
    control: &Control<'_>,
    checked: &mut Checked,
) -> Result<(), EngineError> {
    let name = layer_name(layer);
    let every = sample.map_or(1, |sample| (layer.slots() / sample.max(1)).max(1));
    let entries = layer.slots().div_ceil(every);
    let done = AtomicU64::new(0);
    let batches = (0..entries.div_ceil(BATCH)).into_par_iter();
    let faults: Option<Vec<Vec<String>>> = batches
        .map(|batch| {
            if control.stopped() {
                return None;
            }
            let numbers = batch * BATCH..entries.min((batch + 1) * BATCH);
            let done = done.fetch_add(numbers.end - numbers.start, Relaxed);
            let phase = format!("verifying {GAME} {name}");
            control.tell(&Progress { phase, done, total: Some(entries), bounds: None });
            let mut moves = Vec::new();
            let slots = numbers.map(|number| Slot(number * every));
            Some(slots.filter_map(|slot| fault(layer, slot, loaded, &mut moves)).take(MOST_FAULTS).collect())
        })
        .collect();
    let faults = faults.ok_or(EngineError::Interrupted)?;
    checked.entries += entries;
    let faults = faults.into_iter().flatten().take(MOST_FAULTS);
    checked.faults.extend(faults.map(|fault| format!("{GAME} {name}: {fault}")));
    Ok(())
}

/// What is wrong with an entry.
fn fault(
    layer: Layer,
    slot: Slot,
    loaded: &HashMap<Layer, LoadedLayer>,
    moves: &mut Vec<marquis_games::senet::Move>,
) -> Option<String> {
    let (position, file) = (layer.position(slot), &loaded[&layer]);
    // The successors were rounded too.
    let within = file.error + loaded.values().map(LoadedLayer::rounding).fold(0.0, f64::max) + ROUNDING;
    let found = file.chance(slot);
    let mut expected = 0.0;
    for &throw in Senet.throws() {
        moves.clear();
        Senet.moves(&position, throw, moves);
        let chances = moves.iter().map(|&mv| chance(&Senet.play(&position, throw, mv), loaded));
        expected += f64::from(throw.weight) / 16.0 * chances.fold(0.0, f64::max);
    }
    let apart = (found - expected).abs();
    (apart > within).then(|| {
        let position = Senet.text(&position);
        format!("{position}: expected {expected:.10} within {within:.1e}, found {found:.10}")
    })
}

/// The chance of the first player.
fn chance(position: &Position, loaded: &HashMap<Layer, LoadedLayer>) -> f64 {
    let Some(layer) = Layer::of(position) else {
        return if position.pieces(Player::First).is_empty() { 1.0 } else { 0.0 };
    };
    let chance = loaded[&layer].chance(layer.slot(position));
    if position.turn() == Player::First { chance } else { 1.0 - chance }
}
