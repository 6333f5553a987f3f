//! Lists the studies in a folder.

use std::path::{Path, PathBuf};

use crate::EngineError;
use crate::error::FileError;

use super::status::says_something;

/// A study in a folder of studies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyFolder {
    /// The name of its folder; for a set-up, with the letter of the colour that moves first: `squeeze-7:b`.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
}

/// The studies in a folder, by name, each in a subfolder as `--state` names it; a set-up counts as one study for each
/// colour that was started.
///
/// # Errors
/// The folder cannot be read.
pub fn studies_in(folder: &Path) -> Result<Vec<StudyFolder>, EngineError> {
    let mut found: Vec<StudyFolder> =
        folders_in(folder)?.into_iter().flat_map(|(name, own)| of_one(&name, &own)).collect();
    found.sort_by(|one, other| (&one.name, &one.folder).cmp(&(&other.name, &other.folder)));
    found.dedup_by(|one, other| one.name == other.name);
    Ok(found)
}

/// The study in a folder, as `--state` names it; a set-up counts as one study for each colour that was started.
#[must_use]
pub fn studies_of(folder: &Path) -> Vec<StudyFolder> {
    let name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    of_one(&name, folder)
}

/// The study in the folder of this name, and the studies of colours within it.
fn of_one(name: &str, folder: &Path) -> Vec<StudyFolder> {
    let of_colours = folders_in(folder).unwrap_or_default();
    let of_colours = of_colours.into_iter().filter(|(colour, _)| colour.len() == 1);
    let of_colours = of_colours.map(|(colour, own)| (format!("{name}:{colour}"), own));
    let all = std::iter::once((name.to_owned(), folder.to_owned())).chain(of_colours);
    let mut found: Vec<StudyFolder> = all
        .filter(|(_, folder)| says_something(folder))
        .map(|(name, folder)| StudyFolder { name, folder })
        .collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

/// The subfolders of a folder, with their names; names that are not UTF-8 are skipped.
fn folders_in(folder: &Path) -> Result<Vec<(String, PathBuf)>, EngineError> {
    let entries = std::fs::read_dir(folder).map_err(FileError::system(folder, "list it"))?;
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_dir());
    Ok(paths.filter_map(|path| Some((path.file_name()?.to_str()?.to_owned(), path))).collect())
}
