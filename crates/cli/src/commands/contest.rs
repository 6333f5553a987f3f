//! `marquis match`

mod player;
mod program;
mod record;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use marquis_engine::{Engine, GameId, Immobile, Limits, Pentanomial};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};
use serde::Serialize;

use self::player::{Contest, Player, Side};
use self::record::{Kept, Pair};
use crate::arguments::{ImmobileArgs, MachineArgs, TableArgs, seconds};
use crate::exit::{Ending, Failure};
use crate::numbers::{MOST_GAMES, NODES, SEED, number};
use crate::output::{self, Format, remark};
use crate::{games, interrupt};

/// Random moves of an opening, at most.
const MOST_PLIES: u64 = 1000;
/// The chances of either error of the test.
const ERROR: f64 = 0.05;
/// Positions a move where nothing is said.
const USUAL: u64 = 20_000;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis match 3 4 --game squish --games 40
  marquis match 8 solve --game flowish --position start:4 --seconds 1 --state match.jsonl
  marquis match 8 7 --game squinch --sprt 0,100
  marquis match 8 'ugi:./other --threads 1' --game squish --seconds 1

A player is a level from 1 to 8, or `solve`, who plays the first move of the answer of `marquis solve`, or `ugi:` with
the command of a program that speaks the Universal Game Interface, as `marquis ugi` does; the command is split where it
has spaces. Each opening, some random moves from the position that is not decided by them, is played twice with colours
exchanged; in Senet both games have the same throws. A program that ends, or plays what the rules forbid, ends the
match. With --state the games are kept, and the same command goes on where it was.")]
pub(crate) struct Match {
    /// A level from 1 to 8, `solve`, or `ugi:COMMAND`
    #[arg(value_name = "A")]
    a: Player,
    /// The other one
    #[arg(value_name = "B")]
    b: Player,
    /// Which game
    #[arg(long, value_parser = games::parser())]
    game: GameId,
    /// Where openings begin
    #[arg(long, value_name = "POSITION", default_value = "start")]
    position: String,
    /// Games at most, two an opening; 1000000 at most
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::<u64>(2..=MOST_GAMES))]
    games: u64,
    /// Positions for a move of level 8, of `solve` and of programs [default: 20000, without --seconds]
    #[arg(long, value_name = "N", value_parser = number::<u64>(NODES))]
    nodes: Option<u64>,
    /// Time for a move of level 8, of `solve` and of programs
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<Duration>,
    /// Random moves of an opening at most
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number::<u32>(0..=MOST_PLIES))]
    plies: u32,
    /// Openings, throws and the choices of the lower levels follow from it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(SEED))]
    seed: u64,
    /// End as soon as one of two differences in Elo is accepted, such as 0,50: sequential test, errors of 5 %
    #[arg(long, value_name = "ELO0,ELO1", value_parser = hypotheses)]
    sprt: Option<[i32; 2]>,
    /// Keep the games here, one opening a line, and go on where they end
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Add the games to a file of records at the end
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

/// What came of a match.
#[derive(Serialize)]
struct Report {
    game: &'static str,
    position: String,
    a: String,
    b: String,
    games: u64,
    /// Openings in which A made 0, ½, 1, 1½ and 2 points.
    pairs: [u64; 5],
    /// The mean of a game for A; null without games.
    score: Option<f64>,
    /// The difference in Elo, and how far it may be off with 95 % certainty.
    elo: Option<[f64; 2]>,
    /// The hypothesis that was accepted, where a test was asked for and came to its end.
    accepted: Option<i32>,
}

impl Match {
    pub(super) fn run(self, format: Format) -> Result<Ending, Failure> {
        if let Some(file) = &self.record {
            // What cannot be added to is known before the match, not after it.
            marquis_engine::kept_records(file)?;
        }
        let engine = self.tables.open(Vec::new())?;
        let Some(contest) = self.contest(&engine)? else { return Ok(Ending::Interrupted) };
        let heading = self.heading();
        let mut kept = Kept::open(self.state.as_deref(), &heading)?;
        let mut results = Pentanomial::default();
        kept.pairs().iter().for_each(|pair| results.count(pair.halves()));
        let pairs = self.games / 2;
        while results.len() < pairs && self.accepted(&results).is_none() && !interrupt::stopped() {
            let Some(pair) = self.pair(&contest, results.len())? else { break };
            results.count(pair.halves());
            kept.add(pair)?;
            remark(&format!("{} of {pairs} openings: {}", results.len(), words(&results)));
        }
        if let Some(file) = &self.record {
            marquis_engine::keep_records(file, &contest.records(kept.pairs())?)?;
        }
        let accepted = self.accepted(&results);
        let report = Report {
            game: self.game.name(),
            position: self.position.clone(),
            a: self.a.to_string(),
            b: self.b.to_string(),
            games: 2 * results.len(),
            pairs: results.pairs,
            score: (!results.is_empty()).then(|| results.score()),
            elo: (!results.is_empty()).then(|| results.elo().into()),
            accepted,
        };
        let done = results.len() >= pairs || accepted.is_some();
        output::answer(&report, format, |report| say(report, &results))?;
        Ok(interrupt::ending(done))
    }

    /// The match, ready to begin; none after Ctrl-C.
    fn contest<'a>(&'a self, engine: &'a Engine) -> Result<Option<Contest<'a>>, Failure> {
        interrupt::flag();
        let nodes = self.nodes.or_else(|| self.seconds.is_none().then_some(USUAL));
        let limits = Limits { time: self.seconds, nodes, ..self.machine.limits() };
        let immobile = self.immobile.choice(self.game)?;
        let players = [&self.a, &self.b];
        if let Some(program) = players.into_iter().find(|player| matches!(player, Player::Program(_)))
            && immobile != Immobile::Loss
        {
            return Err(Failure::bad_input(format!(
                "--immobile: expected no such option with {program}: the Universal Game Interface has no word for it"
            )));
        }
        Contest::new(engine, self.game, immobile, limits, players)
    }

    /// What makes two matches the same, so that no games of another one are gone on with.
    fn heading(&self) -> String {
        let Self { a, b, game, position, nodes, seconds, plies, seed, .. } = self;
        format!("{a} {b} {game} {position} {nodes:?} {seconds:?} {plies} {seed}")
    }

    /// Two games from one opening; none after Ctrl-C.
    fn pair(&self, contest: &Contest<'_>, number: u64) -> Result<Option<Pair>, Failure> {
        let mut random = SmallRng::seed_from_u64(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let opening = contest.opening(&self.position, self.plies, &mut random)?;
        let seed = random.random();
        let first = contest.play(&opening, [Side::A, Side::B], seed)?;
        let second = contest.play(&opening, [Side::B, Side::A], seed)?;
        Ok(first.zip(second).map(|(first, second)| Pair { opening, games: [first, second] }))
    }

    fn accepted(&self, results: &Pentanomial) -> Option<i32> {
        let [low, high] = self.sprt.filter(|_| !results.is_empty())?;
        let ratio = results.log_likelihood_ratio([low, high].map(f64::from));
        let bound = ((1.0 - ERROR) / ERROR).ln();
        if ratio >= bound { Some(high) } else { (ratio <= -bound).then_some(low) }
    }
}

fn words(results: &Pentanomial) -> String {
    let (elo, off) = results.elo();
    format!("{:.1} %, {elo:+.0} ± {off:.0} Elo", 100.0 * results.score())
}

fn say(report: &Report, results: &Pentanomial) -> String {
    let Report { game, position, a, b, games, pairs, .. } = report;
    if results.is_empty() {
        return format!("{game} {position}: no game was finished.\n");
    }
    let accepted = report.accepted.map_or_else(String::new, |elo| format!("Accepted: {elo} Elo.\n"));
    let [none, half, one, more, two] = pairs;
    format!(
        "{game} {position}: {a} against {b}, {games} games: {}\n\
         openings with 0, ½, 1, 1½, 2 points: {none} {half} {one} {more} {two}\n{accepted}",
        words(results)
    )
}
