//! Remote folders of tables, as a reader sees them.

use std::ops::Range;

use crate::Error;

/// Whether a text is an address and not the path of a folder.
#[must_use]
pub fn is_address(text: &str) -> bool {
    text.split_once("://")
        .is_some_and(|(scheme, _)| !scheme.is_empty() && scheme.bytes().all(|c| c.is_ascii_alphanumeric()))
}

/// A remote folder of files, such as behind a web server or in a bucket.
///
/// The crate implements no protocol: an implementation of this trait brings one, with its timeouts. Remote bytes are
/// trusted no more than a local file: the caller compares checksums.
pub trait Elsewhere: Send + Sync {
    /// The address, for errors.
    fn address(&self) -> &str;

    /// The name of one of its files, for errors.
    fn name(&self, path: &str) -> String {
        format!("{}/{path}", self.address())
    }

    /// Looks up a file.
    ///
    /// * `path`: relative, its parts separated by `/`.
    /// * `stopped`: polled while waiting; once it is true the result is `None`.
    ///
    /// # Errors
    /// [`Error::NotThere`], [`Error::Refused`], or [`Error::NotReached`] after the last try.
    fn find(&self, path: &str, stopped: &dyn Fn() -> bool) -> Result<Option<Found>, Error>;

    /// Reads a file from offset `from` to its end, piece by piece.
    ///
    /// * `found`: the result of [`find`](Self::find); a file that has changed since then is an error.
    /// * `take`: called with each piece as it arrives; its error ends the reading and is returned.
    /// * Result: false if it was `stopped` before the end.
    ///
    /// # Errors
    /// As [`find`](Self::find), [`Error::Changed`], or the error of `take`.
    fn read(
        &self,
        path: &str,
        found: &Found,
        from: u64,
        take: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
        stopped: &dyn Fn() -> bool,
    ) -> Result<bool, Error>;

    /// Reads a range of a file.
    ///
    /// * `found`: as in [`read`](Self::read).
    /// * `range`: within the file.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn piece(&self, path: &str, found: &Found, range: Range<u64>) -> Result<Vec<u8>, Error>;
}

/// Reads a whole file of at most `most` bytes.
///
/// * Result: `None` if it was `stopped`.
///
/// # Errors
/// As those of [`Elsewhere`], or [`Error::TooLarge`].
pub fn read_whole(
    from: &dyn Elsewhere,
    path: &str,
    most: u64,
    stopped: &dyn Fn() -> bool,
) -> Result<Option<Vec<u8>>, Error> {
    let Some(found) = from.find(path, stopped)? else { return Ok(None) };
    if found.bytes > most {
        let name = from.name(path);
        return Err(Error::TooLarge { name, expected: most, found: found.bytes });
    }
    let mut bytes = Vec::new();
    let mut take = |piece: &[u8]| {
        bytes.extend_from_slice(piece);
        Ok(())
    };
    let is_whole = from.read(path, &found, 0, &mut take, stopped)?;
    Ok(is_whole.then_some(bytes))
}

/// A remote file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The size in bytes.
    pub bytes: u64,
    /// The server's identifier of this state of the file (its `ETag`), if it sends one.
    pub mark: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_folders() {
        for address in ["http://a", "https://a/b", "s3://bucket/x", "ftp://a"] {
            assert!(is_address(address), "{address}");
        }
        for folder in ["tablebases", "/a/b", "a:b", "./http:/a", "C:\\tables", "://a", ""] {
            assert!(!is_address(folder), "{folder}");
        }
    }
}
