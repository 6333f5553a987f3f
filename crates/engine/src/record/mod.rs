//! Records of games, checked against the rules.

mod files;
mod near;
mod response;

pub use files::{RecordFile, Records, keep_records, kept_records, records_in, records_of};

use marquis_core::{GameId, Immobile, Over, Player, TextError};
use marquis_record::{GameResult, Header, MoveSequence, ReadError, Record};

use crate::EngineError;
use crate::adapter::Posed;
use crate::query::{Pie, Query};
use crate::registry::Registry;

/// The game.
pub(crate) const GAME: &str = "Game";
/// The start: `start`, `start:4` or a position text.
const POSITION: &str = "Position";
/// The rule for a player who cannot move.
const IMMOBILE: &str = "Immobile";
/// The pie rule, the beads beside the board, and the choice of Player Two.
const PIE: &str = "Pie";
const BAIT: &str = "Bait";
const CHOICE: &str = "Choice";
/// The choices of Player Two.
const CHOICES: [&str; 3] = ["move-first", "choose-colour", "take-bait"];

/// A record whose moves are legal, with every position.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// In canonical form: with the game, the start, and the result if the rules decide it.
    record: Record,
    start: Posed,
    /// The game, then its variations in the order of the text.
    lines: Vec<ReplayedLine>,
    over: Option<Over>,
    warnings: Vec<String>,
}

/// A line of moves.
#[derive(Clone, Debug)]
pub(crate) struct ReplayedLine {
    /// The number of the line that it branches from.
    pub(crate) of: usize,
    /// The number of plies before it.
    pub(crate) before: usize,
    pub(crate) comment: Option<String>,
    pub(crate) steps: Vec<ReplayedMove>,
}

/// A move, and the positions before and after it.
#[derive(Clone, Debug)]
pub(crate) struct ReplayedMove {
    pub(crate) by: Player,
    /// With its throw, if there are throws.
    pub(crate) mv: String,
    pub(crate) comment: Option<String>,
    pub(crate) after: Posed,
}

impl Replayed {
    /// The record in canonical form.
    #[must_use]
    pub const fn record(&self) -> &Record {
        &self.record
    }

    /// Unknown headers that resemble a known one: one line each.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The start position of the game.
    #[must_use]
    pub const fn start(&self) -> &Posed {
        &self.start
    }

    /// The position after `plies` plies of the game; `None` after its end.
    #[must_use]
    pub fn after(&self, plies: usize) -> Option<&Posed> {
        match plies.checked_sub(1) {
            None => Some(&self.start),
            Some(last) => self.lines[0].steps.get(last).map(|step| &step.after),
        }
    }

    /// The number of plies of the game without its variations.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.lines[0].steps.len()
    }

    /// The throw of the move after `plies` plies; `None` without throws, and after the last move.
    pub(crate) fn thrown_after(&self, plies: usize) -> Option<u8> {
        self.lines[0].steps.get(plies).and_then(|step| step.throw_and_move().0)
    }

    /// The player of each move of the game, and the move without its throw.
    pub(crate) fn made(&self) -> impl Iterator<Item = (Player, &str)> {
        self.lines[0].steps.iter().map(|step| (step.by, step.throw_and_move().1))
    }

    /// The number of plies of the game with all its variations.
    #[must_use]
    pub fn plies_of_all(&self) -> usize {
        self.lines.iter().map(|line| line.steps.len()).sum()
    }
}

/// Parses the text of a record.
///
/// # Errors
/// [`EngineError::BadInput`] names the line and column of the fault, what was expected there and what was found.
pub fn read_record(text: &str) -> Result<Record, EngineError> {
    Record::read(text).map_err(|error| refused(&error, ""))
}

/// Converts a parse error to an engine error.
///
/// * `file`: the name of the file with `: ` after it, or nothing.
fn refused(error: &ReadError, file: &str) -> EngineError {
    let ReadError { line, column, fault } = error;
    TextError::fact(format!("{file}line {line}, column {column}"), fault.expected(), fault.found()).into()
}

/// Checks a record against the rules: plays every move of the game and of its variations.
///
/// * `game`: the game, if the caller knows it; the header has to agree or be missing.
///
/// # Errors
/// [`EngineError::BadInput`] names the header or the ply of the fault.
pub fn replay(registry: &Registry, record: &Record, game: Option<GameId>) -> Result<Replayed, EngineError> {
    let game = game_of(registry, record, game)?;
    check_pie(registry, record, game)?;
    let start = start_of(registry, record, game)?;
    let mut lines = Vec::new();
    follow(&record.line, (0, 0), &start, &mut lines)?;
    let last = lines[0].steps.last().map_or(&start, |step: &ReplayedMove| &step.after);
    let over = last.position().over();
    let outcome = outcome_of(record, over)?;
    let warnings = near::warnings(record);
    let record = canonical(registry, record, &start, outcome);
    record.check_size().map_err(|fault| {
        let place = format!("the record with its headers {GAME} and {POSITION}");
        TextError::fact(place, fault.expected(), fault.found())
    })?;
    Ok(Replayed { record, start, lines, over, warnings })
}

/// Adds the name of the header to an error.
fn in_header(name: &'static str) -> impl Fn(TextError) -> TextError {
    move |error| TextError { place: format!("header {name}: {}", error.place), ..error }
}

fn game_of(registry: &Registry, record: &Record, asked: Option<GameId>) -> Result<GameId, EngineError> {
    let told = record.header(GAME).map(|name| registry.game(name)).transpose();
    let told = told.map_err(in_header(GAME))?.map(crate::registry::GameEntry::id);
    match (told, asked) {
        (Some(told), Some(asked)) if told != asked => {
            let place = format!("header {GAME}");
            Err(TextError::fact(place, format!("`{asked}`, the game that is asked about"), told.name())
                .into())
        }
        (told, asked) => told.or(asked).ok_or_else(|| {
            let expected = format!("one of {}, as in `[{GAME} \"NAME\"]`", registry.names());
            TextError::fact(format!("header {GAME}"), expected, "no such header").into()
        }),
    }
}

/// Checks that the pie, the bait and the choice of the headers are possible.
fn check_pie(registry: &Registry, record: &Record, game: GameId) -> Result<(), EngineError> {
    let told = [PIE, BAIT, CHOICE].into_iter().find(|name| record.header(name).is_some());
    let has_set_ups = registry.game(game.name())?.has_set_ups();
    if let Some(name) = told.filter(|_| !has_set_ups) {
        let expected = format!("no such header, for {game} begins without a pie; leave it out");
        return Err(TextError::fact(format!("header {name}"), expected, "one").into());
    }
    record.header(PIE).map(str::parse::<Pie>).transpose().map_err(in_header(PIE))?;
    if let Some(bait) = record.header(BAIT).filter(|bait| bait.parse::<u16>().is_err()) {
        return Err(TextError::new(format!("header {BAIT}"), "a number of beads", bait).into());
    }
    match record.header(CHOICE) {
        Some(choice) if !CHOICES.contains(&choice) => {
            Err(TextError::new(format!("header {CHOICE}"), CHOICES.join(", "), choice).into())
        }
        _ => Ok(()),
    }
}

fn start_of(registry: &Registry, record: &Record, game: GameId) -> Result<Posed, EngineError> {
    let immobile = record.header(IMMOBILE).map(str::parse::<Immobile>).transpose();
    let immobile = immobile.map_err(in_header(IMMOBILE))?.unwrap_or_default();
    if record.header(IMMOBILE).is_some() && !registry.game(game.name())?.about().agrees_on_immobile {
        let expected = format!("no such header, for in {game} nothing is agreed on; leave it out");
        return Err(TextError::fact(format!("header {IMMOBILE}"), expected, "one").into());
    }
    let text = record.header(POSITION).unwrap_or("start");
    let posed = registry.pose(&Query { immobile, ..Query::new(game, text) });
    posed.map_err(|error| match error {
        EngineError::BadInput(error) => in_header(POSITION)(error).into(),
        error => error,
    })
}

/// Plays a line and its variations.
///
/// * `of`, `before`: the number of the line that it branches from, and the number of plies before it.
fn follow(
    line: &MoveSequence,
    (of, before): (usize, usize),
    from: &Posed,
    lines: &mut Vec<ReplayedLine>,
) -> Result<(), EngineError> {
    let number = lines.len();
    let comment = line.comment.as_ref().map(|comment| comment.as_str().to_owned());
    lines.push(ReplayedLine { of, before, comment, steps: Vec::new() });
    let mut here = from.clone();
    for (past, ply) in (before..).zip(&line.plies) {
        let after = here.after(ply.mv.as_str()).map_err(|error| {
            let variation = if number > 0 { format!(" of variation {number}") } else { String::new() };
            let place = format!("ply {} (move {}){variation}", past + 1, past / 2 + 1);
            TextError { place, ..error }
        })?;
        for variation in &ply.variations {
            follow(variation, (number, past), &here, lines)?;
        }
        let comment = ply.comment.as_ref().map(|comment| comment.as_str().to_owned());
        let (by, mv) = (here.turn(), ply.mv.as_str().to_owned());
        lines[number].steps.push(ReplayedMove { by, mv, comment, after: after.clone() });
        here = after;
    }
    Ok(())
}

/// The result of the game by the rules.
fn by_rules(over: Over) -> GameResult {
    match over.outcome {
        marquis_core::Outcome::Winner(Player::First) => GameResult::First,
        marquis_core::Outcome::Winner(Player::Second) => GameResult::Second,
        marquis_core::Outcome::Draw => GameResult::Draw,
    }
}

/// The result: by the rules if the game is over, or else by the record.
fn outcome_of(record: &Record, over: Option<Over>) -> Result<Option<GameResult>, EngineError> {
    let Some(over) = over else { return Ok(record.outcome) };
    let ends = by_rules(over);
    match record.outcome {
        Some(told) if told != ends => {
            let why = over.reason.name();
            let expected = format!("`{}`, for the game is over ({why})", ends.text());
            Err(TextError::new("result", expected, told.text()).into())
        }
        _ => Ok(Some(ends)),
    }
}

/// The record with the headers that identify the game in front.
fn canonical(registry: &Registry, record: &Record, start: &Posed, outcome: Option<GameResult>) -> Record {
    let game = registry.game(start.game().name());
    let text = start.text();
    let starts = game.map(crate::registry::GameEntry::starts).unwrap_or_default();
    let named = starts.into_iter().find(|start| start.position == text).map(|start| start.name);
    let immobile = (start.immobile() != Immobile::default()).then(|| start.immobile().name());
    let first = [
        Header::new(GAME, start.game().name()),
        Header::new(POSITION, named.as_deref().unwrap_or(&text)),
        immobile.and_then(|name| Header::new(IMMOBILE, name)),
    ];
    let is_other = |header: &&Header| ![GAME, POSITION, IMMOBILE].contains(&header.name());
    let others = record.headers.iter().filter(is_other).cloned();
    Record {
        headers: first.into_iter().flatten().chain(others).collect(),
        line: record.line.clone(),
        outcome,
    }
}
