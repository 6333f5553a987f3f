//! Estimates for what is not proved, by the game's judge.

use std::time::Instant;

use marquis_core::{Bounds, Game as _, Notation as _, TextError, Value};
use marquis_play::{Level, Limits as PlayLimits, Proved};

use crate::EngineError;
use crate::ask::ordering::rank;
use crate::ask::shares::Shares;
use crate::ask::solve::Solver;
use crate::domain::{Choice, Insight, Proof, Solution, Verdict};
use crate::game::exact::ExactGame;
use crate::game::judge::Judgement;
use crate::query::Opponent;

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

impl<G: ExactGame> Solver<'_, G> {
    /// The same answer with an estimate wherever nothing is proved.
    ///
    /// What the judge has seen to the end is proved as well: by a search, without plies.
    pub(crate) fn judged(&self, solution: Solution<G>, shares: Shares) -> Solution<G> {
        if solution.over.is_some() || solution.verdict.value().is_some() {
            return solution;
        }
        let (limits, bytes) = self.for_the_judge(shares);
        let judgement = self.judge.judge(self.game, &solution.position, &limits, bytes);
        with_estimates(solution, judgement)
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
            let (expected, found) = ("one in which the game is not over", self.game.position_text(position));
            return Err(TextError::fact("position", expected, found).into());
        }
        let shares = Shares::of(self.limits).for_the_judge_alone();
        if opponent.level == Level::MAX {
            let known = self.known(position, None)?.filter(|known| known.verdict.value().is_some());
            let known = known.or_else(|| self.direct(position));
            let solution = known.unwrap_or_else(|| self.judged(self.unknown(position), shares));
            let best = solution.choices.first().cloned();
            return Ok((best.expect("who is to move has a move"), solution));
        }
        let (limits, bytes) = self.for_the_judge(shares);
        let chosen = self.judge.choose(opponent, self.game, position, &limits, bytes);
        let mut solution = self.unknown(position);
        solution.verdict = solution.verdict.estimated(chosen.wdl);
        let choice = solution.choices.iter().find(|choice| choice.mv == chosen.mv).cloned();
        Ok((choice.expect("a player chooses a legal move"), solution))
    }

    /// What is left to the judge, and its memory.
    fn for_the_judge(&self, shares: Shares) -> (PlayLimits<'_>, usize) {
        let stopped = self.control.stopped();
        let otherwise = if shares.until.is_some() { u64::MAX } else { NODES };
        let limits = PlayLimits {
            until: shares.until,
            stop: (!stopped).then(|| self.control.flag()),
            ..PlayLimits::nodes(if stopped { NODES_IN_A_HURRY } else { shares.nodes.unwrap_or(otherwise) })
        };
        let left = limits.until.map(|until| until.saturating_duration_since(Instant::now()));
        let by_time = left.map_or(u64::MAX, |left| (left.as_millis() as u64 + 1).saturating_mul(NODES_A_MS));
        let nodes = limits.nodes.min(by_time);
        let bytes = nodes.saturating_mul(BYTES_A_NODE).min(BYTES).min(self.limits.memory_bytes());
        (limits, usize::try_from(bytes).unwrap_or(usize::MAX))
    }
}

fn with_estimates<G: ExactGame>(mut solution: Solution<G>, judgement: Judgement<G::Move>) -> Solution<G> {
    let Judgement { wdl, proved, depth, nodes, line, stability, moves } = judgement;
    for choice in &mut solution.choices {
        if let Some(own) = moves.iter().find(|own| own.mv == choice.mv) {
            choice.verdict = seen(choice.verdict, own.proved).estimated(own.wdl);
        }
    }
    // The order of equal estimates is the judge's.
    let place = |mv: G::Move| moves.iter().position(|own| own.mv == mv);
    solution.choices.sort_by_key(|choice| place(choice.mv));
    solution.verdict = seen(solution.verdict, proved).estimated(wdl);
    rank(&mut solution.choices);
    let exact_from = proved.map(|_| 0);
    solution.insight = Some(Insight { depth, nodes, line, exact_from, stability });
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
