//! `marquis design`

use marquis_engine::{DesignQuery, Engine, EngineOptions};

use super::balance;
use crate::arguments;
use crate::exit::Exit;
use crate::interrupt::stopped;
use crate::output::Output;
use crate::progress::control;

pub(crate) fn run(asked: &arguments::Design, output: Output) -> anyhow::Result<Exit> {
    let query = DesignQuery {
        game: asked.game,
        side: asked.side,
        rooks: asked.rooks,
        beads: asked.beads,
        seed: asked.seed,
        tries: asked.tries,
        keep: asked.keep,
    };
    let (engine, _) = Engine::open(EngineOptions::default())?;
    let designed = engine.design(&query, &asked.limits.limits(), &control())?;
    output.answer(&designed, |designed| {
        let one = |setup: &marquis_engine::reports::Designed| {
            format!("{}  (hardness {:.1})\n{}", setup.board, setup.score, balance::text(&setup.balance))
        };
        designed.iter().map(one).collect::<Vec<_>>().join("\n")
    })?;
    Ok(match (designed.is_empty(), stopped()) {
        (_, true) => Exit::Interrupted,
        (true, false) => Exit::Limit,
        (false, false) => Exit::Answered,
    })
}
