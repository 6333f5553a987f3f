//! The hexagonal board of side 2 to 5: geometry as `const` tables, its twelve symmetries, its text.
//!
//! Cells are numbered row by row from the bottom (`a1` is cell 0), so along the directions right,
//! up-left and up-right the numbers rise and along the others they fall.
//!
//! Source: "Board" in the rules of the four games on hexagons, such as `unification/squish/rules.md`.

mod geometry;
mod text;

use std::sync::OnceLock;

use marquis_core::Cells;
use marquis_rank::Group;

pub use geometry::{Direction, Hex, SYMMETRIES, Side, Symmetry};
pub use text::{HexRows, parse_rows, write_rows};

impl Hex {
    /// The twelve symmetries as permutations of the cells; element `e` is [`Symmetry`]`(e)`.
    #[must_use]
    pub fn symmetries(&self) -> &'static Group {
        static BY_SIDE: [OnceLock<Group>; Side::MAX.get() as usize + 1] =
            [const { OnceLock::new() }; Side::MAX.get() as usize + 1];
        let image = |symmetry| self.all().map(|cell| self.image(symmetry, cell)).collect();
        BY_SIDE[usize::from(self.side().get())]
            .get_or_init(|| Group::new(Symmetry::all().map(image).collect()))
    }

    /// The smallest of the images of sets under the symmetries, compared set by set.
    #[must_use]
    pub fn smallest_image<const N: usize>(&self, sets: [Cells; N]) -> [Cells; N] {
        // The symmetries with the smallest images so far; mostly one is left after the first set.
        let mut left = (1_u16 << SYMMETRIES) - 1;
        sets.map(|cells| {
            let (mut smallest, mut all) = (Cells(u64::MAX), std::mem::take(&mut left));
            while all != 0 {
                let image = self.image_of(Symmetry(all.trailing_zeros() as u8), cells);
                if image < smallest {
                    (smallest, left) = (image, 0);
                }
                if image == smallest {
                    left |= all & all.wrapping_neg();
                }
                all &= all - 1;
            }
            smallest
        })
    }
}
