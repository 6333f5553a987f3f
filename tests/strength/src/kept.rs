//! Results of pairs in a file, from which a stopped match resumes.
//!
//! ```text
//! # squish:4, weights with 200000 nodes against mcts with 30000 rollouts
//! 0 4
//! 1 3
//! ```
//!
//! The first line describes the match; each further line is a pair: its number, and the points of the first player
//! from both games, in half points.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The reason why the results in a file cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The system error.
        source: io::Error,
    },
    /// The file belongs to another match.
    #[error("{path}: expected results of `{expected}`, found `{found}`; name another file")]
    Another {
        /// The path of the file.
        path: PathBuf,
        /// The current match.
        expected: String,
        /// The match of the file.
        found: String,
    },
    /// A complete line is invalid.
    #[error(
        "{path}: line {line}: expected the number of a pair and halves of points from 0 to 4, found `{found}`"
    )]
    Line {
        /// The path of the file.
        path: PathBuf,
        /// The number of the line.
        line: usize,
        /// The text of the line.
        found: String,
    },
}

/// Results of pairs, by number, backed by a file if there is one.
#[derive(Debug, Default)]
pub struct Kept {
    file: Option<(PathBuf, File)>,
    results: BTreeMap<u64, usize>,
}

impl Kept {
    /// Opens the results in a file, which is created if it is missing; an incomplete last line is removed.
    ///
    /// * `title`: the match, in one line; identical for the same match.
    ///
    /// # Errors
    /// The file cannot be read or written, belongs to another match, or is invalid.
    pub fn open(path: &Path, title: &str) -> Result<Self, KeptError> {
        let failed = |source| KeptError::File { path: path.to_owned(), source };
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.map_err(failed)?,
        };
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let results = results(path, title, whole)?;
        let options = OpenOptions::new().append(true).create(true).clone();
        let mut file = options.open(path).map_err(failed)?;
        file.set_len(whole.len() as u64).map_err(failed)?;
        if whole.is_empty() {
            writeln!(file, "# {title}").map_err(failed)?;
        }
        Ok(Self { file: Some((path.to_owned(), file)), results })
    }

    /// The points of a finished pair, in half points.
    #[must_use]
    pub fn get(&self, number: u64) -> Option<usize> {
        self.results.get(&number).copied()
    }

    /// Stores the points of a pair.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn put(&mut self, number: u64, halves: usize) -> Result<(), KeptError> {
        self.results.insert(number, halves);
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let written =
            file.write_all(format!("{number} {halves}\n").as_bytes()).and_then(|()| file.sync_data());
        written.map_err(|source| KeptError::File { path: path.clone(), source })
    }
}

/// The results in the complete lines of a file; empty for an empty file.
fn results(path: &Path, title: &str, whole: &str) -> Result<BTreeMap<u64, usize>, KeptError> {
    let mut lines = whole.lines().zip(1..);
    let Some((first, _)) = lines.next() else { return Ok(BTreeMap::new()) };
    let found = first.strip_prefix("# ").unwrap_or(first);
    if found != title {
        let (expected, found) = (title.to_owned(), found.to_owned());
        return Err(KeptError::Another { path: path.to_owned(), expected, found });
    }
    let result = |(text, line): (&str, usize)| {
        let pair = text.split_once(' ').and_then(|(number, halves)| {
            let halves = halves.parse().ok().filter(|halves| *halves <= 4);
            number.parse().ok().zip(halves)
        });
        pair.ok_or_else(|| KeptError::Line { path: path.to_owned(), line, found: text.to_owned() })
    };
    lines.map(result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder")
    }

    #[test]
    fn results_are_there_again_and_a_line_that_was_cut_short_is_not() {
        let folder = folder();
        let path = folder.path().join("match.txt");
        let mut kept = Kept::open(&path, "a against b").expect("a new file");
        kept.put(0, 4).expect("written");
        kept.put(12, 1).expect("written");
        drop(kept);
        // Killed in the middle of a line.
        let mut file = OpenOptions::new().append(true).open(&path).expect("the file");
        file.write_all(b"13 3").expect("written");
        let mut again = Kept::open(&path, "a against b").expect("the same match");
        assert_eq!([0, 1, 12, 13].map(|number| again.get(number)), [Some(4), None, Some(1), None]);
        again.put(13, 0).expect("written");
        drop(again);
        assert_eq!(fs::read_to_string(&path).expect("text"), "# a against b\n0 4\n12 1\n13 0\n");
    }

    #[test]
    fn another_match_and_other_lines_are_refused_and_left_as_they_are() {
        let folder = folder();
        let path = folder.path().join("match.txt");
        fs::write(&path, "# a against b\n0 4\n").expect("written");
        let error = Kept::open(&path, "a against c").expect_err("another match").to_string();
        assert!(error.contains("`a against c`") && error.contains("`a against b`"), "{error}");
        for line in ["0 5", "0", "one 3", "0 -1"] {
            let text = format!("# a against b\n0 4\n{line}\n");
            fs::write(&path, &text).expect("written");
            let error = Kept::open(&path, "a against b").expect_err(line).to_string();
            assert!(error.contains("line 3") && error.contains(line), "{error}");
            assert_eq!(fs::read_to_string(&path).expect("text"), text);
        }
    }
}
