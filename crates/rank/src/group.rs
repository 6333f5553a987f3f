//! A group of permutations of the cells of a board.

use marquis_core::{Cell, Cells};

/// The maximum number of elements of a group: an element takes four bits.
pub(crate) const MOST_ELEMENTS: usize = 16;

/// One permutation of a [`Group`], by its number; 0 leaves everything in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Element(pub u8);

impl Element {
    /// Leaves everything in place.
    pub const IDENTITY: Self = Self(0);
}

/// A group of permutations of `0..n` cells, with tables that map whole sets a byte at a time.
#[derive(Clone, Debug)]
pub struct Group {
    cells: u32,
    points: Vec<Vec<Cell>>,
    inverses: Vec<Element>,
    /// For each element and each byte of a set, the images of its 256 values.
    bytes: Vec<[Cells; 256]>,
    bytes_each: usize,
}

impl Group {
    /// The group of these permutations; `permutations[e][c]` is where element `e` takes cell `c`.
    ///
    /// Panics unless there are 1 to 16 of them, all of the same at most 64 cells, the first one the
    /// identity, and each has its inverse among them.
    #[must_use]
    pub fn new(permutations: Vec<Vec<Cell>>) -> Self {
        assert!((1..=MOST_ELEMENTS).contains(&permutations.len()), "a group of 1 to 16 elements");
        let cells = permutations[0].len();
        assert!(cells <= 64, "at most 64 cells");
        let identity: Vec<Cell> = (0..cells as u8).map(Cell).collect();
        assert_eq!(permutations[0], identity, "the first element is the identity");
        let undoes = |a: &[Cell], b: &[Cell]| {
            a.len() == cells && b.len() == cells && (0..cells).all(|c| b[a[c].index()].index() == c)
        };
        let inverse = |a: &Vec<Cell>| {
            let found = permutations.iter().position(|b| undoes(a, b));
            Element(found.expect("each element has its inverse in the group") as u8)
        };
        let inverses = permutations.iter().map(inverse).collect();
        let bytes_each = cells.div_ceil(8);
        let bytes = permutations.iter().flat_map(|points| byte_images(points)).collect();
        Self { cells: cells as u32, points: permutations, inverses, bytes, bytes_each }
    }

    /// The number of cells that the group permutes.
    #[must_use]
    pub const fn cells(&self) -> u32 {
        self.cells
    }

    /// The number of elements.
    #[must_use]
    pub fn order(&self) -> usize {
        self.points.len()
    }

    /// All elements, the identity first.
    pub fn elements(&self) -> impl Iterator<Item = Element> + use<> {
        (0..self.order() as u8).map(Element)
    }

    /// The inverse of an element.
    #[inline]
    #[must_use]
    pub fn inverse(&self, element: Element) -> Element {
        self.inverses[usize::from(element.0)]
    }

    /// The image of a cell under an element.
    #[inline]
    #[must_use]
    pub fn image(&self, element: Element, cell: Cell) -> Cell {
        self.points[usize::from(element.0)][cell.index()]
    }

    /// The image of a set under an element.
    #[inline]
    #[must_use]
    pub fn image_of(&self, element: Element, cells: Cells) -> Cells {
        let first = usize::from(element.0) * self.bytes_each;
        let tables = &self.bytes[first..first + self.bytes_each];
        let mut left = cells.0;
        tables.iter().fold(Cells::EMPTY, |image, table| {
            let part = table[(left & 0xff) as usize];
            left >>= 8;
            image | part
        })
    }
}

/// For each byte of a set, the images of its values under one permutation.
fn byte_images(points: &[Cell]) -> Vec<[Cells; 256]> {
    let image = |byte: &[Cell], value: usize| {
        byte.iter().enumerate().filter(|(bit, _)| value >> bit & 1 != 0).map(|(_, &cell)| cell).collect()
    };
    points.chunks(8).map(|byte| std::array::from_fn(|value| image(byte, value))).collect()
}
