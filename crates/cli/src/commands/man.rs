//! `marquis man`

use std::path::PathBuf;

use clap::{Args, CommandFactory as _};
use serde::Serialize;

use super::Arguments;
use crate::exit::{CommandEnd, CommandFailure};
use crate::output::{self, Format};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  marquis man --out /usr/local/share/man/man1")]
pub(crate) struct Man {
    /// Folder for the pages
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

#[derive(Serialize)]
struct Written {
    folder: PathBuf,
}

impl Man {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let failed = |error| CommandFailure::failed(format!("{}: {error}", self.out.display()));
        std::fs::create_dir_all(&self.out).map_err(failed)?;
        clap_mangen::generate_to(Arguments::command(), &self.out).map_err(failed)?;
        let say = |written: &Written| format!("man pages are in {}\n", written.folder.display());
        output::answer(&Written { folder: self.out.clone() }, format, say)?;
        Ok(CommandEnd::Answered)
    }
}
