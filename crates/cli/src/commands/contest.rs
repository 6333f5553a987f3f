//! `marquis match`

mod player;
mod program;
mod report;
mod state;

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use marquis_core::{GameId, Immobile};
use marquis_engine::record::RecordFile;
use marquis_engine::{Engine, Limits, Pentanomial};
use marquis_record::Record;
use marquis_wire::reports::TableInfo;
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

use self::player::{Contest, ContestPlayer, MatchSide};
use self::report::{Report, say};
use self::state::{MatchFile, MatchGame, MatchSettings};
use crate::arguments::{ImmobileArgs, MachineArgs, TableArgs, seconds};
use crate::exit::{CommandEnd, CommandFailure};
use crate::numbers::{MOST_GAMES, NODES, SEED, number};
use crate::output::{self, Format, remark};
use crate::{games, interrupt};

/// The maximum number of random moves of an opening.
const MOST_PLIES: u64 = 1000;
/// The chance of each error of the test.
const ERROR: f64 = 0.05;
/// The default number of positions per move.
const USUAL: u64 = 20_000;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis match 3 4 --game squish --games 40
  marquis match 8 solve --game flowish --position start:4 --seconds 1 --state match.jsonl
  marquis match 8 7 --game squinch --sprt 0,100
  marquis match 8 'ugi:./other --threads 1' --game squish --seconds 1

A player is a level from 1 to 8, `solve` or `ugi:COMMAND`. `solve` plays the first move that `marquis solve` lists.
`ugi:` runs a program that speaks the Universal Game Interface, as `marquis ugi` does. The command is split as in a
shell: quote a path with spaces, or give only the path. An opening is some random moves from the position that leave it
undecided. Each is played twice with colours exchanged; in Senet both games have the same throws.

The match ends with exit code 4 if a program exits, plays an illegal move, or is too slow. Limits are 10 s to answer
`ugi` or `isready`, and for a move 5 times its time plus 5 s (with --nodes alone 10 min). Finished games are kept and
counted in any case. With --state the same command resumes the match; it refuses other players, limits, rules, threads,
tables or seeds.")]
pub(crate) struct Match {
    /// A level from 1 to 8, `solve`, or `ugi:COMMAND`
    #[arg(value_name = "A")]
    a: ContestPlayer,
    /// The other player, in the same form
    #[arg(value_name = "B")]
    b: ContestPlayer,
    /// Which game
    #[arg(long, value_parser = games::parser())]
    game: GameId,
    /// Position from which openings start
    #[arg(long, value_name = "POSITION", default_value = "start")]
    position: String,
    /// Maximum number of games, two per opening; at most 1000000
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::<u64>(2..=MOST_GAMES))]
    games: u64,
    /// Positions per move of level 8, `solve` and programs [default: 20000, without --seconds]
    #[arg(long, value_name = "N", value_parser = number::<u64>(NODES))]
    nodes: Option<u64>,
    /// Seconds per move of level 8, `solve` and programs
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<Duration>,
    /// Maximum number of random moves in an opening
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number::<u32>(0..=MOST_PLIES))]
    plies: u32,
    /// Random seed of openings, throws and lower levels
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(SEED))]
    seed: u64,
    /// Stop once a sequential test accepts one of two differences in Elo, such as 0,50; error rate 5%
    #[arg(long, value_name = "ELO0,ELO1", value_parser = hypotheses)]
    sprt: Option<[i32; 2]>,
    /// Save each finished game in this file, and resume from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Append each finished game to a file of records
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    immobile: ImmobileArgs,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    machine: MachineArgs,
}

/// Two differences in Elo, the lower one first.
fn hypotheses(text: &str) -> Result<[i32; 2], String> {
    let expected = || format!("expected two numbers such as 0,50, the lower one first, found `{text}`");
    let (low, high) = text.split_once(',').ok_or_else(expected)?;
    let pair = low.trim().parse().ok().zip(high.trim().parse().ok());
    pair.filter(|(low, high)| low < high).map(|(low, high)| [low, high]).ok_or_else(expected)
}

impl Match {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        // A file that cannot be appended to is reported before the match, not after it.
        let records = self.record.as_deref().map(RecordFile::open).transpose()?;
        let engine = self.tables.open(Vec::new())?;
        let Some(contest) = self.contest(&engine)? else { return Ok(CommandEnd::Interrupted) };
        let mut kept = MatchFile::open(self.state.as_deref(), &self.settings(&contest)?)?;
        // Finished games are kept and counted, however the match ends.
        let failed = self.play(&contest, &mut kept, records).err();
        let results = results(&kept);
        let accepted = self.accepted(&results);
        let report = Report::new(&self, &results, accepted, failed.as_ref());
        output::answer(&report, format, |report| say(report, &results))?;
        if let Some(failure) = failed {
            remark(&format!("error: {}", failure.message));
            return Ok(failure.ending);
        }
        Ok(interrupt::ending(results.len() >= self.pairs() || accepted.is_some()))
    }

    const fn pairs(&self) -> u64 {
        self.games / 2
    }

    /// Plays until there are enough games, the test has a result, or Ctrl-C.
    fn play(
        &self,
        contest: &Contest<'_>,
        kept: &mut MatchFile,
        mut records: Option<(RecordFile, Vec<Record>)>,
    ) -> Result<(), CommandFailure> {
        if let Some((file, there)) = &mut records {
            file.add(&missing(contest, kept.games(), there)?)?;
        }
        let mut results = results(kept);
        while results.len() < self.pairs() && self.accepted(&results).is_none() && !interrupt::stopped() {
            let number = kept.games().len();
            let (opening, seed) = match kept.unpaired() {
                Some(first) => (first.opening.clone(), first.seed),
                None => self.opening(contest, results.len())?,
            };
            let sides = MatchSide::of_game(number);
            let Some(game) = contest.play(&opening, sides, seed)? else { break };
            let record = records.is_some().then(|| contest.record(&game, sides)).transpose()?;
            kept.add(game)?;
            if let Some(((file, _), record)) = records.as_mut().zip(record) {
                file.add(&[record])?;
            }
            if let Some(halves) = kept.pairs().nth(number / 2) {
                results.count(halves);
                remark(&format!(
                    "{} of {} openings: {}",
                    results.len(),
                    self.pairs(),
                    report::words(&results)
                ));
            }
        }
        Ok(())
    }

    /// The match, ready to start; `None` after Ctrl-C.
    fn contest<'a>(&'a self, engine: &'a Engine) -> Result<Option<Contest<'a>>, CommandFailure> {
        interrupt::flag();
        let nodes = self.nodes.or_else(|| self.seconds.is_none().then_some(USUAL));
        let limits = Limits { time: self.seconds, nodes, ..self.machine.limits() };
        let immobile = self.immobile.choice(self.game)?;
        let players = [&self.a, &self.b];
        if let Some(program) = players.into_iter().find(|player| matches!(player, ContestPlayer::Program(_)))
            && immobile != Immobile::Loss
        {
            return Err(CommandFailure::bad_input(format!(
                "--immobile: expected no such option with {program}: the Universal Game Interface has no word for it"
            )));
        }
        Contest::new(engine, self.game, immobile, limits, players)
    }

    /// All settings that change the meaning of the games, so that games of another match are not counted with these.
    fn settings(&self, contest: &Contest<'_>) -> Result<MatchSettings, CommandFailure> {
        let Limits { time, nodes, threads, memory, disk, .. } = contest.limits;
        let said = |value: Option<String>| value.unwrap_or_else(|| "default".to_owned());
        let of_game = |table: &TableInfo| table.game == self.game.name();
        let tables: Vec<u64> =
            contest.engine.tables().iter().filter(|table| of_game(table)).map(|table| table.bytes).collect();
        let settings = [
            ("a", self.a.to_string()),
            ("b", self.b.to_string()),
            ("game", self.game.name().to_owned()),
            ("position", contest.position(&self.position)?),
            ("immobile", contest.immobile.name().to_owned()),
            ("plies", self.plies.to_string()),
            ("seed", self.seed.to_string()),
            ("seconds", time.map_or_else(|| "none".to_owned(), |time| time.as_secs_f64().to_string())),
            ("nodes", nodes.map_or_else(|| "none".to_owned(), |nodes| nodes.to_string())),
            ("threads", said(threads.map(|threads| threads.to_string()))),
            ("memory", said(memory.map(|size| size.to_string()))),
            ("disk", said(disk.map(|size| size.to_string()))),
            ("tables", format!("{} with {} bytes", tables.len(), tables.iter().sum::<u64>())),
            ("weights", said(self.tables.weights().map(|folder| folder.display().to_string()))),
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ];
        Ok(settings.map(|(name, value)| (name.to_owned(), value)).into_iter().collect())
    }

    /// The opening of a pair, and the seed of its throws and choices.
    fn opening(&self, contest: &Contest<'_>, pair: u64) -> Result<(String, u64), CommandFailure> {
        let mut random = SmallRng::seed_from_u64(self.seed ^ pair.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let opening = contest.opening(&self.position, self.plies, &mut random)?;
        Ok((opening, random.random()))
    }

    fn accepted(&self, results: &Pentanomial) -> Option<i32> {
        let [low, high] = self.sprt.filter(|_| !results.is_empty())?;
        let ratio = results.log_likelihood_ratio([low, high].map(f64::from));
        let bound = ((1.0 - ERROR) / ERROR).ln();
        if ratio >= bound { Some(high) } else { (ratio <= -bound).then_some(low) }
    }
}

/// The results of the finished pairs.
fn results(kept: &MatchFile) -> Pentanomial {
    let mut results = Pentanomial::default();
    kept.pairs().for_each(|halves| results.count(halves));
    results
}

/// The records of games that are not in the file yet, from a run that did not keep them there.
fn missing(
    contest: &Contest<'_>,
    games: &[MatchGame],
    there: &[Record],
) -> Result<Vec<Record>, CommandFailure> {
    let mut there = there.iter().fold(HashMap::new(), |mut counts, record| {
        *counts.entry(record.to_string()).or_insert(0_u64) += 1;
        counts
    });
    let mut missing = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let record = contest.record(game, MatchSide::of_game(number))?;
        match there.get_mut(&record.to_string()).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => missing.push(record),
        }
    }
    Ok(missing)
}
