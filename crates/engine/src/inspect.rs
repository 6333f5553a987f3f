//! Describes a Marquis file from its own header.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use marquis_core::TextError;
use marquis_eval::file::{MOST_BYTES, Steps, WeightsFileError as WeightsError, WeightsHeader, head};
use marquis_record::GameResult;
use marquis_table::manifest::MAX_LIST_BYTES;
use marquis_table::store::MANIFEST;
use marquis_table::{BlockCache, FORMAT_VERSION, TableFile, TableHeader, container, container_head};
use serde::Serialize;

use crate::record::{GAME, records_in};
use crate::{EngineError, FileError};

/// A file, described by its own header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Inspected {
    /// A table: one layer of a game.
    Table(TableHead),
    /// The list of the tables of a folder.
    Manifest(ManifestHead),
    /// The weights of a network.
    Network(NetworkHead),
    /// Records of games.
    Record(RecordsHead),
    /// A proof, a checkpoint or another container, whose header names its kind.
    #[serde(untagged)]
    Container(Contained),
}

/// The header of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableHead {
    /// The version of the format.
    pub format: u32,
    /// Bytes of the file.
    pub bytes: u64,
    /// The game.
    pub game: String,
    /// The rules that are fixed for a whole game, such as `side=3`.
    pub variant: String,
    /// The layer.
    pub layer: String,
    /// The fingerprint of the rules, in hexadecimal.
    pub rules: String,
    /// The number of slots of the layer.
    pub slots: u64,
    /// Figures by name: wins, draws, losses, the longest win and the like.
    pub counts: BTreeMap<String, u64>,
    /// Text notes by name.
    pub notes: BTreeMap<String, String>,
    /// The streams, in file order.
    pub streams: Vec<StreamHead>,
}

/// The header of one stream of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StreamHead {
    /// The name, such as `score`.
    pub name: String,
    /// Bytes per cell.
    pub width: usize,
    /// The number of blocks of the stream.
    pub blocks: u64,
    /// Cells per block.
    pub cells_per_block: u32,
    /// How blocks are packed.
    pub codec: &'static str,
    /// Bytes of all packed blocks.
    pub packed_bytes: u64,
    /// The content hash, in hexadecimal: equal hashes mean equal cells.
    pub hash: String,
}

/// The header of a container.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Contained {
    /// The kind of its body: `proof`, `checkpoint`.
    pub kind: String,
    /// The version of the container.
    pub format: u32,
    /// Bytes of the file.
    pub bytes: u64,
    /// Bytes of the body, unpacked.
    pub body_bytes: u64,
    /// Text notes about the body, by name.
    pub words: BTreeMap<String, String>,
    /// The blake3 hash of the file before its seal, in hexadecimal; it was verified.
    pub hash: String,
}

/// The contents of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ManifestHead {
    /// Bytes of the file.
    pub bytes: u64,
    /// Each game with its variant.
    pub games: BTreeSet<String>,
    /// The number of layers.
    pub layers: u64,
    /// The number of slots of all layers.
    pub slots: u64,
    /// The counts summed over all layers; for longest wins and losses, the maximum.
    pub counts: BTreeMap<String, u64>,
    /// The blake3 hash of the file, in hexadecimal.
    pub hash: String,
}

/// The header of a network's weights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NetworkHead {
    /// Bytes of the file.
    pub bytes: u64,
    /// `coarse`, or `fine` if the numbers have finer steps.
    pub steps: &'static str,
    /// The number of rows of the first layer.
    pub rows: u32,
    /// Neurons per view.
    pub neurons: u16,
    /// Phases of the game, each with separate outputs.
    pub phases: u16,
    /// The identifier of the board that the network was trained for, in hexadecimal.
    pub board: String,
    /// The blake3 hash of the file, in hexadecimal; the file's own checksum was verified.
    pub hash: String,
}

/// The contents of a file of records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RecordsHead {
    /// Bytes of the file.
    pub bytes: u64,
    /// The games that were played.
    pub games: BTreeSet<String>,
    /// The number of records.
    pub records: u64,
    /// The plies of all records, without variations.
    pub plies: u64,
    /// The number of records by result.
    pub results: BTreeMap<&'static str, u64>,
}

/// Describes a Marquis file: for a table the header, for a container the header and the seal.
///
/// # Errors
/// [`EngineError::File`] if the file cannot be read, is truncated or damaged, and [`EngineError::BadInput`] if it is
/// not a Marquis file.
pub fn inspect(path: &Path) -> Result<Inspected, EngineError> {
    let mut start = Vec::new();
    let file = File::open(path).map_err(FileError::system(path, "open it"))?;
    let reading = FileError::system(path, "read it");
    file.take(container::MAGIC.len() as u64).read_to_end(&mut start).map_err(reading)?;
    if start == container::MAGIC {
        return Ok(Inspected::Container(container_head(path)?.into()));
    }
    if start.starts_with(container::MAGIC.get(..5).unwrap_or_default()) {
        let table = marquis_table::file::open(path, &Arc::new(BlockCache::new(0)))?;
        return Ok(Inspected::Table(table_head(&table)));
    }
    if let Some(network) = network_head(path)? {
        return Ok(Inspected::Network(network));
    }
    let is_list = std::fs::metadata(path).is_ok_and(|about| about.len() <= MAX_LIST_BYTES);
    let list = if is_list { std::fs::read_to_string(path).ok() } else { None };
    if let Some(manifest) = list.and_then(|text| manifest_head(&text)) {
        return Ok(Inspected::Manifest(manifest));
    }
    match records_head(path) {
        Ok(Some(records)) => Ok(Inspected::Record(records)),
        // Records begin with a header: report the error in the records.
        Err(error) if start.starts_with(b"[") => Err(error),
        _ => {
            let expected =
                format!("a table, a proof, a checkpoint, a network, records of games or {MANIFEST}");
            let found = format!("a file that begins with `{}`", start.escape_ascii());
            Err(TextError::fact(path.display().to_string(), expected, found).into())
        }
    }
}

/// The header of weights; `None` if the file holds something else.
fn network_head(path: &Path) -> Result<Option<NetworkHead>, EngineError> {
    let (mut bytes, reading) = (Vec::new(), FileError::system(path, "read it"));
    let file = File::open(path).map_err(FileError::system(path, "open it"))?;
    file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(reading)?;
    let WeightsHeader { steps, identity, rows, neurons, phases } = match head(&bytes) {
        Ok(head) => head,
        Err(WeightsError::Foreign) => return Ok(None),
        Err(error) => {
            let expected = "the weights of a network";
            return Err(FileError::unexpected(path, expected, error, "fetch or train them again").into());
        }
    };
    let steps = match steps {
        Steps::Coarse => "coarse",
        Steps::Fine => "fine",
    };
    let (bytes, hash) = (bytes.len() as u64, blake3::hash(&bytes).to_string());
    Ok(Some(NetworkHead { bytes, steps, rows, neurons, phases, board: identity.to_string(), hash }))
}

/// A summary of the games of a file, read one by one; `None` if one does not name its game.
fn records_head(path: &Path) -> Result<Option<RecordsHead>, EngineError> {
    let bytes = std::fs::metadata(path).map_err(FileError::system(path, "read it"))?.len();
    let mut head = RecordsHead { bytes, ..RecordsHead::default() };
    for record in records_in(path)? {
        let record = record?;
        let Some(game) = record.header(GAME) else { return Ok(None) };
        if !head.games.contains(game) {
            head.games.insert(game.to_owned());
        }
        head.records += 1;
        head.plies += record.line.plies.len() as u64;
        *head.results.entry(record.outcome.unwrap_or(GameResult::Open).text()).or_default() += 1;
    }
    Ok(Some(head))
}

fn table_head(table: &TableFile) -> TableHead {
    let TableHeader { identity, slots, streams, counts, notes } = table.header();
    let stream = |stream: &marquis_table::StreamHeader| StreamHead {
        name: stream.name.clone(),
        width: stream.width.bytes(),
        blocks: slots.div_ceil(stream.cells_per_block.into()),
        cells_per_block: stream.cells_per_block,
        codec: stream.codec.name(),
        packed_bytes: stream.packed_bytes,
        hash: stream.content.to_string(),
    };
    TableHead {
        format: FORMAT_VERSION,
        bytes: table.size(),
        game: identity.game.clone(),
        variant: identity.variant.clone(),
        layer: identity.layer.clone(),
        rules: identity.rules.to_string(),
        slots: *slots,
        counts: counts.clone(),
        notes: notes.clone(),
        streams: streams.iter().map(stream).collect(),
    }
}

impl From<container::ContainerHead> for Contained {
    fn from(head: container::ContainerHead) -> Self {
        Self {
            kind: head.kind,
            format: container::CONTAINER_VERSION,
            bytes: head.bytes,
            body_bytes: head.body_bytes,
            words: head.meta.into_iter().collect(),
            hash: head.seal,
        }
    }
}

/// The contents of a manifest; `None` if a line is not a manifest line.
fn manifest_head(text: &str) -> Option<ManifestHead> {
    let (mut games, mut layers) = (BTreeSet::new(), BTreeSet::new());
    let (mut slots, mut counts) = (0, BTreeMap::new());
    for line in text.lines() {
        let [game, variant, layer, size, _stream, _hash, counted] = columns(line)?;
        games.insert(format!("{game} {variant}"));
        // A layer has one line per stream, each with the same figures.
        if layers.insert((game, variant, layer)) {
            slots = size.parse().ok().and_then(|size| u64::checked_add(slots, size))?;
            count(counted, &mut counts)?;
        }
    }
    let hash = marquis_table::Fingerprint::of(text).to_string();
    let head =
        ManifestHead { bytes: text.len() as u64, games, layers: layers.len() as u64, slots, counts, hash };
    (!layers.is_empty()).then_some(head)
}

fn columns(line: &str) -> Option<[&str; 7]> {
    line.split('\t').collect::<Vec<_>>().try_into().ok()
}

/// Adds the counts of a line, as `wins=3 longest win=5`.
fn count(counted: &str, counts: &mut BTreeMap<String, u64>) -> Option<()> {
    let mut name = Vec::new();
    for word in counted.split(' ').filter(|word| !word.is_empty()) {
        let Some((last, number)) = word.split_once('=') else {
            name.push(word);
            continue;
        };
        name.push(last);
        let number: u64 = number.parse().ok()?;
        let longest = name[0] == "longest";
        let sum = counts.entry(std::mem::take(&mut name).join(" ")).or_default();
        *sum = if longest { number.max(*sum) } else { sum.checked_add(number)? };
    }
    name.is_empty().then_some(())
}
