//! Budget 0: rules, tables, book and proofs, by every call.

use marquis_engine::{Engine, Query};
use serde_json::{Value, json};

use super::super::asked::{Asked, probe, probe_value};
use super::super::case::{Budget, Case};
use super::super::compare::{Pair, agree, same_or_more, verdicts};
use super::super::document::{Document, LEAST_UNSAID, Move, Verdict};
use super::super::images;
use super::super::judge::Judge;
use super::super::said::{Detail, Said};
use super::super::worlds;
use super::Chunk;
use crate::reference::Immobile;
use crate::reference::symmetry;

/// The answer about the position after a move, and the verdict about the move.
const CHILD: Pair = Pair { contradiction: "P1.position-after-a-move", forgotten: "P2.position-after-a-move" };
/// The verdict about a move, and the answer after playing it (`--play`).
const PLAYED: Pair = Pair { contradiction: "P1.played-move", forgotten: "P2.played-move" };
/// The same if nothing is known about the position before.
const REACHED: Pair =
    Pair { contradiction: "P1.reached-by-a-known-move", forgotten: "P2.reached-by-a-known-move" };
/// The answer with proof files loaded, and without.
const INSIDE: Pair = Pair { contradiction: "P1.inside-a-proof", forgotten: "P2.inside-a-proof" };

impl Chunk<'_> {
    pub(super) fn lookups(&mut self) {
        let engine = self.engine();
        let cases = self.cases.clone();
        let documents: Vec<Asked> = cases.iter().map(|case| self.looked_up(&engine, case)).collect();
        if let Some(service) = self.service() {
            let call = Self::call("GET", Budget::Lookup);
            for (case, document) in cases.iter().zip(&documents) {
                let uri = case.uri(Budget::Lookup, "");
                let answer = service.get(&uri);
                self.judged((&call, case, format!("GET {uri}")), (&answer, Detail::Moves), |_, judge| {
                    same_documents("P4.http-and-probe", document, &answer, judge);
                });
            }
            for moves in [true, false] {
                self.batch(&*service, &cases, &documents, moves);
            }
        }
        if let Some(program) = self.program() {
            let tables = (self.world == super::World::Tables).then(|| self.asking.worlds.tables());
            let answers = program.ask("probe", &cases, Budget::Lookup, tables);
            let call = Self::call("program probe", Budget::Lookup);
            for ((case, document), answer) in cases.iter().zip(&documents).zip(&answers) {
                let command = case.command("probe", Budget::Lookup);
                self.judged((&call, case, command), (answer, Detail::Moves), |_, judge| {
                    same_documents("P4.program-and-probe", document, answer, judge);
                });
            }
        }
    }

    /// The answer without a search, checked against those about its images and about neighbouring positions.
    fn looked_up(&mut self, engine: &Engine, case: &Case) -> Asked {
        let answer = probe(engine, &case.query());
        let call = Self::call("probe", Budget::Lookup);
        let command = case.command("probe", Budget::Lookup);
        let said = self.judged((&call, case, command.clone()), (&answer, Detail::Moves), |_, _| {});
        let value = probe_value(engine, &case.query());
        let call = Self::call("probe_value", Budget::Lookup);
        self.judged((&call, case, command.clone()), (&value, Detail::Value), |_, judge| {
            let bare = |answer: &Asked| answer.clone().map(without_moves);
            same_documents("P4.value-alone", &bare(&answer), &bare(&value), judge);
        });
        let Some(said) = said else { return answer };
        let mut judge = Judge::default();
        for image in symmetry::images(case.game).into_iter().skip(1) {
            let seen = case.at(image.position(case.game, &case.position));
            let of_image = probe(engine, &seen.query());
            let of_image = Said::checked(&seen, &of_image, Detail::Moves, &mut Judge::default());
            match (&said, &of_image) {
                (Said::Exact(own), Some(Said::Exact(other))) => {
                    images::check(own, other, (case.game, image), images::LOOKED_UP, &mut judge);
                }
                (Said::Chance(own), Some(Said::Chance(other))) => {
                    images::check_throws(own, other, &mut judge);
                }
                _ => judge.expect("P0.answered", false, || format!("{image:?}: {}", seen.position)),
            }
        }
        let call = Self::call("probe of images", Budget::Lookup);
        self.found(&call, &judge, || command.clone());
        if let Said::Exact(document) = &said {
            if self.world != super::World::Bare && case.origin == "proof" {
                let mut judge = Judge::default();
                inside(&self.asking.worlds.by_proofs_alone(case.game), case, document, &mut judge);
                let call = Self::call("probe inside proofs", Budget::Lookup);
                self.found(&call, &judge, || command.clone());
            }
            let mut judge = Judge::default();
            for own in document.listed() {
                around(engine, case, own, &mut judge);
            }
            let call = Self::call("probe after moves", Budget::Lookup);
            self.found(&call, &judge, || command);
        }
        answer
    }

    fn batch(&mut self, service: &dyn super::Service, cases: &[Case], documents: &[Asked], moves: bool) {
        let (first, positions) = (&cases[0], cases.iter().map(|case| &case.position).collect::<Vec<_>>());
        let mut body = json!({"positions": positions, "moves": moves, "budget_ms": 0});
        if first.immobile == Immobile::Pass && first.has_set_ups() {
            body["immobile"] = json!("pass");
        }
        let answers = service.post(&format!("/v1/{}", first.game), &body);
        let call = Self::call(if moves { "POST" } else { "POST without moves" }, Budget::Lookup);
        let detail = if moves { Detail::Moves } else { Detail::Value };
        for (number, (case, document)) in cases.iter().zip(documents).enumerate() {
            let answer = answers.clone().map(|json| json["answers"][number].clone());
            let command =
                format!("POST /v1/{} {{\"positions\": [{:?}], \"budget_ms\": 0}}", case.game, case.position);
            self.judged((&call, case, command), (&answer, detail), |_, judge| {
                let expected = if moves { document.clone() } else { document.clone().map(without_moves) };
                same_documents("P4.batch-and-probe", &expected, &answer, judge);
            });
        }
    }
}

/// Checks that two calls give the same document, or both an error.
pub(super) fn same_documents(property: &'static str, a: &Asked, b: &Asked, judge: &mut Judge) {
    match (a, b) {
        (Ok(a), Ok(b)) => same_or_more(property, a, b, judge),
        _ => judge.expect(property, a.is_err() && b.is_err(), || {
            format!("{:?} and {:?}", a.as_ref().err(), b.as_ref().err())
        }),
    }
}

fn without_moves(mut answer: Value) -> Value {
    if answer["moves"].is_array() {
        answer["moves"] = json!([]);
    }
    for throw in answer["throws"].as_array_mut().into_iter().flatten() {
        throw["moves"] = json!([]);
    }
    answer
}

/// Checks that an answer has what proof files know about an image of its position.
fn inside(guide: &Engine, case: &Case, document: &Document, judge: &mut Judge) {
    for image in symmetry::images(case.game) {
        let seen = case.at(image.position(case.game, &case.position));
        let by_proof =
            probe_value(guide, &seen.query()).ok().and_then(|json| Document::read_value(&json).ok());
        if let Some(by_proof) = by_proof {
            verdicts("the position", &by_proof.root, &document.root, INSIDE, judge);
        }
    }
}

/// Checks a move against the answer about the position after it.
fn around(engine: &Engine, case: &Case, own: &Move, judge: &mut Judge) {
    let value =
        |query: &Query| probe_value(engine, query).ok().and_then(|json| Document::read_value(&json).ok());
    let reached = value(&case.at(own.position.clone()).query());
    let played = value(&Query { play: Some(own.text.clone()), ..case.query() });
    judge.expect("P0.answered", reached.is_some() && played.is_some(), || format!("after {}", own.text));
    if let Some(reached) = &reached {
        let known = before_move(&reached.root);
        // A verdict that follows from the moves of the position is one step beyond the view of the position before.
        let is_told = match known.proof.as_str() {
            "book" => reached.booked.as_ref() == Some(&reached.position),
            "table" => worlds::holds(case, &own.position),
            proof => proof == "rules",
        };
        if is_told {
            verdicts(&own.text, &Verdict { plies_bounds: None, ..known }, &own.verdict, CHILD, judge);
        } else {
            agree(&own.text, &known, &own.verdict, CHILD.contradiction, judge);
        }
        verdicts(&own.text, &said_after(&own.verdict), &before_move(&reached.root), REACHED, judge);
    }
    if let Some(played) = &played {
        verdicts(&own.text, &said_after(&own.verdict), &before_move(&played.root), PLAYED, judge);
    }
}

/// The verdict about a move without the least plies that the answer about the position after it omits.
fn said_after(own: &Verdict) -> Verdict {
    let is_said = |least: &u64| *least > LEAST_UNSAID + 1;
    let plies_bounds = own.plies_bounds.map(|[least, most]| [least.filter(is_said), most]);
    Verdict { plies_bounds, ..own.clone() }
}

/// Converts the verdict about a position to that of the move that leads there.
pub(super) fn before_move(after: &Verdict) -> Verdict {
    let later = |plies: Option<u64>| plies.map(|plies| plies + 1);
    Verdict {
        value: after.value.map(super::super::document::Worth::for_opponent),
        bounds: after.bounds.for_opponent(),
        plies: later(after.plies),
        plies_bounds: after.plies_bounds.map(|[least, most]| [later(least), later(most)]),
        wdl: after.wdl.map(|[win, draw, loss]| [loss, draw, win]),
        ..after.clone()
    }
}
