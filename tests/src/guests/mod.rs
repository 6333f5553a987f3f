//! Two games that no crate knows: the cost of a third-party game.
//!
//! * [`quixo`]: an existing game without chance, with layers, cycles and draws.
//! * [`scurry`]: a small race with a die, with layers, cycles and pieces that are sent back.
//!
//! Each folder is a whole game, with the same names as its neighbour:
//!
//! | what | here |
//! | --- | --- |
//! | names | `NAME`, `COLOURS`, `LETTERS`, `VARIANTS`, `GRAMMAR`, `RULES` (a page to read) |
//! | rules | [`Game`](marquis_core::Game) or [`Chance`](marquis_core::Chance) |
//! | texts | `parse`, `text`, `move_text`, `parse_move`, with a [`TextError`](marquis_games::notation::TextError) |
//! | start position | `start` |
//! | numbers of positions | [`Indexed`](marquis_core::Indexed) or its equivalent for throws, `layers`, `NUMBERING` |
//! | names of files | `variant`, `of_variant`, `folder`, `layer_name`, `layer_named` |
//!
//! A game without chance that is searched also has [`Hashed`](marquis_core::Hashed) and
//! [`Symmetric`](marquis_core::Symmetric); one whose tables are built by retraction has
//! [`Retract`](marquis_core::Retract).

pub mod quixo;
pub mod scurry;
