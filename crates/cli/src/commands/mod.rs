//! The commands, one file each.

mod balance;
mod book;
mod check_proof;
mod claims;
mod completions;
mod contest;
mod design;
mod fetch_tables;
mod generate;
mod inspect;
mod line;
mod list_games;
mod man;
mod moves;
mod perft;
mod play;
mod probe;
mod proof;
mod record;
mod repack;
mod review;
mod rules;
mod serve;
mod show;
mod solve;
mod status;
mod study;
mod train;
mod ugi;
mod vectors;
mod verify;
mod work;

use clap::{Parser, Subcommand};

use crate::exit::{CommandEnd, CommandFailure};
use crate::output::{Colour, Format};

/// Solves, tabulates and serves the games of the Marquisian method: Squish, Flowish, Swish, Squeeze, Squinch, Senet.
#[derive(Parser, Debug)]
#[command(
    name = "marquis",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  marquis games
  marquis solve squish start:3
  marquis balance swish w1w/4/1ooo1/4/b1b --target 2
  marquis serve

Exit codes: 0 answered, 1 checked and found false, 2 bad input, 3 a limit was reached before an answer,
4 the machine or a file failed, 130 after Ctrl-C."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print one JSON document on standard output
    #[arg(long, global = true, help_heading = "Output")]
    json: bool,
    /// When to use colours
    #[arg(
        long = "color",
        visible_alias = "colour",
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Output"
    )]
    pub(crate) colour: Colour,
}

impl Arguments {
    /// The form of the answer.
    pub(crate) const fn format(&self) -> Format {
        if self.json { Format::Json } else { Format::Human }
    }
}

/// The command.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// List the games: variants, position grammar, start positions
    Games(list_games::Games),
    /// Print the rules of a game, with its diagrams as text
    Rules(rules::Rules),
    /// Draw the board of a position
    Show(show::Show),
    /// List the legal moves and the positions that they lead to
    Moves(moves::Moves),
    /// Count the positions after 1 to DEPTH plies
    Perft(perft::Perft),
    /// Print test vectors for other programs: positions with moves, images, end and value
    Vectors(vectors::Vectors),
    /// Find the value of a position and of every move
    Solve(solve::Solve),
    /// Prove the value of a position over many runs, for days if necessary
    Study(study::Study),
    /// Find out whether a set-up is balanced, and what Player Two should choose
    Balance(balance::BalanceCommand),
    /// List known results: official starts and other positions with a proved value
    Book(book::Book),
    /// Search for set-ups that are hard for Player Two
    Design(design::Design),
    /// Build tables
    Generate(generate::Generate),
    /// Show the progress of a build, a study or a training
    Status(status::Status),
    /// Compress tables further
    Repack(repack::Repack),
    /// Download tables from a remote folder, resumed and verified
    FetchTables(fetch_tables::FetchTables),
    /// Look up a position in tables, without a search
    Probe(probe::Probe),
    /// Show the best line to the end of the game
    Line(line::LineCommand),
    /// Play a game in the terminal against Marquis
    Play(play::Play),
    /// Check or show records of games
    Record(record::RecordCommand),
    /// Analyse a game: the value that each move kept or gave away
    Review(review::ReviewCommand),
    /// Train a network for a board by self-play
    Train(train::Train),
    /// Let two players play a match, with Elo and error bars
    Match(contest::Match),
    /// Speak the Universal Game Interface (UGI) with another program
    Ugi(ugi::Ugi),
    /// Check tables: checksums, then every entry against its successors
    Verify(verify::Verify),
    /// Describe a file that Marquis wrote: table, proof, checkpoint, manifest, state of a service
    Inspect(inspect::Inspect),
    /// Replay a proof file by the rules alone
    CheckProof(check_proof::CheckProof),
    /// Convert a proof file, to check it with another program
    Proof(proof::Proof),
    /// Check the designer's claims about a game on one board
    Claims(claims::Claims),
    /// Help a study of a service: take its jobs over HTTP
    Work(work::WorkFor),
    /// Start the HTTP service
    Serve(serve::Serve),
    /// Print the completions for a shell
    Completions(completions::Completions),
    /// Write man pages
    #[command(hide = true)]
    Man(man::Man),
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// Why there is no answer.
    pub(crate) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        match self {
            Self::Games(command) => command.run(format),
            Self::Rules(command) => command.run(format),
            Self::Show(command) => command.run(format),
            Self::Moves(command) => command.run(format),
            Self::Perft(command) => command.run(format),
            Self::Vectors(command) => command.run(),
            Self::Solve(command) => command.run(format),
            Self::Study(command) => command.run(format),
            Self::Balance(command) => command.run(format),
            Self::Book(command) => command.run(format),
            Self::Design(command) => command.run(format),
            Self::Generate(command) => command.run(format),
            Self::Status(command) => command.run(format),
            Self::Repack(command) => command.run(format),
            Self::FetchTables(command) => command.run(format),
            Self::Probe(command) => command.run(format),
            Self::Line(command) => command.run(format),
            Self::Play(command) => command.run(format),
            Self::Record(command) => command.run(format),
            Self::Review(command) => command.run(format),
            Self::Train(command) => command.run(format),
            Self::Match(command) => command.run(format),
            Self::Ugi(command) => command.run(format),
            Self::Verify(command) => command.run(format),
            Self::Inspect(command) => command.run(format),
            Self::CheckProof(command) => command.run(format),
            Self::Proof(command) => command.run(),
            Self::Claims(command) => command.run(format),
            Self::Work(command) => command.run(format),
            Self::Serve(command) => command.run(format),
            Self::Completions(command) => command.run(format),
            Self::Man(command) => command.run(format),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::any::TypeId;
    use std::iter;
    use std::num::{NonZeroU64, NonZeroUsize};
    use std::time::Duration;

    use clap::CommandFactory as _;
    use clap::error::ErrorKind;
    use marquis_wire::{DiskSize, MemorySize};

    use super::*;

    #[test]
    fn every_help_ends_with_examples() {
        let marquis = Arguments::command();
        for command in marquis.get_subcommands().chain([&marquis]) {
            let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(after.contains("Examples:\n  marquis"), "{}", command.get_name());
        }
    }

    /// Whether an argument is a count, a size or a time.
    fn is_quantity(arg: &clap::Arg) -> bool {
        let read = arg.get_value_parser().type_id();
        let counts = [TypeId::of::<u8>(), TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>()];
        let others = [
            TypeId::of::<usize>(),
            TypeId::of::<NonZeroU64>(),
            TypeId::of::<NonZeroUsize>(),
            TypeId::of::<MemorySize>(),
            TypeId::of::<DiskSize>(),
            TypeId::of::<Duration>(),
        ];
        counts.into_iter().chain(others).any(|known| read == known)
    }

    #[test]
    fn every_count_size_and_time_is_read_as_people_type_it_and_has_a_maximum() {
        let marquis = Arguments::command();
        let mut tried = 0;
        let commands = marquis.get_subcommands().flat_map(|command| {
            let parts =
                command.get_subcommands().map(|part| (part, vec![command.get_name(), part.get_name()]));
            iter::once((command, vec![command.get_name()])).chain(parts)
        });
        for (command, names) in commands {
            for arg in command.get_arguments().filter(|arg| is_quantity(arg)) {
                let Some(long) = arg.get_long() else { continue };
                let kind = |value: &str| {
                    let text = format!("--{long}={value}");
                    let words = iter::once("marquis").chain(names.iter().copied()).chain([text.as_str()]);
                    marquis.clone().try_get_matches_from(words).err().map(|error| error.kind())
                };
                assert_ne!(kind("2e0"), Some(ErrorKind::ValueValidation), "{names:?} --{long}");
                for wrong in ["1e25", "99999999999999999999999999", "-1", "", "two"] {
                    assert_eq!(kind(wrong), Some(ErrorKind::ValueValidation), "{names:?} --{long}={wrong}");
                }
                tried += 1;
            }
        }
        assert!(tried > 60, "{tried}");
    }

    #[test]
    fn the_arguments_of_all_commands_fit_together() {
        Arguments::command().debug_assert();
    }
}
