//! Games without chance behind the common interface of all games.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use marquis_core::{
    ByPlayer, Game as _, Immobile, Indexed as _, Notation as _, Over, Player, Symmetric as _, TextError,
    Throw, Wish,
};
use marquis_proof::checker::{Foregone, Refusal};
use marquis_proof::hints::Hints;
use marquis_table::{Fingerprint, SlotFacts as PackingHints, TableFile};
use rand::SeedableRng;
use rand::rngs::SmallRng;

use crate::adapter::{Adapter, Boards, OnBoard, Position, Provable, SetUpDoor};
use crate::ask::balance::{self, Proving};
use crate::ask::promise::{ClaimedAnswer, Promised, clear_the_way};
use crate::ask::review::{Appraisal, Appraised};
use crate::ask::solve::Solver;
use crate::build::inspection::Inspection;
use crate::build::prepared::{PreparedBuild, Site};
use crate::build::run::Build;
use crate::build::scores::ScoreLayers;
use crate::error::Unsuited;
use crate::files::hint_files;
use crate::files::layer::fingerprint;
use crate::files::proof::AboutProof;
use crate::game::about::About;
use crate::game::exact::{ExactGame, read_position};
use crate::game::judge::Judge;
use crate::game::set_ups::{SetUp, SetUps};
use crate::game::shelf::shelves;
use crate::game::tabled::LayerOf;
use crate::knowledge::asking::Asking;
use crate::knowledge::book::{Booked, ResultsOf};
use crate::knowledge::known::Known;
use crate::knowledge::proofs::{self, AnyProof, Shown};
use crate::knowledge::sources::Knowledge;
use crate::knowledge::tables::Shelved;
use crate::query::{
    Among, BalanceQuery, BuildQuery, DesignQuery, Detail, LaidOut, Opponent, Pie, StudyOptions, WrittenLayers,
};
use crate::study::{
    SetUpSubject, Subject, WorkPlace, set_up_status, study, study_set_up, work_for, work_for_set_up,
};
use crate::{Control, EngineError, Limits, Progress};
use marquis_wire::answer::{Advice, Answer, Balance};
use marquis_wire::book::BookEntry;
use marquis_wire::reports::{ClaimsReport, Drawing, Line, ListedMove, ProofFile};
use marquis_wire::study::{SetUpStudyReport, StudyReport, WorkReport};

/// The interface of a game without chance.
pub(crate) struct Exact<G>(pub(crate) Arc<dyn Judge<G>>);

impl<G: ExactGame> Adapter for Exact<G> {
    fn about(&self) -> About {
        G::about()
    }

    fn letters(&self) -> ByPlayer<char> {
        G::LETTERS
    }

    fn has_throws(&self) -> bool {
        false
    }

    fn set_ups(&self) -> Option<Box<dyn SetUpDoor>> {
        Some(Box::new(LaidOutBy::<G> { set_ups: G::set_ups()?, judge: Arc::clone(&self.0) }))
    }

    fn starter(&self) -> Option<BuildQuery> {
        G::starter()
    }

    fn throw(&self, _: u8) -> Result<Throw, EngineError> {
        Err(Unsuited::Throws(G::ID).into())
    }

    fn read(&self, text: &str, immobile: Immobile) -> Result<Arc<dyn Position>, TextError> {
        let (rules, position) = read_position::<G>(text, immobile)?;
        Ok(Arc::new(ExactPosition::<G> { rules, position, immobile, judge: Arc::clone(&self.0) }))
    }

    fn fingerprint(&self, variant: &str) -> Fingerprint {
        fingerprint(G::ID, variant, G::NUMBERING)
    }

    fn hints(&self, variant: &str, layer: &str) -> Option<PackingHints> {
        G::hints(variant, layer)
    }

    fn shelve(&self, files: Vec<Arc<TableFile>>, problems: &mut Vec<EngineError>) -> Shelved {
        Arc::new(shelves::<G>(files, problems))
    }

    fn book(&self, entries: &[Arc<BookEntry>], left_out: &mut Vec<String>) -> Booked {
        let (boards, problems) = ResultsOf::<G>::of(entries);
        left_out.extend(problems);
        Arc::new(boards)
    }

    fn prepare<'a>(
        &self,
        query: &BuildQuery,
        site: Site<'a>,
    ) -> Result<Box<dyn PreparedBuild + 'a>, EngineError> {
        let (index, wanted) = G::wanted(query)?;
        let layers = ScoreLayers::<G> { index, extent: query.extent };
        let is_told = |layer: &LayerOf<G>| layers.index.component(*layer).into_iter().any(G::is_implied);
        if query.extent == WrittenLayers::Half && !wanted.iter().any(is_told) {
            return Err(Unsuited::Half(G::ID).into());
        }
        Ok(Box::new(Build::new(layers, wanted, site)))
    }

    fn verify(&self, inspection: &mut Inspection<'_>) -> Result<(), EngineError> {
        inspection.game::<ScoreLayers<G>>()
    }
}

/// The interface of a game's set-ups.
struct LaidOutBy<G: ExactGame> {
    set_ups: &'static dyn SetUps<G>,
    judge: Arc<dyn Judge<G>>,
}

impl<G: ExactGame> SetUpDoor for LaidOutBy<G> {
    fn lay_out(&self, query: &BalanceQuery) -> Result<Arc<dyn OnBoard>, EngineError> {
        if query.pie == Pie::Marquisian && query.bait > 0 {
            let expected = "no bait with pie=marquisian; say pie=bait";
            return Err(TextError::fact("bait", expected, query.bait.to_string()).into());
        }
        let (set_ups, judge) = (self.set_ups, Arc::clone(&self.judge));
        Ok(Arc::new(ExactSetUp { set_ups, set_up: set_ups.parse(query)?, judge }))
    }

    fn designs<'a>(&self, query: &'a DesignQuery) -> Result<Boards<'a>, EngineError> {
        let set_ups = self.set_ups;
        query.kind.check()?;
        set_ups.check(&query.kind)?;
        let mut random = SmallRng::seed_from_u64(query.seed);
        Ok(Box::new(move || set_ups.random_board(&query.kind, &mut random)))
    }
}

/// A set-up of a game without chance.
struct ExactSetUp<G: ExactGame> {
    set_ups: &'static dyn SetUps<G>,
    set_up: SetUp<G>,
    judge: Arc<dyn Judge<G>>,
}

impl<G: ExactGame> ExactSetUp<G> {
    /// The set-up as the subject of a study.
    fn studied<'a>(&'a self, query: &'a BalanceQuery) -> SetUpSubject<'a, G> {
        SetUpSubject { set_up: &self.set_up, query, judge: self.judge.as_ref() }
    }
}

/// The proof files that the book names for the board of these rules.
fn proof_files<G: ExactGame>(known: &Known, rules: &G::Rules) -> Vec<String> {
    let board = known.book::<G>().and_then(|boards| boards.about(rules));
    board.map_or_else(Vec::new, |board| board.files().to_vec())
}

impl<G: ExactGame> OnBoard for ExactSetUp<G> {
    fn laid_out(&self) -> &LaidOut {
        &self.set_up.laid_out
    }

    fn proof_files(&self, known: &Known) -> Vec<String> {
        proof_files::<G>(known, &self.set_up.rules)
    }

    fn balance(
        &self,
        asking: Asking<'_>,
        query: &BalanceQuery,
        proving: Proving<'_>,
    ) -> Result<Balance, EngineError> {
        let Self { set_ups, set_up, judge } = self;
        let Asking { known, limits, control } = asking;
        let knowledge = Knowledge::<G>::of(known, &set_up.rules);
        let judge = judge.as_ref();
        let solver = Solver { game: &set_up.rules, knowledge: &knowledge, judge, limits, control };
        let balance = balance::weigh(known, solver, (*set_ups, set_up), query, proving)?;
        Ok(balance.response(&set_up.rules, &set_up.laid_out, query.pie))
    }

    fn study(
        &self,
        query: &BalanceQuery,
        options: &StudyOptions,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(SetUpStudyReport, Option<ProofFile>), EngineError> {
        study_set_up(&self.studied(query), options, limits, control)
    }

    fn work_for(
        &self,
        query: &BalanceQuery,
        folder: &Path,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<WorkReport, EngineError> {
        work_for_set_up(&self.studied(query), folder, limits, control)
    }

    fn study_status(&self, query: &BalanceQuery, folder: &Path) -> Result<SetUpStudyReport, EngineError> {
        set_up_status::<G>(&self.set_up.laid_out, query, folder)
    }
}

/// A position and its rules.
pub(crate) struct ExactPosition<G: ExactGame> {
    rules: G::Rules,
    position: G::Position,
    immobile: Immobile,
    judge: Arc<dyn Judge<G>>,
}

impl<G: ExactGame> std::fmt::Debug for ExactPosition<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", G::ID, self.text())
    }
}

impl<G: ExactGame> ExactPosition<G> {
    /// The position as the subject of a study.
    fn studied(&self) -> Subject<'_, G> {
        let (game, position, immobile) = (&self.rules, &self.position, self.immobile);
        Subject { game, position, immobile, judge: self.judge.as_ref() }
    }

    /// The legal moves; none if the game is over.
    fn legal(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.rules.over(&self.position).is_none() {
            self.rules.moves(&self.position, &mut moves);
        }
        moves
    }

    /// The position after a legal move.
    fn played(&self, mv: G::Move) -> Arc<dyn Position> {
        Arc::new(Self {
            rules: self.rules.clone(),
            position: self.rules.play(&self.position, mv),
            immobile: self.immobile,
            judge: Arc::clone(&self.judge),
        })
    }

    /// Calls `ask` with a solver that has all knowledge about these rules.
    fn ask<T>(
        &self,
        Asking { known, limits, control }: Asking<'_>,
        ask: impl FnOnce(Solver<'_, G>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let knowledge = Knowledge::<G>::of(known, &self.rules);
        ask(Solver { game: &self.rules, knowledge: &knowledge, judge: self.judge.as_ref(), limits, control })
    }
}

impl<G: ExactGame> Position for ExactPosition<G> {
    fn text(&self) -> String {
        self.rules.position_text(&self.position)
    }

    fn normal(&self) -> String {
        self.rules.position_text(&self.rules.canonical(&self.position))
    }

    fn images(&self) -> Vec<String> {
        let image = |number| self.rules.position_text(&self.rules.image(&self.position, number));
        (0..self.rules.images()).map(image).collect()
    }

    fn cells(&self) -> Vec<Vec<String>> {
        G::cells(&self.rules)
    }

    fn turn(&self) -> Player {
        self.rules.turn(&self.position)
    }

    fn over(&self) -> Option<Over> {
        self.rules.over(&self.position)
    }

    fn target(&self) -> Option<u16> {
        G::target(&self.rules)
    }

    fn play(&self, mv: &str) -> Result<Arc<dyn Position>, TextError> {
        let mv = self.rules.parse_move(&self.position, mv)?;
        Ok(self.played(mv))
    }

    fn play_any(&self, pick: &mut dyn FnMut(usize) -> usize) -> Option<Arc<dyn Position>> {
        let moves = self.legal();
        (!moves.is_empty()).then(|| self.played(moves[pick(moves.len())]))
    }

    fn draw(&self) -> Drawing {
        let (rows, mut notes) = G::draw(&self.rules, &self.position);
        let turn = self.rules.turn(&self.position);
        let (colour, letter) = (G::about().colours[turn], G::LETTERS[turn]);
        notes.insert(0, format!("{colour} ({letter}) to move"));
        Drawing { rows, notes }
    }

    fn moves(&self, _: Option<Throw>) -> Vec<ListedMove> {
        let list = |mv| ListedMove {
            throw: None,
            mv: self.rules.move_text(&self.position, mv),
            position: self.rules.position_text(&self.rules.play(&self.position, mv)),
        };
        self.legal().into_iter().map(list).collect()
    }

    fn why_not(&self, wish: Wish<'_>, _: Option<Throw>) -> Result<Option<String>, TextError> {
        self.rules.why_not(&self.position, wish)
    }

    fn solve(&self, asking: Asking<'_>, _: Option<Throw>) -> Result<Answer, EngineError> {
        let solution = self.ask(asking, |solver| solver.answer(&self.position))?;
        Ok(Answer::Exact(solution.response(&self.rules)))
    }

    fn advise(
        &self,
        asking: Asking<'_>,
        _: Option<Throw>,
        opponent: Opponent,
    ) -> Result<Advice, EngineError> {
        let (chosen, solution) = self.ask(asking, |solver| solver.advise(&self.position, opponent))?;
        Ok(Advice {
            mv: chosen.text,
            throw: None,
            position: self.rules.position_text(&chosen.after),
            over: self.rules.over(&chosen.after).map(|over| over.reason.name().to_owned()),
            answer: Answer::Exact(solution.response(&self.rules)),
        })
    }

    fn probe(&self, asking: Asking<'_>, _: Option<Throw>, detail: Detail) -> Result<Answer, EngineError> {
        let answer = self.ask(asking, |solver| solver.looked_up(&self.position, detail));
        Ok(Answer::Exact(answer?.response(&self.rules)))
    }

    fn appraise(&self, asking: Asking<'_>, _: Option<u8>) -> Result<Appraisal, EngineError> {
        let (answer, line) = self.ask(asking, |solver| solver.answer_with_line(self.position))?;
        Ok(Appraisal::Exact(Appraised::of(&self.rules, &answer, &line)))
    }

    fn provable(&self) -> Option<&dyn Provable> {
        Some(self)
    }
}

impl<G: ExactGame> Provable for ExactPosition<G> {
    fn perft(&self, depth: u32, limits: &Limits, control: &Control<'_>) -> Result<Vec<u64>, EngineError> {
        let mut counts = Vec::new();
        let deadline = limits.deadline(control);
        let is_over = |left| control.stopped() || left >= PLIES_BETWEEN_LOOKS && control.is_past(deadline);
        for plies in 1..=depth {
            let Some(count) = leaves(&self.rules, &self.position, plies, &is_over) else { break };
            counts.push(count);
            let phase = format!("perft {plies}");
            control.tell(&Progress { phase, done: counts.iter().sum(), total: None, bounds: None });
        }
        Ok(counts)
    }

    fn solve_with_proof(&self, asking: Asking<'_>, file: &Path) -> Result<(Answer, ProofFile), EngineError> {
        let Asking { known, limits, control } = asking;
        clear_the_way(file);
        let knowledge = Knowledge::<G>::of(known, &self.rules).for_proof();
        let judge = self.judge.as_ref();
        let solver = Solver { game: &self.rules, knowledge: &knowledge, judge, limits, control };
        let (answer, strategies) = solver.answer_with_strategies(&self.position)?;
        let claims = vec![Promised { position: self.position, said: answer.verdict.bounds, strategies }];
        let about = AboutProof { immobile: self.immobile, balance: None };
        let kept = ClaimedAnswer { game: &self.rules, about, claims }.keep(file);
        Ok((Answer::Exact(answer.response(&self.rules)), kept))
    }

    fn line(&self, asking: Asking<'_>) -> Result<Line, EngineError> {
        let line = self.ask(asking, |solver| solver.line(self.position))?;
        Ok(line.response(&self.rules))
    }

    fn solve_with_line(&self, asking: Asking<'_>) -> Result<(Answer, Line), EngineError> {
        let (answer, line) = self.ask(asking, |solver| solver.answer_with_line(self.position))?;
        Ok((Answer::Exact(answer.response(&self.rules)), line.response(&self.rules)))
    }

    fn claims(&self, asking: Asking<'_>, among: Among) -> Result<ClaimsReport, EngineError> {
        self.ask(asking, |solver| solver.claims(&self.position, among))
    }

    fn study(
        &self,
        options: &StudyOptions,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(StudyReport, Option<ProofFile>), EngineError> {
        study(&self.studied(), options, limits, control)
    }

    fn work_for(
        &self,
        place: WorkPlace<'_>,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<WorkReport, EngineError> {
        work_for(&self.studied(), place, limits, control)
    }

    fn proof_files(&self, known: &Known) -> Vec<String> {
        proof_files::<G>(known, &self.rules)
    }

    fn replay(
        &self,
        strategies: &[Vec<u8>],
        foregone: Foregone,
        limits: &Limits,
    ) -> Result<Shown, EngineError> {
        let replayed = proofs::replay(&self.rules, &self.position, strategies, (foregone, limits));
        replayed.map_err(|refusal| refused(&refusal, "allow more with --memory or --disk"))
    }

    fn write_hints(
        &self,
        strategies: &[Vec<u8>],
        out: &mut dyn Write,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(), EngineError> {
        let memory = usize::try_from(limits.memory_bytes()).unwrap_or(usize::MAX);
        for bytes in strategies {
            let hints = Hints::of(&self.rules, &self.position, bytes, memory, &|| control.stopped());
            let hints = hints.map_err(|refusal| refused(&refusal, "allow more with --memory"))?;
            hint_files::write(&self.rules, &self.position, &hints, G::LETTERS, out, control)?;
        }
        Ok(())
    }

    fn explore(&self, known: Option<&Known>, strategies: &[Vec<u8>]) -> Result<Vec<AnyProof>, String> {
        let (game, position) = (&self.rules, &self.position);
        let tables = known.map(|known| Knowledge::<G>::of(known, game));
        let explored = proofs::explored::<G>(game, position, strategies, &tables.as_ref());
        explored.map_err(|refusal| refusal.to_string())
    }
}

/// The error of a replay that was refused.
///
/// * `advice`: what helps if it was for lack of memory or disk.
fn refused(refusal: &Refusal, advice: &str) -> EngineError {
    match refusal {
        Refusal::Stopped { .. } => EngineError::Interrupted,
        Refusal::Room { .. } => EngineError::LimitReached(format!("{refusal}; {advice}")),
        _ => EngineError::Refuted(refusal.to_string()),
    }
}

/// The clock is not checked for the last plies of a count, because that takes longer than to count them.
const PLIES_BETWEEN_LOOKS: u32 = 2;

/// The number of positions after a number of plies; `None` if it was interrupted.
///
/// * `is_over`: called with the remaining plies; returns whether to stop.
fn leaves<G: marquis_core::Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    is_over: &impl Fn(u32) -> bool,
) -> Option<u64> {
    if depth == 0 || game.over(position).is_some() {
        return Some(1);
    }
    if is_over(depth) {
        return None;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves.into_iter().map(|mv| leaves(game, &game.play(position, mv), depth - 1, is_over)).sum()
}
