//! `marquis vectors`

use std::io::{IsTerminal as _, stdout};

use clap::Args;
use marquis_core::GameId;
use marquis_engine::{Control, Engine, Posed, Progress, Query};
use marquis_wire::vectors::MOST_VECTORS;

use crate::arguments::{ImmobileArgs, StartArgs, TableArgs};
use crate::exit::{CommandEnd, CommandFailure};
use crate::numbers::{SEED, number};
use crate::output::{self, remark};
use crate::positions::{STANDARD_INPUT, answer_lines};
use crate::progress::watched;
use crate::{games, interrupt};

/// The default number of vectors.
const USUAL: u64 = 100;
/// The default seed.
const USUAL_SEED: u64 = 1;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis vectors squish
  marquis vectors flowish --side 3 --count 1000 --seed 7 > flowish.jsonl
  marquis vectors swish \"w1w/4/1ooo1/4/b1b w 0-0 2\" --immobile pass
  printf '%s\\n' start:3 start:4 | marquis vectors squish -

Test vectors for a program that implements the rules again: one JSON document a line, with the position, the player to
move, the end of the game (`over`: reason and outcome), every move with the position after it (in Senet for each throw),
and all images of the position. The value is given where tables, the book, proofs or the rules know it without a search;
otherwise it is `unknown`, and in Senet `chance` is null.
The positions are those of random games, without repetition: the first one, every end, and an eighth of the others. The
same seed gives the same lines. There are fewer lines if random games lead to fewer positions.")]
pub(crate) struct Vectors {
    /// Which game
    #[arg(value_parser = games::parser())]
    game: GameId,
    /// Where random games begin, or `-` for the vectors of the positions of standard input, one a line [default: start]
    position: Option<String>,
    #[command(flatten)]
    start: StartArgs,
    /// Lines, at most 10000000 [default: 100]
    #[arg(long, visible_alias = "positions", value_name = "N", value_parser = number::<u64>(1..=MOST_VECTORS))]
    count: Option<u64>,
    /// Random seed [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<u64>(SEED))]
    seed: Option<u64>,
    #[command(flatten)]
    immobile: ImmobileArgs,
    #[command(flatten)]
    tables: TableArgs,
}

impl Vectors {
    pub(super) fn run(self) -> Result<CommandEnd, CommandFailure> {
        let engine = self.tables.open(Vec::new())?;
        let pose = |position: &str| -> Result<Posed, CommandFailure> {
            let immobile = self.immobile.choice(self.game)?;
            Ok(engine.registry().pose(&Query { immobile, ..Query::new(self.game, position) })?)
        };
        let position = self.position.clone().unwrap_or_else(|| self.start.text());
        if position != STANDARD_INPUT {
            let start = pose(&position)?;
            return watched(|control| self.draw(&engine, &start, control));
        }
        if self.count.is_some() || self.seed.is_some() {
            let message = "--count, --seed: expected with one first position, found with `-`, which names all \
                           positions; leave them out";
            return Err(CommandFailure::bad_input(message));
        }
        answer_lines(|line| Ok((engine.vector(&pose(line)?)?, CommandEnd::Answered)))
    }

    /// Prints the vectors of random games from `start`.
    fn draw(
        &self,
        engine: &Engine,
        start: &Posed,
        control: &Control<'_>,
    ) -> Result<CommandEnd, CommandFailure> {
        let count = self.count.unwrap_or(USUAL);
        // On a terminal the lines show the progress.
        let is_quiet = stdout().is_terminal();
        let mut done = 0;
        let seed = self.seed.unwrap_or(USUAL_SEED);
        for line in engine.vectors(start, count, seed, |vector| output::line(&vector))? {
            if interrupt::stopped() {
                return Ok(CommandEnd::Interrupted);
            }
            if output::json_line(&line??)?.is_break() {
                return Ok(CommandEnd::Answered);
            }
            done += 1;
            if !is_quiet {
                control.tell(&Progress {
                    phase: "vectors".to_owned(),
                    done,
                    total: Some(count),
                    bounds: None,
                });
            }
        }
        if done < count {
            remark(&format!("note: {done} of {count} lines: random games lead to no other position"));
        }
        Ok(CommandEnd::Answered)
    }
}
