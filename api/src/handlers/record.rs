//! `POST /v1/{game}/record`

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Path};
use marquis_core::GameId;
use marquis_engine::record::{read_record, replay};
use marquis_wire::record::GameRecord;
use serde::Deserialize;

use crate::handlers::body::Body;
#[cfg(test)]
use crate::handlers::schema::*;
use crate::params;
use crate::problem::Problem;
use crate::state::AppState;

/// A game to read.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct Text {
    /// The record of one game: headers, numbered moves, comments in braces, variations in parentheses. A bare list of
    /// moves is a game from the start position.
    #[cfg_attr(test, schema(example = "[Position \"start:3\"]\n\n1. c4-c3 {a comment} *"))]
    record: String,
}

/// The game of a record, move by move with every position; an invalid record is refused with the line and column, or
/// the ply, of the error.
#[cfg_attr(test, utoipa::path(
    post, path = "/v1/{game}/record", operation_id = "readRecord", tag = "records", request_body = Text,
    params(("game" = path::Game, Path, description = "Which game", example = "squish")),
    responses(
        (status = 200, description = "The game", body = GameRecord, content_type = "application/json"),
        Faulty, FaultyBody, Later,
    )
))]
pub(super) async fn read(
    state: Data<AppState>,
    game: Path<String>,
    Body(Text { record }): Body<Text>,
) -> Result<HttpResponse, Problem> {
    let game = params::game(state.registry(), &game)?.id();
    // Replaying ten thousand moves would block a thread that serves clients.
    let read = web::block(move || told(&state, game, &record)).await;
    Ok(HttpResponse::Ok().json(read.map_err(|_| Problem::internal())??))
}

fn told(state: &AppState, game: GameId, text: &str) -> Result<GameRecord, Problem> {
    let record = read_record(text)?;
    Ok(replay(state.registry(), &record, Some(game))?.response(state.registry()))
}
