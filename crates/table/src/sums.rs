//! `B3SUMS`: the checksums of whole files, as the tool `b3sum` writes and checks them.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::{Error, atomic};

/// The name of the list.
pub(crate) const SUMS_NAME: &str = "B3SUMS";
/// Lists are read into memory as a whole; a list of a million tables is smaller than this.
pub const MAX_LIST_BYTES: u64 = 256 << 20;

/// Writes the list of `files`, given relative to `root`, and returns where it is.
///
/// * `known`: the checksum of a file, if the file does not have to be read for it.
pub(crate) fn write(
    root: &Path,
    files: &[PathBuf],
    known: &dyn Fn(&Path) -> Option<String>,
) -> Result<PathBuf, Error> {
    let path = root.join(SUMS_NAME);
    let line = |file: &PathBuf| {
        let sum = known(file).map_or_else(|| sum(&root.join(file)), Ok)?;
        Ok(format!("{sum}  {}\n", file.display()))
    };
    let lines = files.iter().map(line);
    let text = lines.collect::<Result<String, Error>>()?;
    let name = path.display().to_string();
    atomic::create(&path, |out| out.write_all(text.as_bytes()).map_err(Error::io(&name, "write it")))?;
    Ok(path)
}

/// The checksum and the file of a line of the list.
///
/// * `name`: the name of the list in errors; `number`: of the line, from 0.
pub(crate) fn entry<'a>(name: &str, number: usize, line: &'a str) -> Result<(&'a str, &'a str), Error> {
    line.split_once("  ")
        .ok_or_else(|| Error::damaged(name, place(number), "a checksum, two spaces and a file", quoted(line)))
}

/// The name of a line in errors.
///
/// * `number`: from 0.
pub(crate) fn place(number: usize) -> String {
    format!("line {}", number + 1)
}

/// The start of a text, short enough for a message.
pub(crate) fn quoted(text: &str) -> String {
    let start: String = text.chars().take(60).collect();
    format!("\"{}\"", start.escape_debug())
}

fn sum(path: &Path) -> Result<String, Error> {
    let mut hasher = blake3::Hasher::new();
    let file = File::open(path).map_err(Error::io(path.display(), "open it"))?;
    hasher.update_reader(file).map_err(Error::io(path.display(), "read it"))?;
    Ok(hasher.finalize().to_string())
}
