//! The knowledge of an engine in addition to the rules: tables, proofs and the book, present or absent.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use marquis_core::GameId;
use marquis_engine::tables::{CHECKPOINT_EVERY, generate};
use marquis_engine::{BookUse, BuildQuery, Control, Engine, EngineOptions, Limits, Query, Registry};

use super::case::Case;
use super::{asked, book};
use crate::reference::Immobile;
use crate::reference::hexboard::{Cell, HexBoard};
use crate::reference::squinch::Position;
use crate::reference::symmetry::images;

/// A kind of engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum World {
    /// As installed: with the built-in book and proofs.
    Plain,
    /// With a folder of small tables as well.
    Tables,
    /// With the proof files of the game loaded as well.
    Proofs,
    /// The rules alone.
    Bare,
}

/// All kinds.
pub const WORLDS: [World; 4] = [World::Plain, World::Tables, World::Proofs, World::Bare];

impl World {
    /// Its name in options and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Tables => "tables",
            Self::Proofs => "proofs",
            Self::Bare => "bare",
        }
    }
}

/// The small tables: the game, and either the pieces on side 3 or the position to build from.
const TABLES: [(&str, Option<&str>, Option<&str>); 5] = [
    ("squish", Some("2v2"), None),
    ("flowish", Some("2v2"), None),
    ("swish", None, Some(SETUP)),
    ("squeeze", None, Some(SETUP)),
    ("squinch", None, Some("w1,w1,w1/3/r1,r1,r1 r")),
];

/// The set-up of Swish and Squeeze from which tables are built.
const SETUP: &str = "1w1/4/1oo2/4/1b1 w 0-0 2";

/// Whether the small tables hold the position of a case, by its pieces and beads.
#[must_use]
pub fn holds(case: &Case, position: &str) -> bool {
    let fields: Vec<&str> = position.split(' ').collect();
    let rows: Vec<&str> = fields[0].split('/').collect();
    let count = |letter: char| fields[0].chars().filter(|&own| own == letter).count();
    match case.game {
        "squish" | "flowish" => rows.len() == 5 && count('w') <= 2 && count('b') <= 2,
        "swish" | "squeeze" => {
            let beads = |text: &str| {
                let board = HexBoard::read(text.split(' ').next().unwrap_or_default());
                let beads =
                    board.pieces.into_iter().filter(|&(_, letter)| letter == 'o').map(|(cell, _)| cell);
                beads.collect::<BTreeSet<Cell>>()
            };
            let all = beads(SETUP);
            let captured: usize = fields[2].split('-').filter_map(|beads| beads.parse::<usize>().ok()).sum();
            case.immobile == Immobile::Loss
                && (rows.len(), count('w'), count('b'), fields[3]) == (5, 1, 1, "2")
                && beads(position).len() + captured == all.len()
                && images(case.game)
                    .iter()
                    .any(|image| beads(&image.position(case.game, position)).is_subset(&all))
        }
        "squinch" => {
            let board = Position::read(position);
            let of = |colour| {
                board.stacks.values().filter(|stack| stack.0 == colour).map(|stack| stack.1).sum::<i32>()
            };
            (board.files, board.ranks) == (3, 3) && of('r') <= 3 && of('w') <= 3
        }
        _ => false,
    }
}

/// The inputs of all engines.
pub struct Worlds {
    /// The games.
    pub registry: Registry,
    tables: PathBuf,
    most_proof_bytes: u64,
    proofs: Mutex<HashMap<(&'static str, Questions), Place>>,
}

/// An engine that is opened on first use.
type Place = Arc<OnceLock<Arc<Engine>>>;

/// Two engines with the same proof files, because an engine may learn from each request.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Questions {
    /// All requests, in any order.
    Anything,
    /// Only values, which the engine does not remember: its answers come from the proofs alone.
    Values,
}

impl Worlds {
    /// * `tables`: a folder of tables, which are built if it is empty.
    /// * `most_proof_bytes`: larger proof files are not loaded.
    ///
    /// Panics if tables cannot be built.
    #[must_use]
    pub fn new(registry: Registry, tables: &Path, most_proof_bytes: u64) -> Self {
        for (game, pieces, from) in TABLES {
            let query = BuildQuery {
                side: pieces.map(|_| 3),
                pieces: pieces.map(ToOwned::to_owned),
                from: from.map(ToOwned::to_owned),
                ..BuildQuery::new(GameId::new(game))
            };
            let built =
                generate(&registry, &query, tables, CHECKPOINT_EVERY, &Limits::default(), &Control::none());
            built.unwrap_or_else(|error| panic!("tables of {game}: {error}"));
        }
        Self { registry, tables: tables.to_owned(), most_proof_bytes, proofs: Mutex::default() }
    }

    /// The folder of tables.
    #[must_use]
    pub fn tables(&self) -> &Path {
        &self.tables
    }

    /// The options of an engine of this kind, without proof files.
    #[must_use]
    pub fn options(&self, world: World) -> EngineOptions {
        let options = EngineOptions::default();
        match world {
            World::Plain | World::Proofs => options,
            World::Tables => EngineOptions { tables: vec![self.tables.clone()], ..options },
            World::Bare => EngineOptions { book: BookUse::LeftAlone, ..options },
        }
    }

    /// A fresh engine of this kind, without proof files.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn engine(&self, world: World) -> Result<Engine, String> {
        asked::engine(&self.registry, &self.options(world))
    }

    /// The engine with all proof files of a game, shared because loading them takes seconds.
    ///
    /// From then on the built-in proofs are open for all engines, so that none knows more than another.
    ///
    /// Panics if a proof file is invalid.
    #[must_use]
    pub fn with_proofs(&self, game: &'static str) -> Arc<Engine> {
        self.opened(game, Questions::Anything)
    }

    /// Another such engine, for requests about values only.
    ///
    /// Panics if a proof file is invalid.
    #[must_use]
    pub fn by_proofs_alone(&self, game: &'static str) -> Arc<Engine> {
        self.opened(game, Questions::Values)
    }

    fn opened(&self, game: &'static str, asked: Questions) -> Arc<Engine> {
        let place = {
            let mut engines = self.proofs.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(engines.entry((game, asked)).or_default())
        };
        let open = || {
            let proofs = book::proofs(game, self.most_proof_bytes);
            let plain = self.engine(World::Plain).unwrap_or_else(|error| panic!("{game}: {error}"));
            for entry in book::Book::read().of(game) {
                let probed = plain.probe(&Query::new(GameId::new(game), entry.position.clone()));
                probed.unwrap_or_else(|error| panic!("{game} {}: {error}", entry.position));
            }
            let options = EngineOptions { proofs, ..EngineOptions::default() };
            Arc::new(
                asked::engine(&self.registry, &options).unwrap_or_else(|error| panic!("{game}: {error}")),
            )
        };
        Arc::clone(place.get_or_init(open))
    }
}
