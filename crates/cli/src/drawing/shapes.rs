//! The shapes that a diagram is made of.

use svg::node::element::{Circle, Line, Polygon, Rectangle, Text, Title};
use svg::{Document, Node as _};

use super::board::{CellShape, DrawnCell, Point};

/// The distance from the centre of a hexagon to its corners, and half the side of a square.
const CORNER: f64 = 26.56;
const HALF: f64 = 23.0;
/// The radius of a piece, and of a bead.
const PIECE: f64 = 17.0;
const BEAD: f64 = 11.0;
/// Arrows stop this far from the centre of a cell; below, the length of their heads.
const SHORT: f64 = 5.0;
const HEAD: f64 = 11.0;

const BOARD: &str = "#f1e6cf";
const LINE: &str = "#9a8a6a";
const FAINT: &str = "#8a7c60";
const ARROW: &str = "#1f6fb2";
const TAKEN: &str = "#c2261c";

/// A diagram under construction.
#[derive(Debug)]
pub(super) struct Canvas(Document);

impl Canvas {
    /// An empty white canvas.
    pub(super) fn new((width, height): Point, title: &str) -> Self {
        let (width, height) = (width.round(), height.round());
        let paper = Rectangle::new().set("width", width).set("height", height).set("fill", "white");
        let document = Document::new()
            .set("viewBox", (0, 0, width, height))
            .set("width", width)
            .set("height", height)
            .set("role", "img")
            .set("font-family", "sans-serif")
            .add(Title::new(title))
            .add(paper);
        Self(document)
    }

    /// The document as text, ended by a line feed.
    pub(super) fn text(self) -> String {
        format!("{}\n", self.0)
    }

    /// A cell without its piece.
    pub(super) fn cell(&mut self, cell: &DrawnCell, shape: CellShape) {
        let outline = match shape {
            CellShape::Square => square(cell.at),
            CellShape::Hexagon => hexagon(cell.at),
        };
        self.add(outline.set("fill", BOARD).set("stroke", LINE));
        let (x, y) = cell.at;
        let name = words((x, y + HALF - 4.0), &cell.name).set("font-size", 8).set("fill", FAINT);
        self.add(if shape == CellShape::Hexagon { name.set("y", number(y + 3.0)) } else { name });
    }

    /// The content of a cell, if there is any.
    pub(super) fn piece(&mut self, cell: &DrawnCell) {
        let mut letters = cell.piece.chars();
        let (fill, ink, radius) = match letters.next() {
            Some('w') => ("#ffffff", "#222222", PIECE),
            Some('b') => ("#222222", "#ffffff", PIECE),
            Some('r') => ("#c8372d", "#ffffff", PIECE),
            Some('o') => ("#d9a520", "#222222", BEAD),
            Some(letter) if letter.is_alphabetic() => ("#8a8f98", "#ffffff", PIECE),
            _ => return,
        };
        let (x, y) = cell.at;
        let disc = Circle::new().set("cx", number(x)).set("cy", number(y)).set("r", radius);
        self.add(disc.set("fill", fill).set("stroke", "#222222"));
        let height = letters.as_str();
        let (said, size) = if height.is_empty() || height == "1" { (&*cell.name, 9) } else { (height, 16) };
        let lower = if size == 9 { 3.0 } else { 5.5 };
        self.add(words((x, y + lower), said).set("font-size", size).set("fill", ink));
    }

    /// A label next to the board.
    pub(super) fn label(&mut self, (x, y): Point, label: &str) {
        self.add(words((x, y + 4.5), label).set("font-size", 13).set("fill", FAINT));
    }

    /// The mark of a piece that is taken.
    pub(super) fn cross(&mut self, (x, y): Point) {
        let arm = BEAD;
        for (dx, dy) in [(arm, arm), (arm, -arm)] {
            self.add(stroke((x - dx, y - dy), (x + dx, y + dy), TAKEN));
        }
    }

    /// An arrow between the centres of two cells.
    pub(super) fn arrow(&mut self, from: Point, to: Point) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let along = |start: Point, way: f64, aside: f64| {
            (start.0 + ux * way - uy * aside, start.1 + uy * way + ux * aside)
        };
        let tip = along(to, -SHORT, 0.0);
        let neck = along(tip, -HEAD, 0.0);
        self.add(stroke(along(from, PIECE, 0.0), neck, ARROW));
        let corners = [tip, along(neck, 0.0, HEAD / 2.0), along(neck, 0.0, -HEAD / 2.0)];
        self.add(Polygon::new().set("points", points(&corners)).set("fill", ARROW));
    }

    fn add(&mut self, node: impl Into<Box<dyn svg::Node>>) {
        self.0.append(node);
    }
}

fn square((x, y): Point) -> Polygon {
    let corners = [(-HALF, -HALF), (HALF, -HALF), (HALF, HALF), (-HALF, HALF)];
    Polygon::new().set("points", points(&corners.map(|(dx, dy)| (x + dx, y + dy))))
}

fn hexagon((x, y): Point) -> Polygon {
    let (half, tip) = (HALF, CORNER);
    let corners = [
        (0.0, -tip),
        (half, -tip / 2.0),
        (half, tip / 2.0),
        (0.0, tip),
        (-half, tip / 2.0),
        (-half, -tip / 2.0),
    ];
    Polygon::new().set("points", points(&corners.map(|(dx, dy)| (x + dx, y + dy))))
}

fn stroke(from: Point, to: Point, colour: &str) -> Line {
    let ends = Line::new().set("x1", number(from.0)).set("y1", number(from.1));
    let ends = ends.set("x2", number(to.0)).set("y2", number(to.1));
    ends.set("stroke", colour).set("stroke-width", 3).set("stroke-linecap", "round")
}

fn words((x, y): Point, what: &str) -> Text {
    Text::new(what).set("x", number(x)).set("y", number(y)).set("text-anchor", "middle")
}

fn points(corners: &[Point]) -> String {
    let corners: Vec<String> = corners.iter().map(|&(x, y)| format!("{},{}", number(x), number(y))).collect();
    corners.join(" ")
}

/// A length with one decimal, so that the text of a drawing is the same on every machine.
fn number(length: f64) -> String {
    format!("{length:.1}")
}
