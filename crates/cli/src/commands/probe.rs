//! `marquis probe`

use std::path::PathBuf;

use clap::Args;

use super::solve::say;
use crate::arguments::{PositionArgs, TableArgs};
use crate::exit::{CommandEnd, CommandFailure};
use crate::interrupt;
use crate::output::Format;
use crate::positions::answer_each;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis probe squish start:3 --tables tablebases
  marquis probe squish - --tables tablebases < positions.txt

Without the table the answer is `unknown` and the exit code 3.")]
pub(crate) struct Probe {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    tables: TableArgs,
    /// Take the positions of this proof as a table; may be given several times
    #[arg(long, value_name = "FILE")]
    use_proof: Vec<PathBuf>,
}

impl Probe {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let engine = self.tables.open(self.use_proof.clone())?;
        let ask = |position: &str| {
            let answer = engine.probe(&self.position.query(position)?)?;
            let ending = interrupt::ending(answer.is_known());
            Ok((answer, ending))
        };
        answer_each(&self.position.position, format, ask, say)
    }
}
