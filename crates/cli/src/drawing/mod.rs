//! Boards as SVG: the output of `marquis show --svg`, and the diagrams of the rules.

mod arrows;
mod board;
mod shapes;

use marquis_wire::reports::Drawing;

pub(crate) use arrows::Arrows;

use board::BoardDrawing;
use shapes::Canvas;

/// The drawing as an SVG document; equal drawings give equal text.
///
/// * `title`: the description for a reader who cannot see it.
/// * `arrows`: moves to draw on the board, and the pieces that they take.
pub(crate) fn svg(title: &str, drawing: &Drawing, arrows: &Arrows) -> String {
    let board = BoardDrawing::of(drawing);
    let mut canvas = Canvas::new(board.size(), title);
    for cell in board.cells() {
        canvas.cell(cell, board.shape());
    }
    for (at, label) in board.labels() {
        canvas.label(*at, label);
    }
    for cell in board.cells() {
        canvas.piece(cell);
    }
    for name in &arrows.taken {
        if let Some(at) = board.centre(name) {
            canvas.cross(at);
        }
    }
    for arrow in &arrows.moves {
        if let (Some(from), Some(to)) = (board.centre(&arrow.from), board.destination(arrow)) {
            canvas.arrow(from, to);
        }
    }
    canvas.text()
}
