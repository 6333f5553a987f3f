//! Requests to the library, and its answers as the JSON that users get.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use marquis_core::Immobile;
use marquis_engine::record::{read_record, replay};
use marquis_engine::{
    Ask, Control, Engine, EngineError, EngineOptions, Level, Limits, Opponent, Registry, causes,
};
use serde_json::{Value, json};

use super::case::{Budget, Case};
use crate::reference;

/// A document, or the error.
pub type Asked = Result<Value, String>;

/// An engine with these options.
///
/// # Errors
/// A folder or a proof file cannot be read.
pub fn engine(registry: &Registry, options: &EngineOptions) -> Result<Engine, String> {
    let opened = Engine::open(registry.clone(), options.clone());
    let (engine, left_out) = opened.map_err(|error| causes(&error).to_string())?;
    match left_out.first() {
        Some(error) => Err(causes(error).to_string()),
        None => Ok(engine),
    }
}

/// The limits of a budget: one thread, so that equal node limits give equal answers.
#[must_use]
pub fn limits(budget: Budget) -> Limits {
    let limits = Limits { threads: Some(1), ..Limits::default() };
    match budget {
        Budget::Lookup => limits,
        Budget::Nodes(nodes) => Limits { nodes: Some(nodes), ..limits },
        Budget::Time(ms) => Limits { time: Some(Duration::from_millis(ms)), ..limits },
    }
}

/// The document of an answer, written and read as users get it, so that numbers lose the same last digits. A panic
/// becomes an error.
///
/// * `write`: `serde_json::to_string`.
fn told<T>(
    ask: impl FnOnce() -> Result<T, EngineError>,
    write: impl FnOnce(&T) -> serde_json::Result<String>,
) -> Asked {
    // An engine is used again after a panic, as in the service.
    let answer = catch_unwind(AssertUnwindSafe(ask)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        format!("panicked: {}", text.unwrap_or_default())
    })?;
    let answer = answer.map_err(|error| causes(&error).to_string())?;
    let text = write(&answer).map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

/// The answer without a search.
///
/// # Errors
/// The error of the library, or a panic.
pub fn probe(engine: &Engine, asked: &impl Ask) -> Asked {
    told(|| engine.probe(asked), serde_json::to_string)
}

/// The answer without moves.
///
/// # Errors
/// The error of the library, or a panic.
pub fn probe_value(engine: &Engine, asked: &impl Ask) -> Asked {
    told(|| engine.probe_value(asked), serde_json::to_string)
}

/// The answer within a budget.
///
/// # Errors
/// The error of the library, or a panic.
pub fn solve(engine: &Engine, case: &Case, budget: Budget) -> Asked {
    match budget {
        Budget::Lookup => probe(engine, &case.query()),
        budget => {
            told(|| engine.solve(&case.query(), &limits(budget), &Control::none()), serde_json::to_string)
        }
    }
}

/// The best line, with its answer.
///
/// # Errors
/// The error of the library, or a panic.
pub fn line(engine: &Engine, case: &Case, budget: Budget) -> Asked {
    let found = || engine.solve_with_line(&case.query(), &limits(budget), &Control::none());
    let both = || found().map(|(answer, line)| json!({"answer": answer, "line": line}));
    told(both, serde_json::to_string)
}

/// The move of a level, with its answer.
///
/// * `throw`: the throw, in games with throws.
///
/// # Errors
/// The error of the library, or a panic.
pub fn advise(engine: &Engine, case: &Case, level: u8, throw: Option<u8>, budget: Budget) -> Asked {
    let level = Level::new(level).ok_or("no level")?;
    let query = marquis_engine::Query { throw, ..case.query() };
    let advice = || engine.advise(&query, Opponent { level, seed: 1 }, &limits(budget), &Control::none());
    told(advice, serde_json::to_string)
}

/// The balance of a board, with its proofs kept.
///
/// # Errors
/// The error of the library, or a panic.
pub fn balance(engine: &Engine, query: &marquis_engine::BalanceQuery, budget: Budget) -> Asked {
    let found = || engine.balance_and_keep(query, &limits(budget), &Control::none(), None);
    told(|| found().map(|(balance, _)| balance), serde_json::to_string)
}

/// The review of a game with these moves.
///
/// # Errors
/// The error of the library, or a panic.
pub fn review(engine: &Engine, case: &Case, moves: &[String], budget: Budget) -> Asked {
    let immobile = match case.immobile {
        reference::Immobile::Loss => Immobile::Loss,
        reference::Immobile::Pass => Immobile::Pass,
    };
    let pass = if immobile == Immobile::Pass { "[Immobile \"pass\"] " } else { "" };
    let text = format!("[Position \"{}\"] {pass}{}", case.position, moves.join(" "));
    let told_causes = |error: EngineError| format!("{}: {text}", causes(&error));
    let record = read_record(&text).map_err(told_causes)?;
    let game = Arc::new(replay(engine.registry(), &record, Some(case.query().game)).map_err(told_causes)?);
    told(|| engine.review(&game, &limits(budget), &Control::none(), &mut |_| {}), serde_json::to_string)
}
