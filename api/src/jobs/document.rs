//! A job as it is sent.

use marquis_engine::wire::review::Review;
use marquis_engine::{Answer, Balance, Bounds, SearchEnd, Wdl};
use serde::Serialize;
use utoipa::ToSchema;

use super::job::{Job, JobState, Latest};
use crate::identity::JobId;
use crate::kinds::{BuildQuestion, Built, DesignQuestion, Designs, Found, Kind, Question};
use crate::problem::ProblemDocument;
use crate::proof_files::{ProofAt, ProofFiles};

/// What a job says on its way.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Snapshot {
    /// `queued`, `running`, `done`, `cancelled` or `failed`.
    state: &'static str,
    /// What is being done.
    phase: Option<String>,
    /// Nodes or states looked at so far.
    nodes: u64,
    /// How many there are at most, where that is known.
    total: Option<u64>,
    /// The worst and the best value still possible, for the player to move in the position at hand.
    bounds: Option<[&'static str; 2]>,
    /// What a position that is being solved looks like, for the player to move; never a proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    leaning: Option<Wdl>,
    /// Of a balance: what is known of each colour by now, for whoever moves first with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_mover: Option<KnownByColour>,
    /// That the job has worked; what it waited between its turns is not counted.
    seconds: f64,
    /// While it waits for its first turn or, running, for the next one, how many jobs come before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    ahead: Option<u64>,
}

/// What moving first with each colour is worth at worst and at best: `loss`, `draw` or `win`.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct KnownByColour {
    /// With White.
    w: [&'static str; 2],
    /// With Black.
    b: [&'static str; 2],
}

/// A job as it is sent.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct JobDocument {
    id: JobId,
    kind: Kind,
    /// `queued`, `running`, `done`, `cancelled` or `failed`.
    state: &'static str,
    game: String,
    /// The set-up, of a balance.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    /// How Player Two chooses, of a balance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pie: Option<String>,
    /// The beads beside the board, of a balance.
    #[serde(skip_serializing_if = "Option::is_none")]
    bait: Option<u16>,
    /// The position that is being solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    /// What kind of set-ups is looked for, of a design.
    #[serde(skip_serializing_if = "Option::is_none")]
    wanted: Option<DesignQuestion>,
    /// What is to be generated.
    #[serde(skip_serializing_if = "Option::is_none")]
    build: Option<BuildQuestion>,
    /// Whether the job outlives the server: it, or its result, is on the disk.
    kept: bool,
    /// Milliseconds that it may work, its waiting for turns not counted.
    limit_ms: u64,
    progress: Snapshot,
    /// The balance, once the job is done; what was known of it when the job was cancelled.
    result: Option<Balance>,
    /// Of a review: what was looked over so far, and all of it once the job is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<Review>,
    /// Of a design: what was found so far, and all of it once the job is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    design: Option<Designs>,
    /// Of a position that is being solved: what is known so far, and all of it once the job is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Answer>,
    /// The tables that were generated and are loaded now.
    #[serde(skip_serializing_if = "Option::is_none")]
    built: Option<Built>,
    /// The file with what was proved, of a balance or a position that was solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<ProofAt>,
    /// Why the job failed.
    problem: Option<ProblemDocument>,
    /// Why its search ended: as the result says, or `stopped` where the job was cancelled; left out before that, and
    /// where nothing was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<SearchEnd>,
}

impl Snapshot {
    /// What the job says now.
    pub(crate) fn of(job: &Job) -> Self {
        let state = job.state();
        let Latest { progress, leaning, firsts, found, .. } = job.said();
        let progress = progress.as_ref();
        let by_answer = match found.as_deref() {
            Some(Found::Answer(answer)) => chances(answer),
            _ => None,
        };
        Self {
            state: state.name(),
            ahead: if state.is_final() { None } else { job.ahead() },
            phase: progress.map(|progress| progress.phase.clone()),
            nodes: progress.map_or(0, |progress| progress.done),
            total: progress.and_then(|progress| progress.total),
            bounds: progress.and_then(|progress| progress.bounds).map(names),
            leaning: leaning.or(by_answer),
            first_mover: firsts.map(|[w, b]| KnownByColour { w: names(w), b: names(b) }),
            seconds: job.worked().as_secs_f64(),
        }
    }
}

/// The worst and the best value.
fn names(bounds: Bounds) -> [&'static str; 2] {
    [bounds.worst.name(), bounds.best.name()]
}

/// The chances of an answer, where it has any.
fn chances(answer: &Answer) -> Option<Wdl> {
    match answer {
        Answer::Exact(answer) => answer.verdict.wdl,
        Answer::Chance(_) => None,
    }
}

impl JobDocument {
    /// The job as it is now.
    ///
    /// * `proofs`: where its proof lies.
    pub(crate) fn of(job: &Job, proofs: &ProofFiles) -> Self {
        let (state, question, found) = (job.state(), job.question().clone(), job.found());
        let (mut balance, mut review, mut design, mut answer, mut built) = (None, None, None, None, None);
        match found.as_deref() {
            // What a balance is worth is not said before it is over.
            Some(Found::Balance(found)) if state.is_final() => balance = Some(Balance::clone(found)),
            Some(Found::Balance(_)) => {}
            None => review = job.growing().map(|review| review.review()),
            Some(Found::Review(found)) => review = Some(Review::clone(found)),
            Some(Found::Design(found)) => design = Some(found.clone()),
            Some(Found::Answer(found)) => answer = Some(Answer::clone(found)),
            Some(Found::Build(found)) => built = Some(found.clone()),
        }
        let (kind, game) = (question.kind(), question.game().to_owned());
        let (mut board, mut pie, mut bait, mut position) = (None, None, None, None);
        let (mut wanted, mut build) = (None, None);
        match question {
            Question::Balance(question) => {
                (board, pie, bait) = (Some(question.board), Some(question.pie), Some(question.bait));
            }
            Question::Solve(question) => position = Some(question.position),
            Question::Design(question) => wanted = Some(question),
            Question::Generate(question) => build = Some(question),
            Question::Review(_) => {}
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
            progress: Snapshot::of(job),
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
