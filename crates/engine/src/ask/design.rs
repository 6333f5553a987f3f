//! Set-ups that are hard on Player Two, found by trying random ones.

use std::path::Path;

use marquis_core::GameId;

use crate::ask::query::{Pie, Until};
use crate::facade::Engine;
use crate::wire::reports::{Designed, MissingProof, ProofFile};
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
        let game = self.registry().game(query.game.name())?;
        let mut next_board = game.adapter().designs(query, self.registry())?;
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
            let board = next_board();
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
