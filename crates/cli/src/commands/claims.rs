//! `marquis claims`

use std::fmt::Write as _;

use clap::Args;
use marquis_core::{GameId, Value};
use marquis_engine::{Among, ClaimsQuery};
use marquis_wire::reports::ClaimsReport;

use crate::arguments::{LimitArgs, StartArgs, TableArgs};
use crate::exit::{CommandEnd, CommandFailure};
use crate::games;
use crate::interrupt;
use crate::output::{self, Format};
use crate::progress::watched;
use crate::value_texts::{painted, style};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis claims flowish --side 3
  marquis claims squish --side 3 --tables tablebases
  marquis claims squinch --files 3 --ranks 3
  marquis claims swish --position \"w1w/4/1ooo1/4/b1b w 0-0 2\"

With --tables the claims are checked on all positions of the tables of that board; otherwise on everything
reachable from the start or the position.
Exit code 1 if a claim is false.")]
pub(crate) struct Claims {
    /// Which game
    #[arg(value_parser = games::parser())]
    game: GameId,
    #[command(flatten)]
    start: StartArgs,
    /// Start from this position instead of the start of a board
    #[arg(long, required_unless_present = "side")]
    position: Option<String>,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Claims {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let among = if self.tables.named().0.is_empty() { Among::Reachable } else { Among::Tables };
        let position = self.position.unwrap_or_else(|| self.start.text());
        let query = ClaimsQuery { game: self.game, position, among };
        let engine = self.tables.open(Vec::new())?;
        let report = watched(|control| engine.claims(&query, &self.limits.limits(), control))?;
        output::answer(&report, format, say)?;
        let found = |wanted: Option<bool>| report.claims.iter().any(|claim| claim.holds == wanted);
        Ok(if found(Some(false)) {
            CommandEnd::Refuted
        } else {
            interrupt::ending(found(Some(true)) && !found(None))
        })
    }
}

fn say(report: &ClaimsReport) -> String {
    let mut text = format!("{}  {}\n\n", report.game, report.board);
    let widest = report.facts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, fact) in &report.facts {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:<widest$}  {fact}");
    }
    for claim in &report.claims {
        let holds = match claim.holds {
            Some(true) => painted("holds", style(Some(Value::Win))),
            Some(false) => painted("FALSE", style(Some(Value::Loss))),
            None => painted("undecided", style(None)),
        };
        let _ = write!(text, "\n{holds}: {}\n  {}\n", claim.claim, claim.evidence);
    }
    text
}
