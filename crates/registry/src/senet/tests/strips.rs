//! Bundles solved in strips on disk and in memory: the files are the same.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use marquis_chance::grid::{BackupOrder, Estimates, Grids, Half, Layout as _};
use marquis_engine::chance::{ChanceWork, Checkpoint, LayerChances, write_layer};
use marquis_engine::game::Method;
use marquis_engine::tables::CHECKPOINT_EVERY;
use marquis_engine::tables::load_layers;
use marquis_engine::{Control, EngineError, GameEntry, Registry};
use marquis_games::senet::{Senet, SenetLayer};

pub(crate) use super::super::bundle::Storage;
use super::super::bundle::{BundleSolver, ESTIMATE_SHARE};
use super::super::layout::SenetLayout;
use super::super::needs::{BASE_BYTES, needs, window};
use super::super::solving::{
    Edges, PlacementTables, Precision, SwapPair, edge_of_files, layers_below, layouts, swapped,
};
use super::super::{Adapter, GAME, SolveSession, layer_name};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for temporary files")
}

/// Solves a bundle into a folder with the layers below.
///
/// * `tell`: requests a stop by means of the flag.
fn solve(
    folder: &Path,
    bundle: SwapPair,
    (order, ground): (BackupOrder, Storage),
    stop: &AtomicBool,
    tell: &(dyn Fn(&str) + Sync),
) -> Result<(), EngineError> {
    let write =
        |layer: SenetLayer, solved: &LayerChances<'_>| write_layer::<Adapter>(folder, &Senet, layer, solved);
    solve_and_write(folder, bundle, (order, ground), stop, tell, &write)
}

/// Solves a bundle; `write` writes its files.
fn solve_and_write(
    folder: &Path,
    bundle: SwapPair,
    (order, ground): (BackupOrder, Storage),
    stop: &AtomicBool,
    tell: &(dyn Fn(&str) + Sync),
    write: &(dyn Fn(SenetLayer, &LayerChances<'_>) -> Result<(), EngineError> + Sync),
) -> Result<(), EngineError> {
    let registry = Registry::new([GameEntry::chance::<Adapter>()]);
    let wanted: Vec<SenetLayer> =
        layers_below(bundle).into_iter().flat_map(|layer| [layer, swapped(layer)]).collect();
    let loaded = load_layers::<Adapter>(&registry, &Senet, folder, &wanted).expect("layers below");
    let held: HashMap<SenetLayer, _> = loaded.into_iter().map(|layer| (layer.layer(), layer)).collect();
    let below = |_| unreachable!("the edges are there");
    let sides = PlacementTables::new(bundle.layer.mover);
    let edges: Edges = layers_below(bundle)
        .into_iter()
        .map(|layer| (layer, edge_of_files(&sides, &held[&layer], &held[&swapped(layer)])))
        .collect();
    let name = format!("{}v{}", bundle.layer.mover, bundle.layer.opponent);
    let checkpoint = Checkpoint::new(&folder.join(GAME), &name, CHECKPOINT_EVERY);
    let control = Control::new(stop, |_| {});
    let work = ChanceWork {
        below: &below,
        checkpoint: &checkpoint,
        method: Method::SweepsOnDisk,
        deadline: None,
        control: &control,
        tell,
        write,
        name: &name,
    };
    let (session, layouts) = (SolveSession { work: &work, sides: &sides }, layouts(&sides, bundle));
    let (goal, share) = (bundle.goal(), ESTIMATE_SHARE);
    BundleSolver { session: &session, bundle, goal, share, layouts: &layouts, edges: &edges, order, ground }
        .run()
}

const BUNDLES: [SwapPair; 3] = [
    SwapPair { layer: SenetLayer { mover: 1, opponent: 1 } },
    SwapPair { layer: SenetLayer { mover: 2, opponent: 1 } },
    SwapPair { layer: SenetLayer { mover: 2, opponent: 2 } },
];

fn all(folder: &Path, order: BackupOrder, ground: Storage) {
    fs::create_dir_all(folder.join(GAME)).expect("made");
    for bundle in BUNDLES {
        solve(folder, bundle, (order, ground), &AtomicBool::new(false), &|_| {}).expect("solved");
    }
}

/// Every table of a folder.
fn tables(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let files = fs::read_dir(folder.join(GAME)).expect("listed").flatten().map(|file| file.path());
    let mut tables: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|end| end == "mqt"))
        .map(|file| (file.strip_prefix(folder).expect("below it").to_owned(), fs::read(&file).expect("read")))
        .collect();
    tables.sort();
    tables
}

/// Solves every bundle without a table.
pub(crate) fn solve_missing(
    folder: &Path,
    storage: Storage,
    stop: &AtomicBool,
    tell: &(dyn Fn(&str) + Sync),
) -> Result<(), EngineError> {
    fs::create_dir_all(folder.join(GAME)).expect("made");
    let is_there = |layer: SenetLayer| folder.join(GAME).join(format!("{}.mqt", layer_name(layer))).exists();
    let missing = BUNDLES.into_iter().filter(|bundle| !bundle.layers().into_iter().all(is_there));
    missing
        .into_iter()
        .try_for_each(|bundle| solve(folder, bundle, (BackupOrder::Strips, storage), stop, tell))
}

#[test]
fn strips_on_disk_give_the_files_of_those_in_memory_byte_for_byte() {
    let (memory, disk) = (folder(), folder());
    all(memory.path(), BackupOrder::Strips, Storage::Memory);
    all(disk.path(), BackupOrder::Strips, Storage::Disk);
    assert_eq!(tables(memory.path()).len(), 4);
    assert!(tables(memory.path()) == tables(disk.path()));
}

#[test]
fn what_was_found_on_disk_is_written_after_a_kill_without_another_sweep() {
    let (whole, cut) = (folder(), folder());
    all(whole.path(), BackupOrder::Strips, Storage::Memory);
    fs::create_dir_all(cut.path().join(GAME)).expect("made");
    let never = AtomicBool::new(false);
    let disk = (BackupOrder::Strips, Storage::Disk);
    for bundle in BUNDLES {
        let killed = |_: SenetLayer, _: &LayerChances<'_>| Err(EngineError::Interrupted);
        let ended = solve_and_write(cut.path(), bundle, disk, &never, &|_| {}, &killed);
        assert!(matches!(ended, Err(EngineError::Interrupted)));
        let files = fs::read_dir(cut.path().join(GAME)).expect("listed").flatten();
        let estimates = files.filter(|file| file.path().display().to_string().contains("estimates"));
        assert_eq!(estimates.count(), 0, "they make room for the file");
        solve(cut.path(), bundle, disk, &never, &|what| panic!("{what}")).expect("written");
    }
    assert!(tables(whole.path()) == tables(cut.path()));
}

/// Halves of a bundle on finished rows with unknown values.
fn unknown<'a>(layouts: &'a [SenetLayout<'a>]) -> Grids<'a, u32, 1> {
    let half = |layout: &'a SenetLayout<'a>| {
        let finished = || Estimates::unknown(1, &layout.columns().bands());
        Half::new(layout, finished(), finished())
    };
    match layouts {
        [own] => Grids::own(half(own), BackupOrder::Strips),
        _ => Grids::pair(half(&layouts[0]), half(&layouts[1]), BackupOrder::Strips),
    }
}

#[test]
fn what_is_planned_for_a_window_is_what_is_unpacked() {
    for (mover, opponent) in [(3, 1), (3, 2), (3, 3)] {
        let bundle = SwapPair { layer: SenetLayer { mover, opponent } };
        let sides = PlacementTables::new(mover);
        let layouts = layouts(&sides, bundle);
        let planned: u64 = bundle.layers().into_iter().map(window).sum::<u64>() * 4;
        let grids = unknown(&layouts);
        let found = grids.window_bytes();
        assert!(found <= planned && planned <= found * 3 / 2, "{bundle:?}: {planned} planned, {found} found");
    }
}

#[test]
fn five_each_are_planned_for_24_gib_of_memory() {
    for (opponent, gigabytes) in [(4, 28), (5, 53)] {
        let planned = needs(SwapPair { layer: SenetLayer { mover: 5, opponent } });
        let least = planned.methods().iter().map(|cost| cost.memory_bytes).min().expect("methods");
        assert!(least > BASE_BYTES && least <= 24 << 30, "{planned:?}");
        assert!(planned.disk <= gigabytes * 1_000_000_000, "{planned:?}");
    }
    assert_eq!(SwapPair { layer: SenetLayer { mover: 5, opponent: 1 } }.precision(), Precision::Coarse);
}
