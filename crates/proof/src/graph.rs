//! Positions reached while a strategy is extracted, with wins propagated backwards from the ends.
//!
//! The table decides where to look; the graph decides, on positions, which of them are won: those in which the game
//! is won, those in which the prover has a move to a won one, and those in which the defender has only such moves.
//! Each is marked after the positions that it rests on, so no win is circular.

use std::hash::Hash;

use marquis_core::{Packed, packed};

use crate::Ended;
use crate::knowledge::{Closed, LeafReason};
use crate::listed::{List, NotedPositions, ProofRoom};
pub(crate) use crate::met::MetNumber;

/// No edge.
const END: u32 = u32::MAX;

/// The state of a position in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Its moves were not examined.
    Unseen,
    /// Not known to be won. For the prover: how far its moves were tried; for the defender: the number of moves not
    /// yet lost.
    Open(u16),
    /// The prover wins, by the move with this number if the prover is to move.
    Won(u16),
    /// Decided without a search.
    Leaf(Closed),
}

impl State {
    /// Whether the prover wins.
    pub(crate) const fn is_won(self) -> bool {
        matches!(self, Self::Won(_) | Self::Leaf(Closed { yes: true, .. }))
    }
}

impl Packed for State {
    const BYTES: usize = <(u8, u16)>::BYTES;

    fn pack(&self, out: &mut Vec<u8>) {
        let (kind, number): (u8, u16) = match *self {
            Self::Unseen => (0, 0),
            Self::Open(count) => (1, count),
            Self::Won(number) => (2, number),
            Self::Leaf(Closed { yes, ground }) => {
                (3, u16::from(yes) | u16::from(ground == LeafReason::Table) << 1)
            }
        };
        (kind, number).pack(out);
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        let (kind, number) = <(u8, u16)>::unpack(bytes)?;
        let ground = if number & 2 == 0 { LeafReason::Over } else { LeafReason::Table };
        Some(match kind {
            0 => Self::Unseen,
            1 => Self::Open(number),
            2 => Self::Won(number),
            3 => Self::Leaf(Closed { yes: number & 1 == 1, ground }),
            _ => return None,
        })
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    state: State,
    kept: u16,
    watchers: u32,
}

packed!(Node { state: State, kept: u16, watchers: u32 });

#[derive(Clone, Copy, Debug)]
struct Edge {
    from: MetNumber,
    mv: u16,
    next: u32,
}

packed!(Edge { from: MetNumber, mv: u16, next: u32 });

/// The graph of one extraction, in memory while it fits, then on disk.
#[derive(Debug)]
pub(crate) struct Graph<'r, P> {
    nodes: NotedPositions<'r, P, Node>,
    edges: List<'r, Edge>,
    room: ProofRoom<'r>,
}

/// A position with a move to a newly won one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Woken {
    pub(crate) id: MetNumber,
    pub(crate) mv: u16,
}

impl<'r, P: Copy + Eq + Hash + Packed> Graph<'r, P> {
    /// An empty graph that may grow while there is room.
    pub(crate) fn new(room: ProofRoom<'r>) -> Self {
        Self { nodes: NotedPositions::default(), edges: List::default(), room }
    }

    /// The number of a position, new or old.
    pub(crate) fn intern(&mut self, position: P) -> Result<MetNumber, Ended> {
        if let Some(id) = self.nodes.find(&position)? {
            return Ok(id);
        }
        if self.nodes.begins_chunk() {
            self.make_room()?;
        }
        self.nodes.add(position, Node { state: State::Unseen, kept: 0, watchers: END })
    }

    fn make_room(&mut self) -> Result<(), Ended> {
        let Some((disk, held)) = self.room.or_disk(self.used())? else { return Ok(()) };
        if matches!(self.nodes, NotedPositions::Filed(_)) {
            return Err(Ended::Memory);
        }
        self.edges.file(disk, held / 4)?;
        self.nodes.file(disk, held - held / 4)?;
        self.room.share.resize(self.used())
    }

    /// Bytes of memory for the graph and for the strategy to be written from it.
    fn used(&self) -> usize {
        self.nodes.bytes() + self.edges.bytes() + 2 * self.nodes.len()
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn find(&self, position: &P) -> Result<Option<MetNumber>, Ended> {
        self.nodes.find(position)
    }

    pub(crate) fn position(&self, id: MetNumber) -> Result<P, Ended> {
        self.nodes.get(id).map(|(position, _)| position)
    }

    pub(crate) fn state(&self, id: MetNumber) -> Result<State, Ended> {
        self.nodes.note(id).map(|node| node.state)
    }

    pub(crate) fn set(&mut self, id: MetNumber, state: State) -> Result<(), Ended> {
        self.nodes.change(id, |node| node.state = state)
    }

    /// The number of the move that the defender keeps, or that the prover last tried.
    pub(crate) fn kept(&self, id: MetNumber) -> Result<u16, Ended> {
        self.nodes.note(id).map(|node| node.kept)
    }

    pub(crate) fn keep(&mut self, id: MetNumber, mv: u16) -> Result<(), Ended> {
        self.nodes.change(id, |node| node.kept = mv)
    }

    pub(crate) fn is_won(&self, id: MetNumber) -> Result<bool, Ended> {
        self.state(id).map(State::is_won)
    }

    /// Registers `from` as a watcher of `to`, to be updated when `to` is won.
    pub(crate) fn watch(&mut self, from: MetNumber, mv: u16, to: MetNumber) -> Result<(), Ended> {
        let edge = u32::try_from(self.edges.len()).ok().filter(|&edge| edge < END).ok_or(Ended::Memory)?;
        let next = self.nodes.note(to)?.watchers;
        self.nodes.change(to, |node| node.watchers = edge)?;
        self.edges.push(Edge { from, mv, next })
    }

    /// The watchers of a position, once per registration.
    pub(crate) fn watchers(&self, id: MetNumber) -> Result<Vec<Woken>, Ended> {
        let mut edge = self.nodes.note(id)?.watchers;
        let mut woken = Vec::new();
        while edge != END {
            let found = self.edges.get(edge)?;
            edge = found.next;
            woken.push(Woken { id: found.from, mv: found.mv });
        }
        Ok(woken)
    }

    /// Why a line ends at this position, if it does.
    pub(crate) fn ground(&self, id: MetNumber) -> Result<Option<LeafReason>, Ended> {
        Ok(match self.state(id)? {
            State::Leaf(closed) => Some(closed.ground),
            _ => None,
        })
    }
}
