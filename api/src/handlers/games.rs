//! `GET /v1/games`

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use serde::Serialize;
use utoipa::ToSchema;

use crate::handlers::refusals::Later;

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
}

#[derive(Serialize, ToSchema)]
struct Start {
    /// What may be asked for in place of the position.
    name: String,
    position: String,
}

/// Every game: variants, grammar, start positions.
#[utoipa::path(get, path = "/v1/games", tag = "positions",
    responses(
        (status = 200, description = "All six games", body = Games, content_type = "application/json"),
        Later,
    ))]
pub(super) async fn list() -> HttpResponse {
    let listed = |about: marquis_engine::About| Listed {
        id: about.id.name(),
        variants: about.variants,
        grammar: about.grammar,
        starts: about.starts.into_iter().map(|(name, position)| Start { name, position }).collect(),
    };
    let games = marquis_engine::games().into_iter().map(listed).collect();
    HttpResponse::Ok().insert_header((CACHE_CONTROL, "public, max-age=3600")).json(Games { games })
}
