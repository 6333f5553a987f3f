//! `GET /v1/tables`

use actix_web::HttpResponse;
use actix_web::web::Data;
use marquis_engine::reports::TableInfo;
use serde::Serialize;
use utoipa::ToSchema;

use crate::handlers::refusals::Later;
use crate::problem::Problem;
use crate::state::AppState;

#[derive(Serialize, ToSchema)]
pub(super) struct Tables {
    tables: Vec<TableInfo>,
}

/// What tables are loaded.
#[utoipa::path(get, path = "/v1/tables", operation_id = "listTables", tag = "service",
    responses(
        (status = 200, description = "Every table", body = Tables, content_type = "application/json"),
        Later,
    ))]
pub(super) async fn list(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    Ok(HttpResponse::Ok().json(Tables { tables: state.engine()?.tables() }))
}
