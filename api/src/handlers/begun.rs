//! What the calls that begin a job share: the answer at once if it is ready in time, else the job that goes on.

use std::collections::BTreeMap;
use std::time::Duration;

use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use utoipa::openapi::content::Content;
use utoipa::openapi::link::Link;
use utoipa::openapi::{Ref, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

use crate::clients::Undertaking;
use crate::config::Config;
use crate::handlers::token;
use crate::identity::Token;
use crate::jobs::Wish;
use crate::jobs::document::JobDocument;
use crate::jobs::job::{Job, JobState, Listener, Listening};
use crate::kinds::{Found, Question, Work};
use crate::problem::Problem;
use crate::state::AppState;
use crate::times::{Cut, Times};

/// A job that goes on, for who asked for it.
#[derive(Serialize, ToSchema)]
pub(super) struct Begun {
    #[serde(flatten)]
    job: JobDocument,
    /// What the job is cancelled with, in the header `Job-Token`; nobody else is told.
    token: Token,
    /// The times of the request that were cut to what is allowed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cut: Vec<Cut>,
}

/// 202 with a job that goes on, as the description tells it of every call that may begin one.
pub(super) struct GoesOn;

impl IntoResponses for GoesOn {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let own = |operation: &str| {
            Link::builder().operation_id(operation).parameter("id", "$response.body#/id").build()
        };
        let response = ResponseBuilder::new()
            .description("A job goes on; Location says where")
            .content("application/json", Content::new(Some(Ref::from_schema_name("Begun"))))
            .link("job", own("showJob"))
            .link("events", own("followJob"))
            .link("cancel", own("cancelJob"));
        BTreeMap::from([("202".to_owned(), response.build().into())])
    }
}

/// What was found in time.
#[derive(Serialize)]
struct Ready<'a, T> {
    #[serde(flatten)]
    found: &'a T,
    #[serde(skip_serializing_if = "<[Cut]>::is_empty")]
    cut: &'a [Cut],
}

/// How somebody wants a job.
#[derive(Debug)]
pub(super) struct Terms<'a> {
    /// How long the request waits for the result.
    pub(super) budget: Duration,
    /// How long the job may work.
    pub(super) limit: Duration,
    /// Whether it needs anybody who asks about it.
    pub(super) listening: Listening,
    /// What was said of times.
    pub(super) times: Times<'a>,
}

impl<'a> Terms<'a> {
    /// What a request says of its times, in milliseconds.
    ///
    /// # Errors
    /// A time that is too long to be one.
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

/// 200 with what was found if it is ready within the budget, else 202 with the job that goes on.
///
/// * `work`: the question, read.
///
/// # Errors
/// More jobs than there is room for; why the job failed.
pub(super) async fn answer(
    request: &HttpRequest,
    state: &AppState,
    (question, work): (Question, Box<dyn Work>),
    terms: Terms<'_>,
) -> Result<HttpResponse, Problem> {
    let token = token::said(request)?.unwrap_or_else(Token::random);
    let Terms { budget, limit, listening, times } = terms;
    let (cut, clients) = (times.cut(), state.clients());
    let permit = || clients.begin(clients.of(request.head()), Undertaking::Job).map(Some);
    let wish = Wish { question, work, limit, listening, holders: vec![token.clone()] };
    let job = state.jobs().job_for(state.engine()?, wish, permit)?;
    let _listener = Listener::to(&job);
    match tokio::time::timeout(budget, job.finished()).await {
        Ok(JobState::Done(found)) => Ok(ready(&found, &cut)),
        Ok(JobState::Failed(problem)) => Err(problem),
        _ => Ok(goes_on(state, &job, token, cut).await),
    }
}

fn ready(found: &Found, cut: &[Cut]) -> HttpResponse {
    fn told<T: Serialize>(found: &T, cut: &[Cut]) -> HttpResponse {
        // What is flattened is gathered first, which takes as long again: only where there is more.
        if cut.is_empty() {
            HttpResponse::Ok().json(found)
        } else {
            HttpResponse::Ok().json(Ready { found, cut })
        }
    }
    match found {
        Found::Balance(balance) => told(balance.as_ref(), cut),
        Found::Review(review) => told(review.as_ref(), cut),
        Found::Design(designs) => told(designs, cut),
        Found::Answer(answer) => told(answer.as_ref(), cut),
        Found::Build(built) => told(built, cut),
    }
}

/// 202 with a job that goes on, once it is settled whether it is on the disk: what is acknowledged is, or says that it
/// is not.
async fn goes_on(state: &AppState, job: &Job, token: Token, cut: Vec<Cut>) -> HttpResponse {
    job.settled().await;
    let place = (LOCATION, format!("/v1/jobs/{}", job.id()));
    let job = JobDocument::of(job, state.jobs().proofs());
    HttpResponse::Accepted().insert_header(place).json(Begun { job, token, cut })
}
