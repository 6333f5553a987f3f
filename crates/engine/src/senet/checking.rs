//! Every entry of the tables of Senet against its successors, by the rules alone.
//!
//! One step that agrees within the error proves no error: small faults add up along the play. What proves it is the
//! certificate in the file, an upper and a lower bound of every chance. Let `U` be the upper bounds, and let the mean
//! over the throws of the best move's `U` be *strictly* below the `U` of every position, certainty aside; and let the
//! lower bounds `L` be strictly below that mean of theirs, zero aside. The numbers are whole multiples of one unit, so
//! "strictly" is by a sixteenth of it at least.
//!
//! The player to throw takes the moves that are best by `L`: then `L` of where play stands rises by a sixteenth of a
//! unit a throw on average while it is above zero, whatever the other does. It cannot rise for ever, so play ends with
//! probability one or comes to where `L` is zero, and it is won with the chance `L` at least. The upper bound of a
//! player is the lower one of the other, whose certificate is the same inequality. So the truth is between the
//! bounds, of this layer if it is of those below; and a chance whose bounds are not farther from it than the stated
//! error has this error. Nothing of the solver is assumed or used.

use std::collections::{BTreeSet, HashMap, HashSet};
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
    /// Layers whose stated error is proved, and that error.
    pub(crate) proved: Vec<String>,
    /// Layers whose stated error is not, and why.
    pub(crate) unproved: Vec<String>,
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
    let mut agreeing = Vec::new();
    for layer in layers.into_iter().filter(|&layer| wanted(layer)) {
        if load(store, layer, &mut loaded, &mut checked.faults) {
            let before = checked.faults.len();
            check_layer(layer, &loaded, sample, control, &mut checked)?;
            if checked.faults.len() == before {
                let file = &loaded[&layer];
                agreeing.push(Agreeing { layer, error: file.error, certified: file.has_certificate() });
            }
        }
    }
    conclude(&agreeing, sample.is_some(), &mut checked);
    Ok(checked)
}

/// A layer without faults.
struct Agreeing {
    layer: Layer,
    error: f64,
    certified: bool,
}

/// Says of each layer whether its error is proved: its bounds follow from their own successors, so all layers that
/// moves lead to must have been checked, and have certificates that hold.
///
/// * `layers`: those with fewer pieces first.
fn conclude(layers: &[Agreeing], sampled: bool, checked: &mut Checked) {
    let certified: HashSet<Layer> = layers.iter().filter(|own| own.certified).map(|own| own.layer).collect();
    let mut proved: HashSet<Layer> = HashSet::new();
    for own in layers {
        let both = [own.layer, swapped(own.layer)];
        let holds = |other: &Layer| {
            if both.contains(other) { certified.contains(other) } else { proved.contains(other) }
        };
        let below = both.into_iter().flat_map(needed);
        let missing: BTreeSet<String> = below.filter(|other| !holds(other)).map(layer_name).collect();
        let (name, stated) = (layer_name(own.layer), format!("the stated error of {:.2e}", own.error));
        if !sampled && missing.is_empty() {
            proved.extend(both);
            checked.proved.push(format!("{GAME} {name}: {stated} is proved"));
            continue;
        }
        let why = if sampled {
            "only a sample was checked".to_owned()
        } else if own.certified {
            let missing: Vec<String> = missing.into_iter().collect();
            format!("it rests on {}, of which this is not proved here", missing.join(", "))
        } else {
            "the file has no certificate".to_owned()
        };
        checked.unproved.push(format!("{GAME} {name}: one step agrees; {stated} is not proved: {why}"));
    }
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
    if loaded[&layer].has_certificate() {
        fault_of_bounds(layer, slot, loaded, moves)
    } else {
        fault_of_step(layer, slot, loaded, moves)
    }
}

/// Why the bounds of an entry do not follow from those of its successors, or do not prove its chance.
fn fault_of_bounds(
    layer: Layer,
    slot: Slot,
    loaded: &HashMap<Layer, LoadedLayer>,
    moves: &mut Vec<marquis_games::senet::Move>,
) -> Option<String> {
    let (position, file) = (layer.position(slot), &loaded[&layer]);
    let [lower, upper] = file.bounds(slot);
    let mut sums = [0_u64; 2];
    for &throw in Senet.throws() {
        moves.clear();
        Senet.moves(&position, throw, moves);
        let mut best = [0; 2];
        for &mv in &*moves {
            let after = bounds(&Senet.play(&position, throw, mv), loaded);
            best = [best[0].max(after[0]), best[1].max(after[1])];
        }
        sums = [0, 1].map(|side: usize| sums[side] + u64::from(throw.weight) * best[side]);
    }
    let (farthest, stated) = (file.proved_error(slot), file.error);
    let what = if farthest > stated {
        format!("expected bounds within the stated error of {stated:e}, found one {farthest:e} away")
    } else if lower > 0 && sums[0] <= WEIGHTS * lower {
        format!("expected a lower bound that its successors prove, found {:.12}", chance_of(lower))
    } else if upper < CERTAIN && sums[1] >= WEIGHTS * upper {
        format!("expected an upper bound that its successors prove, found {:.12}", chance_of(upper))
    } else {
        return None;
    };
    Some(format!("{}: {what}", Senet.text(&position)))
}

/// All throws together.
const WEIGHTS: u64 = 16;
/// The bound of what is won, in the units that files tell bounds in.
const CERTAIN: u64 = LoadedLayer::CERTAIN;

fn chance_of(units: u64) -> f64 {
    units as f64 / CERTAIN as f64
}

/// The bounds of the chance of the first player.
fn bounds(position: &Position, loaded: &HashMap<Layer, LoadedLayer>) -> [u64; 2] {
    let Some(layer) = Layer::of(position) else {
        return if position.pieces(Player::First).is_empty() { [CERTAIN; 2] } else { [0; 2] };
    };
    let [lower, upper] = loaded[&layer].bounds(layer.slot(position));
    if position.turn() == Player::First { [lower, upper] } else { [CERTAIN - upper, CERTAIN - lower] }
}

/// How an entry disagrees with one step.
fn fault_of_step(
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
