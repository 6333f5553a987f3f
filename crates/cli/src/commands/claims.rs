//! `marquis claims`

use marquis_engine::reports::ClaimsReport;
use marquis_engine::{ClaimsQuery, Engine, EngineOptions};

use crate::arguments::Claims;
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::control;

pub(crate) fn run(asked: &Claims, output: Output) -> anyhow::Result<Exit> {
    let size = asked.size.clone().or_else(|| asked.side.map(|side| side.to_string()));
    let position = match (&asked.from, size) {
        (Some(position), _) => position.clone(),
        (None, Some(size)) => format!("start:{size}"),
        (None, None) => "start".to_owned(),
    };
    let (engine, _) = Engine::open(EngineOptions::default())?;
    let query = ClaimsQuery { game: asked.game, position };
    let report = engine.claims(&query, &asked.limits.limits(), &control())?;
    output.answer(&report, text)?;
    let all_hold = report.claims.iter().all(|claim| claim.holds != Some(false));
    Ok(if all_hold { Exit::Answered } else { Exit::False })
}

fn text(report: &ClaimsReport) -> String {
    let facts = report.facts.iter().map(|(name, fact)| format!("{name}: {fact}"));
    let claims = report.claims.iter().map(|claim| {
        let verdict = match claim.holds {
            Some(true) => "yes",
            Some(false) => "no",
            None => "undecided",
        };
        format!("{}: {verdict} ({})", claim.claim, claim.evidence)
    });
    let head = std::iter::once(format!("{} from {}", report.game, report.board));
    head.chain(facts).chain(claims).collect::<Vec<_>>().join("\n")
}
