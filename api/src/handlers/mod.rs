//! One file a call; what they share is here: routes, and the shape of refusals.

mod answer;
mod balance;
mod batch;
mod games;
mod health;
mod jobs;
mod page;
mod tables;

use actix_web::error::{JsonPayloadError, QueryPayloadError};
use actix_web::http::Method;
use actix_web::web::{self, Data, JsonConfig, QueryConfig, ServiceConfig};
use actix_web::{Error, HttpRequest, Resource, Route, guard, middleware};

use crate::problem::Problem;
use crate::request_id;
use crate::state::AppState;

/// Puts the calls of the service into an application.
pub fn configure(cfg: &mut ServiceConfig, state: Data<AppState>) {
    let limit = state.config().body_limit;
    let json = JsonConfig::default().limit(limit).error_handler(move |error, _| json_error(&error, limit));
    let query = QueryConfig::default().error_handler(|error, _| query_error(&error));
    let scope = web::scope("")
        .app_data(state)
        .app_data(json)
        .app_data(query)
        .wrap(middleware::from_fn(request_id::stamp))
        .service(reads("/livez", health::live))
        .service(reads("/readyz", health::ready))
        .service(reads("/healthz", health::healthy))
        .service(reads("/", page::index))
        .service(reads("/docs/", page::docs))
        .service(reads("/assets/{name}", page::asset))
        .service(web::redirect("/docs", "/docs/"))
        .service(reads("/v1/games", games::list))
        .service(reads("/v1/tables", tables::list))
        .service(
            only("/v1/jobs/{id}", "GET, HEAD, DELETE")
                .route(read().to(jobs::show))
                .route(web::delete().to(jobs::cancel)),
        )
        .service(reads("/v1/jobs/{id}/events", jobs::events))
        .service(only("/v1/{game}/balance", "POST").route(web::post().to(balance::ask)))
        .service(
            only("/v1/{game}", "GET, HEAD, POST")
                .route(read().to(answer::ask))
                .route(web::post().to(batch::ask)),
        )
        .default_service(web::to(nothing_here));
    cfg.service(scope);
}

/// A route for GET and HEAD.
fn read() -> Route {
    web::route().guard(guard::fn_guard(|context| matches!(context.head().method, Method::GET | Method::HEAD)))
}

/// An address that is only read.
fn reads<F, Args>(path: &str, handler: F) -> Resource
where
    F: actix_web::Handler<Args>,
    Args: actix_web::FromRequest + 'static,
    F::Output: actix_web::Responder + 'static,
{
    only(path, "GET, HEAD").route(read().to(handler))
}

/// An address that refuses every method but the ones it gets routes for.
fn only(path: &str, allow: &'static str) -> Resource {
    let refuse = move || async move { Err::<&str, Problem>(Problem::method_not_allowed(allow)) };
    web::resource(path).default_service(web::to(refuse))
}

async fn nothing_here(request: HttpRequest) -> Result<&'static str, Problem> {
    Err(Problem::not_found(request.path()))
}

fn json_error(error: &JsonPayloadError, limit: usize) -> Error {
    match error {
        JsonPayloadError::ContentType => Problem::unsupported_media_type(),
        JsonPayloadError::Overflow { .. } | JsonPayloadError::OverflowKnownLength { .. } => {
            Problem::body_too_large(limit)
        }
        JsonPayloadError::Deserialize(error) => Problem::malformed("body", error),
        error => Problem::malformed("body", error),
    }
    .into()
}

fn query_error(error: &QueryPayloadError) -> Error {
    Problem::malformed("query", error).into()
}
