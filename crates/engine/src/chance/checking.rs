//! Checks every entry of tables of chances against its successors, by the rules alone.
//!
//! One step that agrees within the error does not prove the error: small faults add up along the play. The proof is
//! the certificate in the file, an upper and a lower bound of every chance. Let `U` be the upper bounds, and let the
//! mean over the throws of the best move's `U` be *strictly* below the `U` of every position, except where `U` is
//! certainty; and let the lower bounds `L` be strictly below their corresponding mean, except where `L` is zero. The
//! numbers are integer multiples of one unit, so "strictly" means by at least a sixteenth of it.
//!
//! Let the player to throw take the best moves by `L`: then `L` of the current position rises by at least a 16th of a
//! unit per throw on average while it is above zero, whatever the opponent does. It cannot rise for ever, so with
//! probability one play ends or reaches a position where `L` is zero, and the player wins with a chance of at least
//! `L`. The upper bound of a player is the lower one of the opponent, whose certificate is the same inequality. So
//! the true chance is between the bounds of this layer if that holds for the layers below; and a chance whose bounds
//! are within the stated error has this error. Nothing of the solver is assumed or used.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use marquis_core::{Chance as _, ChanceNotation as _, Outcome, Player, Slot, TextError};
use marquis_table::TableFile;
use rayon::prelude::*;

use super::layers::Chances;
use crate::build::layered::{CheckSettings, Checking, LayerCheck, Layered as _, Missing};
use crate::files::chances::{self, LoadedLayer};
use crate::game::chance::ChanceGame;
use crate::query::ChanceCells;
use crate::{Control, EngineError, Progress};
use marquis_wire::reports::VerifyReport;

/// Entries between two polls of the stop flag.
const BATCH: u64 = 1 << 14;
/// The largest number of faults reported per layer.
const MOST_FAULTS: usize = 5;
/// More than the rounding loss of the sums of a backup.
const ROUNDING: f64 = 1e-14;

impl<G: ChanceGame> Checking for Chances<G> {
    type Sound = Agreeing<G::Layer>;

    fn reopen(variant: &str, _: &[&str]) -> Result<Self, EngineError> {
        let expected = || TextError::new("variant", format!("a variant of {}", G::ID), variant);
        let rules = G::of_variant(variant).ok_or_else(expected)?;
        Ok(Self { rules, cells: ChanceCells::FourBytes })
    }

    fn named(&self, name: &str) -> Option<G::Layer> {
        G::layer_named(&self.rules, name)
    }

    /// Sorts layers so that each follows those that its moves lead to.
    fn order(&self, layers: &mut Vec<G::Layer>) {
        let own: BTreeSet<G::Layer> = layers.iter().copied().collect();
        *layers =
            self.plan(own.iter().copied().collect()).layers().filter(|layer| own.contains(layer)).collect();
    }

    fn needed(&self, layer: G::Layer) -> Vec<G::Layer> {
        G::needed(&self.rules, layer)
    }

    fn check(
        &self,
        layer: G::Layer,
        _: &TableFile,
        held: &Self::Held,
        missing: &[Missing<G::Layer>],
        look: CheckSettings<'_>,
    ) -> Result<LayerCheck<Agreeing<G::Layer>>, EngineError> {
        let (game, name) = (G::ID, G::layer_name(layer));
        if let Some(first) = missing.first() {
            let none = || "expected this layer that moves lead to, found no usable file of it".to_owned();
            let (other, why) = (G::layer_name(first.layer), first.words().unwrap_or_else(none));
            return Ok(LayerCheck::Faulty {
                entries: 0,
                faults: vec![format!("{game} {name}: {other}: {why}")],
            });
        }
        let slots = G::slots(&self.rules, layer);
        let every = look.sample.map_or(1, |sample| (slots / sample.max(1)).max(1));
        let entries = slots.div_ceil(every);
        let all = LookAt::<G> { rules: &self.rules, layer, loaded: held };
        let faults =
            all.faults(every, entries, look)?.map(|fault| format!("{game} {name}: {fault}")).collect();
        let file = &held[&layer];
        let about = Agreeing { layer, error: file.error(), certified: file.has_certificate() };
        Ok(LayerCheck::of(entries, faults, about))
    }

    /// Reports for each layer whether its error is proved.
    ///
    /// Its bounds follow from those of its successors, so all layers that moves lead to must be checked and certified.
    fn conclude(&self, layers: &[Agreeing<G::Layer>], look: CheckSettings<'_>, report: &mut VerifyReport) {
        let sampled = look.sample.is_some();
        let certified: HashSet<G::Layer> =
            layers.iter().filter(|own| own.certified).map(|own| own.layer).collect();
        let mut proved: HashSet<G::Layer> = HashSet::new();
        for own in layers {
            let component = G::component(&self.rules, own.layer);
            let holds = |other: &G::Layer| {
                if component.contains(other) { certified.contains(other) } else { proved.contains(other) }
            };
            let below = component.iter().flat_map(|&one| G::needed(&self.rules, one));
            let missing: BTreeSet<String> = below.filter(|other| !holds(other)).map(G::layer_name).collect();
            let (name, stated) = (G::layer_name(own.layer), format!("the stated error of {:e}", own.error));
            let game = G::ID;
            if !sampled && missing.is_empty() {
                proved.extend(component);
                report.proved.push(format!("{game} {name}: {stated} is proved"));
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
            report.unproved.push(format!("{game} {name}: one step agrees; {stated} is not proved: {why}"));
        }
    }
}

/// A layer without faults.
pub(crate) struct Agreeing<L> {
    layer: L,
    error: f64,
    certified: bool,
}

/// One layer and all layers that its moves lead to.
struct LookAt<'a, G: ChanceGame> {
    rules: &'a G::Rules,
    layer: G::Layer,
    loaded: &'a HashMap<G::Layer, LoadedLayer<G::Layer>>,
}

/// The bound of a certain win, in the units of bounds in files.
const CERTAIN: u64 = chances::CERTAIN;

fn chance_of(units: u64) -> f64 {
    units as f64 / CERTAIN as f64
}

impl<G: ChanceGame> LookAt<'_, G> {
    /// The faults of the first wrong entries.
    fn faults(
        &self,
        every: u64,
        entries: u64,
        look: CheckSettings<'_>,
    ) -> Result<impl Iterator<Item = String>, EngineError> {
        let control: &Control<'_> = look.control;
        let done = AtomicU64::new(0);
        let phase = format!("verifying {} {}", G::ID, G::layer_name(self.layer));
        let batches = (0..entries.div_ceil(BATCH)).into_par_iter();
        let faults: Option<Vec<Vec<String>>> = batches
            .map(|batch| {
                if control.stopped() {
                    return None;
                }
                let numbers = batch * BATCH..entries.min((batch + 1) * BATCH);
                let done = done.fetch_add(numbers.end - numbers.start, Relaxed);
                control.tell(&Progress { phase: phase.clone(), done, total: Some(entries), bounds: None });
                let mut moves = Vec::new();
                let slots = numbers.map(|number| Slot(number * every));
                Some(slots.filter_map(|slot| self.fault(slot, &mut moves)).take(MOST_FAULTS).collect())
            })
            .collect();
        Ok(faults.ok_or(EngineError::Interrupted)?.into_iter().flatten().take(MOST_FAULTS))
    }

    /// The fault of an entry, or `None`.
    fn fault(&self, slot: Slot, moves: &mut Vec<G::Move>) -> Option<String> {
        if self.loaded[&self.layer].has_certificate() {
            self.fault_of_bounds(slot, moves)
        } else {
            self.fault_of_step(slot, moves)
        }
    }

    /// Why the bounds of an entry do not follow from those of its successors, or do not prove its chance.
    fn fault_of_bounds(&self, slot: Slot, moves: &mut Vec<G::Move>) -> Option<String> {
        let (rules, file) = (self.rules, &self.loaded[&self.layer]);
        let position = G::position(rules, self.layer, slot);
        let [lower, upper] = file.bounds(slot);
        let (mut sums, mut weights) = ([0_u64; 2], 0);
        for &throw in rules.throws() {
            moves.clear();
            rules.moves(&position, throw, moves);
            let mut best = [0; 2];
            for &mv in &*moves {
                let after = self.bounds(&rules.play(&position, throw, mv));
                best = [best[0].max(after[0]), best[1].max(after[1])];
            }
            let weight = u64::from(throw.weight);
            weights += weight;
            sums = [0, 1].map(|side: usize| sums[side] + weight * best[side]);
        }
        let (farthest, stated) = (file.proved_error(slot), file.error());
        let what = if farthest > stated {
            format!("expected bounds within the stated error of {stated:e}, found one {farthest:e} away")
        } else if lower > 0 && sums[0] <= weights * lower {
            format!("expected a lower bound that its successors prove, found {:.12}", chance_of(lower))
        } else if upper < CERTAIN && sums[1] >= weights * upper {
            format!("expected an upper bound that its successors prove, found {:.12}", chance_of(upper))
        } else {
            return None;
        };
        Some(format!("{}: {what}", rules.position_text(&position)))
    }

    /// The bounds of the chance of the first player.
    fn bounds(&self, position: &G::Position) -> [u64; 2] {
        if let Some(over) = self.rules.over(position) {
            return if over.outcome == Outcome::Winner(Player::First) { [CERTAIN; 2] } else { [0; 2] };
        }
        let [lower, upper] = self.at(position, LoadedLayer::bounds);
        let first = self.rules.turn(position) == Player::First;
        if first { [lower, upper] } else { [CERTAIN - upper, CERTAIN - lower] }
    }

    /// How an entry disagrees with one step.
    fn fault_of_step(&self, slot: Slot, moves: &mut Vec<G::Move>) -> Option<String> {
        let (rules, file) = (self.rules, &self.loaded[&self.layer]);
        let position = G::position(rules, self.layer, slot);
        // The successors were rounded too.
        let rounding = self.loaded.values().map(LoadedLayer::rounding).fold(0.0, f64::max);
        let within = file.error() + rounding + ROUNDING;
        let found = file.chance(slot);
        let (mut expected, mut weights) = (0.0, 0.0);
        for &throw in rules.throws() {
            moves.clear();
            rules.moves(&position, throw, moves);
            let chances = moves.iter().map(|&mv| self.chance(&rules.play(&position, throw, mv)));
            expected += f64::from(throw.weight) * chances.fold(0.0, f64::max);
            weights += f64::from(throw.weight);
        }
        let expected = expected / weights;
        let apart = (found - expected).abs();
        (apart > within).then(|| {
            let position = rules.position_text(&position);
            format!("{position}: expected {expected:.10} within {within:.1e}, found {found:.10}")
        })
    }

    /// The chance of the first player.
    fn chance(&self, position: &G::Position) -> f64 {
        if let Some(over) = self.rules.over(position) {
            return if over.outcome == Outcome::Winner(Player::First) { 1.0 } else { 0.0 };
        }
        let chance = self.at(position, LoadedLayer::chance);
        if self.rules.turn(position) == Player::First { chance } else { 1.0 - chance }
    }

    /// Reads the value of a position that is not over from its file.
    fn at<T>(&self, position: &G::Position, read: impl FnOnce(&LoadedLayer<G::Layer>, Slot) -> T) -> T {
        let layer = G::layer(self.rules, position).expect("a position that is not over has a layer");
        read(&self.loaded[&layer], G::slot(self.rules, layer, position))
    }
}
