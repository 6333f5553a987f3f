//! `marquis probe`

use super::{engine, solve};
use crate::arguments::{Asked, Tables};
use crate::exit::Exit;
use crate::output::Output;

pub(crate) fn run(asked: &Asked, tables: &Tables, output: Output) -> anyhow::Result<Exit> {
    let engine = engine(tables, &[])?;
    if asked.position == "-" {
        return solve::each_line(&asked.query(), |query| engine.probe(query));
    }
    solve::answered(&engine.probe(&asked.query())?, output)
}
