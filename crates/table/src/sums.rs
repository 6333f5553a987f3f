//! `B3SUMS`: the checksums of whole files, as the tool `b3sum` writes and checks them.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::{Error, atomic};

/// The name of the list.
pub(crate) const SUMS_NAME: &str = "B3SUMS";

/// Writes the list of `files`, given relative to `root`, and returns where it is.
pub(crate) fn write(root: &Path, files: &[PathBuf]) -> Result<PathBuf, Error> {
    let path = root.join(SUMS_NAME);
    let lines = files.iter().map(|file| Ok(format!("{}  {}\n", sum(&root.join(file))?, file.display())));
    let text = lines.collect::<Result<String, Error>>()?;
    let name = path.display().to_string();
    atomic::create(&path, |out| out.write_all(text.as_bytes()).map_err(Error::io(&name, "write it")))?;
    Ok(path)
}

/// Compares every file of the list with its checksum: the errors of those that differ or cannot be read.
pub(crate) fn check(root: &Path) -> Result<Vec<Error>, Error> {
    let path = root.join(SUMS_NAME);
    let text = std::fs::read_to_string(&path).map_err(Error::io(path.display(), "read it"))?;
    let mut problems = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Some((expected, file)) = line.split_once("  ") else {
            let place = format!("line {}", number + 1);
            let name = path.display().to_string();
            problems.push(Error::damaged(
                &name,
                place,
                "a checksum, two spaces and a file",
                format!("\"{line}\""),
            ));
            continue;
        };
        let file = root.join(file);
        match sum(&file) {
            Ok(found) if found == expected => {}
            Ok(found) => {
                problems.push(Error::damaged(&file.display().to_string(), "its bytes", expected, found));
            }
            Err(error) => problems.push(error),
        }
    }
    Ok(problems)
}

fn sum(path: &Path) -> Result<String, Error> {
    let mut hasher = blake3::Hasher::new();
    let file = File::open(path).map_err(Error::io(path.display(), "open it"))?;
    hasher.update_reader(file).map_err(Error::io(path.display(), "read it"))?;
    Ok(hasher.finalize().to_string())
}
