//! Time budgets: answers of searches, players of all levels, batches and balances.

use marquis_engine::{Pie, Until};
use serde_json::json;

use super::super::asked::{Asked, advise, solve};
use super::super::balances::{check, question};
use super::super::case::{Budget, Case};
use super::super::judge::Judge;
use super::super::order::check_chosen;
use super::super::said::Detail;
use super::Chunk;
use crate::reference::senet;

/// The highest level.
const HIGHEST: u8 = 8;

impl Chunk<'_> {
    pub(super) fn timed(&mut self, ms: u64) {
        let cases = self.cases_of(ms);
        let (engine, budget) = (self.engine(), Budget::Time(ms));
        let call = Self::call("solve", budget);
        for case in &cases {
            let answer = solve(&engine, case, budget);
            self.judged((&call, case, case.command("solve", budget)), (&answer, Detail::Moves), |_, _| {});
            let lower = self.draw.between(1, usize::from(HIGHEST) - 1) as u8;
            for level in [lower, HIGHEST].into_iter().filter(|&level| level == HIGHEST || ms < super::LONG_MS)
            {
                let throw = case.has_throws().then(|| self.draw.pick(&senet::THROWS).0 as u8);
                if case.rules().over(&case.position).is_some() {
                    continue;
                }
                let advice = advise(&engine, case, level, throw, budget);
                let more = format!("&level={level}&seed=1");
                let uri = format!("GET {}", case.uri(budget, &with_throw(&more, throw)));
                let call = Self::call(&format!("advise level {}", grouped(level)), budget);
                self.chosen(
                    (&call, case, uri),
                    &advice.clone().map(|json| json["answer"].clone()),
                    level,
                    &advice,
                    "/move",
                );
            }
        }
        self.over_http(&cases, ms);
    }

    fn over_http(&mut self, cases: &[Case], ms: u64) {
        let Some(service) = self.service() else { return };
        let budget = Budget::Time(ms);
        let call = Self::call("GET", budget);
        for case in cases {
            let uri = case.uri(budget, "");
            let answer = service.get(&uri);
            self.judged((&call, case, format!("GET {uri}")), (&answer, Detail::Moves), |_, _| {});
            let level = self.draw.between(1, usize::from(HIGHEST)) as u8;
            let throw = case.has_throws().then(|| self.draw.pick(&senet::THROWS).0 as u8);
            if case.rules().over(&case.position).is_none() {
                let uri = case.uri(budget, &with_throw(&format!("&level={level}&seed=1"), throw));
                let answer = service.get(&uri);
                let call = Self::call(&format!("GET level={}", grouped(level)), budget);
                self.chosen((&call, case, format!("GET {uri}")), &answer, level, &answer, "/chosen/move");
            }
            let Some(query) = question(case, Pie::Marquisian, Until::Choice) else {
                continue;
            };
            let mut body = json!({"board": query.board, "budget_ms": ms});
            if query.immobile == marquis_core::Immobile::Pass {
                body["immobile"] = json!("pass");
            }
            let Ok(balance) = service.post(&format!("/v1/{}/balance", case.game), &body) else { continue };
            // A running job is not a balance.
            if balance["first_mover"].is_object() {
                let mut judge = Judge::default();
                check(&balance, &query, &case.rules(), &mut judge);
                let call = Self::call("POST balance", budget);
                self.found(&call, &judge, || format!("POST /v1/{}/balance {body}", case.game));
            }
        }
        let positions: Vec<&String> = cases.iter().map(|case| &case.position).collect();
        let mut body = json!({"positions": positions, "budget_ms": ms * cases.len() as u64});
        if cases[0].immobile == crate::reference::Immobile::Pass && cases[0].has_set_ups() {
            body["immobile"] = json!("pass");
        }
        let answers = service.post(&format!("/v1/{}", cases[0].game), &body);
        let call = Self::call("POST", budget);
        for (number, case) in cases.iter().enumerate() {
            let answer = answers.clone().map(|json| json["answers"][number].clone());
            let command = format!(
                "POST /v1/{} {{\"positions\": [{:?}], \"budget_ms\": {ms}}}",
                case.game, case.position
            );
            self.judged((&call, case, command), (&answer, Detail::Moves), |_, _| {});
        }
    }

    /// Checks an answer with a chosen move.
    ///
    /// * `chosen`: the document with the move, and its place there.
    fn chosen(
        &mut self,
        asked: (&str, &Case, String),
        answer: &Asked,
        level: u8,
        chosen: &Asked,
        place: &str,
    ) {
        self.judged(asked, (answer, Detail::Moves), |said, judge| {
            let Ok(json) = chosen else { return };
            let mv = json.pointer(place).and_then(|mv| mv.as_str()).unwrap_or_default();
            if let Some(document) = said.exact() {
                judge.expect("P0.chosen", document.of_move(mv).is_some(), || format!("{mv} is no move"));
                if level == HIGHEST {
                    check_chosen(document, mv, judge);
                }
            }
        });
    }
}

/// The name of a level in reports, which group those below the highest.
const fn grouped(level: u8) -> &'static str {
    if level == HIGHEST { "8" } else { "1-7" }
}

fn with_throw(more: &str, throw: Option<u8>) -> String {
    throw.map_or_else(|| more.to_owned(), |throw| format!("{more}&throw={throw}"))
}
