//! What can be asked about one position, and about tables and proofs.

use std::path::Path;
use std::sync::Arc;

use marquis_table::BlockCache;
use web_time::Duration;

use super::Engine;
use crate::adapter::Posed;
use crate::files::store::{folder_of, open_store};
use crate::make::inspection::Inspection;
use crate::make::layered::Look;
use crate::proof_files::{read, refuted};
use crate::query::{ClaimsQuery, Detail, Opponent, Query, StudyOptions};
use crate::registry::Ask;
use crate::study::study_status_of;
use crate::threads::in_pool;
use crate::wire::answer::{Advice, Answer};
use crate::wire::reports::{ClaimsReport, Line, ProofFile, VerifyReport};
use crate::wire::study::{StudyReport, WorkReport};
use crate::{Control, EngineError, Limits};

/// Of a question that is answered at once.
const NO_TIME: Limits = Limits { time: Some(Duration::ZERO), ..Limits::NONE };
/// Blocks of decoded cells that a verification keeps.
const CACHE_BYTES: usize = 16 << 20;

impl Engine {
    /// The answer about a position: proved by rules, a table, an exhaustive solution or a search, or
    /// unknown with bounds when a limit is reached first.
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
        posed.position().solve(&self.known, posed.throw(), limits, control)
    }

    /// A move as a player of some level makes it: the highest one by what is known, or else by a look ahead that takes
    /// the whole limit; the others by a look ahead of their own.
    ///
    /// * `limits`: a fifth of a second or so where nothing is said.
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
        posed.position().advise(&self.known, posed.throw(), opponent, limits, control)
    }

    /// The same answer, its proof written to a file, and what became of that.
    ///
    /// An older file under this name is taken away before anything is searched: what is there afterwards is of this
    /// answer. The strategies come from the rules, from tables, from an exhaustive solution or from the search; each is
    /// replayed by the rules alone.
    ///
    /// # Errors
    /// As [`Engine::solve`]; a game with throws has no proof files. A file that cannot be written, or proves less than
    /// the answer says, is no error: the second result says so.
    pub fn solve_with_proof(
        &self,
        asked: &impl Ask,
        limits: &Limits,
        control: &Control<'_>,
        file: &Path,
    ) -> Result<(Answer, ProofFile), EngineError> {
        asked.pose(self.registry())?.position().solve_with_proof(&self.known, limits, control, file)
    }

    /// Goes on with the study of a position in a folder, or begins it: a proof that may take days, kept job by job.
    ///
    /// Tables and loaded proofs are not used, so that the rules alone replay what comes of it.
    ///
    /// * Second result: what became of the proof file, where one was asked for.
    ///
    /// # Errors
    /// Bad input; a game with throws; a folder that holds something else, is damaged, taken or cannot be written.
    pub fn study(
        &self,
        asked: &impl Ask,
        options: &StudyOptions,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(StudyReport, Option<ProofFile>), EngineError> {
        asked.pose(self.registry())?.position().study(options, limits, control)
    }

    /// Does jobs for the study of a position that another process keeps in a folder, which may be on another machine.
    ///
    /// # Errors
    /// Bad input; a game with throws; the folder holds another study; what was found cannot be written.
    pub fn work_for_study(
        &self,
        asked: &impl Ask,
        folder: &Path,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<WorkReport, EngineError> {
        asked.pose(self.registry())?.position().work_for(folder, limits, control)
    }

    /// Where the study of a position in a folder stands, or stood when it was last at work.
    ///
    /// # Errors
    /// Bad input; there is no study, or another one, or what it says cannot be read.
    pub fn study_status(&self, asked: &impl Ask, folder: &Path) -> Result<StudyReport, EngineError> {
        let posed = asked.pose(self.registry())?;
        study_status_of(folder, posed.game(), &posed.text(), posed.immobile())
    }

    /// What is known without a search, with estimates at first sight for the rest; proofs that come with the program are
    /// opened for it.
    ///
    /// # Errors
    /// Bad input, or a table that cannot be read.
    pub fn probe(&self, asked: &impl Ask) -> Result<Answer, EngineError> {
        self.looked_up(asked, Detail::Moves, &Limits::default())
    }

    /// The same by the proofs that are open; those that are wanted are opened meanwhile, for later questions.
    ///
    /// # Errors
    /// As [`Engine::probe`].
    pub fn probe_now(&self, asked: &impl Ask) -> Result<Answer, EngineError> {
        self.looked_up(asked, Detail::Moves, &NO_TIME)
    }

    /// The answer of [`Engine::probe_now`] without its moves, for those who want to know many values; throws have theirs
    /// without moves.
    ///
    /// # Errors
    /// Bad input, or a table that cannot be read.
    pub fn probe_value(&self, asked: &impl Ask) -> Result<Answer, EngineError> {
        self.looked_up(asked, Detail::Value, &NO_TIME)
    }

    fn looked_up(&self, asked: &impl Ask, detail: Detail, limits: &Limits) -> Result<Answer, EngineError> {
        let posed = self.posed(asked)?;
        posed.position().probe(&self.known, posed.throw(), detail, limits)
    }

    /// The position of a question; knowledge about the position before it is kept for the answer first.
    ///
    /// A game with throws keeps nothing of this kind.
    fn posed(&self, asked: &impl Ask) -> Result<Posed, EngineError> {
        let posed = asked.pose(self.registry())?;
        if let Some(before) = posed.before().filter(|before| !before.has_throws()) {
            before.probe(&self.known, None, Detail::Moves, &NO_TIME)?;
        }
        Ok(posed)
    }

    /// The line in which both sides play a best move (the first of the answer) until the game is over.
    ///
    /// It ends early where the value is a draw or is not proved with its plies.
    ///
    /// # Errors
    /// Bad input, a game with throws, or a table that cannot be read.
    pub fn line(
        &self,
        asked: &impl Ask,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<Line, EngineError> {
        self.posed(asked)?.position().line(&self.known, limits, control)
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
        self.posed(asked)?.position().solve_with_line(&self.known, limits, control)
    }

    /// What holds of everything reachable from a position, and the designer's claims about the board.
    ///
    /// # Errors
    /// Bad input; a game with throws, for which nothing is claimed; more positions than the limits allow.
    pub fn claims(
        &self,
        query: &ClaimsQuery,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<ClaimsReport, EngineError> {
        let posed = self.registry().pose(&Query::new(query.game, query.position.clone()))?;
        posed.position().claims(&self.known, query.among, limits, control)
    }

    /// Checks checksums, then entries against their successors.
    ///
    /// * `path`: a table or a folder of tables.
    /// * `sample`: check about so many entries of each table instead of all.
    ///
    /// # Errors
    /// A folder that cannot be read, or a limit. What is wrong with a table is a fault of the report.
    pub fn verify(
        &self,
        path: &Path,
        sample: Option<u64>,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<VerifyReport, EngineError> {
        let cache = Arc::new(BlockCache::new(CACHE_BYTES));
        let store = open_store(self.registry(), folder_of(path)?, &cache)?;
        let mut inspection =
            Inspection::begin(path, &store, Look { sample, deadline: limits.deadline(control), control });
        in_pool(limits, || {
            for game in self.registry().games() {
                game.adapter().verify(&mut inspection)?;
            }
            inspection.concluded(path)
        })
    }

    /// Takes up a proof file: from now on positions inside it are answered without a search.
    ///
    /// The proof is replayed before it is believed, with the loaded tables where its lines end on them. Of
    /// many proofs the latest are kept, as many as [`EngineOptions::proof_bytes`](crate::EngineOptions) allows.
    ///
    /// # Errors
    /// The file cannot be read, is no proof file, or its proof does not hold.
    pub fn load_proof(&self, file: &Path) -> Result<(), EngineError> {
        for (posed, strategies) in read(self.registry(), file)?.claims {
            let explored = posed.position().explore(Some(&self.known), &strategies);
            let explored = explored.map_err(|refusal| refuted(file, &refusal))?;
            self.known.change_proofs(|proofs| proofs.extend(explored));
        }
        Ok(())
    }
}
