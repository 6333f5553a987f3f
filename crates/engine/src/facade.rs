//! The one object through which everything is asked.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use crate::chance::{ChanceGame, Kept};
use crate::know::damaged::Damaged;
use crate::know::knowledge::Proofs;
use crate::know::proofs;
use crate::know::tables::Tables;
use crate::wire::reports::TableInfo;
use crate::{EngineError, Registry};

/// Where tables and proofs are, and how much memory their caches may take.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Directories that hold tables.
    pub tables: Vec<PathBuf>,
    /// Proof files whose positions are answered without a search.
    pub proofs: Vec<PathBuf>,
    /// Bytes of decoded blocks that are kept.
    pub cache_bytes: u64,
    /// About the bytes that proofs taken up later may keep; the oldest make room.
    pub proof_bytes: u64,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self { tables: Vec::new(), proofs: Vec::new(), cache_bytes: 256 << 20, proof_bytes: 256 << 20 }
    }
}

impl EngineOptions {
    /// The same without the table directories that are missing.
    fn of_what_is_there(&self) -> Self {
        let tables = self.tables.iter().filter(|folder| folder.is_dir()).cloned().collect();
        Self { tables, ..self.clone() }
    }
}

/// Answers everything that a user can ask; shared freely between threads.
pub struct Engine {
    registry: Registry,
    options: EngineOptions,
    tables: RwLock<Arc<Tables>>,
    proofs: RwLock<Arc<Proofs>>,
    /// Tables that were let go of.
    damaged: Damaged,
    /// The last solution of a game with throws that is small enough to be kept.
    chances: RwLock<Option<Arc<dyn Any + Send + Sync>>>,
}

impl Engine {
    /// An engine for these games, with the tables and proofs of these options.
    ///
    /// * Second result: why table files were left out; the others are used all the same.
    ///
    /// # Errors
    /// A table directory that cannot be listed, or a proof file that cannot be read or does not hold.
    pub fn open(registry: Registry, options: EngineOptions) -> Result<(Self, Vec<EngineError>), EngineError> {
        let (tables, problems) = Tables::open(&registry, &options, &[])?;
        Self::with(registry, tables, problems, options)
    }

    /// The same where table directories may be missing: they are taken up by a [`rescan`](Self::rescan) once they
    /// are there.
    ///
    /// # Errors
    /// As [`Engine::open`].
    pub fn open_expecting(
        registry: Registry,
        options: EngineOptions,
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        let (tables, problems) = Tables::open(&registry, &options.of_what_is_there(), &[])?;
        Self::with(registry, tables, problems, options)
    }

    fn with(
        registry: Registry,
        tables: Tables,
        problems: Vec<EngineError>,
        options: EngineOptions,
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        let mut proofs = Proofs::default();
        for file in &options.proofs {
            proofs::load(&registry, file, &mut proofs)?;
        }
        Ok((
            Self {
                registry,
                options,
                tables: RwLock::new(Arc::new(tables)),
                proofs: RwLock::new(Arc::new(proofs)),
                damaged: Damaged::default(),
                chances: RwLock::default(),
            },
            problems,
        ))
    }

    /// Takes up table files that were added, and lets go of those that were removed, whole directories too.
    ///
    /// * Result: why table files were left out. Where a directory that is there cannot be listed the tables stay as they are.
    pub fn rescan(&self) -> Vec<EngineError> {
        match Tables::open(&self.registry, &self.options.of_what_is_there(), &self.damaged.still()) {
            Ok((tables, problems)) => {
                *self.tables.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(tables);
                problems
            }
            Err(error) => vec![error],
        }
    }

    /// Lets go of a table that turned out to be unreadable, until its file changes and the directories are
    /// looked at again.
    ///
    /// * `file`: as an [`EngineError::File`] names it.
    /// * Result: whether it is a table that is not answered from any more; the same question may then be asked
    ///   again.
    pub fn let_go(&self, file: &Path) -> bool {
        self.damaged.let_go(file, || {
            if !self.loaded().files().iter().any(|loaded| loaded == file) {
                return false;
            }
            let left_out = [self.damaged.still(), vec![file.to_owned()]].concat();
            let opened = Tables::open(&self.registry, &self.options.of_what_is_there(), &left_out);
            opened.is_ok_and(|(tables, _)| {
                *self.tables.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(tables);
                true
            })
        })
    }

    /// The files of tables that were let go of and have not changed since.
    #[must_use]
    pub fn damaged_tables(&self) -> Vec<PathBuf> {
        self.damaged.still()
    }

    /// The games that can be asked about.
    #[must_use]
    pub const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The loaded tables, by game, variant and layer.
    #[must_use]
    pub fn tables(&self) -> Vec<TableInfo> {
        self.loaded().infos()
    }

    pub(crate) fn loaded(&self) -> Arc<Tables> {
        Arc::clone(&self.tables.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn proofs(&self) -> Arc<Proofs> {
        Arc::clone(&self.proofs.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The last solution, if it is one by these rules.
    pub(crate) fn last_chances<G: ChanceGame>(&self, rules: &G::Rules) -> Option<Arc<Kept<G>>> {
        let last = self.chances.read().unwrap_or_else(PoisonError::into_inner).clone()?;
        last.downcast::<Kept<G>>().ok().filter(|kept| kept.rules == *rules)
    }

    pub(crate) fn keep_chances<G: ChanceGame>(&self, kept: Kept<G>) {
        *self.chances.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(kept));
    }

    /// Takes up what another proof says; whoever is answering meanwhile keeps to the proofs there were.
    pub(crate) fn change_proofs(&self, change: impl FnOnce(&mut Proofs)) {
        let mut proofs = self.proofs.write().unwrap_or_else(PoisonError::into_inner);
        change(Arc::make_mut(&mut proofs));
        Arc::make_mut(&mut proofs).shrink_to(self.options.proof_bytes);
    }
}

/// The error of a file, told by whatever reads it, with its causes; the path is said once.
pub(crate) fn file_error(path: &Path, error: &dyn std::error::Error) -> EngineError {
    let told = error.to_string();
    let mut message = told.strip_prefix(&format!("{}: ", path.display())).unwrap_or(&told).to_owned();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        message = format!("{message}: {deeper}");
        cause = deeper.source();
    }
    EngineError::File { path: path.to_owned(), message }
}
