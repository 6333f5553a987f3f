//! Use of the remaining limit: a proof of the value, then the values of the other moves, then plies.

use marquis_core::{Game as _, Hashed as _, Plies, Symmetric as _};
use marquis_proof::{Ended, ProofSearch, SearchProgress};

use crate::ask::hints::SearchHints;
use crate::ask::memory::scratch_disk;
use crate::ask::purse::Purse;
use crate::ask::solve::{Solver, searched};
use crate::game::exact::ExactGame;
use crate::knowledge::sources::Knowledge;
use crate::results::{Solution, ValuedMove, Verdict};
use crate::{EngineError, Progress};
use marquis_wire::Goal;

/// A proof search with all knowledge about a game.
pub(crate) type Searching<'s, 'a, G> = ProofSearch<
    's,
    <G as crate::game::tabled::Tabled>::Rules,
    Option<&'a Knowledge<'a, G>>,
    SearchHints<'a, G>,
>;

/// Hundredths of a limit for the first part of a proof search, and for all of it if an advantage is in sight.
const FIRST_LOOK: u32 = 4;
const FOR_ADVANTAGE: u32 = 40;
/// Positions that are searched even if time is up: about a millisecond.
const AT_ONCE: u64 = 1_000;
/// Hundredths of the rest, and the maximum number of positions, for the judge to decide whether a proof search
/// continues.
const FOR_GLANCE: u32 = 5;
const GLANCE: u64 = 6_000;
/// The distances from an even chance at which an advantage is in sight, and clear. Measured in
/// `tests/strength/LEAVING.md`.
const IN_SIGHT: f64 = 0.15;
const CLEAR: f64 = 0.43;
/// No proof of a game that lasts longer is in sight. Measured there as well.
const LONGEST_IN_SIGHT: Plies = Plies(30);
/// Hundredths of the rest for estimates of moves once the value is proved.
const FOR_ESTIMATES: u32 = 15;
/// Hundredths of the rest for the values of moves if plies are wanted, too.
const FOR_VALUES: u32 = 60;
/// Positions for the values of the moves without a limit: at most a second in the slowest game.
pub(crate) const SOON: u64 = 50_000;

impl<G: ExactGame> Solver<'_, G> {
    /// The best answer by a search, if the value is unknown.
    ///
    /// # Errors
    /// A table cannot be read.
    pub(crate) fn searched(&self, known: Solution<G>, purse: &mut Purse) -> Result<Solution<G>, EngineError> {
        let knowledge = Some(self.knowledge);
        let hints = SearchHints::new(self.game, self.judge);
        let disk = scratch_disk(self.limits);
        let search = ProofSearch::with_knowledge(self.game, &knowledge, &hints, self.settings());
        let search = search.with_disk_if_any(disk.as_ref());
        let answer = self.proved(known, &search, purse)?;
        if answer.is_settled() {
            return Ok(self.refined(answer, purse, Some(&search)));
        }
        Ok(self.judged(answer, purse))
    }

    /// The answer after a proof search.
    ///
    /// Within a limit, the search ends the sooner the more even the game looks to the judge, and soon if it certainly
    /// lasts long: such a proof is rarely found in time, and the judge makes better use of the rest. If only the value
    /// is wanted, it does not.
    fn proved(
        &self,
        known: Solution<G>,
        search: &Searching<'_, '_, G>,
        purse: &mut Purse,
    ) -> Result<Solution<G>, EngineError> {
        let (here, position) = (known.position, self.game.canonical(&known.position));
        let whole = purse.for_proof(self.limits.judge);
        let solve = |share: Purse, purse: &mut Purse| {
            let mut findings =
                search.solve(&position, &self.search_limits(share), |progress| self.tell_of(progress));
            if findings.ended == Ended::Stopped && self.control.is_past(purse.until) {
                // A caller who waits no longer than the limit stops a search that is late.
                findings.ended = Ended::Deadline;
            }
            purse.spend(findings.nodes);
            self.findings_from(&here, (&position, findings))
        };
        if purse.is_endless() {
            return Ok(self.with_findings(known, &solve(whole, purse)));
        }
        if self.limits.judge.is_all() {
            return Ok(known);
        }
        let some = purse.hundredths(FOR_ADVANTAGE, self.control);
        let share = purse.hundredths(FIRST_LOOK, self.control);
        let mut first = solve(share.at_least(AT_ONCE, self.control), purse);
        if share.nodes.is_none() && first.ended == Ended::Nodes {
            // These were searched although time was up.
            first.ended = Ended::Deadline;
        }
        let answer = self.with_opened_proofs(self.with_findings(known, &first))?;
        if answer.is_settled() || first.unproved.is_some() || first.ended == Ended::Stopped {
            return Ok(answer);
        }
        let Some(most) = self.most_for_proof(&answer, [some, whole], purse) else { return Ok(answer) };
        let rest = Purse { nodes: most.nodes.map(|nodes| nodes.saturating_sub(first.nodes)), ..most };
        if rest.is_spent(self.control) {
            return Ok(answer);
        }
        self.with_opened_proofs(self.with_findings(answer, &solve(rest, purse)))
    }

    /// The budget of a proof search that found nothing at first, with the first look; `None` if it ends.
    ///
    /// * `shares`: what it gets if an advantage is in sight, and all that it may get.
    fn most_for_proof(
        &self,
        answer: &Solution<G>,
        [some, whole]: [Purse; 2],
        purse: &mut Purse,
    ) -> Option<Purse> {
        if self.goal() == Goal::Value {
            return Some(whole);
        }
        if self.game.least_plies(&answer.position) > LONGEST_IN_SIGHT {
            return None;
        }
        match self.advantage(answer, purse) {
            advantage if advantage < IN_SIGHT => None,
            advantage if advantage < CLEAR => Some(some),
            _ => Some(whole),
        }
    }

    /// The distance of the chance from even in a short look by the judge, from 0 to 0.5; `CLEAR` if it has no
    /// opinion.
    fn advantage(&self, answer: &Solution<G>, purse: &mut Purse) -> f64 {
        let glance = purse.hundredths(FOR_GLANCE, self.control).at_most(GLANCE);
        let seen = self.judged(answer.clone(), &glance);
        purse.spend(glance.nodes.unwrap_or_default());
        let advantage = seen.verdict.wdl().map(|wdl| (0.5 - wdl.expected()).abs());
        // A judge without an evaluation calls everything exactly even, which is no reason to stop.
        advantage.filter(|&advantage| advantage > f64::EPSILON).unwrap_or(CLEAR)
    }

    /// Extends an answer with known value as far as requested and the limits allow: estimates, the values of all
    /// moves, plies.
    pub(crate) fn refined(
        &self,
        answer: Solution<G>,
        purse: &mut Purse,
        search: Option<&Searching<'_, '_, G>>,
    ) -> Solution<G> {
        let goal = self.goal();
        if answer.over.is_some() || answer.reaches(Goal::Plies) {
            return answer;
        }
        if goal == Goal::Value || purse.is_spent(self.control) {
            return self.with_move_at_once(self.at_first_sight(answer), purse);
        }
        let mut answer = self.weighed(answer, &purse.hundredths(FOR_ESTIMATES, self.control));
        if !answer.reaches(Goal::Moves) {
            let share = if goal == Goal::Plies { purse.hundredths(FOR_VALUES, self.control) } else { *purse };
            let is_unasked = purse.is_endless() && self.limits.goal.is_none();
            let share = if is_unasked { share.at_most(SOON) } else { share };
            answer = self.valued(answer, share, purse, search);
        }
        if goal == Goal::Plies && !purse.is_spent(self.control) {
            answer = self.counted(answer, purse);
        }
        self.with_move_at_once(answer, purse)
    }

    /// Finds a move that keeps the value, if a millisecond is enough.
    fn with_move_at_once(&self, answer: Solution<G>, purse: &Purse) -> Solution<G> {
        self.with_move_named(answer, purse.at_least(AT_ONCE, self.control).at_most(AT_ONCE))
    }

    /// Finds a move that keeps the value, if the book, a proof or an earlier request knows only the value and the
    /// limit is enough.
    pub(crate) fn with_move_named(&self, answer: Solution<G>, mut share: Purse) -> Solution<G> {
        if answer.names_move() {
            return answer;
        }
        self.valued(answer, share, &mut share, None)
    }

    /// Adds the values of moves that a search finds, the most doubtful ones first.
    fn valued(
        &self,
        mut answer: Solution<G>,
        share: Purse,
        purse: &mut Purse,
        search: Option<&Searching<'_, '_, G>>,
    ) -> Solution<G> {
        let open = |verdict: &Verdict| verdict.value().is_none();
        let doubt = |verdict: &Verdict| verdict.estimate.map_or(0.5, |wdl| (wdl.expected() - 0.5).abs());
        let mut wanted: Vec<(f64, G::Position)> = answer
            .choices
            .iter()
            .filter(|choice| open(&choice.verdict))
            .map(|choice| (doubt(&choice.verdict), self.game.canonical(&choice.after)))
            .collect();
        // The same order for all images.
        let key = |position: &G::Position| self.game.key(position);
        wanted.sort_by(|(a, at), (b, other)| a.total_cmp(b).then_with(|| key(at).cmp(&key(other))));
        let positions: Vec<G::Position> = wanted.into_iter().map(|(_, position)| position).collect();
        if positions.is_empty() || share.is_spent(self.control) {
            return answer;
        }
        let mut tell = |progress: &SearchProgress| {
            let (phase, settled) = ("searching the moves".to_owned(), &progress.bounds);
            let done = settled.iter().filter(|bounds| bounds.value().is_some()).count();
            self.control.tell(&Progress {
                phase,
                done: done as u64,
                total: Some(settled.len() as u64),
                bounds: None,
            });
        };
        let limits = self.search_limits(share);
        let mut solve =
            |search: &Searching<'_, '_, G>| search.solve_orbits(&positions, &|_| false, &limits, &mut tell);
        let found = match search {
            Some(search) => solve(search),
            None => {
                let (knowledge, hints) = (Some(self.knowledge), SearchHints::new(self.game, self.judge));
                let disk = scratch_disk(self.limits);
                let own = ProofSearch::with_knowledge(self.game, &knowledge, &hints, self.settings());
                solve(&own.with_disk_if_any(disk.as_ref()))
            }
        };
        purse.spend(found.iter().map(|findings| findings.nodes).sum());
        for (position, findings) in positions.iter().zip(&found) {
            let leads_there = |choice: &&mut ValuedMove<G>| self.game.canonical(&choice.after) == *position;
            for choice in answer.choices.iter_mut().filter(leads_there) {
                choice.verdict = choice.verdict.and(searched(findings.bounds).before_move());
            }
        }
        answer.concluded()
    }
}
