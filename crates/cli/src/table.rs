//! Aligned columns of text.

use clap::builder::styling::Style;

use crate::words::painted;

/// On which side the texts of a column line up.
#[derive(Clone, Copy, Debug)]
enum Align {
    Left,
    Right,
}

/// A table in the making: a heading for each column, then rows.
#[derive(Debug)]
pub(crate) struct TextTable {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<(String, Style)>>,
}

impl TextTable {
    /// A table without rows.
    ///
    /// * `headings`: one for each column; those that begin with `>` are lined up on the right.
    pub(crate) fn new(headings: &[&'static str]) -> Self {
        let column = |heading: &&'static str| match heading.strip_prefix('>') {
            Some(heading) => (heading, Align::Right),
            None => (*heading, Align::Left),
        };
        Self { columns: headings.iter().map(column).collect(), rows: Vec::new() }
    }

    /// Adds a row without colours.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.styled(cells.into_iter().map(|cell| (cell, Style::new())));
    }

    /// Adds a row, each cell in its style; missing cells are empty.
    pub(crate) fn styled(&mut self, cells: impl IntoIterator<Item = (String, Style)>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The table, a line a row, each ended by a line feed.
    pub(crate) fn render(&self) -> String {
        let heading = Style::new().bold();
        let headings = self.columns.iter().map(|(text, _)| ((*text).to_owned(), heading)).collect();
        let widths: Vec<usize> = (0..self.columns.len()).map(|column| self.width(column)).collect();
        let lines = std::iter::once(&headings).chain(&self.rows);
        lines.map(|cells: &Vec<_>| self.line(cells, &widths)).collect()
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column)).map(|(text, _)| text.as_str());
        cells.chain([self.columns[column].0]).map(|text| text.chars().count()).max().unwrap_or(0)
    }

    fn line(&self, cells: &[(String, Style)], widths: &[usize]) -> String {
        let mut line = String::new();
        let mut owed = 0;
        for (((text, style), (_, align)), width) in cells.iter().zip(&self.columns).zip(widths) {
            let padding = width - text.chars().count();
            let (before, after) = match align {
                Align::Left => (0, padding),
                Align::Right => (padding, 0),
            };
            // Spaces are owed until a text follows, so that no line ends with any.
            owed += before;
            if !text.is_empty() {
                line.push_str(&" ".repeat(owed));
                line.push_str(&painted(text, *style));
                owed = 0;
            }
            owed += after + 2;
        }
        line + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_line_up_on_the_right_and_no_line_ends_with_spaces() {
        let mut table = TextTable::new(&["move", ">plies", "note"]);
        table.row(["c1-c2".to_owned(), "5".to_owned(), String::new()]);
        table.row(["pass".to_owned(), "123456".to_owned(), "slow".to_owned()]);
        let plain = anstream::adapter::strip_str(&table.render()).to_string();
        assert_eq!(plain, "move    plies  note\nc1-c2       5\npass   123456  slow\n");
    }
}
