//! The positions of the cells of a drawing on paper, and their names.

use marquis_wire::reports::{Drawing, DrawnRow};

/// A place on the paper, in units of the SVG, from the top left.
pub(super) type Point = (f64, f64);

/// The distance between the centres of neighbouring cells of a row.
const PITCH: f64 = 46.0;
/// The distance between rows of hexagons; the factor is half the square root of three.
const HEX_ROW: f64 = PITCH * 0.866_025_4;
const MARGIN: f64 = 40.0;

/// The shape of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellShape {
    /// A hexagon that stands on a corner.
    Hexagon,
    /// A square.
    Square,
}

/// The order in which the cells of a drawing are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NamingOrder {
    /// `c4` is the fourth cell of row `c`.
    Hexagonal,
    /// `c4` lies on file `c` and rank 4.
    Checkered,
    /// Squares are numbered along a track whose rows run to and fro: a row's label is its first number
    /// on the left, its last on the right.
    Track,
}

/// A cell on the paper.
#[derive(Clone, Debug)]
pub(super) struct DrawnCell {
    /// Its centre.
    pub(super) at: Point,
    /// Its name in moves.
    pub(super) name: String,
    /// Its content, as a terminal shows it: `.`, `w`, `r3`.
    pub(super) piece: String,
}

/// The path of a piece.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Arrow {
    /// The cell of the piece.
    pub(super) from: String,
    /// The end of the arrow.
    pub(super) to: ArrowEnd,
}

/// Where a piece goes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ArrowEnd {
    /// To the cell with this name.
    Cell(String),
    /// Off the board.
    Off,
}

/// The cells of a drawing on paper.
#[derive(Debug)]
pub(super) struct BoardDrawing {
    layout: NamingOrder,
    cells: Vec<DrawnCell>,
    labels: Vec<(Point, String)>,
    size: Point,
}

impl BoardDrawing {
    /// The board that a drawing shows.
    pub(super) fn of(drawing: &Drawing) -> Self {
        let layout = layout(drawing);
        let rows: Vec<&DrawnRow> = drawing.rows.iter().filter(|row| !row.label.is_empty()).collect();
        let step = if layout == NamingOrder::Hexagonal { HEX_ROW } else { PITCH };
        let mut board = Self { layout, cells: Vec::new(), labels: Vec::new(), size: (0.0, 0.0) };
        let mut right = 0.0_f64;
        for (row, place) in rows.iter().zip(0_u8..) {
            let first = MARGIN + PITCH / 2.0 + f64::from(row.indent) * PITCH / 2.0;
            let y = MARGIN / 2.0 + PITCH / 2.0 + f64::from(place) * step;
            if layout != NamingOrder::Track {
                board.labels.push(((first - PITCH * 0.8, y), row.label.clone()));
            }
            for (piece, column) in row.cells.iter().zip(0_u8..) {
                let at = (first + f64::from(column) * PITCH, y);
                right = right.max(at.0);
                let name = name(layout, row, column);
                board.cells.push(DrawnCell { at, name, piece: piece.clone() });
            }
        }
        let bottom = board.cells.last().map_or(0.0, |cell| cell.at.1);
        if layout == NamingOrder::Checkered {
            let below = bottom + PITCH * 0.8;
            let files = drawing.rows.iter().filter(|row| row.label.is_empty()).flat_map(|row| &row.cells);
            let across = |(file, column): (&String, u8)| {
                ((MARGIN + PITCH / 2.0 + f64::from(column) * PITCH, below), file.clone())
            };
            board.labels.extend(files.zip(0_u8..).map(across));
        }
        board.size = (right + PITCH / 2.0 + MARGIN, bottom + PITCH / 2.0 + MARGIN);
        board
    }

    /// Width and height.
    pub(super) const fn size(&self) -> Point {
        self.size
    }

    /// The shape of the cells.
    pub(super) const fn shape(&self) -> CellShape {
        match self.layout {
            NamingOrder::Hexagonal => CellShape::Hexagon,
            NamingOrder::Checkered | NamingOrder::Track => CellShape::Square,
        }
    }

    /// Every cell, from the top left.
    pub(super) fn cells(&self) -> &[DrawnCell] {
        &self.cells
    }

    /// The labels next to the board.
    pub(super) fn labels(&self) -> &[(Point, String)] {
        &self.labels
    }

    /// The centre of the cell with this name.
    pub(super) fn centre(&self, name: &str) -> Option<Point> {
        self.cells.iter().find(|cell| cell.name == name).map(|cell| cell.at)
    }

    /// Where an arrow ends: on a cell, or next to the board if the piece leaves it.
    pub(super) fn destination(&self, arrow: &Arrow) -> Option<Point> {
        let (width, height) = self.size;
        match (&arrow.to, self.layout) {
            (ArrowEnd::Cell(name), _) => self.centre(name),
            (ArrowEnd::Off, NamingOrder::Track) => Some((width - MARGIN / 4.0, self.cells.last()?.at.1)),
            (ArrowEnd::Off, _) => {
                let (x, _) = self.centre(&arrow.from)?;
                // Red moves up the ranks, the other side down.
                let up = self.cells.iter().any(|cell| cell.name == arrow.from && cell.piece.starts_with('r'));
                Some((x, if up { 6.0 } else { height - 6.0 }))
            }
        }
    }
}

fn layout(drawing: &Drawing) -> NamingOrder {
    match drawing.rows.first() {
        Some(row) if row.label.contains('-') => NamingOrder::Track,
        Some(row) if row.label.starts_with(|letter: char| letter.is_ascii_digit()) => NamingOrder::Checkered,
        _ => NamingOrder::Hexagonal,
    }
}

/// The name of a cell in moves; columns count from 0.
fn name(layout: NamingOrder, row: &DrawnRow, column: u8) -> String {
    match layout {
        NamingOrder::Hexagonal => format!("{}{}", row.label, column + 1),
        NamingOrder::Checkered => format!("{}{}", char::from(b'a' + column), row.label),
        NamingOrder::Track => {
            let mut ends = row.label.split('-').filter_map(|end| end.parse::<u8>().ok());
            match (ends.next(), ends.next()) {
                (Some(left), Some(right)) if left > right => (left - column).to_string(),
                (Some(left), _) => (left + column).to_string(),
                _ => String::new(),
            }
        }
    }
}
