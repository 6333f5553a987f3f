//! `POST /v1/{game}/review`

use std::time::Duration;

use actix_web::web::{self, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use marquis_engine::wire::review::Review;
use marquis_engine::{EngineError, read_record, replay};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::clients::Undertaking;
use crate::handlers::body::Body;
use crate::handlers::path::Game;
use crate::handlers::refusals::{Faulty, FaultyBody, Later};
use crate::handlers::token::{self, Begun};
use crate::job::{Found, JobState};
use crate::params;
use crate::problem::Problem;
use crate::question::Token;
use crate::state::AppState;

/// Milliseconds for each position where nothing is said.
const USUAL_MS: u64 = 500;

/// A game to be looked over.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    /// The record of one game: headers, numbered moves, comments in braces, variations in parentheses.
    #[schema(example = "[Position \"start:3\"]\n\n1. c4-c3 c5-c4 *")]
    record: String,
    /// Milliseconds for each position, 500 where nothing is said, and never more than a search may have.
    move_ms: Option<u64>,
    /// Positions that may be looked at for each position of the game.
    nodes: Option<u64>,
    /// Milliseconds that the request waits for the result; the job goes on after that.
    budget_ms: Option<u64>,
}

/// 200 with the review if it is ready within the budget, else 202 with the job that goes on, move by move; its id is
/// known to whoever asked alone.
#[utoipa::path(
    post, path = "/v1/{game}/review", operation_id = "reviewRecord", tag = "records", request_body = Asked,
    params(("game" = Game, Path, description = "Which game"), token::OptionalHeader),
    responses(
        (status = 200, description = "The review", body = Review, content_type = "application/json"),
        (status = 202, description = "A job goes on; Location says where", body = Begun,
            content_type = "application/json",
            links(
                ("job" = (operation_id = "showJob", parameters(("id" = "$response.body#/id")))),
                ("events" = (operation_id = "followJob", parameters(("id" = "$response.body#/id")))),
                ("cancel" = (operation_id = "cancelJob", parameters(("id" = "$response.body#/id")))),
            )),
        Faulty, FaultyBody, Later,
    )
)]
pub(super) async fn ask(
    request: HttpRequest,
    state: Data<AppState>,
    game: Path<String>,
    Body(asked): Body<Asked>,
) -> Result<HttpResponse, Problem> {
    let Asked { record, move_ms, nodes, budget_ms } = asked;
    let token = token::said(&request)?.unwrap_or_else(Token::random);
    let budget = state.config().budget(params::budget(budget_ms)?);
    let time = state.config().budget(params::budget(Some(move_ms.unwrap_or(USUAL_MS)))?);
    let game = params::game(state.registry(), &game)?.id();
    let engine = state.engine()?;
    let registry = state.registry().clone();
    // Ten thousand moves are not played on a thread that talks to clients.
    let replayed = web::block(move || replay(&registry, &read_record(&record)?, Some(game)));
    let replayed = replayed.await.map_err(|_| Problem::internal())?;
    let replayed = replayed.map_err(|error: EngineError| Problem::from(error))?;
    let permit = state.clients().begin(state.clients().of(request.head()), Undertaking::Job)?;
    let time = time.max(Duration::from_millis(1));
    let job = state.jobs().review(engine, replayed, (time, nodes), &token, permit)?;
    match tokio::time::timeout(budget, job.finished()).await {
        Ok(JobState::Done(Found::Review(review))) => Ok(HttpResponse::Ok().json(review.as_ref())),
        Ok(JobState::Failed(problem)) => Err(problem),
        _ => Ok(token::goes_on(&job, token).await),
    }
}
