//! `marquis show`

use std::fmt::Write as _;

use clap::Args;
use clap::builder::styling::{AnsiColor, Style};
use marquis_engine::Posed;
use marquis_wire::reports::{Drawing, DrawnRow};
use serde::Serialize;

use crate::arguments::PositionArgs;
use crate::drawing::{self, Arrows};
use crate::exit::{CommandEnd, CommandFailure};
use crate::games::registry;
use crate::output::Format;
use crate::positions::answer_each;
use crate::value_texts::painted;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis show squish start:3
  marquis show swish \"w1w/4/1ooo1/4/b1b w 0-0 2\"
  marquis show squinch start --play \"a3-a4 a6-a5\"
  marquis show squish start:4 --svg --arrows c4-c3,c1xc2 > squish.svg")]
pub(crate) struct Show {
    #[command(flatten)]
    position: PositionArgs,
    /// Draw the board as SVG
    #[arg(long)]
    svg: bool,
    /// With --svg: these legal moves as arrows, or `all`
    #[arg(long, value_name = "MOVES", requires = "svg")]
    arrows: Option<String>,
}

#[derive(Serialize)]
struct Shown {
    game: &'static str,
    position: String,
    #[serde(flatten)]
    drawing: Drawing,
    #[serde(skip_serializing_if = "Option::is_none")]
    svg: Option<String>,
}

impl Show {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let ask = |position: &str| {
            let posed = registry().pose(&self.position.query(position)?)?;
            let drawing = posed.draw();
            let svg = self.svg.then(|| self.draw_svg(&posed, &drawing)).transpose()?;
            let shown = Shown { game: posed.game().name(), position: posed.text(), drawing, svg };
            Ok((shown, CommandEnd::Answered))
        };
        answer_each(&self.position.position, format, ask, say)
    }

    /// The board of the position, drawn in letters.
    pub(super) fn letters(&self) -> Result<String, CommandFailure> {
        Ok(board(&registry().pose(&self.position.query(&self.position.position)?)?.draw()))
    }

    fn draw_svg(&self, posed: &Posed, drawing: &Drawing) -> Result<String, CommandFailure> {
        let arrows = self.arrows.as_deref().map(|wanted| Arrows::of(posed, drawing, wanted)).transpose()?;
        let title = format!("{}: {}", posed.game(), posed.text());
        Ok(drawing::svg(&title, drawing, &arrows.unwrap_or_default()))
    }
}

fn say(shown: &Shown) -> String {
    shown.svg.clone().unwrap_or_else(|| board(&shown.drawing) + &shown.position + "\n")
}

/// The board and its notes for a terminal.
pub(super) fn board(drawing: &Drawing) -> String {
    let rows = &drawing.rows;
    let widest = |texts: &mut dyn Iterator<Item = &String>| texts.map(String::len).max().unwrap_or(0);
    let label = widest(&mut rows.iter().map(|row| &row.label));
    let cell = widest(&mut rows.iter().flat_map(|row| &row.cells));
    // An even pitch, so that half a cell is a whole number of columns.
    let pitch = (cell + 1).next_multiple_of(2);
    let mut text = String::new();
    for row in rows {
        text.push_str(&draw(row, label, pitch));
    }
    for note in &drawing.notes {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{note}");
    }
    text
}

fn draw(row: &DrawnRow, label: usize, pitch: usize) -> String {
    let faint = Style::new().dimmed();
    let name = format!("{:>label$}  ", row.label);
    let indent = " ".repeat(usize::from(row.indent) * pitch / 2);
    let mut line = painted(&name, faint) + &indent;
    let last = row.cells.len().saturating_sub(1);
    for (number, cell) in row.cells.iter().enumerate() {
        // The names of files below a board are not pieces.
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
