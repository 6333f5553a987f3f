//! `GET /v1/jobs`, `GET` and `DELETE /v1/jobs/{id}`, `GET /v1/jobs/{id}/events` and `/proof`

use std::sync::Arc;

use actix_files::NamedFile;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ContentDisposition, ContentEncoding, ContentType,
};
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};

use crate::events::{Events, Framing};
#[cfg(test)]
use crate::handlers::schema::*;
use crate::handlers::token;
use crate::jobs::document::JobDocument;
use crate::jobs::job::{Job, RemainingOwners};
use crate::params;
use crate::problem::Problem;
use crate::ranges;
use crate::state::AppState;

/// The job in the path.
#[cfg(test)]
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes a part of the path")]
struct JobPath {
    /// The id of the job, the last part of its Location
    #[param(example = "swish-marquisian-0-2-loss-choice-w1w.4.1ooo1.4.b1b")]
    id: String,
}

/// State and result of a job.
#[cfg_attr(test, utoipa::path(get, path = "/v1/jobs/{id}", operation_id = "showJob", tag = "set-ups", params(JobPath),
    responses(
        (status = 200, description = "The job", body = JobDocument, content_type = "application/json"),
        UnknownJob, Later,
    )))]
pub(super) async fn show(state: Data<AppState>, id: Path<String>) -> Result<HttpResponse, Problem> {
    let jobs = state.jobs();
    let job = jobs.get(&id)?;
    job.hear();
    let document = JobDocument::of(&job, jobs.proofs());
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(document))
}

/// Cancels a job for its owner: it ends if no other owner wants it. A finished job is not changed.
#[cfg_attr(test, utoipa::path(delete, path = "/v1/jobs/{id}", operation_id = "cancelJob", tag = "set-ups",
    params(JobPath, token::OwnerHeader),
    responses(
        (status = 200, description = "The job as it is now", body = JobDocument, content_type = "application/json"),
        NotYours, UnknownJob, Later,
    )))]
pub(super) async fn cancel(
    request: HttpRequest,
    state: Data<AppState>,
    id: Path<String>,
) -> Result<HttpResponse, Problem> {
    let token = token::required(&request)?;
    let job = state.jobs().get(&id)?;
    if !job.state().is_final() {
        match job.let_go(&token) {
            RemainingOwners::ByNobody => state.jobs().cancel(&job).await,
            RemainingOwners::ByOthers => {}
            RemainingOwners::NeverAskedFor => return Err(Problem::not_yours(&id)),
        }
    }
    Ok(HttpResponse::Ok().json(JobDocument::of(&job, state.jobs().proofs())))
}

/// The jobs of one client.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Own {
    jobs: Vec<JobDocument>,
}

/// The jobs that were requested with a token.
#[cfg_attr(test, utoipa::path(get, path = "/v1/jobs", operation_id = "listJobs", tag = "set-ups", params(token::OwnerHeader),
    responses(
        (status = 200, description = "The jobs; empty if the token is unknown", body = Own,
            content_type = "application/json"),
        (status = 400, description = "The header `Job-Token` is missing or malformed", body = ProblemDocument,
            content_type = "application/problem+json"),
        Later,
    )))]
pub(super) async fn list(request: HttpRequest, state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let token = token::required(&request)?;
    let of = |job: &Arc<Job>| {
        job.hear();
        JobDocument::of(job, state.jobs().proofs())
    };
    let jobs = state.jobs().of(&token).iter().map(of).collect();
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(Own { jobs }))
}

/// One event of the stream.
#[cfg(test)]
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes what a stream holds")]
struct Event {
    /// `progress`, in a review `move`, in a design `find`, or the last state: `done`, `cancelled` or `failed`.
    event: String,
    /// In events `move` and `find`: the value for `Last-Event-ID`.
    id: Option<String>,
    /// A Snapshot as JSON, a ReviewedMove or a FindDocument; with the last state the whole job.
    data: String,
}

/// The header by which an interrupted stream of events is resumed.
#[cfg(test)]
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what is sent")]
struct LastEvent {
    /// The `id` of the last event that was received: earlier moves and finds are not sent again
    #[param(rename = "Last-Event-ID", example = "17")]
    last_event_id: Option<String>,
}

/// The progress of a job until it is finished, as server-sent events, or with `Accept: application/x-ndjson` as JSON
/// lines.
#[cfg_attr(test, utoipa::path(get, path = "/v1/jobs/{id}/events", operation_id = "followJob", tag = "set-ups", params(JobPath, LastEvent),
    responses(
        (status = 200, description = "Events `progress` with a Snapshot, then one named after the last state with the \
            whole job", content((Event = "text/event-stream"), (Event = "application/x-ndjson"))),
        (status = 400, description = "`Last-Event-ID` is not one of an event", body = ProblemDocument,
            content_type = "application/problem+json"),
        UnknownJob, Later,
    )))]
pub(super) async fn events(
    state: Data<AppState>,
    id: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let job = state.jobs().get(&id)?;
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let received = params::number("Last-Event-ID", header("last-event-id").filter(|id| !id.is_empty()))?;
    let wants_lines = header("accept").is_some_and(|kinds| kinds.contains(Framing::Lines.content_type()));
    let framing = if wants_lines { Framing::Lines } else { Framing::ServerSent };
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, framing.content_type()))
        .insert_header((CACHE_CONTROL, "no-store"))
        // Set so that no proxy compresses the stream, which would delay events.
        .insert_header((CONTENT_ENCODING, "identity"))
        .body(Events::new(&job, state, framing, received.unwrap_or(0))))
}

/// The selected proof.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct WhichProof {
    /// For a design: the number of the set-up
    #[cfg_attr(test, param(value_type = Option<u32>, example = 3))]
    number: Option<String>,
}

/// The proof file of a job, to be replayed with `marquis check-proof`.
#[cfg_attr(test, utoipa::path(get, path = "/v1/jobs/{id}/proof", operation_id = "downloadProof", tag = "set-ups",
    params(JobPath, WhichProof),
    responses(
        (status = 200, description = "The file", body = [u8], content_type = "application/octet-stream"),
        (status = 206, description = "The requested ranges; several form one multipart body", content(
            ([u8] = "application/octet-stream"), ([u8] = "multipart/byteranges"),
        )),
        (status = 304, description = "The client has the current version"),
        (status = 400, description = "`number` is not a number", body = ProblemDocument,
            content_type = "application/problem+json"),
        Changed, NoSuchRange, UnknownJob, Later,
    )))]
pub(super) async fn proof(
    state: Data<AppState>,
    id: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let asked = Query::<WhichProof>::from_query(request.query_string());
    let WhichProof { number } = asked.map_err(|error| Problem::malformed("query", &error))?.into_inner();
    let number = params::number("number", number.as_deref())?;
    state.engine()?;
    let job = state.jobs().get(&id)?;
    // Only files of known jobs: the name is looked up, so it cannot lead to another file.
    let file = state.jobs().proofs().file(job.id(), number);
    let opened = NamedFile::open_async(&file).await.map_err(|_| Problem::no_proof(&id))?;
    let name = ContentDisposition::attachment(file.file_name().unwrap_or_default().to_string_lossy());
    // The file is already compressed: send it as it is on the disk, in ranges of the file.
    let plain = opened.set_content_encoding(ContentEncoding::Identity).prefer_utf8(false);
    let plain = plain.set_content_type(ContentType::octet_stream().0).set_content_disposition(name);
    ranges::file(plain, &request).map_err(|_| Problem::no_proof(&id))
}
