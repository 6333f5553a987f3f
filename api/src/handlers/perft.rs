//! `GET /v1/{game}/perft`

use std::sync::atomic::AtomicBool;

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse};
use marquis_engine::{Control, Limits};
use serde::{Deserialize, Serialize};

use crate::clients::Undertaking;
use crate::handlers::legal;
#[cfg(test)]
use crate::handlers::schema::*;
use crate::params;
use crate::problem::Problem;
use crate::state::AppState;
use crate::times::{Cut, Times};

/// The maximum depth, which is out of reach in practice.
const MOST_PLIES: u32 = 64;

/// The parameters as texts, so that an error can name the parameter.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct Parameters {
    /// A position text, `start` or `start:SIZE`; `_` may stand for a space.
    #[cfg_attr(test, param(required, example = "start:3"))]
    position: Option<String>,
    /// Plies, 1 to 64.
    #[cfg_attr(test, param(required, value_type = u32, example = 3))]
    depth: Option<String>,
    /// Milliseconds for the count.
    #[cfg_attr(test, param(value_type = Option<u64>))]
    budget_ms: Option<String>,
    /// Moves to play first, separated by spaces or `_`.
    play: Option<String>,
    /// Swish and Squeeze: the rule for a player who cannot move, `loss` or `pass`.
    immobile: Option<String>,
}

/// The number of positions after each number of plies.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Counted {
    game: &'static str,
    /// The canonical text of the position.
    position: String,
    /// The requested depth in plies.
    depth: u32,
    /// After exactly 1, 2, … plies, with a finished game counted as one wherever it ends; fewer entries if the time
    /// was up.
    leaves: Vec<u64>,
    /// The requested times that were cut to the allowed maximum; omitted if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schema(required = false))]
    cut: Vec<Cut>,
}

/// Counts positions by plies, so that programs can check their move generators: each position once for every path to
/// it.
#[cfg_attr(test, utoipa::path(
    get, path = "/v1/{game}/perft", operation_id = "countPositions", tag = "positions",
    params(("game" = path::Game, Path, description = "A game without throws", example = "squish"), Parameters),
    responses(
        (status = 200, description = "The counts", body = Counted, content_type = "application/json"),
        Faulty, Later,
    )
))]
pub(super) async fn count(
    request: HttpRequest,
    state: Data<AppState>,
    game: Path<String>,
    asked: Result<Query<Parameters>, actix_web::Error>,
) -> Result<HttpResponse, Problem> {
    let asked = asked.map_err(|error| Problem::malformed("query", &error))?.into_inner();
    let game = params::game(state.registry(), &game)?;
    let depth = plies(asked.depth.as_deref())?;
    let mut times = Times::new(state.config());
    let budget = times.budget(params::number("budget_ms", asked.budget_ms.as_deref())?)?;
    let Parameters { position, play, immobile, .. } = asked;
    let question = legal::Parameters { position, throw: None, play, immobile }.read(game)?;
    let posed = state.registry().pose(&question)?;
    let (game, position) = (game.id().name(), posed.text());
    let clients = state.clients();
    let _permit = clients.begin(clients.of(request.head()), Undertaking::Search)?;
    let work = move |limits: &Limits| {
        let (limits, never) = (Limits { time: Some(budget), ..*limits }, AtomicBool::new(false));
        Ok(posed.perft(depth, &limits, &Control::new(&never, |_| {}))?)
    };
    let leaves = state.searches().aside(work).await?;
    Ok(HttpResponse::Ok().json(Counted { game, position, depth, leaves, cut: times.cut() }))
}

/// The depth, which is required.
fn plies(text: Option<&str>) -> Result<u32, Problem> {
    let depth = params::number("depth", text)?.filter(|depth| (1..=MOST_PLIES).contains(depth));
    depth.ok_or_else(|| Problem::bad_input("depth", "1 to 64 plies", text.unwrap_or("")))
}
