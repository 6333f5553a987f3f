//! The party to ask: the library in this process, or the program with its options, its document and its exit code.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use marquis_core::Immobile;
use marquis_engine::{Control, Engine, Limits, Pie, Query, Until, check_proof};
use marquis_registry::official;
use marquis_wire::answer::{Answer, Balance};
use marquis_wire::reports::{ProofFile, ProofReport};
use marquis_wire::words::word;
use serde_json::Value;

use super::Case;

/// A request with a proof.
#[derive(Clone, Copy, Debug)]
pub struct ProofQuestion<'a> {
    /// The set-up.
    pub case: &'a Case,
    /// The time limit.
    pub time: Duration,
    /// The path of the proof file.
    pub file: &'a Path,
}

/// An answer, and its replayed proof.
#[derive(Clone, Debug)]
pub struct Answered<T> {
    /// The answer.
    pub said: T,
    /// The description of the file in the answer.
    pub kept: ProofFile,
    /// The result of replaying the file; `None` if there is none.
    pub report: Option<ProofReport>,
    /// The exit code, or its equivalent.
    pub exit: i32,
}

/// A party that answers with proofs.
pub trait Weighs {
    /// The balance of a set-up.
    fn balance(&self, asked: ProofQuestion<'_>) -> Answered<Balance>;

    /// The value of a position.
    fn solve(&self, position: &str, asked: ProofQuestion<'_>) -> Answered<String>;
}

impl Weighs for Engine {
    fn balance(&self, ProofQuestion { case, time, file }: ProofQuestion<'_>) -> Answered<Balance> {
        let limits = Limits { time: Some(time), ..Limits::default() };
        let answered = self.balance_with_proof(&case.query, &limits, &Control::none(), file);
        let (said, kept) = answered.expect("an answer");
        let movers = [&said.first_mover.w, &said.first_mover.b];
        let known = movers.map(|mover| mover.verdict.value.is_some());
        let decided = said.balanced.is_some() && (case.query.until == Until::Choice || known == [true; 2]);
        let exit = if decided && kept.complete { 0 } else { 3 };
        Answered { said, kept, report: replayed(file), exit }
    }

    fn solve(
        &self,
        position: &str,
        ProofQuestion { case, time, file }: ProofQuestion<'_>,
    ) -> Answered<String> {
        let limits = Limits { time: Some(time), ..Limits::default() };
        let query = Query { immobile: case.query.immobile, ..Query::new(case.query.game, position) };
        let (answer, kept) =
            self.solve_with_proof(&query, &limits, &Control::none(), file).expect("an answer");
        let Answer::Exact(answer) = answer else { panic!("a game without throws") };
        let said = word(answer.verdict.value).to_owned();
        let exit = if answer.verdict.value.is_some() && kept.complete { 0 } else { 3 };
        Answered { said, kept, report: replayed(file), exit }
    }
}

/// The claims that a file proves, by the library.
fn replayed(file: &Path) -> Option<ProofReport> {
    file.exists().then(|| check_proof(&official(), file).expect("a proof file"))
}

/// The program itself, started again for every request and every check.
#[derive(Clone, Debug)]
pub struct Program(pub PathBuf);

impl Program {
    /// The program in the parent of this example's folder, as `cargo build` leaves it.
    ///
    /// # Errors
    /// The program is missing; the message says how to build it.
    pub fn beside_examples() -> Result<Self, String> {
        let own = std::env::current_exe().map_err(|error| error.to_string())?;
        let built = own.parent().and_then(Path::parent).map(|folder| folder.join("marquis"));
        match built.filter(|program| program.is_file()) {
            Some(program) => Ok(Self(program)),
            None => Err("there is no marquis; `cargo build --release -p marquis` makes it".to_owned()),
        }
    }

    /// The exit code and the document of a command.
    fn run(&self, command: &mut Command) -> (i32, Value) {
        let output = command.arg("--json").env_remove("MARQUIS_TABLES").output().expect("the program starts");
        let document = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!("{command:?}: {error}: {}", String::from_utf8_lossy(&output.stderr))
        });
        (output.status.code().expect("no signal"), document)
    }

    fn with_proof<T>(
        &self,
        command: &mut Command,
        ProofQuestion { case, time, file }: ProofQuestion<'_>,
        read: impl FnOnce(Value) -> T,
    ) -> Answered<T> {
        let immobile = match case.query.immobile {
            Immobile::Loss => "loss",
            Immobile::Pass => "pass",
        };
        command
            .args(["--immobile", immobile, "--seconds", &time.as_secs_f64().to_string(), "--proof"])
            .arg(file);
        let (exit, mut document) = self.run(command);
        let kept = serde_json::from_value(document["proof_file"].take()).expect("what became of the file");
        Answered { said: read(document), kept, report: self.check(file), exit }
    }

    /// The claims that a file proves, by `check-proof`, whose exit code says whether it is valid.
    fn check(&self, file: &Path) -> Option<ProofReport> {
        if !file.exists() {
            return None;
        }
        let (exit, document) = self.run(Command::new(&self.0).arg("check-proof").arg(file));
        let report: ProofReport = serde_json::from_value(document).expect("a report");
        assert_eq!(exit, i32::from(report.refused.is_some()), "{report:?}");
        Some(report)
    }
}

impl Weighs for Program {
    fn balance(&self, asked: ProofQuestion<'_>) -> Answered<Balance> {
        let query = &asked.case.query;
        let pie = match query.pie {
            Pie::Marquisian => "marquisian",
            Pie::Bait => "bait",
        };
        let mut command = Command::new(&self.0);
        command.args(["balance", query.game.name(), &query.board, "--pie", pie]);
        command.args(["--bait", &query.bait.to_string(), "--target", &asked.case.target.to_string()]);
        if query.until == Until::BothColours {
            command.arg("--both");
        }
        self.with_proof(&mut command, asked, |document| serde_json::from_value(document).expect("a balance"))
    }

    fn solve(&self, position: &str, asked: ProofQuestion<'_>) -> Answered<String> {
        let mut command = Command::new(&self.0);
        command.args(["solve", asked.case.query.game.name(), position]);
        let value = |document: Value| document["value"].as_str().expect("a value").to_owned();
        self.with_proof(&mut command, asked, value)
    }
}
