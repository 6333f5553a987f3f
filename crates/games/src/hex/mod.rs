//! The hexagonal board of side 2 to 5: geometry as `const` tables, its twelve symmetries, its text.
//!
//! Cells are numbered row by row from the bottom (`a1` is cell 0), so along the directions right,
//! up-left and up-right the numbers rise and along the others they fall.
//!
//! Source: "Board" in the rules of the four games on hexagons, such as `unification/squish/rules.md`.

mod geometry;
mod text;

use marquis_rank::Group;

pub use geometry::{Direction, Hex, SYMMETRIES, Side, Symmetry};
pub use text::{HexRows, parse_rows, write_rows};

impl Hex {
    /// The twelve symmetries as permutations of the cells; element `e` is [`Symmetry`]`(e)`.
    #[must_use]
    pub fn symmetries(&self) -> Group {
        Group::new(Symmetry::all().map(|s| self.all().map(|cell| self.image(s, cell)).collect()).collect())
    }
}
