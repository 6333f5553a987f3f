//! Fetches remote tables into a folder: only the wanted ones, resumed and verified.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use web_time::Instant;

use blake3::Hasher;
use marquis_table::elsewhere::read_whole;
use marquis_table::header::LayerKey;
use marquis_table::manifest::{MAX_LIST_BYTES, read_sums};
use marquis_table::store::{MANIFEST, SUMS};
use marquis_table::{BlockCache, Elsewhere, Found, Manifest, TableFile};

use crate::build::prepared::LayerFiles;
use crate::error::FileError;
use crate::files::lease::Lease;
use crate::files::room::expect_room;
use crate::files::sound::check_sound;
use crate::files::store::{TableRules as _, infos, open_store};
use crate::query::TableSelection;
use crate::registry::Registry;
use crate::tables::plan::{CHECKPOINT_EVERY, NumberedBuild};
use crate::{Control, EngineError, Progress};
use marquis_wire::reports::{FetchReport, TableInfo};

/// The size of the cache of decoded blocks: each block is read only once.
const CACHE_BYTES: usize = 0;
/// The number of bytes between two syncs to disk.
const SYNC_EVERY: u64 = 64 << 20;

/// Fetches the wanted remote tables and reports the tables that are there now.
///
/// Existing files are kept. A file gets its final name only when its bytes match the remote `B3SUMS`, its cells match
/// `MANIFEST.tsv` and its rules match those of this program. Until then it has a temporary name, under which the next
/// call resumes it.
///
/// * `out`: the folder of tables, which is created if it is missing.
///
/// # Errors
/// Bad input in `wanted`; a remote that cannot be reached, a file that does not match the lists, or a disk error; or
/// an interruption. Files fetched so far are kept.
pub fn fetch_tables(
    registry: &Registry,
    from: &dyn Elsewhere,
    wanted: &TableSelection,
    out: &Path,
    control: &Control<'_>,
) -> Result<FetchReport, EngineError> {
    let begun = Instant::now();
    // First the errors that can be found without a request.
    let planned = wanted.planned(registry, out)?;
    let _lease = Lease::of_folder(out, &format!("fetch-tables {}", from.address()))?;
    let mut fetching = Fetching::begin(registry, from, out, control)?;
    let chosen = fetching.choose(wanted, planned)?;
    expect_room(out, fetching.measure(&chosen)?)?;
    for choice in &chosen {
        fetching.bring(choice)?;
    }
    let tables = fetching.finish(&chosen)?;
    Ok(FetchReport {
        from: from.address().to_owned(),
        tables,
        kept: fetching.kept,
        fetched_bytes: fetching.fetched,
        resumed_bytes: fetching.resumed,
        seconds: begun.elapsed().as_secs_f64(),
    })
}

impl TableSelection {
    /// The layers of a plan with their files; `None` if no plan was requested.
    fn planned(&self, registry: &Registry, out: &Path) -> Result<Option<LayerFiles>, EngineError> {
        match self {
            Self::Everything => Ok(None),
            Self::Game(game) => registry.game(game.name()).map(|_| None).map_err(EngineError::from),
            Self::Build(query) => {
                Ok(Some(NumberedBuild::new(registry, query, out, CHECKPOINT_EVERY)?.files()))
            }
        }
    }
}

/// A file to fetch.
struct ListedFile {
    /// Relative to both folders, its parts separated by `/`.
    path: String,
    /// The blake3 of its remote bytes.
    sum: String,
    /// The layer that it must hold, if one was named.
    layer: Option<LayerKey>,
}

/// The state of a fetch.
struct Fetching<'a> {
    registry: &'a Registry,
    from: &'a dyn Elsewhere,
    out: &'a Path,
    control: &'a Control<'a>,
    manifest: Manifest,
    sums: BTreeMap<String, String>,
    /// The remote files that are missing locally.
    found: BTreeMap<String, Found>,
    /// The number of bytes fetched so far, and the total, of those files.
    done: u64,
    total: u64,
    kept: usize,
    fetched: u64,
    resumed: u64,
    /// The blake3 of the local bytes of files that were read.
    hashed: BTreeMap<PathBuf, String>,
}

impl<'a> Fetching<'a> {
    fn begin(
        registry: &'a Registry,
        from: &'a dyn Elsewhere,
        out: &'a Path,
        control: &'a Control<'a>,
    ) -> Result<Self, EngineError> {
        let list = |name: &str| list(from, name, control);
        let manifest = Manifest::read(&from.name(MANIFEST), &list(MANIFEST)?)?;
        let sums = read_sums(&from.name(SUMS), &list(SUMS)?)?;
        let (found, done, total) = (BTreeMap::new(), 0, 0);
        let (kept, fetched, resumed, hashed) = (0, 0, 0, BTreeMap::new());
        Ok(Self {
            registry,
            from,
            out,
            control,
            manifest,
            sums,
            found,
            done,
            total,
            kept,
            fetched,
            resumed,
            hashed,
        })
    }

    /// The wanted files. All layers of a plan must be available.
    fn choose(
        &self,
        wanted: &TableSelection,
        planned: Option<LayerFiles>,
    ) -> Result<Vec<ListedFile>, EngineError> {
        let choice =
            |path: &str, sum: &str, layer| ListedFile { path: path.to_owned(), sum: sum.to_owned(), layer };
        let Some(planned) = planned else {
            let chosen = self.sums.iter().filter(|(path, _)| wanted.includes(path));
            let chosen: Vec<ListedFile> = chosen.map(|(path, sum)| choice(path, sum, None)).collect();
            return if chosen.is_empty() { Err(self.lacks(&wanted.to_string(), "none")) } else { Ok(chosen) };
        };
        let (mut chosen, mut missing) = (Vec::new(), Vec::new());
        for (layer, path) in planned {
            match self.sums.get(&path) {
                Some(sum) => chosen.push(choice(&path, sum, Some(layer))),
                None => missing.push(path),
            }
        }
        let Some(first) = missing.first() else { return Ok(chosen) };
        let expected = format!("the {} tables of {wanted}", chosen.len() + missing.len());
        Err(self.lacks(&expected, &format!("{} of them, and no {first}", chosen.len())))
    }

    fn lacks(&self, expected: &str, found: &str) -> EngineError {
        let advice = "ask for less, or omit --game to fetch everything";
        FileError::unexpected(self.from.name(SUMS), expected, found, advice).into()
    }

    fn stopped(&self) -> bool {
        self.control.stopped()
    }

    /// Looks up the missing files, to know the number of bytes.
    ///
    /// * Result: the number of bytes still to fetch.
    fn measure(&mut self, chosen: &[ListedFile]) -> Result<u128, EngineError> {
        let mut to_come = 0;
        for (number, ListedFile { path, sum, .. }) in chosen.iter().enumerate() {
            if self.out.join(path).exists() {
                continue;
            }
            let (phase, total) = ("looking for files".to_owned(), Some(chosen.len() as u64));
            self.control.tell(&Progress { phase, done: number as u64, total, bounds: None });
            let found = self.from.find(path, &|| self.stopped())?.ok_or(EngineError::Interrupted)?;
            let begun = Part::of(&self.out.join(path), sum)?.bytes()?;
            to_come += u128::from(found.bytes.saturating_sub(begun));
            self.total = self.total.saturating_add(found.bytes);
            self.found.insert(path.clone(), found);
        }
        Ok(to_come)
    }

    /// Ensures that a file is here.
    fn bring(&mut self, choice: &ListedFile) -> Result<(), EngineError> {
        if self.stopped() {
            return Err(EngineError::Interrupted);
        }
        let target = self.out.join(&choice.path);
        let Some(found) = self.found.get(&choice.path).cloned() else {
            self.kept += 1;
            return self.keep(&target, choice);
        };
        let part = Part::of(&target, &choice.sum)?;
        let sound = self.fill(&part, choice, &found).and_then(|()| self.check(&part.path, choice));
        match sound {
            Ok(()) => {
                part.finish(&target)?;
                self.hashed.insert(PathBuf::from(&choice.path), choice.sum.clone());
                Ok(())
            }
            Err(error) => {
                // A complete but wrong part is useless next time; an incomplete one can be resumed.
                if !matches!(error, EngineError::Interrupted) && part.is_whole(&found) {
                    part.remove()?;
                }
                Err(error)
            }
        }
    }

    /// Accepts a file that already existed.
    fn keep(&mut self, target: &Path, choice: &ListedFile) -> Result<(), EngineError> {
        let found = hashed(target, u64::MAX)?.finalize().to_string();
        // A repacked file has other bytes and the same cells.
        if found == choice.sum || self.check(target, choice).is_ok() {
            self.hashed.insert(PathBuf::from(&choice.path), found);
            return Ok(());
        }
        let advice = "remove it, or name another folder with --out";
        Err(FileError::unexpected(target, format!("blake3 {}", choice.sum), found, advice).into())
    }

    /// Fills a part until it is complete and its bytes are correct.
    fn fill(&mut self, part: &Part, choice: &ListedFile, found: &Found) -> Result<(), EngineError> {
        let before = part.bytes()?.min(found.bytes);
        let first = self.fill_once(part, choice, found);
        match first {
            // Bytes left over from an earlier call may be to blame.
            Err(EngineError::File(FileError::Format(marquis_table::Error::Damaged { .. }))) if before > 0 => {
                part.remove()?;
                self.done -= found.bytes;
                self.fill_once(part, choice, found)
            }
            result => result,
        }
    }

    fn fill_once(&mut self, part: &Part, choice: &ListedFile, found: &Found) -> Result<(), EngineError> {
        let (mut file, mut hasher) = part.open(found.bytes)?;
        let from = hasher.count();
        self.resumed += from;
        self.done += from;
        let (mut done, mut unsynced) = (self.done, 0);
        let (control, total) = (self.control, self.total);
        let failed = |doing| {
            let name = part.path.display().to_string();
            move |source| marquis_table::Error::Io { name, doing, source }
        };
        let mut take = |piece: &[u8]| -> Result<(), marquis_table::Error> {
            file.write_all(piece).map_err(failed("write it"))?;
            hasher.update(piece);
            done += piece.len() as u64;
            unsynced += piece.len() as u64;
            if unsynced >= SYNC_EVERY {
                file.sync_data().map_err(failed("sync it"))?;
                unsynced = 0;
            }
            let phase = format!("fetching {}", choice.path);
            control.tell(&Progress { phase, done, total: Some(total), bounds: None });
            Ok(())
        };
        let read = self.from.read(&choice.path, found, from, &mut take, &|| control.stopped());
        self.fetched += hasher.count() - from;
        self.done = done;
        file.sync_all().map_err(FileError::system(&part.path, "sync it"))?;
        if !read? {
            return Err(EngineError::Interrupted);
        }
        let sum = hasher.finalize().to_string();
        if sum == choice.sum {
            return Ok(());
        }
        let (name, place) = (self.from.name(&choice.path), "its bytes".to_owned());
        let expected = format!("blake3 {}", choice.sum);
        Err(marquis_table::Error::Damaged { name, place, expected, found: format!("blake3 {sum}") }.into())
    }

    /// Rejects a table of another layer or other rules, or whose cells differ from the manifest.
    fn check(&self, file: &Path, choice: &ListedFile) -> Result<(), EngineError> {
        let phase = format!("checking {}", choice.path);
        self.control.tell(&Progress { phase, done: 0, total: None, bounds: None });
        let table = marquis_table::file::open(file, &Arc::new(BlockCache::new(CACHE_BYTES)))?;
        let identity = table.header().identity.clone();
        let name = self.from.name(&choice.path);
        let foreign = |what, expected: String, found: String| -> EngineError {
            marquis_table::Error::Foreign { name: name.clone(), what, expected, found }.into()
        };
        let key = (identity.game.clone(), identity.variant.clone(), identity.layer.clone());
        if let Some(wanted) = choice.layer.as_ref().filter(|&wanted| *wanted != key) {
            let (game, variant, layer) = wanted;
            return Err(foreign("layer", format!("{game} {variant} {layer}"), identity.to_string()));
        }
        let Some(rules) = self.registry.fingerprint(&identity.game, &identity.variant) else {
            let expected = "a game and variant of this program".to_owned();
            return Err(foreign("game", expected, identity.to_string()));
        };
        if rules != identity.rules {
            return Err(foreign("version of the rules", rules.to_string(), identity.rules.to_string()));
        }
        let table = match self.registry.hints(&identity) {
            Some(hints) => table.with_hints(hints),
            None => table,
        };
        self.same_as_listed(&table, &key, &name)?;
        table.verify_checksums(&|_| {})?;
        Ok(())
    }

    /// Every stream that the manifest lists must have the listed content, and there may be no others.
    fn same_as_listed(&self, table: &TableFile, key: &LayerKey, name: &str) -> Result<(), EngineError> {
        let streams = table.header().streams.iter();
        let has: BTreeMap<String, String> =
            streams.map(|stream| (stream.name.clone(), stream.content.to_string())).collect();
        let nothing = BTreeMap::new();
        let lists = self.manifest.layers.get(key).unwrap_or(&nothing);
        let mut names = lists.keys().chain(has.keys());
        let Some(stream) = names.find(|&name| lists.get(name) != has.get(name)) else { return Ok(()) };
        let told = |streams: &BTreeMap<String, String>| {
            streams.get(stream).cloned().unwrap_or_else(|| "no such stream".to_owned())
        };
        let place = format!("the checksum of its stream \"{stream}\" in {MANIFEST}");
        let (name, expected, found) = (name.to_owned(), told(lists), told(&has));
        Err(marquis_table::Error::Damaged { name, place, expected, found }.into())
    }

    /// Writes the lists next to the tables; the result describes the chosen ones.
    fn finish(&self, chosen: &[ListedFile]) -> Result<Vec<TableInfo>, EngineError> {
        let store = open_store(self.registry, self.out, &Arc::new(BlockCache::new(CACHE_BYTES)))?;
        let is_chosen = |path: &Path| chosen.iter().any(|choice| Path::new(&choice.path) == path);
        check_sound(&store, &|path| !is_chosen(path), self.control)?;
        store.write_b3sums_with(&|path| self.hashed.get(path).cloned())?;
        store.write_manifest()?;
        let mut tables = infos(&store);
        tables.retain(|info| is_chosen(Path::new(&info.file)));
        Ok(tables)
    }
}

/// Reads a list next to the remote tables.
fn list(from: &dyn Elsewhere, name: &str, control: &Control<'_>) -> Result<Vec<u8>, EngineError> {
    let whole = read_whole(from, name, MAX_LIST_BYTES, &|| control.stopped())?;
    whole.ok_or(EngineError::Interrupted)
}

/// Hashes at most `most` bytes of a file.
fn hashed(path: &Path, most: u64) -> Result<Hasher, EngineError> {
    let file = File::open(path).map_err(FileError::system(path, "open it"))?;
    let mut hasher = Hasher::new();
    hasher.update_reader(file.take(most)).map_err(FileError::system(path, "read it"))?;
    Ok(hasher)
}

/// The file of a table until it is complete and verified.
struct Part {
    path: PathBuf,
}

impl Part {
    /// The part of a table with these bytes; parts of the table with other bytes are removed.
    fn of(target: &Path, sum: &str) -> Result<Self, EngineError> {
        let folder = target.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(FileError::system(folder, "make the folder"))?;
        let begins = format!(".{}.", target.file_name().unwrap_or_default().to_string_lossy());
        let own = format!("{begins}{}.part", sum.get(..16).unwrap_or(sum));
        let listing = || FileError::system(folder, "list the folder");
        for entry in fs::read_dir(folder).map_err(listing())? {
            let name = entry.map_err(listing())?.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(&begins) && name.ends_with(".part") && name != own {
                let old = folder.join(&*name);
                fs::remove_file(&old).map_err(FileError::system(&old, "remove it"))?;
            }
        }
        Ok(Self { path: folder.join(own) })
    }

    /// The number of bytes so far.
    fn bytes(&self) -> Result<u64, EngineError> {
        match fs::metadata(&self.path) {
            Ok(about) => Ok(about.len()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(0),
            Err(error) => Err(FileError::system(&self.path, "look at it")(error).into()),
        }
    }

    fn is_whole(&self, found: &Found) -> bool {
        self.bytes().is_ok_and(|bytes| bytes >= found.bytes)
    }

    /// Opens the part for appending and hashes its content; one that is too long restarts from zero.
    fn open(&self, most: u64) -> Result<(File, Hasher), EngineError> {
        let before = self.bytes()?;
        let hasher = if before == 0 || before > most { Hasher::new() } else { hashed(&self.path, before)? };
        let opened = File::options().create(true).append(true).open(&self.path);
        let file = opened.map_err(FileError::system(&self.path, "open it"))?;
        file.set_len(hasher.count()).map_err(FileError::system(&self.path, "cut it"))?;
        Ok((file, hasher))
    }

    fn remove(&self) -> Result<(), EngineError> {
        fs::remove_file(&self.path).map_err(FileError::system(&self.path, "remove it"))?;
        Ok(())
    }

    /// Gives the file its final name and syncs the folder.
    fn finish(self, target: &Path) -> Result<(), EngineError> {
        fs::rename(&self.path, target).map_err(FileError::system(target, "give it its name"))?;
        let folder = target.parent().unwrap_or(Path::new("."));
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        synced.map_err(FileError::system(folder, "sync the folder"))?;
        Ok(())
    }
}
