//! `marquis inspect`

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use marquis_engine::inspect;
use marquis_engine::inspect::{Inspected, StreamHead};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::columns::TextTable;
use crate::exit::{CommandEnd, CommandFailure};
use crate::output::{self, Format};
use crate::value_texts::count;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis inspect tablebases/squish-s3/03v03.mqt
  marquis inspect bait.proof --json
  marquis inspect tablebases/MANIFEST.tsv
  marquis inspect training/squish-4/0.net
  marquis inspect game.txt
  marquis inspect state

Reads tables, proofs, checkpoints of builds (not the strips of Senet), networks, records of games, manifests, and the
folder of `serve --state`. Of a table it reads only the head; `verify` checks the rest. It checks the seal of a proof or
checkpoint, the checksum of a network, and the text of a record; `record check` also plays the moves.
Exit code 2 for any other file, 4 for a damaged one.")]
pub(crate) struct Inspect {
    /// A file, or the state folder of a service
    file: PathBuf,
}

/// The description of a file.
#[derive(Serialize)]
struct Document {
    file: String,
    #[serde(flatten)]
    said: Inspection,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Inspection {
    File(Inspected),
    State {
        kind: &'static str,
        #[serde(flatten)]
        summary: marquis_api::StateSummary,
    },
}

impl Inspect {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let file = self.file.display().to_string();
        let said = match state_folder(&self.file) {
            Some(folder) => state(folder)?,
            None if self.file.is_dir() => {
                return Err(CommandFailure::bad_input(format!(
                    "{file}: expected a file or the state folder of a service, found another folder; \
                     name a file in it, or check the tables in it with `marquis verify`"
                )));
            }
            None => Inspection::File(inspect::inspect(&self.file)?),
        };
        output::answer(&Document { file, said }, format, say)?;
        Ok(CommandEnd::Answered)
    }
}

/// The state folder that a path names, directly or by its file of jobs.
fn state_folder(path: &Path) -> Option<&Path> {
    if path.is_dir() {
        return path.join(marquis_api::JOBS_FILE).is_file().then_some(path);
    }
    let named = path.file_name().is_some_and(|name| name == marquis_api::JOBS_FILE);
    path.parent().filter(|_| named)
}

fn state(folder: &Path) -> Result<Inspection, CommandFailure> {
    let summary = marquis_api::inspect_state(folder).map_err(|error| {
        CommandFailure::failed(format!("{}: the state cannot be read: {error}", folder.display()))
    })?;
    Ok(Inspection::State { kind: "state", summary })
}

/// One line per field, and the streams as a table.
fn say(document: &Document) -> String {
    let fields = match serde_json::to_value(document) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let mut text = String::new();
    for (name, value) in &fields {
        line(&mut text, "", name, value);
    }
    if let Inspection::File(Inspected::Table(head)) = &document.said {
        text.push_str(&streams(&head.streams));
    }
    text
}

fn line(text: &mut String, indent: &str, name: &str, value: &Value) {
    let name = name.replace('_', " ");
    // Writing to a string cannot fail.
    let _ = match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                line(text, "  ", field, value);
            }
            Ok(())
        }
        Value::Array(items) if items.iter().all(Value::is_string) => {
            let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            writeln!(text, "{indent}{name:<12}  {}", items.join(", "))
        }
        Value::Array(_) => Ok(()),
        Value::Number(number) => {
            let number = number.as_u64().map_or_else(|| number.to_string(), count);
            writeln!(text, "{indent}{name:<12}  {number}")
        }
        Value::String(word) => writeln!(text, "{indent}{name:<12}  {word}"),
        other => writeln!(text, "{indent}{name:<12}  {other}"),
    };
}

fn streams(heads: &[StreamHead]) -> String {
    let mut table = TextTable::new(&["stream", ">bytes a cell", ">blocks", "codec", ">packed", "content"]);
    for head in heads {
        table.row([
            head.name.clone(),
            head.width.to_string(),
            count(head.blocks),
            head.codec.to_owned(),
            count(head.packed_bytes),
            head.hash.clone(),
        ]);
    }
    "\n".to_owned() + &table.render()
}
