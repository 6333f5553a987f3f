//! A few rows at a time, side by side for every column.

use super::fold::{NOTHING, PASSES, before_move, clear_images, fold_row, key, overflows};
use super::{Camp, Home, Image};

/// Rows that are done at once.
pub(super) const LANES: usize = 32;
/// Columns that are turned back into rows at once.
const BLOCK: usize = 64;

type CodeLanes = [u8; LANES];

/// Rows of codes, one behind the other.
#[derive(Clone, Copy)]
pub(super) struct CodeRows<'a> {
    pub(super) cells: &'a [u8],
    pub(super) columns: usize,
}

impl<'a> CodeRows<'a> {
    pub(super) fn row(self, row: u32) -> &'a [u8] {
        &self.cells[row as usize * self.columns..(row as usize + 1) * self.columns]
    }
}

/// The sources of the rows of a tile.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub(super) rows: &'a Camp,
    pub(super) columns: &'a Camp,
    /// The camp of the rows with one piece less.
    pub(super) fewer_rows: &'a Camp,
    /// The camp of the columns with one piece less.
    pub(super) fewer_columns: &'a Camp,
    /// The column's side to move: the rows of earlier levels.
    pub(super) earlier: CodeRows<'a>,
    /// The column's side to move, the row's side with one piece less.
    pub(super) row_off: CodeRows<'a>,
    /// The row's side to move, the column's side with one piece less.
    pub(super) column_off: CodeRows<'a>,
}

/// The buffers of a tile, which are reused.
pub(super) struct Tile {
    /// By column: the keys when the row's side is to move.
    own: Vec<CodeLanes>,
    /// The same with one piece less in the columns.
    off: Vec<CodeLanes>,
    row: Vec<u8>,
}

/// The rows made in a tile.
pub(super) struct TileRows<'a> {
    /// The row's side to move; `None` if not needed.
    pub(super) own: Option<&'a mut [u8]>,
    /// The column's side to move.
    pub(super) other: &'a mut [u8],
}

impl Tile {
    pub(super) fn new(sources: &Sources<'_>) -> Self {
        let lanes = |columns: usize| vec![[NOTHING; LANES]; columns];
        let columns = sources.columns.columns();
        Self { own: lanes(columns), off: lanes(sources.fewer_columns.columns()), row: vec![0; columns] }
    }

    /// Makes the rows from `first` on; returns whether every code fits its cell.
    pub(super) fn make(&mut self, sources: &Sources<'_>, first: u32, mut made: TileRows<'_>) -> bool {
        let columns = sources.columns.columns();
        let count = made.other.len() / columns;
        if count < LANES {
            self.own.fill([NOTHING; LANES]);
        }
        for (lane, row) in (first..).take(count).enumerate() {
            self.row_to_move(sources, sources.rows.placements[row as usize]);
            put_lane(&mut self.own, lane, &self.row);
            self.row.resize(sources.fewer_columns.columns(), NOTHING);
            self.row.fill(NOTHING);
            let home = sources.rows.homes[sources.rows.placements[row as usize] as usize];
            fold_row(
                &mut self.row,
                sources.column_off.row(row),
                home.image,
                &sources.fewer_columns.stretches,
            );
            put_lane(&mut self.off, lane, &self.row);
            self.row.resize(columns, NOTHING);
        }
        let fits = self.columns_to_move(sources.columns, &mut made, count);
        for (lane, row) in (first..).take(count).enumerate() {
            let Home { image, .. } = sources.rows.homes[sources.rows.placements[row as usize] as usize];
            if image == Image::Symmetric {
                let part = lane * columns..(lane + 1) * columns;
                clear_images(&mut made.other[part.clone()], &sources.columns.stretches);
                if let Some(own) = &mut made.own {
                    clear_images(&mut own[part], &sources.columns.stretches);
                }
            }
        }
        fits
    }

    /// Step 1: the keys of one row, the row's side to move.
    fn row_to_move(&mut self, sources: &Sources<'_>, placement: u32) {
        let best = &mut self.row;
        best.fill(NOTHING);
        let columns = &sources.columns.stretches;
        for &step in sources.rows.steps.row(placement) {
            let Home { row, image } = sources.rows.homes[step as usize];
            fold_row(best, sources.earlier.row(row), image, columns);
        }
        for &off in sources.rows.offs.row(placement) {
            let Home { row, image } = sources.fewer_rows.homes[off as usize];
            fold_row(best, sources.row_off.row(row), image, columns);
        }
        let covers = sources.rows.covers[placement as usize];
        for (best, &faces) in best.iter_mut().zip(&sources.columns.faces) {
            let own = if *best == NOTHING { PASSES } else { key(before_move(*best)) };
            *best = if covers & faces == 0 { own } else { NOTHING };
        }
    }

    /// Step 2: both codes of every column; settles the passes of step 1.
    fn columns_to_move(&mut self, columns: &Camp, made: &mut TileRows<'_>, count: usize) -> bool {
        let mut fits = true;
        let mut own_block = [[0; LANES]; BLOCK];
        let mut other_block = [[0; LANES]; BLOCK];
        let width = columns.columns();
        for start in (0..width).step_by(BLOCK) {
            let end = width.min(start + BLOCK);
            for column in start..end {
                let mut best = [NOTHING; LANES];
                for &step in columns.steps.row(column as u32) {
                    least(&mut best, &self.own[step as usize]);
                }
                for &off in columns.offs.row(column as u32) {
                    least(&mut best, &self.off[off as usize]);
                }
                let (own, other) = settle(&mut self.own[column], &best);
                fits &= !own.iter().chain(&other).any(|&code| overflows(code));
                own_block[column - start] = own;
                other_block[column - start] = other;
            }
            put_rows(made.other, width, start, &other_block[..end - start], count);
            if let Some(own) = &mut made.own {
                put_rows(own, width, start, &own_block[..end - start], count);
            }
        }
        fits
    }
}

#[inline(always)]
fn least(best: &mut CodeLanes, other: &CodeLanes) {
    for (best, &other) in best.iter_mut().zip(other) {
        *best = (*best).min(other);
    }
}

/// The codes of a column: the row's side to move, and the column's side to move.
///
/// * `keys`: of the row's side to move; passes are settled.
/// * `best`: the best that the moves of the column's side lead to.
#[inline(always)]
fn settle(keys: &mut CodeLanes, best: &CodeLanes) -> (CodeLanes, CodeLanes) {
    let (mut own, mut other) = ([0; LANES], [0; LANES]);
    for lane in 0..LANES {
        let here = keys[lane];
        // Without a move, the column's side passes.
        let goal = if best[lane] == NOTHING { here } else { best[lane] };
        let code = if here == NOTHING { 0 } else { before_move(goal) };
        let passed = key(before_move(key(code)));
        let settled = if here == PASSES { passed } else { here };
        keys[lane] = settled;
        other[lane] = code;
        own[lane] = code_of_key(settled);
    }
    (own, other)
}

/// The code that has this key.
#[inline(always)]
const fn code_of_key(key: u8) -> u8 {
    let twice = key.wrapping_add(key);
    let code = if key < 128 { twice.wrapping_add(2) } else { 255u8.wrapping_sub(twice) };
    if key == NOTHING { 0 } else { code }
}

fn put_lane(lanes: &mut [CodeLanes], lane: usize, row: &[u8]) {
    for (lanes, &cell) in lanes.iter_mut().zip(row) {
        lanes[lane] = cell;
    }
}

fn put_rows(rows: &mut [u8], width: usize, start: usize, block: &[CodeLanes], count: usize) {
    for lane in 0..count {
        let row = &mut rows[lane * width + start..][..block.len()];
        for (cell, lanes) in row.iter_mut().zip(block) {
            *cell = lanes[lane];
        }
    }
}
