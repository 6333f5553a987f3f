//! `--log FILE`: what a long command says on its way, with the time, appended to a file.

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use clap::Args;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime as _, SystemTime};

use crate::exit::Failure;

/// Where lines go; nowhere before a command has opened it.
static LOG: OnceLock<Mutex<File>> = OnceLock::new();

/// Whether what is said is kept as well.
#[derive(Args, Debug)]
pub(crate) struct LogArgs {
    /// Append what is said on standard error to this file, each line with the time; progress every few seconds
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    log: Option<PathBuf>,
}

impl LogArgs {
    /// Keeps what is said from now on.
    ///
    /// # Errors
    /// The file cannot be opened to append to it.
    pub(crate) fn open(&self) -> Result<(), Failure> {
        let Some(path) = &self.log else { return Ok(()) };
        let opened = File::options().create(true).append(true).open(path);
        let file = opened.map_err(|error| Failure::failed(format!("--log {}: {error}", path.display())))?;
        // A process has one command, which opens it once.
        let _ = LOG.set(Mutex::new(file));
        let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
        line(&format!("begun: {}", words.collect::<Vec<_>>().join(" ")));
        Ok(())
    }
}

/// Whether lines are kept.
pub(crate) fn is_open() -> bool {
    LOG.get().is_some()
}

/// Keeps a text, line by line, if any are kept.
pub(crate) fn line(text: &str) {
    let Some(log) = LOG.get() else { return };
    let mut time = String::new();
    // Writing to a string cannot fail, and a clock before 1970 is said as it is.
    let _ = SystemTime.format_time(&mut Writer::new(&mut time));
    let stamped: String = text.lines().map(|part| format!("{time}  {part}\n")).collect();
    let mut file = log.lock().unwrap_or_else(PoisonError::into_inner);
    // At once, so that lines of two commands with one log do not run into each other; a full disk costs the log and
    // nothing else.
    let _ = file.write_all(stamped.as_bytes());
}
