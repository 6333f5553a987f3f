//! `GET /v1/{game}/book`

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Data, Path};

#[cfg(test)]
use crate::handlers::schema::*;
use crate::params;
use crate::problem::Problem;
use crate::state::AppState;

/// The known results of a game: official starts and other positions with a proved value, each with its best moves and
/// the command that proves it again. Answers based on them have `proof: book`.
#[cfg_attr(test, utoipa::path(get, path = "/v1/{game}/book", operation_id = "listBook", tag = "positions",
    params(("game" = path::Game, Path, description = "Which game", example = "squish")),
    responses(
        (status = 200, description = "The known results", body = BookReport, content_type = "application/json"),
        UnknownGame, Later,
    )))]
pub(super) async fn list(name: Path<String>, state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let game = params::game(state.registry(), &name)?.id();
    let book = state.registry().book(Some(game));
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "public, max-age=3600")).json(book))
}
