//! The boards that can be learned, by name, whichever game they are of.

use marquis_games::beads::{Leap, Sandwich};
use marquis_games::hex::Side;
use marquis_games::squinch::Squinch;
use marquis_games::unification::{Approach, Flow};
use marquis_train::Lesson;

use crate::{Schooled, beads, squinch, unification};

/// Something that is done with the course of a board.
pub trait Attend {
    /// What comes of it.
    type Output;

    /// Does it.
    fn attend<L: Lesson>(self, lesson: &L) -> Self::Output
    where
        L::Game: Schooled<Sense = L::Sense>;
}

/// What is done with the course of a board of a game; nothing where there is no such board.
///
/// * `size`: a side, `6x6` or `6` for Squinch, or nothing for the board that people play on. Swish and Squeeze have the
///   full board alone.
pub fn attend<A: Attend>(game: &str, size: Option<&str>, what: A) -> Option<A::Output> {
    let side = || Side::new(size.unwrap_or("4").parse().ok()?);
    match game {
        "squish" => Some(what.attend(&unification::Course::<Approach>::new(side()?))),
        "flowish" => Some(what.attend(&unification::Course::<Flow>::new(side()?))),
        "swish" if size.is_none_or(|size| size == "5") => Some(what.attend(&beads::Course::<Leap>::new())),
        "squeeze" if size.is_none_or(|size| size == "5") => {
            Some(what.attend(&beads::Course::<Sandwich>::new()))
        }
        "squinch" => {
            let size = size.unwrap_or("8");
            let (files, ranks) = size.split_once('x').unwrap_or((size, size));
            let board = Squinch::new(files.parse().ok()?, ranks.parse().ok()?)?;
            let filled = if board == Squinch::FULL { [3, 3] } else { [1, 2] };
            Some(what.attend(&squinch::Course::new(board, filled)))
        }
        _ => None,
    }
}
