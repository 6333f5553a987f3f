//! The layers of a board that a query needs.

use marquis_engine::game::read_position;
use marquis_engine::{BuildQuery, EngineError};
use marquis_games::hex::Side;
use marquis_games::unification::{Material, UnificationIndex};

use super::{Adapter, Member};
use crate::hexagon::{pieces, wanted_side};

/// The board and the largest layer of a query.
pub(super) fn largest<R: Member>(query: &BuildQuery) -> Result<(Side, Material), EngineError> {
    if let Some(from) = &query.from {
        let (rules, position) = read_position::<Adapter<R>>(from, query.immobile)?;
        return Ok((rules.side(), UnificationIndex::<R>::material(&position)));
    }
    let side = wanted_side(query)?;
    let cells = side.board().count() as u8;
    let most = match &query.pieces {
        None => Material { mover: cells - 1, opponent: cells - 1 },
        Some(text) => {
            let (mover, opponent) = pieces(text, cells)?;
            Material { mover, opponent }
        }
    };
    Ok((side, most))
}

/// The layers in which no side has more pieces than in `most`, by rising number of pieces.
pub(super) fn layers_within(side: Side, most: Material) -> Vec<Material> {
    let cells = side.board().count() as u8;
    let within =
        |a: u8, b: u8| (a <= most.mover && b <= most.opponent) || (a <= most.opponent && b <= most.mover);
    let mut layers = Vec::new();
    for pieces in 2..=cells {
        for few in 1..=pieces / 2 {
            let many = pieces - few;
            if within(few, many) {
                layers.push(Material { mover: few, opponent: many });
                if few != many {
                    layers.push(Material { mover: many, opponent: few });
                }
            }
        }
    }
    layers
}
