//! `marquis show`

use std::fmt::Write as _;

use clap::Args;
use clap::builder::styling::{AnsiColor, Style};
use marquis_engine::reports::{Drawing, DrawnRow};
use serde::Serialize;

use crate::arguments::PositionArgs;
use crate::exit::{Ending, Failure};
use crate::games::registry;
use crate::output::Format;
use crate::positions::answer_each;
use crate::words::painted;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis show squish start:3
  marquis show swish \"w1w/4/1ooo1/4/b1b w 0-0 2\"
  marquis show squinch start --play \"a3-a4 a6-a5\"")]
pub(crate) struct Show {
    #[command(flatten)]
    position: PositionArgs,
}

#[derive(Serialize)]
struct Shown {
    game: &'static str,
    position: String,
    #[serde(flatten)]
    drawing: Drawing,
}

impl Show {
    pub(super) fn run(self, format: Format) -> Result<Ending, Failure> {
        let ask = |position: &str| {
            let posed = registry().pose(&self.position.query(position)?)?;
            let shown = Shown { game: posed.game().name(), position: posed.text(), drawing: posed.draw() };
            Ok((shown, Ending::Answered))
        };
        answer_each(&self.position.position, format, ask, say)
    }
}

fn say(shown: &Shown) -> String {
    let rows = &shown.drawing.rows;
    let widest = |texts: &mut dyn Iterator<Item = &String>| texts.map(String::len).max().unwrap_or(0);
    let label = widest(&mut rows.iter().map(|row| &row.label));
    let cell = widest(&mut rows.iter().flat_map(|row| &row.cells));
    // An even pitch, so that half a cell is a whole number of columns.
    let pitch = (cell + 1).next_multiple_of(2);
    let mut text = String::new();
    for row in rows {
        text.push_str(&draw(row, label, pitch));
    }
    for note in &shown.drawing.notes {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{note}");
    }
    text + &shown.position + "\n"
}

fn draw(row: &DrawnRow, label: usize, pitch: usize) -> String {
    let faint = Style::new().dimmed();
    let name = format!("{:>label$}  ", row.label);
    let indent = " ".repeat(usize::from(row.indent) * pitch / 2);
    let mut line = painted(&name, faint) + &indent;
    let last = row.cells.len().saturating_sub(1);
    for (number, cell) in row.cells.iter().enumerate() {
        // The names of files below a board are no pieces.
        let style = if row.label.is_empty() { faint } else { piece(cell) };
        line.push_str(&painted(cell, style));
        if number < last {
            line.push_str(&" ".repeat(pitch - cell.len()));
        }
    }
    line + "\n"
}

fn piece(cell: &str) -> Style {
    match cell.as_bytes().first() {
        Some(b'w') => Style::new().bold(),
        Some(b'b') => AnsiColor::Blue.on_default().bold(),
        Some(b'r') => AnsiColor::Red.on_default().bold(),
        Some(b'o') => AnsiColor::Yellow.on_default(),
        _ => Style::new().dimmed(),
    }
}
