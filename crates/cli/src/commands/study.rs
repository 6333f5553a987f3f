//! `marquis study`

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::Args;
use marquis_engine::reports::ProofFile;
use marquis_engine::{MemorySize, StudyOptions, StudyReport, study_status};

use crate::arguments::{LimitArgs, PositionArgs, TableArgs};
use crate::exit::{Ending, Failure};
use crate::interrupt;
use crate::output::{self, Format, WithProof, remark};
use crate::positions::STANDARD_INPUT;
use crate::progress::watched;
use crate::{games, words};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis study flowish start:5 --state studies/flowish-5 --memory 8GiB
  marquis study flowish start:5 --state studies/flowish-5 --status
  marquis study squish start --state studies/squish-4 --seconds 3600 --proof squish-4.proof

A proof that may take days: positions are searched job by job, and what each job found is kept in the folder before the
next one counts. Ctrl-C, a kill or a limit costs at most one job a thread; the same command goes on where it was, with as
many threads and as much memory as it is given then. Once the value is known, --proof puts the proofs of all jobs
together to one, which `marquis check-proof` replays.")]
pub(crate) struct Study {
    #[command(flatten)]
    position: PositionArgs,
    /// The folder of the study; made if it is not there
    #[arg(long, value_name = "DIR")]
    state: PathBuf,
    /// Say where the study in the folder stands, also while another process works at it, and do nothing
    #[arg(long)]
    status: bool,
    /// Positions that the first search of a position may take
    #[arg(long, value_name = "N", default_value_t = JOB_NODES)]
    job_nodes: NonZeroU64,
    /// Write a proof of what is known at the end to this file; exit code 3 where that is not the value
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    tables: TableArgs,
}

/// A second of search or so.
const JOB_NODES: NonZeroU64 = NonZeroU64::new(500_000).expect("more than none");

impl Study {
    pub(super) fn run(self, format: Format) -> Result<Ending, Failure> {
        let position = self.position.position.clone();
        if position == STANDARD_INPUT {
            return Err(Failure::bad_input("expected one position, found a list on standard input"));
        }
        let query = self.position.query(&position)?;
        if self.status {
            let report = study_status(&self.state)?;
            output::answer(&report, format, say)?;
            return Ok(Ending::Answered);
        }
        let engine = self.tables.open_without_book(Vec::new())?;
        let Self { state: folder, job_nodes, proof, limits, .. } = self;
        let options = StudyOptions { folder, job_nodes, proof };
        let (report, proof_file) =
            watched(|control| engine.study(&query, &options, &limits.limits(), control))?;
        let ending = interrupt::ending(report.value != "unknown");
        if ending != Ending::Answered {
            remark("the study is kept; the same command goes on with it");
            if let Some(memory) = report.try_memory {
                let (tree, memory) = (MemorySize(report.tree_bytes), MemorySize(memory));
                remark(&format!(
                    "hint: the tree takes {tree}, a quarter of the memory; what would help: --memory {memory}"
                ));
            }
        }
        let told = WithProof { answer: report, proof_file };
        output::answer(&told, format, |told| say(&told.answer))?;
        Ok(told.proof_file.map_or(ending, |kept: ProofFile| output::proof_kept(&kept, ending)))
    }
}

/// Where a study stands, in sentences.
fn say(report: &StudyReport) -> String {
    let StudyReport { game, position, turn, value, bounds, .. } = report;
    let who = games::colour(game, turn);
    let known = match (value.as_str(), bounds) {
        ("unknown", [worst, best]) if worst == "loss" && best == "win" => "nothing is proved yet".to_owned(),
        ("unknown", [worst, best]) => format!("{worst} to {best} is proved"),
        (value, _) => format!("{value} is proved"),
    };
    let mut text = format!("{game}  {position}\n{who}, to move: {known}.\n");
    let moves = report.root_moves.map(|moves| format!(", {} of {} moves decided", moves.decided, moves.all));
    let (jobs, nodes, positions) =
        (words::count(report.jobs), words::count(report.nodes), words::count(report.positions));
    text.push_str(&format!(
        "{jobs} jobs with {nodes} positions searched, {positions} in the tree{}.\n",
        moves.unwrap_or_default()
    ));
    if value == "unknown" && !report.line.is_empty() {
        text.push_str(&format!("Most proving line: {}.\n", report.line.join(" ")));
    }
    text
}
