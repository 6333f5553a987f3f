//! The value of a position and of its moves: rules, tables, book, proof files, exhaustive solution, search.

use std::sync::Arc;
use web_time::{Duration, Instant};

use marquis_core::{Bounds, Effort, Game as _, Notation as _, Score};
use marquis_proof::{Ended, Findings, Search, Settings, Strategy};
use marquis_retro::exhaustive::{self, Solved};

use crate::ask::hints::Hints;
use crate::ask::memory::{SEARCH_BYTES_AT_LEAST, scratch_disk, search_bytes, search_settings};
use crate::ask::ordering::rank;
use crate::ask::shares::Shares;
use crate::domain::{Choice, Ending, Proof, Solution, Verdict};
use crate::game::exact::ExactGame;
use crate::game::judge::Judge;
use crate::game::tabled::Tabled;
use crate::know::everything::Everything;
use crate::know::knowledge::Knowledge;
use crate::query::Detail;
use crate::{Control, EngineError, Limits, Progress};

/// Reachable positions up to which a position is solved exhaustively.
pub(crate) const EXHAUSTIVE_STATES: usize = 5_000_000;
/// About the memory that the exhaustive solver takes for a position and its moves.
const BYTES_PER_STATE: u64 = 400;
/// The share of a limit that the exhaustive solver may use before the search starts.
pub(crate) const EXHAUSTIVE_SHARE: u32 = 3;

/// An answer, and strategies that prove as much of it as they allow.
pub(crate) type WithStrategies<G> = (Solution<G>, Vec<Strategy<<G as Tabled>::Rules>>);

/// What is known of a position, and everything reachable from it where that was solved to know it.
type KnownOrListed<G> = (Option<Solution<G>>, Option<Everything<G>>);

/// One question to one game.
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

    /// An answer, unless it does not know what a table elsewhere might have told that was not reached.
    pub(crate) fn unless_missed(&self, answer: Solution<G>) -> Result<Solution<G>, EngineError> {
        self.knowledge.unless_missed(answer, |answer| answer.verdict.value().is_some())
    }

    fn answer_of_any(&self, position: &G::Position) -> Result<Solution<G>, EngineError> {
        let shares = Shares::of(self.limits, self.control);
        if let (Some(answer), _) = self.known_or_listed(position)? {
            return Ok(answer);
        }
        if let Some(answer) = self.direct(position) {
            return Ok(answer);
        }
        if let Some(solved) = self.solve_everything(position) {
            return Ok(self.by_everything(position, &solved));
        }
        let findings = self.search(position, shares);
        Ok(self.judged(self.by_findings(position, &findings), shares))
    }

    /// The best answer within the limits, and strategies that prove as much of it as they allow.
    pub(crate) fn answer_with_strategies(
        &self,
        position: &G::Position,
    ) -> Result<WithStrategies<G>, EngineError> {
        let shares = Shares::of(self.limits, self.control);
        let known = self.known(position, None)?;
        let strategies = self.strategies_at_once(position);
        if let Some(answer) = known.clone().filter(|_| !strategies.is_empty()) {
            return Ok((answer, strategies));
        }
        if let Some(solved) = self.solve_everything(position) {
            let answer = self.known(position, Some(&solved))?.unwrap_or_else(|| self.unknown(position));
            return Ok((answer, self.strategies_by(position, |child| solved.score(self.game, child))));
        }
        let known = known.filter(|known| known.verdict.value().is_some()).or_else(|| self.direct(position));
        let (findings, strategies) = self.search_for_proof(position, shares);
        let searched = || self.judged(self.by_findings(position, &findings), shares);
        Ok((self.unless_missed(known.unwrap_or_else(searched))?, strategies))
    }

    /// What the search finds, and its strategies as far as the rules alone replay them.
    ///
    /// Tables help it; where they do not reach to the end of every line, it goes on without them.
    fn search_for_proof(
        &self,
        position: &G::Position,
        shares: Shares,
    ) -> (Findings<G::Rules>, Vec<Strategy<G::Rules>>) {
        if !self.in_tables(position) {
            let findings = self.search(position, shares);
            let strategies = self.by_rules_alone(findings.strategies.clone());
            if strategies.len() == findings.strategies.len() || self.control.stopped() {
                return (findings, strategies);
            }
        }
        let findings = self.search_with(None, position, shares);
        let strategies = findings.strategies.clone();
        (findings, strategies)
    }

    /// What the first says that knows the position: rules, tables, an exhaustive solution where there is one or was one
    /// for an earlier question, the book of known results, proof files.
    ///
    /// A proof file knows the value alone, and of the moves the one that it plays; so an exhaustive solution, which has
    /// plies and all moves, goes before it.
    ///
    /// * `solved`: everything reachable from some position, where that was solved.
    pub(crate) fn known(
        &self,
        position: &G::Position,
        solved: Option<&Everything<G>>,
    ) -> Result<Option<Solution<G>>, EngineError> {
        if self.game.over(position).is_some() {
            return Ok(Some(self.finished(position)));
        }
        if let Some(answer) = self.by_tables(position)? {
            return Ok(Some(answer));
        }
        if let Some(solved) = solved.filter(|solved| solved.score(self.game, position).is_some()) {
            return Ok(Some(self.by_everything(position, solved)));
        }
        if let Some(table) = self.knowledge.sub_table(position) {
            return Ok(Some(self.by_scores(position, |child| table.score(self.game, child), Proof::Search)));
        }
        Ok(self.by_results(position))
    }

    /// What is known of a position, and the exhaustive solution where proof files alone knew it and that is soon made.
    pub(crate) fn known_or_listed(&self, position: &G::Position) -> Result<KnownOrListed<G>, EngineError> {
        let known = self.known(position, None)?;
        let bare = known.as_ref().is_some_and(Solution::knows_values_alone);
        match bare.then(|| self.listed(position)).flatten() {
            Some(solved) => Ok((self.known(position, Some(&solved))?, Some(solved))),
            None => Ok((known, None)),
        }
    }

    /// Everything reachable, where that is soon listed.
    fn listed(&self, position: &G::Position) -> Option<Everything<G>> {
        if let Some(table) = self.knowledge.sub_table(position) {
            return Some(Everything::Tabled(table));
        }
        if G::is_vast(self.game, position) {
            return None;
        }
        // Whoever gave a time gave it for that; to others the proof is answer enough.
        let most = if self.limits.time.is_some() { EXHAUSTIVE_STATES } else { VAST_STATES };
        self.exhaust_up_to(position, self.states_allowed().min(most)).map(Everything::Listed)
    }

    /// The answer where the position and all that its moves lead to are of a kind that is solved directly.
    pub(crate) fn direct(&self, position: &G::Position) -> Option<Solution<G>> {
        let by_time =
            |time: Duration| u32::try_from(time.as_millis()).map(|ms| ms.saturating_mul(DIRECT_EFFORT_A_MS));
        let allowed = self.limits.time.map_or(u32::MAX, |time| by_time(time).unwrap_or(u32::MAX));
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

    /// The answer of an exhaustive solution.
    fn by_everything(&self, position: &G::Position, solved: &Everything<G>) -> Solution<G> {
        let answer = self.by_scores(position, |child| solved.score(self.game, child), Proof::Search);
        answer.after(self.ending(Ended::Answered))
    }

    /// The end of a search for this reason.
    fn ending(&self, ended: Ended) -> Ending {
        Ending { ended, unproved: None, memory: search_bytes(self.limits), disk: self.limits.disk_bytes() }
    }

    /// How a search ended that has found this.
    pub(crate) fn ending_of(&self, findings: &Findings<G::Rules>) -> Ending {
        Ending { unproved: findings.unproved, ..self.ending(findings.ended) }
    }

    /// What rules, tables and proof files say, as much of it as is wanted.
    pub(crate) fn looked_up(
        &self,
        position: &G::Position,
        detail: Detail,
    ) -> Result<Solution<G>, EngineError> {
        let answer = match detail {
            Detail::Moves => self.known(position, None)?.unwrap_or_else(|| self.unknown(position)),
            Detail::Value => self.known_value(position)?,
        };
        // Whoever looks up wants all moves, too.
        self.knowledge.unless_missed(answer, |_| false)
    }

    /// What rules, tables and proof files say about a position, without its moves.
    fn known_value(&self, position: &G::Position) -> Result<Solution<G>, EngineError> {
        if self.game.over(position).is_none()
            && let Some(score) = self.knowledge.table_score(position)?
        {
            return Ok(self.frame(position, Verdict::exact(score, Proof::Table), Vec::new()));
        }
        let mut answer = self.known(position, None)?.unwrap_or_else(|| self.unknown(position));
        answer.choices.clear();
        Ok(answer)
    }

    /// The moment at which one of several tries should end that begins now.
    pub(crate) fn share_of_time(&self) -> Option<Instant> {
        self.limits.time.and_then(|time| self.control.now().checked_add(time / EXHAUSTIVE_SHARE))
    }

    /// Solves everything reachable, if it is little enough and the limits leave room.
    pub(crate) fn exhaust(&self, position: &G::Position) -> Option<Solved<G::Rules>> {
        // Counting up to the limit takes some ten seconds: too long to find out what an estimate says.
        let most = if G::is_vast(self.game, position) { VAST_STATES } else { EXHAUSTIVE_STATES };
        self.exhaust_up_to(position, self.states_allowed().min(most))
    }

    /// How many states the limit of nodes leaves to the exhaustive solver.
    pub(crate) fn states_allowed(&self) -> usize {
        let share = |nodes| usize::try_from(nodes / u64::from(EXHAUSTIVE_SHARE)).unwrap_or(usize::MAX);
        self.limits.nodes.map_or(usize::MAX, share)
    }

    /// Solves everything reachable, if it is at most so many states and the limits leave room.
    pub(crate) fn exhaust_up_to(&self, position: &G::Position, states: usize) -> Option<Solved<G::Rules>> {
        self.exhaust_until(position, states, self.share_of_time())
    }

    /// The same with a moment at which it should end.
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
            slept: self.control.slept(),
            stop: self.control.flag(),
        };
        let mut tell = |progress: marquis_retro::SolveProgress| {
            let phase = "everything reachable".to_owned();
            self.control.tell(&Progress {
                phase,
                done: progress.done,
                total: Some(progress.of),
                bounds: None,
            });
        };
        // Whichever limit ended it, the search goes on with what is left.
        exhaustive::solve(self.game, *position, &limits, &mut tell).ok()
    }

    /// Searches for a proof.
    pub(crate) fn search(&self, position: &G::Position, shares: Shares) -> Findings<G::Rules> {
        self.search_with(Some(self.knowledge), position, shares)
    }

    /// The same, also without what is known of the game.
    fn search_with(
        &self,
        knowledge: Option<&Knowledge<'_, G>>,
        position: &G::Position,
        shares: Shares,
    ) -> Findings<G::Rules> {
        // After an interruption there is no more than what is known at once.
        let settings = match self.control.stopped() {
            true => Settings::within(SEARCH_BYTES_AT_LEAST as usize, 1),
            false => search_settings(self.limits),
        };
        let hints = Hints::new(self.game, self.judge);
        let disk = scratch_disk(self.limits);
        let search =
            Search::with_knowledge(self.game, &knowledge, &hints, settings).with_disk_if_any(disk.as_ref());
        let limits = marquis_proof::SearchLimits {
            nodes: shares.proof_nodes,
            deadline: shares.proof_until,
            slept: self.control.slept(),
            stop: Some(self.control.flag()),
        };
        search.solve(position, &limits, |progress| {
            let (phase, bounds) = ("searching".to_owned(), progress.bounds.first().copied());
            self.control.tell(&Progress { phase, done: progress.nodes, total: None, bounds });
        })
    }

    /// The answer where the game is over.
    fn finished(&self, position: &G::Position) -> Solution<G> {
        let over = self.game.over(position);
        let turn = self.game.turn(position);
        let verdict = over.map_or(Verdict::UNKNOWN, |over| {
            Verdict::exact(Score::finished(over.outcome.for_mover(turn)), Proof::Rules)
        });
        self.frame(position, verdict, Vec::new())
    }

    /// The answer of which nothing is known but the rules.
    pub(crate) fn unknown(&self, position: &G::Position) -> Solution<G> {
        let moves = self.each_move(position, |_, child| self.leaf(child).unwrap_or(Verdict::UNKNOWN));
        self.frame(position, Verdict::UNKNOWN, moves)
    }

    /// What a move is worth when the game is over after it.
    fn leaf(&self, child: &G::Position) -> Option<Verdict> {
        let over = self.game.over(child)?;
        let value = over.outcome.for_mover(self.game.turn(child));
        Some(Verdict::exact(Score::finished(value).before_move(), Proof::Rules))
    }

    /// What tables and proof files know of a move that leads to this position; a table that cannot be read is silent.
    pub(crate) fn known_of_move(&self, after: &G::Position) -> Option<Verdict> {
        if self.game.over(after).is_some() {
            return self.leaf(after);
        }
        let tabled = self.knowledge.quick_score(after);
        let tabled = tabled.map(|score| Verdict::exact(score.before_move(), Proof::Table));
        tabled.or_else(|| self.knowledge.known_result(after).map(Verdict::into_known)).or_else(|| {
            let bounds = self.knowledge.proved_bounds(after).filter(|bounds| bounds.value().is_some())?;
            Some(Verdict::bounded(bounds.for_opponent(), Proof::Search))
        })
    }

    /// What tables say where they hold all that the moves lead to and is not over; also of a position that is in none.
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

    /// What the book and proof files say, of the position and of each move.
    fn by_results(&self, position: &G::Position) -> Option<Solution<G>> {
        let known = self.knowledge.known_result(position);
        let proved = |position: &G::Position| self.knowledge.proved_bounds(position);
        let verdict = match known {
            Some(known) => Verdict::known(known),
            None => Verdict::bounded(proved(position)?, Proof::Search),
        };
        let moves = self.each_move(position, |_, child| {
            let bounded = || Some(Verdict::bounded(proved(child)?.for_opponent(), Proof::Search));
            self.known_of_move(child).or_else(bounded).unwrap_or(Verdict::UNKNOWN)
        });
        let entry = known.map(|known| Arc::clone(&known.entry));
        Some(Solution { entry, ..self.frame(position, verdict, moves) })
    }

    /// The answer when the score of every child is known.
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

    /// The answer of a search.
    pub(crate) fn by_findings(&self, position: &G::Position, findings: &Findings<G::Rules>) -> Solution<G> {
        if self.game.over(position).is_some() {
            return self.finished(position);
        }
        let moves = self.each_move(position, |mv, child| {
            if let Some(leaf) = self.leaf(child) {
                return leaf;
            }
            let Some(found) = findings.moves.iter().find(|found| found.mv == mv) else {
                return Verdict::UNKNOWN;
            };
            searched(found.bounds)
        });
        self.frame(position, searched(findings.bounds), moves).after(self.ending_of(findings))
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
    ) -> Vec<Choice<G>> {
        let choice = |(mv, after): (G::Move, G::Position)| Choice {
            mv,
            text: self.game.move_text(position, mv),
            verdict: verdict(mv, &after),
            after,
            delta: None,
        };
        self.children(position).into_iter().map(choice).collect()
    }

    fn frame(&self, position: &G::Position, verdict: Verdict, mut choices: Vec<Choice<G>>) -> Solution<G> {
        rank(&mut choices);
        let over = self.game.over(position);
        Solution { position: *position, over, verdict, choices, insight: None, ending: None, entry: None }
    }
}

/// The verdict of bounds that a search has found.
const fn searched(bounds: Bounds) -> Verdict {
    let proof = if matches!(bounds, Bounds::UNKNOWN) { Proof::None } else { Proof::Search };
    Verdict::bounded(bounds, proof)
}

/// The effort for direct scores: some ten seconds.
const DIRECT_EFFORT: u32 = 2_000_000;
/// The effort that a small part of a limit allows.
const DIRECT_EFFORT_A_MS: u32 = 50;

/// How many positions are counted where an estimate says that there are far too many.
pub(crate) const VAST_STATES: usize = 1 << 17;
