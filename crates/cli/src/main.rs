//! The command line of Marquis: `marquis solve squish start:3`.
#![forbid(unsafe_code)]

mod arguments;
mod commands;
mod exit;
mod interrupt;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::Cli;
use crate::output::Output;

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.color.write_global();
    interrupt::watch();
    let output = Output::new(cli.json);
    match commands::run(cli.command, output) {
        Ok(exit) => exit.into(),
        Err(error) => exit::report(&error).into(),
    }
}
