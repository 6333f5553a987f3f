//! Random set-ups of Swish and Squeeze for a design.

use std::ops::RangeInclusive;

use marquis_core::{Cell, Cells, TextError};
use marquis_engine::{DesignKind, SetUpPattern};
use marquis_games::beads::Setup;
use marquis_games::hex::{Hex, Side, Symmetry, parse_rows, write_rows};
use rand::RngExt;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

/// The maximum length of the text of a board to start from; the text is part of the name of the job.
const LONGEST: usize = 100;

/// White's rooks, Black's rooks and the beads.
type Pieces = [Cells; 3];

/// The kind of set-ups of a design, whose pieces fit on the board.
pub(super) struct Kind {
    board: &'static Hex,
    /// The pieces that are kept.
    kept: Pieces,
    /// The number of these that are moved.
    moved: usize,
    rooks: Rooks,
    beads: RangeInclusive<u8>,
    layout: SetUpPattern,
}

/// The number of rooks.
enum Rooks {
    /// Of each colour.
    Each(RangeInclusive<u8>),
    /// Of White and of Black, as on the board to start from.
    AsLaid([u8; 2]),
}

impl Kind {
    /// The kind of set-ups of a request.
    ///
    /// # Errors
    /// Names the quantity that is too large or too small, or what is wrong with the board to start from.
    pub(super) fn of(asked: &DesignKind) -> Result<Self, TextError> {
        let (side, kept) = start(asked)?;
        let board = side.board();
        let [white, black, beads] = kept.map(|cells| cells.len() as u8);
        let rooks = match (asked.rooks, asked.max_rooks, [white, black]) {
            (None, None, own) if !own.contains(&0) => Rooks::AsLaid(own),
            (least, most, own) => {
                let laid = own[0].max(own[1]);
                let least = least.unwrap_or(if laid == 0 { DesignKind::ROOKS } else { laid });
                let room = (board.edge().len() as u8 / 2).min(Setup::MOST_ROOKS as u8);
                Rooks::Each(counts("rooks", (least, most), laid.max(1)..=room, " a colour")?)
            }
        };
        let inner = (board.count() - board.edge().len()) as u8;
        let least = asked.beads.unwrap_or(if beads == 0 { DesignKind::BEADS.min(inner) } else { beads });
        let beads = counts("beads", (least, asked.max_beads), beads.max(1)..=inner, "")?;
        let kind = Self { board, kept, moved: 0, rooks, beads, layout: asked.layout };
        Ok(Self { moved: kind.moved(asked)?, ..kind })
    }

    /// The number of pieces of the board to start from that are moved.
    fn moved(&self, asked: &DesignKind) -> Result<usize, TextError> {
        let pieces: u32 = self.kept.iter().map(|cells| cells.len()).sum();
        let Some(_) = asked.from else {
            return match asked.change {
                Some(change) => Err(TextError::new("change", "a board to start from", change.to_string())),
                None => Ok(0),
            };
        };
        if asked.layout != SetUpPattern::Random {
            let expected = "`random`, because a board is given to start from";
            return Err(TextError::new("layout", expected, asked.layout.name()));
        }
        let adds = match &self.rooks {
            Rooks::Each(each) => 2 * u32::from(*each.end()),
            Rooks::AsLaid(own) => own.iter().copied().map(u32::from).sum(),
        } + u32::from(*self.beads.end())
            > pieces;
        let change = asked.change.map_or(u32::from(!adds), u32::from);
        let least = u32::from(!adds);
        if !(least..=pieces).contains(&change) {
            let expected = format!("{least} to {pieces}, pieces of the board to move");
            return Err(TextError::new("change", expected, change.to_string()));
        }
        Ok(change as usize)
    }

    /// A random board of this kind.
    pub(super) fn board(&self, random: &mut SmallRng) -> String {
        let rooks = match &self.rooks {
            Rooks::Each(each) => [some_number(each, random); 2],
            Rooks::AsLaid(own) => own.map(usize::from),
        };
        let beads = some_number(&self.beads, random);
        let pieces = match self.layout {
            SetUpPattern::Random => self.added_to(self.after_moves(random), (rooks, beads), random),
            SetUpPattern::PointSymmetric => symmetric(self.board, (rooks[0], beads), random),
        };
        text(self.board, &pieces)
    }

    /// The pieces that stay where they are.
    fn after_moves(&self, random: &mut SmallRng) -> Pieces {
        if self.moved == 0 {
            return self.kept;
        }
        let all: Vec<Cell> = self.kept.iter().copied().flatten().collect();
        let lifted: Cells = some(&all, self.moved, random).into_iter().collect();
        self.kept.map(|cells| cells - lifted)
    }

    /// The pieces with missing ones on random free cells.
    fn added_to(
        &self,
        [white, black, beads]: Pieces,
        (rooks, all): ([usize; 2], usize),
        random: &mut SmallRng,
    ) -> Pieces {
        let missing = |cells: Cells, wanted: usize| wanted.saturating_sub(cells.len() as usize);
        let (of_white, of_black) = (missing(white, rooks[0]), missing(black, rooks[1]));
        let edge: Vec<Cell> = (self.board.edge() - white - black).collect();
        let inner: Vec<Cell> = (self.board.all() - self.board.edge() - beads).collect();
        let both = some(&edge, of_white + of_black, random);
        let (more_white, more_black) = both.split_at(of_white);
        let more = some(&inner, missing(beads, all), random);
        let with = |cells: Cells, more: &[Cell]| more.iter().fold(cells, |cells, &cell| cells.with(cell));
        [with(white, more_white), with(black, more_black), with(beads, &more)]
    }
}

/// The board and the pieces that a design starts from; no pieces by default.
fn start(asked: &DesignKind) -> Result<(Side, Pieces), TextError> {
    let Some(from) = &asked.from else {
        let side = asked.side.unwrap_or(DesignKind::SIDE);
        let side = Side::new(side).ok_or_else(|| TextError::new("side", "2 to 5", side.to_string()))?;
        return Ok((side, [Cells::EMPTY; 3]));
    };
    if from.len() > LONGEST {
        return Err(TextError::new("from", format!("a board text of at most {LONGEST} characters"), from));
    }
    let of_from = |error: TextError| match error.place.as_str() {
        "board" => TextError { place: "from".to_owned(), ..error },
        _ => error,
    };
    let rows = parse_rows(from.trim(), ['w', 'b', 'o']).map_err(of_from)?;
    let edge = rows.side.board().edge();
    let [white, black, beads] = rows.cells;
    if let Some(side) = asked.side.filter(|&side| Side::new(side) != Some(rows.side)) {
        return Err(TextError::new("side", "that of the board to start from", side.to_string()));
    }
    if !((white | black) - edge).is_empty() || !(beads & edge).is_empty() {
        let expected = "rooks on edge cells and beads on inner cells";
        return Err(TextError::new("from", expected, from));
    }
    if white.len().max(black.len()) > Setup::MOST_ROOKS {
        return Err(TextError::new("from", format!("at most {} rooks a colour", Setup::MOST_ROOKS), from));
    }
    Ok((rows.side, rows.cells))
}

/// The numbers of a piece, if they fit on the board.
///
/// * `least`, `most`: the requested ones.
/// * `fits`: from the number on the board to start from to the number that fits.
fn counts(
    place: &str,
    (least, most): (u8, Option<u8>),
    fits: RangeInclusive<u8>,
    each: &str,
) -> Result<RangeInclusive<u8>, TextError> {
    let (from, to) = (*fits.start(), *fits.end());
    if !fits.contains(&least) {
        return Err(TextError::new(place, format!("{from} to {to}{each}"), least.to_string()));
    }
    let most = most.unwrap_or(least);
    if !(least..=to).contains(&most) {
        return Err(TextError::new(
            format!("max_{place}"),
            format!("{least} to {to}{each}"),
            most.to_string(),
        ));
    }
    Ok(least..=most)
}

/// A number of a range; draws nothing if there is only one, so that a seed finds the same boards as ever.
fn some_number(range: &RangeInclusive<u8>, random: &mut SmallRng) -> usize {
    let (least, most) = (*range.start(), *range.end());
    usize::from(if least == most { least } else { random.random_range(least..=most) })
}

fn some(of: &[Cell], count: usize, random: &mut SmallRng) -> Vec<Cell> {
    of.sample(random, count).copied().collect()
}

/// Pieces that half a turn takes to themselves with the colours exchanged.
fn symmetric(board: &Hex, (rooks, beads): (usize, usize), random: &mut SmallRng) -> Pieces {
    let edge: Vec<Cell> = board.edge().collect();
    let inner: Vec<Cell> = (board.all() - board.edge()).collect();
    let opposite = |cell: Cell| board.image(Symmetry::HALF_TURN, cell);
    // One of each pair of opposite cells; the centre is opposite to itself.
    let pairs =
        |of: &[Cell]| -> Vec<Cell> { of.iter().copied().filter(|&cell| cell < opposite(cell)).collect() };
    let either = |cell: Cell, random: &mut SmallRng| if random.random() { cell } else { opposite(cell) };
    let white: Cells =
        some(&pairs(&edge), rooks, random).into_iter().map(|cell| either(cell, random)).collect();
    let centre = inner.iter().copied().filter(|&cell| beads % 2 == 1 && cell == opposite(cell));
    let laid = some(&pairs(&inner), beads / 2, random);
    let laid = laid.into_iter().flat_map(|cell| [cell, opposite(cell)]).chain(centre);
    [white, board.image_of(Symmetry::HALF_TURN, white), laid.collect()]
}

fn text(board: &Hex, pieces: &Pieces) -> String {
    let letter = |cell| ['w', 'b', 'o'].into_iter().zip(pieces).find(|(_, cells)| cells.contains(cell));
    write_rows(board, |cell| letter(cell).map(|(letter, _)| letter))
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::*;

    fn kind(layout: SetUpPattern, beads: u8) -> DesignKind {
        DesignKind { side: Some(4), rooks: Some(3), beads: Some(beads), layout, ..DesignKind::default() }
    }

    #[test]
    fn half_a_turn_takes_a_point_symmetric_board_to_itself_with_the_colours_exchanged() {
        let mut random = SmallRng::seed_from_u64(1);
        for number in 0..200 {
            let beads = 1 + number % 19;
            let text = board(&kind(SetUpPattern::PointSymmetric, beads), &mut random);
            let turned: String = text.chars().rev().collect();
            let exchanged: String = turned
                .chars()
                .map(|letter| match letter {
                    'w' => 'b',
                    'b' => 'w',
                    other => other,
                })
                .collect();
            assert_eq!(exchanged, text);
            assert_eq!(text.matches('o').count(), usize::from(beads), "{text}");
            assert_eq!([text.matches('w').count(), text.matches('b').count()], [3, 3], "{text}");
        }
    }

    #[test]
    fn random_boards_have_the_pieces_that_were_asked_for_and_are_hardly_ever_symmetric() {
        let mut random = SmallRng::seed_from_u64(1);
        let texts: Vec<String> =
            (0..50).map(|_| board(&kind(SetUpPattern::Random, 9), &mut random)).collect();
        for text in &texts {
            assert_eq!(['w', 'b', 'o'].map(|letter| text.matches(letter).count()), [3, 3, 9], "{text}");
        }
        let symmetric = texts.iter().filter(|text| {
            let beads: String = text.replace(['w', 'b'], "1");
            beads.chars().rev().eq(beads.chars())
        });
        assert_eq!(symmetric.count(), 0);
    }

    fn board(asked: &DesignKind, random: &mut SmallRng) -> String {
        Kind::of(asked).expect("a kind").board(random)
    }

    /// Set-ups that start from this board, with these numbers of rooks and of beads.
    fn from(board: &str, [rooks, max_rooks, beads, max_beads, change]: [Option<u8>; 5]) -> DesignKind {
        let from = Some(board.to_owned());
        DesignKind { rooks, max_rooks, beads, max_beads, from, change, ..DesignKind::default() }
    }

    /// The numbers of White's rooks, Black's rooks and beads.
    fn numbers(text: &str) -> [usize; 3] {
        ['w', 'b', 'o'].map(|letter| text.matches(letter).count())
    }

    #[test]
    fn pieces_laid_by_hand_stay_and_missing_ones_are_added_within_their_ranges() {
        let mut random = SmallRng::seed_from_u64(1);
        let laid = "w1w/4/1o3/4/3";
        let kind = from(laid, [Some(2), Some(3), Some(2), Some(5), None]);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..200 {
            let text = board(&kind, &mut random);
            let rows = parse_rows(&text, ['w', 'b', 'o']).expect("a board").cells;
            let kept = parse_rows(laid, ['w', 'b', 'o']).expect("a board").cells;
            assert!(kept.into_iter().zip(rows).all(|(kept, now)| (kept - now).is_empty()), "{text}");
            let [white, black, beads] = numbers(&text);
            assert!(white == black && (2..=3).contains(&white) && (2..=5).contains(&beads), "{text}");
            seen.insert((white, beads));
        }
        assert_eq!(seen.len(), 8, "{seen:?}");
    }

    #[test]
    fn a_changed_board_has_the_same_pieces_and_only_so_many_on_other_cells() {
        let mut random = SmallRng::seed_from_u64(1);
        let laid = "w1w/4/1ooo1/4/b2";
        let cells = |text: &str| parse_rows(text, ['w', 'b', 'o']).expect("a board").cells;
        let mut most = 0;
        for _ in 0..200 {
            let text = board(&from(laid, [None, None, None, None, Some(2)]), &mut random);
            assert_eq!(numbers(&text), [2, 1, 3], "{text}");
            let gone: u32 =
                cells(laid).into_iter().zip(cells(&text)).map(|(old, new)| (old - new).len()).sum();
            assert!(gone <= 2, "{text}");
            most = most.max(gone);
        }
        assert_eq!(most, 2);
    }

    #[test]
    fn a_kind_that_cannot_be_laid_out_is_refused_by_its_place() {
        let laid = "w1w/4/1ooo1/4/b1b";
        let none = [None; 5];
        let place = |asked: &DesignKind| Kind::of(asked).err().expect("an error").place;
        let symmetric = DesignKind { layout: SetUpPattern::PointSymmetric, ..from(laid, none) };
        let inside = from("3/1w2/5/4/3", none);
        let other_side = DesignKind { side: Some(4), ..from(laid, none) };
        let nothing_kept = DesignKind { change: Some(1), ..DesignKind::default() };
        for (wrong, expected) in [
            (from(laid, [Some(1), None, None, None, None]), "rooks"),
            (from(laid, [None, Some(4), None, None, None]), "max_rooks"),
            (from(laid, [None, None, Some(2), None, None]), "beads"),
            (from(laid, [None, None, None, Some(8), None]), "max_beads"),
            (from(laid, [None, None, None, None, Some(0)]), "change"),
            (from(laid, [None, None, None, None, Some(8)]), "change"),
            (nothing_kept, "change"),
            (from("w1w/4", none), "from"),
            (from(&format!("{laid}{:200}", ""), none), "from"),
            (from("w1w/4/1oxo1/4/b1b", none), "row c"),
            (from("wwww/5/6/7/6/5/b3", none), "from"),
            (inside, "from"),
            (symmetric, "layout"),
            (other_side, "side"),
        ] {
            assert_eq!(place(&wrong), expected, "{wrong:?}");
        }
        assert!(Kind::of(&from(laid, none)).is_ok());
    }
}
