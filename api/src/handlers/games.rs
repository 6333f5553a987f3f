//! `GET /v1/games`

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Data;
use marquis_engine::Game;
use serde::Serialize;
use utoipa::ToSchema;

use crate::handlers::refusals::Later;
use crate::state::AppState;

#[derive(Serialize, ToSchema)]
pub(super) struct Games {
    games: Vec<Listed>,
}

#[derive(Serialize, ToSchema)]
struct Listed {
    id: &'static str,
    /// What boards and rules there are.
    variants: &'static str,
    /// How a position is written.
    grammar: &'static str,
    starts: Vec<Start>,
    /// Where the rules are.
    rules: String,
}

#[derive(Serialize, ToSchema)]
struct Start {
    /// What may be asked for in place of the position.
    name: String,
    position: String,
}

/// Every game: variants, grammar, start positions.
#[utoipa::path(get, path = "/v1/games", operation_id = "listGames", tag = "positions",
    responses(
        (status = 200, description = "Every game", body = Games, content_type = "application/json"),
        Later,
    ))]
pub(super) async fn list(state: Data<AppState>) -> HttpResponse {
    let listed = |game: &Game| Listed {
        id: game.id().name(),
        variants: game.about().variants,
        grammar: game.about().grammar,
        rules: format!("/v1/{}/rules", game.id()),
        starts: game.starts().into_iter().map(|(name, position)| Start { name, position }).collect(),
    };
    let games = state.registry().games().map(listed).collect();
    HttpResponse::Ok().insert_header((CACHE_CONTROL, "public, max-age=3600")).json(Games { games })
}
