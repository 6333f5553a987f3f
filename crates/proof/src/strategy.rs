//! A strategy: the moves of one player against every defence of the other.
//!
//! The bytes begin with a head of two bytes: kind and holder, then how lines end. The positions follow depth first,
//! moves in the order of the rules, each position where it is first met. A finished position writes nothing; nor does
//! one whose end is foregone ([`Game::foregone`]) if the second byte of the head has bit 2 set. If the holder is to
//! move, the number of the move follows; otherwise nothing. Numbers are in base 128, low digits first, with the high
//! bit set on all bytes but the last. If bit 1 of the second byte is set, every position that does not end its line
//! by these rules begins with a mark byte: 0 for a line that continues, 1 for a line that ends on a table.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;
use marquis_core::{Bounds, Game, Player, Value};

use crate::checker::{Checked, Grounds, Promise, Refusal, check_never_loses, check_win};
use crate::knowledge::end;
use crate::stream::StreamWriter;

/// The result that a strategy guarantees its holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Guarantee {
    /// A win in finitely many moves: no line returns to a position.
    Win,
    /// Never a loss: lines may repeat for ever, and none ends in a loss.
    NeverLose,
}

impl Guarantee {
    /// The bounds that it implies for a position of the strategy with `turn` to move.
    #[must_use]
    pub fn bounds(self, holder: Player, turn: Player) -> Bounds {
        let for_holder = match self {
            Self::Win => Bounds::exact(Value::Win),
            Self::NeverLose => Bounds { worst: Value::Draw, best: Value::Win },
        };
        if holder == turn { for_holder } else { for_holder.for_opponent() }
    }

    /// Replays these bytes with the [`checker`](crate::checker), as a strategy of this kind from `root`.
    ///
    /// # Errors
    /// The first error, with its place.
    pub fn replay<G: Game>(
        self,
        game: &G,
        root: &G::Position,
        holder: Player,
        bytes: &[u8],
        grounds: Grounds<'_, G>,
    ) -> Result<Checked<G::Position>, Refusal> {
        match self {
            Self::Win => check_win(game, root, holder, bytes, grounds),
            Self::NeverLose => check_never_loses(game, root, holder, bytes, grounds),
        }
    }
}

impl From<Promise> for Guarantee {
    fn from(promise: Promise) -> Self {
        match promise {
            Promise::Win => Self::Win,
            Promise::NeverLose => Self::NeverLose,
        }
    }
}

impl From<Guarantee> for Promise {
    fn from(kind: Guarantee) -> Self {
        match kind {
            Guarantee::Win => Self::Win,
            Guarantee::NeverLose => Self::NeverLose,
        }
    }
}

/// The entry of a strategy for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StrategyEntry {
    /// The holder plays the move with this number.
    Move(u16),
    /// The line ends here, on a table.
    Table,
}

/// A strategy from a position, with the bytes that prove it.
#[derive(Clone, Debug)]
pub struct Strategy<G: Game> {
    /// The player who follows it.
    pub holder: Player,
    /// The result that it guarantees.
    pub kind: Guarantee,
    /// The position where it starts.
    pub root: G::Position,
    bytes: Vec<u8>,
    size: Size,
}

/// The size of a strategy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    /// Positions that it leads to, except those that end a line by the rules or a foregone end.
    pub(crate) positions: usize,
    /// Those of them with a move of the holder.
    pub(crate) moves: usize,
    /// Those of them that end a line on a table.
    pub(crate) tables: usize,
}

impl<G: Game> Strategy<G> {
    /// The bounds that it proves for its first position.
    #[must_use]
    pub fn bounds(&self, game: &G) -> Bounds {
        self.kind.bounds(self.holder, game.turn(&self.root))
    }

    /// The number of positions with a move of the holder, or that end a line on a table.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.size.moves + self.size.tables
    }

    /// Whether it has no moves: the rules or a table decide the first position.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it covers the move with this number in its first position.
    pub(crate) fn allows(&self, game: &G, number: usize) -> bool {
        let mut reader = StrategyReader::new(&self.bytes);
        if reader.end(game, &self.root) || reader.ends_on_table() {
            return false;
        }
        game.turn(&self.root) != self.holder
            || reader.number().is_some_and(|kept| usize::from(kept) == number)
    }

    /// Whether some line ends on a table.
    #[must_use]
    pub const fn rests_on_tables(&self) -> bool {
        self.size.tables > 0
    }

    /// The bytes that a checker replays from the root; they do not include the root.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Replaces the promise by one that a replay has confirmed.
    pub(crate) fn keeping(mut self, promise: Promise) -> Self {
        self.kind = promise.into();
        self.bytes[0] = head(self.kind, self.holder);
        self
    }

    /// Replays it with the [`checker`](crate::checker).
    ///
    /// # Errors
    /// The first error, with its place.
    pub fn replay(&self, game: &G, grounds: Grounds<'_, G>) -> Result<Checked<G::Position>, Refusal> {
        self.kind.replay(game, &self.root, self.holder, &self.bytes, grounds)
    }

    /// Returns the bytes alone.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The same as an editable list of positions.
    pub(crate) fn draft(&self, game: &G) -> Draft<G> {
        let mut draft = Draft::new(self.holder, self.kind, self.root);
        let mut reader = StrategyReader::new(&self.bytes);
        let mut walk = StrategyWalk::new(game, self.root, reader.foregone);
        while let Some(position) = walk.next() {
            if reader.ends_on_table() {
                draft.kept.insert(position, StrategyEntry::Table);
            } else if game.turn(&position) == self.holder {
                let Some(number) = reader.number() else { break };
                draft.kept.insert(position, StrategyEntry::Move(number));
                walk.follow(&position, number);
            } else {
                walk.follow_all(&position);
            }
        }
        draft
    }
}

/// A strategy under construction, position by position.
#[derive(Debug)]
pub(crate) struct Draft<G: Game> {
    pub(crate) holder: Player,
    pub(crate) kind: Guarantee,
    pub(crate) root: G::Position,
    pub(crate) kept: HashMap<G::Position, StrategyEntry, FixedState>,
}

impl<G: Game> Draft<G> {
    /// An empty draft.
    pub(crate) fn new(holder: Player, kind: Guarantee, root: G::Position) -> Self {
        Self { holder, kind, root, kept: HashMap::default() }
    }

    /// The strategy.
    pub(crate) fn write(&self, game: &G) -> Strategy<G> {
        let (writer, _) = self.write_until(game, || false);
        writer.finish(self.root)
    }

    /// The strategy; `None` if `stop`, called every few thousand positions, returns `true`.
    pub(crate) fn write_unless(&self, game: &G, stop: impl FnMut() -> bool) -> Option<Strategy<G>> {
        let (writer, stopped) = self.write_until(game, stop);
        (!stopped).then(|| writer.finish(self.root))
    }

    /// The second result says whether it was stopped.
    fn write_until(&self, game: &G, mut stop: impl FnMut() -> bool) -> (Writer, bool) {
        let marks = self.kept.values().any(|kept| *kept == StrategyEntry::Table);
        let mut writer = Writer::new::<G>(self.holder, self.kind, marks);
        let mut walk = StrategyWalk::new(game, self.root, G::KNOWS_FOREGONE);
        while let Some(position) = walk.next() {
            if writer.size.positions.is_multiple_of(ASK_EVERY) && stop() {
                return (writer, true);
            }
            match self.kept.get(&position) {
                Some(StrategyEntry::Table) => writer.end_on_table(),
                Some(StrategyEntry::Move(number)) => {
                    writer.go_on();
                    writer.play(*number);
                    walk.follow(&position, *number);
                }
                None => {
                    writer.go_on();
                    if game.turn(&position) != self.holder {
                        walk.follow_all(&position);
                    }
                }
            }
        }
        (writer, false)
    }
}

/// The positions of a strategy in the order of its bytes.
struct StrategyWalk<'a, G: Game> {
    game: &'a G,
    /// Whether lines end where the end is foregone.
    foregone: bool,
    met: HashSet<G::Position, FixedState>,
    stack: Vec<G::Position>,
    moves: Vec<G::Move>,
}

impl<'a, G: Game> StrategyWalk<'a, G> {
    fn new(game: &'a G, root: G::Position, foregone: bool) -> Self {
        Self { game, foregone, met: HashSet::default(), stack: vec![root], moves: Vec::new() }
    }

    /// The next position that does not end its line by the rules, or ends it on a table.
    fn next(&mut self) -> Option<G::Position> {
        while let Some(position) = self.stack.pop() {
            if !ends(self.game, &position, self.foregone) && self.met.insert(position) {
                return Some(position);
            }
        }
        None
    }

    /// Continues with the move that has this number.
    fn follow(&mut self, position: &G::Position, number: u16) {
        self.list(position);
        let next = self.moves.get(usize::from(number)).map(|&mv| self.game.play(position, mv));
        self.stack.extend(next);
    }

    /// Continues with all moves.
    fn follow_all(&mut self, position: &G::Position) {
        self.list(position);
        self.stack.extend(self.moves.iter().rev().map(|&mv| self.game.play(position, mv)));
    }

    fn list(&mut self, position: &G::Position) {
        self.moves.clear();
        self.game.moves(position, &mut self.moves);
    }
}

/// Bit of the second byte of a head: every position that does not end its line by the rules has a mark.
const MARKS: u8 = 1;
/// Bit of the same byte: lines end where the end is foregone.
const FOREGONE: u8 = 2;

/// Whether a line ends here by the rules.
fn ends<G: Game>(game: &G, position: &G::Position, foregone: bool) -> bool {
    if foregone { end(game, position).is_some() } else { game.over(position).is_some() }
}

/// Writes a strategy, position after position.
#[derive(Debug)]
pub(crate) struct Writer {
    holder: Player,
    kind: Guarantee,
    marks: bool,
    bytes: Vec<u8>,
    size: Size,
    /// Where the bytes are read while they are written.
    stream: Option<StreamWriter>,
}

/// A place in the bytes to which a writer can return.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WriterMark {
    at: usize,
    size: Size,
}

/// The first byte of a strategy.
fn head(kind: Guarantee, holder: Player) -> u8 {
    u8::from(kind == Guarantee::NeverLose) << 1 | u8::from(holder == Player::Second)
}

impl Writer {
    /// * `marks`: whether lines may end on a table.
    pub(crate) fn new<G: Game>(holder: Player, kind: Guarantee, marks: bool) -> Self {
        let head = head(kind, holder);
        let ends = (u8::from(marks) * MARKS) | (u8::from(G::KNOWS_FOREGONE) * FOREGONE);
        Self { holder, kind, marks, bytes: vec![head, ends], size: Size::default(), stream: None }
    }

    /// Also sends the bytes to a reader.
    pub(crate) fn sending(mut self, stream: Option<StreamWriter>) -> Self {
        self.stream = stream;
        self
    }

    /// Whether lines may end on a table.
    pub(crate) const fn marks(&self) -> bool {
        self.marks
    }

    /// The memory that it may take, in bytes: a list that grows may be half empty, and a reader has another.
    pub(crate) const fn memory(&self) -> usize {
        (if self.stream.is_some() { 4 } else { 2 }) * self.bytes.len()
    }

    /// The line ends here, on a table.
    pub(crate) fn end_on_table(&mut self) {
        self.bytes.push(1);
        self.size.positions += 1;
        self.size.tables += 1;
    }

    /// The line continues.
    pub(crate) fn go_on(&mut self) {
        self.size.positions += 1;
        if self.marks {
            self.bytes.push(0);
        }
    }

    /// The holder plays the move with this number.
    pub(crate) fn play(&mut self, number: u16) {
        self.size.moves += 1;
        write_number(number, &mut self.bytes);
        if let Some(stream) = &mut self.stream {
            stream.advance(&self.bytes);
        }
    }

    pub(crate) const fn mark(&self) -> WriterMark {
        WriterMark { at: self.bytes.len(), size: self.size }
    }

    /// Removes everything written since.
    pub(crate) fn back_to(&mut self, mark: WriterMark) {
        self.bytes.truncate(mark.at);
        self.size = mark.size;
        if let Some(stream) = &mut self.stream {
            stream.back_to(mark.at);
        }
    }

    pub(crate) fn finish<G: Game>(self, root: G::Position) -> Strategy<G> {
        let Self { holder, kind, bytes, size, stream, .. } = self;
        if let Some(stream) = stream {
            stream.finish(&bytes);
        }
        Strategy { holder, kind, root, bytes, size }
    }
}

/// Reads the output of a [`Writer`]; only the checker reads untrusted bytes.
struct StrategyReader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Whether every position has a mark.
    marks: bool,
    /// Whether lines end where their end is foregone.
    foregone: bool,
}

impl<'a> StrategyReader<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let has = |bit: u8| bytes.get(1).is_some_and(|ends| ends & bit != 0);
        Self { bytes, at: 2, marks: has(MARKS), foregone: has(FOREGONE) }
    }

    /// Whether the line ends here by the rules, so that nothing is written.
    fn end<G: Game>(&self, game: &G, position: &G::Position) -> bool {
        ends(game, position, self.foregone)
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied();
        self.at += 1;
        byte
    }

    /// Whether the line ends here on a table; call it once per position.
    fn ends_on_table(&mut self) -> bool {
        self.marks && self.byte() == Some(1)
    }

    fn number(&mut self) -> Option<u16> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            number |= u16::from(byte & 127).checked_shl(shift)?;
            if byte < 128 {
                return Some(number);
            }
            shift += 7;
        }
    }
}

/// Positions between two calls of `stop`.
pub(crate) const ASK_EVERY: usize = 1 << 12;

fn write_number(mut number: u16, bytes: &mut Vec<u8>) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}
