//! The geometry of the cells: neighbours, rays, cells between, symmetries.

use marquis_core::{Cell, Cells};

/// The most cells of a board (side 5).
const MOST_CELLS: usize = 61;
/// Marks "off the board" inside the tables.
const OFF: u8 = u8::MAX;
/// The most rows of a board.
const MOST_ROWS: usize = 9;
/// Turns and mirrors of the hexagon.
pub const SYMMETRIES: usize = 12;

/// Cells along an edge of the board: 2 to 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Side(u8);

impl Side {
    /// The smallest board: 7 cells.
    pub const MIN: Self = Self(2);
    /// The largest board: 61 cells.
    pub const MAX: Self = Self(5);

    /// The side of `cells` along an edge, if there is a board of that size.
    #[must_use]
    pub const fn new(cells: u8) -> Option<Self> {
        if cells >= Self::MIN.0 && cells <= Self::MAX.0 { Some(Self(cells)) } else { None }
    }

    /// Every side, the smallest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::MIN.0..=Self::MAX.0).map(Self)
    }

    /// Cells along an edge.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The board of this side.
    #[inline]
    #[must_use]
    pub fn board(self) -> &'static Hex {
        &BOARDS[usize::from(self.0 - Self::MIN.0)]
    }
}

/// One of the six directions from a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// To the next number in the row.
    Right,
    /// To the row above, leaning left.
    UpLeft,
    /// To the row above, leaning right.
    UpRight,
    /// Opposite of right.
    Left,
    /// Opposite of up-left.
    DownRight,
    /// Opposite of up-right.
    DownLeft,
}

impl Direction {
    /// All six; the first three run towards larger cell numbers.
    pub const ALL: [Self; 6] =
        [Self::Right, Self::UpLeft, Self::UpRight, Self::Left, Self::DownRight, Self::DownLeft];

    /// Whether cell numbers rise along this direction.
    #[inline]
    #[must_use]
    pub const fn rises(self) -> bool {
        (self as u8) < 3
    }

    /// The axial step (q, r).
    const fn step(self) -> (i8, i8) {
        match self {
            Self::Right => (1, 0),
            Self::UpLeft => (-1, 1),
            Self::UpRight => (0, 1),
            Self::Left => (-1, 0),
            Self::DownRight => (1, -1),
            Self::DownLeft => (0, -1),
        }
    }
}

/// A turn or mirror image of the board, by its number; 0 leaves everything in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symmetry(pub u8);

impl Symmetry {
    /// Half a turn of the board, about its centre.
    pub const HALF_TURN: Self = Self(3);

    /// All twelve.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SYMMETRIES as u8).map(Self)
    }
}

/// The board of one side, as tables.
#[derive(Debug)]
pub struct Hex {
    side: Side,
    count: u8,
    axial: [(i8, i8); MOST_CELLS],
    neighbour: [[u8; 6]; MOST_CELLS],
    adjacent: [Cells; MOST_CELLS],
    ray: [[Cells; 6]; MOST_CELLS],
    /// All six rays of a cell together.
    star: [Cells; MOST_CELLS],
    between: [[Cells; MOST_CELLS]; MOST_CELLS],
    image: [[u8; MOST_CELLS]; SYMMETRIES],
    /// The bottom row first.
    row: [Cells; MOST_ROWS],
    edge: Cells,
    has_right: Cells,
}

static BOARDS: [Hex; 4] = [Hex::new(2), Hex::new(3), Hex::new(4), Hex::new(5)];

impl Hex {
    const fn new(side: u8) -> Self {
        let mut board = Self {
            side: Side(side),
            count: 3 * side * (side - 1) + 1,
            axial: [(0, 0); MOST_CELLS],
            neighbour: [[OFF; 6]; MOST_CELLS],
            adjacent: [Cells::EMPTY; MOST_CELLS],
            ray: [[Cells::EMPTY; 6]; MOST_CELLS],
            star: [Cells::EMPTY; MOST_CELLS],
            between: [[Cells::EMPTY; MOST_CELLS]; MOST_CELLS],
            image: [[0; MOST_CELLS]; SYMMETRIES],
            row: [Cells::EMPTY; MOST_ROWS],
            edge: Cells::EMPTY,
            has_right: Cells::EMPTY,
        };
        board.number_cells();
        let mut cell = 0;
        while cell < board.count {
            board.lay_rays(cell);
            board.map_images(cell);
            cell += 1;
        }
        board
    }

    const fn number_cells(&mut self) {
        let most = self.side.0.cast_signed() - 1;
        let (mut cell, mut r) = (0, -most);
        while r <= most {
            let mut q = -most;
            while q <= most {
                if q + r >= -most && q + r <= most {
                    self.axial[cell] = (q, r);
                    let row = &mut self.row[(r + most) as usize];
                    *row = row.with(Cell(cell as u8));
                    cell += 1;
                }
                q += 1;
            }
            r += 1;
        }
    }

    const fn find(&self, q: i8, r: i8) -> u8 {
        let mut cell = 0;
        while cell < self.count {
            let (x, y) = self.axial[cell as usize];
            if x == q && y == r {
                return cell;
            }
            cell += 1;
        }
        OFF
    }

    const fn lay_rays(&mut self, cell: u8) {
        let (q, r) = self.axial[cell as usize];
        let mut d = 0;
        while d < 6 {
            let (dq, dr) = Direction::ALL[d].step();
            let mut passed = 0;
            let mut next = self.find(q + dq, r + dr);
            self.neighbour[cell as usize][d] = next;
            if next != OFF && d == Direction::Right as usize {
                self.has_right = self.has_right.with(Cell(cell));
            }
            if next == OFF {
                self.edge = self.edge.with(Cell(cell));
            } else {
                self.adjacent[cell as usize] = self.adjacent[cell as usize].with(Cell(next));
            }
            let mut k = 1;
            while next != OFF {
                self.between[cell as usize][next as usize] = Cells(passed);
                passed |= 1 << next;
                k += 1;
                next = self.find(q + k * dq, r + k * dr);
            }
            self.ray[cell as usize][d] = Cells(passed);
            self.star[cell as usize] = Cells(self.star[cell as usize].0 | passed);
            d += 1;
        }
    }

    const fn map_images(&mut self, cell: u8) {
        let mut turn = 0;
        let (mut q, mut r) = self.axial[cell as usize];
        while turn < 6 {
            self.image[turn][cell as usize] = self.find(q, r);
            self.image[turn + 6][cell as usize] = self.find(r, q);
            (q, r) = (-r, q + r);
            turn += 1;
        }
    }

    /// Cells along an edge.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The number of cells of the board: 3n(n−1)+1.
    #[inline]
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.count as u32
    }

    /// Every cell.
    #[inline]
    #[must_use]
    pub const fn all(&self) -> Cells {
        Cells::first(self.count as u32)
    }

    /// The cells with fewer than six neighbours.
    #[must_use]
    pub const fn edge(&self) -> Cells {
        self.edge
    }

    /// The cells that have a neighbour to their right.
    #[inline]
    #[must_use]
    pub const fn has_right(&self) -> Cells {
        self.has_right
    }

    /// A set turned so that its rows are the lines of one, then of the other, diagonal direction.
    #[inline]
    #[must_use]
    pub fn turned(&self, cells: Cells) -> [Cells; 2] {
        cells.fold([Cells::EMPTY; 2], |turned, cell| {
            [
                turned[0].with(Cell(self.image[1][cell.index()])),
                turned[1].with(Cell(self.image[2][cell.index()])),
            ]
        })
    }

    /// The axial coordinates (q, r) of a cell, the centre being (0, 0).
    #[must_use]
    pub const fn axial(&self, cell: Cell) -> (i8, i8) {
        self.axial[cell.index()]
    }

    /// The next cell in a direction, if it is on the board.
    #[inline]
    #[must_use]
    pub fn neighbour(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        let next = self.neighbour[cell.index()][direction as usize];
        (next != OFF).then_some(Cell(next))
    }

    /// All neighbours of a cell.
    #[inline]
    #[must_use]
    pub fn adjacent(&self, cell: Cell) -> Cells {
        self.adjacent[cell.index()]
    }

    /// All cells from `cell` to the edge in a direction, without `cell`.
    #[inline]
    #[must_use]
    pub fn ray(&self, cell: Cell, direction: Direction) -> Cells {
        self.ray[cell.index()][direction as usize]
    }

    /// All cells on a line with `cell`, without `cell`.
    #[inline]
    #[must_use]
    pub fn star(&self, cell: Cell) -> Cells {
        self.star[cell.index()]
    }

    /// The cells from `cell` in a direction before the first one of `occupied`.
    #[inline]
    #[must_use]
    pub fn open(&self, cell: Cell, direction: Direction, occupied: Cells) -> Cells {
        let ray = self.ray(cell, direction);
        let Cells(met) = ray & occupied;
        // If there is none, both masks hold every cell.
        let before = if direction.rises() {
            (met & met.wrapping_neg()).wrapping_sub(1)
        } else {
            u64::MAX << (u64::BITS - met.leading_zeros())
        };
        ray & Cells(before)
    }

    /// The cells in all directions from `cell` before the first one of `occupied`.
    #[inline]
    #[must_use]
    pub fn open_around(&self, cell: Cell, occupied: Cells) -> Cells {
        Direction::ALL.iter().fold(Cells::EMPTY, |open, &d| open | self.open(cell, d, occupied))
    }

    /// The cells strictly between two cells of one line; empty if they are not on one line.
    #[inline]
    #[must_use]
    pub fn between(&self, a: Cell, b: Cell) -> Cells {
        self.between[a.index()][b.index()]
    }

    /// The first cell of `cells` in a direction; `cells` lies on one ray.
    #[inline]
    #[must_use]
    pub fn nearest(cells: Cells, direction: Direction) -> Option<Cell> {
        if direction.rises() { cells.lowest() } else { cells.highest() }
    }

    /// The image of a cell under a symmetry.
    #[inline]
    #[must_use]
    pub fn image(&self, symmetry: Symmetry, cell: Cell) -> Cell {
        Cell(self.image[usize::from(symmetry.0)][cell.index()])
    }

    /// The image of a set under a symmetry.
    ///
    /// Cell by cell: the tables of a [`Group`](marquis_rank::Group) would be half a megabyte in every process that
    /// opens the book.
    #[must_use]
    pub fn image_of(&self, symmetry: Symmetry, cells: Cells) -> Cells {
        cells.map(|cell| self.image(symmetry, cell)).collect()
    }

    /// All neighbours of the cells of a set, and the set itself.
    #[inline]
    #[must_use]
    pub fn grown(&self, cells: Cells) -> Cells {
        cells.fold(cells, |grown, cell| grown | self.adjacent(cell))
    }

    /// The connected part of `cells` that holds `cell`.
    #[inline]
    #[must_use]
    pub fn group(&self, cells: Cells, cell: Cell) -> Cells {
        let mut group = cell.set();
        let mut rim = group;
        while !rim.is_empty() {
            let reached = rim.fold(Cells::EMPTY, |reached, cell| reached | self.adjacent(cell));
            rim = (reached & cells) - group;
            group |= rim;
        }
        group
    }

    /// The connected parts of `cells`, the one with the lowest cell first.
    #[inline]
    pub fn groups(&self, cells: Cells) -> impl Iterator<Item = Cells> + '_ {
        let mut left = cells;
        std::iter::from_fn(move || {
            let group = self.group(cells, left.lowest()?);
            left = left - group;
            Some(group)
        })
    }

    /// Returns whether the set is in one group; true for the empty set.
    #[inline]
    #[must_use]
    pub fn is_one_group(&self, cells: Cells) -> bool {
        cells.lowest().is_none_or(|cell| self.group(cells, cell) == cells)
    }

    /// The number of rows of the board.
    #[must_use]
    pub const fn rows(&self) -> u8 {
        2 * self.side.0 - 1
    }

    /// The cells of a row, counted from the bottom one (`a`, number 0).
    #[inline]
    #[must_use]
    pub fn row(&self, row: u8) -> Cells {
        self.row[usize::from(row)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(side: u8) -> &'static Hex {
        Side::new(side).unwrap().board()
    }

    #[test]
    fn boards_have_the_sizes_of_the_rules() {
        let sizes: Vec<u32> = Side::all().map(|side| side.board().count()).collect();
        assert_eq!(sizes, [7, 19, 37, 61]);
        let edges: Vec<u32> = Side::all().map(|side| side.board().edge().len()).collect();
        assert_eq!(edges, [6, 12, 18, 24]);
    }

    #[test]
    fn neighbours_are_mutual_and_opposite() {
        for side in Side::all() {
            let board = side.board();
            for cell in board.all() {
                for (d, direction) in Direction::ALL.into_iter().enumerate() {
                    let Some(next) = board.neighbour(cell, direction) else { continue };
                    assert_eq!(board.neighbour(next, Direction::ALL[(d + 3) % 6]), Some(cell));
                    assert_eq!(next > cell, direction.rises());
                }
            }
        }
    }

    #[test]
    fn the_middle_row_of_side_3_is_a_line() {
        let board = board(3);
        let row = board.row(2);
        assert_eq!(row.len(), 5);
        let (first, last) = (row.lowest().unwrap(), row.highest().unwrap());
        assert_eq!(board.ray(first, Direction::Right), row.without(first));
        assert_eq!(board.between(first, last), row.without(first).without(last));
        assert_eq!(board.between(last, first), board.between(first, last));
    }

    #[test]
    fn a_way_is_open_up_to_the_first_occupied_cell() {
        for side in Side::all() {
            let board = board(side.get());
            for number in 0..200_u64 {
                let random = |seed: u64| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 3;
                let occupied = Cells(random(number) & random(number + 1000)) & board.all();
                for cell in board.all() {
                    let mut around = Cells::EMPTY;
                    for direction in Direction::ALL {
                        let mut open = Cells::EMPTY;
                        let mut next = board.neighbour(cell, direction);
                        while let Some(vacant) = next.filter(|&next| !occupied.contains(next)) {
                            open = open.with(vacant);
                            next = board.neighbour(vacant, direction);
                        }
                        assert_eq!(board.open(cell, direction, occupied), open);
                        around |= open;
                    }
                    assert_eq!(board.open_around(cell, occupied), around);
                }
                assert_eq!(board.star(Cell(0)), board.open_around(Cell(0), Cells::EMPTY));
            }
        }
    }

    #[test]
    fn symmetries_are_twelve_different_automorphisms() {
        for side in Side::all() {
            let board = side.board();
            for symmetry in Symmetry::all() {
                for cell in board.all() {
                    let image = board.image(symmetry, cell);
                    assert_eq!(board.image_of(symmetry, board.adjacent(cell)), board.adjacent(image));
                }
            }
            let corner = board.row(0).with(Cell(1)).without(Cell(0));
            let mut images: Vec<Cells> = Symmetry::all().map(|s| board.image_of(s, corner)).collect();
            images.sort();
            images.dedup();
            assert_eq!(images.len(), if side.get() == 2 { 6 } else { 12 }, "side {}", side.get());
        }
    }
}
