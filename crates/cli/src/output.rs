//! Standard output for the answer, standard error for everything else.

use std::io::{ErrorKind, Write, stdout};
use std::ops::ControlFlow;

use clap::ValueEnum;
use marquis_wire::reports::{MissingProof, ProofFile};
use serde::Serialize;

use crate::exit::{CommandEnd, CommandFailure};
use crate::interrupt;
use crate::value_texts::range;

pub(crate) use crate::remark::remark;

/// The form in which the answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// For a reader.
    Human,
    /// One JSON document.
    Json,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

impl Colour {
    /// Applies this choice to all further output.
    pub(crate) fn apply(self) {
        let choice = match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// Prints the answer: the document with `--json`, otherwise the text of `say`.
///
/// # Errors
/// Standard output cannot be written to.
pub(crate) fn answer<T: Serialize>(
    document: &T,
    format: Format,
    say: impl FnOnce(&T) -> String,
) -> Result<(), CommandFailure> {
    match format {
        Format::Human => text(&say(document)),
        Format::Json => text(&(json(serde_json::to_string_pretty(document))? + "\n")),
    }
}

/// Prints a JSON document on one line.
///
/// # Errors
/// Standard output cannot be written to.
pub(crate) fn document<T: Serialize>(document: &T) -> Result<(), CommandFailure> {
    text(&line(document)?)
}

fn json(written: serde_json::Result<String>) -> Result<String, CommandFailure> {
    written.map_err(|error| CommandFailure::failed(format!("the answer cannot be written as JSON: {error}")))
}

/// A JSON document on one line.
///
/// # Errors
/// It cannot be written as JSON.
pub(crate) fn line<T: Serialize>(document: &T) -> Result<String, CommandFailure> {
    Ok(json(serde_json::to_string(document))? + "\n")
}

/// Prints text on standard output, with colours only if they are wanted.
///
/// A closed pipe (`marquis games | head -1`) is not an error.
///
/// # Errors
/// Standard output cannot be written to.
pub(crate) fn text(text: &str) -> Result<(), CommandFailure> {
    write_to(anstream::stdout().lock(), text).map(|_| ())
}

/// Prints a line of JSON, part of a longer answer: [`ControlFlow::Break`] if the pipe is closed.
///
/// JSON has no colours to remove.
///
/// # Errors
/// Standard output cannot be written to.
pub(crate) fn json_line(line: &str) -> Result<ControlFlow<()>, CommandFailure> {
    write_to(stdout().lock(), line)
}

fn write_to(mut out: impl Write, text: &str) -> Result<ControlFlow<()>, CommandFailure> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(ControlFlow::Continue(())),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(ControlFlow::Break(())),
        Err(error) => Err(CommandFailure::failed(format!("standard output cannot be written to: {error}"))),
    }
}

/// An answer, and the fate of the proof file that was requested with it.
#[derive(Debug, Serialize)]
pub(crate) struct WithProof<T> {
    #[serde(flatten)]
    pub(crate) answer: T,
    /// `None` if no proof was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) proof_file: Option<ProofFile>,
}

impl<T> WithProof<T> {
    /// An answer without a proof file.
    pub(crate) const fn none(answer: T) -> Self {
        Self { answer, proof_file: None }
    }
}

impl<T> From<(T, ProofFile)> for WithProof<T> {
    fn from((answer, file): (T, ProofFile)) -> Self {
        Self { answer, proof_file: Some(file) }
    }
}

/// Reports whether the requested proof was kept, and returns how the command ends.
///
/// A file that could not be written is not an error of the command, whose answer is printed already: the command ends
/// as if the proof were missing.
///
/// * `ending`: the ending without a proof.
pub(crate) fn proof_kept(kept: &ProofFile, ending: CommandEnd) -> CommandEnd {
    let ProofFile { file, written, complete, missing, failed } = kept;
    for MissingProof { position, said, proved } in missing {
        let [said, proved] = [said, proved].map(|bounds| range(*bounds));
        remark(&format!("not proved: {position} is {said}, and the proof says {proved}"));
    }
    match (failed, written, complete, ending) {
        (Some(why), ..) => remark(&format!("the proof is not kept: {why}")),
        (None, true, true, CommandEnd::Answered) => {
            remark(&format!("the proof is in {file}; `marquis check-proof` replays it"));
        }
        (None, true, true, _) => remark(&format!("the proofs found so far are in {file}")),
        (None, true, false, _) => remark(&format!("{file} proves less than the answer; give it more time")),
        (None, false, ..) => {
            remark(&format!("nothing is proved; {file} is not written"));
        }
    }
    if *complete { ending } else { ending.max(interrupt::ending(false)) }
}
