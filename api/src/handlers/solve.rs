//! `POST /v1/{game}/solve`

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use marquis_engine::Query;
use serde::Deserialize;

use crate::handlers::begun::{self, JobTerms};
use crate::handlers::body::Body;
#[cfg(test)]
use crate::handlers::schema::*;
use crate::jobs::job::Listening;
use crate::kinds::{JobQuestion, SolveQuestion};
use crate::params;
use crate::problem::Problem;
use crate::state::AppState;

/// A position to solve.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
#[cfg_attr(test, schema(example = json!({"position": "start:3", "limit_ms": 600_000})))]
pub(super) struct SolveRequest {
    /// A position text, `start` or `start:SIZE`; `_` may stand for a space.
    position: String,
    /// Moves to play first, separated by spaces or `_`; for Senet `THROW:MOVE`.
    play: Option<String>,
    /// Swish and Squeeze: the rule for a player who cannot move, `loss` or `pass`.
    immobile: Option<String>,
    /// Senet only: the throw to answer for.
    throw: Option<u8>,
    /// The maximum number of positions to look at.
    nodes: Option<u64>,
    /// Milliseconds that the request waits for the result; the job continues after that.
    budget_ms: Option<u64>,
    /// Milliseconds that the job may work, limited by the service; the wait for turns is not counted. By default the
    /// maximum.
    limit_ms: Option<u64>,
    /// Whether the job continues if nobody asks about it any more.
    #[serde(default)]
    go_on: bool,
}

/// 200 with the answer if it is ready within the budget, else 202 with the job, which continues.
///
/// The same answer as from `GET /v1/{game}`, with more time: until the value is proved, or until the job ends with
/// the result so far. The proof can be downloaded as a file.
#[cfg_attr(test, utoipa::path(
    post, path = "/v1/{game}/solve", operation_id = "solvePosition", tag = "positions", request_body = SolveRequest,
    params(("game" = path::Game, Path, description = "Which game", example = "squish"), token::OptionalHeader),
    responses(
        (status = 200, description = "The values of the position and of every move", body = Answer,
            content_type = "application/json"),
        Continues, Faulty, FaultyBody, Later,
    )
))]
pub(super) async fn ask(
    request: HttpRequest,
    state: Data<AppState>,
    game: Path<String>,
    Body(asked): Body<SolveRequest>,
) -> Result<HttpResponse, Problem> {
    let terms = JobTerms::read(state.config(), asked.budget_ms, asked.limit_ms, Listening::of(asked.go_on))?;
    let nodes = params::whole("nodes", asked.nodes)?;
    let query = Query {
        game: params::game(state.registry(), &game)?.id(),
        position: asked.position,
        play: asked.play,
        immobile: params::immobile(asked.immobile.as_deref())?,
        throw: asked.throw,
    };
    let question = JobQuestion::Solve(SolveQuestion::of(&state.registry().pose(&query)?, nodes));
    let work = question.read(state.registry())?;
    begun::answer(&request, &state, (question, work), terms).await
}
