//! Files that are either not there or whole.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::Error;

/// How names of files end that are still being written; they also start with a dot.
const UNFINISHED: &str = ".unfinished";

/// Creates `path` with what `write` writes.
///
/// It is written under another name in the same folder, synced, renamed, and the folder synced: whoever looks
/// sees the old file or the whole new one, also after a crash. Missing folders are made.
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
    // Read and write for all, less what the user's mask takes away: the permissions of an ordinary new file.
    #[cfg(unix)]
    unfinished.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let temporary = unfinished
        .prefix(".")
        .suffix(UNFINISHED)
        .tempfile_in(folder)
        .map_err(Error::io(&name, "create a temporary file beside it"))?;
    let mut out = BufWriter::with_capacity(1 << 20, temporary.as_file());
    let written = write(&mut out)?;
    out.flush().map_err(Error::io(&name, "write it"))?;
    drop(out);
    temporary.as_file().sync_all().map_err(Error::io(&name, "sync it"))?;
    temporary.persist(path).map_err(|error| error.error).map_err(Error::io(&name, "give it its name"))?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::io(&name, "sync its folder"))?;
    Ok(written)
}

/// Writes a file whole: whoever looks sees the old one or the new one, also after a crash. Missing folders are made.
///
/// # Errors
/// It cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    create(path, |out| out.write_all(bytes).map_err(Error::io(&path.display(), "write it")))
}

/// The same of what `write` writes, a part at a time.
///
/// # Errors
/// As those of `write`; or the file cannot be written.
pub fn write_whole_by<E: From<Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    create(path, |out| write(out))
}

/// Whether a name is that of a file that was being written when its writer died.
pub(crate) fn is_unfinished(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(UNFINISHED)
}
