//! Replays a strategy by the rules alone, sharing nothing with the search but the traits of the core and the list of
//! positions met.
//!
//! The layout of the bytes is described in [`strategy`](crate::strategy); it is read here a second time,
//! independently of the writer.

mod refusal;

use std::cell::Cell;
use std::hash::Hash;

use marquis_core::{Game, Outcome, Packed, Player, Value, packed};

use self::refusal::HEAD_BYTES;
pub use self::refusal::Refusal;
use crate::dense::Dense;
use crate::knowledge::{NoOracle, Oracle};
use crate::listed::{Listed, Room};
use crate::met::{Id, Met};
use crate::pool::Pool;
use crate::{Disk, Ended};

/// What a checked strategy promises, as this module itself understands it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// The holder wins in finitely many moves.
    Win,
    /// The holder never loses.
    NeverLose,
}

/// What the first bytes of a strategy say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Who holds the strategy.
    pub holder: Player,
    /// What it promises.
    pub promise: Promise,
    /// Whether lines may end on a table, so that every position has a mark.
    pub is_marked: bool,
    /// Whether lines end where the end is foregone ([`Game::foregone`]).
    pub ends_early: bool,
}

impl Head {
    /// The head of these bytes.
    ///
    /// # Errors
    /// [`Refusal::Head`] where they begin with none.
    pub fn read(bytes: &[u8]) -> Result<Self, Refusal> {
        let (promise, holder, ends) = match bytes {
            [0, ends @ 0..=3, ..] => (Promise::Win, Player::First, *ends),
            [1, ends @ 0..=3, ..] => (Promise::Win, Player::Second, *ends),
            [2, ends @ 0..=3, ..] => (Promise::NeverLose, Player::First, *ends),
            [3, ends @ 0..=3, ..] => (Promise::NeverLose, Player::Second, *ends),
            _ => return Err(Refusal::head("of one of the players", bytes)),
        };
        Ok(Self { holder, promise, is_marked: ends & 1 != 0, ends_early: ends & 2 != 0 })
    }
}

/// What a replay found.
#[derive(Clone, Debug)]
pub struct Checked<P> {
    /// Who holds the strategy.
    pub holder: Player,
    /// What it keeps: where every line of one that never loses ends with a win, it wins.
    pub promise: Promise,
    /// All positions that it leads to, finished games included.
    pub positions: usize,
    /// How many of them end a line on a table.
    pub by_table: usize,
    /// How many of them end a line by a theorem: its end is foregone, and that was believed.
    pub by_theorem: usize,
    /// Moves to the end of the longest line of a win; lines that end on a table count as ending there.
    pub longest: Option<u32>,
    met: Met<P, Note>,
}

impl<P: Copy + Eq + Hash> Checked<P> {
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

/// What to make of lines that end where the end is foregone ([`Game::foregone`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foregone {
    /// They end there, by the theorem.
    Believed,
    /// They are played on until the game is over. The theorem is asked which move of the holder to try, and every reply
    /// to it is tried; so it may be wrong, and the replay finds out.
    PlayedOn,
}

/// What a replay may lean on beyond the rules where the strategy says so, and how long it may go on.
pub struct Grounds<'a, G: Game> {
    /// Tables.
    pub oracle: &'a dyn Oracle<G>,
    /// Theorems.
    pub foregone: Foregone,
    /// Told every few thousand positions how many bytes the replay takes by then; says whether to give up.
    pub stop: &'a dyn Fn(usize) -> bool,
}

/// Positions from one question whether to give up to the next.
const ASK_EVERY: usize = 1 << 12;

impl<'a, G: Game> Grounds<'a, G> {
    /// No tables; theorems are believed.
    pub fn without_tables(stop: &'a dyn Fn(usize) -> bool) -> Self {
        Self { oracle: &NoOracle, foregone: Foregone::Believed, stop }
    }
}

impl<G: Game> Clone for Grounds<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Grounds<'_, G> {}

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
    let mut attend = |met: &mut Listed<'_, _, Note>| {
        if (grounds.stop)(met.bytes()) { Err(Ended::Stopped) } else { Ok(()) }
    };
    let Grounds { oracle, foregone, .. } = grounds;
    let claim = Claim { game, holder, promise, bytes, oracle, foregone };
    let mut replay = Replay::new(claim, Ends::Kept, &mut attend)?;
    let run = replay.run(*root, &mut |_, _| {});
    let promise = replay.kept();
    let Replay { met, by_table, by_theorem, longest, .. } = replay;
    let positions = met.len();
    match (run, met) {
        (Ok(()), Listed::Held(met)) => {
            let longest = (promise == Promise::Win).then_some(longest);
            Ok(Checked { holder, promise, positions, by_table, by_theorem, longest, met })
        }
        (Err(Halt::Refused(refusal)), _) => Err(refusal),
        (Err(Halt::Ended(Ended::Stopped)), _) => Err(Refusal::Stopped { positions }),
        (Ok(()) | Err(Halt::Ended(_)), _) => Err(Refusal::Large { positions }),
    }
}

/// Bytes, and what they are to show by the rules.
pub(crate) struct Claim<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) holder: Player,
    pub(crate) promise: Promise,
    pub(crate) bytes: &'a [u8],
    pub(crate) oracle: &'a dyn Oracle<G>,
    pub(crate) foregone: Foregone,
}

/// What a replay came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// What the strategy keeps: where every line of one that never loses ends with a win, it wins.
    pub promise: Promise,
    /// All positions that it leads to, finished games included.
    pub positions: u64,
    /// How many of them end a line on a table.
    pub by_table: u64,
    /// How many of them end a line by a theorem: its end is foregone, and that was believed.
    pub by_theorem: u64,
}

/// Replays the bytes from `root`, and keeps nothing.
///
/// * `attend`: called every few thousand positions with those met so far, which it may move to disk.
///
/// # Errors
/// The first thing that is wrong, or what `attend` says.
pub(crate) fn holds<'d, G: Game>(
    claim: Claim<'_, G>,
    root: &G::Position,
    attend: &mut Attend<'_, 'd, G::Position>,
) -> Result<Seen, Halt> {
    holds_visiting(claim, root, Ends::Kept, attend, &mut |_, _| {})
}

fn holds_visiting<'d, G: Game>(
    claim: Claim<'_, G>,
    root: &G::Position,
    ends: Ends,
    attend: &mut Attend<'_, 'd, G::Position>,
    visit: &mut Visit<'_, G::Position>,
) -> Result<Seen, Halt> {
    let mut replay = Replay::new(claim, ends, attend)?;
    replay.run(*root, visit)?;
    let (positions, by_theorem) = (replay.met.len() as u64, replay.by_theorem as u64);
    Ok(Seen { promise: replay.kept(), positions, by_table: replay.by_table as u64, by_theorem })
}

/// What the bytes lead to, replayed within so much memory and, where that is too little, on disk.
///
/// Nothing of the positions is kept.
///
/// * `memory`: bytes for the positions met.
///
/// # Errors
/// The first thing that is wrong, with its place; [`Refusal::Room`] where neither memory nor disk is enough.
pub fn replay_within<G: Game>(
    game: &G,
    root: &G::Position,
    claimed: (Player, Promise),
    bytes: &[u8],
    grounds: Grounds<'_, G>,
    room: (usize, &Disk),
) -> Result<Seen, Refusal> {
    replayed(game, root, claimed, bytes, grounds, (room, Ends::Kept), &mut |_, _| {})
}

/// The same, with a visit to each position in which the other player moves and the line goes on, and finished games
/// not counted among the positions.
///
/// * `visit`: gets the position and the length of the longest line from there, in plies; of a strategy that never
///   loses the length means nothing. What it has seen holds only if the replay succeeds.
///
/// # Errors
/// As [`replay_within`].
pub(crate) fn replay_visiting<G: Game>(
    game: &G,
    root: &G::Position,
    claimed: (Player, Promise),
    bytes: &[u8],
    grounds: Grounds<'_, G>,
    room: (usize, &Disk),
    visit: &mut Visit<'_, G::Position>,
) -> Result<Seen, Refusal> {
    replayed(game, root, claimed, bytes, grounds, (room, Ends::Passed), visit)
}

fn replayed<G: Game>(
    game: &G,
    root: &G::Position,
    (holder, promise): (Player, Promise),
    bytes: &[u8],
    grounds: Grounds<'_, G>,
    ((memory, disk), ends): ((usize, &Disk), Ends),
    visit: &mut Visit<'_, G::Position>,
) -> Result<Seen, Refusal> {
    let (pool, crowded) = (Pool::new(memory), Cell::default());
    let mut room = Room { share: pool.share(&crowded), disk: Some(disk) };
    let Grounds { oracle, foregone, .. } = grounds;
    let claim = Claim { game, holder, promise, bytes, oracle, foregone };
    let mut positions = 0;
    let mut attend: Box<Attend<'_, '_, G::Position>> = Box::new(|met| {
        positions = met.len();
        if (grounds.stop)(met.bytes()) { Err(Ended::Stopped) } else { room.make(met, 0) }
    });
    let held = holds_visiting(claim, root, ends, &mut *attend, visit);
    drop(attend);
    held.map_err(|why| match why {
        Halt::Refused(refusal) => refusal,
        Halt::Ended(Ended::Stopped) => Refusal::Stopped { positions },
        Halt::Ended(_) => Refusal::Room { positions, disk: disk.trouble() },
    })
}

/// Visits a position whose lines were all replayed, with the length of the longest in plies.
pub(crate) type Visit<'a, P> = dyn FnMut(&P, u32) + 'a;

/// Sees to the positions met so far, and says whether to give up.
pub(crate) type Attend<'a, 'd, P> = dyn FnMut(&mut Listed<'d, P, Note>) -> Result<(), Ended> + 'a;

/// Why a replay was broken off.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The strategy does not keep its promise.
    Refused(Refusal),
    /// It could not be replayed to its end.
    Ended(Ended),
}

impl From<Refusal> for Halt {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Ended> for Halt {
    fn from(ended: Ended) -> Self {
        Self::Ended(ended)
    }
}

/// How far a position was replayed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Note {
    reply: Reply,
    /// Moves to the end of the longest line once all lines from here were replayed; [`OPEN`] before.
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
enum Line {
    Over,
    Foregone,
    Table,
}

/// What becomes of finished games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    /// They are kept and counted.
    Kept,
    /// They are looked at each time that a line ends there, which saves their memory.
    Passed,
}

/// A position with lines still to replay: where its successors begin and end on the pile.
struct Open {
    id: Id,
    reply: Reply,
    next: usize,
    end: usize,
    begin: usize,
    longest: u32,
}

struct Replay<'a, 'd, G: Game> {
    claim: Claim<'a, G>,
    ends: Ends,
    at: usize,
    marked: bool,
    ends_early: bool,
    attend: &'a mut Attend<'a, 'd, G::Position>,
    met: Listed<'d, G::Position, Note>,
    by_table: usize,
    by_theorem: usize,
    /// Moves to the end of the longest line replayed so far.
    longest: u32,
    /// Whether every line replayed so far ends, and the holder wins there.
    wins: bool,
}

impl<'a, 'd, G: Game> Replay<'a, 'd, G> {
    /// Reads the head.
    fn new(
        claim: Claim<'a, G>,
        ends: Ends,
        attend: &'a mut Attend<'a, 'd, G::Position>,
    ) -> Result<Self, Refusal> {
        let expected = match (claim.promise, claim.holder) {
            (Promise::Win, Player::First) => "that wins for the first player",
            (Promise::Win, Player::Second) => "that wins for the second player",
            (Promise::NeverLose, Player::First) => "that never loses for the first player",
            (Promise::NeverLose, Player::Second) => "that never loses for the second player",
        };
        let head = Head::read(claim.bytes).ok();
        let is_asked = |head: &Head| (head.promise, head.holder) == (claim.promise, claim.holder);
        let head = head.filter(is_asked).ok_or_else(|| Refusal::head(expected, claim.bytes))?;
        let met = match ends {
            Ends::Kept => Listed::default(),
            Ends::Passed => Listed::Dense(Dense::default()),
        };
        let at = HEAD_BYTES;
        let Head { is_marked: marked, ends_early, .. } = head;
        Ok(Self {
            claim,
            ends,
            at,
            marked,
            ends_early,
            attend,
            met,
            by_table: 0,
            by_theorem: 0,
            longest: 0,
            wins: true,
        })
    }

    fn run(&mut self, root: G::Position, visit: &mut Visit<'_, G::Position>) -> Result<(), Halt> {
        let mut pile: Vec<G::Position> = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        self.meet(root, &mut pile, &mut open)?;
        while let Some(top) = open.last_mut() {
            if top.next == top.end {
                let &mut Open { id, reply, begin, longest, .. } = top;
                pile.truncate(begin);
                self.met.set_note(id, Note { reply, longest })?;
                if reply == Reply::Wait {
                    visit(&self.met.get(id)?.0, longest);
                }
                self.longest = self.longest.max(longest);
                open.pop();
                continue;
            }
            let next = pile[top.next];
            let known = self.met.find(&next)?.map(|id| self.met.note(id)).transpose()?;
            match known.map(|note| note.longest) {
                None => {
                    let is_passed = self.meet(next, &mut pile, &mut open)?;
                    if let Some(top) = open.last_mut().filter(|_| is_passed) {
                        top.longest = top.longest.max(1);
                        top.next += 1;
                    }
                }
                Some(longest) if longest != OPEN => {
                    top.longest = top.longest.max(longest + 1);
                    top.next += 1;
                }
                Some(_) if self.claim.promise == Promise::Win => return Err(self.circular(&next).into()),
                Some(_) => {
                    self.wins = false;
                    top.next += 1;
                }
            }
        }
        let left = self.claim.bytes.len() - self.at;
        if left > 0 { Err(Refusal::Longer { at: self.at, left }.into()) } else { Ok(()) }
    }

    /// Reads what the strategy says about a position met for the first time.
    ///
    /// * Result: whether it is a finished game that is not kept.
    fn meet(
        &mut self,
        position: G::Position,
        pile: &mut Vec<G::Position>,
        open: &mut Vec<Open>,
    ) -> Result<bool, Halt> {
        if self.met.len() % ASK_EVERY == ASK_EVERY - 1 {
            (self.attend)(&mut self.met)?;
        }
        let line = self.line_ends(&position)?;
        let is_played_on = line == Some(Line::Foregone) && self.claim.foregone == Foregone::PlayedOn;
        if line == Some(Line::Over) && self.ends == Ends::Passed {
            return Ok(true);
        }
        if let Some(line) = line.filter(|_| !is_played_on) {
            self.by_table += usize::from(line == Line::Table);
            self.by_theorem += usize::from(line == Line::Foregone);
            self.met.add(position, Note { reply: Reply::Wait, longest: 0 })?;
            return Ok(false);
        }
        let mut moves = Vec::new();
        let game = self.claim.game;
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
        let id = self.met.add(position, Note { reply, longest: OPEN })?;
        open.push(Open { id, reply, next: begin, end: pile.len(), begin, longest: 0 });
        Ok(false)
    }

    /// Of the moves in a position whose end is foregone those that are tried: one of the holder that keeps it so, or
    /// all of the other player.
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

    /// How a line ends here by the rules, or by a theorem where the strategy relies on that.
    fn end(&self, position: &G::Position) -> Option<(Outcome, Line)> {
        let game = self.claim.game;
        let over = game.over(position).map(|over| (over.outcome, Line::Over));
        let foregone = || game.foregone(position).map(|outcome| (outcome, Line::Foregone));
        over.or_else(|| self.ends_early.then(foregone).flatten())
    }

    /// What the strategy keeps, once all of it was replayed.
    fn kept(&self) -> Promise {
        if self.wins { Promise::Win } else { self.claim.promise }
    }

    /// Whether an outcome is as promised.
    fn is_kept(&self, outcome: Outcome) -> bool {
        match self.claim.promise {
            Promise::Win => outcome == Outcome::Winner(self.claim.holder),
            Promise::NeverLose => outcome != Outcome::Winner(self.claim.holder.opponent()),
        }
    }

    /// Whether the line ends here, and well for the holder.
    fn line_ends(&mut self, position: &G::Position) -> Result<Option<Line>, Refusal> {
        if let Some((outcome, line)) = self.end(position) {
            self.wins &= outcome == Outcome::Winner(self.claim.holder);
            return if self.is_kept(outcome) { Ok(Some(line)) } else { Err(self.broken(position)) };
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
        let byte = self.claim.bytes.get(self.at).copied().ok_or(Refusal::Ends { expected, at: self.at })?;
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

    fn broken(&self, position: &G::Position) -> Refusal {
        Refusal::Broken { at: self.at, position: format!("{position:?}") }
    }

    fn circular(&self, position: &G::Position) -> Refusal {
        Refusal::Circular { at: self.at, position: format!("{position:?}") }
    }
}
