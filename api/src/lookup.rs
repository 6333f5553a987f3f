//! Look-ups in tables and proofs, on the thread of the request because they are short. Remote tables are asked on
//! other threads, unless the wanted pieces are cached.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use marquis_engine::{Control, Engine, EngineError, Limits, Posed};
use marquis_table::without_waiting;
use marquis_wire::answer::{Answer, Proof};
use marquis_wire::reports::Line;

use crate::faults::without_damaged;
use crate::problem::Problem;
use crate::state::AppState;

/// Whether the moves of a position are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MovesWanted {
    All,
    None,
}

/// The result of a look-up that does not wait.
pub(crate) enum AtOnce<T> {
    Known(T),
    /// Unknown: a remote table has to be asked.
    NotHere,
}

/// Returns what tables and proofs know about a position.
///
/// A table that turns out to be unreadable is evicted, and the look-up runs again without it: [`without_damaged`].
///
/// # Errors
/// Bad input; 503 if a table cannot be read, or is remote and not reached.
pub(crate) async fn probe(state: &AppState, posed: &Posed, moves: MovesWanted) -> Result<Answer, Problem> {
    match probe_at_once(state, posed, moves)? {
        AtOnce::Known(answer) => Ok(answer),
        AtOnce::NotHere => probe_elsewhere(state, posed, moves).await,
    }
}

/// The same without waiting.
///
/// # Errors
/// As [`probe`].
pub(crate) fn probe_at_once(
    state: &AppState,
    posed: &Posed,
    moves: MovesWanted,
) -> Result<AtOnce<Answer>, Problem> {
    let (engine, faults) = (state.engine()?, state.faults());
    let probe = || without_damaged(engine, faults, || probed(engine, posed, moves));
    let answer = guarded(posed, || match state.elsewhere() {
        Some(_) => without_waiting(probe),
        None => probe(),
    });
    match answer? {
        Err(error) if error.is_awaited() => Ok(AtOnce::NotHere),
        answer => Ok(AtOnce::Known(answer?)),
    }
}

/// The same with remote tables, queued behind other requests.
///
/// # Errors
/// As [`probe`]; 429 or 503 if too many requests wait for such tables.
pub(crate) async fn probe_elsewhere(
    state: &AppState,
    posed: &Posed,
    moves: MovesWanted,
) -> Result<Answer, Problem> {
    let asked = posed.clone();
    aside(state, posed, move |engine| probed(engine, &asked, moves)).await
}

fn probed(engine: &Engine, posed: &Posed, moves: MovesWanted) -> Result<Answer, EngineError> {
    match moves {
        MovesWanted::All => engine.probe_now(posed),
        MovesWanted::None => engine.probe_value(posed),
    }
}

/// The best line to the end of the game from a position that tables, proofs or the rules know.
///
/// # Errors
/// As [`probe`]; a game with throws has no line.
pub(crate) async fn line(state: &AppState, posed: &Posed) -> Result<Line, Problem> {
    let asked = posed.clone();
    let at_once = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let line = move |engine: &Engine| engine.line(&asked, &at_once, &Control::none());
    aside(state, posed, line).await
}

/// The source of the value.
pub(crate) const fn source(answer: &Answer) -> Proof {
    match answer {
        Answer::Exact(answer) => answer.verdict.proof,
        Answer::Chance(answer) => answer.proof,
    }
}

/// Runs a look-up that may wait: in the queue if the game has remote tables, otherwise at once.
async fn aside<T: Send + 'static>(
    state: &AppState,
    posed: &Posed,
    look: impl Fn(&Engine) -> Result<T, EngineError> + Send + 'static,
) -> Result<T, Problem> {
    let (engine, faults, asked) = (Arc::clone(state.engine()?), Arc::clone(state.faults()), posed.clone());
    let look = move || {
        guarded(&asked, || without_damaged(&engine, &faults, || look(&engine)))?.map_err(Problem::from)
    };
    match state.elsewhere().filter(|_| state.engine().is_ok_and(|engine| engine.has_elsewhere(posed.game())))
    {
        Some(elsewhere) => elsewhere.looking_up.aside(move |_| look()).await,
        None => look(),
    }
}

/// A bug in the program must not cost the client its connection.
fn guarded<T>(posed: &Posed, look: impl FnOnce() -> T) -> Result<T, Problem> {
    match catch_unwind(AssertUnwindSafe(look)) {
        Ok(found) => Ok(found),
        Err(_) => {
            tracing::error!(game = %posed.game(), position = posed.text(), "a look-up panicked");
            Err(Problem::internal())
        }
    }
}
