//! Searches for set-ups that are hard on Player Two: tries random ones, and keeps the hardest.

use std::path::{Path, PathBuf};

use marquis_core::Immobile;
use web_time::{Duration, Instant};

use super::Engine;
use crate::query::{BalanceQuery, DesignQuery, Until};
use crate::{Control, EngineError, Limits, Progress};
use marquis_wire::answer::Balance;
use marquis_wire::reports::{Designed, MissingProof, ProofFile};

/// A hard set-up, with its proof.
#[derive(Clone, Debug, PartialEq)]
pub struct Find {
    /// Its number among the set-ups that were tried, from 1.
    pub number: u32,
    /// The set-up and its balance.
    pub design: Designed,
    /// The outcome of its proof file.
    pub proof: ProofFile,
}

/// The parameters of a resumable design search, and its observer.
pub struct DesignSearch<'a> {
    /// The time for all set-ups together, in addition to the limits for each.
    pub time: Option<Duration>,
    /// The number of set-ups that were tried before and are skipped.
    pub tried: u32,
    /// The best of those, the hardest first.
    pub kept: Vec<Find>,
    /// The file for the proof of the set-up of a number; no other file has that name.
    pub file: &'a dyn Fn(u32) -> PathBuf,
    /// Receives, after each set-up, the number tried and those kept.
    pub so_far: &'a mut dyn FnMut(u32, &[Find]),
}

impl Engine {
    /// The hardest of the random set-ups that were tried, the hardest first.
    ///
    /// Only set-ups whose verdict is proved, and whose difficulty is wanted, are kept. A set-up is hard if only high levels find and hold the right
    /// choice. Among equals, it is harder if few of the first moves keep the value, the move that captures most loses
    /// it, and the longest line with only one good move is long.
    ///
    /// * `limits`: for each set-up.
    ///
    /// # Errors
    /// Bad input: the game, the side, more rooks than edge cells, more beads than inner cells.
    pub fn design(
        &self,
        query: &DesignQuery,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<Vec<Designed>, EngineError> {
        let mut found: Vec<Designed> = Vec::new();
        self.try_boards(query, 0, None, control, &mut |_, board, control| {
            if found.iter().any(|design| design.board == board) {
                return Ok(());
            }
            let balance = self.balance(&balance_query(query, &board), limits, control)?;
            found.extend(designed(query, board, balance));
            Ok(())
        })?;
        found.sort_by(harder_first);
        found.truncate(query.keep);
        Ok(found)
    }

    /// The same; reports each set-up when it is found and writes its proof to a file. Files of set-ups that are not
    /// kept are removed.
    ///
    /// # Errors
    /// As [`Engine::design`]. A proof that cannot be written is not an error: its find reports it.
    pub fn design_with_proofs(
        &self,
        query: &DesignQuery,
        limits: &Limits,
        control: &Control<'_>,
        finder: DesignSearch<'_>,
    ) -> Result<Vec<Find>, EngineError> {
        let DesignSearch { time, tried, mut kept, file, so_far } = finder;
        let until = Limits { time, ..*limits }.deadline(control);
        self.try_boards(query, tried, until, control, &mut |number, board, control| {
            if kept.iter().any(|find| find.design.board == board) {
                so_far(number, &kept);
                return Ok(());
            }
            let (path, asked) = (file(number), balance_query(query, &board));
            let left = until.map(|until| until.saturating_duration_since(control.now()));
            let own = Limits { time: limits.time.into_iter().chain(left).min(), ..*limits };
            let (balance, proof) = self.balance_with_proof(&asked, &own, control, &path)?;
            // A set-up that ran out of the overall time does not count as tried.
            if control.stopped() || balance.balanced.is_none() && control.is_past(until) {
                remove(&path);
                return Ok(());
            }
            match designed(query, board, balance) {
                Some(design) => kept.push(Find { number, design, proof }),
                None => remove(&path),
            }
            kept.sort_by(|a, b| harder_first(&a.design, &b.design));
            let rest = kept.split_off(query.keep.min(kept.len()));
            rest.iter().for_each(|find| remove(&file(find.number)));
            so_far(number, &kept);
            Ok(())
        })?;
        Ok(kept)
    }

    /// Tries the boards of a design one by one, until it is stopped.
    ///
    /// * `passed`: the number of boards that are laid out but not tried.
    /// * `until`: no board is started after that.
    /// * `attempt`: receives the number of the board, the board, and the control of the whole design.
    fn try_boards(
        &self,
        query: &DesignQuery,
        passed: u32,
        until: Option<Instant>,
        control: &Control<'_>,
        attempt: &mut dyn FnMut(u32, String, &Control<'_>) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let mut next_board = self.registry().set_ups(query.game, "design")?.designs(query)?;
        for tried in 0..query.tries {
            if control.stopped() || control.is_past(until) {
                break;
            }
            let board = next_board();
            if tried < passed {
                continue;
            }
            let (done, total) = (u64::from(tried), Some(u64::from(query.tries)));
            // The search of one set-up is not progress of the design.
            let tell = || {
                let phase = "set-ups tried".to_owned();
                control.tell(&Progress { phase, done, total, bounds: None });
            };
            tell();
            attempt(tried + 1, board, &control.of_part(|_| tell()))?;
        }
        Ok(())
    }

    /// The balance of a designed set-up, with its proof in a file.
    ///
    /// The file is complete if it proves the verdict of the design.
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
            // The limits were too small the second time.
            let (said, proved) = (design.balance.player_two.bounds, balance.player_two.bounds);
            kept.missing.push(MissingProof { position: design.board.clone(), said, proved });
            kept.complete = false;
        }
        Ok((balance, kept))
    }
}

/// A set-up with its balance, if its verdict is proved and its difficulty wanted.
fn designed(query: &DesignQuery, board: String, balance: Balance) -> Option<Designed> {
    let score = balance.difficulty.rating.unwrap_or_default();
    let is_wanted = balance.balanced.is_some() && query.kind.includes(score);
    is_wanted.then_some(Designed { board, balance, score })
}

/// The order of designs.
fn harder_first(a: &Designed, b: &Designed) -> std::cmp::Ordering {
    let of_equals = |design: &Designed| hardness(&design.balance);
    let equal = of_equals(b).total_cmp(&of_equals(a)).then_with(|| a.board.cmp(&b.board));
    b.score.total_cmp(&a.score).then(equal)
}

/// Removes an unwanted proof: it takes room, and no other proof uses its name.
fn remove(file: &Path) {
    let _ = std::fs::remove_file(file);
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

/// The hardness of a decided set-up, as a tie-break if the same levels hold it; 0 is trivial.
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
