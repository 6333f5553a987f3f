//! `POST /v1/{game}/generate`

use actix_web::web::{self, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use marquis_engine::Limits;
use serde::{Deserialize, Serialize};

use crate::clients::Undertaking;
use crate::handlers::begun::{self, JobTerms};
use crate::handlers::body::Body;
#[cfg(test)]
use crate::handlers::schema::*;
use crate::handlers::token;
use crate::jobs::job::Listening;
use crate::kinds::{BuildQuestion, BuildSite, Built, JobQuestion, Plan};
use crate::params;
use crate::problem::Problem;
use crate::state::AppState;

/// Tables to generate, in the terms of the game.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
#[cfg_attr(test, schema(example = json!({"side": 3, "pieces": "2v2", "dry_run": true})))]
pub(super) struct GenerateRequest {
    /// Cells along an edge.
    side: Option<u8>,
    /// Pieces per side, such as `3v3`: that layer and all that it leads to; for Swish and Squeeze the rooks.
    pieces: Option<String>,
    /// For Swish and Squeeze: the number of beads, in any placement.
    beads: Option<u8>,
    /// A position text, a set-up, `start` or `start:SIZE`: everything reachable from it.
    from: Option<String>,
    /// Swish and Squeeze: the rule for a player who cannot move, `loss` or `pass`.
    immobile: Option<String>,
    /// For Senet: bytes per chance, 2 or 4; 4 by default.
    bytes: Option<u8>,
    /// Whether to return only the plan, with a time estimate from a trial of one second, without building anything.
    #[serde(default)]
    dry_run: bool,
    /// Milliseconds that the request waits for the result; the job continues after that.
    budget_ms: Option<u64>,
    /// Milliseconds that the job may work, limited by the service; the wait for turns is not counted. By default the
    /// maximum.
    limit_ms: Option<u64>,
    /// Whether the job continues if nobody asks about it any more.
    #[serde(default)]
    go_on: bool,
}

/// The response that is ready at once.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(untagged)]
enum Ready {
    Plan(Plan),
    #[expect(dead_code, reason = "describes what is sent as of any job")]
    Built(Built),
}

/// 200 with the plan of a dry run, or with the tables if they are built within the budget, else 202 with the job,
/// which continues.
///
/// Only if the operator allows it (the setting `generate`). The tables are loaded when the job is done. The finished
/// part of a stopped build is kept, and the same call resumes it.
#[cfg_attr(test, utoipa::path(
    post, path = "/v1/{game}/generate", operation_id = "generateTables", tag = "service", request_body = GenerateRequest,
    params(("game" = path::Game, Path, description = "Which game", example = "squish"), token::OptionalHeader),
    responses(
        (status = 200, description = "The plan, or the tables", body = Ready, content_type = "application/json"),
        Continues, Faulty, FaultyBody, NotAllowed, Later,
    )
))]
pub(super) async fn ask(
    request: HttpRequest,
    state: Data<AppState>,
    game: Path<String>,
    Body(asked): Body<GenerateRequest>,
) -> Result<HttpResponse, Problem> {
    let game = params::game(state.registry(), &game)?.id().name().to_owned();
    let site = state.config().builds().ok_or_else(Problem::not_allowed)?;
    let terms = JobTerms::read(state.config(), asked.budget_ms, asked.limit_ms, Listening::of(asked.go_on))?;
    state.engine()?;
    // A dry run has no job, but a wrong token is an error all the same.
    token::said(&request)?;
    let bytes = asked.bytes.unwrap_or(4);
    if ![2, 4].contains(&bytes) {
        return Err(Problem::bad_input("bytes", "2 or 4", &bytes.to_string()));
    }
    if asked.side.is_none() && asked.pieces.is_none() && asked.from.is_none() {
        return Err(Problem::bad_input("side", "`side`, `pieces` or `from`", ""));
    }
    let question = BuildQuestion {
        game,
        side: asked.side,
        pieces: asked.pieces,
        from: asked.from,
        beads: asked.beads,
        immobile: params::immobile(asked.immobile.as_deref())?.name().to_owned(),
        bytes,
    };
    let registry = state.registry().clone();
    // A plan lists all placements, which takes as much time and memory as a search.
    let clients = state.clients();
    let permit = clients.begin(clients.of(request.head()), Undertaking::Search)?;
    let place = if question.pieces.is_some() {
        "pieces"
    } else if question.from.is_some() {
        "from"
    } else {
        "side"
    };
    let planning = site.clone();
    let planned = web::block(move || question.plan(&registry, &planning).map(|plan| (question, plan)));
    let (question, plan) = planned.await.map_err(|_| Problem::internal())??;
    if asked.dry_run {
        return dry_run(&state, site, question, plan).await;
    }
    drop(permit);
    let (memory, disk) = (site.memory, state.config().generate_disk);
    for (needed, most, what) in [
        (plan.least_memory_bytes, memory, "memory for a build"),
        (plan.most_disk_bytes, disk, "disk space for a build"),
    ] {
        if needed > most.0 {
            return Err(Problem::too_large(place, what, needed, most.0));
        }
    }
    let question = JobQuestion::Generate(question);
    let work = question.read(state.registry())?;
    begun::answer(&request, &state, (question, work), terms).await
}

/// The plan, with the time estimate of a trial.
///
/// # Errors
/// A folder that cannot be written.
async fn dry_run(
    state: &AppState,
    site: BuildSite,
    question: BuildQuestion,
    plan: Plan,
) -> Result<HttpResponse, Problem> {
    let registry = state.registry().clone();
    let trial = move |limits: &Limits| question.estimate(&registry, &site, limits);
    let estimate = state.searches().aside(trial).await?;
    Ok(HttpResponse::Ok().json(Ready::Plan(plan.lasting(estimate))))
}
