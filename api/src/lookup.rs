//! What tables and proofs say, on the thread of whoever asks: it is never long.

use std::panic::{AssertUnwindSafe, catch_unwind};

use marquis_engine::{Answer, Control, Engine, EngineError, Limits, Posed, Proof};

use crate::answered::moves_of;
use crate::faults::without_damaged;
use crate::problem::Problem;
use crate::state::AppState;

/// Whether the moves of a position are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    All,
    None,
}

/// What tables and proofs say about a position.
///
/// A table that turns out to be unreadable is evicted, and the question asked again without it: [`without_damaged`].
///
/// # Errors
/// Bad input; 503 where a table cannot be read.
pub(crate) fn probe(state: &AppState, posed: &Posed, moves: Moves) -> Result<Answer, Problem> {
    look_up(state, posed, |engine| match moves {
        Moves::All => engine.probe(posed),
        Moves::None => engine.probe_value(posed),
    })
}

/// The best line to the end of the game from a position that tables, proofs or the rules know.
///
/// # Errors
/// As [`probe`]; a game with throws has no line.
pub(crate) fn line(state: &AppState, posed: &Posed) -> Result<Vec<String>, Problem> {
    let line = |engine: &Engine| engine.line(posed, &Limits::default(), &Control::none());
    look_up(state, posed, line).map(moves_of)
}

/// Who said it.
pub(crate) const fn source(answer: &Answer) -> Proof {
    match answer {
        Answer::Exact(answer) => answer.verdict.proof,
        Answer::Chance(answer) => answer.proof,
    }
}

fn look_up<T>(
    state: &AppState,
    posed: &Posed,
    look: impl Fn(&Engine) -> Result<T, EngineError>,
) -> Result<T, Problem> {
    let engine = state.engine()?;
    guarded(posed, || without_damaged(engine, state.faults(), || look(engine)))?.map_err(Problem::from)
}

/// A fault of the program must not cost the client his connection.
fn guarded<T>(posed: &Posed, look: impl FnOnce() -> T) -> Result<T, Problem> {
    match catch_unwind(AssertUnwindSafe(look)) {
        Ok(found) => Ok(found),
        Err(_) => {
            tracing::error!(game = %posed.game(), position = posed.text(), "a look-up panicked");
            Err(Problem::internal())
        }
    }
}
