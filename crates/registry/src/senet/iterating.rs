//! How a bundle is solved: an estimate first, then bounds around it that prove themselves.

use std::sync::atomic::AtomicBool;

use marquis_chance::grid::{Cell, Change, Estimates, Grids, Guess, Swept};

use super::checkpoint::SweepState;
use super::course::Ending;
use super::solving::{Bundle, Sides};

/// The first estimates of a bundle: who has less to go is likely to win.
pub(crate) fn first_guess<C: Cell>(sides: &Sides, bundle: Bundle, grids: &mut Grids<'_, C, 1>) {
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
    });
}

/// Squares that it is worth to be about to throw.
const TEMPO: f64 = 2.0;
/// Squares ahead with which the chances are some three to one.
const SPREAD: f64 = 20.0;

/// Sweeps over estimates until they seem to be as near to the truth as asked for.
///
/// Late changes are those of one slow mode; where they have become so, a leap goes to its end at once. All that the
/// sweeps depend on is in the estimates and in the stage.
///
/// * `after`: called with the error after each whole sweep; asks to stop when it answers false.
pub(crate) fn settle<C: Cell>(
    grids: &mut Grids<'_, C, 1>,
    stage: &mut SweepState,
    after: &mut dyn FnMut(&Grids<'_, C, 1>, &SweepState, f64) -> bool,
) -> Ending {
    // A sweep that was begun is ended: what would be left in the middle of one depends on the moment.
    let never = AtomicBool::new(false);
    loop {
        let leap = stage.course.leap();
        let swept = match leap {
            Some(rate) => grids.leap(rate, &never),
            None => grids.sweep(&never),
        };
        let Swept::All(change) = swept else { return Ending::Stopped };
        let (error, ending) = stage.course.swept(change.widest.to_f64(), leap.is_some());
        stage.sweep += 1;
        if let Some(ending) = ending {
            stage.settled = true;
            return ending;
        }
        if !after(grids, stage, error) {
            return Ending::Stopped;
        }
    }
}

/// Supposed bounds around estimates.
///
/// * `below`: how far apart the bounds of the layers below are.
/// * `goal`: how far apart the supposed bounds are at most.
pub(crate) fn guesses<C: Cell>(
    sides: &Sides,
    bundle: Bundle,
    estimates: Vec<Estimates<C>>,
    below: f64,
    goal: f64,
) -> Vec<Guess<C>> {
    let guess = |(layer, estimates): (marquis_games::senet::Layer, Estimates<C>)| {
        let (own, other) =
            (sides.placements(layer.mover).remaining(), sides.placements(layer.opponent).remaining());
        let most = |of: &[u32]| f64::from(of.iter().copied().max().unwrap_or(0));
        let one = C::ONE.units() as f64;
        let always = below / 2.0;
        let each = (goal / 2.0 - always).max(0.0) / (most(&own) + most(&other) + 2.0 * HEAD_START);
        let slack = |always: f64, remaining: &[u32]| {
            remaining.iter().map(|&r| ((always + each * (f64::from(r) + HEAD_START)) * one) as u64).collect()
        };
        Guess { estimates, rows: slack(always, &own), columns: slack(0.0, &other) }
    };
    bundle.layers().into_iter().zip(estimates).map(guess).collect()
}

/// What is added to the squares that are left, so that the last moves have their share.
const HEAD_START: f64 = 10.0;

/// Sweeps over bounds until they prove themselves and are close enough or cannot come closer.
///
/// * `after`: called with the number of a sweep and the gap; asks to stop when it answers false.
/// * Result: `Stalled` when they do not prove themselves.
pub(crate) fn close<C: Cell>(
    grids: &mut Grids<'_, C, 2>,
    goal: f64,
    stop: &AtomicBool,
    after: &mut dyn FnMut(usize, f64) -> bool,
) -> Ending {
    let (mut last, mut stalled) = (f64::INFINITY, 0);
    let (mut fewest, mut idle) = (u64::MAX, 0);
    let mut proved = false;
    for sweep in 1.. {
        let Swept::All(Change { widest, against }) = grids.sweep(stop) else { return Ending::Stopped };
        let gap = widest.to_f64();
        // Bounds that all came closer prove themselves, and go on to do so.
        proved |= against == 0;
        if !proved && sweep % LOOK_EVERY == 0 {
            idle = if against < fewest - fewest / 8 { 0 } else { idle + 1 };
            fewest = fewest.min(against);
            if idle == MOST_IDLE {
                return Ending::Stalled;
            }
        }
        if proved {
            // At first nothing changes in the position that is farthest from the end.
            stalled = if gap < last || gap > STALL_BELOW { 0 } else { stalled + 1 };
            last = gap;
            if gap <= goal || stalled == STALLED {
                return Ending::Met(gap);
            }
        }
        if !after(sweep, gap) {
            return Ending::Stopped;
        }
    }
    Ending::Stopped
}

/// Sweeps from one look at what stands against supposed bounds to the next.
const LOOK_EVERY: usize = 4;
/// After so many looks at which there was not an eighth less against the bounds, the guesses are not good enough. How
/// many sweeps a proof takes grows with the length of the game: 4 with one piece each, 28 with four.
const MOST_IDLE: usize = 3;
/// Bounds that hold and do not come closer in so many sweeps never will: rounding allows no more.
const STALLED: usize = 8;
/// Bounds farther apart than this are still on their way.
const STALL_BELOW: f64 = 1e-3;
