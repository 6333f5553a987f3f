//! `marquis generate`

use marquis_engine::reports::{BuildPlan, BuildReport, TableInfo};
use marquis_engine::{BuildQuery, MemorySize};

use crate::arguments::Generate;
use crate::exit::Exit;
use crate::output::{Output, table};
use crate::progress::control;

pub(crate) fn run(asked: &Generate, output: Output) -> anyhow::Result<Exit> {
    let query = BuildQuery {
        game: asked.game,
        side: asked.side,
        pieces: asked.pieces.clone(),
        from: asked.from.clone(),
    };
    let plan = marquis_engine::plan(&query, &asked.out)?;
    if asked.dry_run {
        output.answer(&plan, planned)?;
        return Ok(Exit::Answered);
    }
    anstream::eprintln!("{}", totals(&plan));
    let report = marquis_engine::generate(&query, &asked.out, &asked.limits.limits(), &control())?;
    output.answer(&report, built)?;
    Ok(Exit::Answered)
}

fn totals(plan: &BuildPlan) -> String {
    format!(
        "{} {}: {} layers, {} slots, at most {} of memory, about {} on disk",
        plan.game,
        plan.variant,
        plan.layers.len(),
        plan.slots,
        MemorySize(plan.memory_bytes),
        MemorySize(plan.disk_bytes)
    )
}

fn planned(plan: &BuildPlan) -> String {
    let row = |layer: &marquis_engine::reports::PlannedLayer| {
        let state = if layer.finished { "finished" } else { "" };
        vec![layer.layer.clone(), layer.slots.to_string(), state.to_owned()]
    };
    format!("{}\n{}", totals(plan), table(&["layer", "slots", ""], plan.layers.iter().map(row)))
}

fn built(report: &BuildReport) -> String {
    let kept =
        if report.kept > 0 { format!(", {} of them were there already", report.kept) } else { String::new() };
    format!("{}\n{} tables in {:.1} s{kept}", listed(&report.tables), report.tables.len(), report.seconds)
}

/// What tables hold.
pub(super) fn listed(tables: &[TableInfo]) -> String {
    let row = |info: &TableInfo| {
        let numbers = [info.positions, info.wins, info.draws, info.losses, info.longest_win, info.bytes];
        let mut row = vec![info.file.clone()];
        row.extend(numbers.iter().map(ToString::to_string));
        row
    };
    let head = ["table", "positions", "wins", "draws", "losses", "longest win", "bytes"];
    table(&head, tables.iter().map(row))
}
