//! Results of pairs in a file, from which a match that was stopped goes on.
//!
//! ```text
//! # squish:4, weights with 200000 nodes against mcts with 30000 rollouts
//! 0 4
//! 1 3
//! ```
//!
//! The first line says what is played; after it comes a line for each pair: its number, and the points of the first
//! player from both games, in halves.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Why the results of a file cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
    /// It cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which one.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is of another match.
    #[error("{path}: expected results of `{expected}`, found `{found}`; name another file")]
    Another {
        /// Which one.
        path: PathBuf,
        /// The match that is played.
        expected: String,
        /// The match that the file is of.
        found: String,
    },
    /// A whole line says something else.
    #[error(
        "{path}: line {line}: expected the number of a pair and halves of points from 0 to 4, found `{found}`"
    )]
    Line {
        /// Which file.
        path: PathBuf,
        /// Which line.
        line: usize,
        /// What it says.
        found: String,
    },
}

/// Results of pairs, by number; those of a file if there is one.
#[derive(Debug, Default)]
pub struct Kept {
    file: Option<(PathBuf, File)>,
    results: BTreeMap<u64, usize>,
}

impl Kept {
    /// The results of a file, which is made if it is missing; a last line that was cut short is taken off.
    ///
    /// * `title`: what is played, in one line; the same match has the same.
    ///
    /// # Errors
    /// The file cannot be read or written, is of another match, or holds something else.
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

    /// The points of a pair that was played before, in halves.
    #[must_use]
    pub fn get(&self, number: u64) -> Option<usize> {
        self.results.get(&number).copied()
    }

    /// Keeps the points of a pair.
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

/// The results in the whole lines of a file; none of an empty one.
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
