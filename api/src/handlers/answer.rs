//! `GET /v1/{game}?position=…`

use std::hash::{BuildHasher as _, Hasher as _};
use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_TYPE, ETAG, EntityTag, Header as _, HeaderValue, IF_NONE_MATCH, IfNoneMatch,
};
use actix_web::web::{self, Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use marquis_engine::{Answer, Proof};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::cache::{Ready, key_of};
use crate::handlers::description::Game;
use crate::params;
use crate::problem::{Problem, ProblemDocument};
use crate::state::{AppState, Moves, probe};

/// The parameters as texts, so that what is wrong with one can be said by its name.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Asked {
    /// A position text, `start` or `start:SIZE`; `_` may stand for a space.
    #[param(required, example = "start:3")]
    position: Option<String>,
    /// Senet only: the throw to answer for.
    #[param(value_type = Option<u8>)]
    throw: Option<String>,
    /// Milliseconds that a search may take where no table answers; 0 for no search.
    #[param(value_type = Option<u64>)]
    budget_ms: Option<String>,
    /// Moves to play first, separated by spaces or `_`; for Senet `THROW:MOVE`.
    play: Option<String>,
    /// Swish and Squeeze: what befalls a player who cannot move, `loss` or `pass`.
    immobile: Option<String>,
}

/// The answer about a position: from tables at once, otherwise by a search within the budget.
#[utoipa::path(
    get, path = "/v1/{game}", tag = "positions",
    params(("game" = Game, Path, description = "Which game"), Asked),
    responses(
        (status = 200, description = "What is known of the position and of every move", body = Answer,
            content_type = "application/json"),
        (status = 304, description = "The client has it already: If-None-Match named its ETag"),
        (status = 400, description = "A parameter or the position is wrong", body = ProblemDocument,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such game", body = ProblemDocument,
            content_type = "application/problem+json"),
        (status = 429, description = "Too many searches are waiting", body = ProblemDocument,
            content_type = "application/problem+json"),
        (status = 503, description = "The service starts or stops", body = ProblemDocument,
            content_type = "application/problem+json"),
    )
)]
pub(super) async fn ask(request: HttpRequest, state: Data<AppState>) -> Result<HttpResponse, Problem> {
    state.engine()?;
    let key = request.uri().path_and_query().map_or("", |text| text.as_str());
    if let Some(ready) = state.answers().get(key) {
        state.metrics().answered("cache");
        return Ok(respond(&request, &ready));
    }
    match find(&request, &state).await? {
        Found::Ready(ready) => {
            state.answers().keep(key, Arc::clone(&ready));
            Ok(respond(&request, &ready))
        }
        Found::Unknown(answer) => {
            state.metrics().answered("none");
            let body = serde_json::to_vec(answer.as_ref()).map_err(|_| Problem::internal())?;
            let mut response = HttpResponse::Ok();
            Ok(response
                .content_type("application/json")
                .insert_header((CACHE_CONTROL, "no-store"))
                .body(body))
        }
    }
}

/// What the tables, the cache or a search say.
enum Found {
    Ready(Arc<Ready>),
    Unknown(Arc<Answer>),
}

async fn find(request: &HttpRequest, state: &Data<AppState>) -> Result<Found, Problem> {
    let asked = web::Query::<Asked>::from_query(request.query_string());
    let asked = asked.map_err(|error| Problem::malformed("query", &error))?.into_inner();
    let game = params::game(request.match_info().get("game").unwrap_or_default())?;
    let (query, given) = params::question(game, asked.into())?;
    let budget = state.config().budget(given);
    let known = probe(state, &query, Moves::All)?;
    if known.is_known() {
        return ready(state, &known).map(Found::Ready);
    }
    let query = params::canonical(&query)?;
    let key = key_of(&query);
    if let Some(ready) = state.answers().get(&key) {
        state.metrics().answered("cache");
        return Ok(Found::Ready(ready));
    }
    if budget.is_zero() {
        return Ok(Found::Unknown(Arc::new(known)));
    }
    match state.searches().answer(state.engine()?, query, budget).await? {
        Some(found) if found.is_known() => {
            let ready = ready(state, &found)?;
            state.answers().keep(&key, Arc::clone(&ready));
            Ok(Found::Ready(ready))
        }
        Some(found) => Ok(Found::Unknown(found)),
        None => Ok(Found::Unknown(Arc::new(known))),
    }
}

impl From<Asked> for params::Position {
    fn from(asked: Asked) -> Self {
        let Asked { position, throw, budget_ms, play, immobile } = asked;
        Self { position, throw, budget_ms, play, immobile }
    }
}

/// The answer as it is sent.
fn ready(state: &AppState, answer: &Answer) -> Result<Arc<Ready>, Problem> {
    let proof = match answer {
        Answer::Exact(answer) => answer.verdict.proof,
        Answer::Chance(answer) => answer.proof,
    };
    let source = match proof {
        Proof::Rules => "rules",
        Proof::Table => "table",
        Proof::Search => "search",
        Proof::None => "none",
    };
    state.metrics().answered(source);
    let body = serde_json::to_vec(answer).map_err(|_| Problem::internal())?;
    let mut hasher = foldhash::quality::FixedState::default().build_hasher();
    hasher.write(&body);
    let tag = EntityTag::new_weak(format!("{:016x}", hasher.finish())).to_string();
    let tag = HeaderValue::from_str(&tag).map_err(|_| Problem::internal())?;
    // What a search proved may be known in more detail the next time.
    let lasts = matches!(proof, Proof::Rules | Proof::Table);
    Ok(Arc::new(Ready { body: Bytes::from(body), tag, lasts }))
}

/// The answer with what a cache has to know about it.
fn respond(request: &HttpRequest, ready: &Ready) -> HttpResponse {
    const JSON: HeaderValue = HeaderValue::from_static("application/json");
    const DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");
    const AGAIN: HeaderValue = HeaderValue::from_static("no-cache");
    let fresh = request.headers().contains_key(IF_NONE_MATCH) && is_known(request, &ready.tag);
    let status = if fresh { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
    let mut response = HttpResponse::build(status);
    response.insert_header((CACHE_CONTROL, if ready.lasts { DAY } else { AGAIN }));
    response.insert_header((ETAG, ready.tag.clone()));
    if fresh {
        return response.finish();
    }
    response.insert_header((CONTENT_TYPE, JSON)).body(ready.body.clone())
}

/// Whether the client has the answer with this tag.
fn is_known(request: &HttpRequest, tag: &HeaderValue) -> bool {
    let Some(tag) = tag.to_str().ok().and_then(|tag| tag.parse::<EntityTag>().ok()) else { return false };
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Items(known)) => known.iter().any(|known| known.weak_eq(&tag)),
        Ok(IfNoneMatch::Any) | Err(_) => false,
    }
}
