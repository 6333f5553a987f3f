//! The test data, read from `tests/data`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::reference::Immobile;

/// The leaf counts of one position.
#[derive(Clone, Debug)]
pub struct Perft {
    /// A name for messages.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// The position, in canonical text.
    pub position: String,
    /// Depth and leaves, by ascending depth.
    pub counts: Vec<(u32, u64)>,
}

/// The reachable positions that a count includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// All.
    All,
    /// Those where the game is not over.
    Unfinished,
    /// Those where the game is not over, and finished ones with the winner to throw.
    FinishedOnce,
}

impl Counted {
    /// The count, from all reachable positions, the finished ones won by the player to move, and those lost by that
    /// player.
    #[must_use]
    pub const fn of(self, all: usize, finished_wins: usize, finished_losses: usize) -> usize {
        match self {
            Self::All => all,
            Self::Unfinished => all - finished_wins - finished_losses,
            Self::FinishedOnce => all - finished_losses,
        }
    }
}

/// One solved position.
#[derive(Clone, Debug)]
pub struct SolvedPosition {
    /// The game's name.
    pub game: String,
    /// The variant of Swish and Squeeze.
    pub immobile: Immobile,
    /// The position, in canonical text.
    pub position: String,
    /// The number of reachable positions, including itself.
    pub states: usize,
    /// The positions included in that count.
    pub counted: Counted,
    /// The number of draws among them, if known.
    pub draws: Option<usize>,
    /// `win`, `draw`, `loss`, or the chance in Senet.
    pub value: String,
    /// Plies to the end; `None` for a draw and in Senet.
    pub plies: Option<u32>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}

/// The lines of a file of `tests/data`, without empty lines and comments.
#[must_use]
pub fn lines(name: &str) -> Vec<String> {
    let text = read(&folder().join(name));
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(ToOwned::to_owned).collect()
}

/// All records of all `.perft` files, sorted by name.
#[must_use]
pub fn perfts() -> Vec<Perft> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder()).expect("the data folder").map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "perft"));
    paths.sort();
    paths.iter().flat_map(|path| perft_records(&read(path))).collect()
}

fn perft_records(text: &str) -> Vec<Perft> {
    let mut records: Vec<Perft> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (key, rest) = line.split_once(' ').unwrap_or_else(|| panic!("no key in {line:?}"));
        if key == "id" {
            let id = rest.to_owned();
            records.push(Perft { id, game: String::new(), position: String::new(), counts: Vec::new() });
            continue;
        }
        let record = records.last_mut().unwrap_or_else(|| panic!("{line:?} stands before the first id"));
        match key {
            "game" => rest.clone_into(&mut record.game),
            "position" => rest.clone_into(&mut record.position),
            "perft" => {
                let (depth, leaves) = rest.split_once(' ').expect("a depth and a count");
                record.counts.push((depth.parse().expect("a depth"), leaves.parse().expect("a count")));
            }
            _ => panic!("unknown key in {line:?}"),
        }
    }
    records
}

/// The records of `solved.txt`, from the rules page, or of `small.txt`, solved by the reference.
#[must_use]
pub fn solved(name: &str) -> Vec<SolvedPosition> {
    lines(name).iter().map(|line| solved_record(line)).collect()
}

fn solved_record(line: &str) -> SolvedPosition {
    let fields: Vec<&str> = line.split('|').collect();
    let [game, immobile, position, states, counted, draws, value, plies] = fields[..] else {
        panic!("eight fields in {line:?}")
    };
    let optional = |field: &str| (field != "-").then(|| field.parse().expect("a number"));
    SolvedPosition {
        game: game.to_owned(),
        immobile: if immobile == "pass" { Immobile::Pass } else { Immobile::Loss },
        position: position.to_owned(),
        states: states.parse().expect("a count"),
        counted: match counted {
            "all" => Counted::All,
            "unfinished" => Counted::Unfinished,
            "finished-once" => Counted::FinishedOnce,
            _ => panic!("unknown counting {counted:?}"),
        },
        draws: optional(draws),
        value: value.to_owned(),
        plies: optional(plies).map(|plies| u32::try_from(plies).expect("few plies")),
    }
}

/// A position whose moves were derived by hand.
#[derive(Clone, Debug)]
pub struct WorkedByHand {
    /// The position, in canonical text.
    pub position: String,
    /// The throw, in Senet.
    pub throw: Option<i32>,
    /// The texts of its moves in alphabetical order, or `over`, the reason and the value.
    pub expected: String,
}

/// The positions of a game whose moves were derived by hand.
#[must_use]
pub fn worked_by_hand(game: &str) -> Vec<WorkedByHand> {
    lines(&format!("moves/{game}.txt")).iter().map(|line| worked_record(line)).collect()
}

fn worked_record(line: &str) -> WorkedByHand {
    let fields: Vec<&str> = line.split('\t').collect();
    let (throw, expected) = match fields[1..] {
        [expected] => (None, expected),
        [throw, expected] => (Some(throw.parse().expect("a throw")), expected),
        _ => panic!("two or three fields in {line:?}"),
    };
    let expected = if expected.starts_with("over ") { expected.to_owned() } else { sorted_words(expected) };
    WorkedByHand { position: fields[0].to_owned(), throw, expected }
}

fn sorted_words(text: &str) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    words.sort_unstable();
    words.join(" ")
}

/// The pairs of a file with two tab-separated texts per line.
#[must_use]
pub fn pairs(name: &str) -> Vec<(String, String)> {
    let split = |line: &String| {
        let (first, second) = line.split_once('\t').unwrap_or_else(|| panic!("no tab in {line:?}"));
        (first.to_owned(), second.to_owned())
    };
    lines(name).iter().map(split).collect()
}
