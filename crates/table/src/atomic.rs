//! Atomic writing of files: a file is complete or does not exist.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::Error;

/// The name suffix of files that are still being written; their names also start with a dot.
const UNFINISHED: &str = ".unfinished";

/// Creates `path` with the output of `write`.
///
/// It is written under another name in the same folder, synced and renamed, and the folder is synced. So a reader
/// sees the old file or the complete new one, also after a crash. Missing folders are created.
pub(crate) fn create<T, E: From<Error>>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> Result<T, E>,
) -> Result<T, E> {
    let name = path.display();
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(folder).map_err(Error::io(&name, "make its folder"))?;
    let mut unfinished = tempfile::Builder::new();
    // Read and write for all, minus the user's mask: the permissions of an ordinary new file.
    #[cfg(unix)]
    unfinished.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let temporary = unfinished
        .prefix(".")
        .suffix(UNFINISHED)
        .tempfile_in(folder)
        .map_err(Error::io(&name, "create a temporary file next to it"))?;
    let mut out = BufWriter::with_capacity(1 << 20, temporary.as_file());
    let written = write(&mut out)?;
    out.flush().map_err(Error::io(&name, "write it"))?;
    drop(out);
    temporary.as_file().sync_all().map_err(Error::io(&name, "sync it"))?;
    temporary.persist(path).map_err(|error| error.error).map_err(Error::io(&name, "give it its name"))?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::io(&name, "sync its folder"))?;
    Ok(written)
}

/// Writes a file atomically: a reader sees the old file or the new one, also after a crash. Missing folders are
/// created.
///
/// # Errors
/// The file cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    create(path, |out| out.write_all(bytes).map_err(Error::io(&path.display(), "write it")))
}

/// Writes a file like [`write_whole`], part by part.
///
/// # Errors
/// Those of `write`; or the file cannot be written.
pub fn write_whole_by<E: From<Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    create(path, |out| write(out))
}

/// Whether a name is that of an unfinished file, whose writer died.
pub(crate) fn is_unfinished(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(UNFINISHED)
}
