//! Sweeps over a grid against plain value iteration, on a small race; on disk as in memory.

mod games;
mod race;
mod ring;
mod strips;

use std::cmp::Ordering;
use std::sync::atomic::AtomicBool;

use marquis_chance::grid::{
    BackupOrder, Band, BoundsPlane, ChanceCell, Choices, Columns, Estimates, Grids, Half, Layout, MaskId,
    Slack, Swept,
};
use marquis_chance::{ChanceInterval, IterationLimits, SolvedChances, solve};
use marquis_core::{Chance, Player, Sharing};

use race::{Race, RaceLayout, SQUARES, place};

fn judged() -> SolvedChances<Race> {
    let stop = AtomicBool::new(false);
    let limits = IterationLimits {
        states: usize::MAX,
        deadline: None,
        sharing: Sharing::alone(),
        stop: &stop,
        gap: 1e-12,
    };
    solve(&Race, &(0, 1, Player::First), &limits, &mut |_| {}).expect("no limit")
}

/// All unfinished positions, with the judge's bounds.
fn cells(judged: &SolvedChances<Race>) -> Vec<(usize, usize, ChanceInterval)> {
    let going_on = judged.iter().filter(|(position, _)| Race.over(position).is_none());
    let cells: Vec<_> =
        going_on.map(|(&(own, other, _), between)| (place(own), place(other), between)).collect();
    assert_eq!(cells.len(), 72, "all placements of the two pieces are reached");
    cells
}

fn bounds<C: ChanceCell>(layout: &RaceLayout) -> Grids<'_, C, 2> {
    let won = BoundsPlane::won(1, &layout.columns.bands());
    Grids::own(Half::new(layout, won.clone(), won), BackupOrder::Tiles)
}

fn estimates<C: ChanceCell>(layout: &RaceLayout, order: BackupOrder) -> Grids<'_, C, 1> {
    let won = Estimates::won(1, &layout.columns.bands());
    Grids::own(Half::new(layout, won.clone(), won), order)
}

fn sweeps<C: ChanceCell>(grids: &mut Grids<'_, C, 2>, number: usize) -> f64 {
    let stop = AtomicBool::new(false);
    let mut gap = 1.0;
    for _ in 0..number {
        let Swept::All(swept) = grids.sweep(&stop).expect("in memory") else { panic!("nobody stopped it") };
        gap = swept.widest.to_f64();
    }
    gap
}

/// The number of bounds that became looser in one more sweep.
fn against<C: ChanceCell>(grids: &mut Grids<'_, C, 2>) -> u64 {
    let Swept::All(swept) = grids.sweep(&AtomicBool::new(false)).expect("in memory") else {
        panic!("nobody stopped it")
    };
    swept.against
}

/// The judge's chances are between the bounds.
fn hold<C: ChanceCell>(grids: &Grids<'_, C, 2>) -> bool {
    let judged = judged();
    let plane = grids.plane(0).expect("in memory");
    cells(&judged).into_iter().all(|(row, column, between)| {
        let [lower, upper] = plane.at(row, column).map(ChanceCell::to_f64);
        lower <= between.upper && upper >= between.lower
    })
}

#[test]
fn bounds_hold_after_every_sweep_and_meet() {
    // Rounding strictly outward costs a unit or so a throw on each side.
    fn check<C: ChanceCell>() {
        let apart = 64.0 / C::ONE.units() as f64;
        let layout = RaceLayout::new();
        let mut grids = bounds::<C>(&layout);
        for _ in 0..20 {
            sweeps(&mut grids, 1);
            assert!(hold(&grids));
        }
        assert!(sweeps(&mut grids, 200) <= apart);
        assert!(hold(&grids));
    }
    check::<u64>();
    check::<u32>();
    check::<u16>();
}

/// Estimates after `number` sweeps.
fn settled(layout: &RaceLayout, number: usize, order: BackupOrder) -> Grids<'_, u64, 1> {
    let (mut grids, stop) = (estimates::<u64>(layout, order), AtomicBool::new(false));
    for _ in 0..number {
        grids.sweep(&stop).expect("in memory");
    }
    grids
}

#[test]
fn estimates_come_to_the_judges_chances() {
    let (layout, judged) = (RaceLayout::new(), judged());
    let error = |grids: &Grids<'_, u64, 1>| {
        let plane = grids.plane(0).expect("in memory");
        let off = |(row, column, between): (usize, usize, ChanceInterval)| {
            (plane.at(row, column)[0].to_f64() - f64::midpoint(between.lower, between.upper)).abs()
        };
        cells(&judged).into_iter().map(off).fold(0.0, f64::max)
    };
    for order in [BackupOrder::Strips, BackupOrder::Tiles] {
        assert!(error(&settled(&layout, 300, order)) < 1e-12, "{order:?}");
    }
}

#[test]
fn a_leap_goes_on_as_sweeps_would_at_that_rate() {
    let (layout, stop) = (RaceLayout::new(), AtomicBool::new(false));
    let plane = |grids: &Grids<'_, u64, 1>| grids.plane(0).expect("in memory");
    let [before, swept] = [5, 6].map(|sweeps| plane(&settled(&layout, sweeps, BackupOrder::Tiles)));
    let mut grids = settled(&layout, 5, BackupOrder::Tiles);
    grids.leap(0.75, &stop).expect("in memory");
    let leapt = plane(&grids);
    // Changes of 3/4, 9/16, … of the last one add up to three times it.
    for (row, column, _) in cells(&judged()) {
        let at = |estimates: &Estimates<u64>| estimates.at(row, column)[0].to_f64();
        let expected = (at(&swept) + 3.0 * (at(&swept) - at(&before))).clamp(0.0, 1.0);
        assert!((at(&leapt) - expected).abs() < 1e-15, "{row} {column}");
    }
}

#[test]
fn a_sample_is_of_the_same_positions_after_every_sweep() {
    let layout = RaceLayout::new();
    let mut grids = estimates::<u32>(&layout, BackupOrder::Strips);
    // Each position has a different number.
    grids.set(|_, row, column| [(row * 100 + column) as u32]).expect("in memory");
    let sample = grids.sample().expect("in memory");
    let mut once = sample.clone();
    once.sort_by(f64::total_cmp);
    once.dedup();
    assert!(once.len() == sample.len() && sample.len() > 20, "{sample:?}");
    grids.set(|_, row, column| [(row * 100 + column) as u32 + 7]).expect("in memory");
    let moved: Vec<f64> = sample.iter().map(|number| number + 7.0).collect();
    assert_eq!(grids.sample().expect("in memory"), moved);
}

fn slack(slack: f64) -> [Slack; 1] {
    let units = (slack * u64::ONE as f64) as u64;
    let count = usize::from(SQUARES);
    // A little more for each remaining square, in rows and columns.
    let parts = |each: u64| (0..count as u64).map(|place| each + each / 20 * place).collect::<Vec<_>>();
    [Slack { rows: parts(units / 2), columns: parts(units / 2) }]
}

#[test]
fn good_guesses_prove_themselves() {
    let layout = RaceLayout::new();
    let mut grids = bounds::<u64>(&layout);
    grids.suppose(&settled(&layout, 300, BackupOrder::Tiles), &slack(1e-6)).expect("in memory");
    assert!(sweeps(&mut grids, 20) < 3e-6);
    for _ in 0..20 {
        assert!(against(&mut grids) == 0 && hold(&grids), "proved bounds keep proving themselves");
    }
}

#[test]
fn wrong_guesses_never_do() {
    let layout = RaceLayout::new();
    for (row, column, direction) in [(0, 3, -1), (4, 2, -1), (8, 7, 1), (7, 8, -1)] {
        let mut wrong = settled(&layout, 300, BackupOrder::Tiles);
        let truth = wrong.plane(0).expect("in memory");
        let set = wrong.set(|_, r, c| {
            let [units] = truth.at(r, c);
            let off = if (r, c) == (row, column) { direction * (1_i64 << 32) } else { 0 };
            [units.saturating_add_signed(off).min(u64::ONE)]
        });
        set.expect("in memory");
        let mut grids = bounds::<u64>(&layout);
        grids.suppose(&wrong, &slack(1e-6)).expect("in memory");
        assert!(against(&mut grids) > 0, "{row} {column} off by {direction}");
        for _ in 0..1000 {
            assert!(against(&mut grids) > 0 || hold(&grids), "{row} {column} off by {direction}");
        }
    }
}

/// Two placements of each player and no move at all: both pass for ever.
struct Waiting {
    columns: Columns,
    bands: Vec<Band>,
}

impl Layout for Waiting {
    fn weights(&self) -> &[u32] {
        &[16]
    }

    fn rows(&self) -> usize {
        2
    }

    fn bands(&self) -> &[Band] {
        &self.bands
    }

    fn column_progress(&self) -> Vec<u64> {
        vec![0]
    }

    fn columns(&self) -> &Columns {
        &self.columns
    }

    fn position_masks(&self, _: usize, _: &mut Vec<MaskId>) {}

    fn choices(&self, _: usize, _: usize, out: &mut Choices) {
        out.clear();
    }
}

#[test]
fn nothing_is_proved_of_play_that_never_ends() {
    let bands = vec![Band { groups: vec![0..1, 1..2], progress: 0 }];
    let layout = Waiting { columns: Columns::new(std::slice::from_ref(&(0..2))), bands };
    let won = BoundsPlane::<u64>::won(1, &layout.columns.bands());
    let bounds = || Grids::own(Half::new(&layout, won.clone(), won.clone()), BackupOrder::Tiles);
    assert_eq!(sweeps(&mut bounds(), 20), 1.0);
    // Even chances satisfy every backup; so do others, as long as those of both players add up to one.
    for chance in [0.5, 0.25] {
        let supposed = |row: usize, column: usize| match row.cmp(&column) {
            Ordering::Equal => 0.5,
            Ordering::Less => chance,
            Ordering::Greater => 1.0 - chance,
        };
        let certain = Estimates::<u64>::won(1, &layout.columns.bands());
        let mut estimates = Grids::own(Half::new(&layout, certain.clone(), certain), BackupOrder::Tiles);
        let set = estimates.set(|_, row, column| [(supposed(row, column) * u64::ONE as f64) as u64]);
        set.expect("in memory");
        let slack = || vec![1_000_000, 2_000_000];
        let mut grids = bounds();
        grids.suppose(&estimates, &[Slack { rows: slack(), columns: slack() }]).expect("in memory");
        for _ in 0..20 {
            assert!(against(&mut grids) > 0, "{chance}");
        }
    }
}

#[test]
fn short_games_tell_nothing() {
    let layout = RaceLayout::new();
    let half = || {
        let won = Estimates::<u64>::won(1, &layout.columns.bands());
        Half::new(&layout, won.clone(), won)
    };
    for grids in [Grids::pair(half(), half(), BackupOrder::Tiles), Grids::own(half(), BackupOrder::Tiles)] {
        assert_eq!(grids.tendency(100, 1).expect("in memory"), None);
    }
}

#[test]
fn a_sweep_that_is_stopped_says_so() {
    let layout = RaceLayout::new();
    let swept = bounds::<u32>(&layout).sweep(&AtomicBool::new(true));
    assert_eq!(swept.expect("in memory"), Swept::Stopped);
}
