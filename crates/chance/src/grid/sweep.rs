//! One backup of every position of a layer and of its colour swap.
//!
//! Between sweeps the numbers lie in strips in a `StripStore`. During a sweep, the strips that the current strip reads are
//! unpacked in a `window`, while the next ones are fetched and the last ones written.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::cell::ChanceCell;
use super::grid_store::{GridStore, StripError, StripLabel};
use super::half::{BackupOrder, BandTurn, Half};
use super::kernel::{Change, MeanRounding};
use super::layout::Band;
use super::packed::{PackedStrip, Places, StripPiece};
use super::plane::Plane;
use super::strip_store::{Before, Parcel, StripStore};
use super::window::{Name, Uses, Window, fetch};

/// A layer with its colour swap: one half if both players have as many pieces, else two.
pub struct Grids<'a, C, const N: usize> {
    pub(super) halves: Vec<Half<'a, C, N>>,
    turns: Vec<BandTurn>,
    uses: Uses,
    pub(super) strips: StripStore<'a, C, N>,
    /// The strips that the last sweep left unpacked, and its memory.
    window: Window<C, N>,
    /// The number of steps so far: sweeps, and other replacements of all numbers.
    step: u64,
}

/// The result of a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Swept<C> {
    /// All positions were backed up.
    All(Change<C>),
    /// It was stopped before the end.
    Stopped,
}

impl<'a, C: ChanceCell, const N: usize> Grids<'a, C, N> {
    /// A layer whose colour swap is itself, in memory, with unknown numbers.
    ///
    /// Panics unless rows and columns are the same.
    #[must_use]
    pub fn own(half: Half<'a, C, N>, order: BackupOrder) -> Self {
        Self::new(vec![half], order)
    }

    /// A layer and its colour swap, in memory, with unknown numbers.
    ///
    /// Panics unless the rows of the one are the columns of the other.
    #[must_use]
    pub fn pair(half: Half<'a, C, N>, other: Half<'a, C, N>, order: BackupOrder) -> Self {
        Self::new(vec![half, other], order)
    }

    fn new(halves: Vec<Half<'a, C, N>>, order: BackupOrder) -> Self {
        for (half, other) in halves.iter().zip(halves.iter().rev()) {
            let rows = other.layout.bands().iter().map(Band::rows);
            assert_eq!(
                rows.collect::<Vec<_>>(),
                half.layout.columns().bands(),
                "rows of one half, columns of the other"
            );
        }
        let turns = turns(&halves, order);
        let uses = Uses::new(&halves, &turns, order);
        let strips = StripStore::in_memory(&places(&halves));
        let window = Window::new(&halves);
        Self { halves, turns, uses, strips, window, step: 0 }
    }

    /// Moves the numbers to a grid store, and begins with those that are there already.
    ///
    /// # Errors
    /// Strips that cannot be read.
    ///
    /// Panics unless the order is that of strips.
    pub fn on_disk(mut self, disk: Box<dyn GridStore + 'a>) -> Result<Self, StripError> {
        assert!(self.turns.iter().all(|turn| turn.rows.start == 0), "an order of strips");
        self.strips = StripStore::on_disk(&places(&self.halves), disk)?;
        Ok(self)
    }

    /// Resumes after a step if all strips have reached it; returns whether they have.
    ///
    /// Strips that are farther are not swept again.
    pub fn resume(&mut self, step: u64) -> bool {
        let come =
            |turn: &BandTurn| self.strips.label(turn.half, turn.band).is_some_and(|label| label.step >= step);
        let all = self.turns.iter().all(come);
        if all {
            self.step = step;
        }
        all
    }

    /// The number of steps so far: sweeps, and other replacements of all numbers.
    #[must_use]
    pub const fn step(&self) -> u64 {
        self.step
    }

    /// Returns whether the numbers are on disk between sweeps.
    #[must_use]
    pub const fn is_on_disk(&self) -> bool {
        self.strips.is_on_disk()
    }

    /// The bytes read from disk and written to it.
    #[must_use]
    pub fn moved(&self) -> [u64; 2] {
        self.strips.moved()
    }

    /// The most bytes unpacked at a time in a sweep, including those under way.
    #[must_use]
    pub fn window_bytes(&self) -> u64 {
        let bytes = |name: Name| {
            let places = &self.halves[name.half].places;
            (places.rows() * places.columns(name.band).len() * N * size_of::<C>()) as u64
        };
        self.uses.most(self.turns.len(), bytes)
    }

    /// The number of halves: one or two.
    #[must_use]
    pub fn halves(&self) -> usize {
        self.halves.len()
    }

    /// All numbers of a half; cells without a position are zero.
    ///
    /// # Errors
    /// A strip that cannot be read.
    pub fn plane(&self, half: usize) -> Result<Plane<C, N>, StripError> {
        self.tiles(half, 0..self.halves[half].places.row_bands())
    }

    /// The numbers of the rows of a band, as a plane that begins with the first of them; cells without a position are
    /// zero.
    ///
    /// # Errors
    /// A strip that cannot be read.
    pub fn rows(&self, half: usize, band: usize) -> Result<Plane<C, N>, StripError> {
        self.tiles(half, band..band + 1)
    }

    fn tiles(&self, half: usize, tiles: Range<usize>) -> Result<Plane<C, N>, StripError> {
        let places = &self.halves[half].places;
        let rows = places.band_rows(tiles.start).start..places.band_rows(tiles.end - 1).end;
        let bands: Vec<Range<usize>> = (0..places.bands()).map(|band| places.columns(band)).collect();
        let mut plane = Plane::absent(rows.len(), &bands);
        for band in 0..bands.len() {
            let strip = plane.strip_mut(band);
            strip.cells = vec![C::default(); rows.len() * strip.stride()];
            let piece = self.strips.read(places, (half, band), None, tiles.clone())?;
            piece.unpack(places, band, rows.clone(), &mut strip.cells);
        }
        Ok(plane)
    }

    /// The number of bands of columns of a half.
    #[must_use]
    pub fn bands(&self, half: usize) -> usize {
        self.halves[half].places.bands()
    }

    /// The number of numbers in a band of columns.
    #[must_use]
    pub fn numbers(&self, half: usize, band: usize) -> usize {
        let places = &self.halves[half].places;
        N * places.range(band, 0..places.rows()).len()
    }

    /// The numbers of all positions of a band of columns: the first ones, row after row, then the second ones.
    ///
    /// # Errors
    /// A strip that cannot be read.
    pub fn cells(&self, half: usize, band: usize) -> Result<Vec<C>, StripError> {
        let places = &self.halves[half].places;
        let piece = self.strips.read(places, (half, band), None, 0..places.row_bands())?;
        Ok(piece.lanes().concat())
    }

    /// Replaces the numbers of a band of columns, in the order of [`cells`](Self::cells).
    ///
    /// * Result: whether there are as many as the band has.
    ///
    /// # Errors
    /// A strip that cannot be written.
    pub fn restore(&mut self, half: usize, band: usize, cells: &[C]) -> Result<bool, StripError> {
        let places = &self.halves[half].places;
        let each = places.range(band, 0..places.rows()).len();
        if cells.len() != N * each {
            return Ok(false);
        }
        let packed =
            PackedStrip { lanes: std::array::from_fn(|lane| cells[lane * each..(lane + 1) * each].to_vec()) };
        let label = StripLabel { half, band, step: self.step, change: Change::default() };
        self.window.empty();
        if let Some(parcel) = self.strips.put(label, packed, Before::Dropped) {
            self.strips.file(places, &parcel)?;
        }
        Ok(true)
    }

    /// Releases the memory that only sweeps need; the next sweep allocates it again.
    pub fn rest(&mut self) {
        self.window = Window::new(&self.halves);
    }

    /// Clears all numbers, also those in the grid store.
    pub fn clear(&mut self) {
        self.step = 0;
        self.window.empty();
        self.strips.clear();
    }

    /// The turns that complete a strip.
    pub(super) fn whole(&self) -> impl Iterator<Item = &BandTurn> + '_ {
        let last = |turn: &&BandTurn| turn.rows.end == self.halves[turn.half].places.row_bands();
        self.turns.iter().filter(last)
    }

    /// The change that the newest version of a strip records.
    pub(super) fn changed(&self, turn: &BandTurn) -> Change<C> {
        self.strips
            .label(turn.half, turn.band)
            .map(|label| Change::of_units(label.change))
            .unwrap_or_default()
    }

    /// Replaces all numbers, strip by strip; strips that have already reached this step stay.
    ///
    /// * `before`: the treatment of the old numbers.
    pub(super) fn make(
        &mut self,
        before: Before,
        make: impl Fn(&Self, &BandTurn) -> Result<(PackedStrip<C, N>, Change<C>), StripError>,
    ) -> Result<(), StripError> {
        let step = self.step + 1;
        self.window.empty();
        for turn in self.whole() {
            let (half, band) = (turn.half, turn.band);
            if self.strips.label(half, band).is_some_and(|label| label.step >= step) {
                continue;
            }
            let (packed, change) = make(self, turn)?;
            let label = StripLabel { half, band, step, change: change.in_units() };
            if let Some(parcel) = self.strips.put(label, packed, before) {
                self.strips.file(&self.halves[half].places, &parcel)?;
            }
        }
        self.step = step;
        Ok(())
    }

    /// Sets every cell: `of` receives half, row and column.
    ///
    /// # Errors
    /// A strip that cannot be written.
    pub fn set(&mut self, of: impl Fn(usize, usize, usize) -> [C; N] + Sync) -> Result<(), StripError> {
        self.make(Before::Dropped, |grids, turn| {
            let (half, band) = (turn.half, turn.band);
            let places = &grids.halves[half].places;
            let first = places.columns(band).start;
            let packed = PackedStrip::made(places, band, |rows, mut out| {
                let mut next = 0;
                for row in rows {
                    places.each(row, band, |column| {
                        for (out, cell) in out.iter_mut().zip(of(half, row, first + column)) {
                            out[next] = cell;
                        }
                        next += 1;
                    });
                }
            });
            Ok((packed, Change::default()))
        })
    }

    /// Backs up every position once; returns the change as `step` defines it.
    pub(super) fn sweep_by(
        &mut self,
        step: MeanRounding,
        before: Before,
        stop: &AtomicBool,
    ) -> Result<Swept<C>, StripError> {
        let target = self.step + 1;
        let label =
            |turn: &BandTurn| self.strips.label(turn.half, turn.band).filter(|label| label.step >= target);
        // An interrupted sweep has done the first turns.
        let done: Vec<StripLabel> = self.turns.iter().map_while(label).collect();
        let change =
            done.iter().fold(Change::default(), |change, label| change.and(Change::of_units(label.change)));
        let begin = done.len();
        if begin == self.turns.len() {
            self.step = target;
            return Ok(Swept::All(change));
        }
        // After a fault or a stop the unpacked strips are not those of the store, so they are dropped.
        let mut window = std::mem::replace(&mut self.window, Window::new(&self.halves));
        let run = SweepRun { grids: self, begin, step, before, target, full: window.is_full() };
        let swept = run.sweep(change, &mut window, stop)?;
        if swept != Swept::Stopped {
            self.step = target;
            self.window = window;
        }
        Ok(swept)
    }
}

fn places<'b, C, const N: usize>(halves: &'b [Half<'_, C, N>]) -> Vec<&'b Places> {
    halves.iter().map(|half| &half.places).collect()
}

fn turns<C: ChanceCell, const N: usize>(halves: &[Half<'_, C, N>], order: BackupOrder) -> Vec<BandTurn> {
    let mut turns = Vec::new();
    for (number, half) in halves.iter().enumerate() {
        for (band, progress) in half.layout.column_progress().into_iter().enumerate() {
            let bands = half.layout.bands();
            match order {
                BackupOrder::Strips => {
                    turns.push((progress, BandTurn { half: number, band, rows: 0..bands.len() }));
                }
                BackupOrder::Tiles => turns.extend(bands.iter().enumerate().map(|(rows, own)| {
                    (own.progress + progress, BandTurn { half: number, band, rows: rows..rows + 1 })
                })),
            }
        }
    }
    turns.sort_by_key(|&(progress, _)| std::cmp::Reverse(progress));
    turns.into_iter().map(|(_, turn)| turn).collect()
}

/// A sweep under way.
#[derive(Clone, Copy)]
struct SweepRun<'b, 'a, C, const N: usize> {
    grids: &'b Grids<'a, C, N>,
    /// The first turn.
    begin: usize,
    step: MeanRounding,
    before: Before,
    target: u64,
    /// Whether the window holds all strips from the sweep before.
    full: bool,
}

/// Strips that have been fetched for a turn.
type RowGroup<C, const N: usize> = Result<Vec<(Name, StripPiece<C, N>)>, StripError>;

impl<C: ChanceCell, const N: usize> SweepRun<'_, '_, C, N> {
    /// * `change`: that of the turns before.
    fn sweep(
        self,
        change: Change<C>,
        window: &mut Window<C, N>,
        stop: &AtomicBool,
    ) -> Result<Swept<C>, StripError> {
        let places = places(&self.grids.halves);
        thread::scope(|scope| {
            let (fetched, arrive) = sync_channel(0);
            scope.spawn(move || self.fetch_all(&fetched));
            let (laid, parcels) = sync_channel(1);
            let writer = scope.spawn(move || self.grids.strips.file_all(&places, &parcels));
            let swept = self.turns(change, window, (&arrive, &laid), stop);
            drop((arrive, laid));
            let written = writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            written.and(swept)
        })
    }

    /// Fetches the strips of each turn during the turn before.
    ///
    /// Each turn has a group, even if no strip enters: the strips of a later turn must not be fetched before the
    /// strips of all turns but the last one lie in the store.
    fn fetch_all(self, fetched: &SyncSender<RowGroup<C, N>>) {
        if self.full {
            return;
        }
        let Grids { halves, turns, uses, strips, .. } = self.grids;
        for turn in self.begin..turns.len() {
            let names: Vec<Name> = uses.entering(turn, self.begin).collect();
            let fetch = |name: Name| Ok((name, fetch(strips, halves, name)?));
            // The neighbours of the first strips are not urgent: one at a time is enough.
            let together = if turn == self.begin { 1 } else { names.len().max(1) };
            let groups: Vec<&[Name]> =
                if names.is_empty() { vec![&[]] } else { names.chunks(together).collect() };
            for names in groups {
                let group: RowGroup<C, N> = names.iter().copied().map(fetch).collect();
                // The receiver is dropped if the sweep was stopped.
                if fetched.send(group).is_err() {
                    return;
                }
            }
        }
    }

    fn turns(
        self,
        mut change: Change<C>,
        window: &mut Window<C, N>,
        (arrive, laid): (&Receiver<RowGroup<C, N>>, &SyncSender<Parcel<C, N>>),
        stop: &AtomicBool,
    ) -> Result<Swept<C>, StripError> {
        let Grids { halves, turns, .. } = self.grids;
        let mut own: Vec<Change<C>> =
            vec![Change::default(); halves.iter().map(|half| half.places.bands()).sum()];
        self.enter(self.begin, window, arrive)?;
        for (number, turn) in turns.iter().enumerate().skip(self.begin) {
            if stop.load(Relaxed) {
                return Ok(Swept::Stopped);
            }
            let half = &halves[turn.half];
            let changed = half.back_up(&mut window.grids[turn.half], turn, self.step);
            change = change.and(changed);
            let place = turn.band + if turn.half == 0 { 0 } else { halves[0].places.bands() };
            own[place] = own[place].and(changed);
            if turn.rows.end == half.places.row_bands() && self.lay(turn, window, own[place], laid).is_break()
            {
                return Ok(Swept::Stopped);
            }
            // The strips of the next turn were fetched before this turn ended.
            self.enter(number + 1, window, arrive)?;
            window.turn(turn);
            self.grids.uses.leaving(number).for_each(|name| window.leave(name));
        }
        Ok(Swept::All(change))
    }

    /// Lets in the strips that a turn is the first to read.
    fn enter(
        self,
        turn: usize,
        window: &mut Window<C, N>,
        arrive: &Receiver<RowGroup<C, N>>,
    ) -> Result<(), StripError> {
        if self.full || turn == self.grids.turns.len() {
            return Ok(());
        }
        let mut missing = self.grids.uses.entering(turn, self.begin).count();
        while let Ok(group) = arrive.recv() {
            for (name, piece) in group? {
                window.enter(name, &piece, &self.grids.halves[name.half].places);
                missing -= 1;
            }
            if missing == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Puts a complete strip into the store; breaks if the writer has stopped.
    fn lay(
        self,
        turn: &BandTurn,
        window: &Window<C, N>,
        change: Change<C>,
        laid: &SyncSender<Parcel<C, N>>,
    ) -> ControlFlow<()> {
        let (half, band) = (turn.half, turn.band);
        let packed =
            PackedStrip::of(window.grids[half].again.strip(band), &self.grids.halves[half].places, band);
        let label = StripLabel { half, band, step: self.target, change: change.in_units() };
        match self.grids.strips.put(label, packed, self.before).map(|parcel| laid.send(parcel)) {
            Some(Err(_)) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

impl<'a, C: ChanceCell> Grids<'a, C, 1> {
    /// Backs up every position once; the result is the greatest change.
    ///
    /// * `stop`: checked before every turn.
    ///
    /// # Errors
    /// A strip that cannot be read or written.
    pub fn sweep(&mut self, stop: &AtomicBool) -> Result<Swept<C>, StripError> {
        self.sweep_by(MeanRounding::Estimate, Before::Dropped, stop)
    }
}

impl<'a, C: ChanceCell> Grids<'a, C, 2> {
    /// Backs up every position once; the result is the widest gap between bounds.
    ///
    /// * `stop`: checked before every turn.
    ///
    /// # Errors
    /// A strip that cannot be read or written.
    pub fn sweep(&mut self, stop: &AtomicBool) -> Result<Swept<C>, StripError> {
        self.sweep_by(MeanRounding::Bounds, Before::Dropped, stop)
    }
}
