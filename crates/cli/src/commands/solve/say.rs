//! Answers for a reader.

use clap::builder::styling::Style;
use marquis_wire::answer::{Answer, ChanceAnswer, ExactAnswer, Insight, MoveAnswer};
use marquis_wire::book::BookSource;

use crate::columns::TextTable;
use crate::games;
use crate::value_texts::{self, painted};

/// The answer as a sentence and a table of moves.
pub(crate) fn say(answer: &Answer) -> String {
    match answer {
        Answer::Exact(answer) => exact(answer),
        Answer::Chance(answer) => chance(answer),
    }
}

fn exact(answer: &ExactAnswer) -> String {
    let sentence = value_texts::sentence(
        games::colour(&answer.game, &answer.turn),
        &answer.verdict,
        answer.over.as_deref(),
    );
    let mut text = format!("{}  {}\n{sentence}\n", answer.game, answer.position);
    if answer.verdict.value.is_none()
        && let Some(wdl) = answer.verdict.wdl
    {
        text.push_str(&format!("Estimated, not proved: {}.\n", value_texts::chances(&wdl)));
    }
    if let Some(insight) = &answer.insight {
        text.push_str(&line(insight));
    }
    text.push_str(&answer.book.as_deref().map(found_again).unwrap_or_default());
    text.push_str(&value_texts::cut_short((answer.ended, answer.unproved.as_deref()), &answer.game));
    if !answer.moves.is_empty() {
        text.push('\n');
        text.push_str(&move_table(&answer.moves));
    }
    text
}

/// How a known result can be reproduced.
fn found_again(BookSource { proof_file, command, .. }: &BookSource) -> String {
    let file = proof_file.as_ref().map(|file| format!("; proof: tablebases/proofs/{file}"));
    format!("Found again by: {command}{}\n", file.unwrap_or_default())
}

/// The best line with its depth; empty if there is none.
fn line(insight: &Insight) -> String {
    if insight.pv.is_empty() {
        return String::new();
    }
    let seen = match insight.pv_exact_from {
        None => String::new(),
        Some(0) => ", seen to its end".to_owned(),
        Some(ply) => format!(", seen to its end from ply {ply} on"),
    };
    let (depth, nodes) = (insight.depth, value_texts::count(insight.nodes));
    format!("Best line: {} (looked {depth} plies ahead, {nodes} positions{seen}).\n", insight.pv.join(" "))
}

/// The moves, each with the sign of its value, plies and delta, in the order given.
fn move_table(moves: &[MoveAnswer]) -> String {
    let estimated = moves.iter().any(|mv| mv.verdict.estimate.is_some());
    let mut headings = vec!["", "move", "value", ">plies", ">delta"];
    headings.extend(estimated.then_some(">estimate"));
    headings.push("position");
    let mut table = TextTable::new(&headings);
    for mv in moves {
        let verdict = &mv.verdict;
        let style = value_texts::style(verdict.value);
        let number = |number: Option<u16>| number.map(|number| number.to_string()).unwrap_or_default();
        let plain = |text: String| (text, Style::new());
        let mut row = vec![
            (value_texts::sign(verdict.value).to_owned(), style.bold()),
            plain(mv.mv.clone()),
            (value_texts::value_or_bounds(verdict), style),
            plain(number(verdict.plies)),
            plain(number(mv.delta)),
        ];
        let estimate = verdict.estimate.map(|estimate| format!("{estimate:.2}")).unwrap_or_default();
        row.extend(estimated.then_some(plain(estimate)));
        row.push((mv.position.clone(), Style::new().dimmed()));
        table.styled(row);
    }
    table.render()
}

fn chance(answer: &ChanceAnswer) -> String {
    let who = games::colour(&answer.game, &answer.turn);
    let mut text = format!("{}  {}\n", answer.game, answer.position);
    let said = match (&answer.over, answer.chance) {
        (Some(reason), Some(chance)) => {
            let end = if chance > 0.5 { "won" } else { "lost" };
            format!("The game is over ({reason}): {who}, to throw, has {end}.")
        }
        (Some(reason), None) => format!("The game is over ({reason})."),
        (None, Some(estimate)) if answer.error.is_none() => {
            format!("{who} to throw: unknown; estimated to win with chance {estimate:.3}, not proved.")
        }
        (None, Some(_)) => {
            let chance = painted(&value_texts::chance(answer.chance, answer.error), Style::new().bold());
            format!("{who} to throw wins with chance {chance}{}.", value_texts::source(answer.proof))
        }
        (None, None) => format!("{who} to throw: unknown."),
    };
    text.push_str(&said);
    text.push('\n');
    text.push_str(&answer.book.as_deref().map(found_again).unwrap_or_default());
    if answer.throws.is_empty() {
        return text;
    }
    let mut table = TextTable::new(&[">throw", ">weight", "move", "chance", "position"]);
    for thrown in &answer.throws {
        let summary = value_texts::chance(thrown.chance, thrown.error);
        let head = [thrown.throw.to_string(), format!("{}/16", thrown.weight), String::new(), summary];
        table.styled(head.map(|cell| (cell, Style::new().bold())));
        for mv in &thrown.moves {
            let chance = value_texts::chance(mv.chance, mv.error);
            let cells = [String::new(), String::new(), mv.mv.clone(), chance, mv.position.clone()];
            table.row(cells);
        }
    }
    text + "\n" + &table.render()
}
