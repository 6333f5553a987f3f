//! `marquis repack`

use std::path::Path;

use super::generate;
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::control;

pub(crate) fn run(path: &Path, output: Output) -> anyhow::Result<Exit> {
    let tables = marquis_engine::repack(path, &control())?;
    output.answer(&tables, |tables| generate::listed(tables))?;
    Ok(Exit::Answered)
}
