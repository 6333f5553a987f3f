//! `marquis moves`

use crate::arguments::Asked;
use crate::exit::Exit;
use crate::output::{Output, table};

pub(crate) fn run(asked: &Asked, output: Output) -> anyhow::Result<Exit> {
    let moves = marquis_engine::moves(&asked.query())?;
    output.answer(&moves, |moves| {
        if moves.is_empty() {
            return "the game is over: no moves".to_owned();
        }
        let throw = |throw: Option<u8>| throw.map_or_else(String::new, |throw| throw.to_string());
        let head =
            if moves[0].throw.is_some() { ["throw", "move", "position"] } else { ["", "move", "position"] };
        table(&head, moves.iter().map(|mv| vec![throw(mv.throw), mv.mv.clone(), mv.position.clone()]))
    })?;
    Ok(Exit::Answered)
}
