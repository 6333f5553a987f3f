//! Research about Senet from exact tables: `senet COMMAND …`. Each command is a module, whose head lists its arguments.

mod accuracy;
mod agreement;
mod chances;
mod decisions;
mod facts;
mod network;
mod parts;
mod player;
mod plots;
mod simulation;
#[cfg(test)]
mod tests;
mod train;

use std::error::Error;

const USAGE: &str = "expected one of
  accuracy [GAMES] [START] [NODES] [TABLES]                      the accuracy that reviews give players
  agreement TABLES [STATES] [SEED]                               tables against plain value iteration
  decisions TABLES [MOST] [DRAWS] [GAMES]                        the network's loss per decision
  facts TABLES PIECES [PLOTS] [POSITIONS] [GAMES] [SEED]         facts for players, and plots of them
  simulation TABLES [GAMES] [POSITION] [SEED] [MOST]             games against the predicted chances
  train TABLES MOST FOLDER [KNOWN LOOKED_AT ROUNDS EPOCHS]       the network's training";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = arguments.split_first().ok_or(USAGE)?;
    match command.as_str() {
        "accuracy" => accuracy::run(rest),
        "agreement" => agreement::run(rest),
        "decisions" => decisions::run(rest),
        "facts" => facts::run(rest),
        "simulation" => simulation::run(rest),
        "train" => train::run(rest),
        _ => Err(USAGE.into()),
    }
}
