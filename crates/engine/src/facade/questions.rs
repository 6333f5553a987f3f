//! Queries about one position, and about tables and proofs.

use std::path::Path;
use std::sync::Arc;

use marquis_table::BlockCache;
use web_time::Duration;

use super::Engine;
use crate::adapter::Posed;
use crate::build::inspection::Inspection;
use crate::build::layered::CheckSettings;
use crate::error::Unsuited;
use crate::files::store::{folder_of, open_store};
use crate::knowledge::asking::Asking;
use crate::proof_files::{read, refuted};
use crate::query::{Among, ClaimsQuery, Detail, Opponent, Query, StudyOptions};
use crate::registry::Ask;
use crate::study::{WorkPlace, study_status_of};
use crate::threads::in_pool;
use crate::{Control, EngineError, Limits};
use marquis_wire::answer::{Advice, Answer, ChosenMove};
use marquis_wire::reports::{ClaimsReport, Line, ProofFile, VerifyReport};
use marquis_wire::study::{StudyReport, WorkReport};

/// The limits of a query that is answered at once.
const NO_TIME: Limits = Limits { time: Some(Duration::ZERO), ..Limits::NONE };
/// The memory for decoded blocks during a verification.
const CACHE_BYTES: usize = 16 << 20;

impl Engine {
    /// The answer about a position: proved by rules, a table, an exhaustive solution or a search, or unknown with
    /// bounds if a limit is reached first.
    ///
    /// # Errors
    /// Bad input, or a table that cannot be read.
    pub fn solve(
        &self,
        asked: &impl Ask,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<Answer, EngineError> {
        let posed = self.posed(asked)?;
        posed.position().solve(self.asking(limits, control), posed.throw())
    }

    /// The move of a player of some level: at the highest level by proved results, or else by a search that takes the
    /// whole limit; at the others by a separate search.
    ///
    /// * `limits`: about a fifth of a second by default.
    ///
    /// # Errors
    /// Bad input, a game that is over, a throw that is missing, or a table that cannot be read.
    pub fn advise(
        &self,
        asked: &impl Ask,
        opponent: Opponent,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<Advice, EngineError> {
        let posed = self.posed(asked)?;
        posed.position().advise(self.asking(limits, control), posed.throw(), opponent)
    }

    /// The answer, and the move of a player of some level with its worth; no move if the game is over.
    ///
    /// # Errors
    /// As [`Engine::advise`] for a game that is not over.
    pub fn choose(
        &self,
        asked: &impl Ask,
        opponent: Opponent,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(Answer, Option<ChosenMove>), EngineError> {
        let posed = asked.pose(self.registry())?;
        if posed.over().is_some() {
            return Ok((self.probe_now(&posed)?, None));
        }
        let (answer, chosen) = self.advise(&posed, opponent, limits, control)?.parts();
        Ok((answer, Some(chosen)))
    }

    /// The same answer with its proof written to a file, and the outcome of that.
    ///
    /// An older file under this name is removed before the search, so that a file found afterwards belongs to this
    /// answer. The strategies come from the rules, from tables, from an exhaustive solution or from the search; each
    /// is replayed by the rules alone.
    ///
    /// # Errors
    /// As [`Engine::solve`]; a game with throws has no proof files. A file that cannot be written, or proves less
    /// than the answer says, is not an error: the second result reports it.
    pub fn solve_with_proof(
        &self,
        asked: &impl Ask,
        limits: &Limits,
        control: &Control<'_>,
        file: &Path,
    ) -> Result<(Answer, ProofFile), EngineError> {
        let posed = asked.pose(self.registry())?;
        posed.provable(Unsuited::ProofFile)?.solve_with_proof(self.asking(limits, control), file)
    }

    /// Resumes or starts the study of a position in a folder: a proof that may take days, kept job by job.
    ///
    /// Tables and loaded proofs are not used, so that the proof can be replayed by the rules alone.
    ///
    /// * Second result: the outcome of the proof file, if one was requested.
    ///
    /// # Errors
    /// Bad input; a game with throws; a folder that holds something else, is damaged, locked or cannot be written.
    pub fn study(
        &self,
        asked: &impl Ask,
        options: &StudyOptions,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(StudyReport, Option<ProofFile>), EngineError> {
        asked.pose(self.registry())?.provable(Unsuited::Study)?.study(options, limits, control)
    }

    /// Does jobs for the study of a position that another process, perhaps on another machine, keeps.
    ///
    /// # Errors
    /// Bad input; a game with throws; the place has another study; or the results cannot be delivered.
    pub fn work_for_study(
        &self,
        asked: &impl Ask,
        place: WorkPlace<'_>,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<WorkReport, EngineError> {
        asked.pose(self.registry())?.provable(Unsuited::Study)?.work_for(place, limits, control)
    }

    /// The current state of the study of a position in a folder, or its state when it last ran.
    ///
    /// # Errors
    /// Bad input; there is no study, or another one, or its status cannot be read.
    pub fn study_status(&self, asked: &impl Ask, folder: &Path) -> Result<StudyReport, EngineError> {
        let posed = asked.pose(self.registry())?;
        study_status_of(folder, posed.game(), &posed.text(), posed.immobile())
    }

    /// The knowledge about a position without a search, with static estimates for the rest; shipped proofs are opened
    /// for it.
    ///
    /// # Errors
    /// Bad input, or a table that cannot be read.
    pub fn probe(&self, asked: &impl Ask) -> Result<Answer, EngineError> {
        self.looked_up(asked, Detail::Moves, &Limits::default())
    }

    /// As [`Engine::probe`], with the proofs that are open already.
    /// Others are opened in the background, for later questions.
    ///
    /// # Errors
    /// As [`Engine::probe`].
    pub fn probe_now(&self, asked: &impl Ask) -> Result<Answer, EngineError> {
        self.looked_up(asked, Detail::Moves, &NO_TIME)
    }

    /// The answer of [`Engine::probe_now`] without its moves, for callers that need many values; throws have theirs
    /// without moves.
    ///
    /// # Errors
    /// Bad input, or a table that cannot be read.
    pub fn probe_value(&self, asked: &impl Ask) -> Result<Answer, EngineError> {
        self.looked_up(asked, Detail::Value, &NO_TIME)
    }

    /// The knowledge of the engine, for a question with these limits.
    pub(super) const fn asking<'a>(&'a self, limits: &'a Limits, control: &'a Control<'a>) -> Asking<'a> {
        Asking { known: &self.known, limits, control }
    }

    fn looked_up(&self, asked: &impl Ask, detail: Detail, limits: &Limits) -> Result<Answer, EngineError> {
        let posed = self.posed(asked)?;
        posed.position().probe(self.asking(limits, &Control::none()), posed.throw(), detail)
    }

    /// The position of a question; knowledge about the position before it is kept for the answer first.
    ///
    /// A game with throws keeps nothing of this kind.
    fn posed(&self, asked: &impl Ask) -> Result<Posed, EngineError> {
        let posed = asked.pose(self.registry())?;
        if let Some(before) = posed.before().filter(|before| !before.has_throws()) {
            before.probe(self.asking(&NO_TIME, &Control::none()), None, Detail::Moves)?;
        }
        Ok(posed)
    }

    /// The line in which both sides play a best move (the first of the answer) until the game is over.
    ///
    /// It ends early if the value is a draw, or if its plies are not proved.
    ///
    /// # Errors
    /// Bad input, a game with throws, or a table that cannot be read.
    pub fn line(
        &self,
        asked: &impl Ask,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<Line, EngineError> {
        self.posed(asked)?.provable(Unsuited::Line)?.line(self.asking(limits, control))
    }

    /// The answer and its best line, both from one solution, so that they never differ.
    ///
    /// The line is empty if no value is proved; it ends after a move whose plies nothing bounds.
    ///
    /// # Errors
    /// As [`Engine::line`].
    pub fn solve_with_line(
        &self,
        asked: &impl Ask,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(Answer, Line), EngineError> {
        self.posed(asked)?.provable(Unsuited::Line)?.solve_with_line(self.asking(limits, control))
    }

    /// Facts about all positions reachable from a position, and the designer's claims about the board.
    ///
    /// # Errors
    /// Bad input; a game with throws, which has no claims; more positions than the limits allow.
    pub fn claims(
        &self,
        query: &ClaimsQuery,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<ClaimsReport, EngineError> {
        let posed = self.registry().pose(&Query::new(query.game, query.position.clone()))?;
        let unsuited = match query.among {
            Among::Reachable => Unsuited::Claims,
            Among::Tables => Unsuited::ClaimsOfTables,
        };
        posed.provable(unsuited)?.claims(self.asking(limits, control), query.among)
    }

    /// Checks checksums, then entries against their successors.
    ///
    /// * `path`: a table or a folder of tables.
    /// * `sample`: check about this number of entries of each table instead of all.
    ///
    /// # Errors
    /// A folder that cannot be read, or a limit. The faults of tables are in the report.
    pub fn verify(
        &self,
        path: &Path,
        sample: Option<u64>,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<VerifyReport, EngineError> {
        let cache = Arc::new(BlockCache::new(CACHE_BYTES));
        let store = open_store(self.registry(), folder_of(path)?, &cache)?;
        let mut inspection = Inspection::begin(
            path,
            &store,
            CheckSettings { sample, deadline: limits.deadline(control), control },
        );
        in_pool(limits, || {
            for game in self.registry().games() {
                game.adapter().verify(&mut inspection)?;
            }
            inspection.concluded(path)
        })
    }

    /// Loads a proof file: from now on, positions inside it are answered without a search.
    ///
    /// The proof is replayed before it is believed, with the loaded tables if its lines end on them. Of many proofs
    /// the latest are kept, as many as [`EngineOptions::proof_bytes`](crate::EngineOptions) allows.
    ///
    /// # Errors
    /// The file cannot be read, is not a proof file, or its proof does not hold.
    pub fn load_proof(&self, file: &Path) -> Result<(), EngineError> {
        for (posed, strategies) in read(self.registry(), file)?.claims {
            let explored = posed.provable(Unsuited::ProofFile)?.explore(Some(&self.known), &strategies);
            let explored = explored.map_err(|refusal| refuted(file, &refusal))?;
            self.known.change_proofs(|proofs| proofs.extend(explored));
        }
        Ok(())
    }
}
