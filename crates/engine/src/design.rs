//! Set-ups that are hard on Player Two, found by trying random ones.

use marquis_core::{Cell, Cells};
use marquis_games::beads::Pie;
use marquis_games::catalogue::GameId;
use marquis_games::hex::{Side, write_rows};
use marquis_games::notation::TextError;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use crate::facade::Engine;
use crate::query::Until;
use crate::reports::Designed;
use crate::{Balance, BalanceQuery, Control, EngineError, Immobile, Limits, Progress};

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
            let board = random_board(side, query, &mut random);
            let balance = self.balance(&balance_query(query, &board), limits, control)?;
            if balance.balanced.is_some() {
                found.push(Designed { board, score: hardness(&balance), balance });
            }
        }
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.board.cmp(&b.board)));
        found.truncate(query.keep);
        Ok(found)
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

fn random_board(side: Side, query: &DesignQuery, random: &mut SmallRng) -> String {
    let board = side.board();
    let edge: Vec<Cell> = board.edge().collect();
    let inner: Vec<Cell> = (board.all() - board.edge()).collect();
    let rooks: Vec<Cell> = edge.sample(random, 2 * usize::from(query.rooks)).copied().collect();
    let beads: Cells = inner.sample(random, usize::from(query.beads)).copied().collect();
    let (white, black) = rooks.split_at(usize::from(query.rooks));
    write_rows(board, |cell| {
        if white.contains(&cell) {
            Some('w')
        } else if black.contains(&cell) {
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
        pie: Pie::Marquisian,
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
