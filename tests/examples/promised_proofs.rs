//! Whether proof files prove what is said with them: `promised_proofs COUNT SECONDS SEED`.
//!
//! Random small set-ups of Swish and Squeeze are weighed under both pies, each with so many seconds and a proof file,
//! at whose name another file lies already. A second reading of the rules and a solver of its own judge every set-up
//! of at most 5 000 positions a colour; the file of each must prove exactly the verdict, or be said to prove less.
//! One line a set-up, then the sums; exit code 1 where anything is wrong.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use marquis_engine::{Engine, EngineOptions};
use marquis_registry::official;
use marquis_tests::draw::Draw;
use marquis_tests::promised::{JUDGED_STATES, judge, random_case};

fn main() -> ExitCode {
    let argument = |number: usize, default: u64| {
        std::env::args().nth(number).map_or(default, |text| text.parse().expect("a number"))
    };
    let (count, seconds, seed) = (argument(1, 200), argument(2, 4), argument(3, 1));
    let folder = tempfile::tempdir().expect("a folder");
    let (engine, _) = Engine::open(official(), EngineOptions::default()).expect("an engine");
    let mut draw = Draw::new(seed);
    let (mut promised, mut lesser, mut small, mut small_missing, mut drawn, mut wrong) = (0, 0, 0, 0, 0, 0);
    for number in 1..=count {
        let case = random_case(&mut draw);
        let began = Instant::now();
        let verdict = judge(&engine, &case, Duration::from_secs(seconds), &folder.path().join("proof"));
        let states = verdict.states.map(|states| states.map_or_else(|| "many".to_owned(), |n| n.to_string()));
        let query = &case.query;
        println!(
            "{number:>4} {:<7} {:<24} {:<10} bait {} target {} {:?} {:?}: {} {} states, balanced {:?}, exit {}, {:.2} s{}",
            query.game.name(),
            query.board,
            verdict.balance.pie,
            query.bait,
            case.target,
            query.immobile,
            query.until,
            states[0],
            states[1],
            verdict.balance.balanced,
            if verdict.promised() { 0 } else { 3 },
            began.elapsed().as_secs_f64(),
            verdict.faults.iter().map(|fault| format!("\n     WRONG: {fault}")).collect::<String>()
        );
        promised += usize::from(verdict.promised());
        lesser += usize::from(!verdict.promised());
        small += usize::from(verdict.small());
        small_missing += usize::from(verdict.small() && !verdict.promised());
        drawn += usize::from(verdict.balance.balanced == Some(true));
        wrong += usize::from(!verdict.faults.is_empty());
    }
    println!(
        "{count} set-ups, {seconds} s each, seed {seed}: {promised} proved exactly (exit 0), {lesser} said to prove \
         less (exit 3); {drawn} balanced; {small} of at most {JUDGED_STATES} states a colour, {small_missing} of them \
         missing; {wrong} wrong"
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
