//! `marquis study`

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use marquis_cluster::{Peers, Rank, Ranks};
use marquis_core::Bounds;
use marquis_engine::study::{WorkPlace, as_rank_helper, with_rank_helpers};
use marquis_engine::{BalanceQuery, Control, Engine, Limits, Pie, Query, StudyOptions, Until};
use marquis_wire::MemorySize;
use marquis_wire::ending::SearchEnd;
use marquis_wire::quantity::{MOST, MOST_SECONDS};
use marquis_wire::reports::ProofFile;
use marquis_wire::study::{SetUpStudyReport, StudiesByColour, StudyReport, WorkReport};
use marquis_wire::words::names;
use serde::Serialize;

use crate::arguments::{LimitArgs, PIES, PositionArgs, TableArgs, one_of};
use crate::exit::{CommandEnd, CommandFailure};
use crate::interrupt;
use crate::log::LogArgs;
use crate::numbers::{BEADS, number};
use crate::output::{self, Format, WithProof, remark};
use crate::positions::STANDARD_INPUT;
use crate::progress::watched;
use crate::{games, ranks, value_texts};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis study flowish start:5 --state studies/flowish-5 --memory 8GiB
  marquis study flowish start:5 --state studies/flowish-5 --status
  marquis study squish start --state studies/squish-4 --seconds 3600 --proof squish-4.proof
  marquis study swish w1w/4/1ooo1/4/b1b --target 2 --state studies/small --proof small.proof
  marquis study flowish start:5 --state studies/flowish-5 --memory 8GiB --work

Positions are searched job by job. The folder keeps the result of each job before the next one counts. Ctrl-C, a kill or
a limit costs at most one job per thread. The same command resumes, with any number of threads and any memory. Once the
value is known, --proof merges the proofs of all jobs into one file, which `marquis check-proof` replays.

With --work, the same command on another machine that sees the folder does jobs for the running study. The process that
keeps the study replays their results before they count. If `mpirun` or another launcher starts the command several
times, the first process keeps the study, and the others do jobs for it without seeing the folder.

A board of Swish or Squeeze without a player to move stands for a set-up. The first positions of both colours are then
studied in turn until Player Two's choice is decided, as in `marquis balance`.")]
pub(crate) struct Study {
    #[command(flatten)]
    position: PositionArgs,
    /// Folder of the study; created if it is missing
    #[arg(long, value_name = "DIR")]
    state: PathBuf,
    /// Only print the state of the study in the folder, also while another process works on it
    #[arg(long)]
    status: bool,
    /// Do jobs for a study that another process keeps in this folder, until it is answered; also from another machine
    #[arg(long, conflicts_with_all = ["status", "proof", "job_nodes", "lease"])]
    work: bool,
    /// Positions that the first search of a position may visit
    #[arg(long, value_name = "N", default_value_t = StudyOptions::JOB_NODES, value_parser = number::<NonZeroU64>(1..=MOST))]
    job_nodes: NonZeroU64,
    /// Seconds without a sign of life after which a worker process is given up and its job goes to others
    #[arg(long, value_name = "S", default_value_t = LEASE, value_parser = number::<NonZeroU64>(1..=MOST_SECONDS))]
    lease: NonZeroU64,
    /// Write a proof of the known result to this file at the end; exit code 3 if it does not prove the value
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    #[command(flatten)]
    set_up: SetUpArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    log: LogArgs,
    #[command(flatten)]
    tables: TableArgs,
}

const LEASE: NonZeroU64 = NonZeroU64::new(StudyOptions::LEASE.as_secs()).expect("some time");

/// The arguments of a board besides its text.
#[derive(Args, Debug)]
#[command(next_help_heading = "Boards of Swish and Squeeze")]
struct SetUpArgs {
    /// Beads off the board [default: 0]
    #[arg(long, value_name = "N", value_parser = number::<u16>(BEADS))]
    bait: Option<u16>,
    /// How Player Two chooses [default: marquisian]
    #[arg(long, value_parser = one_of::<Pie>(PIES))]
    pie: Option<Pie>,
    /// The number of beads that wins [default: the majority]
    #[arg(long, value_name = "T", value_parser = number::<u16>(BEADS))]
    target: Option<u16>,
    /// Continue until both colours are decided
    #[arg(long)]
    both: bool,
}

impl SetUpArgs {
    /// The arguments that were given.
    fn given(&self) -> Option<&'static str> {
        let Self { bait, pie, target, both } = self;
        let given = [
            ("--bait", bait.is_some()),
            ("--pie", pie.is_some()),
            ("--target", target.is_some()),
            ("--both", *both),
        ];
        given.into_iter().find_map(|(name, given)| given.then_some(name))
    }
}

impl Study {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        ranks::among(|peers| match peers.ranks() {
            Ranks::ONE => self.run_alone(format),
            _ => self.run_among(peers, format),
        })
    }

    /// Studies a position together with other ranks. The first one keeps the study and reports.
    fn run_among(&self, peers: &dyn Peers, format: Format) -> Result<CommandEnd, CommandFailure> {
        let is_first = peers.rank() == Rank::FIRST;
        let log = if is_first { self.log.open() } else { Ok(()) };
        let prepared = log.and_then(|()| self.check_shared()).and_then(|()| self.prepared());
        let (query, engine) = ranks::together(peers, prepared)?;
        let limits = self.limits.limits();
        ranks::team(peers, &asked(&query)).agree_on_request()?;
        if is_first {
            let study = || watched(|control| engine.study(&query, &self.options(), &limits, control));
            let (report, proof_file) = with_rank_helpers(peers, &self.state, study)??;
            return told_of_study(report, proof_file, format);
        }
        // The first rank ends the work.
        let limits = Limits { time: None, nodes: None, ..limits };
        let control = Control::new(interrupt::flag(), |_| {});
        as_rank_helper(peers, |jobs| {
            engine.work_for_study(&query, WorkPlace::Service(jobs), &limits, &control)
        })??;
        Ok(CommandEnd::Answered)
    }

    /// Checks that several processes can do it.
    fn check_shared(&self) -> Result<(), CommandFailure> {
        let found = match self {
            Self { status: true, .. } => "--status",
            Self { work: true, .. } => "--work",
            _ if games::is_board(self.position.game, &self.position.position) => "a set-up",
            _ => return Ok(()),
        };
        Err(CommandFailure::bad_input(format!(
            "several processes: expected the study of a position, found {found}; start one process"
        )))
    }

    /// The question about a position, and the engine.
    fn prepared(&self) -> Result<(Query, Engine), CommandFailure> {
        let position = &self.position.position;
        if position == STANDARD_INPUT {
            return Err(CommandFailure::bad_input("expected one position, found a list on standard input"));
        }
        if let Some(given) = self.set_up.given() {
            let games = games::registry().with_set_ups();
            return Err(CommandFailure::bad_input(format!(
                "{given}: expected with a board of {games}, found a position; leave it out"
            )));
        }
        Ok((self.position.query(position)?, self.tables.open_without_book(Vec::new())?))
    }

    fn run_alone(&self, format: Format) -> Result<CommandEnd, CommandFailure> {
        self.log.open()?;
        let position = &self.position.position;
        if games::is_board(self.position.game, position) {
            return self.run_set_up(format);
        }
        let (query, engine) = self.prepared()?;
        if self.status {
            let report = engine.study_status(&query, &self.state)?;
            output::answer(&report, format, say)?;
            return Ok(CommandEnd::Answered);
        }
        let (options, limits) = (self.options(), self.limits.limits());
        if self.work {
            let place = WorkPlace::Folder(&self.state);
            let work = watched(|control| engine.work_for_study(&query, place, &limits, control))?;
            return told_of_work(&work, format);
        }
        let (report, proof_file) = watched(|control| engine.study(&query, &options, &limits, control))?;
        told_of_study(report, proof_file, format)
    }

    fn run_set_up(&self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let (board, immobile) = self.position.board()?;
        let SetUpArgs { bait, pie, target, both } = self.set_up;
        let query = BalanceQuery {
            game: self.position.game,
            board: board.to_owned(),
            bait: bait.unwrap_or(0),
            pie: pie.unwrap_or(Pie::Marquisian),
            target,
            immobile,
            until: if both { Until::BothColours } else { Until::Choice },
        };
        let engine = self.tables.open_without_book(Vec::new())?;
        if self.status {
            let report = engine.study_set_up_status(&query, &self.state)?;
            output::answer(&report, format, say_set_up)?;
            return Ok(CommandEnd::Answered);
        }
        let (options, limits) = (self.options(), self.limits.limits());
        if self.work {
            let work =
                watched(|control| engine.work_for_set_up_study(&query, &self.state, &limits, control))?;
            return told_of_work(&work, format);
        }
        let (report, proof_file) =
            watched(|control| engine.study_set_up(&query, &options, &limits, control))?;
        let is_known = report.ended == Some(SearchEnd::Answered);
        let StudiesByColour { w, b } = &report.first_mover;
        conclude(is_known, w.iter().chain(b));
        tell(WithProof { answer: report, proof_file }, format, is_known, say_set_up)
    }

    fn options(&self) -> StudyOptions {
        let Self { state: folder, job_nodes, proof, lease, .. } = self;
        let lease = Duration::from_secs(lease.get());
        StudyOptions { folder: folder.clone(), job_nodes: *job_nodes, proof: proof.clone(), lease }
    }
}

/// The question, for other ranks to compare with theirs.
fn asked(query: &Query) -> String {
    let Query { game, position, play, immobile, .. } = query;
    let play = play.as_ref().map(|moves| format!(" --play {moves}")).unwrap_or_default();
    format!("{} {position}{play} --immobile {}", game.name(), immobile.name())
}

/// Reports a study, finished or not.
fn told_of_study(
    report: StudyReport,
    proof_file: Option<ProofFile>,
    format: Format,
) -> Result<CommandEnd, CommandFailure> {
    let is_known = report.value.is_some();
    conclude(is_known, std::iter::once(&report));
    tell(WithProof { answer: report, proof_file }, format, is_known, say)
}

/// The work of a process that did none.
pub(super) fn no_work(ended: SearchEnd) -> WorkReport {
    WorkReport { jobs: 0, nodes: 0, ended, seconds: 0.0 }
}

/// Reports the work of a process for the study of another process.
pub(super) fn told_of_work(report: &WorkReport, format: Format) -> Result<CommandEnd, CommandFailure> {
    let is_answered = report.ended == SearchEnd::Answered;
    output::answer(report, format, |WorkReport { jobs, nodes, seconds, .. }| {
        let (jobs, nodes) = (value_texts::count(*jobs), value_texts::count(*nodes));
        let end =
            if is_answered { "The study is answered." } else { "The study continues without this process." };
        format!("{jobs} jobs done with {nodes} positions searched, in {seconds:.0} s.\n{end}\n")
    })?;
    Ok(interrupt::ending(is_answered))
}

/// Reports the state of an unfinished study, with a hint.
fn conclude<'r>(is_known: bool, mut reports: impl Iterator<Item = &'r StudyReport>) {
    if is_known {
        return;
    }
    remark("the study is kept; the same command resumes it");
    if let Some((report, memory)) = reports.find_map(|report| Some((report, report.try_memory?))) {
        let (tree, memory) = (MemorySize(report.tree_bytes), MemorySize(memory));
        remark(&format!(
            "hint: the tree takes {tree}, a quarter of the memory; what would help: --memory {memory}"
        ));
    }
}

fn tell<T: Serialize>(
    told: WithProof<T>,
    format: Format,
    is_known: bool,
    say: impl FnOnce(&T) -> String,
) -> Result<CommandEnd, CommandFailure> {
    let ending = interrupt::ending(is_known);
    output::answer(&told, format, |told| say(&told.answer))?;
    Ok(told.proof_file.map_or(ending, |kept: ProofFile| output::proof_kept(&kept, ending)))
}

/// The state of the study of a set-up, in sentences.
fn say_set_up(report: &SetUpStudyReport) -> String {
    let SetUpStudyReport { game, board, pie, bait, target, .. } = report;
    let mut text = format!("{game}  {board}\n{pie} pie, bait {bait}, {target} beads win\n");
    text.push_str(&report.player_two.sentence(report.balanced));
    text.push('\n');
    let StudiesByColour { w, b } = &report.first_mover;
    for study in w.iter().chain(b) {
        text.push('\n');
        text.push_str(&say(study));
    }
    text
}

/// The state of a study, in sentences.
pub(super) fn say(report: &StudyReport) -> String {
    let StudyReport { game, position, turn, value, bounds, .. } = report;
    let who = games::colour(game, turn);
    let [worst, best] = names(*bounds);
    let known = match value {
        Some(value) => format!("{} is proved", value.name()),
        None if *bounds == Bounds::UNKNOWN => "nothing is proved yet".to_owned(),
        None => format!("{worst} to {best} is proved"),
    };
    let mut text = format!("{game}  {position}\n{who}, to move: {known}.\n");
    let moves = report.root_moves.map(|moves| format!(", {} of {} moves decided", moves.decided, moves.all));
    let (jobs, nodes, positions) = (
        value_texts::count(report.jobs),
        value_texts::count(report.nodes),
        value_texts::count(report.positions),
    );
    text.push_str(&format!(
        "{jobs} jobs with {nodes} positions searched, {positions} in the tree{}.\n",
        moves.unwrap_or_default()
    ));
    if value.is_none() && !report.line.is_empty() {
        text.push_str(&format!("Most proving line: {}.\n", report.line.join(" ")));
    }
    text
}
