//! Places where tables lie that are no folder of this machine, as whoever reads from them sees them.

use std::ops::Range;

use crate::Error;

/// Whether a text is meant as an address and not as the path of a folder.
#[must_use]
pub fn is_address(text: &str) -> bool {
    text.split_once("://")
        .is_some_and(|(scheme, _)| !scheme.is_empty() && scheme.bytes().all(|c| c.is_ascii_alphanumeric()))
}

/// A folder of files somewhere else, such as behind a web server or in a bucket.
///
/// The crate speaks no protocol: whoever has one implements this, with its own patience. What comes from there is
/// believed as little as any file: checksums are for the caller to compare.
pub trait Elsewhere: Send + Sync {
    /// Where it is, as errors name it.
    fn address(&self) -> &str;

    /// A file there, as errors name it.
    fn name(&self, path: &str) -> String {
        format!("{}/{path}", self.address())
    }

    /// What is there under a path.
    ///
    /// * `path`: relative, its parts separated by `/`.
    /// * `stopped`: is asked while it waits; once it is true the result is nothing.
    ///
    /// # Errors
    /// [`Error::NotThere`], [`Error::Refused`], or [`Error::NotReached`] when it has run out of patience.
    fn find(&self, path: &str, stopped: &dyn Fn() -> bool) -> Result<Option<Found>, Error>;

    /// Hands the bytes of a file over, piece by piece, from `from` to its end.
    ///
    /// * `found`: what [`find`](Self::find) said; a file that has changed since then is an error.
    /// * `take`: is given each piece as it comes; its error ends the reading and is handed on.
    /// * Result: false where it was `stopped` before the end.
    ///
    /// # Errors
    /// As [`find`](Self::find), [`Error::Changed`], or what `take` said.
    fn read(
        &self,
        path: &str,
        found: &Found,
        from: u64,
        take: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
        stopped: &dyn Fn() -> bool,
    ) -> Result<bool, Error>;

    /// Some bytes of a file, all of them.
    ///
    /// * `found`: as in [`read`](Self::read).
    /// * `range`: within the file.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn piece(&self, path: &str, found: &Found, range: Range<u64>) -> Result<Vec<u8>, Error>;
}

/// A whole file, where it is not too large.
///
/// * Result: nothing where it was `stopped`.
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

/// A file that lies elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its bytes.
    pub bytes: u64,
    /// What the server calls this state of the file (its `ETag`), where it says anything.
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
