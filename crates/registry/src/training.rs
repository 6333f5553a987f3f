//! Training of networks on the boards that can be learned.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use marquis_sense::lessons::LessonVisitor;
use marquis_sense::schooled::Schooled;
use marquis_train::{Lesson, train};

use crate::official::visit_lesson;

/// Trains the evaluation of a board in a folder; training can be interrupted and resumed.
///
/// * `size`: of the board; the usual board by default.
/// * `stop`: polled between games and steps; `say`: receives progress, one line per call.
/// * Result: `None` if this board of this game cannot be trained.
///
/// # Errors
/// The folder cannot be read or written, holds something else, or `stop` was set.
pub fn train_board(
    game: &str,
    size: Option<&str>,
    folder: &Path,
    plan: &TrainingPlan,
    stop: &AtomicBool,
    say: &mut dyn FnMut(&str),
) -> Option<Result<(), TrainingError>> {
    visit_lesson(game, size, BoardTraining { folder, plan, stop, say })
}

/// Whether [`train_board`] can train this board of this game.
#[must_use]
pub fn is_trained(game: &str, size: Option<&str>) -> bool {
    visit_lesson(game, size, Nothing).is_some()
}

struct Nothing;

impl LessonVisitor for Nothing {
    type Output = ();

    fn visit<L: Lesson>(self, _: &L)
    where
        L::Game: Schooled<Sense = L::Sense>,
    {
    }
}

pub use marquis_train::{TrainError as TrainingError, TrainingPlan};

struct BoardTraining<'a> {
    folder: &'a Path,
    plan: &'a TrainingPlan,
    stop: &'a AtomicBool,
    say: &'a mut dyn FnMut(&str),
}

impl LessonVisitor for BoardTraining<'_> {
    type Output = Result<(), TrainingError>;

    fn visit<L: Lesson>(self, lesson: &L) -> Self::Output
    where
        L::Game: Schooled<Sense = L::Sense>,
    {
        train(lesson, self.folder, self.plan, self.stop, self.say).map(|_| ())
    }
}
