//! `marquis train`

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use marquis_core::GameId;
use marquis_engine::Lease;
use marquis_registry::training::{TrainingError, TrainingPlan, is_trained, train_board};
use marquis_wire::quantity::MOST;
use serde::Serialize;

use crate::exit::{CommandEnd, CommandFailure};
use crate::log::LogArgs;
use crate::numbers::{MOST_PAIRS, SEED, number};
use crate::output::{self, Format, remark};
use crate::training::Training;
use crate::{games, interrupt};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis train squish --size 4 --state training/squish-4
  marquis train squinch --size 6x6 --state training/squinch --positions 60000,120000 --nodes 300

Each generation, the engine plays itself from random openings. A network is fitted to the results and searches of these
games, and measured against the previous one. After Ctrl-C the same command resumes. The same seed gives the same games.
The network of generation N is N.net, and N.txt describes its training. Senet is learned from tables:
`cargo run --release -p marquis-registry --example senet -- train`.")]
pub(crate) struct Train {
    /// Which game
    #[arg(value_parser = games::parser())]
    game: GameId,
    /// The board: a side, or files and ranks such as 6x6 [default: the usual one]
    #[arg(long, value_name = "SIZE")]
    size: Option<String>,
    /// Folder of the training
    #[arg(long, value_name = "DIR")]
    state: PathBuf,
    /// Positions of self-play for each generation
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        value_parser = number::<usize>(1..=1_000_000_000),
        default_values_t = [60_000, 120_000, 240_000, 480_000, 960_000]
    )]
    positions: Vec<usize>,
    /// Positions to search for each move
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = number::<u64>(1..=MOST))]
    nodes: u64,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(SEED))]
    seed: u64,
    /// Pairs of games that measure a new network
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = number::<u64>(0..=MOST_PAIRS))]
    pairs: u64,
    #[command(flatten)]
    log: LogArgs,
}

/// The place of the network.
#[derive(Serialize)]
struct Report {
    game: &'static str,
    network: String,
}

impl Train {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        self.log.open()?;
        let Self { game, size, state, positions, nodes, seed, pairs, .. } = self;
        let generations = positions.len();
        let plan = TrainingPlan { seed, positions, nodes, games: 200, epochs: 10, pairs };
        let begun = Instant::now();
        if !is_trained(game.name(), size.as_deref()) {
            let found = size.as_deref().unwrap_or("the usual one");
            return Err(CommandFailure::bad_input(format!(
                "{game}: expected a board of this game that is learned by self-play, found {found}; see --help"
            )));
        }
        let _lease = Lease::of_folder(&state, &format!("train {game}"))?;
        let mut training = Training::new(game.name(), size.as_deref(), generations);
        let mut say = |line: &str| {
            let seconds = begun.elapsed().as_secs_f64();
            training.note(&state, line, seconds);
            remark(&format!("{seconds:7.0} s  {}", line.trim_end()));
        };
        let trained = train_board(game.name(), size.as_deref(), &state, &plan, interrupt::flag(), &mut say);
        match trained {
            None | Some(Ok(())) => Training::finished(&state),
            Some(Err(TrainingError::Stopped)) => return Ok(interrupt::ending(false)),
            Some(Err(error @ TrainingError::Another { .. })) => {
                return Err(CommandFailure::bad_input(error.to_string()));
            }
            Some(Err(error)) => return Err(CommandFailure::failed(error.to_string())),
        }
        let network = state.join(format!("{}.net", generations.saturating_sub(1))).display().to_string();
        let report = Report { game: game.name(), network };
        output::answer(&report, format, |report| format!("{}\n", report.network))?;
        Ok(CommandEnd::Answered)
    }
}
