//! `GET /v1/{game}?position=…`

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use actix_web::http::header::{CACHE_CONTROL, ETag, EntityTag, Header as _, IfNoneMatch};
use actix_web::web::{self, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use marquis_engine::{Answer, Proof, Query};
use serde::Deserialize;

use crate::params;
use crate::problem::Problem;
use crate::state::{AppState, probe};

/// The parameters as texts, so that what is wrong with one can be said by its name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    position: Option<String>,
    throw: Option<String>,
    budget_ms: Option<String>,
    play: Option<String>,
    immobile: Option<String>,
}

/// The answer about a position: from tables at once, otherwise by a search within the budget.
pub(super) async fn ask(
    request: HttpRequest,
    state: Data<AppState>,
    game: Path<String>,
    asked: web::Query<Asked>,
) -> Result<HttpResponse, Problem> {
    let asked = asked.into_inner();
    let game = params::game(&game)?;
    let position = asked
        .position
        .ok_or_else(|| Problem::bad_input("position", "a position text, `start` or `start:SIZE`", ""))?;
    let query = params::canonical(&Query {
        game,
        position,
        play: asked.play,
        immobile: params::immobile(asked.immobile.as_deref())?,
        throw: params::number("throw", asked.throw.as_deref())?,
    })?;
    let budget = state.config().budget(params::number("budget_ms", asked.budget_ms.as_deref())?);
    let engine = state.engine()?;
    let known = probe(engine, &query)?;
    if known.is_known() || budget.is_zero() {
        return respond(&request, &known);
    }
    let found = state.searches().answer(engine, query, budget).await?;
    respond(&request, found.as_deref().unwrap_or(&known))
}

/// The answer with what a cache has to know about it.
fn respond(request: &HttpRequest, answer: &Answer) -> Result<HttpResponse, Problem> {
    let body = serde_json::to_vec(answer).map_err(|_| Problem::internal())?;
    let mut response = HttpResponse::Ok();
    response.content_type("application/json");
    if !answer.is_known() {
        return Ok(response.insert_header((CACHE_CONTROL, "no-store")).body(body));
    }
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    let tag = EntityTag::new_weak(format!("{:016x}", hasher.finish()));
    // What a search proved may be known in more detail the next time.
    let proof = match answer {
        Answer::Exact(answer) => answer.verdict.proof,
        Answer::Chance(answer) => answer.proof,
    };
    let lasts = matches!(proof, Proof::Rules | Proof::Table);
    response.insert_header((CACHE_CONTROL, if lasts { "public, max-age=86400" } else { "no-cache" }));
    let fresh = match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Items(known)) => known.iter().any(|known| known.weak_eq(&tag)),
        Ok(IfNoneMatch::Any) | Err(_) => false,
    };
    response.insert_header(ETag(tag));
    if fresh {
        return Ok(response.status(actix_web::http::StatusCode::NOT_MODIFIED).finish());
    }
    Ok(response.body(body))
}
