//! One position from the command line, or one per line from standard input.

use std::io;

use serde::Serialize;

use crate::exit::{CommandEnd, CommandFailure};
use crate::interrupt;
use crate::lines::Lines;
use crate::output::{self, Format};

/// Stands for standard input in place of a position.
pub(crate) const STANDARD_INPUT: &str = "-";

/// The document in place of an answer.
#[derive(Debug, Serialize)]
pub(crate) struct RefusalDocument<'a> {
    /// Why there is no answer.
    pub(crate) error: &'a str,
    /// The line of standard input, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u64>,
}

/// Answers the position. If it is `-`, answers each line of standard input with one JSON document on one line.
///
/// * `ask`: returns the answer about a position text, and the ending of a command with this answer.
/// * `say`: formats the answer for a reader.
/// * Result: the gravest ending of all lines.
///
/// # Errors
/// `ask` rejects the position, or standard input or output fails. A bad line of standard input is answered by a
/// [`RefusalDocument`] instead.
pub(crate) fn answer_each<T: Serialize>(
    position: &str,
    format: Format,
    mut ask: impl FnMut(&str) -> Result<(T, CommandEnd), CommandFailure>,
    say: impl FnOnce(&T) -> String,
) -> Result<CommandEnd, CommandFailure> {
    if position == STANDARD_INPUT {
        return answer_lines(ask);
    }
    let (document, ending) = ask(position)?;
    output::answer(&document, format, say)?;
    Ok(ending)
}

/// Answers each line of standard input with one JSON document on one line.
///
/// # Errors
/// As [`answer_each`].
pub(crate) fn answer_lines<T: Serialize>(
    mut ask: impl FnMut(&str) -> Result<(T, CommandEnd), CommandFailure>,
) -> Result<CommandEnd, CommandFailure> {
    interrupt::flag();
    let mut input = Lines::of(io::stdin().lock());
    let (mut gravest, mut lines, mut refused) = (CommandEnd::Answered, 0, 0_u64);
    while let Some(line) = interrupt::idle(|| input.next()) {
        lines += 1;
        let line =
            line.map_err(|error| CommandFailure::failed(format!("standard input cannot be read: {error}")))?;
        let line =
            line.map_err(|unreadable| CommandFailure::bad_input(format!("line {lines}: {unreadable}")));
        match line.and_then(|line| ask(&line)) {
            Ok((document, ending)) => {
                output::document(&document)?;
                gravest = gravest.max(ending);
            }
            Err(failure) => {
                output::document(&RefusalDocument { error: &failure.message, line: Some(lines) })?;
                gravest = gravest.max(failure.ending);
                refused += 1;
            }
        }
        if interrupt::stopped() {
            return Ok(CommandEnd::Interrupted);
        }
    }
    if refused > 0 {
        output::remark(&format!("error: {refused} of {lines} lines got no answer"));
    }
    Ok(gravest)
}
