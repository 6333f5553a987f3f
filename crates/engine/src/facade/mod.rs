//! The single object that answers all queries.

pub(crate) mod book;
pub(crate) mod design;
mod questions;
pub(crate) mod review;
mod set_ups;
mod vectors;

use std::path::{Path, PathBuf};
use std::slice;
use std::sync::{Arc, PoisonError, RwLock};

use marquis_core::GameId;
use marquis_table::elsewhere::is_address;
use marquis_table::{BlockCache, FarFolder};

use crate::EngineError;
use crate::knowledge::book::Books;
use crate::knowledge::damaged::Damaged;
use crate::knowledge::known::Known;
use crate::knowledge::proofs::Proofs;
use crate::knowledge::shipped::ShippedProofs;
use crate::knowledge::tables::{Opened, Tables};
use crate::proof_files;
use crate::query::{BookUse, EngineOptions};
use crate::registry::{Ask, AskSetUp, Registry};
use marquis_wire::reports::{SubTableFigures, TableInfo, TablePlace};

/// A remote folder of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceElsewhere {
    /// Its address.
    pub address: String,
    /// The number of its tables that are loaded.
    pub tables: usize,
    /// Whether the server answered the last request.
    pub reached: bool,
    /// Whether every table of it matched the remote list so far.
    pub as_listed: bool,
    /// The pieces of its tables that were requested so far, by outcome.
    pub pieces: marquis_table::FarFigures,
}

/// Answers all queries of a user; shared freely between threads.
///
/// ```
/// use marquis_core::Value;
/// use marquis_engine::{Control, Engine, EngineOptions, Limits, Query};
/// use marquis_wire::answer::Answer;
///
/// let games = marquis_registry::official();
/// let swish = games.game("swish")?.id();
/// let (engine, _) = Engine::open(games, EngineOptions::default())?;
/// let query = Query::new(swish, "w1w/4/1ooo1/4/b1b w 0-0 2");
/// let answer = engine.solve(&query, &Limits::default(), &Control::none())?;
/// let Answer::Exact(answer) = answer else { panic!("no throws in this game") };
/// assert_eq!((answer.verdict.value, answer.verdict.plies), (Some(Value::Loss), Some(12)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    registry: Registry,
    options: EngineOptions,
    known: Known,
    /// Tables that were evicted.
    damaged: Damaged,
    /// Decoded blocks of all tables.
    cache: Arc<BlockCache>,
    /// The remote tables.
    elsewhere: RwLock<Opened>,
}

impl Engine {
    /// An engine for these games, with the tables and proofs of these options.
    ///
    /// * Second result: why table files were left out; the others are used all the same.
    ///
    /// # Errors
    /// A table directory cannot be listed or, if it is remote, cannot be reached; or a proof file cannot be read or
    /// does not hold.
    pub fn open(registry: Registry, options: EngineOptions) -> Result<(Self, Vec<EngineError>), EngineError> {
        Self::with(registry, options, |options| options)
    }

    /// The same, but table directories may be missing: a [`rescan`](Self::rescan) loads them once they exist.
    ///
    /// # Errors
    /// As [`Engine::open`].
    pub fn open_expecting(
        registry: Registry,
        options: EngineOptions,
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        Self::with(registry, options, |options| options.of_what_is_there())
    }

    /// * `opened`: the options for opening the tables.
    fn with(
        registry: Registry,
        options: EngineOptions,
        opened: impl FnOnce(EngineOptions) -> EngineOptions,
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        let cache = Arc::new(BlockCache::new(usize::try_from(options.cache_bytes).unwrap_or(usize::MAX)));
        let (elsewhere, mut problems) = Opened::elsewhere(&registry, &options.elsewhere, &cache)?;
        let (tables, here) = Tables::open(&registry, &opened(options.clone()), &cache, &elsewhere, &[])?;
        problems.extend(here);
        let mut proofs = Proofs::default();
        for file in &options.proofs {
            proof_files::load(&registry, file, &mut proofs)?;
        }
        let (books, shelf) = match options.book {
            BookUse::Asked => (registry.books(), Arc::clone(registry.proof_shelf())),
            BookUse::LeftAlone => (Books::default(), Arc::default()),
        };
        let games = registry.clone();
        let opener = move |name: &str, bytes: &[u8]| proof_files::opened(&games, name, bytes).ok();
        let shipped = Arc::new(ShippedProofs::new(shelf, Box::new(opener)));
        let known = Known::new(tables, proofs, books, shipped, &options);
        let (damaged, elsewhere) = (Damaged::default(), RwLock::new(elsewhere));
        Ok((Self { registry, options, known, damaged, cache, elsewhere }, problems))
    }

    /// The tables that are now in the directories, with the open remote ones.
    fn tables_now(&self, left_out: &[PathBuf]) -> Result<(Tables, Vec<EngineError>), EngineError> {
        let (options, elsewhere) = (self.options.of_what_is_there(), self.opened_elsewhere());
        Tables::open(&self.registry, &options, &self.cache, &elsewhere, left_out)
    }

    fn opened_elsewhere(&self) -> Opened {
        self.elsewhere.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Checks whether the remote tables are still those that were opened, and opens them again if not.
    ///
    /// This waits for the remote servers.
    ///
    /// * Result: why files were left out; `None` if nothing has changed.
    ///
    /// # Errors
    /// A server is not reached; the tables stay as they are.
    pub fn look_elsewhere(&self) -> Result<Option<Vec<EngineError>>, EngineError> {
        let folders = &self.options.elsewhere;
        let mut changed = false;
        for folder in folders {
            changed |= folder.has_changed()?;
        }
        if !changed {
            return Ok(None);
        }
        let (opened, mut problems) = Opened::elsewhere(&self.registry, folders, &self.cache)?;
        *self.elsewhere.write().unwrap_or_else(PoisonError::into_inner) = opened;
        problems.extend(self.rescan());
        Ok(Some(problems))
    }

    /// Opens the tables of one more remote folder, which [`look_elsewhere`](Self::look_elsewhere) does not look at.
    ///
    /// * Result: why files were left out.
    ///
    /// # Errors
    /// The folder cannot be reached, or its list is malformed.
    pub fn add_elsewhere(&self, folder: &Arc<FarFolder>) -> Result<Vec<EngineError>, EngineError> {
        let (opened, mut problems) = Opened::elsewhere(&self.registry, slice::from_ref(folder), &self.cache)?;
        self.elsewhere.write().unwrap_or_else(PoisonError::into_inner).join(opened);
        problems.extend(self.rescan());
        Ok(problems)
    }

    /// The remote places that tables are read from.
    #[must_use]
    pub fn elsewhere(&self) -> Vec<PlaceElsewhere> {
        let opened = self.elsewhere.read().unwrap_or_else(PoisonError::into_inner);
        let place = |folder: &Arc<FarFolder>| PlaceElsewhere {
            address: folder.address().to_owned(),
            tables: opened.count_at(folder.address()),
            reached: folder.is_reached(),
            as_listed: folder.is_as_listed(),
            pieces: folder.figures(),
        };
        self.options.elsewhere.iter().map(place).collect()
    }

    /// Whether a game has remote tables, so that a query may have to wait.
    #[must_use]
    pub fn has_elsewhere(&self, game: GameId) -> bool {
        !self.options.elsewhere.is_empty()
            && self.elsewhere.read().unwrap_or_else(PoisonError::into_inner).has(game)
    }

    /// Loads table files that were added, and evicts those that were removed, including whole directories.
    ///
    /// * Result: why table files were left out. If an existing directory cannot be listed, the tables stay as they
    ///   are.
    pub fn rescan(&self) -> Vec<EngineError> {
        match self.tables_now(&self.damaged.still()) {
            Ok((tables, problems)) => {
                self.known.set_tables(tables);
                problems
            }
            Err(error) => vec![error],
        }
    }

    /// Evicts a table that turned out to be unreadable, until its file changes and the directories are scanned again.
    ///
    /// * `file`: as an [`EngineError::File`] names it.
    /// * Result: whether it is a table that is no longer used; the same question may then be asked again. A remote
    ///   table is never evicted: it may be sound the next time.
    pub fn let_go(&self, file: &Path) -> bool {
        if file.to_str().is_some_and(is_address) {
            return false;
        }
        self.damaged.let_go(file, || {
            if !self.known.tables().files().iter().any(|loaded| loaded == file) {
                return false;
            }
            let left_out = [self.damaged.still(), vec![file.to_owned()]].concat();
            self.tables_now(&left_out).is_ok_and(|(tables, _)| {
                self.known.set_tables(tables);
                true
            })
        })
    }

    /// The files of tables that were evicted and have not changed since.
    #[must_use]
    pub fn damaged_tables(&self) -> Vec<PathBuf> {
        self.damaged.still()
    }

    /// The available games.
    #[must_use]
    pub const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The loaded tables, by game, variant and layer.
    #[must_use]
    pub fn tables(&self) -> Vec<TableInfo> {
        self.known.tables().infos()
    }

    /// Figures about the tables that were built for questions, of all games.
    #[must_use]
    pub fn sub_tables(&self) -> SubTableFigures {
        self.known.sub_tables().figures()
    }

    /// The memory of the open shipped proofs, in bytes.
    #[must_use]
    pub fn shipped_proof_bytes(&self) -> u64 {
        self.known.shipped().bytes()
    }

    /// The proof files that the book names for the board of a question, and that are not part of this program.
    ///
    /// # Errors
    /// Bad input.
    pub fn proofs_elsewhere(&self, asked: &impl Ask) -> Result<Vec<String>, EngineError> {
        let posed = asked.pose(&self.registry)?;
        let files = posed.position().provable().map_or_else(Vec::new, |own| own.proof_files(&self.known));
        Ok(self.not_shipped(files))
    }

    /// The same for the board of a set-up.
    ///
    /// # Errors
    /// Bad input.
    pub fn proofs_elsewhere_of_set_up(&self, asked: &impl AskSetUp) -> Result<Vec<String>, EngineError> {
        Ok(self.not_shipped(asked.lay_out(&self.registry)?.proof_files(&self.known)))
    }

    fn not_shipped(&self, files: Vec<String>) -> Vec<String> {
        files.into_iter().filter(|file| !self.known.shipped().has(file)).collect()
    }

    /// Adds a proof file that was fetched, or records that it is not available; it is not requested again.
    ///
    /// * `name`: as [`Engine::proofs_elsewhere`] names it.
    ///
    /// # Errors
    /// It is not a proof file, or does not hold; it is then ignored.
    pub fn add_proof(&self, name: &str, bytes: Option<&[u8]>) -> Result<(), EngineError> {
        let opened = bytes.map_or(Ok(Vec::new()), |bytes| proof_files::opened(&self.registry, name, bytes));
        let (kept, failed) = match opened {
            Ok(kept) => (kept, Ok(())),
            Err(error) => (Vec::new(), Err(error)),
        };
        self.known.shipped().add(name, kept);
        failed
    }

    /// The place of a loaded table.
    ///
    /// * `name`: relative to its folder of tables, as [`TableInfo::file`].
    #[must_use]
    pub fn table_place(&self, name: &str) -> Option<TablePlace> {
        self.known.tables().place(name)
    }
}
