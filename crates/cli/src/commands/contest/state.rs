//! The games of a match in a file: a heading with the settings, then one line per game.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

use marquis_engine::Lease;
use serde::{Deserialize, Serialize};

use crate::exit::CommandFailure;

/// The points of a game for the side that moved first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Points {
    None,
    Half,
    One,
}

impl Points {
    const fn halves(self) -> usize {
        self as usize
    }
}

/// A game. Two consecutive games are a pair with one opening, and A moves first in the first one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct MatchGame {
    pub(super) opening: String,
    /// The seed of throws and of the choices of the lower levels.
    pub(super) seed: u64,
    /// In the format of `--play`.
    pub(super) moves: Vec<String>,
    /// The points of the side that moved first.
    pub(super) points: Points,
}

/// All settings that change the meaning of the games, by name, as text for a reader.
pub(super) type MatchSettings = BTreeMap<String, String>;

/// The first line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Heading {
    /// The version of this format.
    #[serde(rename = "match")]
    version: u32,
    settings: MatchSettings,
}

const VERSION: u32 = 2;

/// The games of a match, kept in a file if one is named.
pub(super) struct MatchFile {
    file: Option<(PathBuf, File)>,
    games: Vec<MatchGame>,
    /// Keeps other matches from writing the file.
    _lease: Option<Lease>,
}

impl MatchFile {
    /// Opens the games that are kept already; further ones are appended.
    ///
    /// An incomplete last line, left by an interruption, is ignored.
    ///
    /// # Errors
    /// The file cannot be read or written, is in use by another process, belongs to another match, or has a line that
    /// is not a game.
    pub(super) fn open(path: Option<&Path>, settings: &MatchSettings) -> Result<Self, CommandFailure> {
        let Some(path) = path else { return Ok(Self { file: None, games: Vec::new(), _lease: None }) };
        let lease = Lease::of_file(path, "match")?;
        let failed = |error: io::Error| CommandFailure::failed(format!("{}: {error}", path.display()));
        let opened = File::options().read(true).append(true).create(true).open(path);
        let mut file = opened.map_err(failed)?;
        let mut input = BufReader::new(&file);
        let mut whole = heading(path, &mut input, settings)?;
        let (mut games, mut line) = (Vec::new(), Vec::new());
        while whole > 0 && next_line(&mut input, &mut line).map_err(failed)? {
            let game = serde_json::from_slice(&line).map_err(|error| {
                let place = games.len() + 2;
                let advice = "delete the line, or name another file";
                CommandFailure::failed(format!(
                    "{}: line {place}: expected a game: {error}; {advice}",
                    path.display()
                ))
            })?;
            games.push(game);
            whole += line.len() as u64;
        }
        file.set_len(whole).map_err(failed)?;
        if whole == 0 {
            write(&mut file, &Heading { version: VERSION, settings: settings.clone() }).map_err(failed)?;
        }
        Ok(Self { file: Some((path.to_owned(), file)), games, _lease: Some(lease) })
    }

    /// The games kept before this run, and those added since.
    pub(super) fn games(&self) -> &[MatchGame] {
        &self.games
    }

    /// The points of A in each pair, in halves.
    pub(super) fn pairs(&self) -> impl Iterator<Item = usize> {
        self.games
            .as_chunks::<2>()
            .0
            .iter()
            .map(|[first, second]| first.points.halves() + 2 - second.points.halves())
    }

    /// The game that lacks the other one of its pair.
    pub(super) fn unpaired(&self) -> Option<&MatchGame> {
        self.games.last().filter(|_| !self.games.len().is_multiple_of(2))
    }

    /// Keeps a game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(&mut self, game: MatchGame) -> Result<(), CommandFailure> {
        if let Some((path, file)) = &mut self.file {
            write(file, &game)
                .map_err(|error| CommandFailure::failed(format!("{}: {error}", path.display())))?;
        }
        self.games.push(game);
        Ok(())
    }
}

/// The number of bytes of the heading; zero if there is none yet.
fn heading(
    path: &Path,
    input: &mut BufReader<&File>,
    settings: &MatchSettings,
) -> Result<u64, CommandFailure> {
    let other = |found: &str| {
        CommandFailure::bad_input(format!(
            "{}: expected the games of this match, found {found}; name another file",
            path.display()
        ))
    };
    let mut line = Vec::new();
    let is_whole = next_line(input, &mut line);
    let is_whole =
        is_whole.map_err(|error| CommandFailure::failed(format!("{}: {error}", path.display())))?;
    let text = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line);
    if !is_whole {
        // An incomplete heading of this match may be overwritten; other text may not.
        let begun = serde_json::to_vec(&Heading { version: VERSION, settings: settings.clone() });
        let is_own = begun.is_ok_and(|begun| begun.starts_with(text));
        return if is_own { Ok(0) } else { Err(other("another text")) };
    }
    let found: Heading = serde_json::from_slice(text)
        .map_err(|_| other("another text, or the match of an earlier version of this program"))?;
    if found.version != VERSION {
        return Err(other(&format!("version {} of this format", found.version)));
    }
    match difference(settings, &found.settings) {
        None => Ok(line.len() as u64),
        Some(difference) => Err(other(&format!("those of another: {difference}"))),
    }
}

/// The settings that differ, one by one.
fn difference(wanted: &MatchSettings, found: &MatchSettings) -> Option<String> {
    let value =
        |of: &MatchSettings, name: &str| of.get(name).cloned().unwrap_or_else(|| "nothing".to_owned());
    let names: std::collections::BTreeSet<&String> = wanted.keys().chain(found.keys()).collect();
    let differing = names.into_iter().filter(|name| wanted.get(*name) != found.get(*name));
    let said =
        differing.map(|name| format!("{name} {} instead of {}", value(found, name), value(wanted, name)));
    Some(said.collect::<Vec<_>>().join(", ")).filter(|said| !said.is_empty())
}

/// Reads a line with its end; returns whether the line is complete.
fn next_line(input: &mut BufReader<&File>, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    input.read_until(b'\n', line)?;
    Ok(line.ends_with(b"\n"))
}

fn write(file: &mut File, line: &impl Serialize) -> io::Result<()> {
    let line = serde_json::to_string(line).map_err(io::Error::from)? + "\n";
    file.write_all(line.as_bytes())?;
    file.sync_data()
}
