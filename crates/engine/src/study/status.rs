//! What a study says of itself while it goes on, for whoever looks from outside.

use std::path::{Path, PathBuf};
use web_time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use marquis_core::{GameId, Immobile};

use crate::EngineError;
use crate::error::FileError;
use crate::wire::study::StudyReport;

/// The name of the file.
const FILE: &str = "status.json";
/// Between two writings.
const EVERY: Duration = Duration::from_secs(1);

/// Where the study in a folder stands, or stood when it was last at work; also while a process works at it.
///
/// # Errors
/// There is no study, or what it says cannot be read.
pub fn study_status(folder: &Path) -> Result<StudyReport, EngineError> {
    let file = folder.join(FILE);
    let text = std::fs::read(&file).map_err(FileError::system(&file, "read it"))?;
    let expected = "what a study says of itself";
    let read = StudyReport::from_file(&text);
    Ok(read
        .map_err(|error| FileError::unexpected(&file, expected, error, "let the study go on for a moment"))?)
}

/// The same where it is known what the study has to be about.
///
/// # Errors
/// As [`study_status`]; the folder holds another study.
pub(crate) fn study_status_of(
    folder: &Path,
    game: GameId,
    position: &str,
    immobile: Immobile,
) -> Result<StudyReport, EngineError> {
    let report = study_status(folder)?;
    // Earlier versions did not say it.
    let found_immobile = report.immobile.as_deref().unwrap_or(immobile.name());
    if (report.game.as_str(), report.position.as_str(), found_immobile)
        == (game.name(), position, immobile.name())
    {
        return Ok(report);
    }
    let told =
        |game: &str, position: &str, immobile: &str| format!("{game} {position} with immobile {immobile}");
    let expected = format!("a study of {}", told(game.name(), position, immobile.name()));
    let found = told(&report.game, &report.position, found_immobile);
    Err(FileError::unexpected(folder, expected, found, "name the folder of that study with --state").into())
}

/// Whether a folder is that of a study which has said something of itself.
pub(super) fn says_something(folder: &Path) -> bool {
    folder.join(FILE).is_file()
}

/// Seconds since 1970, as what is written says when.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Writes the file every now and then.
pub(crate) struct Status {
    file: PathBuf,
    written: Option<Instant>,
}

impl Status {
    /// That of the study in this folder.
    pub(crate) fn of(folder: &Path) -> Self {
        Self { file: folder.join(FILE), written: None }
    }

    /// Whether it is time to write.
    pub(crate) fn is_due(&self) -> bool {
        self.written.is_none_or(|at| at.elapsed() >= EVERY)
    }

    /// Writes where the study stands.
    ///
    /// A file that cannot be written is no reason to give the study up: the next one may be.
    pub(crate) fn write(&mut self, report: &StudyReport) {
        self.written = Some(Instant::now());
        if let Some(text) = report.to_file() {
            let _ = marquis_table::write_whole(&self.file, &text);
        }
    }
}
