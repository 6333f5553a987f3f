//! `GET /v1/tables`

use actix_web::HttpResponse;
use actix_web::web::Data;
use marquis_engine::reports::TableInfo;
use serde::Serialize;

use crate::problem::Problem;
use crate::state::AppState;

#[derive(Serialize)]
struct Tables {
    tables: Vec<TableInfo>,
}

/// What tables are loaded.
pub(super) async fn list(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    Ok(HttpResponse::Ok().json(Tables { tables: state.engine()?.tables() }))
}
