//! All placements of one side's checkers, numbered so that every move leads to a smaller number.
//!
//! A placement is seen by its owner: rank 1 is the nearest one. Placements with the same number of squares to go and
//! the same sum of squared heights are a *level*; no move stays within one. A level starts with the placements that
//! are the chosen ones of two mirror images, then those that are their own image, then the images of the first, in
//! the same order. So the mirror swaps whole stretches of numbers.

use super::super::{MAX_CHECKERS, Squinch};

/// Placements of the same squares to go and the same sum of squared heights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CampLevel {
    /// The first placement.
    pub start: u32,
    /// The number of placements with a different mirror image, one of each pair counted.
    pub chosen: u32,
    /// The number of placements that are their own image.
    pub symmetric: u32,
}

impl CampLevel {
    /// The placement after the last one.
    #[must_use]
    pub const fn end(self) -> u32 {
        self.start + 2 * self.chosen + self.symmetric
    }
}

/// All placements of a number of checkers of one side.
#[derive(Clone, Debug)]
pub struct Camp {
    game: Squinch,
    checkers: u8,
    levels: Vec<CampLevel>,
    /// The squares of the checkers of each placement, rising.
    squares: Vec<u8>,
    /// The number of each placement by its rank among all lists of squares.
    numbers: Vec<u32>,
    /// The number of rows before each level.
    rows_before: Vec<u32>,
    /// The level of each placement.
    level_of: Vec<u16>,
}

/// A placement during numbering.
struct ListedPlacement {
    to_go: u32,
    squared: u32,
    rank: u64,
    mirrored: u64,
}

impl Camp {
    /// All placements of `checkers` checkers on the board.
    ///
    /// Check [`count`](Self::placements) first: they take some 20 bytes each, and twice as much again during
    /// numbering.
    #[must_use]
    pub fn new(game: Squinch, checkers: u8) -> Self {
        let cells = game.files() * game.ranks();
        let mut lists = Vec::new();
        each_list(cells, checkers, &mut |squares| lists.extend_from_slice(squares));
        let empty = Self {
            game,
            checkers,
            levels: Vec::new(),
            squares: Vec::new(),
            numbers: Vec::new(),
            rows_before: Vec::new(),
            level_of: Vec::new(),
        };
        let each = usize::from(checkers);
        let count = lists.len().checked_div(each).unwrap_or(1);
        let list = |at: usize| &lists[at * each..(at + 1) * each];
        let mut listed: Vec<ListedPlacement> = (0..count).map(|at| empty.listed(list(at))).collect();
        listed.sort_unstable_by_key(|own| {
            let class = own.rank.cmp(&own.mirrored);
            (own.to_go, std::cmp::Reverse(own.squared), class, own.rank.min(own.mirrored))
        });
        empty.numbered(&listed, &list)
    }

    fn numbered<'l>(mut self, listed: &[ListedPlacement], list: &impl Fn(usize) -> &'l [u8]) -> Self {
        self.numbers = vec![0; listed.len()];
        let (mut start, mut rows) = (0, 0);
        for level in listed.chunk_by(|a, b| (a.to_go, a.squared) == (b.to_go, b.squared)) {
            let symmetric = level.iter().filter(|own| own.rank == own.mirrored).count() as u32;
            let chosen = (level.len() as u32 - symmetric) / 2;
            self.level_of.extend(level.iter().map(|_| self.levels.len() as u16));
            self.levels.push(CampLevel { start, chosen, symmetric });
            self.rows_before.push(rows);
            for (number, own) in (start..).zip(level) {
                self.numbers[own.rank as usize] = number;
                self.squares.extend_from_slice(list(own.rank as usize));
            }
            start += level.len() as u32;
            rows += chosen + symmetric;
        }
        self.rows_before.push(rows);
        self
    }

    fn listed(&self, squares: &[u8]) -> ListedPlacement {
        let files = self.game.files();
        let to_go = squares.iter().map(|&square| u32::from(self.game.ranks() - square / files)).sum();
        let squared = squares.chunk_by(|a, b| a == b).map(|stack| (stack.len() * stack.len()) as u32).sum();
        let mut mirrored: Vec<u8> = squares.iter().map(|&square| self.mirrored_square(square)).collect();
        mirrored.sort_unstable();
        ListedPlacement { to_go, squared, rank: rank(squares), mirrored: rank(&mirrored) }
    }

    /// The square on the same rank and the file counted from the other edge.
    #[must_use]
    pub const fn mirrored_square(&self, square: u8) -> u8 {
        let files = self.game.files();
        square / files * files + files - 1 - square % files
    }

    /// The number of placements of `checkers` checkers.
    #[must_use]
    pub fn placements(game: Squinch, checkers: u8) -> u128 {
        let cells = u128::from(game.files() * game.ranks());
        (0..u128::from(checkers)).fold(1, |count, i| count * (cells + i) / (i + 1))
    }

    /// The board.
    #[must_use]
    pub const fn game(&self) -> Squinch {
        self.game
    }

    /// The number of checkers.
    #[must_use]
    pub const fn checkers(&self) -> u8 {
        self.checkers
    }

    /// The number of placements.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.numbers.len() as u32
    }

    /// The levels, those nearer to the end of the game first.
    #[must_use]
    pub fn levels(&self) -> &[CampLevel] {
        &self.levels
    }

    /// The number of placements, one of each mirror pair counted.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.rows_before.last().copied().unwrap_or(0)
    }

    /// The squares of the checkers of a placement, rising; a stack of two has its square twice.
    ///
    /// A square's number is `files · rank + file`, as the owner sees it.
    #[must_use]
    pub fn squares(&self, number: u32) -> &[u8] {
        let each = usize::from(self.checkers);
        &self.squares[number as usize * each..(number as usize + 1) * each]
    }

    /// The number of a placement.
    ///
    /// * `squares`: rising, one for each checker.
    #[must_use]
    pub fn number(&self, squares: &[u8]) -> u32 {
        self.numbers[rank(squares) as usize]
    }

    /// The number of the placement whose squares have this rank.
    #[inline]
    pub(super) fn number_of(&self, list: ListRank) -> u32 {
        self.numbers[list.rank as usize]
    }

    /// The level of a placement.
    #[must_use]
    pub fn level(&self, number: u32) -> CampLevel {
        self.levels[usize::from(self.level_of[number as usize])]
    }

    /// The placement's mirror image.
    #[must_use]
    pub fn mirror(&self, number: u32) -> u32 {
        let level = self.level(number);
        let (within, images) = (number - level.start, level.chosen + level.symmetric);
        match within {
            _ if within < level.chosen => number + images,
            _ if within < images => number,
            _ => number - images,
        }
    }

    /// The number of the row of a placement, if it is the chosen one of its two images.
    #[must_use]
    pub fn row(&self, number: u32) -> Option<u32> {
        let at = usize::from(self.level_of[number as usize]);
        let level = self.levels[at];
        let within = number - level.start;
        (within < level.chosen + level.symmetric).then(|| self.rows_before[at] + within)
    }

    /// The placement of a row; the rows of a level are consecutive.
    #[must_use]
    pub fn of_row(&self, row: u32) -> u32 {
        let at = self.rows_before.partition_point(|&before| before <= row) - 1;
        self.levels[at].start + row - self.rows_before[at]
    }
}

/// Calls `visit` with every rising list of `checkers` squares, by rising rank.
pub(in crate::squinch) fn each_list(cells: u8, checkers: u8, visit: &mut impl FnMut(&[u8])) {
    let mut squares = vec![0; usize::from(checkers)];
    loop {
        visit(&squares);
        // The first square that may rise without passing the next one; those before it start again.
        let last = squares.len();
        let ceiling = |at: usize, squares: &[u8]| if at + 1 < last { squares[at + 1] } else { cells - 1 };
        let Some(at) = (0..last).find(|&at| squares[at] < ceiling(at, &squares)) else { return };
        squares[at] += 1;
        squares[..at].fill(0);
    }
}

const SQUARES: usize = 64;
const PLACES: usize = MAX_CHECKERS as usize;

/// `LISTS_BELOW[p][s]`: the number of rising lists of `p + 1` squares below `s`, `C(s + p, p + 1)`; the greatest
/// ones, which no camp reaches, are truncated.
static LISTS_BELOW: [[u64; SQUARES]; PLACES] = {
    let mut lists = [[0; SQUARES]; PLACES];
    let mut place = 0;
    while place < PLACES {
        let mut square = 1;
        while square < SQUARES {
            let shorter = if place == 0 { 1_u64 } else { lists[place - 1][square] };
            lists[place][square] = shorter.saturating_add(lists[place][square - 1]);
            square += 1;
        }
        place += 1;
    }
    lists
};

/// The number of a rising list of squares among all lists of its length, by the last square, then the last but one, …
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::squinch) struct ListRank {
    places: usize,
    rank: u64,
}

impl ListRank {
    /// Adds a square `height` times; it must not be below those before it.
    ///
    /// Panics past the most checkers that a side may have.
    #[inline]
    pub(in crate::squinch) fn push(&mut self, square: u8, height: u8) {
        for _ in 0..height {
            self.rank += LISTS_BELOW[self.places][usize::from(square) % SQUARES];
            self.places += 1;
        }
    }

    /// The number of squares.
    #[inline]
    pub(in crate::squinch) const fn len(self) -> usize {
        self.places
    }
}

pub(in crate::squinch) fn rank(squares: &[u8]) -> u64 {
    let mut list = ListRank::default();
    squares.iter().for_each(|&square| list.push(square, 1));
    list.rank
}
