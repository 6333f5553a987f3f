//! The tables of an engine: which layers there are, and what they say about a position.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use marquis_core::{Indexed, Plies, Score, Slot};
use marquis_games::catalogue::GameId;
use marquis_games::hex::Side;
use marquis_games::unification::{Approach, Duel, Flow, Material, Stepping, Unification, UnificationIndex};
use marquis_retro::{Cells, Entry};
use marquis_table::{BlockCache, Fingerprint, Store, Table, Width};

use crate::build::MOST_INDEX_BYTES;
use crate::facade::file_error;
use crate::reports::TableInfo;
use crate::{EngineError, EngineOptions};

/// The stream of values: 1 a draw, 2 a loss, 3 a win; holes repeat a neighbour.
pub(crate) const VALUE: &str = "value";
/// The stream of plies; draws and holes repeat a neighbour.
pub(crate) const PLIES: &str = "plies";

const DRAW: u32 = 1;
const LOSS: u32 = 2;
const WIN: u32 = 3;

/// The version of the rules as this program plays them; part of the fingerprint of tables.
const RULES_VERSION: u32 = 1;

/// The variant of a board of hexagons: `side=3`.
pub(crate) fn variant(side: Side) -> String {
    format!("side={}", side.get())
}

/// The name of a layer: `03v05`.
pub(crate) fn layer_name(layer: Material) -> String {
    format!("{:02}v{:02}", layer.mover, layer.waiter)
}

/// The layer of this name.
pub(crate) fn layer_named(name: &str) -> Option<Material> {
    let (mover, waiter) = name.split_once('v')?;
    Some(Material { mover: mover.parse().ok()?, waiter: waiter.parse().ok()? })
}

fn side_of(variant: &str) -> Option<Side> {
    variant.strip_prefix("side=")?.parse().ok().and_then(Side::new)
}

/// The fingerprint of the rules and of the numbering of positions; none for what this program has no
/// tables of.
pub(crate) fn fingerprint(game: &str, variant: &str) -> Option<Fingerprint> {
    let known = [GameId::Squish, GameId::Flowish].iter().any(|id| id.name() == game);
    side_of(variant).filter(|_| known)?;
    let numbering = UnificationIndex::<Approach>::VERSION;
    Some(Fingerprint::of(&format!("marquis {game} {variant} rules {RULES_VERSION} numbering {numbering}")))
}

/// What a table says in one slot.
pub(crate) fn read_entry(table: &Table<File>, slot: Slot) -> Result<Score, marquis_table::Error> {
    let value = table.cell(table.stream(VALUE)?, slot.0)?;
    if value == DRAW {
        return Ok(Score::Draw);
    }
    let plies = Plies(table.cell(table.stream(PLIES)?, slot.0)? as u16);
    Ok(if value == WIN { Score::Win(plies) } else { Score::Loss(plies) })
}

/// Reads a whole layer into memory.
pub(crate) fn read_cells(table: &Table<File>) -> Result<Cells, marquis_table::Error> {
    let slots = table.header().slots as usize;
    let (value, plies) = (table.stream(VALUE)?, table.stream(PLIES)?);
    let mut values = vec![0; slots];
    table.cells(value, 0, &mut values)?;
    let width = table.stream_header(plies).width.bytes();
    let mut lengths = vec![0; slots * width];
    table.cells(plies, 0, &mut lengths)?;
    let plies = |slot: usize| {
        lengths[slot * width..(slot + 1) * width].iter().rev().fold(0, |n, &b| n << 8 | u16::from(b))
    };
    let code = |slot: usize| {
        let score = match u32::from(values[slot]) {
            WIN => Score::Win(Plies(plies(slot))),
            LOSS => Score::Loss(Plies(plies(slot))),
            _ => Score::Draw,
        };
        Entry::Score(score).code()
    };
    let codes: Vec<u32> = (0..slots).map(code).collect();
    Ok(if codes.iter().all(|&code| code <= u32::from(u8::MAX)) {
        Cells::Narrow(codes.into_iter().map(|code| code as u8).collect())
    } else {
        Cells::Wide(codes.into_iter().map(|code| code as u16).collect())
    })
}

/// The value cell of an entry; 0 marks a hole.
pub(crate) const fn value_cell(entry: Entry) -> u32 {
    match entry {
        Entry::Hole => 0,
        Entry::Score(Score::Draw) => DRAW,
        Entry::Score(Score::Loss(_)) => LOSS,
        Entry::Score(Score::Win(_)) => WIN,
    }
}

/// The plies cell of an entry; the greatest cell of the width marks a hole.
pub(crate) fn plies_cell(entry: Entry, width: Width) -> u32 {
    match entry.score().and_then(Score::plies) {
        Some(plies) => u32::from(plies.0),
        None => width.largest(),
    }
}

/// The layers of one game on one board.
#[derive(Debug)]
pub(crate) struct Board<R> {
    index: UnificationIndex<R>,
    /// By layer, the number of the store that holds it.
    layers: BTreeMap<Material, usize>,
}

/// The layers of one game on all boards, by side.
pub(crate) type Shelf<R> = BTreeMap<Side, Board<R>>;

/// All tables of an engine.
pub(crate) struct Tables {
    stores: Vec<Store>,
    pub(crate) squish: Shelf<Approach>,
    pub(crate) flowish: Shelf<Flow>,
}

impl Tables {
    /// Opens every table below the folders of the options; a folder that does not exist holds none.
    pub(crate) fn open(options: &EngineOptions) -> Result<(Self, Vec<EngineError>), EngineError> {
        let cache = Arc::new(BlockCache::new(usize::try_from(options.cache_bytes).unwrap_or(usize::MAX)));
        let (mut stores, mut problems) = (Vec::new(), Vec::new());
        for folder in options.tables.iter().filter(|folder| folder.exists()) {
            let store = open_store(folder, &cache)?;
            problems.extend(store.problems().iter().map(|problem| file_error(folder, problem)));
            stores.push(store);
        }
        let squish = shelf(GameId::Squish, &stores);
        let flowish = shelf(GameId::Flowish, &stores);
        Ok((Self { stores, squish, flowish }, problems))
    }

    /// What is loaded, by game, variant and layer.
    pub(crate) fn infos(&self) -> Vec<TableInfo> {
        self.stores.iter().flat_map(infos).collect()
    }

    /// The score of a position that is not over, if a table holds it.
    pub(crate) fn score<R: Stepping>(
        &self,
        shelf: &Shelf<R>,
        game: &Unification<R>,
        position: &Duel,
    ) -> Result<Option<Score>, EngineError> {
        let Some(board) = shelf.get(&game.side()) else { return Ok(None) };
        let Some(&store) = board.layers.get(&UnificationIndex::<R>::material(position)) else {
            return Ok(None);
        };
        let (layer, slot) = board.index.slot(position);
        let store = &self.stores[store];
        let Some(table) = store.find(R::ID, &variant(game.side()), &layer_name(layer)) else {
            return Ok(None);
        };
        read_entry(table, slot).map(Some).map_err(|error| file_error(Path::new(table.name()), &error))
    }
}

/// The folder of a table, or the folder of tables itself.
pub(crate) fn folder_of(path: &Path) -> Result<&Path, EngineError> {
    if !path.exists() {
        let message = "expected a table or a folder of tables, found nothing; check the path".to_owned();
        return Err(EngineError::File { path: path.to_owned(), message });
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    Ok(if path.is_dir() { path } else { parent.unwrap_or(Path::new(".")) })
}

/// Opens the tables of one folder by this program's rules.
pub(crate) fn open_store(folder: &Path, cache: &Arc<BlockCache>) -> Result<Store, EngineError> {
    Store::scan(folder, &fingerprint, cache).map_err(|error| file_error(folder, &error))
}

fn shelf<R: Stepping>(id: GameId, stores: &[Store]) -> Shelf<R> {
    let mut layers: BTreeMap<Side, BTreeMap<Material, usize>> = BTreeMap::new();
    for (number, store) in stores.iter().enumerate() {
        for (_, table) in store.tables() {
            let identity = &table.header().identity;
            if identity.game == id.name()
                && let (Some(side), Some(layer)) = (side_of(&identity.variant), layer_named(&identity.layer))
                && UnificationIndex::<R>::bytes(side, layer.mover.max(layer.waiter)) <= MOST_INDEX_BYTES
            {
                layers.entry(side).or_default().insert(layer, number);
            }
        }
    }
    let board = |(side, layers): (Side, BTreeMap<Material, usize>)| {
        let most = layers.keys().map(|layer| layer.mover.max(layer.waiter)).max().unwrap_or(0);
        let index = UnificationIndex::new(Unification::new(side), most);
        (side, Board { index, layers })
    };
    layers.into_iter().map(board).collect()
}

/// What the tables of a folder say about themselves.
pub(crate) fn infos(store: &Store) -> Vec<TableInfo> {
    store.tables().map(|(path, table)| info(store.root(), path, table)).collect()
}

fn info(root: &Path, path: &Path, table: &Table<File>) -> TableInfo {
    let header = table.header();
    let count = |name: &str| header.counts.get(name).copied().unwrap_or(0);
    let checksum = header.streams.first().map(|stream| stream.content.to_string()).unwrap_or_default();
    TableInfo {
        game: header.identity.game.clone(),
        variant: header.identity.variant.clone(),
        layer: header.identity.layer.clone(),
        file: path.display().to_string(),
        positions: header.slots - count("holes"),
        bytes: std::fs::metadata(root.join(path)).map_or(0, |metadata| metadata.len()),
        checksum,
        wins: count("wins"),
        draws: count("draws"),
        losses: count("losses"),
        longest_win: count("longest win"),
    }
}
