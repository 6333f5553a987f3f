//! What can be asked about one set-up: its balance, at once or in a study.

use std::path::Path;

use super::Engine;
use crate::ask::balance::Proving;
use crate::ask::promise::clear_the_way;
use crate::query::StudyOptions;
use crate::registry::AskSetUp;
use crate::wire::answer::Balance;
use crate::wire::reports::ProofFile;
use crate::wire::study::{SetUpStudyReport, WorkReport};
use crate::{Control, EngineError, Limits};

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

    /// Does jobs for the study of a set-up that another process keeps in a folder, which may be on another machine.
    ///
    /// # Errors
    /// Bad input; the folder holds another study; what was found cannot be written.
    pub fn work_for_set_up_study(
        &self,
        asked: &impl AskSetUp,
        folder: &Path,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<WorkReport, EngineError> {
        asked.lay_out(self.registry())?.work_for(folder, limits, control)
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
}
