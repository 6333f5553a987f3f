//! `/livez`, `/readyz`, `/healthz`

use actix_web::HttpResponse;
use actix_web::web::Data;
use marquis_engine::PlaceElsewhere;
use serde::Serialize;

use crate::faults::Fault;
#[cfg(test)]
use crate::handlers::schema::*;
use crate::problem::Problem;
use crate::state::AppState;

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Live {
    live: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Health {
    live: bool,
    ready: bool,
    /// The number of loaded tables.
    tables: usize,
    /// Damaged files: tables and weights that are left out, jobs and proofs that cannot be read. Nothing else depends
    /// on them.
    damaged: Vec<Fault>,
    /// The remote places that tables are read from.
    elsewhere: Vec<Place>,
}

/// A remote place that tables are read from.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[cfg_attr(test, schema(as = PlaceElsewhere))]
pub(super) struct Place {
    /// Its address.
    address: String,
    /// The number of its loaded tables.
    tables: usize,
    /// Whether it answered the last request. While it is not reached, requests that need an uncached part of its
    /// tables get 503; everything else is answered as usual.
    reached: bool,
}

/// 200 while the process responds.
#[cfg_attr(test, utoipa::path(get, path = "/livez", operation_id = "isAlive", tag = "service",
    responses(
        (status = 200, description = "The process is alive", body = Live, content_type = "application/json"),
    )))]
pub(super) async fn live() -> HttpResponse {
    HttpResponse::Ok().json(Live { live: true })
}

/// 200 if requests are answered, 503 while the service starts or stops.
///
/// A service with remote tables is not ready before it has reached them once; after that it stays ready even if they
/// are not reached.
#[cfg_attr(test, utoipa::path(get, path = "/readyz", operation_id = "isReady", tag = "service",
    responses(
        (status = 200, description = "The service answers requests", body = Health, content_type = "application/json"),
        NotReady,
    )))]
pub(super) async fn ready(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let engine = state.engine()?;
    state.complete()?;
    let (tables, damaged) = (engine.tables().len(), state.faults().all());
    let place = |PlaceElsewhere { address, tables, reached, .. }| Place { address, tables, reached };
    let elsewhere = engine.elsewhere().into_iter().map(place).collect();
    Ok(HttpResponse::Ok().json(Health { live: true, ready: true, tables, damaged, elsewhere }))
}

/// Liveness and readiness.
#[cfg_attr(test, utoipa::path(get, path = "/healthz", operation_id = "showHealth", tag = "service",
    responses(
        (status = 200, description = "Alive and ready", body = Health, content_type = "application/json"),
        NotReady,
    )))]
pub(super) async fn healthy(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    ready(state).await
}
