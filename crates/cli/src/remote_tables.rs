//! Remote tables: the client for their address, and the folder in which pieces are cached.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use marquis_engine::causes;
use marquis_table::elsewhere::is_address;
use marquis_table::{Elsewhere, FarFolder, Pieces};
use marquis_wire::DiskSize;

use crate::exit::CommandFailure;

/// The variable that names the folder for pieces instead of the user's cache folder.
const CACHE_VARIABLE: &str = "MARQUIS_CACHE";
/// The default size of the cache, in bytes.
const CACHE: DiskSize = DiskSize(4 << 30);
/// How long a request waits for a server that does not answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The address that a path stands for; `None` if the path is a local folder.
pub(crate) fn address(place: &Path) -> Option<&str> {
    place.to_str().filter(|text| is_address(text))
}

/// A client for the files at an address.
///
/// # Errors
/// The text is not an address, or this program has no client for it.
#[cfg(feature = "http")]
pub(crate) fn open(address: &str, patience: Duration) -> Result<Box<dyn Elsewhere>, CommandFailure> {
    use marquis_remote::{Address, AddressError, Patience, Remote};

    let failure = |error: AddressError| {
        let message = causes(&error).to_string();
        match error {
            AddressError::NotSetUp { .. } => CommandFailure::failed(message),
            _ => CommandFailure::bad_input(message),
        }
    };
    let address = Address::read(address).map_err(failure)?;
    Ok(Box::new(Remote::open(&address, Patience::of(patience)).map_err(failure)?))
}

/// The same in a build without the network.
///
/// # Errors
/// Always: says how to compile a program with it.
#[cfg(not(feature = "http"))]
pub(crate) fn open(address: &str, _: Duration) -> Result<Box<dyn Elsewhere>, CommandFailure> {
    Err(CommandFailure::bad_input(format!(
        "{address}: this program was compiled without the network; compile it with --features http or remote"
    )))
}

/// The tables at an address, read remotely.
///
/// * `most`: bytes of pieces cached on disk; 4 GiB if `None`.
///
/// # Errors
/// As [`open`], or the folder for pieces cannot be created.
pub(crate) fn folder(address: &str, most: Option<DiskSize>) -> Result<Arc<FarFolder>, CommandFailure> {
    let pieces = Pieces::new(&cache(), most.unwrap_or(CACHE).0);
    let pieces = pieces.map_err(|error| CommandFailure::failed(causes(&error).to_string()))?;
    Ok(Arc::new(FarFolder::new(open(address, PATIENCE)?, pieces)))
}

/// The folder for pieces: that of the environment variable, otherwise one in the user's cache folder.
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
