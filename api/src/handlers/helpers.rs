//! `/v1/studies/{study}/helpers`

use std::time::{Duration, Instant};

use actix_web::http::header::{CACHE_CONTROL, LOCATION};
use actix_web::web::{self, Data, Path, Payload, Query};
use actix_web::{HttpRequest, HttpResponse, rt};
use marquis_engine::study::StudyFolder;
use marquis_wire::study::{HelperJoined, HelperState, HelperTurn, StudyHead};
use serde::Deserialize;

use crate::handlers::body::{self, Body};
#[cfg(test)]
use crate::handlers::schema::*;
use crate::handlers::studies::on_disk;
use crate::helpers::{HelperCall, Helpers};
use crate::params;
use crate::problem::Problem;
use crate::state::AppState;

/// The longest time that a request for a job waits.
const MOST_WAIT_MS: u64 = 5000;
/// The interval between two looks at the files during this wait.
const LOOK: Duration = Duration::from_millis(100);

/// How long to wait for a job.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub(super) struct Wait {
    /// Milliseconds to wait for a job if there is none, at most 5000.
    #[cfg_attr(test, param(value_type = Option<u64>, example = 0))]
    wait_ms: Option<String>,
}

/// Joins a study as a helper, which takes its jobs one at a time.
///
/// Only if the operator allows it (the setting `helpers`). The body has what the study is about, as the helper
/// understands it: a program with other rules is refused. A helper without a call for a minute has left.
#[cfg_attr(test, utoipa::path(post, path = "/v1/studies/{study}/helpers", operation_id = "joinStudy", tag = "studies",
    request_body = StudyHead,
    params(("study" = String, Path, description = "A study, as the list names it", example = "flowish-5")),
    responses(
        (status = 201, description = "The helper; `Location` is its address", body = HelperJoined,
            content_type = "application/json"),
        NotJoined, FaultyBody, NoHelpers, UnknownStudy, Later,
    )))]
pub(super) async fn join(
    request: HttpRequest,
    state: Data<AppState>,
    name: Path<String>,
    Body(about): Body<StudyHead>,
) -> Result<HttpResponse, Problem> {
    state.helpers().allowed()?;
    state.engine()?;
    let (client, study) = (state.clients().of(request.head()), name.into_inner());
    let (joining, wanted) = (state.clone(), study.clone());
    let joined = on_disk(state, move |folders| {
        let unknown = || Problem::unknown_study(&wanted);
        let StudyFolder { folder, .. } =
            folders.into_iter().find(|place| place.name == wanted).ok_or_else(unknown)?;
        joining.helpers().join(client, (wanted, &folder), &about)
    });
    let helper = joined.await??;
    let place = (LOCATION, format!("/v1/studies/{study}/helpers/{helper}"));
    Ok(HttpResponse::Created().insert_header(place).json(HelperJoined { helper }))
}

/// The current job of a helper; waits for one if there is none. Each call is a sign of life.
///
/// A helper calls it every few seconds during its search as well: a job that is not returned any more is cancelled.
#[cfg_attr(test, utoipa::path(get, path = "/v1/studies/{study}/helpers/{id}", operation_id = "readHelperJob",
    tag = "studies",
    params(
        ("study" = String, Path, description = "A study, as the list names it", example = "flowish-5"),
        ("id" = String, Path, description = "The id of the helper",
            example = "0123456789abcdef0123456789abcdef"),
        Wait,
    ),
    responses(
        (status = 200, description = "The job, or why there is none", body = HelperTurn,
            content_type = "application/json"),
        BadWait, NoHelpers, UnknownHelper, Later,
    )))]
pub(super) async fn turn(
    request: HttpRequest,
    state: Data<AppState>,
    place: Path<(String, String)>,
    asked: Result<Query<Wait>, actix_web::Error>,
) -> Result<HttpResponse, Problem> {
    let Query(Wait { wait_ms }) = asked.map_err(|error| Problem::malformed("query", &error))?;
    let wait_ms = params::number::<u64>("wait_ms", wait_ms.as_deref())?.unwrap_or(0);
    if wait_ms > MOST_WAIT_MS {
        let expected = format!("at most {MOST_WAIT_MS}");
        return Err(Problem::bad_input("wait_ms", &expected, &wait_ms.to_string()));
    }
    let (begun, wait) = (Instant::now(), Duration::from_millis(wait_ms));
    loop {
        state.engine()?;
        let call = called(&request, &state, &place);
        let turn: HelperTurn = on_files(&state, move |helpers| helpers.turn(&call)).await?;
        if turn.state != HelperState::Waiting || begun.elapsed() >= wait {
            return Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(turn));
        }
        rt::time::sleep(LOOK).await;
    }
}

/// Delivers the result of the current job. It counts once the process that keeps the study has replayed its proofs.
///
/// The body is one line of JSON, `{"run", "number", "nodes", "numbers", "strategies", "sum"}`, and the bytes of the
/// strategies: run and number of the job, the positions expanded, proof and disproof number of "the first player wins"
/// and of "the second", the bytes of each strategy, and the CRC-32 of all of them. A client whose result is malformed or
/// does not hold is refused for some time.
#[cfg_attr(test, utoipa::path(post, path = "/v1/studies/{study}/helpers/{id}", operation_id = "deliverHelperResult",
    tag = "studies",
    request_body(content = [u8], content_type = "application/octet-stream", description = "The result"),
    params(
        ("study" = String, Path, description = "A study, as the list names it", example = "flowish-5"),
        ("id" = String, Path, description = "The id of the helper",
            example = "0123456789abcdef0123456789abcdef"),
    ),
    responses(
        (status = 204, description = "The result waits to be replayed"),
        NotDelivered, FaultyBody, NoHelpers, UnknownHelper, Later,
    )))]
pub(super) async fn deliver(
    request: HttpRequest,
    state: Data<AppState>,
    place: Path<(String, String)>,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    state.helpers().allowed()?;
    state.engine()?;
    let call = called(&request, &state, &place);
    let limit = usize::try_from(state.config().helper_bytes.0).unwrap_or(usize::MAX);
    let (result, room) = body::bytes(&state, &request, payload.into_inner(), limit).await?;
    let deliver = move |helpers: &Helpers| {
        let delivered = helpers.deliver(&call, &result);
        // The memory is reserved until here.
        drop(room);
        delivered
    };
    on_files(&state, deliver).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Leaves a study; the job of the helper goes to others.
#[cfg_attr(test, utoipa::path(delete, path = "/v1/studies/{study}/helpers/{id}", operation_id = "leaveStudy",
    tag = "studies",
    params(
        ("study" = String, Path, description = "A study, as the list names it", example = "flowish-5"),
        ("id" = String, Path, description = "The id of the helper",
            example = "0123456789abcdef0123456789abcdef"),
    ),
    responses((status = 204, description = "The helper has left"), NoHelpers, UnknownHelper, Later)))]
pub(super) async fn leave(
    request: HttpRequest,
    state: Data<AppState>,
    place: Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let call = called(&request, &state, &place);
    on_files(&state, move |helpers| helpers.leave(&call)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Runs `work` outside the threads that serve clients, because it reads and writes files.
async fn on_files<T: Send + 'static>(
    state: &Data<AppState>,
    work: impl FnOnce(&Helpers) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let state = state.clone();
    web::block(move || work(state.helpers())).await.map_err(|_| Problem::internal())?
}

fn called(request: &HttpRequest, state: &AppState, place: &(String, String)) -> HelperCall {
    let (study, id) = place.clone();
    HelperCall { client: state.clients().of(request.head()), study, id }
}
