//! `GET /v1/{game}?position=…`

use std::hash::{BuildHasher as _, Hasher as _};
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_TYPE, ETAG, EntityTag, Header as _, HeaderValue, IF_NONE_MATCH, IfNoneMatch,
};
use actix_web::web::{self, Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use marquis_engine::{GameEntry, Query};
use marquis_wire::answer::{Answer, Proof};
use marquis_wire::ending::SearchEnd;
use marquis_wire::reports::Line;
use marquis_wire::reports::LineEnd;
use serde::Deserialize;

use crate::answered::Answered;
use crate::cache::{CacheKey, Lasting, Ready};
use crate::clients::Undertaking;
#[cfg(test)]
use crate::handlers::schema::*;
use crate::lookup::{self, MovesWanted, probe};
use crate::params;
use crate::problem::Problem;
use crate::question::PositionQuestion;
use crate::state::AppState;
use crate::times::Times;

/// The parameters as texts, so that an error can name the parameter.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct Parameters {
    /// A position text, `start` or `start:SIZE`; `_` may stand for a space.
    #[cfg_attr(test, param(required, example = "start:3"))]
    position: Option<String>,
    /// Senet only: the throw to answer for.
    #[cfg_attr(test, param(value_type = Option<u8>))]
    throw: Option<String>,
    /// Milliseconds that a search may take if no table answers; 0 for no search.
    #[cfg_attr(test, param(value_type = Option<u64>))]
    budget_ms: Option<String>,
    /// Positions that a search may look at; the same number gives the same answer each time. Without `budget_ms` it
    /// may take as long as any search may.
    #[cfg_attr(test, param(value_type = Option<u64>))]
    nodes: Option<String>,
    /// When the answer may stop before its budget is used: with the `value` of the position, with the values of all
    /// `moves`, or with the `plies` to the end as well, the default.
    until: Option<String>,
    /// Moves to play first, separated by spaces or `_`; for Senet `THROW:MOVE`.
    play: Option<String>,
    /// Swish and Squeeze: the rule for a player who cannot move, `loss` or `pass`.
    immobile: Option<String>,
    /// Whether to return the best line to the end of the game too, `true` or `false`; not for Senet.
    #[cfg_attr(test, param(value_type = Option<bool>))]
    line: Option<String>,
    /// From 1 to 8: also return the move of a player of this level, in `chosen`; for Senet only with `throw`.
    #[cfg_attr(test, param(value_type = Option<u8>))]
    level: Option<String>,
    /// The random seed for the choices of the lower levels; by default a different one each time.
    #[cfg_attr(test, param(value_type = Option<u64>))]
    seed: Option<String>,
}

impl Parameters {
    /// Parses the parameters into a question about a game.
    fn read(self, state: &AppState, game: &GameEntry) -> Result<PositionQuestion, Problem> {
        let query = Query {
            game: game.id(),
            position: params::position(self.position)?,
            play: self.play,
            immobile: params::immobile(self.immobile.as_deref())?,
            throw: params::number("throw", self.throw.as_deref())?,
        };
        let mut times = Times::new(state.config());
        let nodes = params::whole("nodes", params::number("nodes", self.nodes.as_deref())?)?;
        let usual_ms = match nodes {
            Some(_) => state.config().budget_max_ms,
            None => state.config().budget_default_ms,
        };
        let asked_ms = params::number("budget_ms", self.budget_ms.as_deref())?;
        let budget = times.short("budget_ms", asked_ms, usual_ms)?;
        let posed = state.registry().pose(&query)?;
        let line = params::flag("line", self.line.as_deref())?;
        if line && game.has_throws() {
            let expected = format!("another game: {} is a game of chance", game.id());
            return Err(Problem::bad_input("line", &expected, "true"));
        }
        let opponent = params::opponent(self.level.as_deref(), self.seed.as_deref())?;
        let goal = params::goal(self.until.as_deref())?;
        Ok(PositionQuestion { posed, line, opponent, budget, goal, nodes, cut: times.cut() })
    }
}

/// The answer about a position: from tables at once, otherwise by a search within the budget.
#[cfg_attr(test, utoipa::path(
    get, path = "/v1/{game}", operation_id = "askPosition", tag = "positions",
    params(("game" = path::Game, Path, description = "Which game", example = "squish"), Parameters),
    responses(
        (status = 200, description = "The values of the position and of every move", body = AnsweredShape,
            content_type = "application/json"),
        (status = 304, description = "The client has the current version: `If-None-Match` names its ETag"),
        Changed, Faulty, Later,
    )
))]
pub(super) async fn ask(request: HttpRequest, state: Data<AppState>) -> Result<HttpResponse, Problem> {
    state.engine()?;
    let key = CacheKey::Request(request.uri().path_and_query().map_or("", |text| text.as_str()));
    if let Some(ready) = state.answers().get(key) {
        state.metrics().answered("cache");
        return Ok(respond(&request, &ready));
    }
    let ready = find(&request, &state).await?;
    state.answers().keep(key, &ready);
    Ok(respond(&request, &ready))
}

/// How long a client whose answer is known waits for a thread that may find more.
const A_MOMENT: Duration = Duration::from_millis(100);

/// Whether a line ends early although the plies of its game are known.
fn stops_short(line: &Line) -> bool {
    line.end == LineEnd::Proved && line.from.verdict.plies.is_some()
}

/// The answer of the tables, the cache or a search.
async fn find(request: &HttpRequest, state: &Data<AppState>) -> Result<Arc<Ready>, Problem> {
    let parameters = web::Query::<Parameters>::from_query(request.query_string());
    let parameters = parameters.map_err(|error| Problem::malformed("query", &error))?.into_inner();
    let game = params::game(state.registry(), request.match_info().get("game").unwrap_or_default())?;
    let question = parameters.read(state, game)?;
    if question.opponent.is_some() {
        let chosen = searched(request, state, question, None).await?;
        let chosen = chosen.ok_or_else(Problem::waited_too_long)?;
        return ready(state, &chosen);
    }
    let PositionQuestion { ref posed, line, budget, goal, .. } = question;
    let known = probe(state, posed, MovesWanted::All).await?;
    let line_of_it = async || if line { lookup::line(state, posed).await.map(Some) } else { Ok(None) };
    let with_line = |known: Answer, line: Option<Line>| ready(state, &Answered::of(known, line));
    if known.reaches(goal) {
        let line = line_of_it().await?;
        // An earlier request may have found the plies of a game, but less about the positions along its line.
        let is_whole = |line: &Line| lookup::source(&known) != Proof::Search && !stops_short(line);
        if budget.is_zero() || line.as_ref().is_none_or(is_whole) {
            return with_line(known, line);
        }
    }
    let text = question.key();
    let key = CacheKey::Question(text.as_str());
    // If the budget was cut, an answer that could say more has to report the cut.
    let serves =
        |ready: &Arc<Ready>| ready.serves(budget) && (question.cut.is_empty() || ready.enough_for.is_none());
    if let Some(ready) = state.answers().get(key).filter(serves) {
        state.metrics().answered("cache");
        return Ok(ready);
    }
    if known.is_known() && budget.is_zero() {
        return with_line(known, line_of_it().await?);
    }
    let unknown = |answer: Answer| ready(state, &Answered::unknown(answer, line).cut(question.cut.clone()));
    if budget.is_zero() {
        state.complete()?;
        return unknown(known);
    }
    // An earlier search may be the only source of the value, and a line has to be searched for.
    let is_enough = known.is_known() && lookup::source(&known) != Proof::Search && !line;
    let patience = is_enough.then_some(A_MOMENT);
    match searched(request, state, question.clone(), patience).await {
        Ok(Some(found)) => {
            let ready = if found.answer.is_known() {
                ready_within(state, &found, &question)?
            } else {
                let answer = Answered::unknown(found.answer.clone(), line);
                ready_within(state, &answer.cut(question.cut.clone()), &question)?
            };
            if !found.answer.lacks_move() {
                state.answers().keep(key, &ready);
            }
            Ok(ready)
        }
        _ if known.is_known() => with_line(known, line_of_it().await?),
        // The search is incomplete because it waits for a table, so the answer must not be "unknown".
        Ok(None) if state.is_waiting_elsewhere(posed.game()) => Err(Problem::not_reached()),
        Ok(None) => unknown(known.cut_short(SearchEnd::Time)),
        Err(problem) => Err(problem),
    }
}

/// Searches within the budget.
///
/// * `patience`: how long to wait for a thread; by default as long as all other requests.
async fn searched(
    request: &HttpRequest,
    state: &Data<AppState>,
    question: PositionQuestion,
    patience: Option<Duration>,
) -> Result<Option<Arc<Answered>>, Problem> {
    let (clients, engine) = (state.clients(), state.engine()?);
    let searches = state.searches_of(question.posed.game());
    let _permit = clients.begin(clients.of(request.head()), Undertaking::Search)?;
    match patience {
        Some(patience) => searches.answer_within(engine, question, patience).await,
        None => searches.answer(engine, question).await,
    }
}

/// The answer, ready to be sent.
fn ready(state: &AppState, answered: &Answered) -> Result<Arc<Ready>, Problem> {
    let lasting = if answered.answer.is_known() { lasting(&answered.answer) } else { Lasting::Not };
    ready_for(state, answered, lasting, None)
}

/// The same for an answer of a search, if a longer search may find more.
fn ready_within(
    state: &AppState,
    answered: &Answered,
    question: &PositionQuestion,
) -> Result<Arc<Ready>, Problem> {
    let enough_for = (!answered.answer.reaches(question.goal)).then_some(question.budget);
    // A stopped search says nothing about its full budget.
    let is_whole = answered.answer.ended().0 != Some(SearchEnd::Stopped) && question.cut.is_empty();
    let lasting = match (is_whole, answered.answer.is_known()) {
        (false, _) => Lasting::Not,
        (true, false) => Lasting::Open,
        (true, true) => lasting(&answered.answer),
    };
    ready_for(state, answered, lasting, enough_for)
}

/// How long an answer stays valid.
fn lasting(answer: &Answer) -> Lasting {
    match lookup::source(answer) {
        Proof::Rules | Proof::Table => Lasting::ForGood,
        Proof::Search | Proof::Book | Proof::Proof | Proof::None => Lasting::ForAWhile,
    }
}

fn ready_for(
    state: &AppState,
    answered: &Answered,
    lasting: Lasting,
    enough_for: Option<Duration>,
) -> Result<Arc<Ready>, Problem> {
    let source = match lookup::source(&answered.answer) {
        _ if !answered.answer.is_known() => "none",
        Proof::Rules => "rules",
        Proof::Table => "table",
        Proof::Search => "search",
        Proof::Book => "book",
        Proof::Proof => "proof",
        Proof::None => "none",
    };
    state.metrics().answered(source);
    let body = answered.body()?;
    let mut hasher = foldhash::quality::FixedState::default().build_hasher();
    hasher.write(&body);
    let tag = EntityTag::new_weak(format!("{:016x}", hasher.finish())).to_string();
    let tag = HeaderValue::from_str(&tag).map_err(|_| Problem::internal())?;
    Ok(Arc::new(Ready { body: Bytes::from(body), tag, lasting, enough_for }))
}

/// The response with its cache headers.
fn respond(request: &HttpRequest, ready: &Ready) -> HttpResponse {
    const JSON: HeaderValue = HeaderValue::from_static("application/json");
    const DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");
    const AGAIN: HeaderValue = HeaderValue::from_static("no-cache");
    const NOT: HeaderValue = HeaderValue::from_static("no-store");
    let keeping = match ready.lasting {
        Lasting::ForGood => DAY,
        Lasting::ForAWhile => AGAIN,
        Lasting::Open | Lasting::Not => {
            let mut response = HttpResponse::Ok();
            response.insert_header((CACHE_CONTROL, NOT)).insert_header((CONTENT_TYPE, JSON));
            return response.body(ready.body.clone());
        }
    };
    let fresh = request.headers().contains_key(IF_NONE_MATCH) && is_known(request, &ready.tag);
    let status = if fresh { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
    let mut response = HttpResponse::build(status);
    response.insert_header((CACHE_CONTROL, keeping));
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
