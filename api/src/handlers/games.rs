//! `GET /v1/games`

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use serde::Serialize;

#[derive(Serialize)]
struct Games {
    games: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    id: &'static str,
    variants: &'static str,
    grammar: &'static str,
    starts: Vec<Start>,
}

#[derive(Serialize)]
struct Start {
    name: String,
    position: String,
}

/// Every game: variants, grammar, start positions.
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
