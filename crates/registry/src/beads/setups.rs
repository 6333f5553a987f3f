//! Set-ups of Swish and Squeeze: reading them, and random ones.

use marquis_core::{Cell, Cells, Game as _, Notation as _, Player, TextError};
use marquis_engine::game::{SetUp, SetUps};
use marquis_engine::{BalanceQuery, DesignQuery, LaidOut, Layout};
use marquis_games::beads::{BeadGame, Beads, Capture, Move, Position, Setup};
use marquis_games::hex::{Hex, Side, Symmetry, write_rows};
use rand::RngExt;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use super::Adapter;

/// The set-ups of both games.
pub(super) struct BeadSetUps;

impl<R: Capture> SetUps<Adapter<R>> for BeadSetUps {
    fn parse(&self, query: &BalanceQuery) -> Result<SetUp<Adapter<R>>, TextError> {
        let setup = Setup::parse(&query.board, Beads(query.bait), query.target.map(Beads))?;
        let (rules, _) = setup.begin::<R>(Player::First, query.immobile);
        let firsts = Player::BOTH.map(|colour| setup.begin::<R>(colour, query.immobile).1);
        let laid_out = LaidOut {
            board: setup.text(),
            bait: setup.bait().0,
            target: setup.target().0,
            firsts: firsts.map(|position| rules.position_text(&position)),
        };
        Ok(SetUp { laid_out, rules, firsts })
    }

    /// The move that takes the most beads, then the most rooks, then the first by its text.
    fn greedy_move(&self, game: &BeadGame<R>, position: &Position) -> Option<Move> {
        if game.over(position).is_some() {
            return None;
        }
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let gain = |play: &Move| match play {
            Move::Pass => (0, 0),
            Move::Rook(step) => {
                let captured = R::captured(game.board(), position, *step);
                ((captured & position.beads).len(), (captured & position.enemies()).len())
            }
        };
        let capturing = moves.iter().filter(|play| gain(play) != (0, 0));
        capturing
            .max_by_key(|play| (gain(play), std::cmp::Reverse(game.move_text(position, **play))))
            .copied()
    }

    fn check(&self, query: &DesignQuery) -> Result<(), TextError> {
        check(query).map(|_| ())
    }

    fn random_board(&self, query: &DesignQuery, random: &mut SmallRng) -> String {
        let side = check(query).expect("the caller made sure that such boards can be laid out");
        random_board(side.board(), query, random)
    }
}

/// The board of a kind of set-ups, if its pieces fit on it.
fn check(query: &DesignQuery) -> Result<Side, TextError> {
    let side =
        Side::new(query.side).ok_or_else(|| TextError::new("side", "2 to 5", query.side.to_string()))?;
    let edge = side.board().edge().len();
    let inner = side.board().count() - edge;
    if !(1..=3).contains(&query.rooks) || 2 * u32::from(query.rooks) > edge {
        return Err(TextError::new("rooks", "1 to 3 a colour", query.rooks.to_string()));
    }
    if !(1..=inner).contains(&u32::from(query.beads)) {
        return Err(TextError::new("beads", format!("1 to {inner}"), query.beads.to_string()));
    }
    Ok(side)
}

fn random_board(board: &Hex, query: &DesignQuery, random: &mut SmallRng) -> String {
    let (rooks, beads) = (usize::from(query.rooks), usize::from(query.beads));
    let edge: Vec<Cell> = board.edge().collect();
    let inner: Vec<Cell> = (board.all() - board.edge()).collect();
    let some = |of: &[Cell], count: usize, random: &mut SmallRng| -> Vec<Cell> {
        of.sample(random, count).copied().collect()
    };
    let (white, black, beads) = match query.layout {
        Layout::Random => {
            let both = some(&edge, 2 * rooks, random);
            let (white, black) = both.split_at(rooks);
            (white.iter().copied().collect(), black.iter().copied().collect(), some(&inner, beads, random))
        }
        Layout::PointSymmetric => {
            let opposite = |cell: Cell| board.image(Symmetry::HALF_TURN, cell);
            // One of each pair of opposite cells; the centre is opposite to itself.
            let pairs = |of: &[Cell]| -> Vec<Cell> {
                of.iter().copied().filter(|&cell| cell < opposite(cell)).collect()
            };
            let either = |cell: Cell, random: &mut SmallRng| {
                if random.random() { cell } else { opposite(cell) }
            };
            let white: Cells =
                some(&pairs(&edge), rooks, random).into_iter().map(|cell| either(cell, random)).collect();
            let centre = inner.iter().copied().filter(|&cell| beads % 2 == 1 && cell == opposite(cell));
            let laid = some(&pairs(&inner), beads / 2, random);
            let laid = laid.into_iter().flat_map(|cell| [cell, opposite(cell)]).chain(centre);
            (white, board.image_of(Symmetry::HALF_TURN, white), laid.collect())
        }
    };
    let beads: Cells = beads.into_iter().collect();
    write_rows(board, |cell| {
        if white.contains(cell) {
            Some('w')
        } else if black.contains(cell) {
            Some('b')
        } else {
            beads.contains(cell).then_some('o')
        }
    })
}

#[cfg(test)]
mod tests {
    use marquis_engine::game::Tabled as _;
    use marquis_engine::{Layout, Pie};
    use marquis_games::beads::Leap;
    use rand::SeedableRng as _;

    use super::*;
    use crate::beads::Adapter;

    fn query(layout: Layout, beads: u8) -> DesignQuery {
        DesignQuery {
            game: Adapter::<Leap>::ID,
            side: 4,
            rooks: 3,
            beads,
            layout,
            pie: Pie::Bait,
            seed: 7,
            tries: 1,
            keep: 1,
        }
    }

    #[test]
    fn half_a_turn_takes_a_point_symmetric_board_to_itself_with_the_colours_exchanged() {
        let board = Side::new(4).expect("a side").board();
        let mut random = SmallRng::seed_from_u64(1);
        for number in 0..200 {
            let beads = 1 + number % 19;
            let text = random_board(board, &query(Layout::PointSymmetric, beads), &mut random);
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
        let board = Side::new(4).expect("a side").board();
        let mut random = SmallRng::seed_from_u64(1);
        let texts: Vec<String> =
            (0..50).map(|_| random_board(board, &query(Layout::Random, 9), &mut random)).collect();
        for text in &texts {
            assert_eq!(['w', 'b', 'o'].map(|letter| text.matches(letter).count()), [3, 3, 9], "{text}");
        }
        let symmetric = texts.iter().filter(|text| {
            let beads: String = text.replace(['w', 'b'], "1");
            beads.chars().rev().eq(beads.chars())
        });
        assert_eq!(symmetric.count(), 0);
    }
}
