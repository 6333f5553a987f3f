//! `marquis perft`

use serde_json::json;

use crate::arguments::Asked;
use crate::exit::Exit;
use crate::output::{Output, table};
use crate::progress::control;

pub(crate) fn run(asked: &Asked, depth: u32, output: Output) -> anyhow::Result<Exit> {
    let counts = marquis_engine::perft(&asked.query(), depth, &control())?;
    output.answer(&json!({"game": asked.game.name(), "perft": counts}), |_| {
        table(
            &["plies", "positions"],
            (1..).zip(&counts).map(|(plies, count): (u32, _)| vec![plies.to_string(), count.to_string()]),
        )
    })?;
    Ok(Exit::Answered)
}
