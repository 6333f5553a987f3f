//! Tables of Senet compared with the judge, through the public interface.

mod attempts;
mod bytes;
mod certificate;
mod games;
mod judge;
pub(crate) mod strips;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use marquis_core::GameId;
use marquis_core::Player;
use marquis_engine::chance::{ChanceGame as _, ChanceWork, Checkpoint, LoadedLayer, write_layer};
use marquis_engine::game::Method;
use marquis_engine::tables::load_layers;
use marquis_engine::tables::{CHECKPOINT_EVERY, generate};
use marquis_engine::{BuildQuery, Control, Engine, EngineError, EngineOptions, GameEntry, Limits, Registry};
use marquis_games::senet::{Position, Senet, SenetLayer};

use crate::senet::Adapter;

const SENET: GameId = Adapter::ID;

fn registry() -> Registry {
    Registry::new([GameEntry::chance::<Adapter>()])
}

/// A folder that is deleted after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("marquis-senet-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Self(folder)
    }

    fn engine(&self) -> Engine {
        let options = EngineOptions { tables: vec![self.0.clone()], ..EngineOptions::default() };
        let (engine, problems) = Engine::open(registry(), options).expect("the folder can be read");
        assert!(problems.is_empty(), "{problems:?}");
        engine
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn build(pieces: &str, out: &Path, control: &Control<'_>) -> Result<usize, EngineError> {
    let query = BuildQuery { pieces: Some(pieces.to_owned()), ..BuildQuery::new(SENET) };
    generate(&registry(), &query, out, CHECKPOINT_EVERY, &Limits::default(), control)
        .map(|report| report.tables.len())
}

/// Calls `solve` with the context for one piece each.
fn with_work<T>(
    folder: &Folder,
    tell: &(dyn Fn(&str) + Sync),
    solve: impl FnOnce(&ChanceWork<'_, SenetLayer>) -> T,
) -> T {
    std::fs::create_dir_all(folder.0.join(crate::senet::GAME)).expect("made");
    let (below, control) = (|_| unreachable!("nothing is below"), Control::none());
    solve(&ChanceWork {
        below: &below,
        checkpoint: &Checkpoint::new(&folder.0.join(crate::senet::GAME), "1v1", CHECKPOINT_EVERY),
        method: Method::Sweeps,
        deadline: None,
        control: &control,
        tell,
        write: &|layer, solved| write_layer::<Adapter>(&folder.0, &Senet, layer, solved),
        name: "1v1",
    })
}

/// The layers with up to these numbers of pieces, with either player to throw.
fn layers_below(mover: u8, opponent: u8) -> Vec<SenetLayer> {
    let all =
        (1..=mover).flat_map(|mover| (1..=opponent).map(move |opponent| SenetLayer { mover, opponent }));
    let swapped = |layer: SenetLayer| SenetLayer { mover: layer.opponent, opponent: layer.mover };
    let mut layers: Vec<SenetLayer> = all.flat_map(|layer| [layer, swapped(layer)]).collect();
    layers.sort_by_key(|layer| (layer.mover, layer.opponent));
    layers.dedup();
    layers
}

/// Layers of a folder, read back.
fn loaded(folder: &Folder, wanted: &[SenetLayer]) -> HashMap<SenetLayer, LoadedLayer<SenetLayer>> {
    let layers = load_layers::<Adapter>(&registry(), &Senet, &folder.0, wanted).expect("read");
    layers.into_iter().map(|layer| (layer.layer(), layer)).collect()
}

/// The first player's chance in a position of these layers or in a finished one.
fn first_chance(layers: &HashMap<SenetLayer, LoadedLayer<SenetLayer>>, position: &Position) -> f64 {
    let Some(layer) = SenetLayer::of(position) else {
        return if position.pieces(Player::First).is_empty() { 1.0 } else { 0.0 };
    };
    let chance = layers[&layer].chance(layer.slot(position));
    if position.turn() == Player::First { chance } else { 1.0 - chance }
}

/// The largest error of a chance in these layers.
fn error(layers: &HashMap<SenetLayer, LoadedLayer<SenetLayer>>) -> f64 {
    layers.values().map(LoadedLayer::error).fold(0.0, f64::max)
}

/// Every table of a folder: its name and its bytes.
fn tables(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let files = std::fs::read_dir(folder.0.join("senet")).expect("listed").flatten();
    let tables = files.filter(|file| file.path().extension().is_some_and(|extension| extension == "mqt"));
    let mut tables: Vec<_> = tables
        .map(|file| {
            (file.file_name().to_string_lossy().into_owned(), std::fs::read(file.path()).expect("read"))
        })
        .collect();
    tables.sort();
    tables
}
