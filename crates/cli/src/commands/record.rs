//! `marquis record`

use std::io::Read;
use std::path::Path;

use clap::{Args, Subcommand};
use marquis_engine::EngineError;
use marquis_engine::record::{Records, Replayed, records_in, replay};
use marquis_wire::record::{GameRecord, RecordCheck, RecordedMove};

use super::show::board;
use crate::columns::TextTable;
use crate::exit::{CommandEnd, CommandFailure};
use crate::games;
use crate::numbers::{GAME, PLY, number};
use crate::output::{self, Format};
use crate::positions::STANDARD_INPUT;
use crate::value_texts::plural;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis record check match.txt
  marquis record show game.txt
  marquis record show game.txt --ply 12
  marquis record show - --json < game.txt

A record is a text with headers, numbered moves, comments in braces and variations in parentheses, as `marquis play
--record` and `marquis match --record` write it; crates/record/FORMAT.md describes it. A file may hold many.
`check` ends with exit code 1 if a game is wrong.")]
pub(crate) struct RecordCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Check all games of a file: text, moves, results
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
        /// Also draw the board after this many plies of the game
        #[arg(long, value_name = "N", value_parser = number::<usize>(PLY))]
        ply: Option<usize>,
    },
}

/// The games of a file, or of standard input.
type Games = Records<Box<dyn Read>>;

/// The games of a file or of standard input, read one by one.
///
/// # Errors
/// The file cannot be opened.
fn read(file: &str) -> Result<Games, CommandFailure> {
    if file == STANDARD_INPUT {
        return Ok(Records::of(Box::new(std::io::stdin()), "standard input"));
    }
    Ok(records_in(Path::new(file))?)
}

/// One game of a file, from 1, checked against the rules.
///
/// # Errors
/// A record cannot be read, is malformed or is not a legal game, or there are fewer games.
pub(super) fn one(file: &str, number: u32) -> Result<Replayed, CommandFailure> {
    let (mut games, mut wanted) = (0, None);
    for record in read(file)? {
        let record = record?;
        games += 1;
        if games == number {
            wanted = Some(record);
        }
    }
    let record = wanted.ok_or_else(|| {
        CommandFailure::bad_input(format!("--number: expected a number from 1 to {games}, found {number}"))
    })?;
    if games > 1 {
        output::remark(&format!("game {number} of {games}; --number chooses another"));
    }
    let replayed = replay(games::registry(), &record, None)?;
    replayed.warnings().iter().for_each(|warning| output::remark(&format!("warning: {warning}")));
    Ok(replayed)
}

impl RecordCommand {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        match self.what {
            What::Check { file } => check(&file, format),
            What::Show { file, number, ply } => {
                let replayed = one(&file, number)?;
                let drawn = ply.map(|ply| drawn(&replayed, ply)).transpose()?;
                output::answer(&replayed.response(games::registry()), format, |game| {
                    say(game) + &drawn.unwrap_or_default()
                })?;
                Ok(CommandEnd::Answered)
            }
        }
    }
}

fn drawn(replayed: &Replayed, ply: usize) -> Result<String, CommandFailure> {
    let posed = replayed.after(ply).ok_or_else(|| {
        let plies = replayed.plies();
        CommandFailure::bad_input(format!("--ply: expected a number from 0 to {plies}, found {ply}"))
    })?;
    Ok(format!("\n{}", board(&posed.draw())))
}

/// The maximum number of warnings that a check lists; those of a long file are mostly alike.
const MOST_WARNINGS: usize = 20;

/// Checks the games of a file.
fn check(file: &str, format: Format) -> Result<CommandEnd, CommandFailure> {
    let found = checked(read(file)?)?;
    found.warnings.iter().for_each(|warning| output::remark(&format!("warning: {warning}")));
    output::answer(&found, format, |RecordCheck { games, plies, fault, .. }| match fault {
        None => {
            let (of_games, of_plies) =
                (plural(*games as u64, "game", "games"), plural(*plies as u64, "ply", "plies"));
            format!("{file}: {games} {of_games} with {plies} {of_plies}, all of them legal.\n")
        }
        Some(fault) => format!("{file}: {fault}\n"),
    })?;
    Ok(if found.fault.is_some() { CommandEnd::Refuted } else { CommandEnd::Answered })
}

/// Checks games against the rules, one by one, up to the first that fails.
///
/// # Errors
/// The games cannot be read.
fn checked(records: Games) -> Result<RecordCheck, EngineError> {
    let mut found = RecordCheck { games: 0, plies: 0, fault: None, warnings: Vec::new() };
    for record in records {
        let number = found.games + 1;
        let record = match record {
            Ok(record) => record,
            Err(EngineError::BadInput(fault)) => {
                return Ok(RecordCheck { fault: Some(fault.to_string()), ..found });
            }
            Err(other) => return Err(other),
        };
        match replay(games::registry(), &record, None) {
            Ok(replayed) => {
                found.games += 1;
                found.plies += replayed.plies_of_all();
                let left = MOST_WARNINGS - found.warnings.len();
                let warnings = replayed.warnings().iter().take(left);
                found.warnings.extend(warnings.map(|warning| format!("game {number}: {warning}")));
            }
            Err(error) => {
                let fault = Some(format!("game {number}: {}", marquis_engine::causes(&error)));
                return Ok(RecordCheck { fault, ..found });
            }
        }
    }
    Ok(found)
}

fn say(game: &GameRecord) -> String {
    let header =
        |header: &marquis_wire::record::RecordHeader| format!("{:<9} {}\n", header.name, header.value);
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
        text += &format!("{variations} variations; see --json\n");
    }
    let result = game.result.as_deref().unwrap_or("none in the record");
    let over = game.over.as_deref().map_or_else(String::new, |why| format!(", the game is over: {why}"));
    text + &format!("Result: {result}{over}\n")
}
