//! Records of games as texts: headers, numbered moves, comments in braces, variations in parentheses.
//!
//! The crate knows no game: moves are words, and callers check whether they are legal. `FORMAT.md` in this package
//! describes the text.
//!
//! ```
//! use marquis_record::Record;
//!
//! let record = Record::read("[Game \"squish\"]\n\n1. c4-c3 {why not} (1. c4-d4) c1-c2 *")?;
//! assert_eq!(record.header("Game"), Some("squish"));
//! assert_eq!(record.line.plies[0].mv.as_str(), "c4-c3");
//! assert_eq!(Record::read(&record.to_string())?, record);
//! # Ok::<(), marquis_record::ReadError>(())
//! ```
#![forbid(unsafe_code)]

mod bytes;
mod error;
mod limits;
mod parts;
mod read;
mod write;

pub use bytes::decode;
pub use error::{Many, Open, ReadError, TextFault};
pub use limits::{
    DEEPEST, LONGEST_MOVE, LONGEST_NAME, LONGEST_VALUE, MOST_BYTES, MOST_HEADERS, MOST_PLIES, MOST_VARIATIONS,
};
pub use parts::{Comment, GameResult, Header, MoveSequence, MoveText, Ply, Record};
pub use read::{GameReader, StreamError, read_all};
