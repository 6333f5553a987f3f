//! `marquis proof`

use std::io::{BufWriter, ErrorKind, Write, stdout};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use marquis_engine::{Limits, write_hints};
use marquis_table::write_whole_by;
use marquis_wire::MemorySize;

use crate::exit::{CommandEnd, CommandFailure};
use crate::games::registry;
use crate::numbers::number;
use crate::progress::watched;

/// The maximum length of a list, in bytes: more than any disk has room for.
const LONGEST_LIST: u64 = 1 << 60;

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
  marquis proof hints squish.proof --offset $(stat -c %s cut.hints) >> cut.hints

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
        /// Leave out this many bytes at the start, to complete a list that was cut off
        #[arg(long, value_name = "BYTES", default_value_t = 0, hide_default_value = true,
            value_parser = number::<u64>(0..=LONGEST_LIST))]
        offset: u64,
    },
}

impl Proof {
    pub(super) fn run(self) -> Result<CommandEnd, CommandFailure> {
        let What::Hints { file, out, memory, offset } = self.what;
        let limits = Limits { memory, ..Limits::default() };
        watched(|control| {
            let hints = |to: &mut dyn Write| -> Result<(), CommandFailure> {
                let mut rest = Rest { out: to, left: offset };
                write_hints(registry(), &file, &mut rest, &limits, control)?;
                if rest.left > 0 {
                    let length = offset - rest.left;
                    let message =
                        format!("--offset: expected at most {length}, the bytes of the list, found {offset}");
                    return Err(CommandFailure::bad_input(message));
                }
                Ok(())
            };
            match out {
                Some(out) => write_whole_by(&out, hints)?,
                None => to_standard_output(hints)?,
            }
            Ok(CommandEnd::Answered)
        })
    }
}

/// Writes on standard output; a reader that ends early is no error.
fn to_standard_output(
    hints: impl FnOnce(&mut dyn Write) -> Result<(), CommandFailure>,
) -> Result<(), CommandFailure> {
    let mut out = Unread { out: BufWriter::new(stdout().lock()), is_unread: false };
    let written = hints(&mut out);
    if out.is_unread { Ok(()) } else { written }
}

/// A writer that leaves out the first bytes.
struct Rest<'w> {
    out: &'w mut dyn Write,
    /// The number of bytes still to leave out.
    left: u64,
}

impl Write for Rest<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let skipped = usize::try_from(self.left).unwrap_or(usize::MAX).min(bytes.len());
        self.left -= skipped as u64;
        if skipped == bytes.len() { Ok(skipped) } else { Ok(skipped + self.out.write(&bytes[skipped..])?) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
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
