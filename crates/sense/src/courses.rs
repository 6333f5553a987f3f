//! What is done with a board that can be learned, whichever game it is of; each family's `attend` has its boards.

use marquis_train::Lesson;

use crate::Schooled;

/// Something that is done with the course of a board.
pub trait Attend: Sized {
    /// What comes of it.
    type Output;

    /// Does it.
    fn attend<L: Lesson>(self, lesson: &L) -> Self::Output
    where
        L::Game: Schooled<Sense = L::Sense>;
}
