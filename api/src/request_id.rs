//! Every request has an id: in the header `X-Request-Id`, in problem documents, in the log.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use actix_web::Error;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Data;
use tracing::Level;

use crate::problem::{MEDIA_TYPE, Problem};
use crate::routes::{Rate, method_name, rate_of, route_of};
use crate::state::AppState;

pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A slower request is logged at level `INFO`.
const SLOW: Duration = Duration::from_millis(250);

/// Takes the client's id or creates one, logs the request, and turns every refusal into a problem document.
pub(crate) async fn stamp(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let started = Instant::now();
    let id = id_of(&request);
    let response = match admitted(&request) {
        Ok(()) => as_problem(next.call(request).await?, &id),
        Err(problem) => request.into_response(problem.response(Some(&id))),
    };
    let took = started.elapsed();
    count(&response, took);
    log(&response, &id, took);
    let mut response = response;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(X_REQUEST_ID, value);
    }
    Ok(response)
}

/// Whether to admit the request; monitors always pass, and the page does not count against the client's rate.
fn admitted(request: &ServiceRequest) -> Result<(), Problem> {
    let Some(state) = request.app_data::<Data<AppState>>() else { return Ok(()) };
    match request.path() {
        "/livez" | "/readyz" | "/healthz" | "/metrics" => Ok(()),
        _ if state.room().is_full() => Err(Problem::no_room("the answers")),
        _ if rate_of(request.match_pattern().as_deref()) == Rate::Free => Ok(()),
        _ => state.clients().admit(request.head()),
    }
}

fn count(response: &ServiceResponse<BoxBody>, took: Duration) {
    let request = response.request();
    if let Some(state) = request.app_data::<Data<AppState>>() {
        let (route, method) = (route_of(request.match_pattern().as_deref()), method_name(request.method()));
        state.metrics().responded(route, method, response.status().as_u16(), took);
    }
}

/// Logs failed and slow requests at `WARN` or `INFO`, and all others at `DEBUG`.
fn log(response: &ServiceResponse<BoxBody>, id: &str, took: Duration) {
    macro_rules! line {
        ($level:ident) => {
            tracing::$level!(
                request = id,
                method = %response.request().method(),
                path = response.request().path(),
                status = response.status().as_u16(),
                micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
                "answered"
            )
        };
    }
    match level(response.status(), response.request().path(), took) {
        Level::WARN => line!(warn),
        Level::INFO => line!(info),
        _ => line!(debug),
    }
}

/// The log level of a response.
fn level(status: StatusCode, path: &str, took: Duration) -> Level {
    // Monitors ask whether the service is ready, so "not ready" is not an error.
    let is_asked_about = status == StatusCode::SERVICE_UNAVAILABLE && matches!(path, "/readyz" | "/healthz");
    if status.is_server_error() && !is_asked_about {
        Level::WARN
    } else if (status.is_client_error() || took > SLOW) && !is_asked_about {
        Level::INFO
    } else {
        Level::DEBUG
    }
}

/// A refusal with its problem document; other responses unchanged.
fn as_problem(response: ServiceResponse<impl MessageBody + 'static>, id: &str) -> ServiceResponse<BoxBody> {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response.map_into_boxed_body();
    }
    let problem = response.response().error().and_then(|error| error.as_error::<Problem>()).cloned();
    let is_document = response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind == MEDIA_TYPE);
    match problem {
        None if is_document => response.map_into_boxed_body(),
        problem => {
            let problem = problem.unwrap_or_else(|| Problem::refused(status));
            let (request, _) = response.into_parts();
            ServiceResponse::new(request, problem.response(Some(id)))
        }
    }
}

/// The id from the client, if it is a short plain word, or a new one.
fn id_of(request: &ServiceRequest) -> String {
    let sent = request.headers().get(&X_REQUEST_ID).and_then(|value| value.to_str().ok());
    let plain = |id: &&str| {
        (1..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
    };
    sent.filter(plain).map_or_else(new_id, str::to_owned)
}

/// An id that is unlikely to repeat on this server, even after a restart.
fn new_id() -> String {
    static STARTED: OnceLock<u64> = OnceLock::new();
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let started = STARTED
        .get_or_init(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |age| age.as_micros() as u64));
    format!("{started:x}-{:x}", COUNT.fetch_add(1, Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_of_a_service_that_starts_is_no_warning_and_other_failures_are() {
        let soon = Duration::from_millis(1);
        for path in ["/readyz", "/healthz"] {
            assert_eq!(level(StatusCode::SERVICE_UNAVAILABLE, path, soon), Level::DEBUG, "{path}");
            assert_eq!(level(StatusCode::INTERNAL_SERVER_ERROR, path, soon), Level::WARN, "{path}");
        }
        assert_eq!(level(StatusCode::SERVICE_UNAVAILABLE, "/v1/games", soon), Level::WARN);
        assert_eq!(level(StatusCode::NOT_FOUND, "/v1/games", soon), Level::INFO);
        assert_eq!(level(StatusCode::OK, "/v1/games", 2 * SLOW), Level::INFO);
        assert_eq!(level(StatusCode::OK, "/v1/games", soon), Level::DEBUG);
    }
}
