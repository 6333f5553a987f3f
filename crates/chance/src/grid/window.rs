//! The strips that are unpacked during a sweep: those that the current strip reads.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::cell::ChanceCell;
use super::grid_store::StripError;
use super::half::{BackupOrder, BandTurn, Grid, Half};
use super::layout::{Destination, JumpsId};
use super::packed::{PackedStrip, Places, StripPiece};
use super::plane::{BandStrip, Plane};
use super::strip_store::StripStore;

/// Which of the two grids of a half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum GridSide {
    /// With the player of the rows to throw.
    Again,
    /// With the opponent to throw.
    Turned,
}

/// A strip of one of the grids of a half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    pub(super) half: usize,
    pub(super) side: GridSide,
    pub(super) band: usize,
}

/// A strip that is read, with the first and the last turn that read it.
#[derive(Clone, Copy, Debug)]
struct Use {
    name: Name,
    first: usize,
    last: usize,
}

/// The turns in which a sweep needs each strip.
pub(super) struct Uses(Vec<Use>);

impl Uses {
    /// * `turns`: the order of the backups.
    pub(super) fn new<C: ChanceCell, const N: usize>(
        halves: &[Half<'_, C, N>],
        turns: &[BandTurn],
        order: BackupOrder,
    ) -> Self {
        let mut uses: BTreeMap<Name, Use> = BTreeMap::new();
        let read: Vec<Vec<BTreeSet<Name>>> =
            (0..).zip(halves).map(|(number, half)| reads(half, number)).collect();
        for (number, turn) in turns.iter().enumerate() {
            for &name in &read[turn.half][turn.band] {
                uses.entry(name).or_insert(Use { name, first: number, last: number }).last = number;
            }
        }
        if order == BackupOrder::Tiles {
            // A strip into the store is current only after all its tiles; all strips stay for the next sweep.
            uses.values_mut().for_each(|own| (own.first, own.last) = (0, usize::MAX));
        }
        Self(uses.into_values().collect())
    }

    /// The strips that are first read at a turn; for the first turn of a sweep, also those that were read before.
    pub(super) fn entering(&self, turn: usize, begin: usize) -> impl Iterator<Item = Name> + '_ {
        let enters = move |own: &&Use| own.last >= turn && own.first.max(begin) == turn;
        self.0.iter().filter(enters).map(|own| own.name)
    }

    /// The strips that are not read after a turn.
    pub(super) fn leaving(&self, turn: usize) -> impl Iterator<Item = Name> + '_ {
        self.0.iter().filter(move |own| own.last == turn).map(|own| own.name)
    }

    /// The most bytes of unpacked strips at a time.
    pub(super) fn most(&self, turns: usize, bytes: impl Fn(Name) -> u64) -> u64 {
        let at = |turn| self.0.iter().filter(move |own| (own.first..=own.last).contains(&turn));
        (0..turns).map(|turn| at(turn).map(|own| bytes(own.name)).sum()).max().unwrap_or(0)
    }
}

/// The lists of jumps of a half, and the grid that they lead to.
fn jumps_of<C: ChanceCell, const N: usize>(half: &Half<'_, C, N>) -> BTreeSet<(GridSide, u32)> {
    let jump = |(source, JumpsId(jumps)): (Destination, JumpsId)| match source {
        Destination::Again(_) => Some((GridSide::Again, jumps)),
        Destination::Turned(_) => Some((GridSide::Turned, jumps)),
        Destination::FinishedAgain(_) | Destination::FinishedTurned(_) => None,
    };
    half.plans.jumps().filter_map(jump).collect()
}

/// By band, the strips that are read during the sweep of that band of a half.
fn reads<C: ChanceCell, const N: usize>(half: &Half<'_, C, N>, number: usize) -> Vec<BTreeSet<Name>> {
    let jumps = jumps_of(half);
    (0..half.places.bands()).map(|band| read_by(half, number, band, &jumps)).collect()
}

/// The strips that are read during the sweep of a strip.
fn read_by<C: ChanceCell, const N: usize>(
    half: &Half<'_, C, N>,
    number: usize,
    band: usize,
    jumps: &BTreeSet<(GridSide, u32)>,
) -> BTreeSet<Name> {
    let mut names: BTreeSet<Name> =
        [GridSide::Again, GridSide::Turned].map(|side| Name { half: number, side, band }).into();
    let columns = half.layout.columns();
    for span in columns.band(band) {
        for &(side, jumps) in jumps {
            let bands = columns.jumps_in(JumpsId(jumps), span).map(|(band, _)| band);
            names.extend(bands.map(|band| Name { half: number, side, band }));
        }
    }
    names
}

/// The unpacked strips of all halves.
pub(super) struct Window<C, const N: usize> {
    pub(super) grids: Vec<Grid<C, N>>,
    /// Memory of strips that have left, for new ones.
    spare: Vec<Vec<C>>,
}

impl<C: ChanceCell, const N: usize> Window<C, N> {
    pub(super) fn new(halves: &[Half<'_, C, N>]) -> Self {
        let grid = |half: &Half<'_, C, N>| {
            let (rows, bands) = (half.layout.rows(), half.layout.columns().bands());
            Grid { again: Plane::absent(rows, &bands), turned: Plane::absent(rows, &bands) }
        };
        Self { grids: halves.iter().map(grid).collect(), spare: Vec::new() }
    }

    fn strip_mut(&mut self, name: Name) -> &mut BandStrip<C, N> {
        let grid = &mut self.grids[name.half];
        match name.side {
            GridSide::Again => grid.again.strip_mut(name.band),
            GridSide::Turned => grid.turned.strip_mut(name.band),
        }
    }

    /// The names of all strips in the window.
    fn names(&self) -> Vec<Name> {
        let here = |half: usize, side: GridSide, plane: &Plane<C, N>| -> Vec<Name> {
            let bands = (0..plane.bands().count()).filter(|&band| !plane.strip(band).cells.is_empty());
            bands.map(|band| Name { half, side, band }).collect()
        };
        let both = |(half, grid): (usize, &Grid<C, N>)| {
            [here(half, GridSide::Again, &grid.again), here(half, GridSide::Turned, &grid.turned)].concat()
        };
        self.grids.iter().enumerate().flat_map(both).collect()
    }

    /// Returns whether strips have stayed from a sweep: either all of them do or none.
    pub(super) fn is_full(&self) -> bool {
        !self.names().is_empty()
    }

    /// Removes all strips.
    pub(super) fn empty(&mut self) {
        self.names().into_iter().for_each(|name| self.leave(name));
    }

    /// Adds a strip.
    pub(super) fn enter(&mut self, name: Name, piece: &StripPiece<C, N>, places: &Places) {
        let mut cells = self.spare.pop().unwrap_or_default();
        let strip = self.strip_mut(name);
        cells.resize(places.rows() * strip.stride(), C::default());
        strip.cells = cells;
        piece.unpack(places, name.band, 0..places.rows(), &mut strip.cells);
    }

    /// Removes a strip.
    pub(super) fn leave(&mut self, name: Name) {
        let cells = std::mem::take(&mut self.strip_mut(name).cells);
        self.spare.push(cells);
    }

    /// Copies the new bands of rows of a strip to the strips of the other half in the window.
    pub(super) fn turn(&mut self, turn: &BandTurn) {
        let other = self.grids.len() - 1 - turn.half;
        let again = std::mem::take(&mut self.grids[turn.half].again);
        let turned = &mut self.grids[other].turned;
        for rows in turn.rows.clone() {
            if !turned.strip(rows).cells.is_empty() {
                turned.take_turned(&again, rows, turn.band);
            }
        }
        self.grids[turn.half].again = again;
    }
}

/// Reads a strip from the strips.
pub(super) fn fetch<C: ChanceCell, const N: usize>(
    strips: &StripStore<C, N>,
    halves: &[Half<'_, C, N>],
    name: Name,
) -> Result<StripPiece<C, N>, StripError> {
    let Name { half, side, band } = name;
    if side == GridSide::Again {
        let places = &halves[half].places;
        return strips.read(places, (half, band), None, 0..places.row_bands());
    }
    let other = halves.len() - 1 - half;
    let (from, to) = (&halves[other].places, &halves[half].places);
    let mut whole = PackedStrip::unknown(to.range(band, 0..to.rows()).len());
    for columns in 0..from.bands() {
        let tile = strips.read(from, (other, columns), None, tile_of(band))?;
        tile.turn(from, band, columns, to, &mut whole);
    }
    Ok(StripPiece::new(whole.into(), 0))
}

const fn tile_of(band: usize) -> Range<usize> {
    band..band + 1
}
