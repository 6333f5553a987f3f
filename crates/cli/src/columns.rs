//! Aligned columns of text.

use clap::builder::styling::Style;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

use crate::value_texts::painted;

/// A table under construction: a heading for each column, then rows.
#[derive(Debug)]
pub(crate) struct TextTable(Table);

impl TextTable {
    /// A table without rows.
    ///
    /// * `headings`: one for each column; those that begin with `>` are aligned right.
    pub(crate) fn new(headings: &[&'static str]) -> Self {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        let bold = Style::new().bold();
        table.set_header(headings.iter().map(|heading| cell(heading.trim_start_matches('>'), bold)));
        for (column, heading) in table.column_iter_mut().zip(headings) {
            column.set_padding((0, 2));
            let right = heading.starts_with('>');
            column.set_cell_alignment(if right { CellAlignment::Right } else { CellAlignment::Left });
        }
        Self(table)
    }

    /// Adds a row without colours.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.styled(cells.into_iter().map(|cell| (cell, Style::new())));
    }

    /// Adds a row, each cell in its style; missing cells are empty.
    pub(crate) fn styled(&mut self, cells: impl IntoIterator<Item = (String, Style)>) {
        self.0.add_row(cells.into_iter().map(|(text, style)| cell(&text, style)));
    }

    /// The table, one line per row, each ended by a line feed and without trailing spaces.
    pub(crate) fn render(&self) -> String {
        self.0.trim_fmt() + "\n"
    }
}

fn cell(text: &str, style: Style) -> Cell {
    Cell::new(if text.is_empty() { String::new() } else { painted(text, style) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::builder::styling::AnsiColor;

    #[test]
    fn numbers_line_up_on_the_right_and_no_line_ends_with_spaces() {
        let mut table = TextTable::new(&["move", ">plies", "note"]);
        table.row(["c1-c2".to_owned(), "5".to_owned(), String::new()]);
        table.styled(["pass", "123456", "slow"].map(|text| (text.to_owned(), AnsiColor::Red.on_default())));
        let plain = anstream::adapter::strip_str(&table.render()).to_string();
        assert_eq!(plain, "move    plies  note\nc1-c2       5\npass   123456  slow\n");
    }

    #[test]
    fn letters_count_and_not_their_bytes_or_colours() {
        let mut table = TextTable::new(&["value", "move"]);
        table.styled([("−".to_owned(), AnsiColor::Red.on_default()), ("ab".to_owned(), Style::new())]);
        table.row(["won".to_owned()]);
        let plain = anstream::adapter::strip_str(&table.render()).to_string();
        assert_eq!(plain, "value  move\n−      ab\nwon\n");
    }
}
