//! `marquis repack`

use std::path::PathBuf;

use clap::Args;
use marquis_wire::reports::TableInfo;
use serde::Serialize;

use super::generate::say_tables;
use crate::exit::{CommandEnd, CommandFailure};
use crate::games::registry;
use crate::output::{self, Format};
use crate::progress::watched;
use crate::value_texts::bytes;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis repack tablebases
  marquis repack tablebases/FILE

Values and their checksums stay the same; only the files become smaller.")]
pub(crate) struct Repack {
    /// A folder with tables, or one table
    path: PathBuf,
}

#[derive(Serialize)]
struct Repacked {
    tables: Vec<TableInfo>,
}

impl Repack {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let tables = watched(|control| marquis_engine::tables::repack(registry(), &self.path, control))?;
        output::answer(&Repacked { tables }, format, say)?;
        Ok(CommandEnd::Answered)
    }
}

fn say(repacked: &Repacked) -> String {
    let total = repacked.tables.iter().map(|table| table.bytes).sum();
    format!("{}\n{} on disk\n", say_tables(&repacked.tables), bytes(total))
}
