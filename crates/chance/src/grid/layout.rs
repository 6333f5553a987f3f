//! The description of a game for the grid solver.
//!
//! A grid holds the positions of one kind: a row for each placement of the mover's pieces, a column for each
//! placement of the opponent's. A move of the mover leads to another row and, unless a piece of the opponent's is
//! displaced, to the same column; so a whole row follows from whole rows.

use std::ops::Range;

/// The most columns of a span, the unit of work.
pub const SPAN: usize = 512;

/// The number of a mask among those of the [`Columns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaskId(pub u32);

/// The number of a list of jumps among those of the [`Columns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JumpsId(pub u32);

/// A move that also changes the column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Jump {
    /// The column before, counted in its span.
    pub(crate) from: u32,
    /// The column after, counted in its band.
    pub(crate) to: u32,
}

/// Facts about the opponent's placements that do not depend on the mover's.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    spans: Vec<Range<usize>>,
    bands: Vec<Range<usize>>,
    masks: Vec<Vec<u8>>,
    jumps: Vec<Jumps>,
}

#[derive(Clone, Debug)]
struct Jumps {
    list: Vec<Jump>,
    /// The jumps of a span that lead to the same band: the band, and where they end in the list.
    runs: Vec<BandRun>,
    /// Where the runs of each span begin, and where the last ones end.
    starts: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct BandRun {
    band: u32,
    start: u32,
    end: u32,
}

impl Columns {
    /// Columns in bands, without masks or jumps.
    ///
    /// * `bands`: all columns from 0 on.
    ///
    /// Panics if a band is empty or does not begin where the one before ends.
    #[must_use]
    pub fn new(bands: &[Range<usize>]) -> Self {
        let mut columns = Self::default();
        let mut first = 0;
        for band in bands {
            assert_eq!(band.start, first, "the start of a band of columns");
            assert!(!band.is_empty(), "a band without columns");
            let spans = columns.spans.len();
            while first < band.end {
                let end = band.end.min(first + SPAN);
                columns.spans.push(first..end);
                first = end;
            }
            columns.bands.push(spans..columns.spans.len());
        }
        columns
    }

    /// The number of columns.
    #[must_use]
    pub fn count(&self) -> usize {
        self.spans.last().map_or(0, |span| span.end)
    }

    /// The columns of a span.
    #[inline(always)]
    pub(crate) fn span(&self, span: usize) -> Range<usize> {
        self.spans[span].clone()
    }

    /// The columns of all bands.
    #[must_use]
    pub fn bands(&self) -> Vec<Range<usize>> {
        let columns = |spans: &Range<usize>| self.spans[spans.start].start..self.spans[spans.end - 1].end;
        self.bands.iter().map(columns).collect()
    }

    /// The spans of a band.
    pub(crate) fn band(&self, band: usize) -> Range<usize> {
        self.bands[band].clone()
    }

    /// Adds the mask of all columns that have a property.
    pub fn add_mask(&mut self, has: impl Fn(usize) -> bool) -> MaskId {
        self.masks.push((0..self.count()).map(|column| if has(column) { 0xff } else { 0 }).collect());
        MaskId(self.masks.len() as u32 - 1)
    }

    /// Adds a list of jumps: from each column that `to` gives another for.
    ///
    /// Panics if a jump leads past the columns.
    pub fn add_jumps(&mut self, to: impl Fn(usize) -> Option<usize>) -> JumpsId {
        let (mut list, mut runs, mut starts) = (Vec::new(), Vec::new(), vec![0]);
        for span in &self.spans {
            let leads = span.clone().filter_map(|from| Some((from, to(from)?)));
            let mut found: Vec<(usize, Jump)> = leads
                .map(|(from, to)| {
                    let band = self.band_of(to);
                    let to = to - self.spans[self.bands[band].start].start;
                    (band, Jump { from: (from - span.start) as u32, to: to as u32 })
                })
                .collect();
            found.sort_by_key(|&(band, jump)| (band, jump.from));
            for run in found.chunk_by(|a, b| a.0 == b.0) {
                let start = list.len() as u32;
                list.extend(run.iter().map(|&(_, jump)| jump));
                runs.push(BandRun { band: run[0].0 as u32, start, end: list.len() as u32 });
            }
            starts.push(runs.len() as u32);
        }
        self.jumps.push(Jumps { list, runs, starts });
        JumpsId(self.jumps.len() as u32 - 1)
    }

    #[inline(always)]
    pub(crate) fn mask(&self, id: MaskId) -> &[u8] {
        &self.masks[id.0 as usize]
    }

    /// The jumps of a span, by the band that they lead to.
    #[inline(always)]
    pub(crate) fn jumps_in(&self, id: JumpsId, span: usize) -> impl Iterator<Item = (usize, &[Jump])> {
        let jumps = &self.jumps[id.0 as usize];
        let runs = &jumps.runs[jumps.starts[span] as usize..jumps.starts[span + 1] as usize];
        runs.iter().map(|run| (run.band as usize, &jumps.list[run.start as usize..run.end as usize]))
    }

    /// The target of a jump from a column, if there is one.
    pub(crate) fn jump(&self, id: JumpsId, column: usize) -> Option<usize> {
        let span = self.spans.partition_point(|span| span.end <= column);
        let from = (column - self.spans[span].start) as u32;
        self.jumps_in(id, span).find_map(|(band, jumps)| {
            let place = jumps.binary_search_by_key(&from, |jump| jump.from).ok()?;
            Some(self.spans[self.bands[band].start].start + jumps[place].to as usize)
        })
    }

    /// Panics if there is no such column.
    pub(crate) fn band_of(&self, column: usize) -> usize {
        let band = self.bands.partition_point(|spans| self.spans[spans.end - 1].end <= column);
        assert!(band < self.bands.len(), "a jump to column {column} of {}", self.count());
        band
    }
}

/// The row that a move leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Of the same grid, with the mover to throw again.
    Again(u32),
    /// Of the same grid, with the opponent to throw.
    Turned(u32),
    /// Of the finished rows, with the mover to throw again.
    FinishedAgain(u32),
    /// Of the finished rows, with the opponent to throw.
    FinishedTurned(u32),
}

/// A move of the mover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridMove {
    /// The target row.
    pub source: Destination,
    /// The move is legal and keeps the column in the columns that have all of these masks.
    pub masks: Vec<MaskId>,
    /// The move is legal and changes the column in the columns with one of these jumps.
    pub jumps: Option<JumpsId>,
}

/// The moves of one row for one throw.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// The moves with priority.
    pub first: Vec<GridMove>,
    /// The moves for columns in which none of the first is legal. If none of these is legal either, the turn passes.
    pub otherwise: Vec<GridMove>,
}

impl Choices {
    /// Clears all moves.
    pub fn clear(&mut self) {
        self.first.clear();
        self.otherwise.clear();
    }
}

/// Rows, or columns, that are worked on together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    /// Its groups, in order.
    pub groups: Vec<Range<usize>>,
    /// The progress of the game; moves should lead to bands with more.
    pub progress: u64,
}

impl Band {
    /// All its rows.
    #[must_use]
    pub fn rows(&self) -> Range<usize> {
        let start = self.groups.first().map_or(0, |group| group.start);
        start..self.groups.last().map_or(start, |group| group.end)
    }
}

/// The rules of the positions of one grid.
pub trait Layout: Sync {
    /// The weights of the throws; they add up to 16.
    fn weights(&self) -> &[u32];

    /// The number of rows.
    fn rows(&self) -> usize;

    /// All rows, in bands of groups. Within a group no row leads to another one with the mover to throw again.
    fn bands(&self) -> &[Band];

    /// The progress of each band of columns.
    fn column_progress(&self) -> Vec<u64>;

    /// The facts about the columns.
    fn columns(&self) -> &Columns;

    /// Appends the masks that are all set in the columns that form a position with this row.
    fn position_masks(&self, row: usize, out: &mut Vec<MaskId>);

    /// Replaces `out` by the moves of a row for a throw, given by its place among the weights.
    fn choices(&self, row: usize, throw: usize, out: &mut Choices);
}
