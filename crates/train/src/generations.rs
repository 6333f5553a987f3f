//! A complete training run: generations of games and networks in a folder.
//!
//! ```text
//! games/G-NNNN.txt   games of generation G, a line each (`record`)
//! G.net              the network that was fitted to the games of generations 0 to G
//! G.txt              how it came about
//! plan.txt           the board and plan of the folder
//! ```
//!
//! A file is either missing or complete. Existing files are not made again, so a stopped course resumes; the games of
//! a file follow from the seed, its number, and the previous network.

mod begun_with;

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use marquis_eval::file::{self, WeightsFileError};
use marquis_eval::{Evaluate, Features, HandMade, Inputs, Learned, Network};
use marquis_play::arena::{Ends, Fair, Pentanomial, Thinker, pair};
use marquis_play::{Searcher, Team};

use crate::fit::{Pupil, Schedule};
use crate::record::TrainingGame;
use crate::samples::Samples;
use crate::selfplay::{TABLE, game};
use crate::{Lesson, terms};

/// One in `HELD_OUT` games is excluded from training, for measurements.
const HELD_OUT: usize = 20;

/// The number of positions searched to find out whether the opening of a match is fair.
const GLANCE: u64 = 20_000;
/// Openings of matches with a larger leaning are rejected.
const LOPSIDED: i32 = 150;

/// The amount of training.
#[derive(Clone, Debug)]
pub struct TrainingPlan {
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of positions of self-play, by generation.
    pub positions: Vec<usize>,
    /// The number of positions that a search visits per move.
    pub nodes: u64,
    /// The number of games per file.
    pub games: usize,
    /// The number of passes over the samples.
    pub epochs: usize,
    /// The number of pairs of games of a new network against the terms alone, and against the previous network.
    pub pairs: u64,
}

/// The reason why training ended early.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A file of the folder cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The system error.
        source: io::Error,
    },
    /// A network in the folder belongs to another game.
    #[error("{path}: {source}")]
    Weights {
        /// The path of the file.
        path: PathBuf,
        /// The format error.
        source: WeightsFileError,
    },
    /// A file of games has an invalid line.
    #[error("{path}: line {line} is not a game record")]
    Games {
        /// The path of the file.
        path: PathBuf,
        /// The number of the line.
        line: usize,
    },
    /// The folder holds a course of another board or plan.
    #[error("{path}: expected {expected}, found {found}; choose another folder for --state", path = path.display())]
    Another {
        /// The file that says so.
        path: PathBuf,
        /// The requested value.
        expected: String,
        /// The value in the folder.
        found: String,
    },
    /// Training was stopped; run the same command to resume.
    #[error("stopped; run the same command to resume")]
    Stopped,
}

/// Trains to the end of the plan, resuming from the files in the folder, and returns the network.
///
/// * `folder`: created if it is missing; existing files are not made again.
/// * `stop`: checked between games and steps.
/// * `say`: receives progress lines.
///
/// # Errors
/// The folder cannot be read or written, holds something else, or `stop` was set.
pub fn train<L: Lesson>(
    lesson: &L,
    folder: &Path,
    plan: &TrainingPlan,
    stop: &AtomicBool,
    say: &mut dyn FnMut(&str),
) -> Result<Network, TrainError> {
    let games = folder.join("games");
    fs::create_dir_all(&games).map_err(|source| TrainError::File { path: games.clone(), source })?;
    begun_with::check(folder, &lesson.identity(), plan)?;
    let mut course = TrainingRun { lesson, folder, plan, stop, say };
    let mut network = None;
    for generation in 0..plan.positions.len() {
        network = Some(course.generation(generation, network.as_ref())?);
    }
    network.ok_or(TrainError::Stopped)
}

struct TrainingRun<'a, L> {
    lesson: &'a L,
    folder: &'a Path,
    plan: &'a TrainingPlan,
    stop: &'a AtomicBool,
    say: &'a mut dyn FnMut(&str),
}

impl<L: Lesson> TrainingRun<'_, L> {
    fn generation(&mut self, generation: usize, before: Option<&Network>) -> Result<Network, TrainError> {
        let path = self.folder.join(format!("{generation}.net"));
        if let Some(network) = self.read(&path)? {
            return Ok(network);
        }
        match before {
            None => self.play_games(generation, HandMade::<L::Sense>::new())?,
            Some(network) => self.play_games(generation, Learned::<L::Sense>::new(network.clone()))?,
        }
        let (network, mut told) = self.fit(generation)?;
        self.compare(&network, before, &mut told)?;
        write(&path.with_extension("txt"), told.as_bytes())?;
        write(&path, &file::write(&self.lesson.identity(), &network))?;
        Ok(network)
    }

    fn read(&self, path: &Path) -> Result<Option<Network>, TrainError> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(TrainError::File { path: path.to_owned(), source }),
        };
        let shape = L::Sense::shape(&self.lesson.rules());
        let network = file::read(&self.lesson.identity(), shape, &bytes);
        network.map(Some).map_err(|source| TrainError::Weights { path: path.to_owned(), source })
    }

    /// Plays files of games until there are as many positions as planned.
    fn play_games<E: Evaluate<L::Game>>(
        &mut self,
        generation: usize,
        evaluation: E,
    ) -> Result<(), TrainError> {
        let mut searcher = Searcher::new(evaluation, L::Sense::default(), TABLE);
        let mut positions = 0;
        for number in 0.. {
            let path = self.folder.join("games").join(format!("{generation}-{number:04}.txt"));
            if !path.exists() {
                let seed = |game: usize| mixed(&[self.plan.seed, generation as u64, number, game as u64]);
                let mut text = String::new();
                for one in 0..self.plan.games {
                    self.go_on()?;
                    let record = game(self.lesson, &mut searcher, self.plan.nodes, seed(one));
                    // Writing to a string cannot fail.
                    let _ = writeln!(text, "{record}");
                }
                write(&path, text.as_bytes())?;
            }
            positions += records(&path)?.iter().map(|record| record.moves.len()).sum::<usize>();
            let wanted = self.plan.positions[generation];
            (self.say)(&format!("generation {generation}: {positions} of {wanted} positions"));
            if positions >= wanted {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The network that fits all games so far, and a report about it.
    fn fit(&mut self, generation: usize) -> Result<(Network, String), TrainError> {
        let features = Features::new(L::Sense::shape(&self.lesson.rules()));
        let slots = features.shape().slots.len();
        let (mut seen, mut held) = (Samples::new(slots), Samples::new(slots));
        let mut all = Vec::new();
        // The games of the first generations are dropped once there are better ones.
        for past in generation.saturating_sub(2)..=generation {
            for number in 0.. {
                let path = self.folder.join("games").join(format!("{past}-{number:04}.txt"));
                if !path.exists() {
                    break;
                }
                for (game, record) in records(&path)?.into_iter().enumerate() {
                    let part = if game % HELD_OUT == 0 { &mut held } else { &mut seen };
                    part.add(self.lesson, &record);
                    all.push(record);
                }
            }
        }
        let (weights, by_terms) = terms::fit(self.lesson, &all);
        let mut told = format!("{} positions learned from, {} held out\n", seen.len(), held.len());
        let _ = writeln!(told, "terms fitted to the ends: {weights:.0?}, loss {by_terms:.4}");
        let mut pupil = Pupil::new(features, mixed(&[self.plan.seed, generation as u64, 1]));
        let goes_on = || !self.stop.load(Ordering::Relaxed);
        let seed = mixed(&[self.plan.seed, generation as u64, 2]);
        let schedule = Schedule { epochs: self.plan.epochs, seed, speed: 1.0 };
        let say = &mut self.say;
        let finished = pupil.learn(&seen, &schedule, &goes_on, &mut |epoch, loss| {
            say(&format!("generation {generation}: epoch {epoch}, loss {loss:.4}"));
            let _ = writeln!(told, "epoch {epoch}: loss {loss:.4}");
        });
        if !finished {
            return Err(TrainError::Stopped);
        }
        let _ = writeln!(told, "held out: loss {:.4}", pupil.loss(&held));
        (self.say)(&told);
        Ok((pupil.network(), told))
    }

    /// Plays matches of a new network, for the report next to it.
    fn compare(
        &mut self,
        new: &Network,
        before: Option<&Network>,
        told: &mut String,
    ) -> Result<(), TrainError> {
        let nodes = self.plan.nodes;
        let terms = self.pairs(new, HandMade::<L::Sense>::new(), nodes)?;
        let mut tell = |against: &str, result: Pentanomial| {
            let elo = result.elo_in_words();
            let _ = writeln!(told, "against {against}, {nodes} nodes a move: {elo}, {:?}", result.pairs);
        };
        tell("the terms", terms);
        if let Some(before) = before {
            let result = self.pairs(new, Learned::<L::Sense>::new(before.clone()), nodes)?;
            tell("the network before", result);
        }
        (self.say)(told);
        Ok(())
    }

    fn pairs<E: Evaluate<L::Game> + Clone + Send>(
        &self,
        new: &Network,
        old: E,
        nodes: u64,
    ) -> Result<Pentanomial, TrainError> {
        let sense = L::Sense::default;
        let judge = Searcher::new(Learned::<L::Sense>::new(new.clone()), sense(), TABLE);
        let mut fair = Fair { openings: self.lesson, judge, nodes: GLANCE, lopsided: LOPSIDED };
        let new = Searcher::new(Learned::<L::Sense>::new(new.clone()), sense(), TABLE);
        let mut new = Thinker { team: Team::alone(new), nodes, time: None };
        let mut old = Thinker { team: Team::alone(Searcher::new(old, sense(), TABLE)), nodes, time: None };
        let mut result = Pentanomial::default();
        for number in 0..self.plan.pairs {
            self.go_on()?;
            let (rules, start) = fair.opening(mixed(&[self.plan.seed, 77, number]));
            result.count(pair(
                &rules,
                &start,
                &mut new,
                &mut old,
                Ends::ByRules,
                self.lesson.longest_match(),
            ));
        }
        Ok(result)
    }

    fn go_on(&self) -> Result<(), TrainError> {
        if self.stop.load(Ordering::Relaxed) { Err(TrainError::Stopped) } else { Ok(()) }
    }
}

/// A hash of several numbers.
#[must_use]
pub fn mixed(words: &[u64]) -> u64 {
    words.iter().fold(0x9e37_79b9_7f4a_7c15, |all, &word| {
        let mut z = (all ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

/// The games of a file.
///
/// # Errors
/// The file cannot be read, or a line is not a game.
pub fn records(path: &Path) -> Result<Vec<TrainingGame>, TrainError> {
    let text = fs::read_to_string(path);
    let text = text.map_err(|source| TrainError::File { path: path.to_owned(), source })?;
    let lines = text.lines().enumerate();
    lines
        .map(|(number, line)| {
            let wrong = |_| TrainError::Games { path: path.to_owned(), line: number + 1 };
            line.parse().map_err(wrong)
        })
        .collect()
}

/// Writes a file atomically.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = tempfile::NamedTempFile::new_in(folder).and_then(|mut file| {
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        fs::File::open(folder)?.sync_all()
    });
    written.map_err(|source| TrainError::File { path: path.to_owned(), source })
}
