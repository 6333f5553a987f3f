//! `marquis design`

use std::fmt::Write as _;

use clap::Args;
use clap::builder::styling::Style;
use marquis_engine::reports::Designed;
use marquis_engine::{DesignQuery, GameId};
use serde::Serialize;

use super::balance;
use crate::arguments::{LimitArgs, TableArgs, game};
use crate::exit::{Ending, Failure};
use crate::interrupt;
use crate::output::{self, Format};
use crate::progress::watched;
use crate::words::painted;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis design swish
  marquis design squeeze --side 3 --rooks 2 --beads 3 --tries 100 --keep 3 --seconds 5

Random set-ups are tried; those whose balance is proved within the limits, which are for each set-up, are
listed the hardest first. The same seed finds the same set-ups.")]
pub(crate) struct Design {
    /// Swish or Squeeze
    #[arg(value_parser = game())]
    game: GameId,
    /// Cells along an edge
    #[arg(long, default_value_t = 3)]
    side: u8,
    /// Rooks a colour
    #[arg(long, default_value_t = 2)]
    rooks: u8,
    /// Beads on the board
    #[arg(long, default_value_t = 3)]
    beads: u8,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many set-ups are tried
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    tries: u32,
    /// How many are listed
    #[arg(long, default_value_t = 5)]
    keep: usize,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Serialize)]
struct Designs {
    game: &'static str,
    designs: Vec<Designed>,
}

impl Design {
    pub(super) fn run(self, format: Format) -> Result<Ending, Failure> {
        let engine = self.tables.open(Vec::new())?;
        let Self { game, side, rooks, beads, seed, tries, keep, .. } = self;
        let query = DesignQuery { game, side, rooks, beads, seed, tries, keep };
        let designs = watched(|control| engine.design(&query, &self.limits.limits(), control))?;
        let found = !designs.is_empty() && !interrupt::stopped();
        output::answer(&Designs { game: game.name(), designs }, format, say)?;
        Ok(Ending::known(found))
    }
}

fn say(designs: &Designs) -> String {
    if designs.designs.is_empty() {
        return "No set-up was decided within the limits; give each more, or try more of them.\n".to_owned();
    }
    let mut text = String::new();
    for (number, design) in (1..).zip(&designs.designs) {
        let number: usize = number;
        let title = painted(&format!("{number}. hardness {:.1}", design.score), Style::new().bold());
        let between = if number > 1 { "\n" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{between}{title}\n{}", balance::say(&design.balance).trim_end());
    }
    text
}
