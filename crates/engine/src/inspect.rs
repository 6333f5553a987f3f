//! What a file of ours is, by what it says about itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use marquis_core::TextError;
use marquis_table::store::MANIFEST;
use marquis_table::{BlockCache, FORMAT_VERSION, Header, TableFile, container, container_head};
use serde::Serialize;

use crate::{EngineError, FileError};

/// A file and what it says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Inspected {
    /// A table: one layer of a game.
    Table(TableHead),
    /// The list of the tables of a folder.
    Manifest(ManifestHead),
    /// A proof, a checkpoint or another container, which says itself of what kind it is.
    #[serde(untagged)]
    Container(Contained),
}

/// What a table says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableHead {
    /// The version of the format.
    pub format: u32,
    /// Bytes of the file.
    pub bytes: u64,
    /// The game.
    pub game: String,
    /// What is fixed for a whole game, such as `side=3`.
    pub variant: String,
    /// Which layer.
    pub layer: String,
    /// The fingerprint of the rules, in hexadecimal.
    pub rules: String,
    /// Slots of the layer.
    pub slots: u64,
    /// Figures by name: wins, draws, losses, the longest win and the like.
    pub counts: BTreeMap<String, u64>,
    /// Words by name.
    pub notes: BTreeMap<String, String>,
    /// The streams in the order of the file.
    pub streams: Vec<StreamHead>,
}

/// What a table says about one of its streams.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StreamHead {
    /// The name, such as `score`.
    pub name: String,
    /// Bytes a cell.
    pub width: usize,
    /// Blocks of the stream.
    pub blocks: u64,
    /// Cells a block.
    pub cells_per_block: u32,
    /// How blocks are packed.
    pub codec: &'static str,
    /// Bytes of all packed blocks.
    pub packed_bytes: u64,
    /// The content hash, in hexadecimal: equal hashes are equal cells.
    pub hash: String,
}

/// What a container says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Contained {
    /// What its body is: `proof`, `checkpoint`.
    pub kind: String,
    /// The version of the container.
    pub format: u32,
    /// Bytes of the file.
    pub bytes: u64,
    /// Bytes of the body, unpacked.
    pub body_bytes: u64,
    /// Words about the body by name.
    pub words: BTreeMap<String, String>,
    /// The blake3 hash of the file before its seal, in hexadecimal; it was checked.
    pub hash: String,
}

/// What a manifest lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ManifestHead {
    /// Bytes of the file.
    pub bytes: u64,
    /// Each game with its variant.
    pub games: BTreeSet<String>,
    /// Layers.
    pub layers: u64,
    /// Slots of all layers.
    pub slots: u64,
    /// Sums over all layers of what is counted; of longest wins and losses the longest.
    pub counts: BTreeMap<String, u64>,
    /// The blake3 hash of the file, in hexadecimal.
    pub hash: String,
}

/// What a file of ours says about itself: of a table the head, of a container the head and the seal.
///
/// # Errors
/// [`EngineError::File`] where the file cannot be read, is cut short or damaged, and
/// [`EngineError::BadInput`] where it is no file of ours.
pub fn inspect(path: &Path) -> Result<Inspected, EngineError> {
    let mut head = Vec::new();
    let file = File::open(path).map_err(FileError::system(path, "open it"))?;
    let reading = FileError::system(path, "read it");
    file.take(container::MAGIC.len() as u64).read_to_end(&mut head).map_err(reading)?;
    if head == container::MAGIC {
        return Ok(Inspected::Container(container_head(path)?.into()));
    }
    if head.starts_with(container::MAGIC.get(..5).unwrap_or_default()) {
        let table = marquis_table::file::open(path, &Arc::new(BlockCache::new(0)))?;
        return Ok(Inspected::Table(table_head(&table)));
    }
    let manifest = std::fs::read_to_string(path).ok().and_then(|text| manifest_head(&text));
    manifest.map(Inspected::Manifest).ok_or_else(|| {
        let expected = format!("a table, a proof, a checkpoint or {MANIFEST}");
        let found = format!("a file that begins with `{}`", head.escape_ascii());
        TextError::fact(path.display().to_string(), expected, found).into()
    })
}

fn table_head(table: &TableFile) -> TableHead {
    let Header { identity, slots, streams, counts, notes } = table.header();
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

/// What a manifest lists; nothing where a line is none of a manifest's.
fn manifest_head(text: &str) -> Option<ManifestHead> {
    let (mut games, mut layers) = (BTreeSet::new(), BTreeSet::new());
    let (mut slots, mut counts) = (0, BTreeMap::new());
    for line in text.lines() {
        let [game, variant, layer, size, _stream, _hash, counted] = columns(line)?;
        games.insert(format!("{game} {variant}"));
        // A layer has a line a stream, and says the same in each.
        if layers.insert((game, variant, layer)) {
            slots += size.parse::<u64>().ok()?;
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

/// Adds what a line counts, as `wins=3 longest win=5`.
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
