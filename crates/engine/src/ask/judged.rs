//! Estimates of unproved values, by the game's judge.

use std::num::NonZero;

use marquis_core::{Game as _, Notation as _, Symmetric as _, Value};
use marquis_play::{Budget, Level, NoOracle, Oracle, Proved};

use crate::ask::purse::Purse;
use crate::ask::solve::Solver;
use crate::game::exact::ExactGame;
use crate::game::judge::{Judgement, Means};
use crate::game::tabled::Tabled;
use crate::query::Opponent;
use crate::results::{Insight, Proof, Solution, ValuedMove, Verdict, Wdl};
use crate::{EngineError, Limits};
use marquis_wire::Goal;

/// Positions that the judge examines without a limit: about a third of a second.
const NODES: u64 = 200_000;
/// The same after an interruption: a few milliseconds.
const NODES_IN_A_HURRY: u64 = 2_000;
/// The maximum memory of the judge, in bytes.
const BYTES: u64 = 64 << 20;
/// An upper bound of the bytes that it writes per position.
const BYTES_A_NODE: u64 = 64;
/// An upper bound of the positions that it examines per millisecond.
const NODES_A_MS: u64 = 2_000;
/// The number of positions for which another thread pays.
const NODES_A_THREAD: u64 = 10_000;

/// Computes an intermediate judgement, seen from the requested position.
type Seen<'a, G> = dyn Fn() -> Judgement<<G as Tabled>::Move> + 'a;

impl<G: ExactGame> Solver<'_, G> {
    /// Adds estimates to an answer with unknown value, wherever nothing is proved.
    ///
    /// A value that the judge has searched to the end, or to a table or proof, counts as proved by search.
    pub(crate) fn judged(&self, solution: Solution<G>, purse: &Purse) -> Solution<G> {
        if solution.over.is_some() {
            return solution;
        }
        if solution.is_settled() {
            return self.weighed(solution, purse);
        }
        let means = self.for_the_judge(purse, self.knowledge);
        let mut report = |seen: &Seen<'_, G>| {
            self.control.show(|| {
                let judgement = seen();
                insight::<G>(&judgement).look(judgement.wdl, self.game, &solution.position)
            });
        };
        let judgement = self.judgement(&solution.position, &means, &mut report);
        let answer = self.with_losses_ordered(with_estimates(solution, judgement));
        let insight = answer
            .insight
            .clone()
            .map(|thought| Insight { exact_from: self.exact_from(&answer, &thought), ..thought });
        Solution { insight, ..answer }
    }

    /// The ply of the line from which the value is known: 0 if the answer knows it.
    fn exact_from(&self, answer: &Solution<G>, thought: &Insight<G>) -> Option<u16> {
        if answer.is_settled() {
            return Some(0);
        }
        let mut position = answer.position;
        let mut is_known = |&mv: &G::Move| {
            position = self.game.play(&position, mv);
            self.knowledge.follows(&position).value().is_some()
        };
        let looked_up = thought.line.iter().position(&mut is_known).map(|before| before as u16 + 1);
        // The judge knows more about some ends, such as races.
        looked_up.into_iter().chain(thought.exact_from).min()
    }

    /// Adds estimates to an answer with known value: of every move without a value, and to order moves of equal
    /// value.
    ///
    /// The judge ignores proofs: with them, all moves of a lost position would be equal.
    pub(crate) fn weighed(&self, solution: Solution<G>, purse: &Purse) -> Solution<G> {
        if solution.over.is_some() || solution.reaches(Goal::Plies) {
            return solution;
        }
        let means = self.for_the_judge(purse, &NoOracle);
        let judgement = self.judgement(&solution.position, &means, &mut |_| {});
        Solution { insight: None, ..with_estimates(solution, judgement) }
    }

    /// The judgement of a position, the same for all its images.
    ///
    /// * `report`: called on the way; it maps the judgement to the position only if it shows it.
    fn judgement(
        &self,
        position: &G::Position,
        means: &Means<'_, G>,
        report: &mut dyn FnMut(&Seen<'_, G>),
    ) -> Judgement<G::Move> {
        let image = self.game.canonical(position);
        let seen =
            |judgement| self.judgement_from(position, (&image, self.with_images_alike(&image, judgement)));
        let mut on_the_way = |judgement: Judgement<G::Move>| report(&|| seen(judgement.clone()));
        seen(self.judge.judge(self.game, &image, means, &mut on_the_way))
    }

    /// Adds static estimates to every move without a value.
    pub(crate) fn at_first_sight(&self, solution: Solution<G>) -> Solution<G> {
        if solution.over.is_some() || solution.reaches(Goal::Plies) {
            return solution;
        }
        self.sighted(solution)
    }

    fn sighted(&self, solution: Solution<G>) -> Solution<G> {
        let judgement = self.sight(&solution);
        Solution { insight: None, ..with_estimates(solution, judgement) }
    }

    /// The judgement without look-ahead and without proofs.
    fn sight(&self, solution: &Solution<G>) -> Judgement<G::Move> {
        let nodes = 2 * solution.choices.len() as u64;
        let budget = Budget::nodes(nodes);
        let (bytes, threads) =
            (usize::try_from(nodes * BYTES_A_NODE).unwrap_or(usize::MAX), NonZero::<usize>::MIN);
        let means = Means { budget, bytes, threads, oracle: &NoOracle };
        self.judgement(&solution.position, &means, &mut |_| {})
    }

    /// Orders the proved losses, which are equal to a judge that knows the proofs.
    fn with_losses_ordered(&self, mut solution: Solution<G>) -> Solution<G> {
        let is_unranked = |choice: &ValuedMove<G>| {
            choice.verdict.value() == Some(Value::Loss) && choice.verdict.plies().is_none()
        };
        if solution.choices.iter().filter(|choice| is_unranked(choice)).count() < 2 {
            return solution;
        }
        let sight = self.sight(&solution);
        for (place, own) in sight.moves.iter().enumerate() {
            let of_move = |choice: &&mut ValuedMove<G>| choice.mv == own.mv && is_unranked(choice);
            for choice in solution.choices.iter_mut().filter(of_move) {
                choice.leaning = Some(leaning(own.wdl, place));
            }
        }
        let solution = solution.concluded();
        let insight = solution.insight.clone().map(|thought| along_the_first(thought, &solution));
        Solution { insight, ..solution }
    }

    /// The move of a player of the given level, and the answer about the position.
    ///
    /// The highest level uses tables, proofs and rules and looks ahead beyond them; the others only look ahead.
    ///
    /// # Errors
    /// The game is over, or a table cannot be read.
    pub(crate) fn advise(
        &self,
        position: &G::Position,
        opponent: Opponent,
    ) -> Result<(ValuedMove<G>, Solution<G>), EngineError> {
        if self.game.over(position).is_some() {
            return Err(EngineError::no_move(self.game.position_text(position)));
        }
        let purse = Purse::of(self.limits, self.control);
        self.knowledge.recall();
        let known = self.gathered(position)?;
        if opponent.level == Level::MAX {
            let known = if self.knowledge.is_near() {
                self.gathered_with_proofs(position, known)?
            } else {
                self.knowledge.begin_to_open_proofs();
                known
            };
            let solution = self.advised(known, purse);
            let best = to_play(&solution).expect("who is to move has a move").clone();
            return Ok((best, self.unless_missed(solution)?));
        }
        let means = self.for_the_judge(&purse, self.knowledge);
        let chosen = self.judge.choose(opponent, self.game, position, &means);
        let mut solution = self.at_first_sight(known);
        if !solution.is_settled() {
            solution.verdict = solution.verdict.estimated(chosen.wdl);
        }
        let choice = solution.choices.iter().find(|choice| choice.mv == chosen.mv).cloned();
        Ok((choice.expect("a player chooses a legal move"), solution))
    }

    /// The answer about a position in which a move is wanted. The judge gets the whole limit, unless the position is
    /// known to be won and the winning move is not.
    fn advised(&self, known: Solution<G>, mut purse: Purse) -> Solution<G> {
        if known.verdict.value() == Some(Value::Draw) && known.reaches(Goal::Moves) {
            // All drawing moves are worth the same; the most promising one is played.
            return self.sighted(known);
        }
        if known.knows_what_to_play() {
            return self.at_first_sight(known);
        }
        if known.verdict.value() == Some(Value::Win) {
            return self.refined(known, &mut purse, None);
        }
        if known.is_settled() {
            return self.weighed(known, &purse);
        }
        self.glance(&known);
        let direct = self.direct(&known.position);
        direct.unwrap_or_else(|| self.judged(known, &purse))
    }

    /// Shows an estimate after a few milliseconds, if the caller wants early results and does not limit positions.
    fn glance(&self, known: &Solution<G>) {
        if self.control.has_looks() && self.limits.nodes.is_none() {
            let hurry = Limits { nodes: Some(NODES_IN_A_HURRY), ..*self.limits };
            let glance = Solver { limits: &hurry, ..*self };
            glance.judged(known.clone(), &Purse::of(&hurry, self.control));
        }
    }

    /// The remaining resources for the judge.
    fn for_the_judge<'m>(&'m self, purse: &Purse, oracle: &'m dyn Oracle<G::Rules>) -> Means<'m, G> {
        let stopped = self.control.stopped();
        let otherwise = if purse.until.is_some() { u64::MAX } else { NODES };
        let budget = Budget {
            until: purse.until,
            sharing: self.control.sharing(),
            stop: (!stopped).then(|| self.control.flag()),
            ..Budget::nodes(if stopped { NODES_IN_A_HURRY } else { purse.nodes.unwrap_or(otherwise).max(1) })
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
            oracle,
        }
    }
}

/// The insight of a judgement.
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

/// The move to play: the first, whose value or chance is the best.
fn to_play<G: ExactGame>(solution: &Solution<G>) -> Option<&ValuedMove<G>> {
    solution.choices.first()
}

/// How promising a move looks: its chance, with ties in the judge's order.
fn leaning(wdl: Wdl, place: usize) -> f64 {
    wdl.expected() - 1e-9 * place as f64
}

fn with_estimates<G: ExactGame>(mut solution: Solution<G>, judgement: Judgement<G::Move>) -> Solution<G> {
    let thought = insight(&judgement);
    let Judgement { wdl, proved, moves, .. } = judgement;
    for (place, own) in moves.iter().enumerate() {
        let Some(choice) = solution.choices.iter_mut().find(|choice| choice.mv == own.mv) else { continue };
        choice.verdict = seen(choice.verdict, own.proved).estimated(own.wdl);
        choice.alike = own.alike;
        choice.leaning = Some(leaning(own.wdl, place));
    }
    solution.verdict = seen(solution.verdict, proved).estimated(wdl);
    let solution = solution.concluded();
    Solution { insight: Some(along_the_first(thought, &solution)), ..solution }
}

/// Makes the line begin with the move that the answer recommends.
fn along_the_first<G: ExactGame>(thought: Insight<G>, solution: &Solution<G>) -> Insight<G> {
    match solution.choices.first() {
        Some(best) if thought.line.first() != Some(&best.mv) => {
            Insight { line: vec![best.mv], exact_from: None, ..thought }
        }
        _ => thought,
    }
}

/// The verdict combined with the judge's proof, if there is one.
fn seen(verdict: Verdict, proved: Option<Proved>) -> Verdict {
    match proved {
        Some(Proved { value: value @ (Value::Win | Value::Loss), within }) => {
            let within = (within != Proved::UNCOUNTED).then_some(within);
            verdict.and(Verdict::within(value, within, Proof::Search))
        }
        _ => verdict,
    }
}
