//! The binary as a user starts it, in a separate folder.
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;
use tempfile::TempDir;

/// An empty folder in which commands run, so that they find no tables by accident.
pub(crate) struct Place(TempDir);

impl Place {
    /// A new empty folder.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder for temporary files"))
    }

    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The command with these arguments, not yet started.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = cargo_bin_cmd!("marquis");
        command
            .current_dir(self.path())
            .env_remove("MARQUIS_TABLES")
            .env_remove("MARQUIS_WEIGHTS")
            .env_remove("RUST_LOG")
            .args(arguments);
        command
    }

    /// The result of the command with these arguments.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran(self.command(arguments).output().expect("the binary starts"))
    }

    /// The same, with a text on standard input.
    pub(crate) fn feed(&self, arguments: &[&str], input: impl Into<Vec<u8>>) -> Ran {
        Ran(self.command(arguments).write_stdin(input).output().expect("the binary starts"))
    }
}

/// The result of a command.
pub(crate) struct Ran(Output);

impl Ran {
    /// The result of a command that was not started by [`Place::run`].
    pub(crate) fn of(mut command: Command) -> Self {
        Self(command.output().expect("the binary starts"))
    }

    /// The exit code.
    pub(crate) fn code(&self) -> i32 {
        self.0.status.code().expect("ended by itself, not by a signal")
    }

    /// Standard output.
    pub(crate) fn out(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).expect("UTF-8 on standard output")
    }

    /// Standard error.
    pub(crate) fn err(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    /// Standard output, which is one JSON document.
    pub(crate) fn json(&self) -> Value {
        let out = self.out();
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("one document: {error}: {out}"))
    }

    /// A JSON document for each line of standard output.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).expect("a document a line");
        self.out().lines().map(parse).collect()
    }
}
