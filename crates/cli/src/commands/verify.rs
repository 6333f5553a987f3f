//! `marquis verify`

use std::path::PathBuf;

use clap::Args;
use marquis_engine::{Engine, EngineOptions};
use marquis_wire::quantity::MOST;
use marquis_wire::reports::VerifyReport;

use crate::arguments::LimitArgs;
use crate::exit::{CommandEnd, CommandFailure};
use crate::games::registry;
use crate::log::LogArgs;
use crate::numbers::number;
use crate::output::{self, Format};
use crate::progress::watched;
use crate::value_texts::{count, plural};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis verify tablebases
  marquis verify tablebases --sample 100000 --json

Exit code 1 if anything is wrong, checksums included; 4 if there is nothing to check.")]
pub(crate) struct Verify {
    /// A folder with tables, or one table
    path: PathBuf,
    /// Check this many entries of each table, spread evenly, instead of all
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=MOST))]
    sample: Option<u64>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    log: LogArgs,
}

impl Verify {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        self.log.open()?;
        let (engine, _) = Engine::open(registry().clone(), EngineOptions::default())?;
        let limits = self.limits.limits();
        let report = watched(|control| engine.verify(&self.path, self.sample, &limits, control))?;
        output::answer(&report, format, say)?;
        Ok(if report.faults.is_empty() { CommandEnd::Answered } else { CommandEnd::Refuted })
    }
}

fn say(report: &VerifyReport) -> String {
    let files = report.files as u64;
    let read = format!(
        "{files} {}, {} {} checked",
        plural(files, "file", "files"),
        count(report.entries),
        plural(report.entries, "entry", "entries")
    );
    let about: String =
        report.proved.iter().chain(&report.unproved).map(|line| format!("{line}\n")).collect();
    if report.faults.is_empty() {
        return format!("{about}{read}: all is right.\n");
    }
    let faults = report.faults.len() as u64;
    format!(
        "{about}{}\n{read}: {faults} {} found.\n",
        report.faults.join("\n"),
        plural(faults, "fault", "faults")
    )
}
