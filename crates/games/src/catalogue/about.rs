//! What a newcomer is told about each game: variants, grammar, starts.

use super::{GameId, start};

/// A game in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Which game it is.
    pub id: GameId,
    /// What can be chosen: board sizes, variants.
    pub variants: &'static str,
    /// The grammar of position texts.
    pub grammar: &'static str,
    /// Start positions by what they are called in commands.
    pub starts: Vec<(String, String)>,
}

impl About {
    /// What there is to say about a game.
    #[must_use]
    pub fn game(id: GameId) -> Self {
        let sizes: &[&str] = match id {
            GameId::Squish | GameId::Flowish => &["3", "4", "5"],
            GameId::Swish | GameId::Squeeze => &[],
            GameId::Squinch => &["3x3x1", "4x4x1", "8x8x3"],
            GameId::Senet => &["2", "3", "4", "5"],
        };
        let named = |size: &&str| Some((format!("start:{size}"), start(id, Some(size)).ok()?.text()));
        Self {
            id,
            variants: variants(id),
            grammar: grammar(id),
            starts: sizes.iter().filter_map(named).collect(),
        }
    }
}

const fn variants(id: GameId) -> &'static str {
    match id {
        GameId::Squish | GameId::Flowish => "side 2 to 5, any pieces",
        GameId::Swish | GameId::Squeeze => {
            "side 2 to 5, up to 3 rooks a colour, any beads, any target; immobile=loss (default) or immobile=pass; \
             pie=marquisian (default) or pie=bait"
        }
        GameId::Squinch => "2 to 8 files, 1 to 8 ranks, up to 24 checkers a colour",
        GameId::Senet => "up to 5 pieces a colour",
    }
}

const fn grammar(id: GameId) -> &'static str {
    match id {
        GameId::Squish | GameId::Flowish => {
            "ROWS w|b: rows from the top, separated by `/`; `w`, `b` a piece, a number so many empty cells"
        }
        GameId::Swish | GameId::Squeeze => {
            "ROWS w|b [W-B [T]]: rows as in squish, `w`, `b` a rook, `o` a bead; the beads in White's and Black's \
             store (0-0) and the target (the majority of all beads)"
        }
        GameId::Squinch => {
            "ROWS r|w: rows from the top, separated by `/`; in a row comma-separated tokens: a number so many empty \
             squares, `r3` a red stack of three"
        }
        GameId::Senet => {
            "ROWS b|w: three rows of ten in track order from square 1, separated by `/`; `b`, `w` a piece, a number so \
             many empty squares"
        }
    }
}
