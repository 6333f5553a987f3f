//! `POST /v1/{game}/design`

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use marquis_engine::DesignKind;
use serde::Deserialize;

use crate::handlers::begun::{self, JobTerms};
use crate::handlers::body::Body;
#[cfg(test)]
use crate::handlers::schema::*;
use crate::jobs::job::Listening;
use crate::kinds::{DesignQuestion, JobQuestion};
use crate::params;
use crate::problem::Problem;
use crate::state::AppState;

/// Default milliseconds for each set-up.
const USUAL_MS: u64 = 5000;

/// Which set-ups to look for, and how.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
#[cfg_attr(test, schema(example = json!({"side": 3, "rooks": 2, "beads": 3, "tries": 20, "keep": 5, "seed": 1})))]
pub(super) struct DesignRequest {
    /// Cells along an edge; by default those of `from`, or 3.
    side: Option<u8>,
    /// Rooks per colour; by default those of `from`, or 2.
    rooks: Option<u8>,
    /// Beads on the board; by default those of `from`, or 3.
    beads: Option<u8>,
    /// The maximum number of rooks per colour, `rooks` by default; each number between is tried.
    max_rooks: Option<u8>,
    /// The maximum number of beads, `beads` by default; each number between is tried.
    max_beads: Option<u8>,
    /// A board to start from, complete or not: its pieces are kept, and missing ones are added at random.
    from: Option<String>,
    /// The number of its pieces that are moved at random; by default 0 if pieces are added, otherwise 1.
    change: Option<u8>,
    /// Keep only set-ups with a difficulty above this level.
    harder_than: Option<u8>,
    /// Keep only set-ups with a difficulty below this level.
    easier_than: Option<u8>,
    /// The arrangement of the pieces: `random`, the default, or `point-symmetric`, in which neither colour has an
    /// advantage.
    layout: Option<String>,
    /// How Player Two chooses: `marquisian`, the default, or `bait`.
    pie: Option<String>,
    /// The random seed, 1 by default; the same seed finds the same set-ups.
    seed: Option<u64>,
    /// The number of set-ups to try, 20 by default.
    tries: Option<u32>,
    /// The number of set-ups to keep, the hardest first; 5 by default.
    keep: Option<u32>,
    /// Milliseconds for each set-up, 5000 by default, limited like those of a search.
    set_up_ms: Option<u64>,
    /// The maximum number of positions to look at for each set-up.
    nodes: Option<u64>,
    /// Milliseconds that the request waits for the result; the job continues after that.
    budget_ms: Option<u64>,
    /// Milliseconds that the job may work, limited by the service; the wait for turns is not counted. By default the
    /// maximum.
    limit_ms: Option<u64>,
    /// Whether the job continues if nobody asks about it any more.
    #[serde(default)]
    go_on: bool,
}

/// 200 with the set-ups if all are tried within the budget, else 202 with the job, which continues.
///
/// Random set-ups are tried; those whose balance is proved within their time are kept, the hardest first, each with
/// its proof as a file. The events of the job report each as it is found.
#[cfg_attr(test, utoipa::path(
    post, path = "/v1/{game}/design", operation_id = "designSetUps", tag = "set-ups", request_body = DesignRequest,
    params(("game" = path::Game, Path, description = "A game with set-ups", example = "swish"), token::OptionalHeader),
    responses(
        (status = 200, description = "The set-ups found", body = Designs, content_type = "application/json"),
        Continues, Faulty, FaultyBody, Later,
    )
))]
pub(super) async fn ask(
    request: HttpRequest,
    state: Data<AppState>,
    game: Path<String>,
    Body(asked): Body<DesignRequest>,
) -> Result<HttpResponse, Problem> {
    let mut terms =
        JobTerms::read(state.config(), asked.budget_ms, asked.limit_ms, Listening::of(asked.go_on))?;
    let time = terms.times.short("set_up_ms", asked.set_up_ms, USUAL_MS)?;
    let most = state.config().design_tries;
    let tries = asked.tries.unwrap_or(20.min(most));
    if tries == 0 || tries > most {
        return Err(Problem::bad_input("tries", &format!("a number from 1 to {most}"), &tries.to_string()));
    }
    // Without a board to start from, the job names its defaults.
    let is_free = asked.from.is_none();
    let usual = |wanted: Option<u8>, usual: u8| wanted.or(is_free.then_some(usual));
    let question = JobQuestion::Design(DesignQuestion {
        game: params::game(state.registry(), &game)?.id().name().to_owned(),
        side: usual(asked.side, DesignKind::SIDE),
        rooks: usual(asked.rooks, DesignKind::ROOKS),
        beads: usual(asked.beads, DesignKind::BEADS),
        max_rooks: asked.max_rooks,
        max_beads: asked.max_beads,
        change: asked.change,
        harder_than: asked.harder_than,
        easier_than: asked.easier_than,
        layout: params::layout(asked.layout.as_deref())?.name().to_owned(),
        pie: params::pie(asked.pie.as_deref())?.name().to_owned(),
        seed: params::whole("seed", asked.seed)?.unwrap_or(1),
        tries,
        keep: asked.keep.unwrap_or(5),
        from: asked.from.map(|from| from.trim().to_owned()),
        set_up_ms: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        nodes: params::whole("nodes", asked.nodes)?,
    });
    let work = question.read(state.registry())?;
    begun::answer(&request, &state, (question, work), terms).await
}
