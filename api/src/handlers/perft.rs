//! `GET /v1/{game}/perft`

use std::sync::atomic::AtomicBool;

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse};
use marquis_engine::{Control, Limits};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::clients::Undertaking;
use crate::handlers::refusals::{Faulty, Later};
use crate::handlers::{legal, path};
use crate::params;
use crate::problem::Problem;
use crate::state::AppState;
use crate::times::{Cut, Times};

/// Plies that can be asked for at most; nobody gets so far.
const MOST_PLIES: u32 = 64;

/// The parameters as texts, so that what is wrong with one can be said by its name.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Parameters {
    /// A position text, `start` or `start:SIZE`; `_` may stand for a space.
    #[param(required, example = "start:3")]
    position: Option<String>,
    /// Plies, 1 to 64.
    #[param(required, value_type = u32, example = 3)]
    depth: Option<String>,
    /// Milliseconds that counting may take.
    #[param(value_type = Option<u64>)]
    budget_ms: Option<String>,
    /// Moves to play first, separated by spaces or `_`.
    play: Option<String>,
    /// Swish and Squeeze: what befalls a player who cannot move, `loss` or `pass`.
    immobile: Option<String>,
}

/// How many positions there are after so many plies.
#[derive(Serialize, ToSchema)]
pub(super) struct Counted {
    game: &'static str,
    /// The canonical text of the position.
    position: String,
    /// The plies that were asked for.
    depth: u32,
    /// After exactly 1, 2, … plies, a finished game counting as one wherever it ends; fewer where the time was up.
    leaves: Vec<u64>,
    /// The times of the request that were cut to what is allowed; left out where none was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    cut: Vec<Cut>,
}

/// Positions counted by plies, with which programs check their moves: each once for every way to get there.
#[utoipa::path(
    get, path = "/v1/{game}/perft", operation_id = "countPositions", tag = "positions",
    params(("game" = path::Game, Path, description = "Which game, none with throws", example = "squish"), Parameters),
    responses(
        (status = 200, description = "The counts", body = Counted, content_type = "application/json"),
        Faulty, Later,
    )
)]
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

/// The depth, which has to be there.
fn plies(text: Option<&str>) -> Result<u32, Problem> {
    let depth = params::number("depth", text)?.filter(|depth| (1..=MOST_PLIES).contains(depth));
    depth.ok_or_else(|| Problem::bad_input("depth", "1 to 64 plies", text.unwrap_or("")))
}
