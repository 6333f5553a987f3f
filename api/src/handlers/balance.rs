//! `POST /v1/{game}/balance`

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web::{Data, Json, Path};
use marquis_engine::{BalanceQuery, Until};
use serde::Deserialize;

use crate::jobs::Stage;
use crate::params;
use crate::problem::Problem;
use crate::state::AppState;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    board: String,
    #[serde(default)]
    bait: u16,
    pie: Option<String>,
    target: Option<u16>,
    immobile: Option<String>,
    #[serde(default)]
    both: bool,
    budget_ms: Option<u64>,
}

/// 200 with the balance if it is ready within the budget, else 202 with the job that goes on.
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
    let board = query.setup()?.text();
    let job = state.jobs().take_up(state.engine()?, BalanceQuery { board, ..query })?;
    let budget = state.config().budget(asked.budget_ms);
    match tokio::time::timeout(budget, job.finished()).await {
        Ok(Stage::Done(balance)) => Ok(HttpResponse::Ok().json(balance.as_ref())),
        Ok(Stage::Failed(problem)) => Err(problem),
        _ => {
            let place = (LOCATION, format!("/v1/jobs/{}", job.id()));
            Ok(HttpResponse::Accepted().insert_header(place).json(job.document()))
        }
    }
}
