//! Node budgets on one thread: the same answer each time, by every call, and for every image.

use marquis_engine::Engine;
use serde_json::Value;

use super::super::asked::{Asked, advise, line, probe, solve};
use super::super::case::{Budget, Case};
use super::super::compare::{ASKED_TWICE, Pair, difference, same_or_more};
use super::super::images;
use super::super::judge::Judge;
use super::super::lines;
use super::super::order::check_chosen;
use super::super::said::{Detail, Said};
use super::Chunk;
use super::lookups::same_documents;
use crate::reference::symmetry;

/// The search of a position and a lookup afterwards.
const FOUND: Pair = Pair { contradiction: "P1.lookup-and-search", forgotten: "P6.lookup-after-search" };
/// A lookup and the search of the position afterwards.
const SEARCHED: Pair = Pair { contradiction: "P1.lookup-and-search", forgotten: "P2.search-forgets-lookup" };

impl Chunk<'_> {
    pub(super) fn searches(&mut self, budget: Budget, ms: u64) {
        let cases = self.cases_of(ms);
        let session = self.engine();
        // In sequence: the memory of earlier requests holds few boards.
        let mut answers = Vec::new();
        let mut looked_up = Vec::new();
        for case in &cases {
            let before = probe(&session, &case.query());
            answers.push(solve(&session, case, budget));
            looked_up.push([before, probe(&session, &case.query())]);
        }
        let call = Self::call("solve", budget);
        let mut said = Vec::new();
        for ((case, answer), [before, after]) in cases.iter().zip(&answers).zip(&looked_up) {
            let command = case.command("solve", budget);
            said.push(self.judged((&call, case, command), (answer, Detail::Moves), |said, judge| {
                let checked = |known| Said::checked(case, known, Detail::Moves, &mut Judge::default());
                if let Some(before) = checked(before) {
                    before.is_kept_by(said, SEARCHED, judge);
                }
                if let Some(after) = checked(after) {
                    said.is_kept_by(&after, FOUND, judge);
                }
            }));
        }
        self.by_service(&session, (&cases, &answers), budget);
        self.by_program((&cases, &answers), budget);
        if !self.has_new_engines() || ms >= super::LONG_MS {
            return;
        }
        for (case, in_session) in cases.iter().zip(&said) {
            let alone = self.alone(case, in_session.as_ref(), budget);
            if let Some(alone) = alone {
                self.after_others(case, &alone, budget);
                self.balanced(case, budget);
            }
        }
    }

    /// The same requests over HTTP, in the same order, and then the moves of level 8.
    fn by_service(&mut self, session: &Engine, (cases, answers): (&[Case], &[Asked]), budget: Budget) {
        let Some(service) = self.service() else { return };
        let call = Self::call("GET", budget);
        for (case, answer) in cases.iter().zip(answers) {
            let (uri, look) = (case.uri(budget, ""), case.uri(Budget::Lookup, ""));
            // The look-ups of the library, so that both forget the same boards.
            let _ = service.get(&look);
            let over_http = service.get(&uri);
            let _ = service.get(&look);
            self.judged((&call, case, format!("GET {uri}")), (&over_http, Detail::Moves), |_, judge| {
                let bare = |asked: &Asked| asked.clone().map(without_proofs);
                same_documents("P4.http-and-solve", &bare(answer), &bare(&over_http), judge);
            });
        }
        let call = Self::call("GET level=8", budget);
        for case in
            cases.iter().filter(|case| !case.has_throws() && case.rules().over(&case.position).is_none())
        {
            let uri = case.uri(budget, "&level=8&seed=1");
            let (over_http, own) = (service.get(&uri), advise(session, case, 8, None, budget));
            self.judged((&call, case, format!("GET {uri}")), (&over_http, Detail::Moves), |said, judge| {
                let (Ok(over_http), Ok(own)) = (&over_http, &own) else { return };
                let chosen = &over_http["chosen"]["move"];
                // Both have answered other requests before, which may add to their knowledge.
                let [own_answer, answer] = [&own["answer"], over_http].map(|own| without_proofs(own.clone()));
                same_or_more("P4.http-and-advise", &own_answer, &answer, judge);
                let is_same = difference(&own_answer, &answer, &["chosen", "ended"]).is_none();
                judge.expect("P4.http-and-advise", !is_same || *chosen == own["move"], || {
                    format!("{chosen} and {}", own["move"])
                });
                if let Some(document) = said.exact() {
                    check_chosen(document, chosen.as_str().unwrap_or_default(), judge);
                }
            });
        }
    }

    /// The same requests to the program, in the same order.
    fn by_program(&mut self, (cases, answers): (&[Case], &[Asked]), budget: Budget) {
        let Some(program) = self.program() else { return };
        let tables = (self.world == super::World::Tables).then(|| self.asking.worlds.tables());
        let by_program = program.ask("solve", cases, budget, tables);
        let call = Self::call("program solve", budget);
        for ((case, answer), by_program) in cases.iter().zip(answers).zip(&by_program) {
            let command = case.command("solve", budget);
            self.judged((&call, case, command), (by_program, Detail::Moves), |_, judge| {
                same_documents("P4.program-and-solve", answer, by_program, judge);
            });
        }
    }

    /// The answer of a fresh engine, its line, the slow solver's verdict, and the answer about an image.
    fn alone(&mut self, case: &Case, in_session: Option<&Said>, budget: Budget) -> Option<Said> {
        let answer = solve(&self.engine(), case, budget);
        let command = case.command("solve", budget);
        let call = Self::call("solve, asked first", budget);
        let alone =
            self.judged((&call, case, command.clone()), (&answer, Detail::Moves), |said, judge| {
                if let Some(in_session) = in_session {
                    said.is_kept_by(in_session, ASKED_TWICE, judge);
                }
            })?;
        let Some(document) = alone.exact() else { return Some(alone) };
        let image = *self.draw.pick(&symmetry::images(case.game)[1..]);
        let seen = case.at(image.position(case.game, &case.position));
        let of_image = solve(&self.engine(), &seen, budget);
        let call = Self::call("solve of an image", budget);
        self.judged((&call, &seen, command), (&of_image, Detail::Moves), |said, judge| {
            if let Some(other) = said.exact() {
                images::check(document, other, (case.game, image), images::SEARCHED, judge);
            }
        });
        let mut judge = Judge::default();
        match line(&self.engine(), case, budget) {
            Ok(json) => lines::check(&json, &case.rules(), &mut judge),
            Err(error) => judge.expect("P0.answered", false, || error),
        }
        let call = Self::call("line", budget);
        self.found(&call, &judge, || case.command("line", budget));
        Some(alone)
    }
}

/// The document without the source of its values: if there are two, the first one queried is named.
fn without_proofs(mut document: Value) -> Value {
    document["proof"] = "".into();
    for field in ["book", "depth", "nodes", "stability", "pv", "pv_exact_from"] {
        document[field] = Value::Null;
    }
    for mv in document["moves"].as_array_mut().into_iter().flatten() {
        mv["proof"] = "".into();
    }
    document
}
