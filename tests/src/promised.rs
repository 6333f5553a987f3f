//! Proof files judged by the reference rules: does a file prove the answer?

mod weighs;

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use marquis_core::{GameId, Immobile};
use marquis_engine::{BalanceQuery, Pie, Until};
use marquis_wire::answer::{Balance, PlayerTwo};
use marquis_wire::reports::{ProofFile, ProofReport};
use marquis_wire::words::{names, word};

use crate::draw::Draw;
use crate::reference::hexboard::HexBoard;
use crate::reference::{self, Reference, Rules, solver};

pub use weighs::{Answered, Program, ProofQuestion, Weighs};

/// The maximum number of positions for which the judge solves a set-up.
pub const JUDGED_STATES: usize = 5_000;

/// A set-up with everything needed for its balance.
#[derive(Clone, Debug)]
pub struct Case {
    /// The balance query.
    pub query: BalanceQuery,
    /// The number of beads that wins.
    pub target: u16,
}

/// The result for one set-up.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The numbers of positions reachable from the first positions; `None` above [`JUDGED_STATES`].
    pub states: [Option<usize>; 2],
    /// The balance in the answer.
    pub balance: Balance,
    /// The description of the file in the answer.
    pub file: ProofFile,
    /// The exit code of the command, or its equivalent.
    pub exit: i32,
    /// The faults found; empty if there are none.
    pub faults: Vec<String>,
}

impl Verdict {
    /// Whether the answer is complete and the file proves it.
    #[must_use]
    pub fn promised(&self) -> bool {
        self.exit == 0
    }

    /// Whether the judge knows all positions of both colours.
    #[must_use]
    pub fn small(&self) -> bool {
        self.states.iter().all(Option::is_some)
    }
}

/// A random set-up of side 2 or 3 with one or two rooks per colour, for either pie.
#[must_use]
pub fn random_case(draw: &mut Draw) -> Case {
    let game = *draw.pick(&[GameId::new("swish"), GameId::new("squeeze")]);
    let pie = *draw.pick(&[Pie::Marquisian, Pie::Bait]);
    let side = *draw.pick(&[2, 3, 3, 3, 3]);
    let mut board = HexBoard { side, pieces: BTreeMap::new() };
    let mut cells = board.cells();
    draw.shuffle(&mut cells);
    let on_edge = |&(q, r): &(i32, i32)| q.abs().max(r.abs()).max((q + r).abs()) == side - 1;
    let (mut edge, mut inner): (Vec<_>, Vec<_>) = cells.into_iter().partition(on_edge);
    for colour in ['w', 'b'] {
        for _ in 0..draw.between(1, 2) {
            board.pieces.extend(edge.pop().map(|cell| (cell, colour)));
        }
    }
    let beads = draw.between(1, inner.len().min(3));
    board.pieces.extend(inner.drain(..beads).map(|cell| (cell, 'o')));
    let bait = if pie == Pie::Bait { draw.below(3) } else { 0 };
    let all = beads + bait;
    let target = if draw.below(2) == 0 { all / 2 + 1 } else { draw.between(1, all) };
    let immobile = *draw.pick(&[Immobile::Loss, Immobile::Loss, Immobile::Pass]);
    let until = *draw.pick(&[Until::Choice, Until::Choice, Until::BothColours]);
    let (bait, target) = (bait as u16, target as u16);
    let query = BalanceQuery { game, board: board.write(), bait, pie, target: Some(target), immobile, until };
    Case { query, target }
}

/// Balances a set-up with its proof in `file`, which already exists with other content, and judges both.
#[must_use]
pub fn judge(weighs: &dyn Weighs, case: &Case, time: Duration, file: &Path) -> Verdict {
    std::fs::write(file, "the proof of another answer").expect("a file");
    let Answered { said: balance, kept, report, exit } = weighs.balance(ProofQuestion { case, time, file });
    let firsts = first_positions(case);
    let truth = firsts.each_ref().map(|first| solve(case, first));
    let states = truth.each_ref().map(|solved| solved.as_ref().map(HashMap::len));
    let mut judged = Judged { case, balance: &balance, kept: &kept, firsts: &firsts, faults: Vec::new() };
    judged.answer(&truth);
    judged.file(file, report.as_ref());
    judged.exit(exit);
    let faults = judged.faults;
    Verdict { states, balance, file: kept, exit, faults }
}

/// The result for one position.
#[derive(Clone, Debug)]
pub struct SolvedVerdict {
    /// The position.
    pub position: String,
    /// Whether the judge knows all positions reachable from it.
    pub small: bool,
    /// The value in the answer.
    pub value: String,
    /// The exit code of the command, or its equivalent.
    pub exit: i32,
    /// The faults found; empty if there are none.
    pub faults: Vec<String>,
}

/// Solves one colour's first position with its proof in `file`, which already exists with other content, and judges
/// both.
///
/// * `colour`: 0 for White, 1 for Black.
#[must_use]
pub fn judge_solved(
    weighs: &dyn Weighs,
    case: &Case,
    colour: usize,
    time: Duration,
    file: &Path,
) -> SolvedVerdict {
    std::fs::write(file, "the proof of another answer").expect("a file");
    let position = first_positions(case)[colour].clone();
    let answered = weighs.solve(&position, ProofQuestion { case, time, file });
    let Answered { said: value, kept, report, exit } = answered;
    let truth = solve(case, &position).map(|truth| truth[&position]);
    let mut faults = Vec::new();
    let mut expect = |holds: bool, otherwise: &str| {
        if !holds {
            faults.push(format!("{otherwise}: {value}, {truth:?}, {kept:?}, exit {exit}, {report:?}"));
        }
    };
    let known = value != "unknown";
    expect(truth.is_none_or(|truth| !known || value == truth), "not the true value");
    expect(truth.is_none() || known && kept.complete, "a small position is not proved");
    expect(file.exists() == kept.written, "a file that is not of this answer");
    expect(report.as_ref().is_none_or(|report| report.refused.is_none()), "refused");
    let bounds =
        report.as_ref().and_then(|report| report.claims.iter().find(|claim| claim.position == position));
    let exact = bounds.is_some_and(|claim| names(claim.bounds) == [value.as_str(); 2]);
    expect(!known || kept.complete == exact, "complete and exact are not the same");
    expect(exit == if known && exact { 0 } else { 3 }, "another exit code");
    expect(exit == 0 || !known || !kept.missing.is_empty(), "nothing is named as missing");
    SolvedVerdict { position, small: truth.is_some(), value, exit, faults }
}

/// The first positions of both colours: the bait is in the other player's store.
fn first_positions(case: &Case) -> [String; 2] {
    let BalanceQuery { board, bait, .. } = &case.query;
    [format!("{board} w 0-{bait} {}", case.target), format!("{board} b {bait}-0 {}", case.target)]
}

/// The values of all reachable positions, by the reference rules; `None` if there are too many.
fn solve(case: &Case, first: &str) -> Option<HashMap<String, &'static str>> {
    let immobile = match case.query.immobile {
        Immobile::Loss => reference::Immobile::Loss,
        Immobile::Pass => reference::Immobile::Pass,
    };
    let rules = Rules::of(case.query.game.name(), immobile);
    few(rules.plain(), first)?;
    let solved = solver::solve(rules.plain(), first);
    Some(solved.scores.into_iter().map(|(position, (value, _))| (position, value)).collect())
}

/// `None` if more than [`JUDGED_STATES`] positions can be reached.
fn few(rules: &dyn Reference, first: &str) -> Option<()> {
    let mut seen = std::collections::HashSet::from([first.to_owned()]);
    let mut open = vec![first.to_owned()];
    while let Some(position) = open.pop() {
        let nexts = rules.moves(&position).into_values();
        open.extend(nexts.filter(|next| seen.insert(next.clone())));
        if seen.len() > JUDGED_STATES {
            return None;
        }
    }
    Some(())
}

struct Judged<'a> {
    case: &'a Case,
    balance: &'a Balance,
    kept: &'a ProofFile,
    firsts: &'a [String; 2],
    faults: Vec<String>,
}

impl Judged<'_> {
    fn expect(&mut self, holds: bool, otherwise: impl FnOnce() -> String) {
        if !holds {
            self.faults.push(otherwise());
        }
    }

    /// The values of White's and Black's first positions in the answer.
    fn said(&self) -> [&'static str; 2] {
        let movers = &self.balance.first_mover;
        [&movers.w, &movers.b].map(|mover| word(mover.verdict.value))
    }

    /// Checks the answer against the solution; small set-ups must be decided and proved.
    fn answer(&mut self, truth: &[Option<HashMap<String, &'static str>>; 2]) {
        let said = self.said();
        for ((first, said), truth) in self.firsts.iter().zip(said).zip(truth) {
            let value = truth.as_ref().map(|truth| truth[first]);
            let wrong = value.is_some_and(|value| said != "unknown" && said != value);
            self.expect(!wrong, || format!("{first} is a {value:?}, and the answer says {said}"));
        }
        if truth.iter().all(Option::is_some) {
            let decided = self.balance.balanced.is_some();
            self.expect(decided, || "a small set-up is undecided".to_owned());
            let missing = format!("a small set-up is not proved: {:?}", self.kept);
            self.expect(self.kept.complete, || missing);
        }
    }

    /// Checks the exit code: 0 only if the answer is complete and the file proves it.
    fn exit(&mut self, exit: i32) {
        let said = self.said();
        let both = self.case.query.until == Until::BothColours;
        let decided = self.balance.balanced.is_some() && !(both && said.contains(&"unknown"));
        let expected = if decided && self.kept.complete { 0 } else { 3 };
        self.expect(exit == expected, || format!("exit code {exit} and not {expected}"));
    }

    /// Checks the file against the answer.
    fn file(&mut self, file: &Path, report: Option<&ProofReport>) {
        let written = self.kept.written;
        self.expect(file.exists() == written, || "a file that is not of this answer".to_owned());
        let refused = report.and_then(|report| report.refused.clone());
        self.expect(refused.is_none(), || format!("refused: {refused:?}"));
        let proved = self.firsts.each_ref().map(|first| {
            let claims = report.into_iter().flat_map(|report| &report.claims);
            claims.filter(|claim| claim.position == *first).map(|claim| names(claim.bounds)).next()
        });
        let said = self.said();
        let exact = |number: usize| proved[number] == Some([said[number]; 2]);
        let alone = if self.case.query.pie == Pie::Marquisian { "loss" } else { "win" };
        let rests: Vec<usize> = match said.iter().position(|said| *said == alone) {
            Some(_) if self.case.query.until == Until::Choice => {
                // Any colour that decides alone is enough.
                let deciding = (0..2).filter(|&number| said[number] == alone);
                deciding.max_by_key(|&number| exact(number)).into_iter().collect()
            }
            _ => vec![0, 1],
        };
        if self.balance.balanced.is_some() && said.iter().all(|said| *said != "unknown") || rests.len() == 1 {
            let all = rests.iter().all(|&number| exact(number));
            let complete = self.kept.complete;
            self.expect(complete == all, || format!("complete: {complete}, and the file proves {proved:?}"));
            self.expect(complete || !self.kept.missing.is_empty(), || {
                "nothing is named as missing".to_owned()
            });
        }
        if let Some(report) = report.filter(|_| self.kept.complete) {
            // A file holds proved results, without an estimate.
            let proved = PlayerTwo { leaning: None, ..self.balance.player_two.clone() };
            let same = report.player_two.as_ref() == Some(&proved);
            self.expect(same, || format!("the file says {:?}", report.player_two));
        }
    }
}
