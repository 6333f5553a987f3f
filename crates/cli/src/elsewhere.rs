//! Tables that lie elsewhere: who is asked for them, and where pieces of them are kept.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use marquis_engine::{DiskSize, Elsewhere, FarFolder, Pieces, causes, is_address};

use crate::exit::Failure;

/// Names the folder for pieces of tables where the one of the user is not meant.
const CACHE_VARIABLE: &str = "MARQUIS_CACHE";
/// Bytes of pieces that are kept where nothing is said.
const CACHE: DiskSize = DiskSize(4 << 30);
/// How long a question waits for a server that does not answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The address that a path is meant as, where it is not meant as that of a folder.
pub(crate) fn address(place: &Path) -> Option<&str> {
    place.to_str().filter(|text| is_address(text))
}

/// Whoever can be asked for files at an address.
///
/// # Errors
/// It is none, or this program cannot ask there.
#[cfg(feature = "http")]
pub(crate) fn open(address: &str, patience: Duration) -> Result<Box<dyn Elsewhere>, Failure> {
    use marquis_remote::{Address, AddressError, Patience, Remote};

    let failure = |error: AddressError| {
        let message = causes(&error).to_string();
        match error {
            AddressError::NotSetUp { .. } => Failure::failed(message),
            _ => Failure::bad_input(message),
        }
    };
    let address = Address::read(address).map_err(failure)?;
    Ok(Box::new(Remote::open(&address, Patience::of(patience)).map_err(failure)?))
}

/// The same without the network.
///
/// # Errors
/// Always: says how to compile a program that can.
#[cfg(not(feature = "http"))]
pub(crate) fn open(address: &str, _: Duration) -> Result<Box<dyn Elsewhere>, Failure> {
    Err(Failure::bad_input(format!(
        "{address}: this program was compiled without the network; compile it with --features http or remote"
    )))
}

/// The tables at an address, to be read there.
///
/// * `most`: bytes of pieces that are kept on the disk; 4 GiB where nothing is said.
///
/// # Errors
/// As those of [`open`], or the folder for pieces cannot be made.
pub(crate) fn folder(address: &str, most: Option<DiskSize>) -> Result<Arc<FarFolder>, Failure> {
    let pieces = Pieces::new(&cache(), most.unwrap_or(CACHE).0);
    let pieces = pieces.map_err(|error| Failure::failed(causes(&error).to_string()))?;
    Ok(Arc::new(FarFolder::new(open(address, PATIENCE)?, pieces)))
}

/// Where pieces are kept: what the environment says, else where the user's caches are.
///
/// Source: XDG Base Directory Specification 0.8.
fn cache() -> PathBuf {
    let variable = |name| std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    if let Some(folder) = variable(CACHE_VARIABLE) {
        return folder;
    }
    let caches = variable("XDG_CACHE_HOME").or_else(|| Some(std::env::home_dir()?.join(".cache")));
    caches.unwrap_or_else(std::env::temp_dir).join("marquis").join("tables")
}
