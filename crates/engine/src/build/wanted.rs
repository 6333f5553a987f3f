//! From a question to an index and the layers that are wanted of it.

use marquis_games::catalogue::{Asked, Notation};
use marquis_games::hex::Side;
use marquis_games::notation::{TextError, number};
use marquis_games::unification::{Duel, Material, Stepping, Unification, UnificationIndex};

use super::{BuildQuery, no_tables};
use crate::tabled::{Tabled, unification_index};
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

/// The board and the greatest layer that a question asks for.
fn largest(query: &BuildQuery) -> Result<(Side, Material), EngineError> {
    if let Some(from) = &query.from {
        return Ok(match Query::new(query.game, from.clone()).asked()? {
            Asked::Squish(game, position) => (game.side(), material(&position)),
            Asked::Flowish(game, position) => (game.side(), material(&position)),
            _ => return Err(no_tables(query.game)),
        });
    }
    let side = query.side.map_or_else(String::new, |side| side.to_string());
    let side = query
        .side
        .and_then(Side::new)
        .ok_or_else(|| TextError::new("side", "--side 2 to 5, or --from POSITION", side))?;
    let cells = side.board().count() as u8;
    let most = match &query.pieces {
        None => Material { mover: cells - 1, waiter: cells - 1 },
        Some(text) => parse_material(text, cells)?,
    };
    Ok((side, most))
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
