//! `marquis ugi`: the engine led by another program.

mod session;
mod words;

use std::io::{BufRead as _, stdin};

use clap::Args;
use marquis_engine::GameId;

use self::session::{Next, Session};
use crate::arguments::TableArgs;
use crate::exit::{Ending, Failure};
use crate::output::{Format, remark};
use crate::{games, interrupt};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis ugi
  marquis ugi swish --tables tablebases

The Universal Game Interface on standard input and output: ugi, isready, setoption name N value V, uginewgame,
position startpos|fen POSITION [moves M…], go [movetime MS] [nodes N] [p1time MS p2time MS p1inc MS p2inc MS]
[infinite], stop, query p1turn|gameover|result, quit. While it thinks each deeper line is an `info`. In Senet `throw N` comes before `go`, and its moves are
THROW:MOVE. What is not understood is answered by `info string error: …` and changes nothing.")]
pub(crate) struct Ugi {
    /// Which game to begin with; the option Game changes it [default: squish]
    #[arg(value_parser = games::parser())]
    game: Option<GameId>,
    #[command(flatten)]
    tables: TableArgs,
}

impl Ugi {
    pub(super) fn run(self, format: Format) -> Result<Ending, Failure> {
        if format == Format::Json {
            return Err(Failure::bad_input(
                "--json: expected no such option with `ugi`, whose lines are a protocol of their own; leave it out",
            ));
        }
        let mut session = Session::new(self.tables.open(Vec::new())?, self.game)?;
        let mut lines = stdin().lock().lines();
        // Ctrl-C ends a search that another program has begun, and the program itself where there is none.
        while let Some(line) = interrupt::idle(|| lines.next()) {
            let line =
                line.map_err(|error| Failure::failed(format!("standard input cannot be read: {error}")))?;
            match session.obey(&line) {
                Ok(Next::Listen) => {}
                Ok(Next::Quit) => break,
                Err(refused) => {
                    remark(&format!("{}: {refused}", line.trim()));
                    words::say(&format!("info string error: {refused}"))?;
                }
            }
        }
        session.finish()?;
        Ok(Ending::Answered)
    }
}
