//! `GET /v1/jobs`, `GET` and `DELETE /v1/jobs/{id}`, `GET /v1/jobs/{id}/events`

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE};
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use crate::events::Events;
use crate::handlers::refusals::{Later, NotYours, UnknownJob};
use crate::handlers::token;
use crate::job::{JobDocument, Wanted};
use crate::problem::{Problem, ProblemDocument};
use crate::state::AppState;

/// Which job.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes a part of the path")]
struct JobPath {
    /// The id of the job, as its Location ends
    id: String,
}

/// State and result of a job.
#[utoipa::path(get, path = "/v1/jobs/{id}", operation_id = "showJob", tag = "set-ups", params(JobPath),
    responses(
        (status = 200, description = "The job", body = JobDocument, content_type = "application/json"),
        UnknownJob, Later,
    ))]
pub(super) async fn show(state: Data<AppState>, id: Path<String>) -> Result<HttpResponse, Problem> {
    let document = state.jobs().get(&id)?.document();
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(document))
}

/// Cancels a job for who asked for it: it ends when nobody else wants it. One that is finished stays as it is.
#[utoipa::path(delete, path = "/v1/jobs/{id}", operation_id = "cancelJob", tag = "set-ups",
    params(JobPath, token::Header),
    responses(
        (status = 200, description = "The job as it is now", body = JobDocument, content_type = "application/json"),
        NotYours, UnknownJob, Later,
    ))]
pub(super) async fn cancel(
    request: HttpRequest,
    state: Data<AppState>,
    id: Path<String>,
) -> Result<HttpResponse, Problem> {
    let token = token::required(&request)?;
    let job = state.jobs().get(&id)?;
    if !job.state().is_final() {
        match job.let_go(&token) {
            Wanted::ByNobody => state.jobs().cancel(&job).await,
            Wanted::ByOthers => {}
            Wanted::NeverAskedFor => return Err(Problem::not_yours(&id)),
        }
    }
    Ok(HttpResponse::Ok().json(job.document()))
}

/// Jobs of one client.
#[derive(Serialize, ToSchema)]
pub(super) struct Own {
    jobs: Vec<JobDocument>,
}

/// The jobs that were asked for with a token.
#[utoipa::path(get, path = "/v1/jobs", operation_id = "listJobs", tag = "set-ups", params(token::Header),
    responses(
        (status = 200, description = "The jobs, none where the token is nobody's", body = Own,
            content_type = "application/json"),
        (status = 400, description = "The header `Job-Token` is missing, or no token", body = ProblemDocument,
            content_type = "application/problem+json"),
        Later,
    ))]
pub(super) async fn list(request: HttpRequest, state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let token = token::required(&request)?;
    let jobs = state.jobs().of(&token).iter().map(|job| job.document()).collect();
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(Own { jobs }))
}

/// One event of the stream.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what a stream holds")]
struct Event {
    /// `progress`, in a review `move`, or the last state: `done`, `cancelled` or `failed`.
    event: String,
    /// A Snapshot as JSON, or a ReviewedMove; with the last state the whole job.
    data: String,
}

/// The progress of a job until it is finished, as server-sent events.
#[utoipa::path(get, path = "/v1/jobs/{id}/events", operation_id = "followJob", tag = "set-ups", params(JobPath),
    responses(
        (status = 200, description = "Events `progress` with a Snapshot, then one named after the last state with the \
            whole job", body = Event, content_type = "text/event-stream"),
        UnknownJob, Later,
    ))]
pub(super) async fn events(state: Data<AppState>, id: Path<String>) -> Result<HttpResponse, Problem> {
    let job = state.jobs().get(&id)?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/event-stream"))
        .insert_header((CACHE_CONTROL, "no-store"))
        // Said so that nothing on the way packs the stream, which would hold events back.
        .insert_header((CONTENT_ENCODING, "identity"))
        .body(Events::new(job, state)))
}
