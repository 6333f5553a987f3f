//! Actions on any board that can be learned; the `visit_lesson` function of each family has its boards.

use marquis_train::Lesson;

use crate::Schooled;

/// An action on the lesson of a board.
pub trait LessonVisitor: Sized {
    /// The result.
    type Output;

    /// Runs the action.
    fn visit<L: Lesson>(self, lesson: &L) -> Self::Output
    where
        L::Game: Schooled<Sense = L::Sense>;
}
