//! `marquis check-proof`

use std::path::Path;

use marquis_engine::reports::ProofReport;

use crate::exit::Exit;
use crate::output::Output;

pub(crate) fn run(file: &Path, output: Output) -> anyhow::Result<Exit> {
    let report = marquis_engine::check_proof(file)?;
    output.answer(&report, text)?;
    Ok(if report.refused.is_none() { Exit::Answered } else { Exit::False })
}

fn text(report: &ProofReport) -> String {
    let claim = |claim: &marquis_engine::reports::ProvedClaim| {
        let [worst, best] = &claim.bounds;
        let value = if worst == best { worst.clone() } else { format!("{worst}..{best}") };
        format!("{}: {value}, proved by {} positions", claim.position, claim.positions)
    };
    let mut lines: Vec<String> = report.claims.iter().map(claim).collect();
    if let Some(refused) = &report.refused {
        lines.push(format!("refused: {refused}"));
    }
    lines.join("\n")
}
