//! `POST /v1/{game}/review`

use actix_web::web::{self, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;

use crate::handlers::begun::{self, JobTerms};
use crate::handlers::body::Body;
#[cfg(test)]
use crate::handlers::schema::*;
use crate::jobs::job::Listening;
use crate::kinds::{JobQuestion, ReviewQuestion};
use crate::params;
use crate::problem::Problem;
use crate::state::AppState;

/// Default milliseconds for each position.
const USUAL_MS: u64 = 500;

/// A game to review.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct ReviewRequest {
    /// The record of one game: headers, numbered moves, comments in braces, variations in parentheses.
    #[cfg_attr(test, schema(example = "[Position \"start:3\"]\n\n1. c4-c3 b3xc3 *"))]
    record: String,
    /// Milliseconds for each position, 500 by default, limited like those of a search.
    move_ms: Option<u64>,
    /// The maximum number of positions to look at for each position of the game.
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

/// 200 with the review if it is ready within the budget, else 202 with the job, which continues move by move; only
/// this client knows its id.
#[cfg_attr(test, utoipa::path(
    post, path = "/v1/{game}/review", operation_id = "reviewRecord", tag = "records", request_body = ReviewRequest,
    params(("game" = path::Game, Path, description = "Which game", example = "squish"), token::OptionalHeader),
    responses(
        (status = 200, description = "The review", body = Review, content_type = "application/json"),
        Continues, Faulty, FaultyBody, Later,
    )
))]
pub(super) async fn ask(
    request: HttpRequest,
    state: Data<AppState>,
    game: Path<String>,
    Body(asked): Body<ReviewRequest>,
) -> Result<HttpResponse, Problem> {
    let ReviewRequest { record, move_ms, nodes, budget_ms, limit_ms, go_on } = asked;
    let mut terms = JobTerms::read(state.config(), budget_ms, limit_ms, Listening::of(go_on))?;
    let time = terms.times.short("move_ms", move_ms, USUAL_MS)?;
    let nodes = params::whole("nodes", nodes)?;
    let game = params::game(state.registry(), &game)?.id().name().to_owned();
    let move_ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let question = JobQuestion::Review(ReviewQuestion { game, record, move_ms, nodes });
    let registry = state.registry().clone();
    state.engine()?;
    // Replaying ten thousand moves would block a thread that serves clients.
    let read = web::block(move || question.read(&registry).map(|work| (question, work)));
    let read = read.await.map_err(|_| Problem::internal())??;
    begun::answer(&request, &state, read, terms).await
}
