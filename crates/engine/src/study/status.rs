//! The status file of a running study, for other processes.

use std::path::{Path, PathBuf};
use web_time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use marquis_core::{GameId, Immobile};

use crate::EngineError;
use crate::error::FileError;
use marquis_wire::study::StudyReport;

/// The name of the file.
const FILE: &str = "status.json";
/// The interval between two writes.
const EVERY: Duration = Duration::from_secs(1);

/// The current state of the study in a folder, or its state when it last ran; also while a process works on it.
///
/// # Errors
/// There is no study, or its status cannot be read.
pub fn study_status(folder: &Path) -> Result<StudyReport, EngineError> {
    let file = folder.join(FILE);
    let text = std::fs::read(&file).map_err(FileError::system(&file, "read it"))?;
    let expected = "the status of a study";
    let read = StudyReport::from_file(&text);
    Ok(read
        .map_err(|error| FileError::unexpected(&file, expected, error, "let the study run for a moment"))?)
}

/// The same for a study of a given position.
///
/// # Errors
/// As [`study_status`]; or the folder holds another study.
pub(crate) fn study_status_of(
    folder: &Path,
    game: GameId,
    position: &str,
    immobile: Immobile,
) -> Result<StudyReport, EngineError> {
    let report = study_status(folder)?;
    // Earlier versions did not write it.
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

/// Whether a folder holds a study with a status file.
pub(super) fn says_something(folder: &Path) -> bool {
    folder.join(FILE).is_file()
}

/// Seconds since 1970, for the time stamps of the files.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Writes the file at intervals.
pub(crate) struct StatusWriter {
    file: PathBuf,
    written: Option<Instant>,
}

impl StatusWriter {
    /// The status of the study in this folder.
    pub(crate) fn of(folder: &Path) -> Self {
        Self { file: folder.join(FILE), written: None }
    }

    /// Whether it is time to write.
    pub(crate) fn is_due(&self) -> bool {
        self.written.is_none_or(|at| at.elapsed() >= EVERY)
    }

    /// Writes the state of the study.
    ///
    /// A failed write does not end the study: the next one may succeed.
    pub(crate) fn write(&mut self, report: &StudyReport) {
        self.written = Some(Instant::now());
        if let Some(text) = report.to_file() {
            let _ = marquis_table::write_whole(&self.file, &text);
        }
    }
}
