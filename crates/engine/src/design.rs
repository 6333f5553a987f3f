//! Set-ups that are hard on Player Two, found by trying random ones.

use std::path::Path;

use marquis_core::{Cell, Cells};
use marquis_games::beads::Pie;
use marquis_games::catalogue::GameId;
use marquis_games::hex::{Hex, Side, Symmetry, write_rows};
use marquis_games::notation::TextError;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::facade::Engine;
use crate::query::Until;
use crate::reports::{Designed, MissingProof, ProofFile};
use crate::{Balance, BalanceQuery, Control, EngineError, Immobile, Limits, Progress};

/// What the set-ups that are looked for have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Anything.
    #[default]
    Random,
    /// Half a turn of the board takes White's rooks to Black's and the beads to themselves: neither colour is
    /// better off.
    PointSymmetric,
}

/// How a set-up is looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignQuery {
    /// Swish or Squeeze.
    pub game: GameId,
    /// Cells along an edge.
    pub side: u8,
    /// Rooks a colour.
    pub rooks: u8,
    /// Beads on the board.
    pub beads: u8,
    /// How they lie.
    pub layout: Layout,
    /// How Player Two will choose.
    pub pie: Pie,
    /// Where the random numbers begin.
    pub seed: u64,
    /// How many set-ups are tried.
    pub tries: u32,
    /// How many are kept, the hardest first.
    pub keep: usize,
}

impl Engine {
    /// The hardest of the random set-ups that were tried, the hardest first.
    ///
    /// Only set-ups whose verdict is proved are kept. Hard is: few of the first moves keep the value,
    /// the move that captures most loses it, and the longest line with only one good move is long.
    ///
    /// * `limits`: for each set-up that is tried.
    ///
    /// # Errors
    /// Bad input: the game, the side, more rooks than edge cells, more beads than inner cells.
    pub fn design(
        &self,
        query: &DesignQuery,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<Vec<Designed>, EngineError> {
        let side = check(query)?;
        let mut random = SmallRng::seed_from_u64(query.seed);
        let mut found: Vec<Designed> = Vec::new();
        for tried in 0..query.tries {
            if control.stopped() {
                break;
            }
            let phase = "set-ups tried".to_owned();
            control.tell(&Progress {
                phase,
                done: u64::from(tried),
                total: Some(u64::from(query.tries)),
                bounds: None,
            });
            let board = random_board(side.board(), query, &mut random);
            let balance = self.balance(&balance_query(query, &board), limits, control)?;
            if balance.balanced.is_some() {
                found.push(Designed { board, score: hardness(&balance), balance });
            }
        }
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.board.cmp(&b.board)));
        found.truncate(query.keep);
        Ok(found)
    }

    /// The balance of a set-up that was designed, with its proof in a file, so that it can be brought to the table.
    ///
    /// The file is complete where it proves the verdict of the design.
    ///
    /// # Errors
    /// As [`Engine::balance_with_proof`].
    pub fn prove_design(
        &self,
        query: &DesignQuery,
        design: &Designed,
        limits: &Limits,
        control: &Control<'_>,
        file: &Path,
    ) -> Result<(Balance, ProofFile), EngineError> {
        let query = balance_query(query, &design.board);
        let (balance, mut kept) = self.balance_with_proof(&query, limits, control, file)?;
        if balance.player_two != design.balance.player_two {
            // The second time the limits did not suffice.
            let (said, proved) =
                (design.balance.player_two.bounds.clone(), balance.player_two.bounds.clone());
            kept.missing.push(MissingProof { position: design.board.clone(), said, proved });
            kept.complete = false;
        }
        Ok((balance, kept))
    }
}

fn check(query: &DesignQuery) -> Result<Side, EngineError> {
    if !matches!(query.game, GameId::Swish | GameId::Squeeze) {
        let message = format!("{} has no set-ups to design; swish and squeeze have", query.game);
        return Err(EngineError::NotForThisGame(message));
    }
    let side =
        Side::new(query.side).ok_or_else(|| TextError::new("side", "2 to 5", query.side.to_string()))?;
    let edge = side.board().edge().len();
    let inner = side.board().count() - edge;
    if !(1..=3).contains(&query.rooks) || 2 * u32::from(query.rooks) > edge {
        return Err(TextError::new("rooks", "1 to 3 a colour", query.rooks.to_string()).into());
    }
    if !(1..=inner).contains(&u32::from(query.beads)) {
        return Err(TextError::new("beads", format!("1 to {inner}"), query.beads.to_string()).into());
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

fn balance_query(query: &DesignQuery, board: &str) -> BalanceQuery {
    BalanceQuery {
        game: query.game,
        board: board.to_owned(),
        bait: 0,
        pie: query.pie,
        target: None,
        immobile: Immobile::Loss,
        until: Until::Choice,
    }
}

/// How hard a decided set-up is on Player Two; 0 is trivial.
fn hardness(balance: &Balance) -> f64 {
    let difficulty = &balance.difficulty;
    let scarce = difficulty
        .keeping_moves
        .map_or(0.0, |keeping| 10.0 * (1.0 - keeping as f64 / difficulty.first_moves.max(1) as f64));
    let trap = if difficulty.greedy_keeps == Some(false) { 10.0 } else { 0.0 };
    let line = difficulty.only_move_line.map_or(0.0, f64::from);
    let effort = (1.0 + difficulty.nodes as f64).log2() / 2.0;
    scarce + trap + line + effort
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(layout: Layout, beads: u8) -> DesignQuery {
        DesignQuery {
            game: GameId::Swish,
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
