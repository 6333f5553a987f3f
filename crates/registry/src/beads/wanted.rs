//! The scope of an index, from a query.

use marquis_core::{ByPlayer, TextError};
use marquis_engine::game::read_position;
use marquis_engine::{BuildQuery, EngineError};
use marquis_games::beads::{Capture, Scope, Setup};
use marquis_games::notation::fields;

use super::Adapter;
use crate::hexagon::{pieces, wanted_side};

/// The scope of a query: a position, a set-up, or all placements of a number of beads and rooks.
pub(super) fn scope<R: Capture>(query: &BuildQuery) -> Result<Scope, EngineError> {
    let Some(from) = &query.from else { return free_scope(query) };
    let text = from.trim();
    // A set-up has no player to move; the tables are the same for both.
    let position = if fields(text).len() == 1 { format!("{text} w") } else { text.to_owned() };
    let (rules, table) = read_position::<Adapter<R>>(&position, query.immobile)?;
    Ok(Scope::of_position(&rules, &table))
}

fn free_scope(query: &BuildQuery) -> Result<Scope, EngineError> {
    let side = wanted_side(query)?;
    let cells = side.board().count() as u8;
    let (mover, opponent) = pieces(query.pieces.as_deref().unwrap_or(""), Setup::MOST_ROOKS as u8)?;
    let room = cells - mover - opponent;
    let beads = query.beads.filter(|beads| (1..=room).contains(beads)).ok_or_else(|| {
        let found = query.beads.map_or_else(String::new, |beads| beads.to_string());
        TextError::new("beads", format!("--beads 1 to {room}, or --from POSITION"), found)
    })?;
    Ok(Scope::free(side, query.immobile, beads, ByPlayer::new(mover, opponent)))
}
