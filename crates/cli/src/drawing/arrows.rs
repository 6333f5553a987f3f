//! The moves drawn on a board as arrows.

use marquis_engine::{Posed, Query};
use marquis_wire::reports::Drawing;

use super::board::{Arrow, ArrowEnd, BoardDrawing};
use crate::exit::CommandFailure;
use crate::games::registry;

/// Draws every legal move.
const ALL: &str = "all";

/// Moves of one position as arrows, and the pieces taken.
#[derive(Debug, Default)]
pub(crate) struct Arrows {
    /// The paths of the pieces.
    pub(super) moves: Vec<Arrow>,
    /// The cells whose piece leaves the board without moving.
    pub(super) taken: Vec<String>,
}

impl Arrows {
    /// The arrows of some legal moves.
    ///
    /// * `wanted`: move texts between commas, spaces or `_`, or `all`.
    /// * `drawing`: the board before the moves.
    ///
    /// # Errors
    /// The position is wrong, or a move is not legal.
    pub(crate) fn of(posed: &Posed, drawing: &Drawing, wanted: &str) -> Result<Self, CommandFailure> {
        let legal = posed.moves();
        let texts: Vec<&str> = match wanted.trim() {
            ALL => legal.iter().map(|listed| listed.mv.as_str()).collect(),
            list => list.split([' ', '_', ',']).filter(|text| !text.is_empty()).collect(),
        };
        let mut arrows = Self::default();
        for text in texts {
            let listed = legal.iter().find(|listed| listed.mv == text).ok_or_else(|| {
                CommandFailure::bad_input(format!(
                    "--arrows: expected a legal move of the position or `{ALL}`, found `{text}`; \
                     `marquis moves` lists them"
                ))
            })?;
            let way = ways(text);
            let after =
                Query { immobile: posed.immobile(), ..Query::new(posed.game(), listed.position.clone()) };
            arrows.taken.extend(taken(drawing, &registry().pose(&after)?.draw(), &way));
            arrows.moves.extend(way);
        }
        Ok(arrows)
    }
}

/// The arrows of a move: `c4-c3`, `c1xc2`, `c3-off`, `24-27>1`; empty for a pass.
fn ways(text: &str) -> Vec<Arrow> {
    let Some((from, to)) = text.split_once(['-', 'x']) else { return Vec::new() };
    let (to, on) = to.split_once('>').map_or((to, None), |(to, on)| (to, Some(on)));
    let end = |name: &str| if name == "off" { ArrowEnd::Off } else { ArrowEnd::Cell(name.to_owned()) };
    let arrow = |from: &str, to: &str| Arrow { from: from.to_owned(), to: end(to) };
    std::iter::once(arrow(from, to)).chain(on.map(|on| arrow(to, on))).collect()
}

/// The cells whose piece leaves the board without moving.
fn taken(before: &Drawing, after: &Drawing, way: &[Arrow]) -> Vec<String> {
    let (before, after) = (BoardDrawing::of(before), BoardDrawing::of(after));
    let Some(origin) = way.first().map(|arrow| &arrow.from) else { return Vec::new() };
    let changed = before.cells().iter().zip(after.cells()).filter(|(was, is)| was.piece != is.piece);
    let (from, others): (Vec<_>, Vec<_>) = changed.partition(|(was, _)| was.name == *origin);
    // If a bumped piece goes to the square that the mover left, nothing leaves the board.
    let bumped = from.iter().any(|(was, is)| is.piece != "." && !is.piece.starts_with(&was.piece[..1]));
    let gone = others
        .into_iter()
        .filter(|(was, is)| was.piece != "." && !bumped && !is.piece.starts_with(&was.piece[..1]));
    gone.map(|(was, _)| was.name.clone()).collect()
}
