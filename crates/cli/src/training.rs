//! The progress of a training for other terminals: `training.json` in its folder.
//!
//! The file is rewritten with each line that the training prints, and removed when the training is finished.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::building::{is_there, keep, kept, now};

/// The file name.
const FILE: &str = "training.json";

/// The progress of a training that runs or was interrupted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Training {
    /// The game.
    pub(crate) game: String,
    /// The board; `None` for the usual one.
    pub(crate) size: Option<String>,
    /// The process that trains.
    pub(crate) process: u32,
    /// Its latest line.
    pub(crate) said: String,
    /// Generations that have a network.
    pub(crate) networks: usize,
    /// All generations.
    pub(crate) generations: usize,
    /// Seconds since this run started.
    pub(crate) seconds: f64,
    /// The time of this write, in seconds of the Unix clock.
    pub(crate) written: u64,
}

impl Training {
    /// The training of this process, before its first line.
    pub(crate) fn new(game: &str, size: Option<&str>, generations: usize) -> Self {
        Self {
            game: game.to_owned(),
            size: size.map(str::to_owned),
            process: std::process::id(),
            said: String::new(),
            networks: 0,
            generations,
            seconds: 0.0,
            written: 0,
        }
    }

    /// The progress kept in the folder; `None` if no training runs there and none was interrupted.
    ///
    /// # Errors
    /// The file exists and cannot be read.
    pub(crate) fn of(folder: &Path) -> io::Result<Option<Self>> {
        kept(&folder.join(FILE))
    }

    /// Records a line; a file that cannot be written does not stop the training.
    pub(crate) fn note(&mut self, folder: &Path, line: &str, seconds: f64) {
        line.trim_end().lines().last().unwrap_or_default().clone_into(&mut self.said);
        let network = |generation: &usize| folder.join(format!("{generation}.net")).is_file();
        self.networks = (0..self.generations).take_while(network).count();
        (self.seconds, self.written) = (seconds, now());
        let _ = keep(&folder.join(FILE), self);
    }

    /// Whether the process still runs.
    pub(crate) fn goes_on(&self) -> bool {
        is_there(self.process)
    }

    /// Removes the file: the networks themselves show the result.
    pub(crate) fn finished(folder: &Path) {
        // A file that cannot be removed names a process that has ended.
        let _ = fs::remove_file(folder.join(FILE));
    }
}
