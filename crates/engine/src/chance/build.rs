//! Plan and build of layers of chances.
//!
//! A bundle takes what it needs of those below from their files, also where they were solved a moment ago: so nothing
//! depends on what was built in one go.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use marquis_retro::{Bundle, Plan};
use marquis_table::{BlockCache, Store, Width};

use crate::error::file_error;
use crate::files::chances::{self, LoadedLayer, Solved, cell_width, write_short};
use crate::files::store::{TableRules, open_store};
use crate::game::chance::{ChanceGame, ChanceWork, layer_id};
use crate::make::common;
use crate::make::prepared::{PreparedBuild, Site};
use crate::query::{BuildQuery, ChanceCells};
use crate::wire::reports::{BuildPlan, BuildReport, PlannedLayer, TableInfo};
use crate::{Control, EngineError, Limits, Progress};

const CACHE_BYTES: usize = 16 << 20;

/// The bytes of a chance in a file, its bounds included.
const fn cell_bytes(chances: ChanceCells) -> u64 {
    match chances {
        ChanceCells::FourBytes => 8,
        ChanceCells::TwoBytes => 2,
    }
}

/// The rules, the plan for their layers, and where the files go.
pub(crate) struct Build<'a, G: ChanceGame> {
    rules: G::Rules,
    plan: Plan<G::Layer>,
    chances: ChanceCells,
    site: Site<'a>,
}

impl<'a, G: ChanceGame> Build<'a, G> {
    pub(crate) fn new(query: &BuildQuery, site: Site<'a>) -> Result<Self, EngineError> {
        let (rules, wanted) = G::wanted(query)?;
        let plan =
            Plan::of(wanted, &|layer| G::peers(&rules, layer), &|layer| G::below(&rules, layer), &|layer| {
                G::slots(&rules, layer)
            });
        Ok(Self { rules, plan, chances: query.chances, site })
    }

    fn open(&self) -> Result<Store, EngineError> {
        open_store(self.site.rules, self.site.out, &Arc::new(BlockCache::new(CACHE_BYTES)))
    }

    fn find<'s>(&self, store: &'s Store, layer: G::Layer) -> Option<&'s marquis_table::Table<std::fs::File>> {
        store.find(G::ID.name(), &G::variant(&self.rules), &G::layer_name(layer))
    }

    fn memory_bytes(&self) -> u64 {
        let bytes = |bundle: &Bundle<G::Layer>| G::solving_bytes(&self.rules, &bundle.layers);
        self.plan.bundles.iter().map(bytes).max().unwrap_or(0)
    }

    /// The layers, slots, memory and disk space of the build.
    fn plan_it(&self) -> Result<BuildPlan, EngineError> {
        let kept = if self.site.out.exists() { self.kept(&self.open()?) } else { Vec::new() };
        let planned = |layer: G::Layer| PlannedLayer {
            layer: G::layer_name(layer),
            slots: G::slots(&self.rules, layer),
            finished: kept.contains(&layer),
        };
        let layers: Vec<PlannedLayer> = self.plan.layers().map(planned).collect();
        let slots = self.plan.slots();
        Ok(BuildPlan {
            game: G::ID.name().to_owned(),
            variant: G::variant(&self.rules),
            layers,
            slots,
            memory_bytes: self.memory_bytes(),
            disk_bytes: slots * cell_bytes(self.chances),
        })
    }

    /// Builds every layer that has no finished file yet.
    fn build(&self, limits: &Limits, control: &Control<'_>) -> Result<BuildReport, EngineError> {
        let begun = Instant::now();
        let Site { out, .. } = self.site;
        common::allow(G::ID.name(), self.memory_bytes(), limits)?;
        common::prepare(out, &out.join(G::folder(&self.rules)))?;
        let store = self.open()?;
        common::check_sound(&store, &|_| true, control)?;
        let kept = self.kept(&store);
        let total = self.plan.slots();
        if kept.len() < self.plan.layers().count() {
            let mut done = 0;
            for bundle in &self.plan.bundles {
                if bundle.layers.iter().all(|layer| kept.contains(layer)) {
                    G::forget(&self.rules, &bundle.layers, out);
                } else {
                    self.solve(bundle, (done, total), limits, control)?;
                }
                done += bundle.slots();
            }
        }
        if self.chances == ChanceCells::TwoBytes {
            self.shorten()?;
        }
        let names: Vec<String> = self.plan.layers().map(G::layer_name).collect();
        let variant = G::variant(&self.rules);
        let own = |info: &TableInfo| {
            info.game == G::ID.name() && info.variant == variant && names.contains(&info.layer)
        };
        common::report(&self.open()?, own, kept.len(), begun)
    }

    /// The layers that need not be built.
    ///
    /// Cells of two bytes are no ground to build on: where a layer is missing, those below it need four.
    fn kept(&self, store: &Store) -> Vec<G::Layer> {
        let is_there = |layer: &G::Layer, wide: bool| {
            let width = self.find(store, *layer).map(cell_width);
            width.is_some_and(|width| width == Width::Four || !wide)
        };
        let layers: Vec<G::Layer> = self.plan.layers().collect();
        if self.chances == ChanceCells::TwoBytes && layers.iter().all(|layer| is_there(layer, false)) {
            return layers;
        }
        layers.into_iter().filter(|layer| is_there(layer, true)).collect()
    }

    /// Rounds the chances of all layers to two bytes.
    fn shorten(&self) -> Result<(), EngineError> {
        let store = self.open()?;
        for layer in self.plan.layers() {
            let id = layer_id::<G>(&self.rules, layer);
            let path = self.site.out.join(id.path());
            let Some(table) = self.find(&store, layer) else { continue };
            if cell_width(table) == Width::Four {
                let loaded = LoadedLayer::read(layer, &id, table);
                let loaded = loaded.map_err(|message| EngineError::File { path: path.clone(), message })?;
                write_short(&id, &loaded, &path).map_err(|error| file_error(&path, &error))?;
            }
        }
        Ok(())
    }

    /// Solves a bundle and writes its files.
    fn solve(
        &self,
        bundle: &Bundle<G::Layer>,
        (done, total): (u64, u64),
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<(), EngineError> {
        let below = self.below(bundle)?;
        let name = G::layer_name(bundle.layers[0]);
        let tell = |what: &str| {
            let phase = format!("{} {name}, {what}", G::ID);
            control.tell(&Progress { phase, done, total: Some(total), bounds: None });
        };
        let Site { out, checkpoint_every, .. } = self.site;
        let deadline = limits.deadline();
        let write = |layer: G::Layer, solved: &Solved<'_>| write_layer::<G>(out, &self.rules, layer, solved);
        let work = ChanceWork {
            below: &below,
            folder: out,
            checkpoint_every,
            deadline,
            control,
            tell: &tell,
            write: &write,
            name: &name,
        };
        G::solve(&self.rules, &bundle.layers, &work)
    }

    fn below(
        &self,
        bundle: &Bundle<G::Layer>,
    ) -> Result<HashMap<G::Layer, LoadedLayer<G::Layer>>, EngineError> {
        let layers = read_layers::<G>(self.site.rules, &self.rules, self.site.out, &bundle.below)?;
        Ok(layers.into_iter().map(|layer| (layer.layer(), layer)).collect())
    }
}

impl<G: ChanceGame> PreparedBuild for Build<'_, G> {
    fn is_begun(&self) -> bool {
        self.site.out.join(G::folder(&self.rules)).is_dir()
    }

    fn plan(&self) -> Result<BuildPlan, EngineError> {
        self.plan_it()
    }

    fn run(&self, limits: &Limits, control: &Control<'_>) -> Result<BuildReport, EngineError> {
        self.build(limits, control)
    }
}

/// Writes the file of a solved layer into a folder of tables.
///
/// # Errors
/// It cannot be written.
pub fn write_layer<G: ChanceGame>(
    folder: &Path,
    rules: &G::Rules,
    layer: G::Layer,
    solved: &Solved<'_>,
) -> Result<(), EngineError> {
    let id = layer_id::<G>(rules, layer);
    let path = folder.join(id.path());
    chances::write_layer(&id, solved, &path).map_err(|error| file_error(&path, &error))
}

/// Layers of a folder of tables, in memory.
///
/// # Errors
/// A layer that is missing or cannot be read.
pub(crate) fn read_layers<G: ChanceGame>(
    tables: &dyn TableRules,
    rules: &G::Rules,
    folder: &Path,
    layers: &[G::Layer],
) -> Result<Vec<LoadedLayer<G::Layer>>, EngineError> {
    let store = open_store(tables, folder, &Arc::new(BlockCache::new(0)))?;
    let load = |&layer: &G::Layer| {
        let id = layer_id::<G>(rules, layer);
        let missing = || "expected a finished layer, found none; build it".to_owned();
        let table = store.find(G::ID.name(), &id.variant, &id.name);
        let read = table.ok_or_else(missing).and_then(|table| LoadedLayer::read(layer, &id, table));
        read.map_err(|message| EngineError::File { path: folder.join(id.path()), message })
    };
    layers.iter().map(load).collect()
}
