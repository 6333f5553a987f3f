//! `marquis play`

mod person_game;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use marquis_core::{GameId, Player};
use marquis_engine::{Level, NoLevel};

use self::person_game::{PersonGame, TypedReply};
use crate::arguments::{ImmobileArgs, MachineArgs, TableArgs, seconds};
use crate::exit::{CommandEnd, CommandFailure};
use crate::input::{Heard, Input};
use crate::numbers::{SEED, number};
use crate::output::{self, Format};
use crate::{games, interrupt};

/// The default time of a move of Marquis.
const USUAL: Duration = Duration::from_secs(1);

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis play squish start:3 --level 2
  marquis play swish \"w1w/4/1ooo1/4/b1b w 0-0 2\" --second
  marquis play squeeze w1w/4/1ooo1/4/b1b
  marquis play senet --record games.txt

Type moves as listed, such as c4-c3, or `undo`, `hint`, `moves`, `help` or `quit`.
Level 8 plays from tables and proofs if it has them.")]
pub(crate) struct Play {
    /// Which game
    #[arg(value_parser = games::parser())]
    game: GameId,
    /// A position text, `start`, `start:SIZE`, or a board of Swish or Squeeze, on which White moves first
    #[arg(value_name = "POSITION|BOARD", default_value = "start")]
    position: String,
    /// Strength of Marquis, from 1 to 8
    #[arg(long, value_name = "N", default_value_t = Level::MAX, value_parser = level)]
    level: Level,
    /// Marquis moves first
    #[arg(long)]
    second: bool,
    /// Seconds per move of Marquis at level 8 [default: 1]
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<Duration>,
    /// Append the game to a file of records when it ends or you leave
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Random seed of throws and of lower levels [default: a new one each time]
    #[arg(long, value_name = "N", value_parser = number::<u64>(SEED))]
    seed: Option<u64>,
    #[command(flatten)]
    immobile: ImmobileArgs,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    machine: MachineArgs,
}

/// Reads a level.
pub(super) fn level(text: &str) -> Result<Level, NoLevel> {
    text.parse()
}

impl Play {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        if let Some(file) = &self.record {
            // A file that cannot be appended to is reported before the game, not after it.
            marquis_engine::record::kept_records(file)?;
        }
        let engine = self.tables.open(Vec::new())?;
        let person = if self.second { Player::Second } else { Player::First };
        let limits =
            marquis_engine::Limits { time: Some(self.seconds.unwrap_or(USUAL)), ..self.machine.limits() };
        let immobile = self.immobile.choice(self.game)?;
        let position = if games::is_board(self.game, &self.position) {
            format!("{} w", self.position.trim())
        } else {
            self.position
        };
        let mut table =
            PersonGame::lay(&engine, (self.game, &position, immobile), self.level, self.seed, limits)?;
        // With --json the document is the only thing on standard output.
        let tell = |text: &str| match format {
            Format::Human => output::text(text),
            Format::Json => {
                output::remark(text.trim_end());
                Ok(())
            }
        };
        tell(&table.board())?;
        let input = Input::listen(None);
        while !table.is_over() {
            if let Some(throw) = table.roll()? {
                tell(&format!("{} throws {throw}.\n", table.mover()))?;
            }
            if table.turn() != person {
                tell(&table.reply()?)?;
                continue;
            }
            tell(&format!("{}, your move (`help` for more): ", table.mover()))?;
            let said = match input.next()? {
                Heard::Line(Ok(line)) => table.hear(line.trim(), person)?,
                Heard::Line(Err(unreadable)) => TypedReply::Text(format!("{unreadable}\n")),
                Heard::End | Heard::Interrupted => TypedReply::Leave,
            };
            match said {
                TypedReply::Text(text) => tell(&text)?,
                TypedReply::Leave => break,
            }
        }
        tell(&table.end())?;
        if let Some(file) = &self.record {
            marquis_engine::record::keep_records(file, &[table.kept(person)?])?;
            output::remark(&format!("the game is in {}", file.display()));
        }
        if format == Format::Json {
            output::document(&table.record())?;
        }
        Ok(if table.is_over() { CommandEnd::Answered } else { interrupt::ending(false) })
    }
}
