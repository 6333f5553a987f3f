//! `POST /v1/{game}`

use std::time::{Duration, Instant};

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use marquis_engine::{Answer, Query};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::clients::{Client, Permit, Work};
use crate::handlers::body::Body;
use crate::handlers::description::Game;
use crate::handlers::refusals::{Faulty, FaultyBody, Later};
use crate::lookup::{Moves, probe};
use crate::params;
use crate::problem::{Problem, ProblemDocument};
use crate::search::Asked;
use crate::state::AppState;

/// Positions that one request may ask about.
const MOST: usize = 1000;
/// The longest search for one position.
const SHORT: Duration = Duration::from_millis(1000);
/// After so many look-ups other requests get their turn.
const STRIDE: usize = 16;

/// Positions that are asked about together.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Batch {
    /// At most 1000 position texts.
    #[schema(max_items = 1000)]
    positions: Vec<String>,
    /// Whether the moves are wanted too; they are unless this says no.
    #[serde(default = "yes")]
    moves: bool,
    /// Swish and Squeeze: what befalls a player who cannot move, `loss` or `pass`.
    immobile: Option<String>,
    /// Senet only: the throw to answer for.
    throw: Option<u8>,
    /// Milliseconds that all searches together may take.
    budget_ms: Option<u64>,
}

const fn yes() -> bool {
    true
}

#[derive(Serialize, ToSchema)]
pub(super) struct Answers {
    /// One for each position, in their order.
    answers: Vec<Item>,
}

/// An answer, or what is wrong with the position.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
enum Item {
    Answer(Answer),
    Problem { position: String, problem: ProblemDocument },
}

/// An answer for every position, in their order; a problem stands in the place of a faulty one.
///
/// What no table holds gets short searches until the budget is used up.
#[utoipa::path(
    post, path = "/v1/{game}", tag = "positions", request_body = Batch,
    params(("game" = Game, Path, description = "Which game")),
    responses(
        (status = 200, description = "An answer for every position", body = Answers,
            content_type = "application/json"),
        Faulty, FaultyBody, Later,
    )
)]
pub(super) async fn ask(
    request: HttpRequest,
    state: Data<AppState>,
    game: Path<String>,
    Body(batch): Body<Batch>,
) -> Result<HttpResponse, Problem> {
    let game = params::game(&game)?;
    let Batch { positions, moves, immobile, throw, budget_ms } = batch;
    let immobile = params::immobile(immobile.as_deref())?;
    if positions.len() > MOST {
        let expected = format!("at most {MOST} positions");
        return Err(Problem::bad_input("positions", &expected, &positions.len().to_string()));
    }
    let wanted = if moves { Moves::All } else { Moves::None };
    let until = Instant::now() + state.config().budget(params::budget(budget_ms)?);
    let mut budget = Budget {
        until,
        sharing: 1,
        refused: false,
        client: state.clients().of(request.head()),
        permit: None,
    };
    let count = positions.len();
    let mut answers = Vec::with_capacity(count);
    for (at, position) in positions.into_iter().enumerate() {
        if at % STRIDE == STRIDE - 1 {
            tokio::task::yield_now().await;
        }
        budget.sharing = count - at;
        let query = Query { immobile, throw, ..Query::new(game, position) };
        let item = match one(&state, &query, wanted, &mut budget).await {
            Ok(answer) => Item::Answer(if moves { answer } else { without_moves(answer) }),
            Err(problem) => Item::Problem { position: query.position, problem: problem.document(None) },
        };
        answers.push(item);
    }
    Ok(HttpResponse::Ok().json(Answers { answers }))
}

/// What is left for searches.
struct Budget {
    until: Instant,
    /// How many positions are still to come.
    sharing: usize,
    /// No search was let in; it is not tried again.
    refused: bool,
    client: Client,
    /// What the searches of the batch, one after the other, count as: one.
    permit: Option<Permit>,
}

impl Budget {
    /// The time for one search; none if there is none left.
    fn slice(&self) -> Option<Duration> {
        let left = self.until.saturating_duration_since(Instant::now());
        let share = left / u32::try_from(self.sharing.max(1)).unwrap_or(u32::MAX);
        (!self.refused && !share.is_zero()).then(|| share.min(SHORT))
    }
}

async fn one(state: &AppState, query: &Query, moves: Moves, budget: &mut Budget) -> Result<Answer, Problem> {
    let known = probe(state, query, moves)?;
    if known.is_known() {
        return Ok(known);
    }
    let Some(slice) = budget.slice() else { return Ok(known) };
    if budget.permit.is_none() {
        budget.permit = state.clients().begin(budget.client, Work::Search).ok();
        budget.refused = budget.permit.is_none();
        if budget.refused {
            return Ok(known);
        }
    }
    let query = params::canonical(query)?;
    let patience = budget.until.saturating_duration_since(Instant::now());
    match state.searches().answer_within(state.engine()?, Asked { query, line: false }, slice, patience).await
    {
        Ok(found) => Ok(found.map_or(known, |found| found.answer.clone())),
        Err(_) => {
            budget.refused = true;
            Ok(known)
        }
    }
}

fn without_moves(mut answer: Answer) -> Answer {
    match &mut answer {
        Answer::Exact(answer) => answer.moves.clear(),
        Answer::Chance(answer) => answer.throws.iter_mut().for_each(|throw| throw.moves.clear()),
    }
    answer
}
