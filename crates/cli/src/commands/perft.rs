//! `marquis perft`

use clap::Args;
use marquis_engine::Limits;
use serde::Serialize;

use crate::arguments::PositionArgs;
use crate::columns::TextTable;
use crate::exit::{CommandEnd, CommandFailure};
use crate::games::registry;
use crate::interrupt;
use crate::numbers::number;
use crate::output::Format;
use crate::positions::answer_each;
use crate::progress::watched;
use crate::value_texts::count;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis perft squish start:4 3
  marquis perft squinch start 3 --json

Positions after exactly that many plies count once for each path to them; a finished game counts as one.
Ctrl-C prints the counts so far.")]
pub(crate) struct Perft {
    #[command(flatten)]
    position: PositionArgs,
    /// Plies, from 1
    #[arg(value_parser = number::<u32>(1..=64))]
    depth: u32,
}

#[derive(Serialize)]
struct Counted {
    game: &'static str,
    position: String,
    depth: u32,
    /// After 1, 2, … `depth` plies; fewer after Ctrl-C.
    leaves: Vec<u64>,
}

impl Perft {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let ask = |position: &str| {
            let posed = registry().pose(&self.position.query(position)?)?;
            let leaves = watched(|control| posed.perft(self.depth, &Limits::default(), control))?;
            let (game, position) = (posed.game().name(), posed.text());
            let ending = interrupt::ending(leaves.len() == self.depth as usize);
            Ok((Counted { game, position, depth: self.depth, leaves }, ending))
        };
        answer_each(&self.position.position, format, ask, say)
    }
}

fn say(counted: &Counted) -> String {
    let mut table = TextTable::new(&[">plies", ">leaves"]);
    for (plies, &leaves) in (1..).zip(&counted.leaves) {
        let plies: u32 = plies;
        table.row([plies.to_string(), count(leaves)]);
    }
    table.render()
}
