//! The wire form of a job.

use marquis_wire::answer::{Answer, Balance, Wdl};
use marquis_wire::ending::SearchEnd;
use marquis_wire::progress::{KnownByColour, Snapshot};
use marquis_wire::review::Review;
use marquis_wire::words::names;
use serde::Serialize;

use super::job::{Job, JobState, LatestState};
use crate::identity::JobId;
use crate::kinds::{BuildQuestion, Built, DesignQuestion, Designs, JobQuestion, JobResult, Kind};
use crate::problem::ProblemDocument;
use crate::proof_files::{ProofAt, ProofFiles};

/// A job as it is sent.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct JobDocument {
    id: JobId,
    kind: Kind,
    /// `queued`, `running`, `done`, `cancelled` or `failed`.
    state: &'static str,
    game: String,
    /// For a balance: the set-up.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    /// For a balance: how Player Two chooses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pie: Option<String>,
    /// For a balance: the number of beads off the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    bait: Option<u16>,
    /// The position that is being solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    /// For a design: which set-ups to look for.
    #[serde(skip_serializing_if = "Option::is_none")]
    wanted: Option<DesignQuestion>,
    /// The tables to generate.
    #[serde(skip_serializing_if = "Option::is_none")]
    build: Option<BuildQuestion>,
    /// Whether the job outlives the server, because the job or its result is on the disk.
    kept: bool,
    /// Milliseconds that it may work, without the wait for turns.
    limit_ms: u64,
    progress: Snapshot,
    /// The balance, once the job is done; the knowledge so far if the job was cancelled.
    result: Option<Balance>,
    /// For a review: the moves reviewed so far, and the whole review once the job is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<Review>,
    /// For a design: the set-ups found so far, and all of them once the job is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    design: Option<Designs>,
    /// For a position that is being solved: the knowledge so far, and the whole answer once the job is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Answer>,
    /// The tables that were generated, which are loaded now.
    #[serde(skip_serializing_if = "Option::is_none")]
    built: Option<Built>,
    /// The file with the proof, for a balance or a solved position.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<ProofAt>,
    /// Why the job failed.
    problem: Option<ProblemDocument>,
    /// Why the search ended: as in the result, or `stopped` if the job was cancelled; omitted before that, and if
    /// nothing was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<SearchEnd>,
}

/// The current progress of a job.
pub(crate) fn snapshot(job: &Job) -> Snapshot {
    let state = job.state();
    let LatestState { progress, leaning, firsts, found, .. } = job.said();
    let progress = progress.as_ref();
    let by_answer = match found.as_deref() {
        Some(JobResult::Answer(answer)) => chances(answer),
        _ => None,
    };
    Snapshot {
        state: state.name(),
        ahead: if state.is_final() { None } else { job.ahead() },
        phase: progress.map(|progress| progress.phase.clone()),
        nodes: progress.map_or(0, |progress| progress.done),
        total: progress.and_then(|progress| progress.total),
        bounds: progress.and_then(|progress| progress.bounds).map(names),
        leaning: leaning.or(by_answer),
        first_mover: firsts.map(KnownByColour::from),
        seconds: job.worked().as_secs_f64(),
    }
}

/// The chances of an answer, if it has any.
fn chances(answer: &Answer) -> Option<Wdl> {
    match answer {
        Answer::Exact(answer) => answer.verdict.wdl,
        Answer::Chance(_) => None,
    }
}

impl JobDocument {
    /// The job as it is now.
    ///
    /// * `proofs`: the folder of its proof.
    pub(crate) fn of(job: &Job, proofs: &ProofFiles) -> Self {
        let (state, question, found) = (job.state(), job.question().clone(), job.found());
        let (mut balance, mut review, mut design, mut answer, mut built) = (None, None, None, None, None);
        match found.as_deref() {
            // The result of a balance is not sent before the job is over.
            Some(JobResult::Balance(found)) if state.is_final() => balance = Some(Balance::clone(found)),
            Some(JobResult::Balance(_)) => {}
            None => review = job.growing().map(|review| review.review()),
            Some(JobResult::Review(found)) => review = Some(Review::clone(found)),
            Some(JobResult::Design(found)) => design = Some(found.clone()),
            Some(JobResult::Answer(found)) => answer = Some(Answer::clone(found)),
            Some(JobResult::Build(found)) => built = Some(found.clone()),
        }
        let (kind, game) = (question.kind(), question.game().to_owned());
        let (mut board, mut pie, mut bait, mut position) = (None, None, None, None);
        let (mut wanted, mut build) = (None, None);
        match question {
            JobQuestion::Balance(question) => {
                (board, pie, bait) = (Some(question.board), Some(question.pie), Some(question.bait));
            }
            JobQuestion::Solve(question) => position = Some(question.position),
            JobQuestion::Design(question) => wanted = Some(question),
            JobQuestion::Generate(question) => build = Some(question),
            JobQuestion::Review(_) => {}
        }
        Self {
            id: job.id().clone(),
            kind,
            state: state.name(),
            game,
            board,
            pie,
            bait,
            position,
            wanted,
            build,
            kept: job.is_kept(),
            limit_ms: job.limit_ms(),
            progress: snapshot(job),
            result: balance,
            review,
            design,
            answer,
            built,
            proof: if state.is_final() { proofs.at(job.id(), None) } else { None },
            problem: if let JobState::Failed(problem) = &state { Some(problem.document(None)) } else { None },
            ended: match &state {
                JobState::Done(found) => found.ended(),
                JobState::Cancelled => Some(SearchEnd::Stopped),
                JobState::Queued | JobState::Running | JobState::Failed(_) => None,
            },
        }
    }
}
