//! `marquis-strength match|ladder|rates BOARD …`: the strength of the search; `RESULTS.md` has the measurements.
#![forbid(unsafe_code)]

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use marquis_strength::answers::Parts;
use marquis_strength::blunders::Blunders;
use marquis_strength::board;
use marquis_strength::pace::{Evaluations, First};
use marquis_strength::rates::Rates;
use marquis_strength::senet::Games;
use marquis_strength::start::Start;
use marquis_strength::versus::{Ladder, Match};

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

/// The measurement.
#[derive(Subcommand)]
enum What {
    /// A paired match between two players
    Match(Match),
    /// Each level against the one below
    Ladder(Ladder),
    /// Positions and rollouts per second of one thread
    Rates(Rates),
    /// Games of the engine against itself from the start of a board
    Start(Start),
    /// Evaluations per second
    Evaluations(Evaluations),
    /// Positions proved with different shares of a limit for the judge
    Parts(Parts),
    /// Time to a first answer
    First(First),
    /// How often a known value is lost
    Blunders(Blunders),
    /// Games of Senet between the network, tables and simple players
    Senet(Games),
}

fn main() -> ExitCode {
    match run(Arguments::parse().what) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(what: What) -> Result<(), Box<dyn Error>> {
    match what {
        What::Match(what) => board::on(&what.terms.game.clone(), what)??,
        What::Ladder(what) => board::on(&what.terms.game.clone(), what)??,
        What::Rates(what) => board::on(&what.game.clone(), what)?,
        What::Start(what) => board::on(&what.game.clone(), what)??,
        What::Evaluations(what) => board::on(&what.game.clone(), what)?,
        What::Parts(what) => board::on(&what.game.clone(), what)?,
        What::First(what) => what.run()?,
        What::Blunders(what) => board::on(&what.game.clone(), what)?,
        What::Senet(what) => {
            what.run()?;
        }
    }
    Ok(())
}
