//! Arguments that several commands share.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use marquis_core::{GameId, Immobile, TextError};
use marquis_engine::{BookUse, Engine, EngineOptions, GameEntry, LeftOut, Limits, Pie, Query, causes};
use marquis_table::FarFolder;
use marquis_table::elsewhere::is_address;
use marquis_wire::quantity::MOST_SECONDS;
use marquis_wire::{DiskSize, Goal, MemorySize};

use crate::exit::CommandFailure;
use crate::numbers::{NODES, SMALL, THREADS, number};
use crate::remote_tables;
use crate::{games, output};

/// The variable that names tables if `--tables` does not, separated as in `PATH`.
const TABLES_VARIABLE: &str = "MARQUIS_TABLES";
/// The variable that names weights if `--weights` does not.
const WEIGHTS_VARIABLE: &str = "MARQUIS_WEIGHTS";
/// The default folder of tables.
pub(crate) const TABLES_FOLDER: &str = "tablebases";

/// A position and what is said with it.
#[derive(Args, Debug)]
pub(crate) struct PositionArgs {
    /// Which game
    #[arg(value_parser = games::parser())]
    pub(crate) game: GameId,
    /// A position text, `start`, `start:SIZE`, or `-` for one a line from standard input
    pub(crate) position: String,
    /// Moves to play first, such as "c4-c3 b2xc2"; for Senet THROW:MOVE
    #[arg(long, value_name = "MOVES")]
    play: Option<String>,
    #[command(flatten)]
    immobile: ImmobileArgs,
    /// For Senet: answer for this throw only
    #[arg(long, value_name = "N", value_parser = number::<u8>(SMALL))]
    throw: Option<u8>,
}

impl PositionArgs {
    /// The query about a position text that replaces the one on the command line.
    ///
    /// # Errors
    /// `--immobile` was given for a game that leaves no such choice.
    pub(crate) fn query(&self, position: &str) -> Result<Query, CommandFailure> {
        Ok(Query {
            play: self.play.clone(),
            immobile: self.immobile.choice(self.game)?,
            throw: self.throw,
            ..Query::new(self.game, position)
        })
    }
}

impl PositionArgs {
    /// The text as a board without a player to move, and the rule for a player who cannot move.
    ///
    /// # Errors
    /// An argument was given that applies to positions only.
    pub(crate) fn board(&self) -> Result<(&str, Immobile), CommandFailure> {
        if self.play.is_some() || self.throw.is_some() {
            let message = "--play, --throw: expected with a position, found a board without a player to move";
            return Err(CommandFailure::bad_input(message));
        }
        Ok((self.position.trim(), self.immobile.choice(self.game)?))
    }
}

/// The start of a board, named by its size instead of a position.
#[derive(Args, Debug)]
pub(crate) struct StartArgs {
    /// Cells along an edge; the files of a board of squares
    #[arg(long, value_name = "N", value_parser = number::<u8>(SMALL), visible_alias = "files", conflicts_with = "position")]
    side: Option<u8>,
    /// The ranks of a board of squares [default: as many as files]
    #[arg(long, value_name = "N", value_parser = number::<u8>(SMALL), requires = "side", conflicts_with = "position")]
    ranks: Option<u8>,
}

impl StartArgs {
    /// The text of the start, or of the usual one if no size was given.
    pub(crate) fn text(&self) -> String {
        match (self.side, self.ranks) {
            (Some(files), Some(ranks)) => format!("start:{files}x{ranks}"),
            (Some(side), None) => format!("start:{side}"),
            (None, _) => "start".to_owned(),
        }
    }
}

/// A parser for one of these words, as the engine reads it.
pub(crate) fn one_of<T>(words: &[&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = TextError> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(words.to_vec()).try_map(|word| word.parse())
}

/// The names of the pies.
pub(crate) const PIES: &[&str] = &[Pie::Marquisian.name(), Pie::Bait.name()];

/// What happens to a player who cannot move.
#[derive(Args, Debug)]
pub(crate) struct ImmobileArgs {
    /// For Swish and Squeeze: a player who cannot move loses, or passes [default: loss]
    #[arg(long, value_name = "RULE", value_parser = one_of::<Immobile>(&[Immobile::Loss.name(), Immobile::Pass.name()]))]
    immobile: Option<Immobile>,
}

impl ImmobileArgs {
    /// The rule that was given, or the default.
    ///
    /// # Errors
    /// A rule was given for a game whose players do not agree on one.
    pub(crate) fn choice(&self, game: GameId) -> Result<Immobile, CommandFailure> {
        let agrees = |game: &&GameEntry| game.about().agrees_on_immobile;
        let Some(said) = self.immobile else { return Ok(Immobile::Loss) };
        if !games::find(game.name()).is_some_and(|game| agrees(&game)) {
            let others = games::registry().games().filter(agrees).map(|game| game.id().name());
            let others = others.collect::<Vec<_>>().join(" or ");
            return Err(CommandFailure::bad_input(format!(
                "--immobile: expected with {others} only, found with {game}; leave it out"
            )));
        }
        Ok(said)
    }
}

/// How long and how large an answer may become.
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits (without any: until it is solved, or Ctrl-C)")]
pub(crate) struct LimitArgs {
    /// Stop after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<Duration>,
    /// Stop after searching this many positions
    #[arg(long, value_name = "N", value_parser = number::<u64>(NODES))]
    nodes: Option<u64>,
    #[command(flatten)]
    machine: MachineArgs,
}

impl LimitArgs {
    /// The limits that were given.
    pub(crate) fn limits(&self) -> Limits {
        Limits { time: self.seconds, nodes: self.nodes, ..self.machine.limits() }
    }
}

/// Where an answer may stop.
#[derive(Args, Debug)]
pub(crate) struct GoalArgs {
    /// Stop when this is known: the value, the values of all moves, or their plies too; for the value alone, the search
    /// for a proof gets most of a limit [default: plies with a limit of time or nodes; otherwise value, and moves if they
    /// are found soon]
    #[arg(long, value_name = "GOAL", value_parser = one_of::<Goal>(&GOALS))]
    until: Option<Goal>,
}

/// The names of all goals.
const GOALS: [&str; 3] = [Goal::Value.name(), Goal::Moves.name(), Goal::Plies.name()];

impl GoalArgs {
    /// The limits of an answer that may stop there.
    pub(crate) fn within(&self, limits: Limits) -> Limits {
        Limits { goal: self.until, ..limits }
    }
}

/// How much of the machine may be used.
#[derive(Args, Debug)]
pub(crate) struct MachineArgs {
    /// Worker threads, at most 1024 [default: one per core]
    #[arg(long, value_name = "T", value_parser = number::<usize>(THREADS))]
    threads: Option<usize>,
    #[command(flatten)]
    room: RoomArgs,
}

impl MachineArgs {
    /// The limits that were given.
    pub(crate) fn limits(&self) -> Limits {
        Limits { threads: self.threads, ..self.room.limits() }
    }
}

/// How much memory and disk may be used.
#[derive(Args, Debug)]
pub(crate) struct RoomArgs {
    /// Memory, such as 512MiB or 8GiB; a bare number is GiB [default: 4GiB]
    #[arg(long, value_name = "SIZE")]
    memory: Option<MemorySize>,
    /// Disk in $TMPDIR for a proof that does not fit in memory, such as 64GiB; 0 for none [default: 16GiB]
    #[arg(long, value_name = "SIZE")]
    disk: Option<DiskSize>,
}

impl RoomArgs {
    /// The limits that were given.
    pub(crate) fn limits(&self) -> Limits {
        Limits { memory: self.memory, disk: self.disk, ..Limits::default() }
    }
}

/// A time in seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let most = Duration::from_secs(MOST_SECONDS);
    let number = text.parse::<f64>().ok();
    let time = number.and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.filter(|time| *time <= most)
        .ok_or_else(|| format!("expected a number of seconds such as 10 or 0.5, at most {MOST_SECONDS}"))
}

/// Where tables and weights are.
#[derive(Args, Debug)]
pub(crate) struct TableArgs {
    /// Folder with tables, or the address of one (http, https, s3, gs, az) that is read in place; may be given several times [default: $MARQUIS_TABLES, else `tablebases` if it exists]
    #[arg(long, value_name = "DIR")]
    tables: Vec<PathBuf>,
    /// Disk space in $MARQUIS_CACHE for pieces of remote tables; 0 for none [default: 4GiB]
    #[arg(long, value_name = "SIZE")]
    tables_cache: Option<DiskSize>,
    /// Folder with networks such as squish-4.net, used instead of those that come with the program
    #[arg(long, value_name = "DIR", env = WEIGHTS_VARIABLE, hide_env_values = true)]
    weights: Option<PathBuf>,
}

impl TableArgs {
    /// An engine on the tables and weights; those that cannot be opened are named on standard error and left out.
    ///
    /// # Errors
    /// A folder that was named does not exist or cannot be listed, or a proof file cannot be read or does not hold.
    pub(crate) fn open(&self, proofs: Vec<PathBuf>) -> Result<Engine, CommandFailure> {
        self.open_with(proofs, BookUse::Asked)
    }

    /// The same without the book of known results.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub(crate) fn open_without_book(&self, proofs: Vec<PathBuf>) -> Result<Engine, CommandFailure> {
        self.open_with(proofs, BookUse::LeftAlone)
    }

    fn open_with(&self, proofs: Vec<PathBuf>, book: BookUse) -> Result<Engine, CommandFailure> {
        let (tables, elsewhere) = self.places()?;
        let options = EngineOptions { tables, elsewhere, proofs, book, ..EngineOptions::default() };
        let registry = games::with_weights_of(self.weights())?;
        for LeftOut { why, .. } in registry.left_out() {
            output::remark(&format!("warning: weights are left out: {}", causes(why.as_ref())));
        }
        let (engine, left_out) = Engine::open(registry, options)?;
        for error in left_out {
            output::remark(&format!("warning: a table is left out: {}", causes(&error)));
        }
        Ok(engine)
    }

    /// The disk space for pieces of remote tables, if it was given.
    pub(crate) const fn cache(&self) -> Option<DiskSize> {
        self.tables_cache
    }

    /// The folder with networks that was named, if one was.
    pub(crate) fn weights(&self) -> Option<&Path> {
        self.weights.as_deref().filter(|folder| !folder.as_os_str().is_empty())
    }

    /// The folders named by the argument or the environment variable, and which of the two; empty if neither names
    /// any.
    pub(crate) fn named(&self) -> (Vec<PathBuf>, &'static str) {
        let variable = std::env::var_os(TABLES_VARIABLE).filter(|paths| !paths.is_empty());
        match (self.tables.is_empty(), variable) {
            (true, Some(paths)) => (places_in(&paths), TABLES_VARIABLE),
            _ => (self.tables.clone(), "--tables"),
        }
    }

    /// The local folders with tables, and the remote ones.
    fn places(&self) -> Result<(Vec<PathBuf>, Vec<Arc<FarFolder>>), CommandFailure> {
        let (named, by) = self.named();
        if named.is_empty() {
            let folder = PathBuf::from(TABLES_FOLDER);
            return Ok((if folder.is_dir() { vec![folder] } else { Vec::new() }, Vec::new()));
        }
        let elsewhere = named.iter().filter_map(|place| remote_tables::address(place));
        let elsewhere = elsewhere.map(|address| remote_tables::folder(address, self.tables_cache));
        let elsewhere = elsewhere.collect::<Result<Vec<_>, CommandFailure>>()?;
        let here: Vec<PathBuf> =
            named.into_iter().filter(|place| remote_tables::address(place).is_none()).collect();
        match here.iter().find(|folder| !folder.is_dir()) {
            None => Ok((here, elsewhere)),
            Some(missing) => {
                let message =
                    format!("{by}: expected a folder with tables, found none at {}", missing.display());
                Err(CommandFailure::failed(message))
            }
        }
    }
}

/// The folders and addresses of a variable, separated as in `PATH`; a colon inside an address is not a separator.
fn places_in(variable: &OsStr) -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = Vec::new();
    for part in std::env::split_paths(variable) {
        let begun = places.last().and_then(|place| place.to_str());
        let joined = begun.zip(part.to_str()).filter(|(begun, part)| goes_on(begun, part));
        match joined.map(|(begun, part)| format!("{begun}:{part}")) {
            Some(address) => {
                *places.last_mut().expect("an address ends the last folder") = PathBuf::from(address);
            }
            None => places.push(part),
        }
    }
    places
}

/// Whether a part of a variable is the rest of an address: the text after its scheme, or its port.
fn goes_on(begun: &str, part: &str) -> bool {
    let is_scheme = !begun.contains('/') && is_address(&format!("{begun}:{part}"));
    let host = begun.split_once("://").map(|(_, host)| host);
    let port = part.split('/').next().unwrap_or_default();
    let is_port = !port.is_empty() && port.bytes().all(|c| c.is_ascii_digit());
    is_scheme || is_port && host.is_some_and(|host| !host.is_empty() && !host.contains(['/', ':']))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_colons_of_an_address_separate_nothing() {
        let places = |text: &str| -> Vec<String> {
            places_in(OsStr::new(text)).iter().map(|place| place.display().to_string()).collect()
        };
        assert_eq!(places("a:b/c:/d"), ["a", "b/c", "/d"]);
        assert_eq!(places("http://host:8080/t:/d"), ["http://host:8080/t", "/d"]);
        assert_eq!(places("/a:https://host/t:s3://bucket:b"), ["/a", "https://host/t", "s3://bucket", "b"]);
        assert_eq!(places("http://host:80:81/x"), ["http://host:80", "81/x"]);
        assert_eq!(places("http://host/t:80/x"), ["http://host/t", "80/x"]);
    }
}
