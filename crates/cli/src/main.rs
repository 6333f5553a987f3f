//! `marquis`: the solver, the tablebases and the service as commands.
//!
//! * Standard output carries only the answer, standard error everything else.
//! * [`commands`] has one file per command; the shared code has one file per purpose, next to this one.
//! * This crate knows no rules and no solvers: commands turn arguments into the plain data of `marquis_engine` and
//!   its answers into text.
#![forbid(unsafe_code)]

mod arguments;
mod building;
mod columns;
mod commands;
mod drawing;
mod exit;
mod games;
mod hint;
mod input;
mod interrupt;
mod lines;
mod log;
mod numbers;
mod output;
mod positions;
mod progress;
mod ranks;
mod records;
mod remark;
mod remote_tables;
#[cfg(feature = "http")]
mod study_service;
mod throws;
mod training;
mod value_texts;

use std::process::ExitCode;

use clap::Parser as _;

use crate::commands::Arguments;
use crate::exit::CommandFailure;

/// As fast as jemalloc, and compiled in seconds; keeps the memory of a load peak.
#[cfg(all(target_os = "linux", target_pointer_width = "64", not(feature = "jemalloc")))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Returns unused memory to the system within seconds, even if many threads allocated it.
///
/// Compared with the other ones in `tests/load/CROWD.txt`.
#[cfg(all(target_os = "linux", target_pointer_width = "64", feature = "jemalloc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    arguments.colour.apply();
    let format = arguments.format();
    interrupt::outlive_large_files();
    let ending = arguments.command.run(format).unwrap_or_else(|failure| {
        report(&failure, format);
        failure.ending
    });
    log::line(&format!("ended with exit code {}", ending.code()));
    ending.into()
}

/// Reports why there is no answer: on standard error, with `--json` on standard output as well.
fn report(failure: &CommandFailure, format: output::Format) {
    output::remark(&format!("error: {}", failure.message));
    if format == output::Format::Json {
        // If standard output fails too, nobody can receive the report.
        let _ = output::document(&positions::RefusalDocument { error: &failure.message, line: None });
    }
}
