//! Standard output: one JSON document, or text for people, and nothing else.

use std::io::Write as _;

use serde::Serialize;

/// Where answers go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Text,
    Json,
}

impl Output {
    /// * `json`: the `--json` flag.
    pub(crate) const fn new(json: bool) -> Self {
        Self { format: if json { Format::Json } else { Format::Text } }
    }

    /// Prints one answer: as JSON, or as what `text` makes of it.
    pub(crate) fn answer<T: Serialize>(
        self,
        answer: &T,
        text: impl FnOnce(&T) -> String,
    ) -> anyhow::Result<()> {
        match self.format {
            Format::Json => json_line(answer),
            Format::Text => {
                let mut out = anstream::stdout().lock();
                writeln!(out, "{}", text(answer).trim_end())?;
                Ok(())
            }
        }
    }
}

/// Prints a JSON document on a line of its own.
pub(crate) fn json_line<T: Serialize>(answer: &T) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, answer)?;
    writeln!(out)?;
    out.flush()?;
    Ok(())
}

/// Columns of text under a head.
pub(crate) fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(head.iter().map(ToString::to_string).collect::<Vec<_>>());
    for row in rows {
        table.add_row(row);
    }
    let text = table.to_string();
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}
