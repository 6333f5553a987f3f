//! `marquis line`

use clap::Args;
use clap::builder::styling::Style;
use marquis_wire::reports::{Line, LineEnd};

use crate::arguments::{GoalArgs, LimitArgs, PositionArgs, TableArgs};
use crate::columns::TextTable;
use crate::exit::{CommandEnd, CommandFailure};
use crate::interrupt;
use crate::output::Format;
use crate::positions::answer_each;
use crate::progress::watched;
use crate::{games, value_texts};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis line squish start:3
  marquis line squinch w1,w1,w1/3/r1,r1,r1_r --json

Both sides play a best move: the winner takes the fastest, the loser the slowest.
If a proof has moves without plies, the line may not be the shortest, and the output says so.
A draw has no line to an end. The line stops at the first position without a proved value.")]
pub(crate) struct LineCommand {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    goal: GoalArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl LineCommand {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let engine = self.tables.open(Vec::new())?;
        let limits = self.goal.within(self.limits.limits());
        let ask = |position: &str| {
            let query = self.position.query(position)?;
            let line = watched(|control| engine.line(&query, &limits, control))?;
            let ending = interrupt::ending(line.end != LineEnd::Unknown);
            Ok((line, ending))
        };
        answer_each(&self.position.position, format, ask, say)
    }
}

fn say(line: &Line) -> String {
    let from = &line.from;
    let sentence =
        value_texts::sentence(games::colour(&from.game, &from.turn), &from.verdict, from.over.as_deref());
    let mut text = format!("{}  {}\n{sentence}\n", from.game, from.position);
    if !line.moves.is_empty() {
        let mut table = TextTable::new(&[">ply", "", "move", "position"]);
        for (ply, mv) in (1..).zip(&line.moves) {
            let ply: usize = ply;
            table.styled([
                (ply.to_string(), Style::new()),
                (value_texts::sign(mv.verdict.value).to_owned(), value_texts::style(mv.verdict.value).bold()),
                (mv.mv.clone(), Style::new()),
                (mv.position.clone(), Style::new().dimmed()),
            ]);
        }
        text = text + "\n" + &table.render();
    }
    if !line.moves.is_empty() && !line.shortest {
        text += "A shorter win or a longer resistance may be possible.\n";
    }
    match line.end {
        LineEnd::Draw => text + "Both sides can hold the draw from here.\n",
        LineEnd::Proved => text + "From here the value is proved without its plies, so no line is best.\n",
        LineEnd::Unknown => text + "From here no value is proved.\n",
        LineEnd::Over => text,
    }
}
