//! `GET /v1/games`

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Data;
use marquis_engine::{GameEntry, Query, Registry, StartPosition};
use serde::Serialize;

#[cfg(test)]
use crate::handlers::schema::*;
use crate::state::AppState;

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Games {
    games: Vec<Listed>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct Listed {
    id: &'static str,
    /// The available boards and rules.
    variants: &'static str,
    /// How a position is written.
    grammar: &'static str,
    starts: Vec<Start>,
    /// The players, in the order of the rules.
    players: Vec<Player>,
    /// Whether the player to move throws first.
    throws: bool,
    /// Whether a game starts with a set-up that can be balanced.
    set_ups: bool,
    /// Whether players agree on a rule for a player who cannot move: the parameter `immobile`.
    immobile: bool,
    /// The address of the rules.
    rules: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct Player {
    /// The letter in position texts and answers.
    letter: char,
    colour: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct Start {
    /// A name that may be used in place of the position.
    name: String,
    position: String,
    /// Whether `start` alone means this one: the usual board.
    usual: bool,
    /// The names of the cells, row by row in the order of the position text; omitted if the game does not name them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cells: Vec<Vec<String>>,
}

/// Every game: variants, grammar, start positions.
#[cfg_attr(test, utoipa::path(get, path = "/v1/games", operation_id = "listGames", tag = "positions",
    responses(
        (status = 200, description = "Every game", body = Games, content_type = "application/json"),
        Later,
    )))]
pub(super) async fn list(state: Data<AppState>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "public, max-age=3600"))
        .json(Games::of(state.registry()))
}

impl Games {
    /// All games of a registry.
    pub(super) fn of(registry: &Registry) -> Self {
        Self { games: registry.games().map(|game| listed(registry, game)).collect() }
    }
}

fn listed(registry: &Registry, game: &GameEntry) -> Listed {
    let letters = game.letters();
    let player = |player| Player { letter: letters[player], colour: game.colour(player) };
    let start = |StartPosition { name, position, is_usual }| {
        let posed = registry.pose(&Query::new(game.id(), name.clone()));
        Start {
            name,
            position,
            usual: is_usual,
            cells: posed.map_or_else(|_| Vec::new(), |posed| posed.cells()),
        }
    };
    Listed {
        id: game.id().name(),
        variants: game.about().variants,
        grammar: game.about().grammar,
        players: marquis_core::Player::BOTH.map(player).into(),
        throws: game.has_throws(),
        set_ups: game.has_set_ups(),
        immobile: game.about().agrees_on_immobile,
        rules: format!("/v1/{}/rules", game.id()),
        starts: game.starts().into_iter().map(start).collect(),
    }
}
