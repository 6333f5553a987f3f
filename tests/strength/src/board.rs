//! Boards by their names on the command line.

use marquis_sense::lessons::LessonVisitor;
use marquis_sense::{beads, squinch, unification};

/// A name that is not a board.
#[derive(Debug, thiserror::Error)]
#[error("{found}: expected a board such as squish:4, flowish:4, swish, squeeze, squinch:6 or squinch:8")]
pub struct NoBoard {
    /// The name.
    pub found: String,
}

/// Runs `what` with the course of a board.
///
/// * `name`: the game, and after a colon the size of its board: `squish:4`, `squinch:6x6`, `swish`.
///
/// # Errors
/// No board has this name.
pub fn on<A: LessonVisitor>(name: &str, what: A) -> Result<A::Output, NoBoard> {
    let (game, size) = name.split_once(':').map_or((name, None), |(game, size)| (game, Some(size)));
    unification::visit_lesson(game, size, what)
        .or_else(|what| beads::visit_lesson(game, size, what))
        .or_else(|what| squinch::visit_lesson(game, size, what))
        .map_err(|_| NoBoard { found: name.to_owned() })
}
