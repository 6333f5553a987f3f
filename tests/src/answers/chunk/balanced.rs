//! B: set-ups balanced under both pies, followed by queries about the first positions.

use marquis_engine::{Pie, Until};

use super::super::asked::{balance, probe, solve};
use super::super::balances::{Weighed, check, player_two, question};
use super::super::case::{Budget, Case};
use super::super::compare::{Pair, verdicts};
use super::super::judge::Judge;
use super::super::said::{Detail, Said};
use super::Chunk;

/// The verdict of a balance about a first position, and the answer about that position.
const WEIGHED: Pair = Pair { contradiction: "P1.balance-and-solve", forgotten: "P6.forgotten-after-balance" };

impl Chunk<'_> {
    /// Balances the board of the position, if it is a set-up.
    pub(super) fn balanced(&mut self, case: &Case, budget: Budget) {
        let engine = self.engine();
        let (mut before, mut weighing): (Option<Weighed>, Vec<String>) = (None, Vec::new());
        for (pie, until) in
            [(Pie::Marquisian, Until::Choice), (Pie::Bait, Until::Choice), (Pie::Bait, Until::BothColours)]
        {
            let Some(query) = question(case, pie, until) else { return };
            let mut command = case.at(query.board.clone()).command("balance", budget);
            command.push_str(&format!(" --pie {}", pie.name()));
            if until == Until::BothColours {
                command.push_str(" --both");
            }
            let mut judge = Judge::default();
            let weighed = match balance(&engine, &query, budget) {
                Ok(json) => check(&json, &query, &case.rules(), &mut judge),
                Err(error) => {
                    judge.expect("P0.answered", false, || error);
                    None
                }
            };
            if let (Some(before), Some(now)) = (&before, &weighed) {
                let follows = player_two(before.firsts.each_ref().map(|first| first.verdict.bounds), pie);
                judge.expect("B.verdict-from-another-pie", now.player_two.within(follows), || {
                    format!("{:?}, expected within {follows:?}", now.player_two)
                });
                for (first, now) in before.firsts.iter().zip(&now.firsts) {
                    verdicts(&first.position, &first.verdict, &now.verdict, WEIGHED, &mut judge);
                }
            }
            let call = Self::call("balance", budget);
            self.found(&call, &judge, || command.clone());
            weighing.push(command);
            before = weighed.or(before);
        }
        let Some(weighed) = before else { return };
        for first in weighed.firsts {
            let own = case.at(first.position.clone());
            for (name, answer) in [
                ("probe after balance", probe(&engine, &own.query())),
                ("solve after balance", solve(&engine, &own, budget)),
            ] {
                let call = Self::call(name, budget);
                let command = format!("{}; {}", weighing.join("; "), own.command("solve", budget));
                self.judged((&call, &own, command), (&answer, Detail::Moves), |said: &Said, judge| {
                    if let Some(document) = said.exact() {
                        verdicts(&first.position, &first.verdict, &document.root, WEIGHED, judge);
                    }
                });
            }
        }
    }
}
