//! `POST /v1/{game}/balance`

use std::sync::Arc;
use std::time::Duration;

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use marquis_engine::{BalanceQuery, Control, Limits, PosedSetUp, Until};
use serde::Deserialize;

use crate::clients::Undertaking;
use crate::faults::without_damaged;
use crate::handlers::begun::{self, JobTerms};
use crate::handlers::body::Body;
#[cfg(test)]
use crate::handlers::schema::*;
use crate::jobs::job::Listening;
use crate::kinds::{JobQuestion, JobResult, SetUpQuestion};
use crate::params;
use crate::problem::Problem;
use crate::state::AppState;
use crate::times::Cut;

/// A set-up to balance.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct SetUp {
    /// The rows from the top, without a player to move.
    #[cfg_attr(test, schema(example = "w1w/4/1ooo1/4/b1b"))]
    board: String,
    /// The number of beads off the board, with the older pie.
    #[serde(default)]
    bait: u16,
    /// `marquisian`, the default, or `bait`.
    pie: Option<String>,
    /// The number of beads that win; by default the majority.
    target: Option<u16>,
    /// The rule for a player who cannot move: `loss`, the default, or `pass`.
    immobile: Option<String>,
    /// Whether to decide both colours.
    #[serde(default)]
    both: bool,
    /// Milliseconds that the request waits for the result; the job continues after that.
    budget_ms: Option<u64>,
    /// Milliseconds that the job may work, limited by the service; the wait for turns is not counted. By default the
    /// maximum. With 0 there is no job: the response is the result of an earlier one, or what is known at once.
    limit_ms: Option<u64>,
    /// Whether the job continues if nobody asks about it any more.
    #[serde(default)]
    go_on: bool,
}

/// 200 with the balance if it is ready within the budget, else 202 with the job, which continues.
#[cfg_attr(test, utoipa::path(
    post, path = "/v1/{game}/balance", operation_id = "weighSetUp", tag = "set-ups", request_body = SetUp,
    params(("game" = path::Game, Path, description = "A game with set-ups", example = "swish"), token::OptionalHeader),
    responses(
        (status = 200, description = "The balance", body = Balance, content_type = "application/json"),
        Continues, Faulty, FaultyBody, Later,
    )
))]
pub(super) async fn ask(
    request: HttpRequest,
    state: Data<AppState>,
    game: Path<String>,
    Body(asked): Body<SetUp>,
) -> Result<HttpResponse, Problem> {
    let terms = JobTerms::read(state.config(), asked.budget_ms, asked.limit_ms, Listening::of(asked.go_on))?;
    let query = BalanceQuery {
        game: params::game(state.registry(), &game)?.id(),
        board: asked.board,
        bait: asked.bait,
        pie: params::pie(asked.pie.as_deref())?,
        target: asked.target,
        immobile: params::immobile(asked.immobile.as_deref())?,
        until: if asked.both { Until::BothColours } else { Until::Choice },
    };
    let set_up = state.registry().lay_out(&query)?;
    let question = JobQuestion::Balance(SetUpQuestion::of(&set_up));
    if terms.limit.is_zero() {
        return known(&request, &state, (&question, set_up), terms.times.cut()).await;
    }
    let work = question.read(state.registry())?;
    begun::answer(&request, &state, (question, work), terms).await
}

/// 200 with the result of an earlier job, else with what tables, proofs and the rules know.
async fn known(
    request: &HttpRequest,
    state: &AppState,
    (question, set_up): (&JobQuestion, PosedSetUp),
    cut: Vec<Cut>,
) -> Result<HttpResponse, Problem> {
    if let Some(found) = state.jobs().found_earlier(question) {
        return Ok(begun::ready(&found, &cut));
    }
    let (engine, faults) = (Arc::clone(state.engine()?), Arc::clone(state.faults()));
    let (clients, game) = (state.clients(), set_up.query().game);
    let _permit = clients.begin(clients.of(request.head()), Undertaking::Search)?;
    let look = move |limits: &Limits| {
        let at_once = Limits { time: Some(Duration::ZERO), ..*limits };
        let balance = || engine.balance(&set_up, &at_once, &Control::none());
        Ok(JobResult::Balance(Box::new(without_damaged(&engine, &faults, balance)?)))
    };
    let found = state.searches_of(game).aside(look).await?;
    Ok(begun::ready(&found, &cut))
}
