//! `POST /v1/{game}`

use std::fmt;

use actix_web::http::header::{ACCEPT_ENCODING, CONTENT_TYPE, HeaderValue};
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use marquis_engine::Query;
use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::batch_answers::{Answering, PIECE, Rest, SearchBudget};
use crate::clients;
use crate::config::MOST_POSITIONS;
use crate::handlers::body::Body;
#[cfg(test)]
use crate::handlers::schema::*;
use crate::lookup::MovesWanted;
use crate::params;
use crate::problem::Problem;
use crate::state::AppState;
use crate::times::Times;

/// The maximum memory of a batch besides its texts: the piece being computed, the piece being sent, and the spare
/// capacity of their lists and buffers.
const BYTES: u64 = 4 * PIECE as u64;
/// An upper bound for the memory of gzip: a stream of the encoder and level of the middleware was measured at 374 KiB
/// resident, after six megabytes of answers in pieces.
const GZIP_BYTES: u64 = 512 << 10;
/// An upper bound for the memory of zstd, measured in the same way at 3 055 KiB: a window of two megabytes, tables
/// and buffers.
const ZSTD_BYTES: u64 = 4 << 20;

/// Positions to answer in one request.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct Batch {
    /// At most 1000 position texts.
    #[cfg_attr(test, schema(value_type = Vec<String>, max_items = 1000, example = json!(["start:3", "b1w/1wb1/wb1wb/1wb1/b1w b"])))]
    positions: Positions,
    /// Whether to return the moves too, by default true.
    #[serde(default = "yes")]
    moves: bool,
    /// Swish and Squeeze: the rule for a player who cannot move, `loss` or `pass`.
    immobile: Option<String>,
    /// Senet only: the throw to answer for.
    throw: Option<u8>,
    /// Milliseconds for all searches together.
    budget_ms: Option<u64>,
}

/// Position texts. Those beyond the limit are counted, not kept: a text of three bytes in a body takes ten times as
/// much.
#[derive(Debug)]
struct Positions {
    texts: Vec<String>,
    count: usize,
}

impl<'de> Deserialize<'de> for Positions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Texts;
        impl<'de> Visitor<'de> for Texts {
            type Value = Positions;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of position texts")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Positions, A::Error> {
                let mut texts = Vec::new();
                while texts.len() < MOST_POSITIONS
                    && let Some(text) = list.next_element()?
                {
                    texts.push(text);
                }
                let mut count = texts.len();
                while list.next_element::<IgnoredAny>()?.is_some() {
                    count += 1;
                }
                Ok(Positions { texts, count })
            }
        }
        deserializer.deserialize_seq(Texts)
    }
}

const fn yes() -> bool {
    true
}

#[cfg(test)]
#[derive(utoipa::ToSchema)]
pub(super) struct Answers {
    /// One answer for each position, in their order.
    #[expect(dead_code, reason = "describes what is written in pieces")]
    answers: Vec<Item>,
    /// The requested times that were cut to the allowed maximum; omitted if there are none.
    #[expect(dead_code, reason = "describes what is written in pieces")]
    #[schema(required = false)]
    cut: Vec<Cut>,
}

/// An answer for every position, in their order; a faulty position gets a problem instead.
///
/// Positions that no table holds get short searches until the budget is used up. Answers are computed as the client
/// takes them, and sent as they are found.
#[cfg_attr(test, utoipa::path(
    post, path = "/v1/{game}", operation_id = "askPositions", tag = "positions", request_body = Batch,
    params(("game" = path::Game, Path, description = "Which game", example = "squish")),
    responses(
        (status = 200, description = "An answer for every position", body = Answers,
            content_type = "application/json"),
        Faulty, FaultyBody, Later,
    )
))]
pub(super) async fn ask(
    request: HttpRequest,
    state: Data<AppState>,
    game: Path<String>,
    Body(batch): Body<Batch>,
) -> Result<HttpResponse, Problem> {
    let game = params::game(state.registry(), &game)?.id();
    let Batch { positions, moves, immobile, throw, budget_ms } = batch;
    let immobile = params::immobile(immobile.as_deref())?;
    let Positions { texts: positions, count } = positions;
    if count > MOST_POSITIONS {
        let expected = format!("at most {MOST_POSITIONS} positions");
        return Err(Problem::bad_input("positions", &expected, &count.to_string()));
    }
    let mut times = Times::new(state.config());
    let (budget, cut) = (times.budget(budget_ms)?, times.cut());
    state.engine()?;
    let client = state.clients().of(request.head());
    let permit = state.clients().begin(client, clients::Undertaking::Batch)?;
    let place = state.room().place(bytes(&request, &positions), positions.len())?;
    let query = Query { immobile, throw, ..Query::new(game, String::new()) };
    let moves = if moves { MovesWanted::All } else { MovesWanted::None };
    let work = Answering::new(state.into_inner(), positions, query, moves, budget, &cut);
    let mut rest = Rest::new(work, SearchBudget::new(client, budget), permit, place);
    let first = rest.piece().await.map_err(|_| Problem::internal())?;
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, HeaderValue::from_static("application/json")));
    // A complete response is sent as a whole.
    Ok(if rest.is_over() { response.body(first) } else { response.streaming(rest.after(first)) })
}

/// The maximum memory of the batch while it is under way.
fn bytes(request: &HttpRequest, positions: &[String]) -> u64 {
    let texts: usize = positions.iter().map(|text| text.capacity() + size_of::<String>()).sum();
    let accepted = request.headers().get(ACCEPT_ENCODING).and_then(|accepted| accepted.to_str().ok());
    let packing = match accepted {
        Some(accepted) if accepted.contains("zstd") || accepted.contains('*') => ZSTD_BYTES,
        Some(_) => GZIP_BYTES,
        None => 0,
    };
    BYTES + packing + texts as u64
}
