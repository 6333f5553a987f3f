//! `--log FILE`: appends the messages of a long command to a file, each with the time.

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use clap::Args;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime as _, SystemTime};

use crate::exit::CommandFailure;

/// The log; unset until a command opens it.
static LOG: OnceLock<Mutex<File>> = OnceLock::new();

/// The option for a log file.
#[derive(Args, Debug)]
pub(crate) struct LogArgs {
    /// Append the messages of standard error to this file, each line with the time, and progress every few seconds
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    log: Option<PathBuf>,
}

impl LogArgs {
    /// Starts to log messages.
    ///
    /// # Errors
    /// The file cannot be opened to append to it.
    pub(crate) fn open(&self) -> Result<(), CommandFailure> {
        let Some(path) = &self.log else { return Ok(()) };
        let opened = File::options().create(true).append(true).open(path);
        let file =
            opened.map_err(|error| CommandFailure::failed(format!("--log {}: {error}", path.display())))?;
        // Set once: a process runs one command.
        let _ = LOG.set(Mutex::new(file));
        let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
        line(&format!("started: {}", words.collect::<Vec<_>>().join(" ")));
        Ok(())
    }
}

/// Whether a log is open.
pub(crate) fn is_open() -> bool {
    LOG.get().is_some()
}

/// Logs a text line by line, if a log is open.
pub(crate) fn line(text: &str) {
    let Some(log) = LOG.get() else { return };
    let mut time = String::new();
    // Writing to a string cannot fail, and a clock before 1970 is written as it is.
    let _ = SystemTime.format_time(&mut Writer::new(&mut time));
    let stamped: String = text.lines().map(|part| format!("{time}  {part}\n")).collect();
    let mut file = log.lock().unwrap_or_else(PoisonError::into_inner);
    // One write, so that lines of two commands with one log do not interleave. A full disk costs only the log.
    let _ = file.write_all(stamped.as_bytes());
}
