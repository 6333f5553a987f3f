//! Bundles solved in strips on disk and in memory: the files are the same, also after stops and with damage.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::Instant;

use marquis_chance::grid::{BackupOrder, Estimates, Grids, Half, Layout as _};
use marquis_engine::chance::{ChanceWork, Checkpoint, LayerChances, write_layer};
use marquis_engine::game::Method;
use marquis_engine::tables::CHECKPOINT_EVERY;
use marquis_engine::tables::load_layers;
use marquis_engine::{Control, EngineError, GameEntry, Registry};
use marquis_games::senet::{Senet, SenetLayer};

use super::super::bundle::{BundleSolver, ESTIMATE_SHARE, Storage};
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

/// The strips of bundles that have no table yet.
fn strips(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder.join(GAME)).expect("listed").flatten().map(|file| file.path());
    let is_strip = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let own = name.strip_prefix('.').and_then(|rest| rest.strip_suffix(".checkpoint"));
        // Part, half, band and step; the file with the state of the work has only the part.
        own.and_then(|own| own.split_once('.')).is_some_and(|(bundle, rest)| {
            rest.contains('.') && !folder.join(GAME).join(format!("{bundle}.mqt")).exists()
        })
    };
    let mut strips: Vec<PathBuf> = files.filter(is_strip).collect();
    strips.sort();
    strips
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
fn a_bundle_on_disk_that_is_stopped_again_and_again_comes_to_the_same_files() {
    let (whole, cut) = (folder(), folder());
    all(whole.path(), BackupOrder::Strips, Storage::Memory);
    fs::create_dir_all(cut.path().join(GAME)).expect("made");
    for bundle in BUNDLES {
        let mut stops = 0;
        loop {
            let (stop, told) = (AtomicBool::new(false), AtomicU32::new(0));
            // A few sweeps later each time, so that some runs begin with strips of the previous sweep.
            let tell = |_: &str| {
                if told.fetch_add(1, Relaxed) == 3 + stops % 5 {
                    stop.store(true, Relaxed);
                }
            };
            match solve(cut.path(), bundle, (BackupOrder::Strips, Storage::Disk), &stop, &tell) {
                Ok(()) => break,
                Err(EngineError::Interrupted) => stops += 1,
                Err(other) => panic!("{other}"),
            }
        }
        assert!(stops > 5, "{stops} stops of {bundle:?}");
    }
    assert!(tables(whole.path()) == tables(cut.path()));
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
        let estimates =
            strips(cut.path()).into_iter().filter(|strip| strip.display().to_string().contains("estimates"));
        assert_eq!(estimates.count(), 0, "they make room for the file");
        solve(cut.path(), bundle, disk, &never, &|what| panic!("{what}")).expect("written");
    }
    assert!(tables(whole.path()) == tables(cut.path()));
}

/// The environment variable with the folder that a child process solves in.
const FOLDER: &str = "MARQUIS_TEST_FOLDER";

#[test]
#[ignore = "runs in a process that the next test starts and kills"]
fn what_is_not_there_yet_is_solved() {
    let own = folder();
    let folder = std::env::var_os(FOLDER).map_or_else(|| own.path().to_owned(), PathBuf::from);
    fs::create_dir_all(folder.join(GAME)).expect("made");
    let is_there = |layer: SenetLayer| folder.join(GAME).join(format!("{}.mqt", layer_name(layer))).exists();
    for bundle in BUNDLES {
        if !bundle.layers().into_iter().all(is_there) {
            solve(&folder, bundle, (BackupOrder::Strips, Storage::Disk), &AtomicBool::new(false), &|_| {})
                .expect("solved");
        }
    }
    assert_eq!(tables(&folder).len(), 4);
}

#[test]
fn a_bundle_on_disk_whose_process_is_killed_ten_times_comes_to_the_same_files() {
    let (whole, undisturbed, killed) = (folder(), folder(), folder());
    all(whole.path(), BackupOrder::Strips, Storage::Memory);
    let start = |folder: &Path| {
        let mut own = Command::new(std::env::current_exe().expect("this program"));
        own.args(["--ignored", "--exact", "senet::tests::strips::what_is_not_there_yet_is_solved"]);
        own.env(FOLDER, folder).stdout(Stdio::null()).spawn().expect("started")
    };
    // The kill times depend on the speed of the machine: all ten take six tenths of a whole run.
    let begun = Instant::now();
    assert!(start(undisturbed.path()).wait().expect("ended").success());
    let part = begun.elapsed() / 1000;
    let mut in_sweeps = 0;
    for kill in 0..10 {
        let mut process = start(killed.path());
        std::thread::sleep(part * (35 + kill * 37 % 70));
        process.kill().expect("killed");
        assert!(!process.wait().expect("ended").success(), "kill {kill} came too late");
        in_sweeps += usize::from(!strips(killed.path()).is_empty());
    }
    assert!(in_sweeps > 5, "{in_sweeps} of ten kills in the middle of sweeps");
    assert!(start(killed.path()).wait().expect("ended").success());
    assert!(tables(whole.path()) == tables(killed.path()));
}

#[test]
fn a_damaged_strip_is_named_and_never_used() {
    let folder = folder();
    fs::create_dir_all(folder.path().join(GAME)).expect("made");
    let (stop, told) = (AtomicBool::new(false), AtomicU32::new(0));
    let tell = |_: &str| stop.store(told.fetch_add(1, Relaxed) == 7, Relaxed);
    let disk = (BackupOrder::Strips, Storage::Disk);
    solve(folder.path(), BUNDLES[0], disk, &AtomicBool::new(false), &|_| {}).expect("solved");
    let stopped = solve(folder.path(), BUNDLES[1], disk, &stop, &tell);
    assert!(matches!(stopped, Err(EngineError::Interrupted)));
    assert!(strips(folder.path()).len() > 5);
    for (number, file) in strips(folder.path()).into_iter().enumerate().step_by(5) {
        let whole = fs::read(&file).expect("read");
        let mut flipped = whole.clone();
        flipped[(number * 7919) % whole.len()] ^= 1 << (number % 8);
        for bytes in [&flipped[..], &whole[..whole.len() - 1]] {
            fs::write(&file, bytes).expect("written");
            let used = solve(folder.path(), BUNDLES[1], disk, &AtomicBool::new(false), &|_| {});
            let Err(EngineError::File(error)) = used else { panic!("a damaged strip was used") };
            assert_eq!(error.path(), file);
            assert!(error.to_string().contains("remove this file and build again"), "{error}");
            fs::write(&file, &whole).expect("written");
            if tables(folder.path()).len() > 1 || !strips(folder.path()).contains(&file) {
                panic!("something was made of it");
            }
        }
    }
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
