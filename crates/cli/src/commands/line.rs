//! `marquis line`

use marquis_engine::reports::Line;

use super::{engine, wording};
use crate::arguments::{Asked, LimitArgs, Tables};
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::control;

pub(crate) fn run(
    asked: &Asked,
    tables: &Tables,
    limits: &LimitArgs,
    output: Output,
) -> anyhow::Result<Exit> {
    let line = engine(tables, &[])?.line(&asked.query(), &limits.limits(), &control())?;
    output.answer(&line, text)?;
    Ok(if line.end == "unknown" { Exit::Limit } else { Exit::Answered })
}

fn text(line: &Line) -> String {
    let first = format!(
        "{}\n{} to move: {}",
        line.from.position,
        line.from.turn,
        wording::verdict(&line.from.verdict)
    );
    let moves = line
        .moves
        .iter()
        .zip(1..)
        .map(|(mv, ply): (_, u32)| format!("{ply:>3}. {:<8} {}", mv.mv, mv.position));
    let end = match line.end.as_str() {
        "over" => "the game is over",
        "draw" => "both can hold the draw",
        _ => "not proved from here on",
    };
    std::iter::once(first).chain(moves).chain([end.to_owned()]).collect::<Vec<_>>().join("\n")
}
