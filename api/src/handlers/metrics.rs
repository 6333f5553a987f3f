//! `GET /metrics`

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Data;

use crate::problem::Problem;
use crate::state::AppState;

/// The media type for Prometheus.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The metrics of the service for Prometheus.
#[cfg_attr(test, utoipa::path(get, path = "/metrics", operation_id = "showMetrics", tag = "service",
    responses((status = 200, description = "OpenMetrics text", body = String,
        content_type = "application/openmetrics-text"))))]
pub(super) async fn show(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let text = state.metrics().text(&state.levels()).map_err(|_| Problem::internal())?;
    let mut response = HttpResponse::Ok();
    Ok(response.content_type(OPEN_METRICS).insert_header((CACHE_CONTROL, "no-store")).body(text))
}
