//! Estimates for what is not proved, by the game's judge.

use std::num::NonZero;

use marquis_core::{Bounds, Game as _, Notation as _, Value};
use marquis_eval::Wdl;
use marquis_play::{Budget, Level, Proved};

use crate::ask::ordering::rank;
use crate::ask::shares::Shares;
use crate::ask::solve::Solver;
use crate::domain::{Choice, Insight, Proof, Solution, Verdict};
use crate::game::exact::ExactGame;
use crate::game::judge::{Judgement, Means};
use crate::query::Opponent;
use crate::{EngineError, Limits};

/// What the judge looks at where no limit says so: about a third of a second.
const NODES: u64 = 200_000;
/// What it looks at after an interruption: some milliseconds.
const NODES_IN_A_HURRY: u64 = 2_000;
/// The most memory that it takes.
const BYTES: u64 = 64 << 20;
/// More than it writes for a position.
const BYTES_A_NODE: u64 = 64;
/// More positions than it looks at in a millisecond.
const NODES_A_MS: u64 = 2_000;
/// For so many positions it pays to begin another thread.
const NODES_A_THREAD: u64 = 10_000;

impl<G: ExactGame> Solver<'_, G> {
    /// The same answer with an estimate wherever nothing is proved.
    ///
    /// What the judge has seen to the end, or as far as tables and proofs know more, is proved as well: by a search,
    /// without plies.
    pub(crate) fn judged(&self, solution: Solution<G>, shares: Shares) -> Solution<G> {
        let solution = self.informed(solution);
        if solution.over.is_some() || solution.verdict.value().is_some() {
            return solution;
        }
        let means = self.for_the_judge(shares);
        let mut report = |judgement: Judgement<G::Move>| {
            self.control.show(|| insight::<G>(&judgement).look(judgement.wdl, self.game, &solution.position));
        };
        let judgement = self.judge.judge(self.game, &solution.position, &means, &mut report);
        with_estimates(solution, judgement)
    }

    /// The same answer with what tables and proofs know of its moves.
    fn informed(&self, mut solution: Solution<G>) -> Solution<G> {
        for choice in &mut solution.choices {
            if choice.verdict.plies.is_none() {
                choice.verdict = self.known_of_move(&choice.after).unwrap_or(choice.verdict);
            }
        }
        solution.verdict = solution.verdict.by_moves(&solution.choices);
        rank(&mut solution.choices);
        solution
    }

    /// What a player of some level would do, and what is known or thought of the position.
    ///
    /// The highest one knows what tables, proofs and rules say and looks ahead elsewhere; the others look ahead alone.
    ///
    /// # Errors
    /// The game is over, or a table cannot be read.
    pub(crate) fn advise(
        &self,
        position: &G::Position,
        opponent: Opponent,
    ) -> Result<(Choice<G>, Solution<G>), EngineError> {
        if self.game.over(position).is_some() {
            return Err(EngineError::no_move(self.game.position_text(position)));
        }
        let shares = Shares { nodes: self.limits.nodes, ..Shares::of(self.limits, self.control) };
        if opponent.level == Level::MAX {
            let known = self.known(position, None)?;
            let told = known.clone().filter(Solution::knows_what_to_play);
            if told.is_none() {
                self.glance(position);
            }
            let told = told.or_else(|| self.direct(position));
            let mut solution = told.unwrap_or_else(|| self.judged(self.unknown(position), shares));
            let best = to_play(&solution).expect("who is to move has a move").clone();
            // A known value stays one where it is not known which move keeps it.
            if let Some(known) = known.filter(|_| solution.verdict.value().is_none()) {
                (solution.verdict, solution.entry) = (known.verdict, known.entry);
            }
            return Ok((best, self.unless_missed(solution)?));
        }
        let means = self.for_the_judge(shares);
        let chosen = self.judge.choose(opponent, self.game, position, &means);
        let mut solution = self.unknown(position);
        solution.verdict = solution.verdict.estimated(chosen.wdl);
        let choice = solution.choices.iter().find(|choice| choice.mv == chosen.mv).cloned();
        Ok((choice.expect("a player chooses a legal move"), solution))
    }

    /// Shows what the judge thinks after some milliseconds, to whoever wants to know at once and does not count
    /// positions.
    fn glance(&self, position: &G::Position) {
        if self.control.has_looks() && self.limits.nodes.is_none() {
            let hurry = Limits { nodes: Some(NODES_IN_A_HURRY), ..*self.limits };
            let glance = Solver { limits: &hurry, ..*self };
            glance.judged(
                self.unknown(position),
                Shares { nodes: hurry.nodes, ..Shares::of(&hurry, self.control) },
            );
        }
    }

    /// What is left to the judge.
    fn for_the_judge(&self, shares: Shares) -> Means<'_, G> {
        let stopped = self.control.stopped();
        let otherwise = if shares.until.is_some() { u64::MAX } else { NODES };
        let budget = Budget {
            until: shares.until,
            slept: self.control.slept(),
            stop: (!stopped).then(|| self.control.flag()),
            ..Budget::nodes(if stopped { NODES_IN_A_HURRY } else { shares.nodes.unwrap_or(otherwise) })
        };
        let left = budget.until.map(|until| until.saturating_duration_since(self.control.now()));
        let by_time = left.map_or(u64::MAX, |left| (left.as_millis() as u64 + 1).saturating_mul(NODES_A_MS));
        let nodes = budget.nodes.min(by_time);
        let bytes = nodes.saturating_mul(BYTES_A_NODE).min(BYTES).min(self.limits.memory_bytes());
        let useful = usize::try_from(1 + nodes / NODES_A_THREAD).unwrap_or(usize::MAX);
        Means {
            budget,
            bytes: usize::try_from(bytes).unwrap_or(usize::MAX),
            threads: NonZero::new(self.limits.threads_allowed().min(useful)).unwrap_or(NonZero::<usize>::MIN),
            oracle: self.knowledge,
        }
    }
}

/// How a judgement was found.
fn insight<G: ExactGame>(judgement: &Judgement<G::Move>) -> Insight<G> {
    let Judgement { depth, nodes, line, exact_from, stability, .. } = judgement;
    Insight {
        depth: *depth,
        nodes: *nodes,
        line: line.clone(),
        exact_from: *exact_from,
        stability: *stability,
    }
}

/// The move to play: the first where the value is known, or else the one with the best chances.
fn to_play<G: ExactGame>(solution: &Solution<G>) -> Option<&Choice<G>> {
    let chance = |choice: &Choice<G>| choice.verdict.wdl().map_or(0.5, Wdl::expected);
    let is_known = solution.verdict.value().is_some();
    let better = |best, other| if !is_known && chance(other) > chance(best) { other } else { best };
    solution.choices.iter().reduce(better)
}

fn with_estimates<G: ExactGame>(mut solution: Solution<G>, judgement: Judgement<G::Move>) -> Solution<G> {
    solution.insight = Some(insight(&judgement));
    let Judgement { wdl, proved, moves, .. } = judgement;
    for choice in &mut solution.choices {
        if let Some(own) = moves.iter().find(|own| own.mv == choice.mv) {
            choice.verdict = seen(choice.verdict, own.proved).estimated(own.wdl);
        }
    }
    // The order of equal estimates is the judge's.
    let place = |mv: G::Move| moves.iter().position(|own| own.mv == mv);
    solution.choices.sort_by_key(|choice| place(choice.mv));
    solution.verdict = seen(solution.verdict, proved).by_moves(&solution.choices).estimated(wdl);
    rank(&mut solution.choices);
    solution
}

/// The verdict with what was seen to the end, where that says more.
fn seen(verdict: Verdict, proved: Option<Proved>) -> Verdict {
    match proved {
        Some(Proved { value: value @ (Value::Win | Value::Loss), .. }) if verdict.value().is_none() => {
            Verdict::bounded(Bounds::exact(value), Proof::Search)
        }
        _ => verdict,
    }
}
