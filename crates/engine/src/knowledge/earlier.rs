//! Proved results of earlier questions, for later ones.

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use crate::game::exact::ExactGame;
use crate::results::{Proof, Verdict};

/// The number of positions of a generation.
const GENERATION: usize = 1 << 13;
/// The number of boards, with their rules, that are kept; the latest ones.
const BOARDS: usize = 8;

/// Verdicts of one board, each for the representative of the images of a position.
///
/// A full generation becomes the old one, and the previous old one is dropped.
struct Found<G: ExactGame> {
    rules: G::Rules,
    young: HashMap<G::Position, Verdict>,
    old: HashMap<G::Position, Verdict>,
}

impl<G: ExactGame> Found<G> {
    fn look(&self, canonical: &G::Position) -> Option<Verdict> {
        self.young.get(canonical).or_else(|| self.old.get(canonical)).copied()
    }

    fn add(&mut self, canonical: G::Position, verdict: Verdict) {
        let known = self.look(&canonical).map_or(verdict, |known| known.and(verdict));
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(canonical, known);
    }
}

/// Verdicts of searches, for the latest boards of all games, within some megabytes.
#[derive(Default)]
pub(crate) struct Earlier(Mutex<VecDeque<Box<dyn Any + Send>>>);

impl Earlier {
    /// The proved verdict on a position, for the player to move.
    ///
    /// * `canonical`: the representative of the images of the position.
    pub(crate) fn look<G: ExactGame>(&self, rules: &G::Rules, canonical: &G::Position) -> Verdict {
        let boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_board = |board: &Box<dyn Any + Send>| {
            board.downcast_ref::<Found<G>>().filter(|found| found.rules == *rules)?.look(canonical)
        };
        boards.iter().find_map(of_board).unwrap_or(Verdict::UNKNOWN)
    }

    /// Whether there are no verdicts at all. To find the representative of a position takes longer than to look it up.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Forgets everything.
    pub(crate) fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Keeps verdicts of searches and those that follow from the book or a proof; tables are looked up again each
    /// time.
    ///
    /// * `found`: canonical positions with their verdicts.
    pub(crate) fn keep<G: ExactGame>(
        &self,
        rules: &G::Rules,
        found: impl Iterator<Item = (G::Position, Verdict)>,
    ) {
        let is_kept = |proof| matches!(proof, Proof::Search | Proof::Book | Proof::File);
        let mut proved = found.filter(|(_, verdict)| is_kept(verdict.proof)).peekable();
        if proved.peek().is_none() {
            return;
        }
        let mut boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_of = |board: &Box<dyn Any + Send>| {
            board.downcast_ref::<Found<G>>().is_some_and(|found| found.rules == *rules)
        };
        let place = boards.iter().position(is_of).unwrap_or_else(|| {
            boards.truncate(BOARDS - 1);
            let new = Found::<G> { rules: rules.clone(), young: HashMap::new(), old: HashMap::new() };
            boards.push_front(Box::new(new));
            0
        });
        let Some(board) = boards[place].downcast_mut::<Found<G>>() else { return };
        for (canonical, verdict) in proved {
            board.add(canonical, Verdict { estimate: None, ..verdict });
        }
    }
}
