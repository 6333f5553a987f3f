//! Senet as rows and columns: the rules as a sweep over a layer needs them.
//!
//! Rows and columns are the placements of one player's pieces, the most advanced first. A move forward leads to an
//! earlier row; only the water and moves backward lead to a later one.

use marquis_chance::grid::{Band, Choices, Columns, Destination, GridMove, JumpsId, Layout, MaskId};
use marquis_core::Throw;
use marquis_games::senet::board::{LAST, SQUARES, Set, Square, WATER};
use marquis_games::senet::index::{RESTS, rank, unrank};
use marquis_games::senet::{SenetLayer, THROWS, throws_again};
use marquis_rank::binomial;

/// All placements of a number of pieces, the most advanced first.
pub(crate) struct Placements {
    sets: Vec<Set>,
    /// By the rank of the set.
    numbers: Vec<u32>,
    /// Groups with the same sum of squares.
    bands: Vec<Band>,
}

/// The approximate number of bands of rows and of columns in a layer.
const BANDS: usize = 128;
/// The smallest number of placements in a band.
const BAND_SIZE: usize = 64;

impl Placements {
    pub(crate) fn new(pieces: u8) -> Self {
        let pieces = u32::from(pieces);
        let mut sets: Vec<Set> = (0..binomial(RESTS, pieces)).map(|rank| unrank(rank, pieces)).collect();
        sets.sort_unstable_by_key(|&set| (std::cmp::Reverse(sum(set)), set));
        let mut numbers = vec![0; sets.len()];
        for (number, &set) in (0..).zip(&sets) {
            numbers[rank(set) as usize] = number;
        }
        let bands = bands(&sets);
        Self { sets, numbers, bands }
    }

    /// The number of a placement.
    pub(crate) fn number(&self, set: Set) -> u32 {
        self.numbers[rank(set) as usize]
    }

    pub(crate) fn sets(&self) -> &[Set] {
        &self.sets
    }

    /// The placements from which pieces may be borne off.
    pub(crate) fn homes(&self) -> impl Iterator<Item = usize> + '_ {
        let sets = self.sets.iter().enumerate();
        sets.filter(|(_, set)| set.is_within(Set::LAST_ROW)).map(|(number, _)| number)
    }

    /// Placements that are processed together.
    pub(crate) fn bands(&self) -> &[Band] {
        &self.bands
    }

    /// The most columns that a strip of a band reads: itself and those that bumped pieces lead to, both when the
    /// mover throws again and when he does not.
    pub(crate) fn most_together(&self) -> usize {
        let back = |again: bool| {
            THROWS.into_iter().filter(|&throw| throws_again(throw) == again).map(|throw| throw.score).max()
        };
        let [again, turned] = [true, false].map(|again| u32::from(back(again).unwrap_or(0)));
        let reach = |first: usize, steps: u32| {
            let last = self.bands[first].rows().end - 1;
            let least = sum(self.sets[last]).saturating_sub(steps);
            let reached =
                self.bands[first..].iter().take_while(|band| sum(self.sets[band.rows().start]) >= least);
            reached.map(|band| band.rows().len()).sum::<usize>()
        };
        (0..self.bands.len()).map(|band| reach(band, again) + reach(band, turned)).max().unwrap_or(0)
    }

    pub(crate) fn count(&self) -> usize {
        self.sets.len()
    }

    /// The total number of squares that the pieces of each placement have left to go.
    pub(crate) fn remaining(&self) -> Vec<u32> {
        self.sets.iter().map(|&set| set.len() * u32::from(SQUARES) - sum(set)).collect()
    }
}

/// Whole groups with the same sum of squares, in bands of about equal size.
fn bands(sets: &[Set]) -> Vec<Band> {
    let least = sets.len().div_ceil(BANDS).max(BAND_SIZE);
    let mut bands: Vec<Band> = Vec::new();
    let mut first = 0;
    for group in sets.chunk_by(|&a, &b| sum(a) == sum(b)) {
        let range = first..first + group.len();
        first = range.end;
        match bands.last_mut() {
            Some(band) if band.rows().len() < least => band.groups.push(range),
            _ => bands.push(Band { groups: vec![range], progress: 0 }),
        }
    }
    for band in &mut bands {
        let (rows, sets) = (band.rows(), &sets[band.rows()]);
        let total: u64 = sets.iter().map(|&set| u64::from(sum(set))).sum();
        band.progress = PROGRESS_UNITS * total / rows.len() as u64;
    }
    bands
}

/// Progress is reported in units; a square has this many.
const PROGRESS_UNITS: u64 = 1000;

fn sum(set: Set) -> u32 {
    set.squares().map(|square| u32::from(square.number())).sum()
}

fn squares() -> impl Iterator<Item = Square> {
    (1..=SQUARES).filter_map(Square::new)
}

/// The effect of the opponent's placement on a piece of the mover's.
#[derive(Clone, Copy)]
struct Way {
    /// The move passes over no row of three, and no enemy is on the square.
    open: MaskId,
    /// The move bumps a lone enemy.
    bump: Option<JumpsId>,
}

/// The opponent's placements as columns.
pub(crate) struct Enemies {
    columns: Columns,
    progress: Vec<u64>,
    /// By square.
    vacant: Vec<MaskId>,
    taken: Vec<MaskId>,
    /// By square and throw.
    forward: Vec<Option<Way>>,
    backward: Vec<Option<Way>>,
}

impl Enemies {
    pub(crate) const fn columns(&self) -> &Columns {
        &self.columns
    }

    pub(crate) fn new(placements: &Placements) -> Self {
        let sets = placements.sets();
        let bands: Vec<_> = placements.bands.iter().map(Band::rows).collect();
        let mut columns = Columns::new(&bands);
        let mut mask = |has: &dyn Fn(Set) -> bool| columns.add_mask(|column| has(sets[column]));
        let vacant = squares().map(|square| mask(&|set| !set.has(square))).collect();
        let taken = squares().map(|square| mask(&|set| set.has(square))).collect();
        let progress = placements.bands.iter().map(|band| band.progress).collect();
        let mut enemies =
            Self { columns, progress, vacant, taken, forward: Vec::new(), backward: Vec::new() };
        for from in squares() {
            for throw in THROWS {
                let to = from.onward(throw.score);
                let forward = to.map(|to| Way {
                    open: enemies.open(placements, from, to, to),
                    bump: enemies.bump(placements, from, to),
                });
                let to = from.back(throw.score);
                let backward = to.map(|to| Way { open: enemies.open(placements, to, from, to), bump: None });
                enemies.forward.push(forward);
                enemies.backward.push(backward);
            }
        }
        enemies
    }

    fn open(&mut self, placements: &Placements, low: Square, high: Square, to: Square) -> MaskId {
        let sets = placements.sets();
        self.columns.add_mask(|column| !sets[column].has_row_between(low, high) && !sets[column].has(to))
    }

    fn bump(&mut self, placements: &Placements, from: Square, to: Square) -> Option<JumpsId> {
        if Set::HOUSES.has(to) || !Set::RESTING.has(to) || !Set::RESTING.has(from) {
            return None;
        }
        let sets = placements.sets();
        Some(self.columns.add_jumps(|column| {
            let set = sets[column];
            let bumped =
                set.has(to) && !set.has_neighbour_of(to) && !set.has_row_between(from, to) && !set.has(from);
            bumped.then(|| placements.number(set.without(to).with(from)) as usize)
        }))
    }

    fn vacant(&self, square: Square) -> MaskId {
        self.vacant[usize::from(square.number()) - 1]
    }

    fn taken(&self, square: Square) -> MaskId {
        self.taken[usize::from(square.number()) - 1]
    }
}

/// One layer, by the placements of both players.
pub(crate) struct SenetLayout<'a> {
    rows: &'a Placements,
    /// The placements with one of the mover's pieces fewer.
    fewer: &'a Placements,
    enemies: &'a Enemies,
    opponents: u32,
    weights: [u32; THROWS.len()],
    /// The index of a placement among the [homes](Placements::homes) with one piece fewer.
    home_rows: Vec<u32>,
}

impl<'a> SenetLayout<'a> {
    pub(crate) fn new(
        layer: SenetLayer,
        rows: &'a Placements,
        fewer: &'a Placements,
        enemies: &'a Enemies,
    ) -> Self {
        let mut home_rows = vec![u32::MAX; fewer.count()];
        for (row, home) in (0..).zip(fewer.homes()) {
            home_rows[home] = row;
        }
        let weights = THROWS.map(|throw| throw.weight.into());
        Self { rows, fewer, enemies, opponents: layer.opponent.into(), weights, home_rows }
    }

    fn source(&self, own: Set, throw: Throw) -> Destination {
        let row = self.rows.number(own);
        if throws_again(throw) { Destination::Again(row) } else { Destination::Turned(row) }
    }

    fn forward(&self, own: Set, from: Square, throw: (usize, Throw), out: &mut Vec<GridMove>) {
        let Some(way) = self.enemies.forward[way_number(from, throw.0)] else { return };
        let Some(to) = from.onward(throw.1.score) else { return };
        let rest = own.without(from);
        if own.has(to) {
            return;
        }
        if to == LAST {
            if own.is_within(Set::LAST_ROW) {
                let row = self.home_rows[self.fewer.number(rest) as usize];
                let again = throws_again(throw.1);
                let source =
                    if again { Destination::FinishedAgain(row) } else { Destination::FinishedTurned(row) };
                out.push(GridMove { source, masks: vec![way.open], jumps: None });
            }
        } else if to == WATER {
            self.water(rest, way, throw.1, out);
        } else {
            let source = self.source(rest.with(to), throw.1);
            out.push(GridMove { source, masks: vec![way.open], jumps: way.bump });
        }
    }

    fn backward(&self, own: Set, from: Square, throw: (usize, Throw), out: &mut Vec<GridMove>) {
        let Some(way) = self.enemies.backward[way_number(from, throw.0)] else { return };
        let Some(to) = from.back(throw.1.score) else { return };
        let rest = own.without(from);
        if own.has(to) {
            return;
        }
        if to == WATER {
            self.water(rest, way, throw.1, out);
        } else {
            out.push(GridMove {
                source: self.source(rest.with(to), throw.1),
                masks: vec![way.open],
                jumps: None,
            });
        }
    }

    /// A piece goes to the lowest free square: one choice for each square that may be the lowest.
    fn water(&self, rest: Set, way: Way, throw: Throw, out: &mut Vec<GridMove>) {
        let mut masks = vec![way.open];
        let free = squares().filter(|&square| !rest.has(square));
        for refuge in free.take(self.opponents as usize + 1) {
            let mut own_masks = masks.clone();
            own_masks.push(self.enemies.vacant(refuge));
            let source = self.source(rest.with(refuge), throw);
            out.push(GridMove { source, masks: own_masks, jumps: None });
            masks.push(self.enemies.taken(refuge));
        }
    }
}

fn way_number(from: Square, throw: usize) -> usize {
    (usize::from(from.number()) - 1) * THROWS.len() + throw
}

impl Layout for SenetLayout<'_> {
    fn weights(&self) -> &[u32] {
        &self.weights
    }

    fn rows(&self) -> usize {
        self.rows.count()
    }

    fn bands(&self) -> &[Band] {
        &self.rows.bands
    }

    fn column_progress(&self) -> Vec<u64> {
        self.enemies.progress.clone()
    }

    fn columns(&self) -> &Columns {
        &self.enemies.columns
    }

    fn position_masks(&self, row: usize, out: &mut Vec<MaskId>) {
        out.extend(self.rows.sets[row].squares().map(|square| self.enemies.vacant(square)));
    }

    fn choices(&self, row: usize, throw: usize, out: &mut Choices) {
        out.clear();
        let own = self.rows.sets[row];
        for from in own.squares() {
            self.forward(own, from, (throw, THROWS[throw]), &mut out.first);
            self.backward(own, from, (throw, THROWS[throw]), &mut out.otherwise);
        }
    }
}
