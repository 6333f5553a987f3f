//! `/livez`, `/readyz`, `/healthz`

use actix_web::HttpResponse;
use actix_web::web::Data;
use marquis_engine::reports::PlaceElsewhere;
use serde::Serialize;
use utoipa::ToSchema;

use crate::faults::Fault;
use crate::handlers::refusals::NotReady;
use crate::problem::Problem;
use crate::state::AppState;

#[derive(Serialize, ToSchema)]
pub(super) struct Live {
    live: bool,
}

#[derive(Serialize, ToSchema)]
pub(super) struct Health {
    live: bool,
    ready: bool,
    /// How many tables are loaded.
    tables: usize,
    /// What is damaged: tables and weights that are left out, jobs and proofs that cannot be read. Nothing else rests
    /// on it.
    damaged: Vec<Fault>,
    /// The places elsewhere that tables are read from.
    elsewhere: Vec<Place>,
}

/// A place elsewhere that tables are read from.
#[derive(Serialize, ToSchema)]
#[schema(as = PlaceElsewhere)]
pub(super) struct Place {
    /// Its address.
    address: String,
    /// How many of its tables are loaded.
    tables: usize,
    /// Whether somebody was there when it was last asked. While nobody is, what is not kept here of its tables is answered
    /// with 503, and everything else as always.
    reached: bool,
}

/// 200 as long as the process answers at all.
#[utoipa::path(get, path = "/livez", operation_id = "isAlive", tag = "service",
    responses(
        (status = 200, description = "The process lives", body = Live, content_type = "application/json"),
    ))]
pub(super) async fn live() -> HttpResponse {
    HttpResponse::Ok().json(Live { live: true })
}

/// 200 once questions are answered, 503 while the service starts or stops.
///
/// A service with tables elsewhere is not ready before it has reached them once; later it stays so while they are away.
#[utoipa::path(get, path = "/readyz", operation_id = "isReady", tag = "service",
    responses(
        (status = 200, description = "Questions are answered", body = Health, content_type = "application/json"),
        NotReady,
    ))]
pub(super) async fn ready(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let engine = state.engine()?;
    state.complete()?;
    let (tables, damaged) = (engine.tables().len(), state.faults().all());
    let place = |PlaceElsewhere { address, tables, reached, .. }| Place { address, tables, reached };
    let elsewhere = engine.elsewhere().into_iter().map(place).collect();
    Ok(HttpResponse::Ok().json(Health { live: true, ready: true, tables, damaged, elsewhere }))
}

/// Both.
#[utoipa::path(get, path = "/healthz", operation_id = "showHealth", tag = "service",
    responses(
        (status = 200, description = "Alive and ready", body = Health, content_type = "application/json"),
        NotReady,
    ))]
pub(super) async fn healthy(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    ready(state).await
}
