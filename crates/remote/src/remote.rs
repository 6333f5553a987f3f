//! Remote files, requested with patience.

use std::future::Future;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use futures_util::StreamExt as _;
use marquis_table::{Elsewhere, Error, Found};
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectMeta, ObjectStore};
use tokio::runtime::{Builder, Runtime};

use crate::address::{Address, AddressError};
use crate::patience::Patience;
use crate::waiting::{self, NoResponse, deepest, silent};

/// A folder of remote files.
pub struct Remote {
    address: String,
    store: Arc<dyn ObjectStore>,
    folder: Path,
    patience: Patience,
    runtime: Runtime,
}

/// Why a try failed.
enum Failed {
    /// Another try may succeed.
    ForNow(io::Error),
    /// No further try can succeed.
    ForGood(Error),
    /// The caller stopped the request.
    Stopped,
}

impl Remote {
    /// The folder at an address; nothing is requested yet.
    ///
    /// # Errors
    /// This program cannot reach the address, see [`AddressError`].
    pub fn open(address: &Address, patience: Patience) -> Result<Self, AddressError> {
        let (store, folder) = address.open(&patience)?;
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| {
            let source = object_store::Error::Generic { store: "runtime", source: Box::new(error) };
            AddressError::NotSetUp { text: address.to_string(), source }
        })?;
        Ok(Self { address: address.to_string(), store, folder, patience, runtime })
    }

    fn place(&self, path: &str) -> Path {
        path.split('/').fold(self.folder.clone(), Path::join)
    }

    /// Waits for a response, at most as long as a server may be silent.
    fn patiently<T>(
        &self,
        name: &str,
        stopped: &dyn Fn() -> bool,
        answer: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, Failed> {
        let silence = self.patience.silence;
        match waiting::response(&self.runtime, silence, stopped, answer) {
            Ok(answered) => answered.map_err(|error| told(name, &error)),
            Err(NoResponse::Stopped) => Err(Failed::Stopped),
            Err(NoResponse::Silent) => Err(Failed::ForNow(silent(silence))),
        }
    }

    /// Retries until there is a result, patience ends, or the caller stops it: then `None`.
    ///
    /// * `attempt`: also reports whether it made progress, which resets the patience.
    fn persist<T>(
        &self,
        name: &str,
        stopped: &dyn Fn() -> bool,
        mut attempt: impl FnMut(&mut bool) -> Result<T, Failed>,
    ) -> Result<Option<T>, Error> {
        let (mut tries, mut since) = (0, Instant::now());
        loop {
            if stopped() {
                return Ok(None);
            }
            let mut came = false;
            let source = match attempt(&mut came) {
                Ok(done) => return Ok(Some(done)),
                Err(Failed::ForGood(error)) => return Err(error),
                Err(Failed::Stopped) => return Ok(None),
                Err(Failed::ForNow(source)) => source,
            };
            if came {
                (tries, since) = (0, Instant::now());
            }
            tries += 1;
            let wait = self.patience.wait_after(tries);
            if since.elapsed().saturating_add(wait) > self.patience.total {
                return Err(Error::NotReached { name: name.to_owned(), tries, source });
            }
            if !Patience::wait(wait, stopped) {
                return Ok(None);
            }
        }
    }

    /// One try to read from `at` to the end; `at` advances with the bytes read.
    fn read_on(
        &self,
        path: &str,
        found: &Found,
        at: &mut u64,
        take: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
        stopped: &dyn Fn() -> bool,
    ) -> Result<bool, Failed> {
        let name = self.name(path);
        let range = (*at > 0).then_some(GetRange::Offset(*at));
        let options = GetOptions { range, ..GetOptions::default() };
        let answer = self.patiently(&name, stopped, self.store.get_opts(&self.place(path), options))?;
        unchanged(&name, found, &answer.meta)?;
        let mut pieces = answer.into_stream();
        while *at < found.bytes {
            if stopped() {
                return Ok(false);
            }
            let piece = self.patiently(&name, stopped, async { pieces.next().await.transpose() })?;
            let Some(piece) = piece else {
                let message = format!("the answer ended at byte {at} of {}", found.bytes);
                return Err(Failed::ForNow(io::Error::new(io::ErrorKind::UnexpectedEof, message)));
            };
            // Bytes beyond the size that the server reported are ignored.
            let left = usize::try_from(found.bytes - *at).unwrap_or(usize::MAX);
            let piece = piece.get(..left).unwrap_or(&piece);
            take(piece).map_err(Failed::ForGood)?;
            *at += piece.len() as u64;
        }
        Ok(true)
    }
}

impl Elsewhere for Remote {
    fn address(&self) -> &str {
        &self.address
    }

    fn find(&self, path: &str, stopped: &dyn Fn() -> bool) -> Result<Option<Found>, Error> {
        let name = self.name(path);
        self.persist(&name, stopped, |_| {
            let options = GetOptions { head: true, ..GetOptions::default() };
            let answer = self.patiently(&name, stopped, self.store.get_opts(&self.place(path), options))?;
            Ok(Found { bytes: answer.meta.size, mark: answer.meta.e_tag })
        })
    }

    fn read(
        &self,
        path: &str,
        found: &Found,
        from: u64,
        take: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
        stopped: &dyn Fn() -> bool,
    ) -> Result<bool, Error> {
        let mut at = from;
        if at >= found.bytes {
            return Ok(true);
        }
        let done = self.persist(&self.name(path), stopped, |came| {
            let before = at;
            let tried = self.read_on(path, found, &mut at, take, stopped);
            *came = at > before;
            tried
        })?;
        Ok(done.unwrap_or(false))
    }

    fn piece(&self, path: &str, found: &Found, range: Range<u64>) -> Result<Vec<u8>, Error> {
        let name = self.name(path);
        let never = || false;
        let piece = self.persist(&name, &never, |_| {
            let options =
                GetOptions { range: Some(GetRange::Bounded(range.clone())), ..GetOptions::default() };
            let answer = self.patiently(&name, &never, self.store.get_opts(&self.place(path), options))?;
            unchanged(&name, found, &answer.meta)?;
            let bytes = self.patiently(&name, &never, answer.bytes())?;
            if bytes.len() as u64 != range.end - range.start {
                let message = format!("{} bytes came of {}", bytes.len(), range.end - range.start);
                return Err(Failed::ForNow(io::Error::new(io::ErrorKind::UnexpectedEof, message)));
            }
            Ok(bytes.to_vec())
        })?;
        Ok(piece.unwrap_or_default())
    }
}

/// Refuses a file that has changed since it was found.
fn unchanged(name: &str, found: &Found, now: &ObjectMeta) -> Result<(), Failed> {
    let told = |bytes: u64, mark: Option<&String>| match mark {
        Some(mark) => format!("{bytes} bytes, {mark}"),
        None => format!("{bytes} bytes"),
    };
    if found.bytes == now.size && found.mark == now.e_tag {
        return Ok(());
    }
    let (expected, found) = (told(found.bytes, found.mark.as_ref()), told(now.size, now.e_tag.as_ref()));
    Err(Failed::ForGood(Error::Changed { name: name.to_owned(), expected, found }))
}

/// Classifies an error of the server or the connection.
fn told(name: &str, error: &object_store::Error) -> Failed {
    use object_store::Error as E;
    let name = name.to_owned();
    match error {
        E::NotFound { .. } => Failed::ForGood(Error::NotThere { name }),
        // Refusals are final: credentials, a server without ranges.
        E::PermissionDenied { .. } | E::Unauthenticated { .. } | E::NotSupported { .. } => {
            Failed::ForGood(Error::Refused { name, source: deepest(error) })
        }
        _ => Failed::ForNow(deepest(error)),
    }
}
