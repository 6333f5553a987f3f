//! The iteration of a bundle: an estimate first, then certified bounds around it.

use std::sync::atomic::AtomicBool;

use marquis_chance::grid::{ChanceCell, Change, Grids, Slack, StripError, Swept};

use super::checkpoint::SweepState;
use super::closing::Closing;
use super::convergence::PhaseEnd;
use super::solving::{PlacementTables, SwapPair};

/// The first estimates of a bundle: the player with less to go is likely to win.
pub(crate) fn first_guess<C: ChanceCell>(
    sides: &PlacementTables,
    bundle: SwapPair,
    grids: &mut Grids<'_, C, 1>,
) -> Result<(), StripError> {
    let remaining: Vec<_> = bundle
        .layers()
        .iter()
        .map(|layer| {
            (sides.placements(layer.mover).remaining(), sides.placements(layer.opponent).remaining())
        })
        .collect();
    grids.set(|half, row, column| {
        let (own, other) = &remaining[half];
        let ahead = f64::from(other[column]) - f64::from(own[row]) + TEMPO;
        let chance = 1.0 / (1.0 + (-ahead / SPREAD).exp());
        [C::of_units((chance * C::ONE.units() as f64) as u64)]
    })
}

/// The worth of having the next throw, in squares.
const TEMPO: f64 = 2.0;
/// The lead, in squares, at which the chances are some three to one.
const SPREAD: f64 = 20.0;

/// Sweeps over estimates until they seem to be as accurate as requested.
///
/// Late changes are those of a few slow modes; once it is clear where they lead, a leap goes there at once. The
/// sweeps depend only on the estimates and the stage.
///
/// * `after`: called with the error after each whole sweep; false requests a stop.
pub(crate) fn settle<C: ChanceCell>(
    grids: &mut Grids<'_, C, 1>,
    stage: &mut SweepState,
    stop: &AtomicBool,
    after: &mut dyn FnMut(&Grids<'_, C, 1>, &SweepState, f64) -> bool,
) -> Result<PhaseEnd, StripError> {
    // In memory a started sweep is finished, because a partial one depends on the time of the stop. On disk the
    // finished strips are still there when the sweep resumes.
    let in_memory = AtomicBool::new(false);
    let never = if grids.is_on_disk() { stop } else { &in_memory };
    loop {
        let leap = stage.course.leap();
        let swept = match leap {
            Some(rate) => grids.leap(rate, never),
            None => grids.sweep(never),
        };
        let Swept::All(change) = swept? else { return Ok(PhaseEnd::Stopped) };
        let (error, ending) = stage.course.swept(change.widest.to_f64(), grids.sample()?, leap);
        stage.sweep += 1;
        let ending = match ending {
            None if !stage.sweep.is_multiple_of(GAMES_EVERY) => None,
            _ if shifted(grids, stage)? => None,
            ending => ending,
        };
        if let Some(ending) = ending {
            stage.settled = true;
            return Ok(ending);
        }
        if !after(grids, stage, error) {
            return Ok(PhaseEnd::Stopped);
        }
    }
}

/// The number of sweeps between two checks by games; there is also one at the end of all sweeps.
pub(super) const GAMES_EVERY: usize = 20;
/// The number of games in each check.
const GAMES: usize = 1000;
/// The result of the games is significant if it is this many standard errors.
const TOLD: f64 = 3.0;

/// Shifts the estimates by the tendency of played-out games, if games are long and the tendency is significant.
/// Returns whether it did.
fn shifted<C: ChanceCell>(grids: &mut Grids<'_, C, 1>, stage: &mut SweepState) -> Result<bool, StripError> {
    if grids.is_on_disk() {
        // All numbers take less space than the unpacked part of a sweep, and reuse its memory.
        grids.rest();
    }
    let tendency = grids.tendency(GAMES, stage.sweep as u64)?;
    let told = tendency.filter(|told| told.left.abs() > (TOLD * told.error).max(stage.course.goal()));
    if let Some(tendency) = &told {
        grids.shift(tendency)?;
        stage.course.shifted();
    }
    Ok(told.is_some())
}

/// The slack of estimates: half the gap of the supposed bounds around them.
///
/// * `below`: the gap of the bounds of the layers below.
/// * `goal`: the largest gap of the supposed bounds.
pub(crate) fn slack<C: ChanceCell>(
    sides: &PlacementTables,
    bundle: SwapPair,
    below: f64,
    goal: f64,
) -> Vec<Slack> {
    let slack = |layer: marquis_games::senet::SenetLayer| {
        let (own, other) =
            (sides.placements(layer.mover).remaining(), sides.placements(layer.opponent).remaining());
        let most = |of: &[u32]| f64::from(of.iter().copied().max().unwrap_or(0));
        let one = C::ONE.units() as f64;
        let always = below / 2.0;
        let each = (goal / 2.0 - always).max(0.0) / (most(&own) + most(&other) + 2.0 * HEAD_START);
        let slack = |always: f64, remaining: &[u32]| {
            remaining.iter().map(|&r| ((always + each * (f64::from(r) + HEAD_START)) * one) as u64).collect()
        };
        Slack { rows: slack(always, &own), columns: slack(0.0, &other) }
    };
    bundle.layers().into_iter().map(slack).collect()
}

/// An addition to the squares that are left, so that the last moves get a share of the slack.
const HEAD_START: f64 = 10.0;

/// Sweeps over bounds until they are certified and are close enough or cannot get closer.
///
/// * `after`: called with the gap after each sweep; false requests a stop.
/// * Result: `Stalled` if they cannot be certified.
pub(crate) fn close<C: ChanceCell>(
    grids: &mut Grids<'_, C, 2>,
    closing: &mut Closing,
    goal: f64,
    stop: &AtomicBool,
    after: &mut dyn FnMut(&Grids<'_, C, 2>, &Closing, f64) -> bool,
) -> Result<PhaseEnd, StripError> {
    loop {
        let Swept::All(Change { widest, against }) = grids.sweep(stop)? else { return Ok(PhaseEnd::Stopped) };
        let gap = widest.to_f64();
        let ending = closing.swept(gap, against, goal);
        let goes_on = after(grids, closing, gap);
        if let Some(ending) = ending {
            return Ok(ending);
        }
        if !goes_on {
            return Ok(PhaseEnd::Stopped);
        }
    }
}
