//! The start positions that can be asked for by name.

use super::{Asked, GameId};
use crate::beads::Immobile;
use crate::hex::Side;
use crate::notation::{TextError, number};
use crate::squinch::Squinch;
use crate::{Flowish, Squish};

/// The start position of a game on a board of the wanted size.
///
/// * `size`: for Squish and Flowish the side of the board (4 and 5 where nothing is said), for Squinch
///   `FILESxRANKS` or `FILESxRANKSxROWS` of checkers (8x8x3), for Senet the pieces a colour (5).
///
/// # Errors
/// Names the `start` when there is no board of that size, or when the game has no start position:
/// Swish and Squeeze begin with whatever set-up Player One lays out.
pub fn start(id: GameId, size: Option<&str>) -> Result<Asked, TextError> {
    let wrong = |expected: &str| TextError::new("start", expected, size.unwrap_or(""));
    let hex = |default: u8| {
        let side = size.map_or(Some(u32::from(default)), number);
        side.and_then(|n| u8::try_from(n).ok()).and_then(Side::new).ok_or_else(|| wrong("a side from 2 to 5"))
    };
    match id {
        GameId::Squish => hex(4).map(|side| Asked::Squish(Squish::new(side), Squish::new(side).start())),
        GameId::Flowish => hex(5).map(|side| Asked::Flowish(Flowish::new(side), Flowish::new(side).start())),
        GameId::Swish | GameId::Squeeze => Err(TextError::fact(
            "start",
            format!("a position, for {id} begins with the set-up that Player One lays out"),
            "`start`",
        )),
        GameId::Squinch => squinch_start(size.unwrap_or("8x8x3")).ok_or_else(|| {
            wrong("FILESxRANKS or FILESxRANKSxROWS, such as 8x8x3, the rows of both sides apart")
        }),
        GameId::Senet => senet_start(size)
            .ok_or_else(|| wrong("1 to 5 pieces a colour"))
            .and_then(|text| Asked::parse(id, &text, Immobile::Loss)),
    }
}

fn squinch_start(size: &str) -> Option<Asked> {
    let numbers: Vec<u8> =
        size.split('x').map(|n| number(n).and_then(|n| u8::try_from(n).ok())).collect::<Option<_>>()?;
    let (files, ranks, rows) = match numbers[..] {
        [files, ranks] => (files, ranks, if ranks >= 8 { 3 } else { 1 }),
        [files, ranks, rows] => (files, ranks, rows),
        _ => return None,
    };
    let game = Squinch::new(files, ranks)?;
    game.start(rows).map(|position| Asked::Squinch(game, position))
}

fn senet_start(size: Option<&str>) -> Option<String> {
    match size.map_or(Some(5), number)? {
        // Black's forced 10-11 is already made.
        5 => Some("wbwbwbwbw1/b9/10 b".to_owned()),
        pieces @ 1..5 => Some(format!("{}{}/10/10 b", "wb".repeat(pieces as usize), 10 - 2 * pieces)),
        _ => None,
    }
}
