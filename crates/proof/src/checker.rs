//! Replays a strategy by the rules alone. Shares with the search only the traits of the core and the list of
//! positions met.
//!
//! [`strategy`](crate::strategy) describes the layout of the bytes; this module reads it independently of the writer.

mod refusal;
mod replay;

use std::cell::Cell;
use std::hash::Hash;

use marquis_core::{Game, Player};

pub use self::refusal::Refusal;
use self::replay::Replay;
pub(crate) use self::replay::{Note, PositionVisitor, ReplayHalt, Visit};
use crate::knowledge::{NoOracle, Oracle};
use crate::listed::{NotedPositions, ProofRoom};
use crate::met::Met;
use crate::pool::ProofPool;
use crate::stream::ByteSource;
use crate::{Disk, Ended};

/// The promise of a checked strategy, as this module understands it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// The holder wins in finitely many moves.
    Win,
    /// The holder never loses.
    NeverLose,
}

/// The decoded head of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrategyHead {
    /// The player who holds the strategy.
    pub holder: Player,
    /// The promised result.
    pub promise: Promise,
    /// Whether lines may end on a table, so that every position has a mark.
    pub is_marked: bool,
    /// Whether lines end where the end is foregone ([`Game::foregone`]).
    pub ends_early: bool,
}

impl StrategyHead {
    /// The head of these bytes.
    ///
    /// # Errors
    /// [`Refusal::Head`] if they begin with no valid head.
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

/// The result of a replay.
#[derive(Clone, Debug)]
pub struct Checked<P> {
    /// The player who holds the strategy.
    pub holder: Player,
    /// The promise that it keeps: a strategy that never loses also wins if all its lines end with a win.
    pub promise: Promise,
    /// All positions that it leads to, including finished games.
    pub positions: usize,
    /// How many of them end a line on a table.
    pub by_table: usize,
    /// How many of them end a line by a theorem: the end is foregone, and the theorem was believed.
    pub by_theorem: usize,
    /// Moves to the end of the longest line of a win; lines that end on a table count as ending there.
    pub longest: Option<u32>,
    met: Met<P, Note>,
}

impl<P: Copy + Eq + Hash> Checked<P> {
    /// The positions with the holder to move, each with the number of the move played.
    pub(crate) fn plays(&self) -> impl Iterator<Item = (&P, u16)> {
        self.met.iter().filter_map(|(position, met)| match met.reply {
            Reply::Play(number) => Some((position, number)),
            Reply::Wait => None,
        })
    }

    /// The number of the holder's move in a position; `None` if it is not his turn there, or the line ends there.
    pub(crate) fn play_in(&self, position: &P) -> Option<u16> {
        match self.met.note(self.met.find(position)?).reply {
            Reply::Play(number) => Some(number),
            Reply::Wait => None,
        }
    }

    /// The memory of its positions, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.met.bytes()
    }
}

/// The entry of the strategy for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// The holder plays the move with this number.
    Play(u16),
    /// It is the other player's move, or the line ends here.
    Wait,
}

/// How to treat lines that end where the end is foregone ([`Game::foregone`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foregone {
    /// They end there, by the theorem.
    Believed,
    /// They are played out until the game is over. The theorem suggests the holder's moves, and every reply is tried,
    /// so the replay detects a wrong theorem.
    PlayedOn,
}

/// Grounds beyond the rules that a replay may use if the strategy asks for them, and when to stop it.
pub struct Grounds<'a, G: Game> {
    /// Tables.
    pub oracle: &'a dyn Oracle<G>,
    /// Theorems.
    pub foregone: Foregone,
    /// Called every few thousand positions with the bytes in use; returns whether to give up.
    pub stop: &'a dyn Fn(usize) -> bool,
}

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
/// The first error, with its place.
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
/// The first error, with its place.
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
    let mut attend = |met: &mut NotedPositions<'_, _, Note>| {
        if (grounds.stop)(met.bytes()) { Err(Ended::Stopped) } else { Ok(()) }
    };
    let Grounds { oracle, foregone, .. } = grounds;
    let claim = ClaimedBytes { game, holder, promise, bytes: &mut &*bytes, oracle, foregone };
    let mut replay = Replay::new(claim, &mut attend, None)?;
    let run = replay.run(*root);
    let promise = replay.kept();
    let Replay { met, by_table, by_theorem, longest, .. } = replay;
    let positions = met.len();
    match (run, met) {
        (Ok(()), NotedPositions::Held(met)) => {
            let longest = (promise == Promise::Win).then_some(longest);
            Ok(Checked { holder, promise, positions, by_table, by_theorem, longest, met })
        }
        (Err(ReplayHalt::Refused(refusal)), _) => Err(refusal),
        (Err(ReplayHalt::Ended(Ended::Stopped)), _) => Err(Refusal::Stopped { positions }),
        (Ok(()) | Err(ReplayHalt::Ended(_)), _) => Err(Refusal::Large { positions }),
    }
}

/// Bytes, and the claim that they have to prove by the rules.
pub(crate) struct ClaimedBytes<'a, 's, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) holder: Player,
    pub(crate) promise: Promise,
    pub(crate) bytes: &'a mut (dyn ByteSource + 's),
    pub(crate) oracle: &'a dyn Oracle<G>,
    pub(crate) foregone: Foregone,
}

/// The result of a replay that keeps no positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The promise that the strategy keeps: one that never loses also wins if all its lines end with a win.
    pub promise: Promise,
    /// All positions that it leads to, including finished games.
    pub positions: u64,
    /// How many of them end a line on a table.
    pub by_table: u64,
    /// How many of them end a line by a theorem: the end is foregone, and the theorem was believed.
    pub by_theorem: u64,
}

/// Replays the bytes from `root`, and keeps nothing.
///
/// * `attend`: called every few thousand positions with those met so far, which it may move to disk.
///
/// # Errors
/// The first error, or the one that `attend` returns.
pub(crate) fn holds<'d, G: Game>(
    claim: ClaimedBytes<'_, '_, G>,
    root: &G::Position,
    attend: &mut PositionVisitor<'_, 'd, G::Position>,
) -> Result<Seen, ReplayHalt> {
    holds_visiting(claim, root, attend, None)
}

fn holds_visiting<'d, 'v, G: Game>(
    claim: ClaimedBytes<'_, '_, G>,
    root: &G::Position,
    attend: &mut PositionVisitor<'_, 'd, G::Position>,
    visit: Option<&'v mut Visit<'v, G::Position>>,
) -> Result<Seen, ReplayHalt> {
    let mut replay = Replay::new(claim, attend, visit)?;
    replay.run(*root)?;
    let (positions, by_theorem) = (replay.met.len() as u64, replay.by_theorem as u64);
    Ok(Seen { promise: replay.kept(), positions, by_table: replay.by_table as u64, by_theorem })
}

/// Replays the bytes within the given memory, and on disk if that is too little.
///
/// Keeps no positions.
///
/// * `memory`: bytes for the positions met.
///
/// # Errors
/// The first error, with its place; [`Refusal::Room`] if neither memory nor disk suffices.
pub fn replay_within<G: Game>(
    game: &G,
    root: &G::Position,
    claimed: (Player, Promise),
    bytes: &[u8],
    grounds: Grounds<'_, G>,
    room: (usize, &Disk),
) -> Result<Seen, Refusal> {
    replay_visiting(game, root, claimed, bytes, grounds, room, None)
}

/// The same, visiting each position in which the other player moves and the line does not end.
///
/// * `visit`: receives the position and the length of the longest line from there, in plies; the length means nothing
///   for a strategy that never loses. Its findings are valid only if the replay succeeds. With a visit, finished
///   games are not counted among the positions.
///
/// # Errors
/// As [`replay_within`].
pub(crate) fn replay_visiting<'v, G: Game>(
    game: &G,
    root: &G::Position,
    (holder, promise): (Player, Promise),
    bytes: &[u8],
    grounds: Grounds<'_, G>,
    (memory, disk): (usize, &Disk),
    visit: Option<&'v mut Visit<'v, G::Position>>,
) -> Result<Seen, Refusal> {
    let (pool, crowded) = (ProofPool::new(memory), Cell::default());
    let mut room = ProofRoom { share: pool.share(&crowded), disk: Some(disk) };
    let Grounds { oracle, foregone, .. } = grounds;
    let claim = ClaimedBytes { game, holder, promise, bytes: &mut &*bytes, oracle, foregone };
    let mut positions = 0;
    let mut attend: Box<PositionVisitor<'_, '_, G::Position>> = Box::new(|met| {
        positions = met.len();
        if (grounds.stop)(met.bytes()) { Err(Ended::Stopped) } else { room.make(met, 0) }
    });
    let held = holds_visiting(claim, root, &mut *attend, visit);
    drop(attend);
    held.map_err(|why| match why {
        ReplayHalt::Refused(refusal) => refusal,
        ReplayHalt::Ended(Ended::Stopped) => Refusal::Stopped { positions },
        ReplayHalt::Ended(_) => Refusal::Room { positions, disk: disk.trouble() },
    })
}
