//! Positions that the service has in its tables: chance placements of two to five pieces a side.

use std::collections::HashSet;
use std::io::{Error, Result};
use std::net::SocketAddr;
use std::time::Duration;

use crate::connection::{Connection, post_request};

/// Cells of the rows of side 3, from the top.
const ROWS: [usize; 5] = [3, 4, 5, 4, 3];
const CELLS: u64 = 19;

/// So many positions that are different, not over, and answered by a table.
pub fn collect(address: SocketAddr, most: usize) -> Result<Vec<String>> {
    let mut connection = Connection::open(address)?;
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    // Some placements are over; the bound is for a service without tables.
    for _ in 0..4 * most / 500 {
        let batch: Vec<String> =
            (0..500).map(|_| chance.position()).filter(|text| seen.insert(text.clone())).collect();
        connection.send(&post_request(&batch, false))?;
        while connection.poll()?.is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        for answer in connection.body().split("{\"game\":").skip(1) {
            let position = answer.split("\"position\":\"").nth(1).and_then(|rest| rest.split('"').next());
            let Some(position) = position else { continue };
            if answer.contains("\"over\":null") && answer.contains("\"proof\":\"table\"") {
                found.push(position.to_owned());
            }
        }
        if found.len() >= most {
            break;
        }
    }
    found.truncate(most);
    if found.len() < 2000 {
        return Err(Error::other(
            "fewer than 2000 positions in tables; start the service with the starter set",
        ));
    }
    Ok(found)
}

/// A xorshift generator, the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn position(&mut self) -> String {
        let mut cells = ['.'; CELLS as usize];
        for piece in ['w', 'b'] {
            for _ in 0..2 + self.below(4) {
                cells[self.below(CELLS) as usize] = piece;
            }
        }
        let (mut rows, mut from) = (Vec::new(), 0);
        for row in ROWS {
            rows.push(row_text(&cells[from..from + row]));
            from += row;
        }
        format!("{} {}", rows.join("/"), if self.below(2) == 0 { 'w' } else { 'b' })
    }
}

/// A row with its gaps as numbers.
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
