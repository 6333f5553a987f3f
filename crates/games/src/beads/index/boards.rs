//! The sets of beads of one size that are numbered, and the rows of slots on each.
//!
//! A row is a set of beads with the rooks of the player to move; its slots are the placements of the other player's
//! rooks. Sets of beads that no symmetry leaves in place come first: their rows are all sets of rooks, so a row's
//! number is arithmetic. On the others a row is a class of sets of rooks.

use marquis_core::{Cell, Cells};
use marquis_rank::{Class, Element, Group, SetClasses, SubsetRank, binomial};

use super::find::{BoardElement, BoardNumber, Finder};
use super::rooks::{CellNumbers, MOST};

/// One set of beads, with a numbering of its vacant cells.
#[derive(Clone, Debug)]
pub(super) struct NumberedBoard {
    pub(super) beads: Cells,
    /// For each vacant cell its number among them.
    numbers: [u8; 64],
    /// For each number the cell.
    cells: [u8; 64],
}

impl NumberedBoard {
    fn new(all: Cells, beads: Cells) -> Self {
        let (mut numbers, mut cells) = ([0; 64], [0; 64]);
        for (number, cell) in (all - beads).enumerate() {
            numbers[cell.index()] = number as u8;
            cells[number] = cell.0;
        }
        Self { beads, numbers, cells }
    }

    /// The number of a vacant cell.
    #[inline]
    pub(super) fn number(&self, cell: Cell) -> u8 {
        self.numbers[cell.index() & 63]
    }

    /// The numbers of at most three vacant cells.
    #[inline]
    pub(super) fn numbers(&self, cells: Cells) -> CellNumbers {
        CellNumbers::of(cells, |cell| self.number(cell))
    }

    /// The cells with these numbers.
    #[inline]
    pub(super) fn cells(&self, numbers: CellNumbers) -> Cells {
        numbers.iter().map(|number| Cell(self.cells[usize::from(number) & 63])).collect()
    }
}

/// The classes of sets of rooks on a set of beads that symmetries leave in place, by number of rooks.
type Classes = [Option<SetClasses>; MOST + 1];

/// The rows for one number of rooks of the player to move.
#[derive(Clone, Debug, Default)]
struct RookRows {
    /// Rows on each board that no symmetry leaves in place.
    each: u64,
    /// For the other boards the number of their first row.
    first: Vec<u64>,
    /// The number of the board among these boards, and the class, for each of their rows.
    classes: Vec<(u32, Class)>,
}

/// All numbered sets of beads of one size.
#[derive(Clone, Debug)]
pub(super) struct NumberedBoards {
    vacant: u32,
    boards: Vec<NumberedBoard>,
    /// The number of boards that no symmetry leaves in place.
    plain: usize,
    classes: Vec<Classes>,
    rows: [RookRows; MOST + 1],
}

/// The row of a set of rooks of the player to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct RookRow<'a> {
    /// The number of the row.
    pub(super) number: u64,
    /// Takes the rooks to those of the row, and leaves the beads in place.
    pub(super) element: Element,
    /// If more than the identity leaves the row's rooks in place: the classes, and the one of the row.
    pub(super) keeping: Option<(&'a SetClasses, Class)>,
}

impl NumberedBoards {
    /// * `finder`: receives the board of each set.
    /// * `sets`, `listed`: the classes of sets of beads, and which of them are numbered.
    /// * `rooks`: the possible numbers of rooks of the player to move.
    pub(super) fn new(
        all: Cells,
        group: &Group,
        finder: &mut Finder,
        sets: &SetClasses,
        listed: &[bool],
        rooks: [bool; MOST + 1],
    ) -> Self {
        let of = |free: bool| {
            let classes = (0..sets.count()).map(Class).filter(|class| listed[class.0 as usize]);
            classes.filter(move |&class| sets.is_free(class) == free)
        };
        let order: Vec<Class> = of(true).chain(of(false)).collect();
        let mut numbers = vec![None; listed.len()];
        for (number, class) in order.iter().enumerate() {
            numbers[class.0 as usize] = Some(BoardNumber(number));
        }
        let place = |(set, Class(class), element)| {
            let number = numbers[class as usize];
            (set, number.map_or(BoardElement::NOWHERE, |number| BoardElement::new(number, element)))
        };
        finder.note(sets.size(), sets.all().map(place));
        let vacant = group.cells() - sets.size();
        let boards = order.iter().map(|&class| NumberedBoard::new(all, sets.representative(class))).collect();
        let classes: Vec<Classes> = of(false)
            .map(|class| {
                let (keeping, beads): (Vec<_>, _) =
                    (sets.stabiliser(class).collect(), sets.representative(class));
                std::array::from_fn(|size| {
                    rooks[size].then(|| SetClasses::beside(group, &keeping, beads, size as u32))
                })
            })
            .collect();
        let plain = of(true).count();
        let rows = std::array::from_fn(|size| {
            if rooks[size] { RookRows::new(plain, vacant, &classes, size) } else { RookRows::default() }
        });
        Self { vacant, boards, plain, classes, rows }
    }

    /// Cells without a bead.
    #[inline]
    pub(super) fn vacant(&self) -> u32 {
        self.vacant
    }

    #[inline]
    pub(super) fn board(&self, BoardNumber(number): BoardNumber) -> &NumberedBoard {
        &self.boards[number]
    }

    /// Whether only the identity leaves the board's beads in place.
    #[inline]
    pub(super) fn is_plain(&self, BoardNumber(number): BoardNumber) -> bool {
        number < self.plain
    }

    /// The number of rows with `rooks` rooks of the player to move.
    pub(super) fn rows(&self, rooks: u8) -> u64 {
        let rows = &self.rows[usize::from(rooks)];
        rows.each * self.plain as u64 + rows.classes.len() as u64
    }

    /// The row of the rooks of the player to move.
    ///
    /// * `numbers`: their numbers on the board.
    #[inline]
    pub(super) fn row(&self, board: BoardNumber, rooks: u8, numbers: CellNumbers) -> RookRow<'_> {
        let rows = &self.rows[usize::from(rooks)];
        let BoardNumber(number) = board;
        if number < self.plain {
            let number = number as u64 * rows.each + u64::from(numbers.rank());
            return RookRow { number, element: Element::IDENTITY, keeping: None };
        }
        let Some(classes) = &self.classes[number - self.plain][usize::from(rooks)] else {
            unreachable!("rows for {rooks} rooks were not asked for");
        };
        let (class, element) = classes.find_ranked(SubsetRank(u64::from(numbers.rank())));
        let number = rows.first[number - self.plain] + u64::from(class.0);
        RookRow { number, element, keeping: (!classes.is_free(class)).then_some((classes, class)) }
    }

    /// The number of the row with rank 0 on a plain board.
    #[inline]
    pub(super) fn first_row(&self, BoardNumber(number): BoardNumber, rooks: u8) -> u64 {
        number as u64 * self.rows[usize::from(rooks)].each
    }

    /// The board of a row, and the rank of its rooks on a plain board, otherwise their class.
    #[inline]
    pub(super) fn locate(&self, row: u64, rooks: u8) -> (BoardNumber, RowRooks<'_>) {
        let rows = &self.rows[usize::from(rooks)];
        let plain = rows.each * self.plain as u64;
        if row < plain {
            return (BoardNumber((row / rows.each) as usize), RowRooks::Ranked(SubsetRank(row % rows.each)));
        }
        let (number, class) = rows.classes[(row - plain) as usize];
        let Some(classes) = &self.classes[number as usize][usize::from(rooks)] else {
            unreachable!("rows for {rooks} rooks were not asked for");
        };
        (BoardNumber(self.plain + number as usize), RowRooks::Class(classes, class))
    }
}

/// The rooks of a row.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowRooks<'a> {
    /// By rank among the vacant cells.
    Ranked(SubsetRank),
    /// The representative of a class.
    Class(&'a SetClasses, Class),
}

impl RookRows {
    fn new(plain: usize, vacant: u32, classes: &[Classes], rooks: usize) -> Self {
        let each = binomial(vacant, rooks as u32);
        let mut rows = Self { each, first: Vec::new(), classes: Vec::new() };
        for (number, classes) in classes.iter().enumerate() {
            rows.first.push(plain as u64 * each + rows.classes.len() as u64);
            let count = classes[rooks].as_ref().map_or(0, SetClasses::count);
            rows.classes.extend((0..count).map(|class| (number as u32, Class(class))));
        }
        rows
    }
}
