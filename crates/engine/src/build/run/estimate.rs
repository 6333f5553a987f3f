//! Estimates the duration of a build by a trial: its first layers are solved for a moment in a temporary folder.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use web_time::{Duration, Instant};

use marquis_retro::Bundle;

use super::Build;
use super::session::BuildSession;
use crate::build::layered::Solving;
use crate::build::team::RankTeam;
use crate::error::FileError;
use crate::{Control, EngineError, Limits};
use marquis_wire::reports::{BuildEstimate, EstimatedPart};

/// The duration of a trial.
const PATIENCE: Duration = Duration::from_secs(1);
/// Larger bundles are not started in a trial: one step of them alone may take longer.
const MOST_SLOTS: u64 = 1 << 23;
/// The remaining slots may be at most `FARTHEST` times those of a trial; beyond that, the fixed cost per layer would
/// dominate the estimate.
const FARTHEST: u64 = 100_000;

/// The layers solved in a trial, and the time it took.
struct Trial<L> {
    largest: L,
    layers: usize,
    slots: u64,
    seconds: f64,
}

/// The approximate duration of a build; `None` if no bundle is solved in time, or too few slots compared to the rest.
///
/// Layers that a trial cannot predict have a separate estimate; the rest takes as long per slot as the trial. The
/// wave with the most slots counts: small layers take longer per slot, because each is a file.
///
/// # Errors
/// A folder that cannot be read or written, or an interruption.
pub(super) fn estimate<S: Solving>(
    build: &Build<'_, S>,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<Option<BuildEstimate>, EngineError> {
    let Open { mut parts, rest, slots } = open(build, limits)?;
    let folder = Scratch::new()?;
    let budget = limits.memory_bytes().saturating_sub(build.layers.base_bytes());
    let silent = control.of_part(|_| {});
    let trial = try_out(&build.elsewhere(&folder.0), budget, &silent)?;
    let Some(trial) = trial.filter(|trial| tells_of(trial.slots, slots)) else { return Ok(None) };
    let slots_per_second = trial.slots as f64 / trial.seconds;
    if !rest.is_empty() {
        parts.push(EstimatedPart { layers: rest, seconds: slots as f64 / slots_per_second, by_trial: true });
    }
    Ok(Some(BuildEstimate {
        seconds: parts.iter().map(|part| part.seconds).sum(),
        parts,
        slots_per_second,
        trial_layer: build.layers.id(trial.largest).name,
        trial_layers: trial.layers,
        trial_slots: trial.slots,
        trial_seconds: trial.seconds,
    }))
}

/// The layers that are not finished.
struct Open {
    /// Layers that a trial cannot predict.
    parts: Vec<EstimatedPart>,
    /// The others, and their slots.
    rest: Vec<String>,
    slots: u64,
}

fn open<S: Solving>(build: &Build<'_, S>, limits: &Limits) -> Result<Open, EngineError> {
    let finished = build.finished()?;
    let threads = limits.threads_allowed().max(1) as f64;
    let mut all = Open { parts: Vec::new(), rest: Vec::new(), slots: 0 };
    for bundle in &build.plan.bundles {
        let open = bundle.layers.iter().zip(&bundle.slots).filter(|(layer, _)| !finished.contains(layer));
        let (layers, slots): (Vec<String>, Vec<u64>) =
            open.map(|(&layer, &slots)| (build.layers.id(layer).name, slots)).unzip();
        match build.layers.core_seconds(bundle).filter(|_| !layers.is_empty()) {
            Some(seconds) => {
                all.parts.push(EstimatedPart { layers, seconds: seconds / threads, by_trial: false });
            }
            None => {
                all.rest.extend(layers);
                all.slots += slots.iter().sum::<u64>();
            }
        }
    }
    Ok(all)
}

/// Whether a trial of `tried` slots predicts how long the `left` slots take.
const fn tells_of(tried: u64, left: u64) -> bool {
    left / FARTHEST <= tried
}

/// Solves wave after wave until the time is up or a bundle is too large; returns the largest wave.
fn try_out<S: Solving>(
    build: &Build<'_, S>,
    budget: u64,
    control: &Control<'_>,
) -> Result<Option<Trial<S::Layer>>, EngineError> {
    let deadline = control.now() + PATIENCE;
    let _lease = build.prepare()?;
    let mut session = BuildSession::begin(build, budget, Some(deadline), control, RankTeam::ALONE)?;
    let mut best: Option<Trial<S::Layer>> = None;
    for mut wave in build.plan.waves() {
        let all = wave.len();
        wave.retain(|bundle| bundle.slots() <= MOST_SLOTS && build.bytes_without_strips(bundle) <= budget);
        let begun = Instant::now();
        match session.wave(&wave) {
            Ok(()) => {}
            Err(EngineError::LimitReached(_)) => break,
            Err(other) => return Err(other),
        }
        let seconds = begun.elapsed().as_secs_f64();
        best = largest(best, solved(&wave, seconds));
        // The layers that the rest of the wave leads to are missing from here on.
        if wave.len() < all || control.now() >= deadline {
            break;
        }
    }
    Ok(best)
}

/// The result of a wave; `None` if nothing was solved.
fn solved<L: Copy>(wave: &[&Bundle<L>], seconds: f64) -> Option<Trial<L>> {
    let by_layer = wave.iter().flat_map(|bundle| bundle.layers.iter().zip(&bundle.slots));
    let (&largest, _) = by_layer.max_by_key(|(_, slots)| **slots)?;
    let layers = wave.iter().map(|bundle| bundle.layers.len()).sum();
    let slots = wave.iter().map(|bundle| bundle.slots()).sum();
    Some(Trial { largest, layers, slots, seconds })
}

fn largest<L>(one: Option<Trial<L>>, other: Option<Trial<L>>) -> Option<Trial<L>> {
    one.into_iter().chain(other).max_by_key(|trial| trial.slots)
}

/// A folder for this trial, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, FileError> {
        static TRIALS: AtomicU64 = AtomicU64::new(0);
        let name = format!("marquis-trial-{}-{}", std::process::id(), TRIALS.fetch_add(1, Relaxed));
        let folder = std::env::temp_dir().join(name);
        // An existing folder belongs to another process.
        fs::create_dir(&folder).map_err(FileError::system(&folder, "make the folder"))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that cannot be removed is only a temporary one.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_of_some_hundred_slots_tells_nothing_of_thousands_of_millions() {
        // Senet with one piece each as a trial for all layers up to five.
        assert!(!tells_of(756, 5_772_463_452));
        assert!(tells_of(122_850, 5_772_463_452));
        assert!(tells_of(756, 756 + 2 * 9_828));
    }
}
