//! A bundle, level by level.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::tile::{CodeRows, LANES, Sources, Tile, TileRows};
use super::{Camp, Image};
use crate::cell::LayerCells;
use crate::limits::{Phase, SolveLimits, SolveProgress, Stopped};

/// The layers below a bundle.
#[derive(Clone, Copy, Debug)]
pub enum Below<'a> {
    /// Both sides have as many pieces: the row's side to move against one piece less in the columns.
    Even {
        /// One layer for both moves off the board.
        off: &'a LayerCells,
    },
    /// The row's side has more pieces.
    Uneven {
        /// The column's side to move against one piece less in the rows.
        row_off: &'a LayerCells,
        /// The row's side to move against one piece less in the columns.
        column_off: &'a LayerCells,
    },
}

/// The layers of a bundle; a cell is at `row · columns + column`.
#[derive(Debug)]
pub struct SolvedBundle {
    /// The row's side to move; `None` if both sides have as many pieces, because it is the same layer.
    pub own: Option<LayerCells>,
    /// The column's side to move.
    pub other: LayerCells,
}

/// The camps of both sides, and of both with one piece less.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'a> {
    /// The side with more pieces, or as many.
    pub rows: &'a Camp,
    /// The other side; the camps are the same if the numbers of pieces are.
    pub columns: &'a Camp,
    /// The rows with one piece less.
    pub fewer_rows: &'a Camp,
    /// The columns with one piece less.
    pub fewer_columns: &'a Camp,
}

/// Solves a bundle of layers, both sides with at least one piece.
///
/// # Errors
/// Which of the `limits` ended the work, or a game takes more plies than a cell of one byte holds, or a layer below
/// has such cells.
///
/// Panics if a layer below does not have the size of the camps.
pub fn solve(
    sides: Sides<'_>,
    below: Below<'_>,
    limits: &SolveLimits<'_>,
    progress: &(dyn Fn(SolveProgress) + Sync),
) -> Result<SolvedBundle, Stopped> {
    let Sides { rows, columns, fewer_rows, fewer_columns } = sides;
    let turned;
    let (row_off, column_off) = match below {
        Below::Even { off } => {
            let off = narrow(off)?;
            turned = turn(CodeRows { cells: off, columns: fewer_columns.columns() }, rows, fewer_rows);
            (turned.as_slice(), off)
        }
        Below::Uneven { row_off, column_off } => (narrow(row_off)?, narrow(column_off)?),
    };
    assert_eq!(row_off.len(), fewer_rows.rows() * columns.columns(), "the layer with a row's piece less");
    assert_eq!(
        column_off.len(),
        rows.rows() * fewer_columns.columns(),
        "the layer with a column's piece less"
    );
    let width = columns.columns();
    let cells = rows.rows() * width;
    let mut own = if let Below::Even { .. } = below { Vec::new() } else { vec![0; cells] };
    let mut other = vec![0; cells];
    let mut first_row = 0;
    let done = AtomicU64::new(0);
    let fits = AtomicBool::new(true);
    for stretch in &rows.stretches {
        let here = first_row * width..(first_row + stretch.rows() as usize) * width;
        let (earlier, rest) = other.split_at_mut(here.start);
        let sources = Sources {
            rows,
            columns,
            fewer_rows,
            fewer_columns,
            earlier: CodeRows { cells: earlier, columns: width },
            row_off: CodeRows { cells: row_off, columns: width },
            column_off: CodeRows { cells: column_off, columns: fewer_columns.columns() },
        };
        let lanes = lanes_of(stretch.rows() as usize);
        let others = rest[..here.len()].par_chunks_mut(lanes * width);
        let owns: Vec<Option<&mut [u8]>> = match own.get_mut(here) {
            Some(own) => own.chunks_mut(lanes * width).map(Some).collect(),
            None => (0..others.len()).map(|_| None).collect(),
        };
        let made = |tile: &mut Tile, (number, (other, own)): (usize, (&mut [u8], Option<&mut [u8]>))| {
            limits.check()?;
            let first = first_row + number * lanes;
            let slots = other.len() as u64;
            if !tile.make(&sources, first as u32, TileRows { own, other }) {
                fits.store(false, Relaxed);
            }
            let before = done.fetch_add(slots, Relaxed);
            progress(SolveProgress { phase: Phase::Exploring, done: before + slots, of: cells as u64 });
            Ok(())
        };
        let tiles = others.zip(owns).enumerate();
        tiles.try_for_each_init(|| Tile::new(&sources), made)?;
        first_row += stretch.rows() as usize;
    }
    if !fits.into_inner() {
        return Err(Stopped::TooManyPlies);
    }
    let own = (!own.is_empty()).then_some(LayerCells::Narrow(own));
    Ok(SolvedBundle { own, other: LayerCells::Narrow(other) })
}

/// Rows of a tile, so that every thread has some.
fn lanes_of(rows: usize) -> usize {
    rows.div_ceil(rayon::current_num_threads()).clamp(1, LANES)
}

fn narrow(cells: &LayerCells) -> Result<&[u8], Stopped> {
    match cells {
        LayerCells::Narrow(cells) => Ok(cells),
        LayerCells::Wide(_) => Err(Stopped::TooManyPlies),
    }
}

/// The layer with rows of `fewer` and columns of `more`, from the one with rows of `more` and columns of `fewer`.
fn turn(layer: CodeRows<'_>, more: &Camp, fewer: &Camp) -> Vec<u8> {
    let width = more.columns();
    let mut turned = vec![0; fewer.rows() * width];
    turned.par_chunks_mut(LANES * width).enumerate().for_each(|(number, part)| {
        let placements = &fewer.placements[number * LANES..];
        for (column, home) in more.homes.iter().enumerate() {
            let row = layer.row(home.row);
            for (line, &placement) in part.chunks_mut(width).zip(placements) {
                let from = match home.image {
                    Image::Mirrored => fewer.mirror(placement),
                    _ => placement,
                };
                line[column] = row[from as usize];
            }
        }
    });
    turned
}
