//! The program itself, with one command for many positions.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::asked::Asked;
use super::case::{Budget, Case};
use crate::reference::Immobile;

/// The program, and its working folder.
#[derive(Clone, Debug)]
pub struct Program {
    /// The executable.
    pub file: PathBuf,
    /// An empty folder, so that no tables are found by accident.
    pub folder: PathBuf,
}

impl Program {
    /// The documents of a command for these positions of one game, in their order.
    ///
    /// * `command`: `solve` or `probe`.
    /// * `tables`: the folder of tables, if there is one.
    ///
    /// Panics if the program cannot be started.
    #[must_use]
    pub fn ask(&self, command: &str, cases: &[Case], budget: Budget, tables: Option<&Path>) -> Vec<Asked> {
        let Some(first) = cases.first() else { return Vec::new() };
        let mut words: Vec<OsString> = [command, first.game, "-", "--json"].map(OsString::from).into();
        if first.immobile == Immobile::Pass {
            words.extend(["--immobile", "pass"].map(OsString::from));
        }
        match budget {
            Budget::Lookup => {}
            Budget::Nodes(nodes) => {
                words.extend(["--nodes", &nodes.to_string(), "--threads", "1"].map(OsString::from));
            }
            Budget::Time(ms) => {
                words.extend(
                    ["--seconds", &(ms as f64 / 1000.0).to_string(), "--threads", "1"].map(OsString::from),
                );
            }
        }
        if let Some(tables) = tables {
            words.extend([OsString::from("--tables"), tables.into()]);
        }
        let positions: String = cases.iter().map(|case| format!("{}\n", case.position)).collect();
        let out = self.run(&words, &positions);
        let mut documents: Vec<Asked> = out
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).map_err(|error| error.to_string()))
            .collect();
        for document in
            documents.iter_mut().filter(|document| matches!(document, Ok(json) if json["error"].is_string()))
        {
            *document = Err(document.as_ref().map(|json| json["error"].to_string()).unwrap_or_default());
        }
        documents.resize(cases.len(), Err("no document".to_owned()));
        documents
    }

    /// The standard output of the program for these arguments and this standard input.
    ///
    /// Panics if the program cannot be started.
    #[must_use]
    pub fn run(&self, words: &[OsString], input: &str) -> String {
        let mut command = Command::new(&self.file);
        command
            .args(words)
            .current_dir(&self.folder)
            .env_remove("MARQUIS_TABLES")
            .env_remove("MARQUIS_WEIGHTS");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", self.file.display()));
        let mut pipe = child.stdin.take().expect("piped");
        let input = input.to_owned();
        // Written on another thread: either pipe may be full.
        let writer = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
        let output = child.wait_with_output().expect("it was started");
        // A program that ends early has reported the reason in its documents.
        drop(writer.join());
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}
