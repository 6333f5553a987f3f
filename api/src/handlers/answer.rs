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
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::cache::{Ready, key_of};
use crate::clients::Work;
use crate::handlers::path::Game;
use crate::handlers::refusals::{Faulty, Later};
use crate::lookup::{self, Moves, probe};
use crate::params::{self, Question};
use crate::problem::Problem;
use crate::search;
use crate::state::AppState;

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
    /// Whether the best line to the end of the game is wanted too, `true` or `false`; not for Senet.
    #[param(value_type = Option<bool>)]
    line: Option<String>,
}

/// An answer as it is sent.
#[derive(Serialize, ToSchema)]
pub(super) struct Answered<'a> {
    #[serde(flatten)]
    answer: &'a Answer,
    /// The best moves of both sides, to the end of the game or as far as plies are proved; where asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<&'a [String]>,
}

/// The answer about a position: from tables at once, otherwise by a search within the budget.
#[utoipa::path(
    get, path = "/v1/{game}", tag = "positions",
    params(("game" = Game, Path, description = "Which game"), Asked),
    responses(
        (status = 200, description = "What is known of the position and of every move", body = Answered,
            content_type = "application/json"),
        (status = 304, description = "The client has it already: If-None-Match named its ETag"),
        Faulty, Later,
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
        Found::Unknown(body) => {
            state.metrics().answered("none");
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
    Unknown(Vec<u8>),
}

async fn find(request: &HttpRequest, state: &Data<AppState>) -> Result<Found, Problem> {
    let asked = web::Query::<Asked>::from_query(request.query_string());
    let asked = asked.map_err(|error| Problem::malformed("query", &error))?.into_inner();
    let game = params::game(state.registry(), request.match_info().get("game").unwrap_or_default())?;
    let Question { posed, budget_ms, line } = params::question(state.registry(), game.id(), asked.into())?;
    if line && game.has_throws() {
        let expected = format!("another game: {} is one of chance", game.id());
        return Err(Problem::bad_input("line", &expected, "true"));
    }
    let budget = state.config().budget(budget_ms);
    let known = probe(state, &posed, Moves::All)?;
    if known.is_known() {
        let line = line.then(|| lookup::line(state, &posed)).transpose()?;
        return ready(state, &known, line.as_deref()).map(Found::Ready);
    }
    let key = key_of(&posed, line);
    if let Some(ready) = state.answers().get(&key) {
        state.metrics().answered("cache");
        return Ok(Found::Ready(ready));
    }
    let unknown = |answer: &Answer| body(answer, line.then_some(&[])).map(Found::Unknown);
    if budget.is_zero() {
        return unknown(&known);
    }
    let clients = state.clients();
    let _permit = clients.begin(clients.of(request.head()), Work::Search)?;
    match state.searches().answer(state.engine()?, search::Asked { posed, line }, budget).await? {
        Some(found) if found.answer.is_known() => {
            let ready = ready(state, &found.answer, found.line.as_deref())?;
            state.answers().keep(&key, Arc::clone(&ready));
            Ok(Found::Ready(ready))
        }
        Some(found) => unknown(&found.answer),
        None => unknown(&known),
    }
}

fn body(answer: &Answer, line: Option<&[String]>) -> Result<Vec<u8>, Problem> {
    let sent = match line {
        None => serde_json::to_vec(answer),
        Some(_) => serde_json::to_vec(&Answered { answer, line }),
    };
    sent.map_err(|_| Problem::internal())
}

impl From<Asked> for params::Position {
    fn from(asked: Asked) -> Self {
        let Asked { position, throw, budget_ms, play, immobile, line } = asked;
        Self { position, throw, budget_ms, play, immobile, line }
    }
}

/// The answer as it is sent.
fn ready(state: &AppState, answer: &Answer, line: Option<&[String]>) -> Result<Arc<Ready>, Problem> {
    let proof = lookup::source(answer);
    let source = match proof {
        Proof::Rules => "rules",
        Proof::Table => "table",
        Proof::Search => "search",
        Proof::None => "none",
    };
    state.metrics().answered(source);
    let body = body(answer, line)?;
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
