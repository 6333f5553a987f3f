//! `GET /v1/{game}/gallery` and `GET /v1/{game}/gallery/{file}`

use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, ContentDisposition};
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;

#[cfg(test)]
use crate::handlers::schema::*;
use crate::params;
use crate::problem::Problem;
use crate::proof_files::ProofAt;
use crate::proved_set_ups::{Exhibit, exhibits, proof};
use crate::state::AppState;

/// Both are built into the program, and change only with it.
const KEPT: (actix_web::http::header::HeaderName, &str) = (CACHE_CONTROL, "public, max-age=3600");

/// Proved set-ups for players, the easiest first.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Gallery {
    set_ups: Vec<Shown>,
}

/// A proved set-up. The result is omitted, because the set-up is a puzzle.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct Shown {
    /// The rows from the top.
    #[cfg_attr(test, schema(example = "3/1oo1/2oo1/1o2/1wb"))]
    board: &'static str,
    /// How Player Two chooses: `marquisian` or `bait`, without a bait.
    #[cfg_attr(test, schema(example = "marquisian"))]
    pie: &'static str,
    /// The level, from 1 to 9, of a player who finds the right choice and then wins in half of the games; null if
    /// nobody can win.
    rating: Option<f64>,
    /// The file that proves the values for both colours.
    proof: ProofAt,
}

/// The built-in set-ups of a game, each proved for both colours and therefore for both pies.
#[cfg_attr(test, utoipa::path(get, path = "/v1/{game}/gallery", operation_id = "listGallery", tag = "set-ups",
    params(("game" = path::Game, Path, description = "Which game", example = "swish")),
    responses(
        (status = 200, description = "The set-ups; empty if the game has none", body = Gallery,
            content_type = "application/json"),
        UnknownGame, Later,
    )))]
pub(super) async fn list(name: Path<String>, state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let game = params::game(state.registry(), &name)?.id().name();
    let shown = |Exhibit { board, pie, rating, proof: file, .. }: Exhibit| {
        let bytes = proof(state.registry(), file).map_or(0, |bytes| bytes.len() as u64);
        Shown {
            board,
            pie: pie.name(),
            rating,
            proof: ProofAt::new(format!("/v1/{game}/gallery/{file}"), bytes),
        }
    };
    let set_ups = exhibits().filter(|exhibit| exhibit.game == game).map(shown).collect();
    Ok(HttpResponse::Ok().insert_header(KEPT).json(Gallery { set_ups }))
}

/// The proof of a set-up in the gallery, to be replayed with `marquis check-proof`.
#[cfg_attr(test, utoipa::path(get, path = "/v1/{game}/gallery/{file}", operation_id = "downloadGalleryProof", tag = "set-ups",
    params(
        ("game" = path::Game, Path, description = "Which game", example = "swish"),
        ("file" = String, Path, description = "The proof, as the gallery names it", example = "01.proof"),
    ),
    responses(
        (status = 200, description = "The file", body = [u8], content_type = "application/octet-stream"),
        UnknownGame, Later,
    )))]
pub(super) async fn file(
    request: HttpRequest,
    names: Path<(String, String)>,
    state: Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let (game, name) = names.into_inner();
    let game = params::game(state.registry(), &game)?.id().name();
    let hangs = exhibits().any(|exhibit| exhibit.game == game && exhibit.proof == name);
    let bytes =
        proof(state.registry(), &name).filter(|_| hangs).ok_or_else(|| Problem::not_found(request.path()))?;
    let saved = ContentDisposition::attachment(format!("{game}-{name}"));
    let mut response = HttpResponse::Ok();
    response.insert_header(KEPT).insert_header((CONTENT_DISPOSITION, saved));
    Ok(response.content_type("application/octet-stream").body(bytes))
}
