//! `GET /v1/games`

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Data;
use marquis_engine::{Game, Query, Registry, StartPosition};
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
    /// The players, in the order of the rules.
    players: Vec<Player>,
    /// Whether the player to move throws first.
    throws: bool,
    /// Whether a game begins with a set-up that can be balanced.
    set_ups: bool,
    /// Whether players agree on what befalls one who cannot move: the parameter `immobile`.
    immobile: bool,
    /// Where the rules are.
    rules: String,
}

#[derive(Serialize, ToSchema)]
struct Player {
    /// In position texts and answers.
    letter: char,
    colour: &'static str,
}

#[derive(Serialize, ToSchema)]
struct Start {
    /// What may be asked for in place of the position.
    name: String,
    position: String,
    /// Whether `start` alone means it: the board that people play on.
    usual: bool,
    /// The names of the cells, row by row in the order of the position text; left out where the game has not told them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cells: Vec<Vec<String>>,
}

/// Every game: variants, grammar, start positions.
#[utoipa::path(get, path = "/v1/games", operation_id = "listGames", tag = "positions",
    responses(
        (status = 200, description = "Every game", body = Games, content_type = "application/json"),
        Later,
    ))]
pub(super) async fn list(state: Data<AppState>) -> HttpResponse {
    let games = state.registry().games().map(|game| listed(state.registry(), game)).collect();
    HttpResponse::Ok().insert_header((CACHE_CONTROL, "public, max-age=3600")).json(Games { games })
}

fn listed(registry: &Registry, game: &Game) -> Listed {
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
        players: marquis_engine::Player::BOTH.map(player).into(),
        throws: game.has_throws(),
        set_ups: game.has_set_ups(),
        immobile: game.about().agrees_on_immobile,
        rules: format!("/v1/{}/rules", game.id()),
        starts: game.starts().into_iter().map(start).collect(),
    }
}
