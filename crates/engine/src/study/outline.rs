//! The outline file of a growing study tree, for other processes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use web_time::{Duration, Instant};

use marquis_core::{Game as _, Immobile, Notation as _, Value};
use marquis_study::{Id, Outlined};

use super::status::now;
use crate::EngineError;
use crate::error::FileError;
use crate::game::exact::ExactGame;
use marquis_wire::study::{StudyPosition, StudyTree};

/// The name of the file.
const FILE: &str = "tree.json";
/// The largest number of positions in it.
pub(super) const MOST: usize = 1000;
/// Longer files are rejected.
const MOST_BYTES: u64 = 4 << 20;
/// The interval between two writes.
const EVERY: Duration = Duration::from_secs(10);
/// Writing takes at most this fraction of the time: one part in `SHARE`.
const SHARE: u32 = 100;

/// The part of a study's tree with most of its effort, as it was last written; also while a process works on the
/// study.
///
/// # Errors
/// There is none, or it cannot be read.
pub fn study_tree(folder: &Path) -> Result<StudyTree, EngineError> {
    let file = folder.join(FILE);
    let unreadable = |found: String| {
        FileError::unexpected(&file, "the tree of a study", found, "let the study run for a moment")
    };
    let bytes = std::fs::metadata(&file).map_err(FileError::system(&file, "read it"))?.len();
    if bytes > MOST_BYTES {
        return Err(unreadable(format!("{bytes} bytes")).into());
    }
    let text = std::fs::read(&file).map_err(FileError::system(&file, "read it"))?;
    Ok(StudyTree::from_file(&text).map_err(unreadable)?)
}

/// Writes the file at intervals.
pub(super) struct TreeFile {
    file: PathBuf,
    /// The time of the last write, and its duration.
    written: Option<(Instant, Duration)>,
}

impl TreeFile {
    /// The file of the study in this folder.
    pub(super) fn of(folder: &Path) -> Self {
        Self { file: folder.join(FILE), written: None }
    }

    /// Whether it is time to write.
    pub(super) fn is_due(&self) -> bool {
        self.written.is_none_or(|(at, took)| at.elapsed() >= EVERY.max(took * SHARE))
    }

    /// Writes the outline.
    ///
    /// A failed write does not end the study: the next one may succeed.
    pub(super) fn write(&mut self, tree: impl FnOnce() -> StudyTree) {
        let begun = Instant::now();
        if let Some(text) = tree().to_file() {
            let _ = marquis_table::write_whole(&self.file, &text);
        }
        self.written = Some((Instant::now(), begun.elapsed()));
    }
}

/// Converts an outline to texts.
///
/// * `all`: positions of the whole tree.
pub(super) fn tree_of<G: ExactGame>(
    game: &G::Rules,
    immobile: Immobile,
    all: usize,
    outline: &[Outlined<G::Position>],
) -> StudyTree {
    let places: HashMap<Id, &G::Position> = outline.iter().map(|shown| (shown.id, &shown.position)).collect();
    let move_text = |(from, number): (Id, u16)| {
        let above = places.get(&from)?;
        let mut moves = Vec::new();
        game.moves(above, &mut moves);
        Some(game.move_text(above, *moves.get(usize::from(number))?))
    };
    let positions = outline.iter().map(|shown| {
        let turn = game.turn(&shown.position);
        let Outlined { id, from, bounds, numbers, moves, effort, .. } = shown;
        let is_open = |value| (bounds.best == value) != (bounds.worst == value);
        StudyPosition {
            number: id.0,
            from: from.map(|(above, _)| above.0),
            mv: from.and_then(move_text),
            position: game.position_text(&shown.position),
            turn: G::LETTERS[turn].to_string(),
            found: bounds.value(),
            bounds: *bounds,
            to_win: Some(numbers[turn].proof).filter(|_| is_open(Value::Win)),
            to_lose: Some(numbers[turn.opponent()].proof).filter(|_| is_open(Value::Loss)),
            moves: *moves as u32,
            nodes: effort.nodes,
            jobs: effort.jobs,
        }
    });
    StudyTree {
        game: G::ID.name().to_owned(),
        immobile: immobile.name().to_owned(),
        all: all as u64,
        positions: positions.collect(),
        written: now(),
    }
}
