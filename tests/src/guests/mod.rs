//! Two games that no crate knows: what a game costs that comes from outside.
//!
//! * [`quixo`]: a game of other people without chance, with layers, cycles and draws.
//! * [`scurry`]: a small race with a die, with layers, cycles and pieces that are sent back.
//!
//! A folder is a whole game. It says in the same words as its neighbours:
//!
//! | what | here |
//! | --- | --- |
//! | names | `NAME`, `COLOURS`, `LETTERS`, `VARIANTS`, `GRAMMAR`, `RULES` (a page to read) |
//! | rules | [`Game`](marquis_core::Game) or [`Chance`](marquis_core::Chance) |
//! | texts | `parse`, `text`, `move_text`, `parse_move`, with a [`TextError`](marquis_games::notation::TextError) |
//! | a place to begin | `start` |
//! | numbers of positions | [`Indexed`](marquis_core::Indexed) or its like for throws, `layers`, `NUMBERING` |
//! | names of files | `variant`, `of_variant`, `folder`, `layer_name`, `layer_named` |
//!
//! A game without chance that is to be searched also has [`Hashed`](marquis_core::Hashed) and
//! [`Symmetric`](marquis_core::Symmetric); one whose tables are built by taking moves back has
//! [`Retract`](marquis_core::Retract).

pub mod quixo;
pub mod scurry;
