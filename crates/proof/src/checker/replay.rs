//! Replays a strategy, line by line.

use marquis_core::{Game, Outcome, Packed, Player, Value, packed};

use super::refusal::HEAD_BYTES;
use super::{ClaimedBytes, Foregone, Promise, Refusal, Reply, StrategyHead};
use crate::Ended;
use crate::dense::Dense;
use crate::listed::NotedPositions;
use crate::met::MetNumber;

/// Positions between two calls of `attend`.
const ASK_EVERY: usize = 1 << 12;

/// Visits a position after all its lines were replayed, with the plies of the longest line.
pub(crate) type Visit<'a, P> = dyn FnMut(&P, u32) + 'a;

/// Handles the positions met so far; an error stops the replay.
pub(crate) type PositionVisitor<'a, 'd, P> =
    dyn FnMut(&mut NotedPositions<'d, P, Note>) -> Result<(), Ended> + 'a;

/// Why a replay stopped.
#[derive(Debug)]
pub(crate) enum ReplayHalt {
    /// The strategy does not keep its promise.
    Refused(Refusal),
    /// A limit ended the replay.
    Ended(Ended),
}

impl From<Refusal> for ReplayHalt {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Ended> for ReplayHalt {
    fn from(ended: Ended) -> Self {
        Self::Ended(ended)
    }
}

/// The replay state of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Note {
    pub(super) reply: Reply,
    /// Moves to the end of the longest line, once all lines from here were replayed; [`OPEN`] before.
    longest: u32,
}

packed!(Note { reply: Reply, longest: u32 });

impl Packed for Reply {
    const BYTES: usize = <Option<u16>>::BYTES;

    fn pack(&self, out: &mut Vec<u8>) {
        match self {
            Self::Play(number) => Some(*number).pack(out),
            Self::Wait => None::<u16>.pack(out),
        }
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Some(Option::<u16>::unpack(bytes)?.map_or(Self::Wait, Self::Play))
    }
}

/// The lines from a position are still being replayed.
const OPEN: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReplayState {
    Over,
    Foregone,
    Table,
}

/// A position with lines still to replay, and the range of its successors on the pile.
struct OpenPosition {
    id: MetNumber,
    reply: Reply,
    next: usize,
    end: usize,
    begin: usize,
    longest: u32,
}

impl OpenPosition {
    /// Passes to the next successor, after all lines from the current one; the longest of them has `longest` moves.
    fn passed(&mut self, longest: u32) {
        self.longest = self.longest.max(longest + 1);
        self.next += 1;
    }
}

/// A strategy being replayed.
pub(super) struct Replay<'a, 's, 'd, 'v, G: Game> {
    claim: ClaimedBytes<'a, 's, G>,
    at: usize,
    marked: bool,
    ends_early: bool,
    attend: &'a mut PositionVisitor<'a, 'd, G::Position>,
    /// With a visit, finished games are not stored but examined again each time, which saves memory.
    visit: Option<&'v mut Visit<'v, G::Position>>,
    pub(super) met: NotedPositions<'d, G::Position, Note>,
    pub(super) by_table: usize,
    pub(super) by_theorem: usize,
    /// Moves to the end of the longest line replayed so far.
    pub(super) longest: u32,
    /// Whether every line replayed so far ends in a win for the holder.
    wins: bool,
    /// The moves of one position, so that their memory is used again.
    moves: Vec<G::Move>,
}

impl<'a, 's, 'd, 'v, G: Game> Replay<'a, 's, 'd, 'v, G> {
    /// Reads the head.
    pub(super) fn new(
        claim: ClaimedBytes<'a, 's, G>,
        attend: &'a mut PositionVisitor<'a, 'd, G::Position>,
        visit: Option<&'v mut Visit<'v, G::Position>>,
    ) -> Result<Self, Refusal> {
        let expected = match (claim.promise, claim.holder) {
            (Promise::Win, Player::First) => "that wins for the first player",
            (Promise::Win, Player::Second) => "that wins for the second player",
            (Promise::NeverLose, Player::First) => "that never loses for the first player",
            (Promise::NeverLose, Player::Second) => "that never loses for the second player",
        };
        let bytes = claim.bytes.until(HEAD_BYTES);
        let head = StrategyHead::read(bytes).ok();
        let is_asked = |head: &StrategyHead| (head.promise, head.holder) == (claim.promise, claim.holder);
        let head = head.filter(is_asked).ok_or_else(|| Refusal::head(expected, bytes))?;
        let met =
            if visit.is_some() { NotedPositions::Dense(Dense::default()) } else { NotedPositions::default() };
        let at = HEAD_BYTES;
        let StrategyHead { is_marked: marked, ends_early, .. } = head;
        Ok(Self {
            claim,
            at,
            marked,
            ends_early,
            attend,
            visit,
            met,
            by_table: 0,
            by_theorem: 0,
            longest: 0,
            wins: true,
            moves: Vec::new(),
        })
    }

    pub(super) fn run(&mut self, root: G::Position) -> Result<(), ReplayHalt> {
        let mut pile: Vec<G::Position> = Vec::new();
        let mut open: Vec<OpenPosition> = Vec::new();
        self.meet(root, &mut pile, &mut open)?;
        while let Some(top) = open.last_mut() {
            if top.next == top.end {
                let &mut OpenPosition { id, reply, begin, longest, .. } = top;
                pile.truncate(begin);
                self.met.set_note(id, Note { reply, longest })?;
                if let Some(visit) = self.visit.as_mut().filter(|_| reply == Reply::Wait) {
                    visit(&self.met.get(id)?.0, longest);
                }
                self.longest = self.longest.max(longest);
                open.pop();
                if let Some(above) = open.last_mut() {
                    above.passed(longest);
                }
                continue;
            }
            let next = pile[top.next];
            let known = self.met.find(&next)?.map(|id| self.met.note(id)).transpose()?;
            match known.map(|note| note.longest) {
                None => self.meet(next, &mut pile, &mut open)?,
                Some(longest) if longest != OPEN => top.passed(longest),
                Some(_) if self.claim.promise == Promise::Win => return Err(self.circular(&next).into()),
                Some(_) => {
                    self.wins = false;
                    top.next += 1;
                }
            }
        }
        let left = self.claim.bytes.until(usize::MAX).len() - self.at;
        if left > 0 { Err(Refusal::Longer { at: self.at, left }.into()) } else { Ok(()) }
    }

    /// Reads the entry of a position met for the first time, and opens it or passes it.
    fn meet(
        &mut self,
        position: G::Position,
        pile: &mut Vec<G::Position>,
        open: &mut Vec<OpenPosition>,
    ) -> Result<(), ReplayHalt> {
        if self.met.len() % ASK_EVERY == ASK_EVERY - 1 {
            (self.attend)(&mut self.met)?;
        }
        let line = self.line_ends(&position)?;
        let is_played_on = line == Some(ReplayState::Foregone) && self.claim.foregone == Foregone::PlayedOn;
        if let Some(line) = line.filter(|_| !is_played_on) {
            self.by_table += usize::from(line == ReplayState::Table);
            self.by_theorem += usize::from(line == ReplayState::Foregone);
            if line != ReplayState::Over || self.visit.is_none() {
                self.met.add(position, Note { reply: Reply::Wait, longest: 0 })?;
            }
            if let Some(above) = open.last_mut() {
                above.passed(0);
            }
            return Ok(());
        }
        let game = self.claim.game;
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        game.moves(&position, &mut moves);
        if is_played_on {
            self.keep_foregone(&position, &mut moves)?;
        }
        let begin = pile.len();
        let reply = if !is_played_on && game.turn(&position) == self.claim.holder {
            let number = self.read_move(moves.len(), &position)?;
            pile.push(game.play(&position, moves[number]));
            Reply::Play(number as u16)
        } else {
            pile.extend(moves.iter().map(|&mv| game.play(&position, mv)));
            Reply::Wait
        };
        self.moves = moves;
        let id = self.met.add(position, Note { reply, longest: OPEN })?;
        open.push(OpenPosition { id, reply, next: begin, end: pile.len(), begin, longest: 0 });
        Ok(())
    }

    /// Restricts the moves of a position whose end is foregone to those to try: for the holder one that keeps the
    /// end, for the other player all.
    fn keep_foregone(&self, position: &G::Position, moves: &mut Vec<G::Move>) -> Result<(), Refusal> {
        let game = self.claim.game;
        let keeps = |&mv: &G::Move| {
            self.end(&game.play(position, mv)).is_some_and(|(outcome, _)| self.is_kept(outcome))
        };
        if game.turn(position) != self.claim.holder {
            return if moves.iter().all(keeps) { Ok(()) } else { Err(self.broken(position)) };
        }
        let kept = moves.iter().copied().find(keeps).ok_or_else(|| self.broken(position))?;
        *moves = vec![kept];
        Ok(())
    }

    /// How a line ends here by the rules, or by a theorem if the strategy relies on it.
    fn end(&self, position: &G::Position) -> Option<(Outcome, ReplayState)> {
        let game = self.claim.game;
        let over = game.over(position).map(|over| (over.outcome, ReplayState::Over));
        let foregone = || game.foregone(position).map(|outcome| (outcome, ReplayState::Foregone));
        over.or_else(|| self.ends_early.then(foregone).flatten())
    }

    /// The promise kept by the strategy, once all of it was replayed.
    pub(super) fn kept(&self) -> Promise {
        if self.wins { Promise::Win } else { self.claim.promise }
    }

    /// Whether an outcome keeps the promise.
    fn is_kept(&self, outcome: Outcome) -> bool {
        match self.claim.promise {
            Promise::Win => outcome == Outcome::Winner(self.claim.holder),
            Promise::NeverLose => outcome != Outcome::Winner(self.claim.holder.opponent()),
        }
    }

    /// Whether the line ends here; an error if it breaks the promise.
    fn line_ends(&mut self, position: &G::Position) -> Result<Option<ReplayState>, Refusal> {
        if let Some((outcome, line)) = self.end(position) {
            self.wins &= outcome == Outcome::Winner(self.claim.holder);
            return if self.is_kept(outcome) { Ok(Some(line)) } else { Err(self.broken(position)) };
        }
        if !self.marked {
            return Ok(None);
        }
        match self.read_byte("a mark")? {
            0 => Ok(None),
            1 => self.ends_on_table(position).map(|()| Some(ReplayState::Table)),
            found => Err(Refusal::Mark { at: self.at, found, position: format!("{position:?}") }),
        }
    }

    fn ends_on_table(&mut self, position: &G::Position) -> Result<(), Refusal> {
        let Some(value) = self.claim.oracle.value(position) else {
            return Err(Refusal::NoTable { at: self.at, position: format!("{position:?}") });
        };
        let mine =
            if self.claim.game.turn(position) == self.claim.holder { value } else { value.for_opponent() };
        self.wins &= mine == Value::Win;
        let kept = match self.claim.promise {
            Promise::Win => mine == Value::Win,
            Promise::NeverLose => mine != Value::Loss,
        };
        if kept { Ok(()) } else { Err(self.broken(position)) }
    }

    fn read_byte(&mut self, expected: &'static str) -> Result<u8, Refusal> {
        let bytes = self.claim.bytes.until(self.at + 1);
        let byte = bytes.get(self.at).copied().ok_or(Refusal::Ends { expected, at: self.at })?;
        self.at += 1;
        Ok(byte)
    }

    fn read_move(&mut self, moves: usize, position: &G::Position) -> Result<usize, Refusal> {
        let mut number = 0_u64;
        for digit in 0..3 {
            let byte = self.read_byte("the number of a move")?;
            number |= u64::from(byte & 127) << (7 * digit);
            if byte < 128 {
                // A last digit of zero would be a second encoding of the same number.
                let short = digit == 0 || byte != 0;
                if short && number < moves as u64 && number <= u64::from(u16::MAX) {
                    return Ok(number as usize);
                }
                break;
            }
        }
        Err(Refusal::Move { moves, at: self.at, found: number, position: format!("{position:?}") })
    }

    fn broken(&self, position: &G::Position) -> Refusal {
        Refusal::Broken { at: self.at, position: format!("{position:?}") }
    }

    fn circular(&self, position: &G::Position) -> Refusal {
        Refusal::Circular { at: self.at, position: format!("{position:?}") }
    }
}
