//! The built-in weights, those of a user's training, and the searches made of them.
//!
//! A file is named after its board, such as `squish-4.net` or `squinch-6x6.net`, and must hold that board's weights,
//! otherwise it is left out; `calibration.txt` next to them maps leanings to chances.
//!
//! ```
//! use marquis_games::Squish;
//! use marquis_games::hex::Side;
//! use marquis_play::{Budget, Level, NoOracle, Team};
//! use marquis_sense::Weights;
//!
//! let game = Squish::new(Side::new(4).expect("a side"));
//! let weights = Weights::embedded();
//! let mut team = Team::new(weights.searcher(&game, NoOracle, 1 << 20), std::num::NonZero::<usize>::MIN);
//! let budget = Budget::nodes(10_000);
//! let thought = team.think(&game, &[], &game.start(), &budget, &mut |_| {});
//! let wdl = weights.calibration(&game, &game.start()).wdl(thought.leaning);
//! assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-9);
//! // Each move with the position after it, and the move of a middling player.
//! let candidates = team.candidates(&game, &[], &game.start(), &budget);
//! let reply = team.play(Level::new(4).expect("a level"), 7, &game, &[], &game.start(), &budget);
//! assert!(candidates.iter().any(|candidate| candidate.mv == reply.mv));
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use marquis_eval::file::{self, WeightsFileError};
use marquis_eval::{Calibration, Estimator, HandMade, Inputs as _, Learned, Network, Shape};
use marquis_games::senet::Senet;
use marquis_play::{NoOracle, Oracle, Searcher};

use crate::calibrations::Calibrations;
use crate::schooled::{Board, Embedded, Schooled};
use crate::{beads, senet, squinch, unification};

/// The built-in weights, by file.
pub const EMBEDDED: [Embedded; 8] = {
    let ([one, two, three], [four, five]) = (unification::EMBEDDED, beads::EMBEDDED);
    let ([six, seven], [eight]) = (squinch::EMBEDDED, senet::EMBEDDED);
    [one, two, three, four, five, six, seven, eight]
};
/// Maps to chances: the results between two equal engines that search 600 positions a move.
const CALIBRATION: &str = include_str!("../weights/calibration.txt");
/// The name of that file in a folder.
const CALIBRATION_FILE: &str = "calibration.txt";
/// The maximum size of a file.
const MOST_BYTES: u64 = 1 << 20;

/// The search of a game with the evaluation of its board.
pub type BoardSearcher<G, O = NoOracle> =
    Searcher<G, Estimator<<G as Schooled>::Sense>, <G as Schooled>::Sense, O>;

/// The reason why a file is left out.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// The file cannot be read.
    #[error("{path}: cannot read it")]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The system error.
        source: io::Error,
    },
    /// The name of the file is not that of a board.
    #[error(
        "{path}: not the name of a board; expected a name such as squish-4.net, squinch-6x6.net or senet.net"
    )]
    Name {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file does not hold weights for the board of its name.
    #[error("{path}: the weights do not fit the board in the file name")]
    Weights {
        /// The path of the file.
        path: PathBuf,
        /// The format error.
        source: WeightsFileError,
    },
    /// A line of the calibration is invalid.
    #[error(
        "{path}: line {line}: expected a board, a slope above 0 and a share of draws from 0 to 1, such as squish-4 0.9 0.05"
    )]
    Calibration {
        /// The path of the file.
        path: PathBuf,
        /// The number of the line.
        line: usize,
    },
}

impl WeightsError {
    /// The file that is left out.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::File { path, .. }
            | Self::Name { path }
            | Self::Weights { path, .. }
            | Self::Calibration { path, .. } => path,
        }
    }
}

/// The available weights, by board; built-in ones are opened on first use.
#[derive(Clone, Debug)]
pub struct Weights {
    /// Read from files, which take precedence over built-in ones.
    read: BTreeMap<String, Opened>,
    /// By board for a network, and by game for its terms.
    calibrations: Calibrations,
}

impl Weights {
    /// The built-in weights.
    #[must_use]
    pub fn embedded() -> Self {
        let mut calibrations = Calibrations::default();
        calibrations.read(CALIBRATION).expect("lines that a test reads");
        Self { read: BTreeMap::new(), calibrations }
    }

    /// Reads the weights of a folder, which replace those for the same boards.
    ///
    /// * Result: the files that were left out, and why; all others were read.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn read_folder(&mut self, folder: &Path) -> Result<Vec<WeightsError>, WeightsError> {
        let unreadable = |source| WeightsError::File { path: folder.to_owned(), source };
        let files = fs::read_dir(folder).map_err(unreadable)?.collect::<io::Result<Vec<_>>>();
        let mut paths: Vec<PathBuf> = files.map_err(unreadable)?.iter().map(fs::DirEntry::path).collect();
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "net"));
        paths.sort();
        let mut left_out: Vec<_> = paths.iter().filter_map(|path| self.read(path).err()).collect();
        let path = folder.join(CALIBRATION_FILE);
        match fs::read_to_string(&path) {
            Ok(text) => {
                let wrong = self.calibrations.read(&text);
                left_out.extend(wrong.err().map(|line| WeightsError::Calibration { path, line }));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => left_out.push(WeightsError::File { path, source }),
        }
        Ok(left_out)
    }

    /// Reads the weights of a file, which replace those for the same board; its leanings are uncalibrated until a
    /// calibration is read.
    ///
    /// # Errors
    /// The file cannot be read, or holds no weights for the board of its name.
    pub fn read(&mut self, path: &Path) -> Result<(), WeightsError> {
        let name = path.file_stem().and_then(|stem| stem.to_str());
        let name = name.ok_or_else(|| WeightsError::Name { path: path.to_owned() })?;
        let mut bytes = Vec::new();
        let read = fs::File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
        read.map_err(|source| WeightsError::File { path: path.to_owned(), source })?;
        let opened = opened(name, &bytes).map_err(|reason| match reason {
            None => WeightsError::Name { path: path.to_owned() },
            Some(source) => WeightsError::Weights { path: path.to_owned(), source },
        })?;
        self.read.insert(name.to_owned(), opened);
        self.calibrations.forget(name);
        Ok(())
    }

    /// The evaluation for the board of these rules: its network, or hand-made terms if there is none.
    #[must_use]
    pub fn estimator<G: Schooled>(&self, rules: &G) -> Estimator<G::Sense> {
        match self.find(&rules.schooling().name()) {
            Some(Opened::Network(network)) => Estimator::Learned(Learned::new(Arc::clone(network))),
            _ => Estimator::Terms(HandMade::new()),
        }
    }

    /// The map from the leanings of [`estimator`](Self::estimator) to chances, for a position and its moves.
    #[must_use]
    pub fn calibration<G: Schooled>(&self, rules: &G, position: &G::Position) -> Calibration {
        let board = rules.schooling();
        let name = board.name();
        let row = if self.find(&name).is_some() { name.as_str() } else { board.game };
        self.calibrations.of(row, G::Sense::phase(rules, position))
    }

    /// A search with the evaluation for the board of these rules, which queries an oracle about each position.
    ///
    /// * `bytes`: the size of its transposition table.
    #[must_use]
    pub fn searcher<G: Schooled, O: Oracle<G>>(
        &self,
        rules: &G,
        oracle: O,
        bytes: usize,
    ) -> BoardSearcher<G, O> {
        Searcher::with_oracle(self.estimator(rules), G::Sense::default(), oracle, bytes)
    }

    /// The judge of positions of Senet.
    #[must_use]
    pub fn senet(&self) -> Arc<senet::SenetJudge> {
        match self.find(senet::IDENTITY.game) {
            Some(Opened::Senet(learned)) => Arc::clone(learned),
            _ => unreachable!("weights of Senet come with the program"),
        }
    }

    fn find(&self, name: &str) -> Option<&Opened> {
        self.read.get(name).or_else(|| embedded(name))
    }
}

/// The built-in weights of this name.
fn embedded(name: &str) -> Option<&'static Opened> {
    static OPENED: [OnceLock<Opened>; EMBEDDED.len()] = [const { OnceLock::new() }; EMBEDDED.len()];
    let place = EMBEDDED.iter().position(|(other, _)| *other == name)?;
    Some(OPENED[place].get_or_init(|| opened(name, EMBEDDED[place].1).expect("weights that a test opens")))
}

/// The content of a file.
#[derive(Clone, Debug)]
enum Opened {
    Network(Arc<Network>),
    Senet(Arc<senet::SenetJudge>),
}

/// Opens a file named after a board; an error without a reason means that no board has this name.
fn opened(name: &str, bytes: &[u8]) -> Result<Opened, Option<WeightsFileError>> {
    if name == senet::IDENTITY.game {
        let network = file::read_fine(&senet::IDENTITY, senet::Sense::shape(&Senet), bytes)?;
        return Ok(Opened::Senet(Arc::new(senet::SenetJudge(network))));
    }
    let (board, shape) = board(name).ok_or(None)?;
    Ok(Opened::Network(Arc::new(file::read(&board.identity(), shape, bytes)?)))
}

/// The board of this name, and its shape.
fn board(name: &str) -> Option<(Board, Shape)> {
    let (game, size) = name.split_once('-')?;
    let found = unification::board(game, size)
        .or_else(|| beads::board(game, size))
        .or_else(|| squinch::board(game, size))?;
    // Only the canonical spelling counts: `squish-04` is another file.
    (found.0.name() == name).then_some(found)
}
