//! `marquis solve`, and how an answer reads.

mod say;

use std::path::PathBuf;

use clap::Args;
use marquis_engine::GameEntry;

use crate::arguments::{GoalArgs, LimitArgs, PositionArgs, TableArgs};
use crate::exit::{CommandEnd, CommandFailure};
use crate::games;
use crate::hint;
use crate::interrupt;
use crate::log::LogArgs;
use crate::output::{self, Format, WithProof};
use crate::positions::{STANDARD_INPUT, answer_each};
use crate::progress::watched;

pub(super) use say::say;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis solve squish start:3
  marquis solve squish start:3 --play \"a3xb3\"
  marquis solve swish \"w1w/4/1ooo1/4/b1b w 0-0 2\" --seconds 30
  marquis solve senet \"wbwb6/10/10 b\" --throw 6
  printf '%s\\n' start:3 \"4/1b1w1/2wb2/1wb1wb1/2wb2/1b1w1/4 w\" | marquis solve squish -

Tables come first, then a solution of everything reachable if that is small enough, then a search.
Moves are listed best first: wins by fewest plies, draws, unknown, losses by most plies.
delta: how many plies worse than the best move of the same value.")]
pub(crate) struct Solve {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    tables: TableArgs,
    /// Write a proof of the value to this file; exit code 3 if it cannot be proved
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Answer positions inside this proof without a search; may be given several times
    #[arg(long, value_name = "FILE")]
    use_proof: Vec<PathBuf>,
    #[command(flatten)]
    goal: GoalArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    log: LogArgs,
}

impl Solve {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        self.log.open()?;
        self.check_proof()?;
        let engine = self.tables.open(self.use_proof.clone())?;
        let limits = self.goal.within(self.limits.limits());
        let (mut kept, mut hint) = (None, None);
        let ask = |position: &str| {
            let query = self.position.query(position)?;
            let solved = watched(|control| match &self.proof {
                Some(file) => engine.solve_with_proof(&query, &limits, control, file).map(WithProof::from),
                None => engine.solve(&query, &limits, control).map(WithProof::none),
            })?;
            kept = solved.proof_file.clone();
            hint = hint::hint(solved.answer.ended(), &limits);
            let ending = interrupt::ending(solved.answer.is_known());
            Ok((solved, ending))
        };
        let ending = answer_each(&self.position.position, format, ask, |solved| say(&solved.answer))?;
        hint.as_deref().into_iter().for_each(output::remark);
        Ok(kept.map_or(ending, |kept| output::proof_kept(&kept, ending)))
    }

    fn check_proof(&self) -> Result<(), CommandFailure> {
        let refused = |why: &str| Err(CommandFailure::bad_input(format!("--proof: {why}; leave it out")));
        if self.proof.is_none() {
            return Ok(());
        }
        let game = self.position.game;
        if games::find(game.name()).is_some_and(GameEntry::has_throws) {
            return refused(&format!("expected a game without chance, found {game}"));
        }
        match self.position.position.as_str() {
            STANDARD_INPUT => refused("expected one position, found a list on standard input"),
            _ => Ok(()),
        }
    }
}
