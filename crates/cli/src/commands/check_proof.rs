//! `marquis check-proof`

use std::path::PathBuf;

use clap::Args;
use marquis_engine::{Foregone, check_proof_within};
use marquis_wire::reports::ProofReport;

use crate::arguments::RoomArgs;
use crate::columns::TextTable;
use crate::exit::{CommandEnd, CommandFailure};
use crate::games::registry;
use crate::output::{self, Format};
use crate::value_texts::{count, range};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis solve squish start:3 --proof squish.proof
  marquis check-proof squish.proof

Every move of the proof is replayed by the rules, without a solver or a table.
Lines of Squinch that end by a theorem are continued to the end of the game, which takes many times as long as the
proof itself.
Exit code 1 if the proof is wrong.")]
pub(crate) struct CheckProof {
    /// A proof file
    file: PathBuf,
    /// Trust the theorems of the game: lines of Squinch end where a theorem decides the winner
    #[arg(long)]
    by_theorem: bool,
    #[command(flatten)]
    room: RoomArgs,
}

impl CheckProof {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let foregone = if self.by_theorem { Foregone::Believed } else { Foregone::PlayedOn };
        let report = check_proof_within(registry(), &self.file, foregone, &self.room.limits())?;
        output::answer(&report, format, say)?;
        Ok(if report.refused.is_none() { CommandEnd::Answered } else { CommandEnd::Refuted })
    }
}

fn say(report: &ProofReport) -> String {
    let mut table = TextTable::new(&["proved", ">positions", "position"]);
    for claim in &report.claims {
        table.row([range(claim.bounds), count(claim.positions), claim.position.clone()]);
    }
    let claims = if report.claims.is_empty() { String::new() } else { table.render() + "\n" };
    match &report.refused {
        None => {
            format!("{claims}The proof about {} holds.\n{}{}", report.game, theorem(report), meaning(report))
        }
        Some(why) => format!("{claims}The proof about {} does not hold: {why}.\n", report.game),
    }
}

/// How much rests on a theorem, in a sentence; empty if nothing does.
fn theorem(report: &ProofReport) -> String {
    match report.claims.iter().map(|claim| claim.by_theorem).sum() {
        0 => String::new(),
        lines => format!(
            "{} of its positions end a line by a theorem; without --by-theorem these lines are played to the end.\n",
            count(lines)
        ),
    }
}

/// The subject of the proof and its result, in sentences.
fn meaning(report: &ProofReport) -> String {
    let variant = report.variant.iter().cloned();
    let target = report.target.iter().map(|target| format!("target {target}"));
    let pie = report.pie.iter().map(|pie| format!("{pie} pie"));
    let bait = report.bait.iter().map(|bait| format!("bait {bait}"));
    let about: Vec<String> =
        [report.game.clone()].into_iter().chain(variant).chain(target).chain(pie).chain(bait).collect();
    let board = report.board.as_deref().map(|board| format!("  {board}")).unwrap_or_default();
    format!("{}{board}\n{}\n", about.join(", "), report.proved.join("\n"))
}
