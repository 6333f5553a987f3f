//! P6: the answer after other requests, and R: the review of a short game from the position.

use marquis_engine::{Engine, Pie, Until};

use super::super::asked::{balance, probe, review, solve};
use super::super::balances::question;
use super::super::case::{Budget, Case};
use super::super::compare::{ASKED_TWICE, Pair};
use super::super::judge::Judge;
use super::super::reviews;
use super::super::said::{Detail, Said};
use super::Chunk;
use crate::reference::symmetry;

/// The length of the reviewed game, in plies.
const PLIES: usize = 4;
/// The lookup before other requests, and after them.
const KEPT: Pair = Pair { contradiction: "P1.two-documents", forgotten: "P6.lookup-after-others" };

impl Chunk<'_> {
    /// Queries neighbouring positions, and then the position again.
    ///
    /// * `alone`: its answer from a fresh engine.
    pub(super) fn after_others(&mut self, case: &Case, alone: &Said, budget: Budget) {
        let engine = self.engine();
        let before = probe(&engine, &case.query());
        let before = Said::checked(case, &before, Detail::Moves, &mut Judge::default());
        let asked = self.ask_others(&engine, case, alone, budget);
        let command = || format!("{}; {}", asked.join("; "), case.command("solve", budget));
        let after = probe(&engine, &case.query());
        let call = Self::call("probe after other questions", budget);
        self.judged((&call, case, command()), (&after, Detail::Moves), |after, judge| {
            if let Some(before) = &before {
                before.is_kept_by(after, KEPT, judge);
            }
        });
        let after = solve(&engine, case, budget);
        let call = Self::call("solve after other questions", budget);
        self.judged((&call, case, command()), (&after, Detail::Moves), |after, judge| {
            alone.is_kept_by(after, ASKED_TWICE, judge);
        });
    }

    /// Queries a position after a move, an image, the board and a short game; returns the commands.
    fn ask_others(&mut self, engine: &Engine, case: &Case, alone: &Said, budget: Budget) -> Vec<String> {
        let mut asked = Vec::new();
        let mut ask = |other: &Case| {
            drop(solve(engine, other, budget));
            asked.push(other.command("solve", budget));
        };
        let image = *self.draw.pick(&symmetry::images(case.game));
        ask(&case.at(image.position(case.game, &case.position)));
        if let Some(own) = alone.exact().filter(|document| !document.listed().is_empty()) {
            ask(&case.at(self.draw.pick(own.listed()).position.clone()));
        }
        if let Some(query) = question(case, Pie::Marquisian, Until::BothColours) {
            drop(balance(engine, &query, budget));
            asked.push(format!("marquis balance {} {:?} --both", case.game, query.board));
        }
        if !case.has_throws() {
            asked.extend(self.looked_over(engine, case, alone, budget));
        }
        asked
    }

    /// Reviews a short random game and checks the review; returns the command to repeat it.
    fn looked_over(&mut self, engine: &Engine, case: &Case, alone: &Said, budget: Budget) -> Option<String> {
        let (rules, mut here, mut moves) = (case.rules(), case.position.clone(), Vec::new());
        for ply in 0..PLIES {
            let legal = rules.moves(&here, None);
            // The first move of the answer keeps the value; others may lose it.
            let best = alone.exact().and_then(|document| document.listed().first());
            let best = best.filter(|_| ply == 0 && self.draw.below(2) == 0);
            let random = self.draw.pick_any(&legal.iter().collect::<Vec<_>>());
            let (text, after) = match (best, random) {
                (Some(best), _) => (best.text.clone(), best.position.clone()),
                (None, Some(random)) => random.clone(),
                (None, None) => break,
            };
            moves.push(text);
            here = after;
        }
        if moves.is_empty() {
            return None;
        }
        let mut judge = Judge::default();
        match (review(engine, case, &moves, budget), alone.exact()) {
            (Ok(json), Some(first)) => reviews::check(&json, first, &mut judge),
            (Err(error), _) => judge.expect("P0.answered", false, || error),
            _ => {}
        }
        let text = format!("[Position \"{}\"] {}", case.position, moves.join(" "));
        let command =
            format!("{} <<< '{text}'", case.at("-").command("review", budget).replace(" \"-\"", " -"));
        let call = Self::call("review", budget);
        self.found(&call, &judge, || command.clone());
        Some(command)
    }
}
