//! Checks that proof files prove what the program claims about them: `promised_proofs COUNT SECONDS SEED`.
//!
//! The program itself, which must be built first, balances random small set-ups of Swish and Squeeze under both pies
//! and solves a first position of each (`marquis balance`, `marquis solve`), each for SECONDS seconds and with a
//! proof file whose name is already taken by another file; `marquis check-proof` says what the file proves. A second
//! implementation of the rules and an independent solver judge everything of at most 5,000 positions per colour. Each
//! file must prove exactly the verdict, or the exit code is 3 with a note about the missing part. Prints one line per
//! set-up, then the sums; the exit code is 1 on any error.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use marquis_tests::draw::Draw;
use marquis_tests::promised::{JUDGED_STATES, Program, judge, judge_solved, random_case};

/// The number of commands of one kind, by outcome.
#[derive(Default)]
struct Sums {
    promised: usize,
    lesser: usize,
    small: usize,
    small_missing: usize,
    wrong: usize,
}

impl Sums {
    fn add(&mut self, promised: bool, small: bool, faults: &[String]) {
        self.promised += usize::from(promised);
        self.lesser += usize::from(!promised);
        self.small += usize::from(small);
        self.small_missing += usize::from(small && !promised);
        self.wrong += usize::from(!faults.is_empty());
    }

    fn say(&self) -> String {
        let Self { promised, lesser, small, small_missing, wrong } = self;
        format!(
            "{promised} proved exactly (exit 0), {lesser} said to prove less (exit 3); {small} of at most \
             {JUDGED_STATES} states, {small_missing} of them missing; {wrong} wrong"
        )
    }
}

fn main() -> ExitCode {
    let argument = |number: usize, default: u64| {
        std::env::args().nth(number).map_or(default, |text| text.parse().expect("a number"))
    };
    let (count, seconds, seed) = (argument(1, 200), argument(2, 4), argument(3, 1));
    let folder = tempfile::tempdir().expect("a folder");
    let (time, file) = (Duration::from_secs(seconds), folder.path().join("proof"));
    let marquis = Program::beside_examples().unwrap_or_else(|none| panic!("{none}"));
    let mut draw = Draw::new(seed);
    let (mut balances, mut solutions, mut drawn) = (Sums::default(), Sums::default(), 0);
    for number in 1..=count {
        let case = random_case(&mut draw);
        let began = Instant::now();
        let verdict = judge(&marquis, &case, time, &file);
        let solved = judge_solved(&marquis, &case, number as usize % 2, time, &file);
        let states = verdict.states.map(|states| states.map_or_else(|| "many".to_owned(), |n| n.to_string()));
        let query = &case.query;
        let faults = verdict.faults.iter().chain(&solved.faults);
        println!(
            "{number:>4} {:<7} {:<24} {:<10} bait {} target {} {:?} {:?}: {} {} states, balanced {:?}, exit {}; {} {}, exit {}; {:.2} s{}",
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
            verdict.exit,
            ["w", "b"][number as usize % 2],
            solved.value,
            solved.exit,
            began.elapsed().as_secs_f64(),
            faults.map(|fault| format!("\n     WRONG: {fault}")).collect::<String>()
        );
        balances.add(verdict.promised(), verdict.small(), &verdict.faults);
        solutions.add(solved.exit == 0, solved.small, &solved.faults);
        drawn += usize::from(verdict.balance.balanced == Some(true));
    }
    println!("{count} set-ups, {seconds} s each, seed {seed}; {drawn} balanced");
    println!("balance: {}", balances.say());
    println!("solve:   {}", solutions.say());
    if balances.wrong + solutions.wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
