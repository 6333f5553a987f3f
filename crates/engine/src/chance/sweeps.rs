//! Self-proving bounds of the chances of small layers, by sweeps over explicit positions.
//!
//! A bound is the fixed point of a sweep that adds a little at every throw: so the mean over the throws is *strictly*
//! on the right side of it everywhere, which is all that the verifier requires. If play may never end, there is no
//! such bound below certainty, and nothing is claimed.

use std::collections::HashMap;

use marquis_chance::grid::ChanceCell as _;
use marquis_core::{Chance as _, Player, Slot};

use crate::EngineError;
use crate::files::chances::{LayerChances, LoadedLayer};
use crate::game::chance::{ChanceGame, ChanceWork};

/// A certain win, in units.
const CERTAIN: u64 = u64::ONE;
/// The first addition per throw, in units; multiplied by eight while it is too small.
const FIRST_STEP: u64 = 8;
const MOST_STEP: u64 = 1 << 24;
/// The largest change of a sweep, as a fraction of certainty, that counts as converged.
const SETTLED: f64 = 1e-15;
/// Sweeps between two checks of the limits.
const SWEEPS_A_LOOK: usize = 16;
/// The number of sweeps after which play seems not to end.
const MOST_SWEEPS: usize = 1_000_000;

/// A successor: its bounds, or the index of its bounds, both for the player who made the move.
#[derive(Clone, Copy)]
enum Next {
    Known([f64; 2]),
    Own(usize),
    Turned(usize),
}

impl Next {
    fn look(self, bounds: &[[f64; 2]]) -> [f64; 2] {
        match self {
            Self::Known(known) => known,
            Self::Own(place) => bounds[place],
            Self::Turned(place) => [1.0 - bounds[place][1], 1.0 - bounds[place][0]],
        }
    }
}

/// The successors of all positions, throw by throw, and the chance of each throw.
struct Edges {
    chances: Vec<f64>,
    nexts: Vec<Vec<Vec<Next>>>,
}

impl Edges {
    /// The mean over the throws of the best move.
    fn back_up(&self, place: usize, bounds: &[[f64; 2]]) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for (chance, nexts) in self.chances.iter().zip(&self.nexts[place]) {
            let best = nexts.iter().map(|next| next.look(bounds));
            let best = best.reduce(|a, b| [a[0].max(b[0]), a[1].max(b[1])]).unwrap_or([0.0; 2]);
            sums = [sums[0] + chance * best[0], sums[1] + chance * best[1]];
        }
        sums
    }
}

/// Finds bounds of every chance of these layers, and writes their files.
///
/// # Errors
/// A file that cannot be written, an interruption, the time limit, or a game that does not end.
pub fn sweep<G: ChanceGame>(
    rules: &G::Rules,
    layers: &[G::Layer],
    work: &ChanceWork<'_, G::Layer>,
) -> Result<(), EngineError> {
    let edges = edges::<G>(rules, layers, work)?;
    let bounds = bounds(&edges, work)?;
    let mut rest = bounds.as_slice();
    for &layer in layers {
        let (own, others) = rest.split_at(G::slots(rules, layer) as usize);
        rest = others;
        let gap = own.iter().map(|[lower, upper]| upper - lower).max().unwrap_or(0);
        let gap = gap as f64 / CERTAIN as f64;
        let bounds = |first: Slot, out: &mut [[u64; 2]]| {
            out.copy_from_slice(&own[first.0 as usize..][..out.len()]);
            Ok(())
        };
        let solved = LayerChances { bounds: &bounds, parts: PARTS, gap };
        work.write(layer, &solved)?;
    }
    Ok(())
}

/// Bounds are integer multiples of this part of a cell's unit.
const PARTS: u64 = CERTAIN / u32::MAX as u64;

fn edges<G: ChanceGame>(
    rules: &G::Rules,
    layers: &[G::Layer],
    work: &ChanceWork<'_, G::Layer>,
) -> Result<Edges, EngineError> {
    let total: u32 = rules.throws().iter().map(|throw| u32::from(throw.weight)).sum();
    let chances = rules.throws().iter().map(|throw| f64::from(throw.weight) / f64::from(total)).collect();
    let first = |layer: G::Layer| -> Option<usize> {
        let before = layers.iter().position(|&other| other == layer)?;
        Some(layers[..before].iter().map(|&other| G::slots(rules, other) as usize).sum())
    };
    let children = G::child_layers(rules, layers[0]);
    let read = |layer: G::Layer| Ok((layer, (work.below)(layer)?));
    let held: HashMap<G::Layer, LoadedLayer<G::Layer>> =
        children.into_iter().map(read).collect::<Result<_, EngineError>>()?;
    let next = |after: &G::Position| {
        let own = rules.turn(after) == Player::First;
        if let Some(over) = rules.over(after) {
            let won = over.outcome == marquis_core::Outcome::Winner(Player::First);
            return Next::Known(if won { [1.0; 2] } else { [0.0; 2] });
        }
        let layer = G::layer(rules, after).expect("a position that is not over has a layer");
        let slot = G::slot(rules, layer, after);
        match (first(layer), own) {
            (Some(first), true) => Next::Own(first + slot.0 as usize),
            (Some(first), false) => Next::Turned(first + slot.0 as usize),
            (None, _) => {
                let below: &LoadedLayer<G::Layer> = &held[&layer];
                let [lower, upper] = below.bounds(slot).map(|units| units as f64 / CERTAIN as f64);
                Next::Known(if own { [lower, upper] } else { [1.0 - upper, 1.0 - lower] })
            }
        }
    };
    let mut nexts = Vec::new();
    let mut moves = Vec::new();
    for &layer in layers {
        work.check()?;
        for slot in 0..G::slots(rules, layer) {
            let position = G::position(rules, layer, Slot(slot));
            let of_throw = |&throw: &marquis_core::Throw| {
                moves.clear();
                rules.moves(&position, throw, &mut moves);
                moves.iter().map(|&mv| next(&rules.play(&position, throw, mv))).collect()
            };
            nexts.push(rules.throws().iter().map(of_throw).collect());
        }
    }
    Ok(Edges { chances, nexts })
}

/// Self-proving bounds, in units.
fn bounds<L>(edges: &Edges, work: &ChanceWork<'_, L>) -> Result<Vec<[u64; 2]>, EngineError> {
    let mut bounds = vec![[0.5; 2]; edges.nexts.len()];
    let mut step = FIRST_STEP;
    while step <= MOST_STEP {
        settle(edges, &mut bounds, step as f64 / CERTAIN as f64, work)?;
        let units: Vec<[u64; 2]> = bounds.iter().map(|&bounds| outward(bounds)).collect();
        let rounded: Vec<[f64; 2]> =
            units.iter().map(|bounds| bounds.map(|units| units as f64 / CERTAIN as f64)).collect();
        let proved = |place: usize| {
            let ([lower, upper], [below, above]) = (units[place], edges.back_up(place, &rounded));
            // A sum of a few products is exact to far less than half a unit.
            let half = 0.5 / CERTAIN as f64;
            let below = lower == 0 || below > rounded[place][0] + half;
            below && (upper == CERTAIN || above < rounded[place][1] - half)
        };
        if (0..units.len()).all(proved) {
            return Ok(units);
        }
        step *= 8;
    }
    let name = work.name;
    Err(EngineError::LimitReached(format!("layer {name}: no certified bounds found; play may not terminate")))
}

/// Sweeps until nothing changes, with `step` added above and subtracted below at every throw.
fn settle<L>(
    edges: &Edges,
    bounds: &mut [[f64; 2]],
    step: f64,
    work: &ChanceWork<'_, L>,
) -> Result<(), EngineError> {
    for sweep in 1..=MOST_SWEEPS {
        let mut change: f64 = 0.0;
        for place in 0..bounds.len() {
            let [lower, upper] = edges.back_up(place, bounds);
            let new = [(lower - step).max(0.0), (upper + step).min(1.0)];
            let old = std::mem::replace(&mut bounds[place], new);
            change = change.max((new[0] - old[0]).abs()).max((new[1] - old[1]).abs());
        }
        if sweep % SWEEPS_A_LOOK == 0 {
            work.check()?;
            (work.tell)(&format!("sweep {sweep}, changes of {change:.1e}"));
        }
        if change <= SETTLED {
            return Ok(());
        }
    }
    Ok(())
}

/// Bounds as integer units, the lower one rounded down and the upper one up.
fn outward([lower, upper]: [f64; 2]) -> [u64; 2] {
    let units = |chance: f64| chance * CERTAIN as f64;
    [units(lower).floor() as u64, (units(upper).ceil() as u64).min(CERTAIN)]
}
