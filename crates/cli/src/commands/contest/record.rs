//! The games of a match in a file: a heading, then a line for each opening.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

use marquis_engine::Lease;
use serde::{Deserialize, Serialize};

use crate::exit::Failure;

/// What a game is worth to who began it.
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

/// A game.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Played {
    /// As `--play` takes them.
    pub(super) moves: Vec<String>,
    /// Of who began.
    pub(super) points: Points,
}

/// Two games from one opening; A begins the first.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Pair {
    pub(super) opening: String,
    pub(super) games: [Played; 2],
}

impl Pair {
    /// The points of A in halves.
    pub(super) const fn halves(&self) -> usize {
        self.games[0].points.halves() + 2 - self.games[1].points.halves()
    }
}

/// The file of a match, or none.
pub(super) struct Kept {
    file: Option<(PathBuf, File)>,
    pairs: Vec<Pair>,
    /// No other match writes the file.
    _lease: Option<Lease>,
}

impl Kept {
    /// The games that are there already, and a place for more.
    ///
    /// What was cut off by an interruption at the end of the file is played again.
    ///
    /// # Errors
    /// A file that cannot be read or written, or that is of another match.
    pub(super) fn open(path: Option<&Path>, heading: &str) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self { file: None, pairs: Vec::new(), _lease: None }) };
        let lease = Lease::of_file(path, &format!("match {heading}"))?;
        let failed = |error: io::Error| Failure::failed(format!("{}: {error}", path.display()));
        let mut pairs = Vec::new();
        let mut whole = 0;
        if path.exists() {
            let mut lines = BufReader::new(File::open(path).map_err(failed)?).lines();
            let found = lines.next().transpose().map_err(failed)?;
            whole = found.as_ref().map_or(0, |line| line.len() + 1);
            if let Some(found) = found.filter(|found| found != heading) {
                return Err(Failure::bad_input(format!(
                    "{}: expected the games of this match ({heading}), found those of another ({found}); name another file",
                    path.display()
                )));
            }
            for line in lines {
                let line = line.map_err(failed)?;
                let Ok(pair) = serde_json::from_str(&line) else { break };
                pairs.push(pair);
                whole += line.len() + 1;
            }
        }
        let mut file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
        file.set_len(whole as u64).map_err(failed)?;
        if whole == 0 {
            writeln!(file, "{heading}").map_err(failed)?;
        }
        Ok(Self { file: Some((path.to_owned(), file)), pairs, _lease: Some(lease) })
    }

    /// The pairs that were there, and those that came.
    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Keeps a pair.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(&mut self, pair: Pair) -> Result<(), Failure> {
        if let Some((path, file)) = &mut self.file {
            let line = serde_json::to_string(&pair).map_err(io::Error::from);
            let written = line.and_then(|line| writeln!(file, "{line}").and_then(|()| file.sync_data()));
            written.map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
        }
        self.pairs.push(pair);
        Ok(())
    }
}
