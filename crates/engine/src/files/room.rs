//! The free space of a disk.

use std::path::Path;

use crate::EngineError;
use crate::error::FileError;

/// Fails if the disk of an existing folder has too little free space.
///
/// * `bytes`: the number of bytes to be added.
///
/// # Errors
/// Names the missing bytes; if the system does not report the free space, nothing is refused.
pub(crate) fn expect_room(folder: &Path, bytes: u128) -> Result<(), EngineError> {
    match free_bytes(folder).filter(|&free| u128::from(free) < bytes) {
        Some(free) => Err(FileError::NoRoom { path: folder.to_owned(), needed: bytes, free }.into()),
        None => Ok(()),
    }
}

/// The free bytes for this user; `None` if the system does not report them.
#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let about = rustix::fs::statvfs(folder).ok()?;
    Some(about.f_bavail.saturating_mul(about.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_no_disk_has_is_refused_with_both_numbers_and_the_rest_is_not() {
        let folder = std::env::temp_dir();
        assert!(expect_room(&folder, 0).is_ok());
        let refused = expect_room(&folder, u128::MAX).unwrap_err();
        let EngineError::File(FileError::NoRoom { needed: u128::MAX, free, .. }) = refused else {
            panic!("{refused:?}")
        };
        assert!(free < u64::MAX && refused.to_string().contains(&free.to_string()), "{refused}");
    }
}
