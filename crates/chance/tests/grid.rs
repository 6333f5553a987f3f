//! Sweeps over a grid against plain value iteration, on a small race with all that a grid can say: choices, moves
//! that are blocked, enemies that are sent back, moves backward, passes and second throws.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use marquis_chance::grid::{
    Band, Bounds, Cell, Choice, Choices, Columns, Estimates, Grids, Guess, Half, JumpsId, Layout, MaskId,
    Source, Swept,
};
use marquis_chance::{Between, IterationLimits, Solved, solve};
use marquis_core::{Chance, Over, Player, Reason, Slept, Throw};

/// One piece each on a track. A throw of two may be used for one step. Nobody leaps an enemy on the next square;
/// who lands on the enemy sends him back to the first square. Who cannot go forward goes back one step, if that
/// square is free. After moving on a one he throws again. First past the end wins.
#[derive(Clone, Copy, Debug)]
struct Race;

const SQUARES: u8 = 9;
const THROWS: [Throw; 3] =
    [Throw { score: 1, weight: 4 }, Throw { score: 2, weight: 8 }, Throw { score: 3, weight: 4 }];

/// Squares of the first player and of the second, and who is to throw; past the end is off the board.
type Position = (u8, u8, Player);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    To(u8),
    Pass,
}

fn steps(throw: Throw) -> Range<u8> {
    if throw.score == 2 { 1..3 } else { throw.score..throw.score + 1 }
}

impl Chance for Race {
    type Position = Position;
    type Move = Move;

    fn throws(&self) -> &[Throw] {
        &THROWS
    }

    fn turn(&self, position: &Position) -> Player {
        position.2
    }

    fn over(&self, &(first, second, _): &Position) -> Option<Over> {
        let winner = match (first >= SQUARES, second >= SQUARES) {
            (true, _) => Player::First,
            (_, true) => Player::Second,
            _ => return None,
        };
        Some(Over::won(Reason::BorneOff, winner))
    }

    fn moves(&self, position: &Position, throw: Throw, out: &mut Vec<Move>) {
        let (own, other, _) = self.as_mover(position);
        let forward = steps(throw).filter(|&steps| steps == 1 || other != own + 1);
        let before = out.len();
        out.extend(forward.map(|steps| Move::To((own + steps).min(SQUARES))));
        if out.len() == before {
            out.push(if own > 0 && other != own - 1 { Move::To(own - 1) } else { Move::Pass });
        }
    }

    fn play(&self, position: &Position, throw: Throw, mv: Move) -> Position {
        let (own, other, _) = self.as_mover(position);
        let (own, other, again) = match mv {
            Move::To(to) => (to, if other == to { 0 } else { other }, throw.score == 1),
            Move::Pass => (own, other, false),
        };
        let turn = if again { position.2 } else { position.2.opponent() };
        match position.2 {
            Player::First => (own, other, turn),
            Player::Second => (other, own, turn),
        }
    }

    fn as_mover(&self, &(first, second, turn): &Position) -> Position {
        match turn {
            Player::First => (first, second, Player::First),
            Player::Second => (second, first, Player::First),
        }
    }
}

/// The race as a grid: the squares farthest on come first.
struct RaceLayout {
    columns: Columns,
    bands: Vec<Band>,
    all: MaskId,
    /// By square: the enemy is not there.
    clear: Vec<MaskId>,
    /// By square: an enemy there is sent back.
    sent: Vec<JumpsId>,
}

fn place(square: u8) -> usize {
    usize::from(SQUARES - 1 - square)
}

impl RaceLayout {
    fn new() -> Self {
        let halves = [0..5, 5..usize::from(SQUARES)];
        let mut columns = Columns::new(&halves);
        let all = columns.add_mask(|_| true);
        let clear = (0..SQUARES).map(|square| columns.add_mask(|column| column != place(square))).collect();
        let sent = (0..SQUARES)
            .map(|square| columns.add_jumps(|column| (column == place(square)).then_some(place(0))))
            .collect();
        let bands = halves.into_iter().zip([1, 0]);
        let bands =
            bands.map(|(rows, progress)| Band { groups: rows.map(|row| row..row + 1).collect(), progress });
        Self { columns, bands: bands.collect(), all, clear, sent }
    }

    fn forward(&self, own: u8, steps: u8, again: bool) -> Choice {
        let mut masks = vec![self.all];
        if steps > 1 && own + 1 < SQUARES {
            masks.push(self.clear[usize::from(own + 1)]);
        }
        let to = own + steps;
        if to >= SQUARES {
            let source = if again { Source::FinishedAgain(0) } else { Source::FinishedTurned(0) };
            return Choice { source, masks, jumps: None };
        }
        masks.push(self.clear[usize::from(to)]);
        let jumps = Some(self.sent[usize::from(to)]);
        Choice { source: to_row(to, again), masks, jumps }
    }
}

fn to_row(square: u8, again: bool) -> Source {
    let row = place(square) as u32;
    if again { Source::Again(row) } else { Source::Turned(row) }
}

impl Layout for RaceLayout {
    fn weights(&self) -> &[u32] {
        &[4, 8, 4]
    }

    fn rows(&self) -> usize {
        SQUARES.into()
    }

    fn bands(&self) -> &[Band] {
        &self.bands
    }

    fn column_progress(&self) -> Vec<u64> {
        vec![1, 0]
    }

    fn columns(&self) -> &Columns {
        &self.columns
    }

    fn position_masks(&self, row: usize, out: &mut Vec<MaskId>) {
        out.push(self.clear[usize::from(SQUARES) - 1 - row]);
    }

    fn choices(&self, row: usize, throw: usize, out: &mut Choices) {
        out.clear();
        let (own, throw) = (SQUARES - 1 - row as u8, THROWS[throw]);
        let again = throw.score == 1;
        out.first.extend(steps(throw).map(|steps| self.forward(own, steps, again)));
        if own > 0 {
            let masks = vec![self.clear[usize::from(own) - 1]];
            out.otherwise.push(Choice { source: to_row(own - 1, again), masks, jumps: None });
        }
    }
}

fn judged() -> Solved<Race> {
    let stop = AtomicBool::new(false);
    let limits = IterationLimits {
        states: usize::MAX,
        deadline: None,
        slept: Slept::never(),
        stop: &stop,
        gap: 1e-12,
    };
    solve(&Race, &(0, 1, Player::First), &limits, &mut |_| {}).expect("no limit")
}

/// All positions that go on, with the judge's bounds.
fn cells(judged: &Solved<Race>) -> Vec<(usize, usize, Between)> {
    let going_on = judged.iter().filter(|(position, _)| Race.over(position).is_none());
    let cells: Vec<_> =
        going_on.map(|(&(own, other, _), between)| (place(own), place(other), between)).collect();
    assert_eq!(cells.len(), 72, "all placements of the two pieces are reached");
    cells
}

fn bounds<C: Cell>(layout: &RaceLayout) -> Grids<'_, C, 2> {
    let won = Bounds::won(1, &layout.columns.bands());
    Grids::own(Half::new(layout, won.clone(), won))
}

fn estimates<C: Cell>(layout: &RaceLayout) -> Grids<'_, C, 1> {
    let won = Estimates::won(1, &layout.columns.bands());
    Grids::own(Half::new(layout, won.clone(), won))
}

fn sweeps<C: Cell>(grids: &mut Grids<'_, C, 2>, number: usize) -> f64 {
    let stop = AtomicBool::new(false);
    let mut gap = 1.0;
    for _ in 0..number {
        let Swept::All(swept) = grids.sweep(&stop) else { panic!("nobody stopped it") };
        gap = swept.widest.to_f64();
    }
    gap
}

/// What stood against bounds in one more sweep.
fn against<C: Cell>(grids: &mut Grids<'_, C, 2>) -> u64 {
    let Swept::All(swept) = grids.sweep(&AtomicBool::new(false)) else { panic!("nobody stopped it") };
    swept.against
}

/// The judge's chances are between the bounds.
fn hold<C: Cell>(grids: &Grids<'_, C, 2>) -> bool {
    let judged = judged();
    cells(&judged).into_iter().all(|(row, column, between)| {
        let [lower, upper] = grids.halves()[0].again().at(row, column).map(Cell::to_f64);
        lower <= between.upper && upper >= between.lower
    })
}

#[test]
fn bounds_hold_after_every_sweep_and_meet() {
    // Strictly outward is a unit or so a throw on each side.
    fn check<C: Cell>() {
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

/// Estimates after so many sweeps.
fn settled(layout: &RaceLayout, number: usize) -> Vec<Estimates<u64>> {
    let (mut grids, stop) = (estimates::<u64>(layout), AtomicBool::new(false));
    for _ in 0..number {
        grids.sweep(&stop);
    }
    grids.into_estimates()
}

#[test]
fn estimates_come_to_the_judges_chances() {
    let (layout, judged) = (RaceLayout::new(), judged());
    let error = |estimates: &Estimates<u64>| {
        let off = |(row, column, between): (usize, usize, Between)| {
            (estimates.at(row, column)[0].to_f64() - f64::midpoint(between.lower, between.upper)).abs()
        };
        cells(&judged).into_iter().map(off).fold(0.0, f64::max)
    };
    assert!(error(&settled(&layout, 300)[0]) < 1e-12);
}

#[test]
fn a_leap_goes_on_as_sweeps_would_at_that_rate() {
    let (layout, stop) = (RaceLayout::new(), AtomicBool::new(false));
    let (before, swept) = (settled(&layout, 5), settled(&layout, 6));
    let mut grids = estimates::<u64>(&layout);
    for _ in 0..5 {
        grids.sweep(&stop);
    }
    grids.leap(0.75, &stop);
    let leapt = grids.into_estimates();
    // Steps of 3/4, 9/16, … of the last one add up to three of it.
    for (row, column, _) in cells(&judged()) {
        let at = |estimates: &[Estimates<u64>]| estimates[0].at(row, column)[0].to_f64();
        let expected = (at(&swept) + 3.0 * (at(&swept) - at(&before))).clamp(0.0, 1.0);
        assert!((at(&leapt) - expected).abs() < 1e-15, "{row} {column}");
    }
}

fn guess(estimates: Vec<Estimates<u64>>, slack: f64) -> Vec<Guess<u64>> {
    let units = (slack * u64::ONE as f64) as u64;
    let count = usize::from(SQUARES);
    // A little more for each square that is left, in rows and columns.
    let parts = |each: u64| (0..count as u64).map(|place| each + each / 20 * place).collect::<Vec<_>>();
    let guess = |estimates| Guess { estimates, rows: parts(units / 2), columns: parts(units / 2) };
    estimates.into_iter().map(guess).collect()
}

#[test]
fn good_guesses_prove_themselves() {
    let layout = RaceLayout::new();
    let guesses = guess(settled(&layout, 300), 1e-6);
    let mut grids = bounds::<u64>(&layout);
    grids.suppose(&guesses);
    assert!(sweeps(&mut grids, 20) < 3e-6);
    for _ in 0..20 {
        assert!(against(&mut grids) == 0 && hold(&grids), "what proves itself goes on to");
    }
}

#[test]
fn wrong_guesses_never_do() {
    let layout = RaceLayout::new();
    for (row, column, direction) in [(0, 3, -1), (4, 2, -1), (8, 7, 1), (7, 8, -1)] {
        let mut wrong = settled(&layout, 300);
        let truth = wrong[0].clone();
        wrong[0].set(|r, c| {
            let [units] = truth.at(r, c);
            let off = if (r, c) == (row, column) { direction * (1_i64 << 32) } else { 0 };
            [units.saturating_add_signed(off).min(u64::ONE)]
        });
        let guesses = guess(wrong, 1e-6);
        let mut grids = bounds::<u64>(&layout);
        grids.suppose(&guesses);
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
    let won = Bounds::<u64>::won(1, &layout.columns.bands());
    let bounds = || Grids::own(Half::new(&layout, won.clone(), won.clone()));
    assert_eq!(sweeps(&mut bounds(), 20), 1.0);
    // Even chances satisfy every backup; so do others, as long as those of both players add up to one.
    for chance in [0.5, 0.25] {
        let supposed = |row: usize, column: usize| match row.cmp(&column) {
            Ordering::Equal => 0.5,
            Ordering::Less => chance,
            Ordering::Greater => 1.0 - chance,
        };
        let mut estimates = Estimates::<u64>::unknown(2, &layout.columns.bands());
        estimates.set(|row, column| [(supposed(row, column) * u64::ONE as f64) as u64]);
        let slack = || vec![1_000_000, 2_000_000];
        let guesses = [Guess { estimates, rows: slack(), columns: slack() }];
        let mut grids = bounds();
        grids.suppose(&guesses);
        for _ in 0..20 {
            assert!(against(&mut grids) > 0, "{chance}");
        }
    }
}

#[test]
fn a_sweep_that_is_stopped_says_so() {
    let layout = RaceLayout::new();
    assert_eq!(bounds::<u32>(&layout).sweep(&AtomicBool::new(true)), Swept::Stopped);
}
