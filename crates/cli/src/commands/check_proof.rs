//! `marquis check-proof`

use std::path::PathBuf;

use clap::Args;
use marquis_engine::check_proof_within;
use marquis_engine::reports::ProofReport;

use crate::arguments::RoomArgs;
use crate::exit::{Ending, Failure};
use crate::games::registry;
use crate::output::{self, Format};
use crate::table::TextTable;
use crate::words::count;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis solve squish start:3 --proof squish.proof
  marquis check-proof squish.proof

Every move of the proof is replayed by the rules; no solver and no table is believed.
Exit code 1 where the proof does not hold.")]
pub(crate) struct CheckProof {
    /// A proof file
    file: PathBuf,
    #[command(flatten)]
    room: RoomArgs,
}

impl CheckProof {
    pub(super) fn run(self, format: Format) -> Result<Ending, Failure> {
        let report = check_proof_within(registry(), &self.file, &self.room.limits())?;
        output::answer(&report, format, say)?;
        Ok(if report.refused.is_none() { Ending::Answered } else { Ending::Refuted })
    }
}

fn say(report: &ProofReport) -> String {
    let mut table = TextTable::new(&["proved", ">positions", "position"]);
    for claim in &report.claims {
        let [worst, best] = &claim.bounds;
        let proved = if worst == best { worst.clone() } else { format!("{worst} to {best}") };
        table.row([proved, count(claim.positions), claim.position.clone()]);
    }
    let claims = if report.claims.is_empty() { String::new() } else { table.render() + "\n" };
    match &report.refused {
        None => format!("{claims}The proof about {} holds.\n{}", report.game, meaning(report)),
        Some(why) => format!("{claims}The proof about {} does not hold: {why}.\n", report.game),
    }
}

/// What the proof is about, and what it says, in sentences.
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
