//! A study of one position: loaded from its folder, searched, and assembled into a proof.

use std::path::Path;
use web_time::Instant;

use marquis_core::{Bounds, Game as _, Notation as _, Player, Value};
use marquis_proof::checker::Refusal;
use marquis_proof::{Guarantee, ProofSearch, Strategy};
use marquis_study::{Finished, Outlined, RunLimits, Standing, Tree, Unassembled, assemble, run};

use super::folder_source::{FolderSource, WorkRequest};
use super::job_folder::JobFolder;
use super::job_source::WorkPlace;
use super::outline::{self, TreeFile};
use super::remote_workers::RemoteWorkers;
use super::status::{StatusWriter, now};
use super::store::StudyStore;
use super::subject::Subject;
use super::work::{Trade, work};
use crate::ask::hints::SearchHints;
use crate::ask::memory::{job_settings, scratch_disk, search_bytes};
use crate::ask::promise::{ClaimedAnswer, Promised, clear_the_way};
use crate::error::FileError;
use crate::files::lease::Lease;
use crate::files::proof::AboutProof;
use crate::game::exact::ExactGame;
use crate::knowledge::sources::Knowledge;
use crate::query::StudyOptions;
use crate::{Control, EngineError, Limits, Progress};
use marquis_wire::MemorySize;
use marquis_wire::ending::SearchEnd;
use marquis_wire::reports::ProofFile;
use marquis_wire::study::{RootMoves, StudyReport, StudyTree, WorkReport};

/// Resumes or starts the study of a position.
///
/// Only results that the checker has replayed by the rules alone, from the first position, are claimed.
///
/// # Errors
/// The folder holds another study, is damaged or cannot be written; or the results of the jobs do not hold as a
/// whole.
pub(crate) fn study<G: ExactGame>(
    asked: &Subject<'_, G>,
    options: &StudyOptions,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<(StudyReport, Option<ProofFile>), EngineError> {
    let doing = format!("study {} {}", G::ID, asked.game.position_text(asked.position));
    let _lease = Lease::of_folder(&options.folder, &doing)?;
    if let Some(file) = &options.proof {
        clear_the_way(file);
    }
    let Studied { report, bounds, strategies, .. } = studied(asked, options, limits, control)?;
    let kept = options.proof.as_ref().map(|file| {
        let claims = vec![Promised { position: *asked.position, said: bounds, strategies }];
        let about = AboutProof { immobile: asked.immobile, balance: None };
        ClaimedAnswer { game: asked.game, about, claims }.keep(file)
    });
    Ok((report, kept))
}

/// Does jobs for the study of a position that another process keeps.
///
/// # Errors
/// The place has another study; or the results cannot be delivered.
pub(crate) fn work_for<G: ExactGame>(
    asked: &Subject<'_, G>,
    place: WorkPlace<'_>,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<WorkReport, EngineError> {
    let &Subject { game, immobile, judge, .. } = asked;
    let (trade, about) = (Trade { game, immobile, judge }, asked.head());
    match place {
        WorkPlace::Folder(folder) => {
            let wanted = [WorkRequest { about, jobs: JobFolder::of(folder) }];
            work(&trade, &|| Box::new(FolderSource::new(&wanted)), limits, control)
        }
        WorkPlace::Service(server) => work(&trade, &|| server.connect(&about), limits, control),
    }
}

/// The result of a run of a study.
pub(crate) struct Studied<G: ExactGame> {
    pub(crate) report: StudyReport,
    /// The bounds by the strategies or the rules.
    pub(crate) bounds: Bounds,
    pub(crate) strategies: Vec<Strategy<G::Rules>>,
    pub(crate) finished: Finished,
}

/// Resumes or starts a study in its folder, and assembles the proof.
///
/// # Errors
/// As [`study`].
pub(crate) fn studied<G: ExactGame>(
    asked: &Subject<'_, G>,
    options: &StudyOptions,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<Studied<G>, EngineError> {
    let folder = options.folder.as_path();
    let teller = Teller { asked, folder, memory: search_bytes(limits), begun: Instant::now() };
    let mut status = StatusWriter::of(folder);
    let (tree, store, finished, standing) = worked(&teller, &mut status, options, limits, control)?;
    let strategies = strategies(&tree, &store, folder, control)?;
    let bounds = strategies.iter().map(|strategy| strategy.bounds(asked.game));
    let over = asked.game.over(asked.position).is_some();
    let bounds = bounds.fold(if over { tree.bounds() } else { Bounds::UNKNOWN }, Bounds::and);
    let report = teller.report(&standing, bounds, Some(finished));
    status.write(&report);
    Ok(Studied { report, bounds, strategies, finished })
}

/// A study after a run: its tree, its store, why the run ended, and its state.
type Worked<'a, R> = (Tree<'a, R>, StudyStore, Finished, Standing);

/// The tree gets this fraction of the memory: one part in `TREE_SHARE`.
const TREE_SHARE: u64 = 4;

/// Loads a study from its folder, and works on it until it is done or a limit is reached.
fn worked<'a, G: ExactGame>(
    teller: &Teller<'a, G>,
    status: &mut StatusWriter,
    options: &StudyOptions,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<Worked<'a, G::Rules>, EngineError> {
    let (asked, deadline, threads) = (teller.asked, limits.deadline(control), limits.threads_allowed());
    let mut tree = Tree::new(asked.game, *asked.position);
    let applied = |event: &_| tree.apply(event).map_err(|why| why.to_string());
    let store = StudyStore::open(teller.folder, &asked.head(), applied)?;
    let of_tree = search_bytes(limits) / TREE_SHARE;
    let of_search = MemorySize(search_bytes(limits) - of_tree);
    let settings = job_settings(&Limits { memory: Some(of_search), ..*limits });
    let (hints, disk) = (SearchHints::new(asked.game, asked.judge), scratch_disk(limits));
    let search = ProofSearch::with_knowledge(asked.game, &None::<&Knowledge<'_, G>>, &hints, settings);
    let search = search.with_disk_if_any(disk.as_ref());
    let bounds_of_run = RunLimits {
        threads,
        job_nodes: options.job_nodes.get(),
        nodes: limits.nodes,
        tree_bytes: usize::try_from(of_tree).unwrap_or(usize::MAX),
        deadline,
        stop: control.flag(),
    };
    let (mut last, mut tree_file) = (Standing::of(&tree), TreeFile::of(teller.folder));
    let remote = RemoteWorkers::open(asked, JobFolder::of(teller.folder), options.lease)?;
    let ran = run(tree, store, &search, bounds_of_run, &remote, |standing, outline| {
        control.tell(&teller.progress(standing));
        if status.is_due() {
            status.write(&teller.report(standing, standing.bounds, None));
        }
        if tree_file.is_due() {
            tree_file.write(|| teller.outline(standing.positions, &outline(outline::MOST)));
        }
        last = standing.clone();
    });
    remote.close(matches!(ran, Ok((.., Finished::Answered))));
    let (tree, store, finished) = ran?;
    tree_file.write(|| teller.outline(tree.positions(), &tree.outline(outline::MOST)));
    Ok((tree, store, finished, last))
}

/// The claims of a study, and the players that they are for, by the bounds of its tree.
fn promises(bounds: Bounds, turn: Player) -> Vec<(Player, Guarantee)> {
    let other = turn.opponent();
    match (bounds.worst, bounds.best) {
        (Value::Win, _) => vec![(turn, Guarantee::Win)],
        (_, Value::Loss) => vec![(other, Guarantee::Win)],
        (Value::Draw, Value::Draw) => vec![(turn, Guarantee::NeverLose), (other, Guarantee::NeverLose)],
        (Value::Draw, Value::Win) => vec![(turn, Guarantee::NeverLose)],
        (Value::Loss, Value::Draw) => vec![(other, Guarantee::NeverLose)],
        (Value::Loss, Value::Win) => Vec::new(),
    }
}

/// The strategies that prove the claims of the tree, each replayed.
fn strategies<G: marquis_core::Hashed>(
    tree: &Tree<'_, G>,
    store: &StudyStore,
    folder: &Path,
    control: &Control<'_>,
) -> Result<Vec<Strategy<G>>, EngineError> {
    if tree.game().over(tree.root()).is_some() {
        return Ok(Vec::new());
    }
    let turn = tree.game().turn(tree.root());
    // After an interruption, the small part that is proved of an open position is still assembled.
    let was_stopped = control.stopped();
    let stop = || !was_stopped && control.stopped();
    let assembled = promises(tree.bounds(), turn).into_iter().map(|promise| {
        assemble(tree, store, promise, &stop).map_err(|why| match why {
            Unassembled::Journal(error) => error,
            Unassembled::Refused(Refusal::Stopped { .. }) => EngineError::Interrupted,
            why => {
                let expected = "a study whose proofs hold together";
                let advice = "its answer is not claimed; start again in another folder";
                FileError::unexpected(folder, expected, why, advice).into()
            }
        })
    });
    assembled.collect()
}

/// Reports the state of a study.
struct Teller<'a, G: ExactGame> {
    asked: &'a Subject<'a, G>,
    folder: &'a Path,
    /// The memory of the study, in bytes.
    memory: u64,
    begun: Instant,
}

impl<G: ExactGame> Teller<'_, G> {
    /// The texts of the moves of a line.
    fn line(&self, numbers: &[u16]) -> Vec<String> {
        let (game, mut position) = (self.asked.game, *self.asked.position);
        let mut texts = Vec::new();
        for &number in numbers {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            let Some(&mv) = moves.get(usize::from(number)) else { break };
            texts.push(game.move_text(&position, mv));
            position = game.play(&position, mv);
        }
        texts
    }

    fn outline(&self, all: usize, outline: &[Outlined<G::Position>]) -> StudyTree {
        outline::tree_of::<G>(self.asked.game, self.asked.immobile, all, outline)
    }

    fn progress(&self, standing: &Standing) -> Progress {
        let (decided, all) = standing.root_moves;
        let moves = if all > 0 { format!(", {decided} of {all} moves decided") } else { String::new() };
        let line = self.line(&standing.line);
        let line = if line.is_empty() { String::new() } else { format!(", at {}", line.join(" ")) };
        let others = standing.others;
        let others = if others > 0 { format!(", {others} threads of others") } else { String::new() };
        let (jobs, positions) = (standing.jobs, standing.positions);
        Progress {
            phase: format!("study: {jobs} jobs, {positions} positions in the tree{moves}{others}{line}"),
            done: standing.nodes,
            total: None,
            bounds: Some(standing.bounds),
        }
    }

    /// * `bounds`: the bounds of the position to report.
    fn report(&self, standing: &Standing, bounds: Bounds, finished: Option<Finished>) -> StudyReport {
        let Subject { game, position, .. } = *self.asked;
        let proof = match bounds {
            _ if game.over(position).is_some() => "rules",
            Bounds::UNKNOWN => "none",
            _ => "search",
        };
        let (decided, all) = standing.root_moves;
        StudyReport {
            game: G::ID.name().to_owned(),
            position: game.position_text(position),
            immobile: Some(self.asked.immobile.name().to_owned()),
            turn: G::LETTERS[game.turn(position)].to_string(),
            value: bounds.value(),
            bounds,
            proof: proof.to_owned(),
            ended: finished.map(ended),
            state: Some(self.folder.display().to_string()),
            jobs: standing.jobs,
            nodes: standing.nodes,
            positions: standing.positions as u64,
            others: standing.others as u64,
            tree_bytes: standing.bytes as u64,
            try_memory: (finished == Some(Finished::Memory)).then(|| self.memory.saturating_mul(2)),
            root_moves: (all > 0).then_some(RootMoves { decided: decided as u64, all: all as u64 }),
            line: self.line(&standing.line),
            seconds: self.begun.elapsed().as_secs_f64(),
            written: now(),
        }
    }
}

pub(super) const fn ended(finished: Finished) -> SearchEnd {
    match finished {
        Finished::Answered => SearchEnd::Answered,
        Finished::Nodes => SearchEnd::Nodes,
        Finished::Memory => SearchEnd::Memory,
        Finished::Deadline => SearchEnd::Time,
        Finished::Stopped => SearchEnd::Stopped,
    }
}
