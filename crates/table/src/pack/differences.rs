//! Numbers that are near their predecessors: differences, byte by byte in order of significance, and then Zstandard.

use std::io;

use super::{Malformed, zstd};
use crate::header::Width;

/// A block as a frame.
pub(super) fn compress(cells: &[u8], width: Width, level: i32) -> io::Result<Vec<u8>> {
    zstd::compress(&to_planes(cells, width), level)
}

/// Fills `out` with the cells of a frame.
pub(super) fn decompress(packed: &[u8], width: Width, out: &mut [u8]) -> Result<(), Malformed> {
    let mut planes = vec![0; out.len()];
    zstd::decompress(packed, &mut planes)?;
    of_planes(&planes, width, out);
    Ok(())
}

/// The differences of a block, the most significant bytes of all cells first.
///
/// The first cell counts from zero. A difference of at most half the range becomes the even number twice as large,
/// and a negative one the odd number below its double, so that small differences have leading zeros.
fn to_planes(cells: &[u8], width: Width) -> Vec<u8> {
    let bytes = width.bytes();
    let count = cells.len() / bytes;
    let mut planes = vec![0; cells.len()];
    let mut before = 0;
    for (place, cell) in cells.chunks_exact(bytes).map(|cell| width.get(cell)).enumerate() {
        let folded = fold(cell.wrapping_sub(before), width);
        before = cell;
        for (plane, byte) in folded.to_be_bytes()[4 - bytes..].iter().enumerate() {
            planes[plane * count + place] = *byte;
        }
    }
    planes
}

/// The cells of these differences; the inverse of [`to_planes`].
fn of_planes(planes: &[u8], width: Width, out: &mut [u8]) {
    let bytes = width.bytes();
    let count = out.len() / bytes;
    let mut before = 0_u32;
    for (place, cell) in out.chunks_exact_mut(bytes).enumerate() {
        let folded = (0..bytes).fold(0, |sum, plane| sum << 8 | u32::from(planes[plane * count + place]));
        before = before.wrapping_add(unfold(folded));
        width.put(before, cell);
    }
}

fn fold(difference: u32, width: Width) -> u32 {
    let beyond = 32 - 8 * width.bytes() as u32;
    let signed = (difference << beyond).cast_signed() >> beyond;
    (signed << 1 ^ signed >> 31).cast_unsigned() & width.largest()
}

fn unfold(folded: u32) -> u32 {
    folded >> 1 ^ (folded & 1).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_laid_out_as_the_description_says() {
        let cells: Vec<u8> = [1000_u16, 1003, 1001, 1001, 0].iter().flat_map(|c| c.to_le_bytes()).collect();
        // 1000, 3, -2, 0 and -1001, folded: 2000, 6, 3, 0, 2001.
        assert_eq!(to_planes(&cells, Width::Two), [7, 0, 0, 0, 7, 0xd0, 6, 3, 0, 0xd1]);
    }

    #[test]
    fn differences_go_round() {
        for (width, cells) in [
            (Width::One, vec![255, 0, 128, 127, 1]),
            (Width::Two, vec![0xff, 0xff, 0, 0, 0, 0x80, 0xff, 0x7f]),
            (Width::Four, vec![0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0xff, 0xff, 0x7f]),
        ] {
            let mut out = vec![0; cells.len()];
            of_planes(&to_planes(&cells, width), width, &mut out);
            assert_eq!(out, cells);
        }
    }
}
