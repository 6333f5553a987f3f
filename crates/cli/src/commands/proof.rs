//! `marquis proof`

use std::io::{BufWriter, ErrorKind, Write, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use marquis_engine::{Control, EngineError, Limits, write_hints};
use marquis_table::write_whole_by;
use marquis_wire::MemorySize;

use crate::exit::{CommandEnd, CommandFailure};
use crate::games::registry;
use crate::progress::watched;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis proof hints squish.proof --out squish.hints")]
pub(crate) struct Proof {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Write a proof as a list that another program can check without searching
    #[command(after_help = "\
Examples:
  marquis proof hints squish.proof --out squish.hints
  marquis proof hints squish.proof | zstd > squish.hints.zst

Each line is a position, the winner's move, and for every reply the number of the line that answers it: an earlier
line where the proof shows a win. The proof is replayed first. Where a theorem decides a game of Squinch, the line
names all further moves of the winner, which no reply prevents.")]
    Hints {
        /// A proof file
        file: PathBuf,
        /// Write to this file instead of standard output
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Memory, such as 512MiB or 8GiB; a bare number is GiB [default: 4GiB]
        #[arg(long, value_name = "SIZE")]
        memory: Option<MemorySize>,
    },
}

impl Proof {
    pub(super) fn run(self) -> Result<CommandEnd, CommandFailure> {
        let What::Hints { file, out, memory } = self.what;
        let limits = Limits { memory, ..Limits::default() };
        watched(|control| match out {
            Some(out) => {
                write_whole_by(&out, |to| write_hints(registry(), &file, to, &limits, control))?;
                Ok(CommandEnd::Answered)
            }
            None => to_standard_output(&file, &limits, control),
        })
    }
}

/// Writes the hints to standard output; a reader that ends early is no error.
fn to_standard_output(
    file: &Path,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<CommandEnd, CommandFailure> {
    let mut out = Unread { out: BufWriter::new(stdout().lock()), is_unread: false };
    match write_hints(registry(), file, &mut out, limits, control) {
        Err(EngineError::File(_)) if out.is_unread => Ok(CommandEnd::Answered),
        written => written.map(|()| CommandEnd::Answered).map_err(CommandFailure::from),
    }
}

/// A writer that notes whether its reader has gone away.
struct Unread<W> {
    out: W,
    is_unread: bool,
}

impl<W: Write> Write for Unread<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.out.write(bytes);
        self.is_unread |= written.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe);
        written
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let flushed = self.out.flush();
        self.is_unread |= flushed.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe);
        flushed
    }
}
