//! The one object through which everything is asked.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use crate::EngineError;
use crate::knowledge::Proofs;
use crate::proofs;
use crate::reports::TableInfo;
use crate::tables::Tables;

/// Where tables and proofs are, and how much memory their caches may take.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Directories that hold tables.
    pub tables: Vec<PathBuf>,
    /// Proof files whose positions are answered without a search.
    pub proofs: Vec<PathBuf>,
    /// Bytes of decoded blocks that are kept.
    pub cache_bytes: u64,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self { tables: Vec::new(), proofs: Vec::new(), cache_bytes: 256 << 20 }
    }
}

/// Answers everything that a user can ask; shared freely between threads.
pub struct Engine {
    options: EngineOptions,
    tables: RwLock<Arc<Tables>>,
    proofs: Proofs,
}

impl Engine {
    /// An engine with the tables and proofs of these options.
    ///
    /// * Second result: why table files were left out; the others are used all the same.
    ///
    /// # Errors
    /// A table directory that cannot be listed, or a proof file that cannot be read or does not hold.
    pub fn open(options: EngineOptions) -> Result<(Self, Vec<EngineError>), EngineError> {
        let (tables, problems) = Tables::open(&options)?;
        let mut proofs = Proofs::default();
        for file in &options.proofs {
            proofs::load(file, &mut proofs)?;
        }
        Ok((Self { options, tables: RwLock::new(Arc::new(tables)), proofs }, problems))
    }

    /// Takes up table files that were added, and lets go of those that were removed.
    ///
    /// * Result: why table files were left out. Where a directory cannot be listed the tables stay as they are.
    pub fn rescan(&self) -> Vec<EngineError> {
        match Tables::open(&self.options) {
            Ok((tables, problems)) => {
                *self.tables.write().unwrap_or_else(std::sync::PoisonError::into_inner) = Arc::new(tables);
                problems
            }
            Err(error) => vec![error],
        }
    }

    /// The loaded tables, by game, variant and layer.
    #[must_use]
    pub fn tables(&self) -> Vec<TableInfo> {
        self.loaded().infos()
    }

    pub(crate) fn loaded(&self) -> Arc<Tables> {
        Arc::clone(&self.tables.read().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    pub(crate) const fn proofs(&self) -> &Proofs {
        &self.proofs
    }
}

/// The error of a file, told by whatever reads it.
pub(crate) fn file_error(path: &Path, error: &impl Display) -> EngineError {
    EngineError::File { path: path.to_owned(), message: error.to_string() }
}
