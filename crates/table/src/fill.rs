//! Cells that are never read.

use crate::header::Width;

/// The number of slots that are filled together. The filling of a cell depends only on cells of its unit, so units
/// can be filled in parallel and the result depends on neither codec nor block size.
pub const FILL_UNIT: u64 = 4096;

/// Replaces every marked cell by the last unmarked cell before it in its unit, or at the start of a unit by the first
/// unmarked one. In a unit of marks only, the cells become 0.
///
/// * `cells`: whole units, except for the last of the layer.
pub(crate) fn repeat_neighbours(cells: &mut [u8], width: Width, mark: u32) {
    for unit in cells.chunks_mut(FILL_UNIT as usize * width.bytes()) {
        match width {
            Width::One => repeat_bytes(unit, mark),
            Width::Two | Width::Four => repeat_wide(unit, width, mark),
        }
    }
}

fn repeat_bytes(unit: &mut [u8], mark: u32) {
    let Ok(mark) = u8::try_from(mark) else { return };
    let mut last = unit.iter().copied().find(|&cell| cell != mark).unwrap_or(0);
    for cell in unit {
        if *cell == mark {
            *cell = last;
        } else {
            last = *cell;
        }
    }
}

fn repeat_wide(unit: &mut [u8], width: Width, mark: u32) {
    let bytes = width.bytes();
    let first = unit.chunks_exact(bytes).map(|cell| width.get(cell)).find(|&cell| cell != mark);
    let mut last = first.unwrap_or(0);
    for cell in unit.chunks_exact_mut(bytes) {
        let found = width.get(cell);
        if found == mark {
            width.put(last, cell);
        } else {
            last = found;
        }
    }
}

/// Replaces every marked cell by `constant`.
pub(crate) fn replace(cells: &mut [u8], width: Width, mark: u32, constant: u32) {
    for cell in cells.chunks_exact_mut(width.bytes()) {
        if width.get(cell) == mark {
            width.put(constant, cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNUSED: u8 = 255;

    #[test]
    fn a_hole_repeats_the_cell_before_it_and_the_first_cell_of_a_unit_fills_what_precedes_it() {
        let mut cells = vec![UNUSED, UNUSED, 4, UNUSED, 5, 6, UNUSED, UNUSED];
        repeat_neighbours(&mut cells, Width::One, u32::from(UNUSED));
        assert_eq!(cells, [4, 4, 4, 4, 5, 6, 6, 6]);
    }

    #[test]
    fn units_do_not_see_each_other() {
        let unit = FILL_UNIT as usize;
        let mut cells = vec![UNUSED; 2 * unit];
        cells[unit - 1] = 7;
        repeat_neighbours(&mut cells, Width::One, u32::from(UNUSED));
        assert_eq!(cells[..unit], vec![7; unit]);
        assert_eq!(
            cells[unit..],
            vec![0; unit],
            "a unit of unused indices is zeros, not its neighbour's last cell"
        );
    }

    #[test]
    fn wide_cells_are_filled_by_the_same_rule() {
        let unused = [9u16, 3, 9, 9, 800, 9];
        let mut cells: Vec<u8> = unused.iter().flat_map(|cell| cell.to_le_bytes()).collect();
        repeat_neighbours(&mut cells, Width::Two, 9);
        let expected: Vec<u8> =
            [3u16, 3, 3, 3, 800, 800].iter().flat_map(|cell| cell.to_le_bytes()).collect();
        assert_eq!(cells, expected);
    }
}
