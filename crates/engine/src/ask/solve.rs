//! The value of a position and of its moves: rules, tables, book, proof files, exhaustive solution, search.

use std::sync::Arc;
use web_time::{Duration, Instant};

use marquis_core::{Bounds, Effort, Game as _, Notation as _, Score};
use marquis_proof::{Ended, Findings, ProofSearch, SearchLimits, SearchProgress, Settings, Strategy};
use marquis_retro::exhaustive::{self, Solved};

use crate::ask::hints::SearchHints;
use crate::ask::memory::{SEARCH_BYTES_AT_LEAST, scratch_disk, search_bytes, search_settings};
use crate::ask::purse::Purse;
use crate::game::exact::ExactGame;
use crate::game::judge::Judge;
use crate::game::tabled::Tabled;
use crate::knowledge::reachable::Everything;
use crate::knowledge::sources::{Files, Knowledge};
use crate::query::Detail;
use crate::results::{Ending, Proof, Solution, ValuedMove, Verdict};
use crate::{Control, EngineError, Limits, Progress};
use marquis_wire::Goal;

/// The maximum number of reachable positions for an exhaustive solution.
pub(crate) const EXHAUSTIVE_STATES: usize = 5_000_000;
/// The approximate memory of the exhaustive solver per position and its moves, in bytes.
const BYTES_PER_STATE: u64 = 400;
/// The exhaustive solver may use one part in `EXHAUSTIVE_SHARE` of a limit before the search starts.
pub(crate) const EXHAUSTIVE_SHARE: u32 = 3;

/// An answer, and strategies that prove as much of it as possible.
pub(crate) type WithStrategies<G> = (Solution<G>, Vec<Strategy<<G as Tabled>::Rules>>);

/// An answer, and the solution of everything reachable that it rests on, if any.
pub(crate) type Worked<G> = (Solution<G>, Option<Everything<G>>);

/// One request to one game.
pub(crate) struct Solver<'a, G: ExactGame> {
    pub(crate) game: &'a G::Rules,
    pub(crate) knowledge: &'a Knowledge<'a, G>,
    pub(crate) judge: &'a dyn Judge<G>,
    pub(crate) limits: &'a Limits,
    pub(crate) control: &'a Control<'a>,
}

impl<G: ExactGame> Solver<'_, G> {
    /// The best answer within the limits.
    pub(crate) fn answer(&self, position: &G::Position) -> Result<Solution<G>, EngineError> {
        self.unless_missed(self.answer_of_any(position)?)
    }

    /// Returns the answer, unless it lacks a value that a remote table might have, which could not be reached.
    ///
    /// Its proved values are kept for later requests.
    pub(crate) fn unless_missed(&self, answer: Solution<G>) -> Result<Solution<G>, EngineError> {
        self.remember(&answer);
        self.knowledge.unless_missed(answer, |answer| answer.verdict.value().is_some())
    }

    /// Keeps the proved values of an answer for later requests.
    pub(crate) fn remember(&self, answer: &Solution<G>) {
        if answer.over.is_some() {
            return;
        }
        let moves = answer.choices.iter().filter(|choice| self.game.over(&choice.after).is_none());
        let moves = moves.filter_map(|choice| Some((&choice.after, choice.verdict.after_move()?)));
        self.knowledge.remember(std::iter::once((&answer.position, answer.verdict)).chain(moves));
    }

    fn answer_of_any(&self, position: &G::Position) -> Result<Solution<G>, EngineError> {
        Ok(self.worked_out(position)?.0)
    }

    /// The best answer within the limits, and the exhaustive solution that it rests on, if any.
    pub(crate) fn worked_out(&self, position: &G::Position) -> Result<Worked<G>, EngineError> {
        let mut purse = Purse::of(self.limits, self.control);
        let known = self.gathered(position)?;
        let known =
            if self.knowledge.is_near() { self.gathered_with_proofs(position, known)? } else { known };
        if known.reaches(self.limits.goal.unwrap_or(Goal::Plies)) {
            return Ok((known, None));
        }
        if let Some(answer) = self.direct(position) {
            return Ok((answer, None));
        }
        if let Some(solved) = self.solve_everything(position) {
            return Ok((self.by_everything(position, &solved), Some(solved)));
        }
        self.knowledge.recall();
        let mut known = self.gathered(position)?;
        if self.limits.time.is_none() {
            known = self.gathered_with_proofs(position, known)?;
        } else {
            // Far from the positions of the book a search is as likely to find the value, so it does not wait for
            // proofs.
            self.knowledge.begin_to_open_proofs();
        }
        if known.is_settled() {
            return Ok((self.refined(known, &mut purse, None), None));
        }
        Ok((self.searched(known, &mut purse)?, None))
    }

    /// Adds the knowledge of proofs that have been opened since.
    pub(crate) fn with_opened_proofs(&self, answer: Solution<G>) -> Result<Solution<G>, EngineError> {
        if !self.knowledge.has_closed_proofs() || !self.knowledge.open_proofs(Files::SoonOrNear, &|| true) {
            return Ok(answer);
        }
        let known = self.gathered(&answer.position)?;
        Ok(Solution { entry: known.entry.clone(), ..answer.with_image(self.game, &known) })
    }

    /// The goal at which the answer may stop.
    pub(crate) fn goal(&self) -> Goal {
        let is_limited = self.limits.time.is_some() || self.limits.nodes.is_some();
        self.limits.goal.unwrap_or(if is_limited { Goal::Plies } else { Goal::Moves })
    }

    /// The best answer within the limits, and strategies that prove as much of it as possible.
    pub(crate) fn answer_with_strategies(
        &self,
        position: &G::Position,
    ) -> Result<WithStrategies<G>, EngineError> {
        let mut purse = Purse::of(self.limits, self.control);
        let known = self.gathered(position)?;
        let strategies = self.strategies_at_once(position);
        if !strategies.is_empty() {
            return Ok((known, strategies));
        }
        if let Some(solved) = self.solve_everything(position) {
            let answer = self.known_by(position, Some(&solved))?;
            return Ok((answer, self.strategies_by(position, |child| solved.score(self.game, child))));
        }
        let known = if known.is_settled() { known } else { self.direct(position).unwrap_or(known) };
        let share = purse.for_proof(self.limits.judge);
        let (findings, strategies) = self.search_for_proof(position, share);
        purse.spend(findings.nodes);
        let answer = self.with_findings(known, &findings);
        let answer = if answer.is_settled() {
            self.refined(answer, &mut purse, None)
        } else {
            self.judged(answer, &purse)
        };
        Ok((self.unless_missed(answer)?, strategies))
    }

    /// The findings of the search, and those strategies that the rules alone can replay.
    ///
    /// The first search uses tables. If they do not cover every line to its end, a second one runs without them.
    fn search_for_proof(
        &self,
        position: &G::Position,
        share: Purse,
    ) -> (Findings<G::Rules>, Vec<Strategy<G::Rules>>) {
        if !self.in_tables(position) {
            let findings = self.search_with(Some(self.knowledge), position, share);
            let strategies = self.by_rules_alone(findings.strategies.clone());
            if strategies.len() == findings.strategies.len() || self.control.stopped() {
                return (findings, strategies);
            }
        }
        let findings = self.search_with(None, position, share);
        let strategies = findings.strategies.clone();
        (findings, strategies)
    }

    /// The answer without a search, from the best source: rules, tables, an exhaustive solution of an earlier
    /// request, or the book and proofs together; with all one-step consequences.
    pub(crate) fn gathered(&self, position: &G::Position) -> Result<Solution<G>, EngineError> {
        if self.game.over(position).is_some() {
            return Ok(self.finished(position));
        }
        if let Some(answer) = self.by_tables(position)? {
            return Ok(answer);
        }
        if let Some(table) = self.knowledge.sub_table(position) {
            return Ok(self.by_scores(position, |child| table.score(self.game, child), Proof::Search));
        }
        let moves = self.each_move(position, |_, child| self.knowledge.fact_ahead(child).before_move());
        let answer = self.frame(position, self.knowledge.fact(position), moves);
        let is_near = |verdict: &Verdict| matches!(verdict.proof, Proof::Book | Proof::File);
        let near = is_near(&answer.verdict) || answer.choices.iter().any(|choice| is_near(&choice.verdict));
        let positions = std::iter::once(position).chain(answer.choices.iter().map(|choice| &choice.after));
        self.knowledge.set_near(near, positions);
        let known = self.knowledge.known_result(position).filter(|_| answer.verdict.proof == Proof::Book);
        Ok(Solution { entry: known.map(|known| Arc::clone(&known.entry)), ..answer })
    }

    /// The same with the bundled proofs, if they could add to it and are worth the wait: at once near the positions
    /// of the book, otherwise if nothing else answers.
    pub(crate) fn gathered_with_proofs(
        &self,
        position: &G::Position,
        known: Solution<G>,
    ) -> Result<Solution<G>, EngineError> {
        self.gathered_with(Files::SoonOrNear, position, known)
    }

    fn gathered_with(
        &self,
        files: Files,
        position: &G::Position,
        known: Solution<G>,
    ) -> Result<Solution<G>, EngineError> {
        if known.reaches(Goal::Plies) || !self.knowledge.has_closed_proofs() {
            return Ok(known);
        }
        let until = self.limits.time.and_then(|time| self.control.now().checked_add(time * 3 / 4));
        let give_up = || self.control.stopped() || self.control.is_past(until);
        if self.knowledge.open_proofs(files, &give_up) { self.gathered(position) } else { Ok(known) }
    }

    /// The answer by tables, by `solved` if it covers the position, or else by other knowledge. Earlier proofs do not
    /// change an answer of the first two.
    pub(crate) fn known_by(
        &self,
        position: &G::Position,
        solved: Option<&Everything<G>>,
    ) -> Result<Solution<G>, EngineError> {
        let goes_on = self.game.over(position).is_none();
        let solved = solved.filter(|solved| goes_on && solved.score(self.game, position).is_some());
        match (self.by_tables(position)?.filter(|_| goes_on), solved) {
            (Some(answer), _) => Ok(answer),
            (None, Some(solved)) => Ok(self.by_everything(position, solved)),
            (None, None) => self.gathered(position),
        }
    }

    /// The answer, if the position and all positions after its moves are of a kind that is solved directly.
    pub(crate) fn direct(&self, position: &G::Position) -> Option<Solution<G>> {
        let by_time =
            |time: Duration| u32::try_from(time.as_millis()).map(|ms| ms.saturating_mul(DIRECT_EFFORT_A_MS));
        let by_nodes =
            |nodes: u64| u32::try_from(nodes / NODES_OF_EFFORT).unwrap_or(u32::MAX).max(EFFORT_AT_ONCE);
        let allowed = self.limits.time.map_or(u32::MAX, |time| by_time(time).unwrap_or(u32::MAX));
        let allowed = allowed.min(self.limits.nodes.map_or(u32::MAX, by_nodes));
        let mut effort = Effort::of(allowed.min(DIRECT_EFFORT)).until(self.control.flag());
        let mut score = |position: &G::Position| G::direct_score(self.game, position, &mut effort);
        score(position)?;
        let children = self.children(position);
        let scores: Option<Vec<_>> =
            children.iter().map(|(_, child)| Some((*child, score(child)?))).collect();
        let scores = scores?;
        let of =
            |wanted: &G::Position| scores.iter().find(|(child, _)| child == wanted).map(|(_, score)| *score);
        Some(self.by_scores(position, of, Proof::Search).after(self.ending(Ended::Answered)))
    }

    /// The answer by an exhaustive solution.
    fn by_everything(&self, position: &G::Position, solved: &Everything<G>) -> Solution<G> {
        let answer = self.by_scores(position, |child| solved.score(self.game, child), Proof::Search);
        answer.after(self.ending(Ended::Answered))
    }

    /// The ending of a search that stopped for this reason.
    fn ending(&self, ended: Ended) -> Ending {
        Ending { ended, unproved: None, memory: search_bytes(self.limits), disk: self.limits.disk_bytes() }
    }

    /// The ending of a search with these findings.
    pub(crate) fn ending_of(&self, findings: &Findings<G::Rules>) -> Ending {
        Ending { unproved: findings.unproved, ..self.ending(findings.ended) }
    }

    /// The answer without a search, as detailed as requested, with static estimates for the rest.
    pub(crate) fn looked_up(
        &self,
        position: &G::Position,
        detail: Detail,
    ) -> Result<Solution<G>, EngineError> {
        if detail != Detail::Moves
            && self.game.over(position).is_none()
            && let Some(score) = self.knowledge.table_score(position)?
        {
            return Ok(self.frame(position, Verdict::exact(score, Proof::Table), Vec::new()));
        }
        self.knowledge.recall();
        let known = self.gathered(position)?;
        // A look-up does not wait a minute for a large proof.
        let known = self.gathered_with(Files::Soon, position, known)?;
        if detail == Detail::Moves && matches!(known.verdict.proof, Proof::Book | Proof::File) {
            // The verdicts about the moves may follow from this position alone.
            self.remember(&known);
        }
        let mut answer = if detail == Detail::Known { known } else { self.at_first_sight(known) };
        if detail != Detail::Moves {
            answer.choices.clear();
        }
        // A look-up wants all moves, too.
        self.knowledge.unless_missed(answer, |_| false)
    }

    /// The deadline of one of several attempts that starts now.
    pub(crate) fn share_of_time(&self) -> Option<Instant> {
        self.limits.time.and_then(|time| self.control.now().checked_add(time / EXHAUSTIVE_SHARE))
    }

    /// Solves everything reachable, if it is small enough and the limits allow.
    pub(crate) fn exhaust(&self, position: &G::Position) -> Option<Solved<G::Rules>> {
        // Counting up to the limit takes about ten seconds: too long to confirm an estimate.
        let most = if G::is_vast(self.game, position) { VAST_STATES } else { EXHAUSTIVE_STATES };
        self.exhaust_up_to(position, self.states_allowed().min(most))
    }

    /// The number of states that the limit of nodes leaves to the exhaustive solver.
    pub(crate) fn states_allowed(&self) -> usize {
        let share = |nodes| usize::try_from(nodes / u64::from(EXHAUSTIVE_SHARE)).unwrap_or(usize::MAX);
        self.limits.nodes.map_or(usize::MAX, share)
    }

    /// Solves everything reachable, if it is at most `states` states and the limits allow.
    pub(crate) fn exhaust_up_to(&self, position: &G::Position, states: usize) -> Option<Solved<G::Rules>> {
        self.exhaust_until(position, states, self.share_of_time())
    }

    /// The same with a deadline.
    pub(crate) fn exhaust_until(
        &self,
        position: &G::Position,
        states: usize,
        until: Option<Instant>,
    ) -> Option<Solved<G::Rules>> {
        let by_memory = usize::try_from(self.limits.memory_bytes() / BYTES_PER_STATE).unwrap_or(usize::MAX);
        let limits = marquis_retro::SolveLimits {
            states: states.min(by_memory),
            deadline: until,
            sharing: self.control.sharing(),
            stop: self.control.flag(),
        };
        let phase = format!("everything reachable, {} to move", self.colour_to_move(position));
        let mut tell = |progress: marquis_retro::SolveProgress| {
            self.control.tell(&Progress {
                phase: phase.clone(),
                done: progress.done,
                total: Some(progress.of),
                bounds: None,
            });
        };
        // Regardless of the limit that ended it, the search continues with the rest.
        exhaustive::solve(self.game, *position, &limits, &mut tell).ok()
    }

    /// The name of the colour of the player to move.
    pub(super) fn colour_to_move(&self, position: &G::Position) -> &'static str {
        G::about().colours[self.game.turn(position)]
    }

    /// Searches for a proof.
    fn search_with(
        &self,
        knowledge: Option<&Knowledge<'_, G>>,
        position: &G::Position,
        share: Purse,
    ) -> Findings<G::Rules> {
        let hints = SearchHints::new(self.game, self.judge);
        let disk = scratch_disk(self.limits);
        let search = ProofSearch::with_knowledge(self.game, &knowledge, &hints, self.settings());
        let search = search.with_disk_if_any(disk.as_ref());
        search.solve(position, &self.search_limits(share), |progress| self.tell_of(progress))
    }

    /// The memory and the threads of a search.
    pub(crate) fn settings(&self) -> Settings {
        // An interrupted search returns only immediate results.
        match self.control.stopped() {
            true => Settings::within(SEARCH_BYTES_AT_LEAST as usize, 1),
            false => search_settings(self.limits),
        }
    }

    /// The limits of a search.
    pub(crate) fn search_limits(&self, share: Purse) -> SearchLimits<'_> {
        SearchLimits {
            nodes: share.nodes,
            deadline: share.until,
            sharing: self.control.sharing(),
            stop: Some(self.control.flag()),
        }
    }

    /// Reports the progress of a search to the caller.
    pub(crate) fn tell_of(&self, progress: &SearchProgress) {
        let (phase, bounds) = ("searching".to_owned(), progress.bounds.first().copied());
        self.control.tell(&Progress { phase, done: progress.nodes, total: None, bounds });
    }

    /// The answer if the game is over.
    fn finished(&self, position: &G::Position) -> Solution<G> {
        let over = self.game.over(position);
        let turn = self.game.turn(position);
        let verdict = over.map_or(Verdict::UNKNOWN, |over| {
            Verdict::exact(Score::finished(over.outcome.for_mover(turn)), Proof::Rules)
        });
        self.frame(position, verdict, Vec::new())
    }

    /// The answer by the rules alone.
    pub(crate) fn unknown(&self, position: &G::Position) -> Solution<G> {
        let moves = self.each_move(position, |_, child| {
            let over = self.game.over(child).map(|over| over.outcome.for_mover(self.game.turn(child)));
            let leaf = over.map(|value| Verdict::exact(Score::finished(value), Proof::Rules));
            leaf.unwrap_or(Verdict::UNKNOWN).before_move()
        });
        self.frame(position, Verdict::UNKNOWN, moves)
    }

    /// The answer by tables, if they hold every unfinished position after a move; the position itself may be in none.
    fn by_tables(&self, position: &G::Position) -> Result<Option<Solution<G>>, EngineError> {
        let mut is_tabled = self.knowledge.table_score(position)?.is_some();
        let mut children = Vec::new();
        for (_, child) in self.children(position) {
            let over = self.game.over(&child);
            let score = match over {
                Some(over) => Some(Score::finished(over.outcome.for_mover(self.game.turn(&child)))),
                None => self.knowledge.table_score(&child)?,
            };
            let Some(score) = score else { return Ok(None) };
            is_tabled |= over.is_none();
            children.push((child, score));
        }
        if !is_tabled {
            return Ok(None);
        }
        let score = |wanted: &G::Position| {
            children.iter().find(|(child, _)| child == wanted).map(|(_, score)| *score)
        };
        Ok(Some(self.by_scores(position, score, Proof::Table)))
    }

    /// The answer if the score of every child is known.
    pub(crate) fn by_scores(
        &self,
        position: &G::Position,
        score: impl Fn(&G::Position) -> Option<Score>,
        proof: Proof,
    ) -> Solution<G> {
        let mut best: Option<Score> = None;
        let moves = self.each_move(position, |_, child| match score(child) {
            None => Verdict::UNKNOWN,
            Some(score) => {
                let score = score.before_move();
                best = best.max(Some(score));
                let over = self.game.over(child).is_some();
                Verdict::exact(score, if over { Proof::Rules } else { proof })
            }
        });
        let verdict = best.map_or(Verdict::UNKNOWN, |best| Verdict::exact(best, proof));
        self.frame(position, verdict, moves)
    }

    /// Adds the findings of a search to an answer.
    pub(crate) fn with_findings(
        &self,
        mut answer: Solution<G>,
        findings: &Findings<G::Rules>,
    ) -> Solution<G> {
        answer.verdict = answer.verdict.and(searched(findings.bounds));
        for choice in &mut answer.choices {
            if let Some(found) = findings.moves.iter().find(|found| found.mv == choice.mv) {
                choice.verdict = choice.verdict.and(searched(found.bounds));
            }
        }
        answer.after(self.ending_of(findings)).concluded()
    }

    pub(crate) fn children(&self, position: &G::Position) -> Vec<(G::Move, G::Position)> {
        let mut moves = Vec::new();
        if self.game.over(position).is_none() {
            self.game.moves(position, &mut moves);
        }
        moves.into_iter().map(|mv| (mv, self.game.play(position, mv))).collect()
    }

    fn each_move(
        &self,
        position: &G::Position,
        mut verdict: impl FnMut(G::Move, &G::Position) -> Verdict,
    ) -> Vec<ValuedMove<G>> {
        let choice = |(mv, after): (G::Move, G::Position)| ValuedMove {
            mv,
            text: self.game.move_text(position, mv),
            verdict: verdict(mv, &after),
            after,
            leaning: None,
            alike: None,
            delta: None,
        };
        self.children(position).into_iter().map(choice).collect()
    }

    fn frame(&self, position: &G::Position, verdict: Verdict, choices: Vec<ValuedMove<G>>) -> Solution<G> {
        let over = self.game.over(position);
        let bare = Solution {
            position: *position,
            over,
            verdict,
            choices,
            insight: None,
            ending: None,
            entry: None,
        };
        bare.concluded()
    }
}

/// The verdict of bounds that a search has found.
pub(crate) const fn searched(bounds: Bounds) -> Verdict {
    let proof = if matches!(bounds, Bounds::UNKNOWN) { Proof::None } else { Proof::Search };
    Verdict::bounded(bounds, proof)
}

/// The effort for direct scores: about ten seconds.
const DIRECT_EFFORT: u32 = 2_000_000;
/// The effort of a few milliseconds, which every limit of positions allows.
const EFFORT_AT_ONCE: u32 = 1_000;
/// Positions that a search examines in the time of one unit of effort.
const NODES_OF_EFFORT: u64 = 16;
/// The effort per millisecond of a limit: a small part of it.
const DIRECT_EFFORT_A_MS: u32 = 50;

/// The number of positions to count if an estimate says that they are far too many.
pub(crate) const VAST_STATES: usize = 1 << 17;
