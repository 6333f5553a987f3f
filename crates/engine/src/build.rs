//! Building tables: plan, generate, repack.
//!
//! Layers are built by rising number of pieces on the board, a layer together with the one in which the
//! other player is to move. Each becomes a file when it is finished; a build that is stopped goes on
//! behind the last finished pair.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use marquis_core::{Indexed, Slot};
use marquis_games::catalogue::{Asked, GameId};
use marquis_games::hex::Side;
use marquis_games::notation::{TextError, number};
use marquis_games::unification::{Approach, Flow, Material, Stepping, Unification, UnificationIndex};
use marquis_retro::layered::{Counts, Layer, solve_bundle};
use marquis_retro::{Layers, Stopped};
use marquis_table::file::{self, EXTENSION, Repacked};
use marquis_table::{BlockCache, Holes, Identity, LayerPlan, Packing, Store, StreamPlan, Width};

use crate::facade::file_error;
use crate::reports::{BuildPlan, BuildReport, PlannedLayer, TableInfo};
use crate::tables::{
    PLIES, VALUE, fingerprint, folder_of, infos, layer_name, open_store, plies_cell, read_cells, value_cell,
    variant,
};
use crate::{Control, EngineError, Limits, Progress, Query};

/// Bytes of memory that a slot takes while its layer is solved: its cell, of two bytes at most.
const BYTES_PER_SOLVED_SLOT: u64 = 2;
/// About how many slots a byte of a finished file holds.
const SLOTS_PER_DISK_BYTE: u64 = 4;
/// Most memory for the numbering of positions.
pub(crate) const MOST_INDEX_BYTES: u64 = 2 << 30;
/// Blocks of decoded cells that a build keeps.
const CACHE_BYTES: usize = 64 << 20;
/// How hard `repack` compresses.
const REPACK_LEVEL: i32 = 19;

/// What `generate` builds, in the game's own terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildQuery {
    /// Squish or Flowish.
    pub game: GameId,
    /// Cells along an edge.
    pub side: Option<u8>,
    /// `3v3`: that layer and all that it leads to; every layer of the board where nothing is said.
    pub pieces: Option<String>,
    /// All layers that can be reached from this position.
    pub from: Option<String>,
}

/// What `serve` builds when it finds no tables: Squish and Flowish of side 3, up to five pieces a side.
#[must_use]
pub fn starter_set() -> Vec<BuildQuery> {
    let query = |game| BuildQuery { game, side: Some(3), pieces: Some("5v5".to_owned()), from: None };
    [GameId::Squish, GameId::Flowish].map(query).into()
}

/// The layers, slots, memory and disk space of a build.
///
/// # Errors
/// Bad input: the game, the side, the pieces or the position.
pub fn plan(query: &BuildQuery, out: &Path) -> Result<BuildPlan, EngineError> {
    match query.game {
        GameId::Squish => Work::<Approach>::new(query, out)?.plan(),
        GameId::Flowish => Work::<Flow>::new(query, out)?.plan(),
        game => Err(no_tables(game)),
    }
}

/// Builds every layer of a plan that has no finished file yet, and says what is there now.
///
/// # Errors
/// Bad input, more memory than the limit, a file that cannot be written, or an interruption; finished
/// layers are kept.
pub fn generate(
    query: &BuildQuery,
    out: &Path,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<BuildReport, EngineError> {
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = limits.threads {
        pool = pool.num_threads(threads);
    }
    let pool = pool.build().map_err(|error| EngineError::LimitReached(format!("no threads: {error}")))?;
    pool.install(|| match query.game {
        GameId::Squish => Work::<Approach>::new(query, out)?.run(limits, control),
        GameId::Flowish => Work::<Flow>::new(query, out)?.run(limits, control),
        game => Err(no_tables(game)),
    })
}

fn no_tables(game: GameId) -> EngineError {
    EngineError::NotForThisGame(format!("there are no tables of {game} yet; squish and flowish have them"))
}

/// A build: the numbering of positions, the layers in order, and where they go.
struct Work<'a, R> {
    side: Side,
    layers: Vec<Material>,
    out: &'a Path,
    index: UnificationIndex<R>,
}

impl<'a, R: Stepping> Work<'a, R> {
    fn new(query: &BuildQuery, out: &'a Path) -> Result<Self, EngineError> {
        let (side, most) = wanted::<R>(query)?;
        let layers = layers_below(side, most);
        let most_pieces = most.mover.max(most.waiter);
        let needed = UnificationIndex::<R>::bytes(side, most_pieces);
        if needed > MOST_INDEX_BYTES {
            let what =
                format!("numbering up to {most_pieces} pieces a side of {} on side {}", R::ID, side.get());
            return Err(EngineError::TooLarge { what, needed, limit: MOST_INDEX_BYTES });
        }
        Ok(Self { side, layers, out, index: UnificationIndex::new(Unification::new(side), most_pieces) })
    }

    fn file(&self, layer: Material) -> PathBuf {
        PathBuf::from(format!("{}-s{}", R::ID, self.side.get()))
            .join(format!("{}.{EXTENSION}", layer_name(layer)))
    }

    fn store(&self) -> Result<Store, EngineError> {
        std::fs::create_dir_all(self.out).map_err(|error| file_error(self.out, &error))?;
        open_store(self.out, &Arc::new(BlockCache::new(CACHE_BYTES)))
    }

    fn slots(&self, layer: Material) -> u64 {
        self.index.slots(layer)
    }

    /// The most memory at a time: the pair that is being solved, and the finished layers below it.
    fn memory_bytes(&self) -> u64 {
        let pair = |layer: Material| -> u64 {
            let peers = self.index.peers(layer);
            let solving: u64 = peers.iter().map(|&peer| self.slots(peer)).sum();
            let below: u64 = self.below(layer).iter().map(|&lower| self.slots(lower)).sum();
            solving * BYTES_PER_SOLVED_SLOT + below * 8
        };
        self.layers.iter().map(|&layer| pair(layer)).max().unwrap_or(0)
    }

    /// The layers that captures lead to; a side with no piece left is in one group, so the game is over
    /// before.
    fn below(&self, layer: Material) -> Vec<Material> {
        let mut below = self.index.below(layer);
        below.retain(|lower| lower.mover > 0 && lower.waiter > 0);
        below
    }

    fn plan(&self) -> Result<BuildPlan, EngineError> {
        let store = if self.out.exists() { Some(self.store()?) } else { None };
        let planned = |&layer: &Material| PlannedLayer {
            layer: layer_name(layer),
            slots: self.slots(layer),
            finished: store.as_ref().is_some_and(|store| self.find(store, layer).is_some()),
        };
        let layers: Vec<PlannedLayer> = self.layers.iter().map(planned).collect();
        let slots = layers.iter().map(|layer| layer.slots).sum();
        Ok(BuildPlan {
            game: R::ID.to_owned(),
            variant: variant(self.side),
            slots,
            memory_bytes: self.memory_bytes(),
            disk_bytes: slots / SLOTS_PER_DISK_BYTE + 4096 * layers.len() as u64,
            layers,
        })
    }

    fn find<'s>(&self, store: &'s Store, layer: Material) -> Option<&'s marquis_table::Table<std::fs::File>> {
        store.find(R::ID, &variant(self.side), &layer_name(layer))
    }

    fn run(&self, limits: &Limits, control: &Control<'_>) -> Result<BuildReport, EngineError> {
        let begun = Instant::now();
        let (needed, limit) = (self.memory_bytes(), limits.memory_bytes());
        if needed > limit {
            return Err(EngineError::TooLarge { what: format!("this build of {}", R::ID), needed, limit });
        }
        let store = self.store()?;
        let mut finished = Layers::default();
        let (mut kept, mut slots_done) = (0, 0);
        let total: u64 = self.layers.iter().map(|&layer| self.slots(layer)).sum();
        for &layer in &self.layers {
            let peers = self.index.peers(layer);
            if self.find(&store, layer).is_some() {
                kept += 1;
            } else if finished.get(layer).is_none() {
                for lower in self.below(layer) {
                    self.load(&store, lower, &mut finished)?;
                }
                let tell = |progress: marquis_retro::Progress| {
                    let (phase, done) =
                        (format!("{} {}", R::ID, layer_name(layer)), slots_done + progress.done);
                    control.tell(&Progress { phase, done, total: Some(total), bounds: None });
                };
                let bounded = marquis_retro::Limits {
                    states: usize::MAX,
                    deadline: limits.deadline(),
                    stop: control.flag(),
                };
                let solved = solve_bundle(&self.index, layer, &finished, &bounded, &tell).map_err(stopped)?;
                for layer in solved {
                    self.write(&layer)?;
                    finished.insert(layer.layer, layer.cells);
                }
                let pieces = layer.mover + layer.waiter;
                finished.retain(|layer| layer.mover + layer.waiter + 1 >= pieces);
            }
            slots_done += self.slots(layer);
            debug_assert!(peers.contains(&layer));
        }
        let store = self.store()?;
        store.write_b3sums().map_err(|error| file_error(self.out, &error))?;
        let names: Vec<String> = self.layers.iter().map(|&layer| layer_name(layer)).collect();
        let mut tables = infos(&store);
        tables.retain(|info| {
            info.game == R::ID && info.variant == variant(self.side) && names.contains(&info.layer)
        });
        Ok(BuildReport { tables, kept, seconds: begun.elapsed().as_secs_f64() })
    }

    /// Takes a finished layer from its file, if it is not in memory.
    fn load(
        &self,
        store: &Store,
        layer: Material,
        finished: &mut Layers<Material>,
    ) -> Result<(), EngineError> {
        if finished.get(layer).is_some() {
            return Ok(());
        }
        let path = self.out.join(self.file(layer));
        let table = self.find(store, layer).ok_or_else(|| EngineError::File {
            path: path.clone(),
            message: "expected the finished layer, found no usable file; remove the folder and build again"
                .to_owned(),
        })?;
        let cells = read_cells(table).map_err(|error| file_error(&path, &error))?;
        finished.insert(layer, cells);
        Ok(())
    }

    fn write(&self, layer: &Layer<Material>) -> Result<(), EngineError> {
        let counts = Counts::of(&layer.cells);
        let longest = counts.longest_win.max(counts.longest_loss);
        // The greatest cell marks holes, so it must not be a number of plies.
        let width = Width::holding(longest as u32 + 1);
        let values = |first: u64, out: &mut [u8]| {
            for (cell, slot) in out.iter_mut().zip(first..) {
                *cell = value_cell(layer.cells.entry(Slot(slot))) as u8;
            }
        };
        let plies = |first: u64, out: &mut [u8]| {
            for (cell, slot) in out.chunks_mut(width.bytes()).zip(first..) {
                let plies = plies_cell(layer.cells.entry(Slot(slot)), width);
                cell.copy_from_slice(&plies.to_le_bytes()[..width.bytes()]);
            }
        };
        let streams = [
            StreamPlan { holes: Holes::Repeat { mark: 0 }, ..StreamPlan::new(VALUE, Width::One, &values) },
            StreamPlan {
                holes: Holes::Repeat { mark: width.largest() },
                given: Some(VALUE),
                ..StreamPlan::new(PLIES, width, &plies)
            },
        ];
        let path = self.out.join(self.file(layer.layer));
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| file_error(folder, &error))?;
        }
        let plan = self.layer_plan(layer, counts)?;
        file::create(&path, &plan, &streams, &|_| {}).map_err(|error| file_error(&path, &error))?;
        Ok(())
    }

    fn layer_plan(&self, layer: &Layer<Material>, counts: Counts) -> Result<LayerPlan, EngineError> {
        let variant = variant(self.side);
        let rules = fingerprint(R::ID, &variant).ok_or_else(|| no_tables_of(R::ID))?;
        let identity = Identity { game: R::ID.to_owned(), variant, layer: layer_name(layer.layer), rules };
        let counts = [
            ("wins", counts.wins),
            ("draws", counts.draws),
            ("losses", counts.losses),
            ("holes", counts.holes),
            ("longest win", counts.longest_win),
            ("longest loss", counts.longest_loss),
        ];
        Ok(LayerPlan {
            identity,
            slots: layer.cells.len() as u64,
            counts: counts.map(|(name, count)| (name.to_owned(), count)).into(),
            notes: BTreeMap::new(),
        })
    }
}

fn no_tables_of(game: &str) -> EngineError {
    EngineError::NotForThisGame(format!("there are no tables of {game}"))
}

fn stopped(stopped: Stopped) -> EngineError {
    match stopped {
        Stopped::Interrupted => EngineError::Interrupted,
        other => EngineError::LimitReached(format!("{other}; finished layers are kept")),
    }
}

/// The board and the greatest layer that a query asks for.
fn wanted<R: Stepping>(query: &BuildQuery) -> Result<(Side, Material), EngineError> {
    if let Some(from) = &query.from {
        let asked = Query::new(query.game, from.clone()).asked()?;
        let (side, position) = match asked {
            Asked::Squish(game, position) => (game.side(), position),
            Asked::Flowish(game, position) => (game.side(), position),
            _ => return Err(no_tables(query.game)),
        };
        return Ok((side, UnificationIndex::<R>::material(&position)));
    }
    let side = query.side.map_or_else(String::new, |side| side.to_string());
    let side = query
        .side
        .and_then(Side::new)
        .ok_or_else(|| TextError::new("side", "--side 2 to 5, or --from POSITION", side))?;
    let cells = side.board().count() as u8;
    let most = match &query.pieces {
        None => Material { mover: cells - 1, waiter: cells - 1 },
        Some(text) => parse_material(text, cells)?,
    };
    Ok((side, most))
}

fn parse_material(text: &str, cells: u8) -> Result<Material, EngineError> {
    let count =
        |text: &str| number(text).and_then(|n| u8::try_from(n).ok()).filter(|n| (1..=cells).contains(n));
    let material = text.split_once('v').and_then(|(mover, waiter)| {
        Some(Material { mover: count(mover)?, waiter: count(waiter)? })
            .filter(|m| m.mover + m.waiter <= cells)
    });
    let expected = format!("two numbers of pieces such as `3v3`, together at most {cells}");
    Ok(material.ok_or_else(|| TextError::new("pieces", expected, text))?)
}

/// The layers that play from a layer can reach, by rising number of pieces, each next to its peer.
fn layers_below(side: Side, most: Material) -> Vec<Material> {
    let cells = side.board().count() as u8;
    let within =
        |a: u8, b: u8| (a <= most.mover && b <= most.waiter) || (a <= most.waiter && b <= most.mover);
    let mut layers = Vec::new();
    for pieces in 2..=cells {
        for few in 1..=pieces / 2 {
            let many = pieces - few;
            if within(few, many) {
                layers.push(Material { mover: few, waiter: many });
                if few != many {
                    layers.push(Material { mover: many, waiter: few });
                }
            }
        }
    }
    layers
}

/// Packs a table, or every table of a folder, harder; the cells stay the same.
///
/// # Errors
/// A file that cannot be read or written.
pub fn repack(path: &Path, control: &Control<'_>) -> Result<Vec<TableInfo>, EngineError> {
    let cache = Arc::new(BlockCache::new(CACHE_BYTES));
    let folder = folder_of(path)?;
    let store = open_store(folder, &cache)?;
    let chosen = |file: &Path| path.is_dir() || folder.join(file) == path;
    let total = store.tables().filter(|(file, _)| chosen(file)).count() as u64;
    for (done, (file, table)) in store.tables().filter(|(file, _)| chosen(file)).enumerate() {
        if control.stopped() {
            return Err(EngineError::Interrupted);
        }
        let phase = format!("packing {}", file.display());
        control.tell(&Progress { phase, done: done as u64, total: Some(total), bounds: None });
        let pack = |stream: &marquis_table::StreamHeader| {
            let packing = Packing::Zstd { level: REPACK_LEVEL };
            Some(Repacked { packing, cells_per_block: stream.cells_per_block, hints: None })
        };
        let to = folder.join(file);
        file::repack(table, &to, pack, &|_| {}).map_err(|error| file_error(&to, &error))?;
    }
    let store = open_store(folder, &cache)?;
    store.write_b3sums().map_err(|error| file_error(folder, &error))?;
    let names: Vec<String> =
        store.tables().filter(|(file, _)| chosen(file)).map(|(file, _)| file.display().to_string()).collect();
    let mut tables = infos(&store);
    tables.retain(|info| names.contains(&info.file));
    Ok(tables)
}
