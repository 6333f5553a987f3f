//! Random positions and set-ups, the same in every run.

/// Cells of the rows of side 3, from the top.
const ROWS: [usize; 5] = [3, 4, 5, 4, 3];
const CELLS: u64 = 19;
/// The cells on the edge.
const EDGE: [usize; 12] = [0, 1, 2, 3, 6, 7, 11, 12, 15, 16, 17, 18];
/// The other cells.
const INNER: [usize; 7] = [4, 5, 8, 9, 10, 13, 14];

/// A xorshift generator.
pub struct Chance(u64);

impl Chance {
    /// A generator that depends on the seed.
    pub fn seeded(seed: u64) -> Self {
        Self(0x9e37_79b9_7f4a_7c15 ^ seed.wrapping_mul(0xbf58_476d_1ce4_e5b9))
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    /// A position of Squish of side 3 with two to five pieces per side.
    pub fn position(&mut self) -> String {
        let mut cells = ['.'; CELLS as usize];
        for piece in ['w', 'b'] {
            for _ in 0..2 + self.below(4) {
                cells[self.below(CELLS) as usize] = piece;
            }
        }
        format!("{} {}", text(&cells), if self.below(2) == 0 { 'w' } else { 'b' })
    }

    /// A board of Swish of side 3 with two rooks each on the edge and one to four beads inside.
    pub fn board(&mut self) -> String {
        let mut cells = ['.'; CELLS as usize];
        for rook in ['w', 'w', 'b', 'b'] {
            let free: Vec<usize> = EDGE.into_iter().filter(|&cell| cells[cell] == '.').collect();
            cells[free[self.below(free.len() as u64) as usize]] = rook;
        }
        for _ in 0..1 + self.below(4) {
            cells[INNER[self.below(INNER.len() as u64) as usize]] = 'o';
        }
        text(&cells)
    }
}

/// The rows, with gaps as numbers.
fn text(cells: &[char]) -> String {
    let (mut rows, mut from) = (Vec::new(), 0);
    for row in ROWS {
        rows.push(row_text(&cells[from..from + row]));
        from += row;
    }
    rows.join("/")
}

fn row_text(cells: &[char]) -> String {
    let mut text = String::new();
    for part in cells.chunk_by(|a, b| a == b) {
        match part[0] {
            '.' => text += &part.len().to_string(),
            _ => text.extend(part),
        }
    }
    text
}
