//! `marquis verify`

use std::path::Path;

use marquis_engine::{Engine, EngineOptions};

use crate::arguments::LimitArgs;
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::control;

pub(crate) fn run(
    path: &Path,
    sample: Option<u64>,
    limits: &LimitArgs,
    output: Output,
) -> anyhow::Result<Exit> {
    let (engine, _) = Engine::open(EngineOptions::default())?;
    let report = engine.verify(path, sample, &limits.limits(), &control())?;
    output.answer(&report, |report| {
        let verdict = match report.faults.len() {
            0 => "all is right".to_owned(),
            faults => format!("{faults} faults:\n{}", report.faults.join("\n")),
        };
        format!("{} files, {} entries checked: {verdict}", report.files, report.entries)
    })?;
    Ok(if report.faults.is_empty() { Exit::Answered } else { Exit::False })
}
