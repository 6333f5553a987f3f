//! `GET /v1/{game}/moves`, `GET /v1/{game}/normal`: answers about a position from the rules alone.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path, Query};
use marquis_engine::{GameEntry, Query as PositionQuery};
use serde::{Deserialize, Serialize};

#[cfg(test)]
use crate::handlers::schema::*;
use crate::params;
use crate::problem::Problem;
use crate::state::AppState;

/// The parameters as texts, so that an error can name the parameter.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct Parameters {
    /// A position text, `start` or `start:SIZE`; `_` may stand for a space.
    #[cfg_attr(test, param(required, example = "start:3"))]
    pub(super) position: Option<String>,
    /// Senet only: the throw whose moves are wanted.
    #[cfg_attr(test, param(value_type = Option<u8>))]
    pub(super) throw: Option<String>,
    /// Moves to play first, separated by spaces or `_`; for Senet `THROW:MOVE`.
    pub(super) play: Option<String>,
    /// Swish and Squeeze: the rule for a player who cannot move, `loss` or `pass`.
    pub(super) immobile: Option<String>,
}

impl Parameters {
    /// The position in the request.
    pub(super) fn read(self, game: &GameEntry) -> Result<PositionQuery, Problem> {
        Ok(PositionQuery {
            game: game.id(),
            position: params::position(self.position)?,
            play: self.play,
            immobile: params::immobile(self.immobile.as_deref())?,
            throw: params::number("throw", self.throw.as_deref())?,
        })
    }
}

/// The same, and a move that the client would like to make.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct WishedMove {
    /// A position text, `start` or `start:SIZE`; `_` may stand for a space.
    #[cfg_attr(test, param(required, example = "start:3"))]
    position: Option<String>,
    /// Senet only: the throw whose moves are wanted.
    #[cfg_attr(test, param(value_type = Option<u8>))]
    throw: Option<String>,
    /// Moves to play first, separated by spaces or `_`; for Senet `THROW:MOVE`.
    play: Option<String>,
    /// Swish and Squeeze: the rule for a player who cannot move, `loss` or `pass`.
    immobile: Option<String>,
    /// A cell in move notation: `why_not` then says why the piece there cannot move.
    #[cfg_attr(test, param(example = "a1"))]
    from: Option<String>,
    /// With `from`: `why_not` then says why the piece there cannot move to this cell.
    to: Option<String>,
}

/// The legal moves of a position, without a search; with `from`, why another move is illegal.
#[cfg_attr(test, utoipa::path(
    get, path = "/v1/{game}/moves", operation_id = "listMoves", tag = "positions",
    params(("game" = path::Game, Path, description = "Which game", example = "squish"), WishedMove),
    responses(
        (status = 200, description = "The moves", body = Legal, content_type = "application/json"),
        Faulty, Later,
    )
))]
pub(super) async fn moves(
    state: Data<AppState>,
    game: Path<String>,
    asked: Result<Query<WishedMove>, actix_web::Error>,
) -> Result<HttpResponse, Problem> {
    let asked = asked.map_err(|error| Problem::malformed("query", &error))?.into_inner();
    let game = params::game(state.registry(), &game)?;
    let WishedMove { position, throw, play, immobile, from, to } = asked;
    let question = Parameters { position, throw, play, immobile }.read(game)?;
    let legal = state.registry().legal(&question, from.as_deref(), to.as_deref())?;
    Ok(HttpResponse::Ok().json(legal))
}

/// A position and the representative of its symmetric images.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Normal {
    game: &'static str,
    /// The canonical text of the position.
    position: String,
    /// The canonical text of the representative: the same for the position turned, mirrored, and with the colours
    /// exchanged if the rules allow it.
    normal: String,
}

/// The representative of all positions that are symmetric to this one: a key for caches of answers.
#[cfg_attr(test, utoipa::path(
    get, path = "/v1/{game}/normal", operation_id = "normalPosition", tag = "positions",
    params(("game" = path::Game, Path, description = "Which game", example = "squish"), Parameters),
    responses(
        (status = 200, description = "The normal form", body = Normal, content_type = "application/json"),
        Faulty, Later,
    )
))]
pub(super) async fn normal(
    state: Data<AppState>,
    game: Path<String>,
    asked: Result<Query<Parameters>, actix_web::Error>,
) -> Result<HttpResponse, Problem> {
    let asked = asked.map_err(|error| Problem::malformed("query", &error))?.into_inner();
    let game = params::game(state.registry(), &game)?;
    let posed = state.registry().pose(&asked.read(game)?)?;
    let game = game.id().name();
    Ok(HttpResponse::Ok().json(Normal { game, position: posed.text(), normal: posed.normal() }))
}
