//! Actions on a board that can be learned, for any game; the `attend` function of each family has its boards.

use marquis_train::Lesson;

use crate::Schooled;

/// An action on the course of a board.
pub trait Attend: Sized {
    /// The result.
    type Output;

    /// Runs the action.
    fn attend<L: Lesson>(self, lesson: &L) -> Self::Output
    where
        L::Game: Schooled<Sense = L::Sense>;
}
