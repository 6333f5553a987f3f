//! `marquis show`

use marquis_engine::reports::{Drawing, DrawnRow};

use crate::arguments::Asked;
use crate::exit::Exit;
use crate::output::Output;

pub(crate) fn run(asked: &Asked, output: Output) -> anyhow::Result<Exit> {
    output.answer(&marquis_engine::show(&asked.query())?, draw)?;
    Ok(Exit::Answered)
}

fn draw(drawing: &Drawing) -> String {
    let label = drawing.rows.iter().map(|row| row.label.len()).max().unwrap_or(0);
    let cell = drawing.rows.iter().flat_map(|row| &row.cells).map(String::len).max().unwrap_or(1);
    let rows = drawing.rows.iter().map(|row| draw_row(row, label, cell));
    rows.chain(drawing.notes.iter().cloned()).collect::<Vec<_>>().join("\n")
}

fn draw_row(row: &DrawnRow, label: usize, cell: usize) -> String {
    let cells: Vec<String> = row.cells.iter().map(|text| paint(&format!("{text:<cell$}"))).collect();
    format!("{:>label$} {}{}", row.label, " ".repeat(usize::from(row.indent)), cells.join(" "))
}

/// Bold for the first letter that is a piece, dim for an empty cell; the text stays readable without.
fn paint(text: &str) -> String {
    match text.chars().next() {
        Some('w') => format!("\u{1b}[1;36m{text}\u{1b}[0m"),
        Some('b' | 'r') => format!("\u{1b}[1;31m{text}\u{1b}[0m"),
        Some('o') => format!("\u{1b}[33m{text}\u{1b}[0m"),
        Some('.') => format!("\u{1b}[2m{text}\u{1b}[0m"),
        _ => text.to_owned(),
    }
}
