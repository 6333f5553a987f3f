//! Checks whether answers agree with each other: `answers COUNT SEED [OPTIONS]`.
//!
//! Draws COUNT positions of all games (default 20,000) and asks everything about them: from the library, HTTP and, if
//! it is named, the program, with tables and proofs present and absent, and budgets of 0, 10 ms and 1 s. Everything
//! follows from SEED except searches with a time limit. Options:
//!
//! * `--budget MS`: only this one of 0, 10 and 1000; may be repeated.
//! * `--game GAME`, `--world plain|tables|proofs|bare`: only this one; may be repeated.
//! * `--from N`: start with position N, to continue a run; the counts of reports add up.
//! * `--size N`: positions per chunk, which have one game and one kind of engine [20].
//! * `--long-every N`: only one in N positions gets budgets of half a second or more [10].
//! * `--judged N`: the slow solver judges positions that reach at most N others [400].
//! * `--threads T`: chunks at a time [1].
//! * `--program FILE`: compare with the program, as `cargo build --release -p marquis` builds it.
//! * `--tables DIR`: the folder of small tables, which are built if missing [a temporary folder].
//! * `--proof-bytes N`: larger proof files are not loaded [1000000].
//! * `--report FILE`: written after every chunk.
//!
//! Prints progress to standard error and the report to standard output; the exit code is 1 if a property fails.

#[path = "answers/service.rs"]
mod service;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use marquis_registry::official;
use marquis_tests::answers::chunk::{Asking, Wanted};
use marquis_tests::answers::judge::Judge;
use marquis_tests::answers::program::Program;
use marquis_tests::answers::sources::Sources;
use marquis_tests::answers::tally::Tally;
use marquis_tests::answers::worlds::{WORLDS, Worlds};
use marquis_tests::games;

use self::service::Hosting;

struct Options {
    count: u64,
    seed: u64,
    from: u64,
    size: usize,
    budgets: Vec<u64>,
    wanted: Wanted,
    long_every: usize,
    judged: usize,
    threads: usize,
    program: Option<PathBuf>,
    tables: Option<PathBuf>,
    proof_bytes: u64,
    report: Option<PathBuf>,
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("expected a number, found `{text}`"))
}

fn options(words: &[String]) -> Result<Options, String> {
    let mut options = Options {
        count: 20_000,
        seed: 1,
        from: 0,
        size: 20,
        budgets: Vec::new(),
        wanted: Wanted { games: Vec::new(), worlds: Vec::new() },
        long_every: 10,
        judged: 400,
        threads: 1,
        program: None,
        tables: None,
        proof_bytes: 1_000_000,
        report: None,
    };
    let (mut words, mut plain) = (words.iter(), 0);
    while let Some(word) = words.next() {
        let mut next = || words.next().ok_or_else(|| format!("{word}: expected a value"));
        match word.as_str() {
            "--budget" => options.budgets.push(number(next()?)?),
            "--game" => {
                let name = next()?;
                let game = games::all().into_iter().find(|game| game == name);
                options.wanted.games.push(game.ok_or_else(|| format!("no game: {name}"))?);
            }
            "--world" => {
                let name = next()?;
                let world = WORLDS.into_iter().find(|world| world.name() == name);
                options.wanted.worlds.push(world.ok_or_else(|| format!("no world: {name}"))?);
            }
            "--from" => options.from = number(next()?)?,
            "--size" => options.size = number::<usize>(next()?)?.max(1),
            "--long-every" => options.long_every = number(next()?)?,
            "--judged" => options.judged = number(next()?)?,
            "--threads" => options.threads = number::<usize>(next()?)?.max(1),
            "--program" => options.program = Some(next()?.into()),
            "--tables" => options.tables = Some(next()?.into()),
            "--proof-bytes" => options.proof_bytes = number(next()?)?,
            "--report" => options.report = Some(next()?.into()),
            option if option.starts_with("--") => return Err(format!("no option: {option}")),
            value => {
                *[&mut options.count, &mut options.seed]
                    .into_iter()
                    .nth(plain)
                    .ok_or("two numbers at most")? = number(value)?;
                plain += 1;
            }
        }
    }
    if options.budgets.is_empty() {
        options.budgets = vec![0, 10, 1000];
    }
    let all = Wanted::default();
    if options.wanted.games.is_empty() {
        options.wanted.games = all.games;
    }
    if options.wanted.worlds.is_empty() {
        options.wanted.worlds = all.worlds;
    }
    Ok(options)
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match options(&words) {
        Ok(options) => run(&options),
        Err(error) => {
            eprintln!("{error}; the head of tests/examples/answers.rs lists the options");
            ExitCode::from(2)
        }
    }
}

/// The tally of a chunk that panicked; the message is on standard error.
fn lost(from: u64) -> Tally {
    let (mut tally, mut judge) = (Tally::default(), Judge::default());
    judge.expect("P0.panicked", false, || "no answers of this chunk are counted".to_owned());
    tally.answer("chunk", "plain", &judge, || format!("answers … --from {from}"));
    tally
}

fn run(options: &Options) -> ExitCode {
    let (registry, folder) = (official(), tempfile::tempdir().expect("a folder"));
    let tables = options.tables.clone().unwrap_or_else(|| folder.path().join("tables"));
    let worlds = Worlds::new(registry.clone(), &tables, options.proof_bytes);
    let (sources, host) = (Sources::new(&registry), Hosting(registry));
    let program = options.program.clone().map(|file| Program { file, folder: folder.path().to_owned() });
    let asking = Asking {
        worlds: &worlds,
        sources: &sources,
        host: Some(&host),
        program: program.as_ref(),
        budgets: &options.budgets,
        long_every: options.long_every,
        most_judged: options.judged,
    };
    let size = options.size as u64;
    let (next, end) = (AtomicU64::new(options.from / size), options.count.div_ceil(size));
    let (tally, begun) = (Mutex::new(Tally::default()), Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..options.threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= end {
                        return;
                    }
                    let chunk = || asking.chunk(options.seed, number, options.size, &options.wanted);
                    let found = catch_unwind(AssertUnwindSafe(chunk)).unwrap_or_else(|_| lost(number * size));
                    let mut tally = tally.lock().expect("no thread panics with it");
                    tally.absorb(found);
                    let seconds = begun.elapsed().as_secs();
                    eprintln!(
                        "chunk {number} of {end} done (--from {} continues); {} positions, {} answers, {} kinds of \
                         faults, {seconds} s",
                        (number + 1) * size,
                        tally.positions(),
                        tally.answers(),
                        tally.faults().len()
                    );
                    if let Some(file) = &options.report {
                        std::fs::write(file, tally.report()).expect("the report can be written");
                    }
                }
            });
        }
    });
    let tally = tally.into_inner().expect("no thread panics with it");
    print!("{}", tally.report());
    if tally.faults().is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
