//! `marquis balance`

use marquis_engine::query::Until;
use marquis_engine::{Balance, BalanceQuery, FirstMover};

use super::{engine, wording};
use crate::arguments;
use crate::exit::Exit;
use crate::interrupt::stopped;
use crate::output::Output;
use crate::progress::control;

pub(crate) fn run(asked: arguments::Balance, output: Output) -> anyhow::Result<Exit> {
    let engine = engine(&asked.tables, &[])?;
    let limits = asked.limits.limits();
    let query = BalanceQuery {
        game: asked.game,
        board: asked.board,
        bait: asked.bait,
        pie: asked.pie.into(),
        target: asked.target,
        immobile: asked.immobile.into(),
        until: if asked.both { Until::BothColours } else { Until::Choice },
    };
    let balance = match &asked.proof {
        Some(file) => engine.balance_with_proof(&query, &limits, &control(), file)?,
        None => engine.balance(&query, &limits, &control())?,
    };
    output.answer(&balance, text)?;
    Ok(match (balance.balanced, stopped()) {
        (Some(_), _) => Exit::Answered,
        (None, true) => Exit::Interrupted,
        (None, false) => Exit::Limit,
    })
}

/// The verdict, and what it rests on.
pub(super) fn text(balance: &Balance) -> String {
    let two = &balance.player_two;
    let colour = two.colour.as_deref().map_or_else(String::new, |colour| format!(" with {colour}"));
    let verdict = match (two.choice.as_deref(), balance.balanced) {
        (Some(choice), _) => format!("Player Two: {choice}{colour}, a {} for him", two.value),
        (None, Some(true)) => "balanced: both choices draw".to_owned(),
        _ => format!("unknown: Player Two has {}..{}", two.bounds[0], two.bounds[1]),
    };
    let mut text = format!("{verdict}\n");
    for (colour, mover) in [("w", &balance.first_mover.w), ("b", &balance.first_mover.b)] {
        if let Some(mover) = mover {
            text += &first_mover(colour, mover);
        }
    }
    let difficulty = &balance.difficulty;
    if let Some(keeping) = difficulty.keeping_moves {
        text += &format!("first moves that keep the value: {keeping} of {}\n", difficulty.first_moves);
    }
    if let (Some(greedy), Some(keeps)) = (&difficulty.greedy_move, difficulty.greedy_keeps) {
        let word = if keeps { "keeps" } else { "loses" };
        text += &format!("the greediest capture {greedy} {word} it\n");
    }
    if let Some(line) = difficulty.only_move_line {
        text += &format!("longest line in which only one move holds: {line} plies\n");
    }
    text + &format!("{} positions looked at\n", difficulty.nodes)
}

fn first_mover(colour: &str, mover: &FirstMover) -> String {
    let best = if mover.best.is_empty() { String::new() } else { format!(", best {}", mover.best.join(" ")) };
    format!("moving first with {colour}: {}{best}\n", wording::verdict(&mover.verdict))
}
