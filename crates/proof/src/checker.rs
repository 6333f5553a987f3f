//! Replays a strategy by the rules alone, sharing nothing with the search but the traits of the core and the list of
//! positions met.
//!
//! The layout of the bytes is described in [`strategy`](crate::strategy); it is read here a second time,
//! independently of the writer.

use std::hash::Hash;

use marquis_core::{Game, Outcome, Player, Value};

use crate::knowledge::Oracle;
use crate::met::{Id, Met};

/// What a checked strategy promises, as this module itself understands it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// The holder wins in finitely many moves.
    Win,
    /// The holder never loses.
    NeverLose,
}

/// What a replay found.
#[derive(Clone, Debug)]
pub struct Checked<P> {
    /// Who holds the strategy.
    pub holder: Player,
    /// What it promises.
    pub promise: Promise,
    /// All positions that it leads to, finished games included.
    pub positions: usize,
    /// How many of them end a line on a table.
    pub by_table: usize,
    /// Moves to the end of the longest line of a win; lines that end on a table count as ending there.
    pub longest: Option<u32>,
    met: Met<P, Note>,
}

impl<P: Copy + Eq + Hash> Checked<P> {
    /// What the strategy says about a position; nothing where it does not lead.
    pub(crate) fn reply(&self, position: &P) -> Option<Reply> {
        self.met.find(position).map(|id| self.met.note(id).reply)
    }

    /// The positions in which the holder has to move, each with the number of the move that he plays.
    pub(crate) fn plays(&self) -> impl Iterator<Item = (&P, u16)> {
        self.met.iter().filter_map(|(position, met)| match met.reply {
            Reply::Play(number) => Some((position, number)),
            Reply::Wait => None,
        })
    }
}

/// What the strategy says about a position that it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// The holder plays the move with this number.
    Play(u16),
    /// It is the other player's move, or the line ends here.
    Wait,
}

/// Why a strategy is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The bytes are no strategy of the kind asked for.
    #[error("expected the head of a strategy {expected}, found {found:?}; the file is no such proof")]
    Head {
        /// What was asked for.
        expected: &'static str,
        /// The first bytes.
        found: Vec<u8>,
    },
    /// The bytes end too soon.
    #[error("expected {expected} at byte {at}, found the end; the proof is cut short")]
    Ends {
        /// What was to be read.
        expected: &'static str,
        /// Offset of the missing byte.
        at: usize,
    },
    /// Bytes are left over.
    #[error("expected the end at byte {at}, found {left} more bytes; the proof was added to")]
    Longer {
        /// Offset of the first byte too many.
        at: usize,
        /// How many there are.
        left: usize,
    },
    /// A move number is too large, or written in more bytes than it needs.
    #[error("expected the number of one of {moves} moves before byte {at}, found {found} in {position}")]
    Move {
        /// How many moves there are.
        moves: usize,
        /// Offset after the number.
        at: usize,
        /// The number.
        found: u64,
        /// Where.
        position: String,
    },
    /// An unknown mark.
    #[error("expected mark 0 or 1 before byte {at}, found {found} in {position}")]
    Mark {
        /// Offset after the mark.
        at: usize,
        /// The mark.
        found: u8,
        /// Where.
        position: String,
    },
    /// A line ends badly for the holder.
    #[error("expected a line that keeps the promise, found it broken in {position} (byte {at})")]
    Broken {
        /// Offset after what led here.
        at: usize,
        /// Where.
        position: String,
    },
    /// A line returns to a position, which no forced win may rest on.
    #[error("expected a line that ends, found one that returns to {position} (byte {at})")]
    Circular {
        /// Offset after what led here.
        at: usize,
        /// Where.
        position: String,
    },
    /// Whoever asked for the replay does not want it any more.
    #[error("expected to replay the proof to its end, found a request to stop after {positions} positions")]
    Stopped {
        /// Positions replayed so far.
        positions: usize,
    },
    /// There are more positions than a replay has numbers for.
    #[error("expected a proof of fewer positions, found more than {positions}")]
    Large {
        /// Positions replayed so far.
        positions: usize,
    },
    /// A table is named that does not hold the position.
    #[error("expected a table that holds {position} (byte {at}), found none; check with the tables used")]
    NoTable {
        /// Offset after the mark.
        at: usize,
        /// Where.
        position: String,
    },
}

/// What a replay may lean on beyond the rules where the strategy says so, and how long it may go on.
#[derive(Clone, Copy)]
pub struct Grounds<'a, G: Game> {
    /// Tables.
    pub oracle: &'a dyn Oracle<G>,
    /// Told every few thousand positions how many bytes the replay takes by then; says whether to give up.
    pub stop: &'a dyn Fn(usize) -> bool,
}

/// Positions from one question whether to give up to the next.
const ASK_EVERY: usize = 1 << 12;

impl<G: Game> std::fmt::Debug for Grounds<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Grounds")
    }
}

/// Replays the bytes as a forced win for `holder` from `root`.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn check_win<G: Game>(
    game: &G,
    root: &G::Position,
    holder: Player,
    bytes: &[u8],
    grounds: Grounds<'_, G>,
) -> Result<Checked<G::Position>, Refusal> {
    check(game, root, holder, Promise::Win, bytes, grounds)
}

/// Replays the bytes as a strategy with which `holder` never loses from `root`.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn check_never_loses<G: Game>(
    game: &G,
    root: &G::Position,
    holder: Player,
    bytes: &[u8],
    grounds: Grounds<'_, G>,
) -> Result<Checked<G::Position>, Refusal> {
    check(game, root, holder, Promise::NeverLose, bytes, grounds)
}

fn check<G: Game>(
    game: &G,
    root: &G::Position,
    holder: Player,
    promise: Promise,
    bytes: &[u8],
    grounds: Grounds<'_, G>,
) -> Result<Checked<G::Position>, Refusal> {
    let expected = match (promise, holder) {
        (Promise::Win, Player::First) => (0, "that wins for the first player"),
        (Promise::Win, Player::Second) => (1, "that wins for the second player"),
        (Promise::NeverLose, Player::First) => (2, "that never loses for the first player"),
        (Promise::NeverLose, Player::Second) => (3, "that never loses for the second player"),
    };
    let marked = match bytes {
        [kind, marked @ (0 | 1), ..] if *kind == expected.0 => *marked == 1,
        _ => {
            let found = bytes.iter().take(2).copied().collect();
            return Err(Refusal::Head { expected: expected.1, found });
        }
    };
    let mut replay = Replay { game, holder, promise, bytes, at: 2, marked, grounds, met: Met::default() };
    replay.run(*root)?;
    replay.finish()
}

/// How far a position was replayed.
#[derive(Clone, Copy, Debug)]
struct Note {
    reply: Reply,
    ground: Option<Line>,
    /// Moves to the end of the longest line once all lines from here were replayed; [`OPEN`] before.
    longest: u32,
}

/// The lines from a position are still being replayed.
const OPEN: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Over,
    Table,
}

/// A position with lines still to replay: where its successors begin and end on the pile.
struct Open {
    id: Id,
    next: usize,
    end: usize,
    begin: usize,
    longest: u32,
}

struct Replay<'a, G: Game> {
    game: &'a G,
    holder: Player,
    promise: Promise,
    bytes: &'a [u8],
    at: usize,
    marked: bool,
    grounds: Grounds<'a, G>,
    met: Met<G::Position, Note>,
}

impl<G: Game> Replay<'_, G> {
    fn run(&mut self, root: G::Position) -> Result<(), Refusal> {
        let mut pile: Vec<G::Position> = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        self.meet(root, &mut pile, &mut open)?;
        while let Some(top) = open.last_mut() {
            if top.next == top.end {
                let longest = top.longest;
                pile.truncate(top.begin);
                self.met.note_mut(top.id).longest = longest;
                open.pop();
                continue;
            }
            let next = pile[top.next];
            let known = self.met.find(&next).map(|id| self.met.note(id).longest);
            match known {
                None => self.meet(next, &mut pile, &mut open)?,
                Some(longest) if longest != OPEN => {
                    top.longest = top.longest.max(longest + 1);
                    top.next += 1;
                }
                Some(_) if self.promise == Promise::Win => return Err(self.circular(&next)),
                Some(_) => top.next += 1,
            }
        }
        Ok(())
    }

    /// Reads what the strategy says about a position met for the first time.
    fn meet(
        &mut self,
        position: G::Position,
        pile: &mut Vec<G::Position>,
        open: &mut Vec<Open>,
    ) -> Result<(), Refusal> {
        if self.met.len() % ASK_EVERY == ASK_EVERY - 1 && (self.grounds.stop)(self.met.bytes()) {
            return Err(Refusal::Stopped { positions: self.met.len() });
        }
        if let Some(line) = self.line_ends(&position)? {
            self.note(position, Note { reply: Reply::Wait, ground: Some(line), longest: 0 })?;
            return Ok(());
        }
        let mut moves = Vec::new();
        self.game.moves(&position, &mut moves);
        let begin = pile.len();
        let reply = if self.game.turn(&position) == self.holder {
            let number = self.read_move(moves.len(), &position)?;
            pile.push(self.game.play(&position, moves[number]));
            Reply::Play(number as u16)
        } else {
            pile.extend(moves.iter().map(|&mv| self.game.play(&position, mv)));
            Reply::Wait
        };
        let id = self.note(position, Note { reply, ground: None, longest: OPEN })?;
        open.push(Open { id, next: begin, end: pile.len(), begin, longest: 0 });
        Ok(())
    }

    fn note(&mut self, position: G::Position, note: Note) -> Result<Id, Refusal> {
        self.met.add(position, note).ok_or(Refusal::Large { positions: self.met.len() })
    }

    /// Whether the line ends here, and well for the holder.
    fn line_ends(&mut self, position: &G::Position) -> Result<Option<Line>, Refusal> {
        if let Some(over) = self.game.over(position) {
            let kept = match self.promise {
                Promise::Win => over.outcome == Outcome::Winner(self.holder),
                Promise::NeverLose => over.outcome != Outcome::Winner(self.holder.opponent()),
            };
            return if kept { Ok(Some(Line::Over)) } else { Err(self.broken(position)) };
        }
        if !self.marked {
            return Ok(None);
        }
        match self.read_byte("a mark")? {
            0 => Ok(None),
            1 => self.ends_on_table(position).map(|()| Some(Line::Table)),
            found => Err(Refusal::Mark { at: self.at, found, position: format!("{position:?}") }),
        }
    }

    fn ends_on_table(&self, position: &G::Position) -> Result<(), Refusal> {
        let Some(value) = self.grounds.oracle.value(position) else {
            return Err(Refusal::NoTable { at: self.at, position: format!("{position:?}") });
        };
        let mine = if self.game.turn(position) == self.holder { value } else { value.for_opponent() };
        let kept = match self.promise {
            Promise::Win => mine == Value::Win,
            Promise::NeverLose => mine != Value::Loss,
        };
        if kept { Ok(()) } else { Err(self.broken(position)) }
    }

    fn read_byte(&mut self, expected: &'static str) -> Result<u8, Refusal> {
        let byte = self.bytes.get(self.at).copied().ok_or(Refusal::Ends { expected, at: self.at })?;
        self.at += 1;
        Ok(byte)
    }

    fn read_move(&mut self, moves: usize, position: &G::Position) -> Result<usize, Refusal> {
        let mut number = 0_u64;
        for digit in 0..3 {
            let byte = self.read_byte("the number of a move")?;
            number |= u64::from(byte & 127) << (7 * digit);
            if byte < 128 {
                // A last digit of zero would be a second way to write the same number.
                let short = digit == 0 || byte != 0;
                if short && number < moves as u64 && number <= u64::from(u16::MAX) {
                    return Ok(number as usize);
                }
                break;
            }
        }
        Err(Refusal::Move { moves, at: self.at, found: number, position: format!("{position:?}") })
    }

    fn finish(self) -> Result<Checked<G::Position>, Refusal> {
        if self.at < self.bytes.len() {
            return Err(Refusal::Longer { at: self.at, left: self.bytes.len() - self.at });
        }
        let count = |line| self.met.notes().filter(|note| note.ground == Some(line)).count();
        let win = self.promise == Promise::Win;
        Ok(Checked {
            holder: self.holder,
            promise: self.promise,
            positions: self.met.len(),
            by_table: count(Line::Table),
            longest: win.then(|| self.met.notes().map(|note| note.longest).max()).flatten(),
            met: self.met,
        })
    }

    fn broken(&self, position: &G::Position) -> Refusal {
        Refusal::Broken { at: self.at, position: format!("{position:?}") }
    }

    fn circular(&self, position: &G::Position) -> Refusal {
        Refusal::Circular { at: self.at, position: format!("{position:?}") }
    }
}
