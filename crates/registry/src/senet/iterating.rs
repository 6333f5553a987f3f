//! How a bundle is solved: an estimate first, then bounds around it that prove themselves.

use std::sync::atomic::AtomicBool;

use marquis_chance::grid::{Cell, Change, Fault, Grids, Slack, Swept};

use super::checkpoint::SweepState;
use super::closing::Closing;
use super::course::Ending;
use super::solving::{Bundle, Sides};

/// The first estimates of a bundle: who has less to go is likely to win.
pub(crate) fn first_guess<C: Cell>(
    sides: &Sides,
    bundle: Bundle,
    grids: &mut Grids<'_, C, 1>,
) -> Result<(), Fault> {
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

/// Squares that it is worth to be about to throw.
const TEMPO: f64 = 2.0;
/// Squares ahead with which the chances are some three to one.
const SPREAD: f64 = 20.0;

/// Sweeps over estimates until they seem to be as near to the truth as asked for.
///
/// Late changes are those of a few slow modes; where it shows to what they lead, a leap goes there at once. All that the
/// sweeps depend on is in the estimates and in the stage.
///
/// * `after`: called with the error after each whole sweep; asks to stop when it answers false.
pub(crate) fn settle<C: Cell>(
    grids: &mut Grids<'_, C, 1>,
    stage: &mut SweepState,
    stop: &AtomicBool,
    after: &mut dyn FnMut(&Grids<'_, C, 1>, &SweepState, f64) -> bool,
) -> Result<Ending, Fault> {
    // In memory a sweep that was begun is ended: what would be left in the middle of one depends on the moment. On disk
    // the strips that were done are there when it is gone on with.
    let in_memory = AtomicBool::new(false);
    let never = if grids.is_on_disk() { stop } else { &in_memory };
    loop {
        let leap = stage.course.leap();
        let swept = match leap {
            Some(rate) => grids.leap(rate, never),
            None => grids.sweep(never),
        };
        let Swept::All(change) = swept? else { return Ok(Ending::Stopped) };
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
            return Ok(Ending::Stopped);
        }
    }
}

/// Sweeps from one look at what games tell to the next; there is one at the end of all sweeps, too.
pub(super) const GAMES_EVERY: usize = 20;
/// Games that are played at each.
const GAMES: usize = 1000;
/// What games tell is more than chance when it is so many times its standard error.
const TOLD: f64 = 3.0;

/// Goes on at once to who wins in the end, where games are long and tell that there is something left to go; the result
/// is whether it did.
fn shifted<C: Cell>(grids: &mut Grids<'_, C, 1>, stage: &mut SweepState) -> Result<bool, Fault> {
    if grids.is_on_disk() {
        // All numbers take less than what a sweep unpacks, and have its room.
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

/// How far estimates may be wrong, by half.
///
/// * `below`: how far apart the bounds of the layers below are.
/// * `goal`: how far apart the supposed bounds are at most.
pub(crate) fn slack<C: Cell>(sides: &Sides, bundle: Bundle, below: f64, goal: f64) -> Vec<Slack> {
    let slack = |layer: marquis_games::senet::Layer| {
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

/// What is added to the squares that are left, so that the last moves have their share.
const HEAD_START: f64 = 10.0;

/// Sweeps over bounds until they prove themselves and are close enough or cannot come closer.
///
/// * `after`: called with the gap after each sweep; asks to stop when it answers false.
/// * Result: `Stalled` when they do not prove themselves.
pub(crate) fn close<C: Cell>(
    grids: &mut Grids<'_, C, 2>,
    closing: &mut Closing,
    goal: f64,
    stop: &AtomicBool,
    after: &mut dyn FnMut(&Grids<'_, C, 2>, &Closing, f64) -> bool,
) -> Result<Ending, Fault> {
    loop {
        let Swept::All(Change { widest, against }) = grids.sweep(stop)? else { return Ok(Ending::Stopped) };
        let gap = widest.to_f64();
        let ending = closing.swept(gap, against, goal);
        let goes_on = after(grids, closing, gap);
        if let Some(ending) = ending {
            return Ok(ending);
        }
        if !goes_on {
            return Ok(Ending::Stopped);
        }
    }
}
