//! From a question to an index and the layers that are wanted of it.

use marquis_core::ByPlayer;
use marquis_games::beads::{BeadGame, BeadIndex, BeadLayer, Capture, Scope, Setup, Table};
use marquis_games::catalogue::{Asked, Notation};
use marquis_games::hex::Side;
use marquis_games::notation::{TextError, fields, number};
use marquis_games::squinch::{Checkers, SquinchIndex};
use marquis_games::unification::{Duel, Material, Stepping, Unification, UnificationIndex};

use super::{BuildQuery, no_tables};
use crate::squinch::squinch_index;
use crate::tabled::{Tabled, bead_index, unification_index};
use crate::{EngineError, Query};

/// An index whose layers can be asked for in words.
pub(super) trait Wanted: Tabled + Sized {
    /// The index for a question, and the layers that are asked for, without those that they lead to.
    fn wanted(query: &BuildQuery) -> Result<(Self, Vec<Self::Layer>), EngineError>;
}

impl<R: Stepping> Wanted for UnificationIndex<R>
where
    Unification<R>: Notation<Position = Duel>,
{
    fn wanted(query: &BuildQuery) -> Result<(Self, Vec<Material>), EngineError> {
        let (side, most) = largest(query)?;
        let index = unification_index(side, most.mover.max(most.waiter))?;
        let wanted = layers_within(side, most);
        Ok((index, wanted))
    }
}

impl<R: Capture> Wanted for BeadIndex<R>
where
    BeadGame<R>: Notation<Position = Table>,
{
    fn wanted(query: &BuildQuery) -> Result<(Self, Vec<BeadLayer>), EngineError> {
        let index = bead_index(scope(query)?)?;
        let wanted = index.layers().collect();
        Ok((index, wanted))
    }
}

impl Wanted for SquinchIndex {
    /// A position says how large the board is, and how many checkers each side has at most.
    fn wanted(query: &BuildQuery) -> Result<(Self, Vec<Checkers>), EngineError> {
        let missing = || TextError::new("from", "--from POSITION, such as start:4x4", "");
        let from = query.from.as_ref().ok_or_else(missing)?;
        let Asked::Squinch(game, position) = Query::new(query.game, from.clone()).asked()? else {
            return Err(no_tables(query.game));
        };
        let layer = Self::layer(&position);
        Ok((squinch_index(game, layer.mover.max(layer.waiter))?, vec![layer]))
    }
}

/// What a question asks for: a position, a set-up, or all placements of so many beads and rooks.
fn scope(query: &BuildQuery) -> Result<Scope, EngineError> {
    let Some(from) = &query.from else { return free_scope(query) };
    let text = from.trim();
    // A set-up has no player to move; whoever is, the tables are the same.
    let position = if fields(text).len() == 1 { format!("{text} w") } else { text.to_owned() };
    let query = Query { immobile: query.immobile, ..Query::new(query.game, position) };
    Ok(match query.asked()? {
        Asked::Swish(game, table) => Scope::of_position(&game, &table),
        Asked::Squeeze(game, table) => Scope::of_position(&game, &table),
        _ => return Err(no_tables(query.game)),
    })
}

fn free_scope(query: &BuildQuery) -> Result<Scope, EngineError> {
    let side = wanted_side(query)?;
    let cells = side.board().count() as u8;
    let rooks = parse_material(query.pieces.as_deref().unwrap_or(""), Setup::MOST_ROOKS as u8)?;
    let room = cells - rooks.mover - rooks.waiter;
    let beads = query.beads.filter(|beads| (1..=room).contains(beads)).ok_or_else(|| {
        let found = query.beads.map_or_else(String::new, |beads| beads.to_string());
        TextError::new("beads", format!("--beads 1 to {room}, or --from POSITION"), found)
    })?;
    Ok(Scope::free(side, query.immobile, beads, ByPlayer::new(rooks.mover, rooks.waiter)))
}

/// The board and the greatest layer that a question asks for.
fn largest(query: &BuildQuery) -> Result<(Side, Material), EngineError> {
    if let Some(from) = &query.from {
        return Ok(match Query::new(query.game, from.clone()).asked()? {
            Asked::Squish(game, position) => (game.side(), material(&position)),
            Asked::Flowish(game, position) => (game.side(), material(&position)),
            _ => return Err(no_tables(query.game)),
        });
    }
    let side = wanted_side(query)?;
    let cells = side.board().count() as u8;
    let most = match &query.pieces {
        None => Material { mover: cells - 1, waiter: cells - 1 },
        Some(text) => parse_material(text, cells)?,
    };
    Ok((side, most))
}

fn wanted_side(query: &BuildQuery) -> Result<Side, EngineError> {
    let side = query.side.map_or_else(String::new, |side| side.to_string());
    let known = query.side.and_then(Side::new);
    Ok(known.ok_or_else(|| TextError::new("side", "--side 2 to 5, or --from POSITION", side))?)
}

fn material(position: &Duel) -> Material {
    UnificationIndex::<marquis_games::unification::Approach>::material(position)
}

fn parse_material(text: &str, cells: u8) -> Result<Material, EngineError> {
    let count =
        |text: &str| number(text).and_then(|n| u8::try_from(n).ok()).filter(|n| (1..=cells).contains(n));
    let material = text.split_once('v').and_then(|(mover, waiter)| {
        Some(Material { mover: count(mover)?, waiter: count(waiter)? })
            .filter(|m| m.mover + m.waiter <= cells)
    });
    let expected = format!("two numbers of pieces such as `3v3`, together at most {cells}");
    Ok(material.ok_or_else(|| TextError::new("pieces", expected, text))?)
}

/// The layers in which no side has more pieces than in `most`, by rising number of pieces.
fn layers_within(side: Side, most: Material) -> Vec<Material> {
    let cells = side.board().count() as u8;
    let within =
        |a: u8, b: u8| (a <= most.mover && b <= most.waiter) || (a <= most.waiter && b <= most.mover);
    let mut layers = Vec::new();
    for pieces in 2..=cells {
        for few in 1..=pieces / 2 {
            let many = pieces - few;
            if within(few, many) {
                layers.push(Material { mover: few, waiter: many });
                if few != many {
                    layers.push(Material { mover: many, waiter: few });
                }
            }
        }
    }
    layers
}
