//! `marquis ugi`: the engine led by another program.

mod search;
mod session;
mod words;

use std::io::{self, ErrorKind};

use clap::Args;
use marquis_core::GameId;

use self::session::{AfterLine, TO_END, Trouble, UgiSession};
use crate::arguments::TableArgs;
use crate::exit::{CommandEnd, CommandFailure};
use crate::games;
use crate::input::{Heard, Input};
use crate::output::Format;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis ugi
  marquis ugi swish --tables tablebases

The Universal Game Interface on standard input and output: ugi, isready, setoption name N value V, uginewgame,
position startpos|fen POSITION [moves M…], go [movetime MS] [depth PLIES] [nodes N] [p1time MS p2time MS p1inc MS
p2inc MS] [infinite], stop, query p1turn|gameover|result, quit. During a search each deeper line is an `info`. In
Senet `throw N` comes before `go`, and moves are THROW:MOVE. An invalid line gets `info string error: …` and changes
nothing. Each `go` gets exactly one `bestmove`. The search ends at once on quit, the end of standard input, a closed
standard output, SIGTERM and Ctrl-C.")]
pub(crate) struct Ugi {
    /// Game to start with; the option Game changes it [default: squish]
    #[arg(value_parser = games::parser())]
    game: Option<GameId>,
    #[command(flatten)]
    tables: TableArgs,
}

impl Ugi {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        if format == Format::Json {
            return Err(CommandFailure::bad_input(
                "--json: expected no such option with `ugi`, whose lines are a protocol; leave it out",
            ));
        }
        let input = Input::listen(Some(TO_END * 3 / 2));
        let mut session = UgiSession::new(self.tables.open(Vec::new())?, self.game, &input)?;
        watch_output(&input);
        let ended = loop {
            let obeyed = match input.next()? {
                Heard::Line(Ok(line)) => session.obey(&line),
                Heard::Line(Err(unreadable)) => Err(Trouble::Refused(unreadable.to_string())),
                Heard::End => break CommandEnd::Answered,
                Heard::Interrupted => break CommandEnd::Interrupted,
            };
            let said = match obeyed {
                Ok(AfterLine::Listen) => Ok(()),
                Ok(AfterLine::Quit) => break CommandEnd::Answered,
                // Not on standard error too, which may have no reader.
                Err(Trouble::Refused(why)) => words::say(&format!("info string error: {why}")),
                Err(Trouble::Output(error)) => Err(error),
            };
            if let Err(error) = said {
                return closed(&error);
            }
        };
        session.finish().map_or_else(|error| closed(&error), |()| Ok(ended))
    }
}

/// The ending of a conversation whose output cannot be written: regular if the other program has exited.
fn closed(error: &io::Error) -> Result<CommandEnd, CommandFailure> {
    match error.kind() {
        ErrorKind::BrokenPipe => Ok(CommandEnd::Answered),
        _ => Err(CommandFailure::failed(format!("standard output cannot be written to: {error}"))),
    }
}

/// Ends the conversation as soon as its output is closed, even while nothing is written.
#[cfg(unix)]
fn watch_output(input: &Input) {
    use rustix::event::{PollFd, PollFlags, poll};

    let teller = input.teller();
    std::thread::spawn(move || {
        let out = io::stdout();
        // No events are requested: the closing of the other end is always reported.
        let closed = poll(&mut [PollFd::new(&out, PollFlags::empty())], None);
        if closed.is_ok_and(|closed| closed > 0) {
            // If the conversation is over already, nobody listens.
            let _ = teller.send(Ok(Heard::End));
        }
    });
}

/// This system has no such call: the next write fails instead.
#[cfg(not(unix))]
fn watch_output(_: &Input) {}
