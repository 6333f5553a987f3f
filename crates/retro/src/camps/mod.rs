//! One-pass solving for games in which the pieces of each side only move forward.
//!
//! A *camp* is all placements of a number of pieces of one side. A move leads from a placement to a smaller number of
//! the same camp, or to one of the camp with one piece less; the other side only matters by the squares that it
//! occupies. So a bundle of layers is two matrices, row: placement of the one side, column: placement of the other:
//!
//! 1. A row of "the row's side is to move" is the best of the rows of "the column's side is to move" that its moves
//!    lead to. They are all finished, and all columns are computed at once.
//! 2. A row of "the column's side is to move" is, column by column, the best of the entries that the column's moves
//!    lead to, all of them earlier ones of the row of step 1. A few rows are computed at once.
//!
//! Placements of a level lead to earlier levels only, so the rows of a level are computed in parallel. A player
//! without a move passes; two passes never follow each other. Pairs of placements that share a square are unused
//! indices, and an unused index is never the best, so no code checks whether a destination is taken.
//!
//! Placements come with a mirror that preserves the rules. One row of each mirror pair is stored. The row of the
//! image is read with stretches of columns exchanged, as the numbering of [`Camp`] provides.

mod fold;
mod solve;
mod tile;

pub use solve::{Below, Sides, SolvedBundle, solve};

/// Placements of which no move leads to another; numbers of one level are consecutive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The first placement.
    pub start: u32,
    /// The number of placements with a different mirror image, one of each pair counted: they come first, and their
    /// images last, in the same order.
    pub chosen: u32,
    /// The number of placements that are their own image, in between.
    pub symmetric: u32,
}

impl Stretch {
    const fn end(self) -> u32 {
        self.start + 2 * self.chosen + self.symmetric
    }

    const fn rows(self) -> u32 {
        self.chosen + self.symmetric
    }
}

/// The relation of a placement's row to the stored rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Image {
    /// It is stored.
    Itself,
    /// It is stored, and only those columns are filled that are the first of two images.
    Symmetric,
    /// Its image is stored.
    Mirrored,
}

/// The stored row of a placement, and how to read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Home {
    row: u32,
    image: Image,
}

/// A list for each placement.
#[derive(Clone, Debug, Default)]
struct PlacementLists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl PlacementLists {
    fn row(&self, number: u32) -> &[u32] {
        let at = number as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.items[start as usize..self.ends[at] as usize]
    }

    fn push(&mut self, items: &[u32]) {
        self.items.extend_from_slice(items);
        self.ends.push(self.items.len() as u32);
    }
}

/// A placement: its squares and the targets of its moves.
#[derive(Clone, Debug, Default)]
pub struct Placement {
    /// The squares, a bit each, as the owner counts them.
    pub covers: u64,
    /// The same squares as the opponent counts them.
    pub faces: u64,
    /// The placements of the same camp that moves lead to, without other pieces in the way.
    pub steps: Vec<u32>,
    /// The placements of the camp with one piece less that moves lead to.
    pub offs: Vec<u32>,
}

/// All placements of a number of pieces of one side.
#[derive(Clone, Debug)]
pub struct Camp {
    stretches: Vec<Stretch>,
    covers: Vec<u64>,
    faces: Vec<u64>,
    homes: Vec<Home>,
    /// The placement of each row.
    placements: Vec<u32>,
    steps: PlacementLists,
    offs: PlacementLists,
}

impl Camp {
    /// The camp with these levels.
    ///
    /// * `stretches`: the levels, one after the other from placement 0 on.
    /// * `placement`: returns the facts about a placement; called in rising order.
    ///
    /// Panics if a step leads to the same level or a later one.
    #[must_use]
    pub fn new(stretches: Vec<Stretch>, mut placement: impl FnMut(u32) -> Placement) -> Self {
        let mut camp = Self {
            stretches: Vec::new(),
            covers: Vec::new(),
            faces: Vec::new(),
            homes: Vec::new(),
            placements: Vec::new(),
            steps: PlacementLists::default(),
            offs: PlacementLists::default(),
        };
        let mut first_row = 0;
        for stretch in &stretches {
            for number in stretch.start..stretch.end() {
                let Placement { covers, faces, steps, offs } = placement(number);
                assert!(steps.iter().all(|&to| to < stretch.start), "a step within a level, from {number}");
                camp.covers.push(covers);
                camp.faces.push(faces);
                camp.steps.push(&steps);
                camp.offs.push(&offs);
                let within = number - stretch.start;
                let (row, image) = if within < stretch.chosen {
                    (within, Image::Itself)
                } else if within < stretch.rows() {
                    (within, Image::Symmetric)
                } else {
                    (within - stretch.rows(), Image::Mirrored)
                };
                camp.homes.push(Home { row: first_row + row, image });
                if image != Image::Mirrored {
                    camp.placements.push(number);
                }
            }
            first_row += stretch.rows();
        }
        camp.stretches = stretches;
        camp
    }

    /// The number of placements.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.homes.len()
    }

    /// The number of placements, one of each mirror pair counted.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.placements.len()
    }

    /// The image of a placement.
    fn mirror(&self, number: u32) -> u32 {
        let home = self.homes[number as usize];
        match home.image {
            Image::Symmetric => number,
            Image::Mirrored => self.placements[home.row as usize],
            Image::Itself => {
                let at = self.stretches.partition_point(|stretch| stretch.start <= number) - 1;
                number + self.stretches[at].rows()
            }
        }
    }
}
