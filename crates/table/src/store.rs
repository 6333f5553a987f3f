//! A folder of tables.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cache::BlockCache;
use crate::header::{Fingerprint, Identity, LayerKey, TableHeader};
use crate::manifest::read_sums;
use crate::origin::Origin;
use crate::read::{Table, TableFile};
use crate::source::SlotFacts;
use crate::{Error, FarFolder, atomic, file, sums};

pub use crate::manifest::MANIFEST;

/// The name of the list of checksums of a folder.
pub const SUMS: &str = sums::SUMS_NAME;

/// The tables of a folder and the folders in it, by game, variant and layer.
pub struct Store {
    root: PathBuf,
    tables: BTreeMap<LayerKey, StoredFile>,
    problems: Vec<Error>,
}

struct StoredFile {
    path: PathBuf,
    table: TableFile,
}

impl Store {
    /// Opens every `*.mqt` under `root`.
    ///
    /// A file that cannot be used is left out and reported by [`problems`](Self::problems). The same holds for a game
    /// that `rules` does not know, a table by other rules, and a second table of the same layer. Only a root that
    /// cannot be listed is an error.
    ///
    /// * `rules`: the fingerprint of the rules of a game and variant, by which this program reads tables.
    ///
    /// # Errors
    /// The folder itself cannot be listed.
    pub fn scan(
        root: &Path,
        rules: &dyn Fn(&str, &str) -> Option<Fingerprint>,
        cache: &Arc<BlockCache>,
    ) -> Result<Self, Error> {
        let mut store = Self { root: root.to_owned(), tables: BTreeMap::new(), problems: Vec::new() };
        let mut paths = Vec::new();
        list(root, Path::new(""), &mut paths, &mut store.problems)?;
        paths.sort();
        for path in paths {
            if let Err(problem) = store.add(path, rules, cache) {
                store.problems.push(problem);
            }
        }
        Ok(store)
    }

    /// Opens one more table of the folder, such as one that was just written.
    ///
    /// * `path`: relative to the root.
    ///
    /// # Errors
    /// The table cannot be opened, is by other rules, or is of a layer that another file has.
    pub fn add(
        &mut self,
        path: PathBuf,
        rules: &dyn Fn(&str, &str) -> Option<Fingerprint>,
        cache: &Arc<BlockCache>,
    ) -> Result<(), Error> {
        let table = file::open(&self.root.join(&path), cache)?;
        self.insert(path, table, rules)
    }

    /// Opens every table in a remote list of checksums.
    ///
    /// As in [`scan`](Self::scan), unusable tables are left out.
    ///
    /// # Errors
    /// The server is not reached or refuses, or the list is malformed.
    pub fn open_elsewhere(
        folder: &Arc<FarFolder>,
        rules: &dyn Fn(&str, &str) -> Option<Fingerprint>,
        cache: &Arc<BlockCache>,
    ) -> Result<Self, Error> {
        let root = PathBuf::from(folder.address());
        let mut store = Self { root, tables: BTreeMap::new(), problems: Vec::new() };
        let paths: Vec<String> = read_sums(&folder.name(SUMS), &folder.list()?)?.into_keys().collect();
        let open =
            |path: &String| Table::open(Origin::Elsewhere(folder.file(path)?), folder.name(path), cache);
        for (path, table) in paths.iter().zip(folder.side_by_side(&paths, &open)?) {
            match table {
                Ok(table) => {
                    if let Err(problem) = store.insert(PathBuf::from(path), table, rules) {
                        store.problems.push(problem);
                    }
                }
                Err(error) => {
                    // A retry may succeed.
                    folder.look_again();
                    match error {
                        Error::NotReached { .. } | Error::Refused { .. } => return Err(error),
                        problem => store.problems.push(problem),
                    }
                }
            }
        }
        Ok(store)
    }

    fn insert(
        &mut self,
        path: PathBuf,
        table: TableFile,
        rules: &dyn Fn(&str, &str) -> Option<Fingerprint>,
    ) -> Result<(), Error> {
        let found = &table.header().identity;
        let Some(expected) = rules(&found.game, &found.variant) else {
            return Err(Error::Foreign {
                name: table.name().to_owned(),
                what: "game",
                expected: "a game and variant of this program".to_owned(),
                found: format!("{} {}", found.game, found.variant),
            });
        };
        table.expect_part("version of the rules", &expected, &found.rules)?;
        let key = (found.game.clone(), found.variant.clone(), found.layer.clone());
        if let Some(other) = self.tables.get(&key) {
            return Err(Error::Twice {
                name: table.name().to_owned(),
                other: other.path.display().to_string(),
            });
        }
        self.tables.insert(key, StoredFile { path, table });
        Ok(())
    }

    /// Gives every table the hints by which its streams can be read, if `hints` knows any.
    #[must_use]
    pub fn with_hints(mut self, hints: impl Fn(&Identity) -> Option<SlotFacts>) -> Self {
        for entry in self.tables.values_mut() {
            if let Some(hints) = hints(&entry.table.header().identity) {
                entry.table.add_hints(hints);
            }
        }
        self
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The reasons why files were left out.
    #[must_use]
    pub fn problems(&self) -> &[Error] {
        &self.problems
    }

    /// Takes the [`problems`](Self::problems) out of the store.
    pub fn take_problems(&mut self) -> Vec<Error> {
        std::mem::take(&mut self.problems)
    }

    /// The table of a layer by these rules.
    ///
    /// # Errors
    /// [`Error::NoTable`] if there is none, [`Error::Foreign`] if it is by other rules.
    pub fn get(&self, identity: &Identity) -> Result<&TableFile, Error> {
        let Some(table) = self.find(&identity.game, &identity.variant, &identity.layer) else {
            let root = self.root.display().to_string();
            return Err(Error::NoTable { wanted: identity.to_string(), root });
        };
        table.expect(identity)?;
        Ok(table)
    }

    /// The table of a layer, if there is one; its rules were checked when the folder was scanned.
    #[must_use]
    pub fn find(&self, game: &str, variant: &str, layer: &str) -> Option<&TableFile> {
        let key = (game.to_owned(), variant.to_owned(), layer.to_owned());
        self.tables.get(&key).map(|entry| &entry.table)
    }

    /// All tables by game, variant and layer, each with its path relative to the root.
    pub fn tables(&self) -> impl Iterator<Item = (&Path, &TableFile)> {
        self.tables.values().map(|entry| (entry.path.as_path(), &entry.table))
    }

    /// Turns the store into its tables, by game, variant and layer.
    pub fn into_tables(self) -> impl Iterator<Item = TableFile> {
        self.tables.into_values().map(|entry| entry.table)
    }

    /// Writes `B3SUMS` beside the tables, in the order of their paths, and returns where it is.
    ///
    /// `b3sum --check B3SUMS` checks it too.
    ///
    /// # Errors
    /// A file cannot be read, or `B3SUMS` cannot be written.
    pub fn write_b3sums(&self) -> Result<PathBuf, Error> {
        self.write_b3sums_with(&|_| None)
    }

    /// The same, without reading the tables whose checksums are known.
    ///
    /// * `known`: the blake3 of the bytes of a table by its path relative to the root, in hexadecimal.
    ///
    /// # Errors
    /// As [`write_b3sums`](Self::write_b3sums).
    pub fn write_b3sums_with(&self, known: &dyn Fn(&Path) -> Option<String>) -> Result<PathBuf, Error> {
        let mut files: Vec<PathBuf> = self.tables.values().map(|entry| entry.path.clone()).collect();
        files.sort();
        sums::write(&self.root, &files, known)
    }

    /// Writes the [`manifest`](Self::manifest) beside the tables and returns where it is.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_manifest(&self) -> Result<PathBuf, Error> {
        let path = self.root.join(MANIFEST);
        let name = path.display().to_string();
        atomic::create(&path, |out| {
            out.write_all(self.manifest().as_bytes()).map_err(Error::io(&name, "write it"))
        })?;
        Ok(path)
    }

    /// The manifest: one line per stream with the figures and the content hash, which does not depend on the codec.
    ///
    /// Columns are separated by tabs: game, variant, layer, slots, stream, content hash, counts.
    #[must_use]
    pub fn manifest(&self) -> String {
        self.tables.values().map(|entry| manifest_lines(entry.table.header())).collect()
    }
}

fn manifest_lines(header: &TableHeader) -> String {
    let Identity { game, variant, layer, .. } = &header.identity;
    let counts: Vec<String> = header.counts.iter().map(|(name, count)| format!("{name}={count}")).collect();
    let mut lines = String::new();
    for stream in &header.streams {
        let (slots, name, content, counts) = (header.slots, &stream.name, stream.content, counts.join(" "));
        // Writing to a string does not fail.
        let _ = writeln!(lines, "{game}\t{variant}\t{layer}\t{slots}\t{name}\t{content}\t{counts}");
    }
    lines
}

/// Removes the unfinished files of dead writers in a folder, not in its subfolders, and returns their paths.
///
/// Call it only if no other process is writing to the folder.
///
/// # Errors
/// The folder cannot be listed, or a file cannot be removed.
pub fn remove_unfinished(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut removed = Vec::new();
    let doing = |error| Error::io(folder.display(), "list the folder")(error);
    for entry in std::fs::read_dir(folder).map_err(doing)? {
        let entry = entry.map_err(doing)?;
        let path = entry.path();
        if atomic::is_unfinished(&entry.file_name().to_string_lossy()) && path.is_file() {
            std::fs::remove_file(&path).map_err(Error::io(path.display(), "remove it"))?;
            removed.push(path);
        }
    }
    removed.sort();
    Ok(removed)
}

/// Appends the tables in `root/folder`, relative to the root.
///
/// Symbolic links to folders are not followed, so there are no cycles.
fn list(
    root: &Path,
    folder: &Path,
    paths: &mut Vec<PathBuf>,
    problems: &mut Vec<Error>,
) -> Result<(), Error> {
    let here = root.join(folder);
    let doing = |error| Error::io(here.display(), "list the folder")(error);
    for entry in std::fs::read_dir(&here).map_err(doing)? {
        let entry = entry.map_err(doing)?;
        let name = entry.file_name();
        let path = folder.join(&name);
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        if entry.file_type().map_err(doing)?.is_dir() {
            if let Err(problem) = list(root, &path, paths, problems) {
                problems.push(problem);
            }
        } else if path.extension().is_some_and(|extension| extension == file::EXTENSION) {
            paths.push(path);
        }
    }
    Ok(())
}
