//! The book of known results and its proofs, read from their files: every answer must know them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::document::{Bounds, Document, Worth};
use super::judge::Judge;
use super::throws::ThrowsDocument;
use crate::fast::Fast;

/// The certified chances of starts of Senet in README, each within half a unit of the last digit.
const CERTIFIED: [(&str, f64, f64); 3] = [
    ("wbwb6/10/10 b", 0.510_330_640, 5e-10),
    ("wbwbwb4/10/10 b", 0.511_044_404, 5e-10),
    ("wbwbwbwb2/10/10 b", 0.505_163, 5e-7),
];

/// A known result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The game.
    pub game: String,
    /// Its canonical position.
    pub position: String,
    /// For the player to move; `None` in a game with throws, whose certified chances are checked separately.
    pub value: Option<Worth>,
    /// Plies to the end, if they are known.
    pub plies: Option<u64>,
    /// The file of its proof, if it has one.
    pub proof: Option<PathBuf>,
}

/// All known results.
pub struct Book {
    entries: Vec<Entry>,
    /// The numbers of entries by game and representative.
    places: HashMap<(String, String), usize>,
}

impl Book {
    /// The book in the repository.
    ///
    /// Panics if the file is missing or has other columns.
    #[must_use]
    pub fn read() -> Self {
        let file = folder().join("book/results.tsv");
        let text =
            std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        let entries: Vec<Entry> = lines.map(entry).collect();
        let place = |(number, entry): (usize, &Entry)| {
            let rules = Fast::of(&entry.game, crate::reference::Immobile::Loss);
            ((entry.game.clone(), rules.representative(&entry.position)), number)
        };
        let places = entries.iter().enumerate().map(place).collect();
        Self { entries, places }
    }

    /// The results of a game.
    pub fn of<'a>(&'a self, game: &'a str) -> impl Iterator<Item = &'a Entry> {
        self.entries.iter().filter(move |entry| entry.game == game)
    }

    /// Checks that an answer agrees with the book entry for an image of its position.
    pub fn check(&self, document: &Document, game: &str, rules: &Fast, judge: &mut Judge) {
        let key = (game.to_owned(), rules.representative(&document.position));
        let Some(entry) = self.places.get(&key).map(|&number| &self.entries[number]) else { return };
        let root = &document.root;
        let found = || format!("{root}, the book says {:?} in {:?}", entry.value, entry.plies);
        let Some(value) = entry.value else { return };
        judge.expect("P1.book", root.bounds.meet(Bounds::exactly(value)), found);
        judge.expect("P2.book", root.value == Some(value), found);
        judge.expect("P2.plies-of-the-book", entry.plies.is_none() || root.plies == entry.plies, found);
    }
}

/// Checks that an answer about a certified start has its chance.
pub fn check_certified(document: &ThrowsDocument, rules: &Fast, judge: &mut Judge) {
    let own = rules.representative(&document.position);
    let known = CERTIFIED.into_iter().find(|(position, ..)| rules.representative(position) == own);
    let is_whole = document.throws.len() > 1;
    let Some((_, chance, half)) = known.filter(|_| is_whole) else { return };
    let root = document.root;
    let near = |error: f64| root.chance.is_some_and(|own| (own - chance).abs() <= error + half);
    judge.expect("P2.certified-start", root.error.is_some_and(near), || {
        format!("{root:?}, certified {chance}")
    });
}

/// The folder of tables, book and proofs.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace holds this package")
        .join("tablebases")
}

fn entry(line: &str) -> Entry {
    let columns: Vec<&str> = line.split('\t').collect();
    let [game, _, position, value, plies, _, _, _, proof, ..] = columns[..] else {
        panic!("columns of {line:?}")
    };
    Entry {
        game: game.to_owned(),
        position: position.to_owned(),
        value: match value.starts_with("chance=") {
            true => None,
            false => Worth::named(value).unwrap_or_else(|error| panic!("{error}: {line:?}")),
        },
        plies: plies.parse().ok(),
        proof: (proof != "-").then(|| folder().join("proofs").join(proof)),
    }
}

/// The proof files of a game of at most `most_bytes` bytes, without duplicates.
#[must_use]
pub fn proofs(game: &str, most_bytes: u64) -> Vec<PathBuf> {
    let book = Book::read();
    let mut files: Vec<PathBuf> = book.of(game).filter_map(|entry| entry.proof.clone()).collect();
    let is_small = |file: &PathBuf| std::fs::metadata(file).is_ok_and(|data| data.len() <= most_bytes);
    files.retain(is_small);
    files.sort();
    files.dedup();
    files
}
