//! How far a training is, for whoever asks from another terminal: `training.json` in its folder.
//!
//! It is written anew with each line that the training says, and gone when it is finished.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::building::{is_there, keep, kept, now};

/// What the file is called.
const FILE: &str = "training.json";

/// How far a training is, or was when it ended without being finished.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Training {
    /// The game.
    pub(crate) game: String,
    /// The board; none for the one that people play on.
    pub(crate) size: Option<String>,
    /// The process that trains.
    pub(crate) process: u32,
    /// What it said last.
    pub(crate) said: String,
    /// Generations whose network is there.
    pub(crate) networks: usize,
    /// How many there are to be.
    pub(crate) generations: usize,
    /// Since this run began.
    pub(crate) seconds: f64,
    /// When this was written, in seconds of the Unix clock.
    pub(crate) written: u64,
}

impl Training {
    /// That of this process, which has said nothing yet.
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

    /// What the folder says; nothing where no training goes on there and none was broken off.
    ///
    /// # Errors
    /// The file is there and cannot be read.
    pub(crate) fn of(folder: &Path) -> io::Result<Option<Self>> {
        kept(&folder.join(FILE))
    }

    /// Takes note of a line; a file that cannot be written is no reason to give the training up.
    pub(crate) fn note(&mut self, folder: &Path, line: &str, seconds: f64) {
        line.trim_end().lines().last().unwrap_or_default().clone_into(&mut self.said);
        let network = |generation: &usize| folder.join(format!("{generation}.net")).is_file();
        self.networks = (0..self.generations).take_while(network).count();
        (self.seconds, self.written) = (seconds, now());
        let _ = keep(&folder.join(FILE), self);
    }

    /// Whether the process is still there.
    pub(crate) fn goes_on(&self) -> bool {
        is_there(self.process)
    }

    /// Takes the file away: the networks themselves say what is there.
    pub(crate) fn finished(folder: &Path) {
        // One that cannot be taken away names a process that is gone.
        let _ = fs::remove_file(folder.join(FILE));
    }
}
