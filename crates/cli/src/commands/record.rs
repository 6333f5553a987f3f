//! `marquis record`

use std::io::Read as _;
use std::path::Path;

use clap::{Args, Subcommand};
use marquis_engine::{
    EngineError, GameRecord, Record, RecordCheck, RecordedMove, Replayed, read_records, records_of, replay,
};

use super::show::board;
use crate::exit::{Ending, Failure};
use crate::games;
use crate::numbers::{GAME, PLY, number};
use crate::output::{self, Format};
use crate::positions::STANDARD_INPUT;
use crate::table::TextTable;

/// Bytes of records on standard input.
const MOST_BYTES: u64 = 64 << 20;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis record check match.txt
  marquis record show game.txt
  marquis record show game.txt --ply 12
  marquis record show - --json < game.txt

A record is a text with headers, numbered moves, comments in braces and variations in parentheses, as `marquis play
--record` and `marquis match --record` write it; crates/record/FORMAT.md describes it. A file may hold many.
`check` ends with exit code 1 where a game does not hold.")]
pub(crate) struct RecordCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Say whether all games of a file hold: text, moves, results
    Check {
        /// A file, or `-` for standard input
        file: String,
    },
    /// Show a game, move by move
    Show {
        /// A file, or `-` for standard input
        file: String,
        /// Which game of the file
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u32>(GAME))]
        number: u32,
        /// Draw the board after so many plies of the game, too
        #[arg(long, value_name = "N", value_parser = number::<usize>(PLY))]
        ply: Option<usize>,
    },
}

/// The games of a file or of standard input, or what is wrong with them.
///
/// # Errors
/// Standard input cannot be read.
pub(super) fn read(file: &str) -> Result<Result<Vec<Record>, EngineError>, Failure> {
    if file != STANDARD_INPUT {
        return Ok(read_records(Path::new(file)));
    }
    let mut bytes = Vec::new();
    match std::io::stdin().lock().take(MOST_BYTES).read_to_end(&mut bytes) {
        Ok(_) => Ok(records_of(&bytes)),
        Err(error) => Err(Failure::failed(format!("standard input cannot be read: {error}"))),
    }
}

/// One game of a file, from 1, held against the rules.
///
/// # Errors
/// What cannot be read, is no record or no legal game; fewer games than that.
pub(super) fn one(file: &str, number: u32) -> Result<Replayed, Failure> {
    let records = read(file)??;
    let record = usize::try_from(number).ok().and_then(|number| records.get(number.checked_sub(1)?));
    let games = records.len();
    let record = record.ok_or_else(|| {
        Failure::bad_input(format!("--number: expected a number from 1 to {games}, found {number}"))
    })?;
    if games > 1 {
        output::remark(&format!("game {number} of {games}; --number chooses another"));
    }
    Ok(replay(games::registry(), record, None)?)
}

impl RecordCommand {
    pub(super) fn run(self, format: Format) -> Result<Ending, Failure> {
        match self.what {
            What::Check { file } => check(&file, format),
            What::Show { file, number, ply } => {
                let replayed = one(&file, number)?;
                let drawn = ply.map(|ply| drawn(&replayed, ply)).transpose()?;
                output::answer(&replayed.told(games::registry()), format, |game| {
                    say(game) + &drawn.unwrap_or_default()
                })?;
                Ok(Ending::Answered)
            }
        }
    }
}

fn drawn(replayed: &Replayed, ply: usize) -> Result<String, Failure> {
    let posed = replayed.after(ply).ok_or_else(|| {
        let plies = replayed.plies();
        Failure::bad_input(format!("--ply: expected a number from 0 to {plies}, found {ply}"))
    })?;
    Ok(format!("\n{}", board(&posed.draw())))
}

/// Whether the games of a file hold.
fn check(file: &str, format: Format) -> Result<Ending, Failure> {
    let found = match read(file)? {
        Ok(records) => checked(&records),
        Err(EngineError::BadInput(fault)) => {
            RecordCheck { games: 0, plies: 0, fault: Some(fault.to_string()) }
        }
        Err(other) => return Err(other.into()),
    };
    output::answer(&found, format, |RecordCheck { games, plies, fault }| match fault {
        None => format!("{file}: {games} games with {plies} plies, all of them legal.\n"),
        Some(fault) => format!("{file}: {fault}\n"),
    })?;
    Ok(if found.fault.is_some() { Ending::Refuted } else { Ending::Answered })
}

fn checked(records: &[Record]) -> RecordCheck {
    let mut found = RecordCheck { games: 0, plies: 0, fault: None };
    for record in records {
        match replay(games::registry(), record, None) {
            Ok(replayed) => {
                found.games += 1;
                found.plies += replayed.plies_of_all();
            }
            Err(error) => {
                found.fault = Some(format!("game {}: {}", found.games + 1, marquis_engine::causes(&error)));
                break;
            }
        }
    }
    found
}

fn say(game: &GameRecord) -> String {
    let header = |header: &marquis_engine::RecordHeader| format!("{:<9} {}\n", header.name, header.value);
    let mut text: String = game.headers.iter().map(header).collect();
    let mut table = TextTable::new(&[">ply", "", "move", "position", "comment"]);
    for RecordedMove { ply, turn, throw, mv, position, comment } in &game.moves {
        let mv = crate::throws::in_play(mv, *throw);
        let comment = comment.clone().unwrap_or_default();
        table.row([ply.to_string(), turn.clone(), mv, position.clone(), comment]);
    }
    text = text + "\n" + &table.render();
    let variations = game.variations.len();
    if variations > 0 {
        text += &format!("{variations} variations, which --json tells\n");
    }
    let result = game.result.as_deref().unwrap_or("none is told");
    let over = game.over.as_deref().map_or_else(String::new, |why| format!(", the game is over: {why}"));
    text + &format!("Result: {result}{over}\n")
}
