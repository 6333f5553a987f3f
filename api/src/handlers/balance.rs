//! `POST /v1/{game}/balance`

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web::{Data, Json, Path};
use marquis_engine::Balance;
use marquis_engine::{BalanceQuery, Until};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::handlers::description::Game;
use crate::job::{JobDocument, Stage};
use crate::params;
use crate::problem::{Problem, ProblemDocument};
use crate::question::Question;
use crate::state::AppState;

/// A set-up to be balanced.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SetUp)]
pub(super) struct Asked {
    /// The rows from the top, without a player to move.
    #[schema(example = "w1w/4/1ooo1/4/b1b")]
    board: String,
    /// The beads beside the board, with the older pie.
    #[serde(default)]
    bait: u16,
    /// `marquisian`, the default, or `bait`.
    pie: Option<String>,
    /// The beads that win; the majority where nothing is said.
    target: Option<u16>,
    /// What befalls a player who cannot move: `loss`, the default, or `pass`.
    immobile: Option<String>,
    /// Whether both colours are to be decided.
    #[serde(default)]
    both: bool,
    /// Milliseconds that the request waits for the result; the job goes on after that.
    budget_ms: Option<u64>,
}

/// 200 with the balance if it is ready within the budget, else 202 with the job that goes on.
#[utoipa::path(
    post, path = "/v1/{game}/balance", tag = "set-ups", request_body = Asked,
    params(("game" = Game, Path, description = "swish or squeeze")),
    responses(
        (status = 200, description = "The balance", body = Balance, content_type = "application/json"),
        (status = 202, description = "A job goes on; Location says where", body = JobDocument,
            content_type = "application/json"),
        (status = 400, description = "The set-up is wrong", body = ProblemDocument,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such game", body = ProblemDocument,
            content_type = "application/problem+json"),
        (status = 413, description = "The body is too large", body = ProblemDocument,
            content_type = "application/problem+json"),
        (status = 415, description = "The body is not JSON", body = ProblemDocument,
            content_type = "application/problem+json"),
        (status = 429, description = "Too many jobs are waiting", body = ProblemDocument,
            content_type = "application/problem+json"),
        (status = 503, description = "The service starts or stops", body = ProblemDocument,
            content_type = "application/problem+json"),
    )
)]
pub(super) async fn ask(
    state: Data<AppState>,
    game: Path<String>,
    asked: Json<Asked>,
) -> Result<HttpResponse, Problem> {
    let asked = asked.into_inner();
    let query = BalanceQuery {
        game: params::game(&game)?,
        board: asked.board,
        bait: asked.bait,
        pie: params::pie(asked.pie.as_deref())?,
        target: asked.target,
        immobile: params::immobile(asked.immobile.as_deref())?,
        until: if asked.both { Until::BothColours } else { Until::Choice },
    };
    let job = state.jobs().take_up(state.engine()?, Question::of(&query)?)?;
    let budget = state.config().budget(asked.budget_ms);
    match tokio::time::timeout(budget, job.finished()).await {
        Ok(Stage::Done(balance)) => Ok(HttpResponse::Ok().json(balance.as_ref())),
        Ok(Stage::Failed(problem)) => Err(problem),
        _ => {
            // What is acknowledged is on the disk, or says that it is not.
            job.settled().await;
            let place = (LOCATION, format!("/v1/jobs/{}", job.id()));
            Ok(HttpResponse::Accepted().insert_header(place).json(job.document()))
        }
    }
}
