//! `/livez`, `/readyz`, `/healthz`

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde::Serialize;

use crate::problem::Problem;
use crate::state::AppState;

#[derive(Serialize)]
struct Live {
    live: bool,
}

#[derive(Serialize)]
struct Health {
    live: bool,
    ready: bool,
    /// How many tables are loaded.
    tables: usize,
}

/// 200 as long as the process answers at all.
pub(super) async fn live() -> HttpResponse {
    HttpResponse::Ok().json(Live { live: true })
}

/// 200 once questions are answered, 503 while the service starts or stops.
pub(super) async fn ready(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let tables = state.engine()?.tables().len();
    Ok(HttpResponse::Ok().json(Health { live: true, ready: true, tables }))
}

/// Both.
pub(super) async fn healthy(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    ready(state).await
}
