//! Replays a strategy by the rules alone, sharing nothing with the search but the traits of the core and the list of
//! positions met.
//!
//! The layout of the bytes is described in [`strategy`](crate::strategy); it is read here a second time,
//! independently of the writer.

mod refusal;
mod replay;

use std::cell::Cell;
use std::hash::Hash;

use marquis_core::{Game, Player};

pub use self::refusal::Refusal;
use self::replay::Replay;
pub(crate) use self::replay::{Attend, Halt, Note, Visit};
use crate::knowledge::{NoOracle, Oracle};
use crate::listed::{Listed, Room};
use crate::met::Met;
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
    let mut replay = Replay::new(claim, &mut attend, None)?;
    let run = replay.run(*root);
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
    holds_visiting(claim, root, attend, None)
}

fn holds_visiting<'d, 'v, G: Game>(
    claim: Claim<'_, G>,
    root: &G::Position,
    attend: &mut Attend<'_, 'd, G::Position>,
    visit: Option<&'v mut Visit<'v, G::Position>>,
) -> Result<Seen, Halt> {
    let mut replay = Replay::new(claim, attend, visit)?;
    replay.run(*root)?;
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
    replay_visiting(game, root, claimed, bytes, grounds, room, None)
}

/// The same, with a visit to each position in which the other player moves and the line does not end.
///
/// * `visit`: gets the position and the length of the longest line from there, in plies; of a strategy that never
///   loses the length means nothing. What it has seen holds only if the replay succeeds. With a visit finished games
///   are not counted among the positions.
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
    let (pool, crowded) = (Pool::new(memory), Cell::default());
    let mut room = Room { share: pool.share(&crowded), disk: Some(disk) };
    let Grounds { oracle, foregone, .. } = grounds;
    let claim = Claim { game, holder, promise, bytes, oracle, foregone };
    let mut positions = 0;
    let mut attend: Box<Attend<'_, '_, G::Position>> = Box::new(|met| {
        positions = met.len();
        if (grounds.stop)(met.bytes()) { Err(Ended::Stopped) } else { room.make(met, 0) }
    });
    let held = holds_visiting(claim, root, &mut *attend, visit);
    drop(attend);
    held.map_err(|why| match why {
        Halt::Refused(refusal) => refusal,
        Halt::Ended(Ended::Stopped) => Refusal::Stopped { positions },
        Halt::Ended(_) => Refusal::Room { positions, disk: disk.trouble() },
    })
}
