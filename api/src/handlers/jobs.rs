//! `GET` and `DELETE /v1/jobs/{id}`, `GET /v1/jobs/{id}/events`

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE};
use actix_web::web::{Data, Path};
use utoipa::{IntoParams, ToSchema};

use crate::events::Events;
use crate::handlers::refusals::{Later, UnknownJob};
use crate::job::JobDocument;
use crate::problem::Problem;
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

/// Cancels a job; one that is finished stays as it is.
#[utoipa::path(delete, path = "/v1/jobs/{id}", operation_id = "cancelJob", tag = "set-ups", params(JobPath),
    responses(
        (status = 200, description = "The job as it is now", body = JobDocument, content_type = "application/json"),
        UnknownJob, Later,
    ))]
pub(super) async fn cancel(state: Data<AppState>, id: Path<String>) -> Result<HttpResponse, Problem> {
    let job = state.jobs().get(&id)?;
    state.jobs().cancel(&job).await;
    Ok(HttpResponse::Ok().json(job.document()))
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
