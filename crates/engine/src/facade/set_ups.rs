//! Queries about one set-up: its balance, at once or in a study.

use std::path::Path;

use super::Engine;
use crate::ask::balance::Proving;
use crate::ask::promise::clear_the_way;
use crate::query::StudyOptions;
use crate::registry::AskSetUp;
use crate::{Control, EngineError, Limits};
use marquis_wire::answer::Balance;
use marquis_wire::reports::ProofFile;
use marquis_wire::study::{SetUpStudyReport, WorkReport};

impl Engine {
    /// The value of each choice for Player Two, as far as the limits allow.
    ///
    /// # Errors
    /// Bad input: the game, the set-up, the bait or the target; a table that cannot be read.
    pub fn balance(
        &self,
        asked: &impl AskSetUp,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<Balance, EngineError> {
        asked.lay_out(self.registry())?.balance(self.asking(limits, control), Proving::Nothing)
    }

    /// The same; from now on, positions inside the proofs of this search or exhaustive solution are answered from
    /// them.
    ///
    /// Results from rules, tables or earlier proofs need no new proof.
    ///
    /// * `file`: the file to write the proofs to as well, if there are any.
    ///
    /// # Errors
    /// As [`Engine::balance`]. If the file cannot be written, only the file is lost: the second result says why.
    pub fn balance_and_keep(
        &self,
        asked: &impl AskSetUp,
        limits: &Limits,
        control: &Control<'_>,
        file: Option<&Path>,
    ) -> Result<(Balance, Result<(), EngineError>), EngineError> {
        let mut written = Ok(());
        let keeping = Proving::AsFound { file, written: &mut written };
        let balance = asked.lay_out(self.registry())?.balance(self.asking(limits, control), keeping)?;
        Ok((balance, written))
    }

    /// The same with the full proof of the verdict written to a file, and the outcome of that.
    ///
    /// An older file under this name is removed before the search, so that a file found afterwards belongs to this
    /// answer. The verdict rests on the one colour that decides it, or on both.
    ///
    /// # Errors
    /// As [`Engine::balance`]. A file that cannot be written, or proves less than the verdict, is not an error: the
    /// second result reports it.
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
            set_up.balance(self.asking(limits, control), Proving::Everything { file, kept: &mut kept })?;
        let nothing = || ProofFile::nothing(file);
        Ok((balance, kept.unwrap_or_else(nothing)))
    }

    /// Resumes or starts the study of a set-up in a folder, until Player Two's choice is decided.
    ///
    /// * Second result: the outcome of the proof file, if one was requested.
    ///
    /// # Errors
    /// Bad input; a folder that holds something else, is damaged, locked or cannot be written.
    pub fn study_set_up(
        &self,
        asked: &impl AskSetUp,
        options: &StudyOptions,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(SetUpStudyReport, Option<ProofFile>), EngineError> {
        asked.lay_out(self.registry())?.study(options, limits, control)
    }

    /// Does jobs for the study of a set-up that another process, perhaps on another machine, keeps in a folder.
    ///
    /// # Errors
    /// Bad input; the folder holds another study; or the results cannot be written.
    pub fn work_for_set_up_study(
        &self,
        asked: &impl AskSetUp,
        folder: &Path,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<WorkReport, EngineError> {
        asked.lay_out(self.registry())?.work_for(folder, limits, control)
    }

    /// The current state of the study of a set-up in a folder, or its state when it last ran.
    ///
    /// # Errors
    /// Bad input; there is no study, or its status cannot be read.
    pub fn study_set_up_status(
        &self,
        asked: &impl AskSetUp,
        folder: &Path,
    ) -> Result<SetUpStudyReport, EngineError> {
        asked.lay_out(self.registry())?.study_status(folder)
    }
}
