//! `marquis`: every question to the solver, the tablebases and the service, as a command.
//!
//! * Standard output carries the answer alone, standard error everything else.
//! * One file a command in [`commands`]; what they share is one file a purpose beside this one.
//! * Nothing here knows rules or solvers: commands turn arguments into the plain data of `marquis_engine`
//!   and its answers into text.
#![forbid(unsafe_code)]

mod arguments;
mod building;
mod commands;
mod drawing;
mod elsewhere;
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
mod table;
mod throws;
mod training;
mod words;

use std::process::ExitCode;

use clap::Parser as _;

use crate::commands::Arguments;
use crate::exit::Failure;

/// Memory that nobody needs any more is given back within seconds, also where many threads took it.
///
/// Measured beside the system's own in `tests/load/CROWD.txt`.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
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

/// Says why there is no answer: to the reader on standard error, with `--json` to the program as well.
fn report(failure: &Failure, format: output::Format) {
    output::remark(&format!("error: {}", failure.message));
    if format == output::Format::Json {
        // Nobody is left to be told when standard output fails too.
        let _ = output::document(&positions::Refusal { error: &failure.message, line: None });
    }
}
