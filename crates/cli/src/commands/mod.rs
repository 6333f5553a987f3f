//! One file a subcommand.

mod balance;
mod check_proof;
mod claims;
mod design;
mod games;
mod generate;
mod line;
mod moves;
mod perft;
mod probe;
mod repack;
mod serve;
mod shell;
mod show;
mod solve;
mod verify;
mod wording;

use marquis_engine::{Engine, EngineOptions};

use crate::arguments::{Command, Tables};
use crate::exit::Exit;
use crate::output::Output;

/// Runs a subcommand.
pub(crate) fn run(command: Command, output: Output) -> anyhow::Result<Exit> {
    match command {
        Command::Games => games::run(output),
        Command::Show(asked) => show::run(&asked, output),
        Command::Moves(asked) => moves::run(&asked, output),
        Command::Perft { asked, depth } => perft::run(&asked, depth, output),
        Command::Solve(solve) => solve::run(&solve, output),
        Command::Balance(balance) => balance::run(balance, output),
        Command::Design(design) => design::run(&design, output),
        Command::Generate(generate) => generate::run(&generate, output),
        Command::Repack { path } => repack::run(&path, output),
        Command::Probe { asked, tables } => probe::run(&asked, &tables, output),
        Command::Line { asked, tables, limits } => line::run(&asked, &tables, &limits, output),
        Command::Verify { path, sample, limits } => verify::run(&path, sample, &limits, output),
        Command::CheckProof { file } => check_proof::run(&file, output),
        Command::Claims(claims) => claims::run(&claims, output),
        Command::Serve(serve) => serve::run(serve),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man => shell::manual(),
    }
}

/// An engine with these tables and proofs; tables that cannot be used are told of and left out.
fn engine(tables: &Tables, proofs: &[std::path::PathBuf]) -> anyhow::Result<Engine> {
    let options =
        EngineOptions { tables: tables.folders(), proofs: proofs.to_vec(), ..EngineOptions::default() };
    let (engine, problems) = Engine::open(options)?;
    for problem in problems {
        anstream::eprintln!("marquis: a table is left out: {problem}");
    }
    Ok(engine)
}
