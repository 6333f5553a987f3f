//! The shared response of the calls that start a job: the result if it is ready in time, else the running job.

use std::time::Duration;

use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;

use crate::clients::Undertaking;
use crate::config::Config;
use crate::handlers::token;
use crate::identity::Token;
use crate::jobs::JobRequest;
use crate::jobs::document::JobDocument;
use crate::jobs::job::{Job, JobState, Listener, Listening};
use crate::kinds::{JobQuestion, JobResult, JobWork};
use crate::problem::Problem;
use crate::state::AppState;
use crate::times::{Cut, Times};

/// A running job, for the client that started it.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Begun {
    #[serde(flatten)]
    job: JobDocument,
    /// The token to cancel the job with, in the header `Job-Token`; no other client receives it.
    token: Token,
    /// The requested times that were cut to the allowed maximum.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cut: Vec<Cut>,
}

/// The result that was ready in time.
#[derive(Serialize)]
struct ReadyInTime<'a, T> {
    #[serde(flatten)]
    found: &'a T,
    #[serde(skip_serializing_if = "<[Cut]>::is_empty")]
    cut: &'a [Cut],
}

/// The conditions of a job.
#[derive(Debug)]
pub(super) struct JobTerms<'a> {
    /// How long the request waits for the result.
    pub(super) budget: Duration,
    /// How long the job may work.
    pub(super) limit: Duration,
    /// Whether the job is cancelled when nobody asks about it.
    pub(super) listening: Listening,
    /// The times in the request.
    pub(super) times: Times<'a>,
}

impl<'a> JobTerms<'a> {
    /// Parses the times of a request, in milliseconds.
    ///
    /// # Errors
    /// A time that is out of range.
    pub(super) fn read(
        config: &'a Config,
        budget_ms: Option<u64>,
        limit_ms: Option<u64>,
        listening: Listening,
    ) -> Result<Self, Problem> {
        let mut times = Times::new(config);
        Ok(Self { budget: times.budget(budget_ms)?, limit: times.limit(limit_ms)?, listening, times })
    }
}

/// 200 with the result if it is ready within the budget, else 202 with the job, which continues.
///
/// * `work`: the parsed question.
///
/// # Errors
/// Too many jobs; the problem of a failed job.
pub(super) async fn answer(
    request: &HttpRequest,
    state: &AppState,
    (question, work): (JobQuestion, Box<dyn JobWork>),
    terms: JobTerms<'_>,
) -> Result<HttpResponse, Problem> {
    let token = token::said(request)?.unwrap_or_else(Token::random);
    let JobTerms { budget, limit, listening, times } = terms;
    let (cut, clients) = (times.cut(), state.clients());
    let permit = || clients.begin(clients.of(request.head()), Undertaking::Job).map(Some);
    let wish = JobRequest { question, work, limit, listening, holders: vec![token.clone()] };
    let job = state.jobs().job_for(state.engine()?, wish, permit)?;
    let _listener = Listener::to(&job);
    match tokio::time::timeout(budget, job.finished()).await {
        Ok(JobState::Done(found)) => Ok(ready(&found, &cut)),
        Ok(JobState::Failed(problem)) => Err(problem),
        _ => Ok(goes_on(state, &job, token, cut).await),
    }
}

/// 200 with a result.
pub(super) fn ready(found: &JobResult, cut: &[Cut]) -> HttpResponse {
    fn told<T: Serialize>(found: &T, cut: &[Cut]) -> HttpResponse {
        // Serde buffers flattened fields, which takes twice as long: only if there are more fields.
        if cut.is_empty() {
            HttpResponse::Ok().json(found)
        } else {
            HttpResponse::Ok().json(ReadyInTime { found, cut })
        }
    }
    match found {
        JobResult::Balance(balance) => told(balance.as_ref(), cut),
        JobResult::Review(review) => told(review.as_ref(), cut),
        JobResult::Design(designs) => told(designs, cut),
        JobResult::Answer(answer) => told(answer.as_ref(), cut),
        JobResult::Build(built) => told(built, cut),
    }
}

/// 202 with a running job, after it is settled whether the job is on the disk: an acknowledged job is on the disk, or
/// the response says that it is not.
async fn goes_on(state: &AppState, job: &Job, token: Token, cut: Vec<Cut>) -> HttpResponse {
    job.settled().await;
    let place = (LOCATION, format!("/v1/jobs/{}", job.id()));
    let job = JobDocument::of(job, state.jobs().proofs());
    HttpResponse::Accepted().insert_header(place).json(Begun { job, token, cut })
}
