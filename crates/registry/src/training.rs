//! The training of networks: which boards there are to learn.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use marquis_sense::courses::Attend;
use marquis_sense::schooled::Schooled;
use marquis_train::{Lesson, Plan, TrainError, train};

use crate::official::attend;

/// Learns to judge the positions of a board, in a folder that can be stopped in and resumed.
///
/// * `size`: of the board; the one that people play on where nothing is said.
/// * `stop`: looked at between games and steps; `say`: is told how far it is, a line each.
/// * Result: nothing where this board of this game cannot be learned so.
///
/// # Errors
/// The folder cannot be read or written, holds something else, or `stop` was set.
pub fn train_board(
    game: &str,
    size: Option<&str>,
    folder: &Path,
    plan: &Plan,
    stop: &AtomicBool,
    say: &mut dyn FnMut(&str),
) -> Option<Result<(), TrainError>> {
    attend(game, size, Training { folder, plan, stop, say })
}

/// Whether this board of this game can be learned by [`train_board`].
#[must_use]
pub fn is_trained(game: &str, size: Option<&str>) -> bool {
    attend(game, size, Nothing).is_some()
}

struct Nothing;

impl Attend for Nothing {
    type Output = ();

    fn attend<L: Lesson>(self, _: &L)
    where
        L::Game: Schooled<Sense = L::Sense>,
    {
    }
}

pub use marquis_train::{Plan as TrainingPlan, TrainError as TrainingError};

struct Training<'a> {
    folder: &'a Path,
    plan: &'a Plan,
    stop: &'a AtomicBool,
    say: &'a mut dyn FnMut(&str),
}

impl Attend for Training<'_> {
    type Output = Result<(), TrainError>;

    fn attend<L: Lesson>(self, lesson: &L) -> Self::Output
    where
        L::Game: Schooled<Sense = L::Sense>,
    {
        train(lesson, self.folder, self.plan, self.stop, self.say).map(|_| ())
    }
}
