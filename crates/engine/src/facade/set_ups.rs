//! What can be asked about set-ups: their balance, and such as are hard on Player Two.

use std::path::Path;

use marquis_core::Immobile;

use super::Engine;
use crate::ask::balance::Proving;
use crate::ask::promise::clear_the_way;
use crate::query::{BalanceQuery, DesignQuery, StudyOptions, Until};
use crate::registry::AskSetUp;
use crate::wire::answer::Balance;
use crate::wire::reports::{Designed, MissingProof, ProofFile};
use crate::wire::study::SetUpStudyReport;
use crate::{Control, EngineError, Limits, Progress};

impl Engine {
    /// What each choice is worth to Player Two, as far as the limits allow.
    ///
    /// # Errors
    /// Bad input: the game, the set-up, the bait or the target; a table that cannot be read.
    pub fn balance(
        &self,
        asked: &impl AskSetUp,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<Balance, EngineError> {
        asked.lay_out(self.registry())?.balance(&self.known, limits, control, Proving::Nothing)
    }

    /// The same, and positions inside the proofs of what was searched or solved exhaustively are answered from them
    /// from now on.
    ///
    /// What rules, tables or earlier proofs know needs no new one.
    ///
    /// * `file`: where the proofs are written as well, if there are any.
    ///
    /// # Errors
    /// As [`Engine::balance`]. A file that cannot be written costs the file and nothing else: the second
    /// result says why.
    pub fn balance_and_keep(
        &self,
        asked: &impl AskSetUp,
        limits: &Limits,
        control: &Control<'_>,
        file: Option<&Path>,
    ) -> Result<(Balance, Result<(), EngineError>), EngineError> {
        let mut written = Ok(());
        let keeping = Proving::AsFound { file, written: &mut written };
        let balance = asked.lay_out(self.registry())?.balance(&self.known, limits, control, keeping)?;
        Ok((balance, written))
    }

    /// The same, the proof of everything that the verdict rests on written to a file, and what became of that.
    ///
    /// An older file under this name is taken away before anything is searched: what is there afterwards is of this
    /// answer. The verdict rests on the colour that decides it alone, or on both.
    ///
    /// # Errors
    /// As [`Engine::balance`]. A file that cannot be written, or proves less than the verdict, is no error: the second
    /// result says so.
    pub fn balance_with_proof(
        &self,
        asked: &impl AskSetUp,
        limits: &Limits,
        control: &Control<'_>,
        file: &Path,
    ) -> Result<(Balance, ProofFile), EngineError> {
        let set_up = asked.lay_out(self.registry())?;
        clear_the_way(file);
        let mut kept = None;
        let balance =
            set_up.balance(&self.known, limits, control, Proving::Everything { file, kept: &mut kept })?;
        let nothing = || ProofFile::nothing(file);
        Ok((balance, kept.unwrap_or_else(nothing)))
    }

    /// Goes on with the study of a set-up in a folder, or begins it, until Player Two's choice is decided.
    ///
    /// * Second result: what became of the proof file, where one was asked for.
    ///
    /// # Errors
    /// Bad input; a folder that holds something else, is damaged, taken or cannot be written.
    pub fn study_set_up(
        &self,
        asked: &impl AskSetUp,
        options: &StudyOptions,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(SetUpStudyReport, Option<ProofFile>), EngineError> {
        asked.lay_out(self.registry())?.study(options, limits, control)
    }

    /// Where the study of a set-up in a folder stands, or stood when it was last at work.
    ///
    /// # Errors
    /// Bad input; there is no study, or what it says cannot be read.
    pub fn study_set_up_status(
        &self,
        asked: &impl AskSetUp,
        folder: &Path,
    ) -> Result<SetUpStudyReport, EngineError> {
        asked.lay_out(self.registry())?.study_status(folder)
    }

    /// The hardest of the random set-ups that were tried, the hardest first.
    ///
    /// Only set-ups whose verdict is proved are kept. Hard is what only high levels find and hold; of equals, where few
    /// of the first moves keep the value, the move that captures most loses it, and the longest line with only one
    /// good move is long.
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
        let mut next_board = self.registry().set_ups(query.game, "design")?.designs(query)?;
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
                found.push(Designed { board, score: balance.difficulty.rating.unwrap_or_default(), balance });
            }
        }
        let of_equals = |design: &Designed| hardness(&design.balance);
        found.sort_by(|a, b| {
            let equal = of_equals(b).total_cmp(&of_equals(a)).then_with(|| a.board.cmp(&b.board));
            b.score.total_cmp(&a.score).then(equal)
        });
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

/// Which of two decided set-ups that the same levels hold is harder; 0 is trivial.
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
