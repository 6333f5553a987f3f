//! `marquis solve`

use std::io::BufRead as _;

use marquis_engine::{Answer, EngineError, Query};
use serde_json::json;

use super::{engine, wording};
use crate::arguments::Solve;
use crate::exit::{Exit, report};
use crate::interrupt::stopped;
use crate::output::{Output, json_line};
use crate::progress::control;

pub(crate) fn run(solve: &Solve, output: Output) -> anyhow::Result<Exit> {
    let engine = engine(&solve.tables, &solve.use_proof)?;
    let limits = solve.limits.limits();
    let ask = |query: &Query| match &solve.proof {
        Some(file) => engine.solve_with_proof(query, &limits, &control(), file),
        None if solve.use_proof.is_empty() => engine.solve(query, &limits, &control()),
        None => engine.probe(query),
    };
    if solve.asked.position == "-" {
        return each_line(&solve.asked.query(), ask);
    }
    answered(&ask(&solve.asked.query())?, output)
}

/// Prints an answer and says how that ended.
pub(super) fn answered(answer: &Answer, output: Output) -> anyhow::Result<Exit> {
    output.answer(answer, wording::answer)?;
    Ok(match (answer.is_known(), stopped()) {
        (true, _) => Exit::Answered,
        (false, true) => Exit::Interrupted,
        (false, false) => Exit::Limit,
    })
}

/// Answers each line of standard input with a JSON document on a line.
pub(super) fn each_line(
    query: &Query,
    ask: impl Fn(&Query) -> Result<Answer, EngineError>,
) -> anyhow::Result<Exit> {
    let mut worst = Exit::Answered;
    for line in std::io::stdin().lock().lines() {
        let query = Query { position: line?, ..query.clone() };
        match ask(&query) {
            Ok(answer) => {
                json_line(&answer)?;
                if !answer.is_known() && worst == Exit::Answered {
                    worst = Exit::Limit;
                }
            }
            Err(error) => {
                json_line(&json!({"position": query.position, "error": error.to_string()}))?;
                worst = report(&error.into());
            }
        }
        if stopped() {
            return Ok(Exit::Interrupted);
        }
    }
    Ok(worst)
}
