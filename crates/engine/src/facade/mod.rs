//! The one object through which everything is asked.

pub(crate) mod book;
pub(crate) mod design;
mod questions;
mod review;
mod set_ups;

use std::path::{Path, PathBuf};

use crate::EngineError;
use crate::know::book::Books;
use crate::know::damaged::Damaged;
use crate::know::known::Known;
use crate::know::proofs::Proofs;
use crate::know::tables::Tables;
use crate::proof_files;
use crate::query::{BookUse, EngineOptions};
use crate::registry::Registry;
use crate::wire::reports::{SubTableFigures, TableInfo};

/// Answers everything that a user can ask; shared freely between threads.
///
/// ```
/// use marquis_engine::{Answer, Control, Engine, EngineOptions, Limits, Query};
///
/// let games = marquis_registry::official();
/// let swish = games.game("swish")?.id();
/// let (engine, _) = Engine::open(games, EngineOptions::default())?;
/// let query = Query::new(swish, "w1w/4/1ooo1/4/b1b w 0-0 2");
/// let answer = engine.solve(&query, &Limits::default(), &Control::none())?;
/// let Answer::Exact(answer) = answer else { panic!("no throws in this game") };
/// assert_eq!((answer.verdict.value.as_str(), answer.verdict.plies), ("loss", Some(12)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    registry: Registry,
    options: EngineOptions,
    known: Known,
    /// Tables that were evicted.
    damaged: Damaged,
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

    /// The same where table directories may be missing: they are loaded by a [`rescan`](Self::rescan) once they
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
            proof_files::load(&registry, file, &mut proofs)?;
        }
        let books = match options.book {
            BookUse::Asked => registry.books(),
            BookUse::LeftAlone => Books::default(),
        };
        let known = Known::new(tables, proofs, books, &options);
        Ok((Self { registry, options, known, damaged: Damaged::default() }, problems))
    }

    /// Loads table files that were added, and evicts those that were removed, whole directories too.
    ///
    /// * Result: why table files were left out. Where a directory that is there cannot be listed the tables stay as they are.
    pub fn rescan(&self) -> Vec<EngineError> {
        match Tables::open(&self.registry, &self.options.of_what_is_there(), &self.damaged.still()) {
            Ok((tables, problems)) => {
                self.known.set_tables(tables);
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
            if !self.known.tables().files().iter().any(|loaded| loaded == file) {
                return false;
            }
            let left_out = [self.damaged.still(), vec![file.to_owned()]].concat();
            let opened = Tables::open(&self.registry, &self.options.of_what_is_there(), &left_out);
            opened.is_ok_and(|(tables, _)| {
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

    /// The games that can be asked about.
    #[must_use]
    pub const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The loaded tables, by game, variant and layer.
    #[must_use]
    pub fn tables(&self) -> Vec<TableInfo> {
        self.known.tables().infos()
    }

    /// What is kept of the tables that were built for a question, of all games.
    #[must_use]
    pub fn sub_tables(&self) -> SubTableFigures {
        self.known.sub_tables().figures()
    }

    /// The file of a loaded table.
    ///
    /// * `name`: relative to its folder of tables, as [`TableInfo::file`].
    #[must_use]
    pub fn table_file(&self, name: &str) -> Option<PathBuf> {
        self.known.tables().file(name).map(Path::to_owned)
    }
}
