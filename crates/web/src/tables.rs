//! Tables of a service, read in ranges by a script.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use marquis_table::store::SUMS;
use marquis_table::{Elsewhere, Error, FarFolder, Found, Pieces};
use serde::Deserialize;

use crate::offline::OfflineEngine;
use crate::questions::Refused;

/// The memory for pieces of tables.
const PIECE_BYTES: u64 = 64 << 20;

/// Reads a range of bytes of a file, given by its path; an error is the reason as text.
pub(crate) type ReadRange = dyn Fn(&str, Range<u64>) -> Result<Vec<u8>, String> + Send + Sync;

/// A table, as the service lists it.
#[derive(Debug, Deserialize)]
struct Listed {
    file: String,
    bytes: u64,
    checksum: String,
}

/// The tables at an address.
struct Fetched {
    address: String,
    /// The list of checksums.
    sums: String,
    /// The tables by path.
    listed: BTreeMap<String, Listed>,
    read: Box<ReadRange>,
}

impl Fetched {
    fn new(address: &str, listed: Vec<Listed>, read: Box<ReadRange>) -> Self {
        let mut sums = String::new();
        for Listed { file, checksum, .. } in &listed {
            // A text takes any number of characters.
            let _ = writeln!(sums, "{checksum}  {file}");
        }
        let listed = listed.into_iter().map(|table| (table.file.clone(), table)).collect();
        Self { address: address.to_owned(), sums, listed, read }
    }
}

impl Elsewhere for Fetched {
    fn address(&self) -> &str {
        &self.address
    }

    fn find(&self, path: &str, _: &dyn Fn() -> bool) -> Result<Option<Found>, Error> {
        if path == SUMS {
            return Ok(Some(Found { bytes: self.sums.len() as u64, mark: None }));
        }
        let Some(table) = self.listed.get(path) else {
            return Err(Error::NotThere { name: self.name(path) });
        };
        Ok(Some(Found { bytes: table.bytes, mark: Some(table.checksum.clone()) }))
    }

    fn read(
        &self,
        path: &str,
        found: &Found,
        from: u64,
        take: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
        _: &dyn Fn() -> bool,
    ) -> Result<bool, Error> {
        take(&self.piece(path, found, from..found.bytes)?)?;
        Ok(true)
    }

    fn piece(&self, path: &str, _: &Found, range: Range<u64>) -> Result<Vec<u8>, Error> {
        if path == SUMS {
            let bytes = range.start as usize..range.end as usize;
            return Ok(self.sums.as_bytes().get(bytes).unwrap_or_default().to_vec());
        }
        let failed =
            |why| Error::NotReached { name: self.name(path), tries: 1, source: io::Error::other(why) };
        (self.read)(path, range).map_err(failed)
    }
}

impl OfflineEngine {
    /// Opens tables of a service; those that cannot be used are left out.
    ///
    /// * `address`: the address of the tables, for errors.
    /// * `listed`: the `tables` of `GET /v1/tables`, or some of them, as JSON.
    pub(crate) fn open_tables(
        &self,
        address: &str,
        listed: &str,
        read: Box<ReadRange>,
    ) -> Result<(), Refused> {
        let tables = Fetched::new(address, serde_json::from_str(listed)?, read);
        let folder = FarFolder::new(Box::new(tables), Pieces::in_memory(PIECE_BYTES));
        self.engine().add_elsewhere(&Arc::new(folder))?;
        Ok(())
    }
}
