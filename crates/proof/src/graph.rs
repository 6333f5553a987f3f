//! Positions reached while a strategy is worked out, with wins spread backwards from the ends.
//!
//! What the table says decides where to look; whether a position is won is decided here, on
//! positions: it is won when the game is, when the prover has a move to a won one, or when the
//! defender has only such moves. Each is marked after what it rests on, so a win is never circular.

use std::hash::Hash;

use crate::Ended;
use crate::knowledge::{Closed, Ground};
pub(crate) use crate::met::Id;
use crate::met::{Chunks, Met};
use crate::pool::Share;
use crate::strategy::Kept;

/// No edge.
const END: u32 = u32::MAX;

/// What a graph knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Its moves were not looked at.
    Unseen,
    /// Not known to be won; so many moves of it were tried, or still count as good for the defender.
    Open(u16),
    /// The prover wins, by the move with this number if he is to move.
    Won(u16),
    /// Closed without a search.
    Leaf(Closed),
}

#[derive(Clone, Copy, Debug)]
struct Node {
    state: State,
    kept: u16,
    watchers: u32,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    from: Id,
    mv: u16,
    next: u32,
}

/// The graph of one extraction.
#[derive(Debug)]
pub(crate) struct Graph<'r, P> {
    nodes: Met<P, Node>,
    edges: Chunks<Edge>,
    share: Share<'r>,
}

/// What a newly won position means for one that has a move to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Woken {
    pub(crate) id: Id,
    pub(crate) mv: u16,
}

impl<'r, P: Copy + Eq + Hash> Graph<'r, P> {
    /// An empty graph that may grow as far as its share of the memory.
    pub(crate) fn new(share: Share<'r>) -> Self {
        Self { nodes: Met::default(), edges: Chunks::default(), share }
    }

    /// The number of a position, new or old; an error when the memory is spent.
    pub(crate) fn intern(&mut self, position: P) -> Result<Id, Ended> {
        if let Some(id) = self.nodes.find(&position) {
            return Ok(id);
        }
        if self.nodes.begins_chunk() {
            self.share.resize(self.used())?;
        }
        let node = Node { state: State::Unseen, kept: 0, watchers: END };
        self.nodes.add(position, node).ok_or(Ended::Memory)
    }

    /// Bytes that the graph fills, and that the list of moves read off it takes.
    fn used(&self) -> usize {
        let draft = size_of::<(P, Kept)>() * 2;
        self.nodes.bytes() + self.nodes.len() * draft + self.edges.len() * size_of::<Edge>()
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn find(&self, position: &P) -> Option<Id> {
        self.nodes.find(position)
    }

    pub(crate) fn position(&self, id: Id) -> P {
        self.nodes.position(id)
    }

    pub(crate) fn state(&self, id: Id) -> State {
        self.nodes.note(id).state
    }

    pub(crate) fn set(&mut self, id: Id, state: State) {
        self.nodes.note_mut(id).state = state;
    }

    /// The number of the move that the defender keeps, or that the prover was last seen to try.
    pub(crate) fn kept(&self, id: Id) -> u16 {
        self.nodes.note(id).kept
    }

    pub(crate) fn keep(&mut self, id: Id, mv: u16) {
        self.nodes.note_mut(id).kept = mv;
    }

    pub(crate) fn is_won(&self, id: Id) -> bool {
        matches!(self.state(id), State::Won(_) | State::Leaf(Closed { yes: true, .. }))
    }

    /// Has `from` told when `to` turns out to be won.
    pub(crate) fn watch(&mut self, from: Id, mv: u16, to: Id) {
        let next = self.nodes.note(to).watchers;
        self.nodes.note_mut(to).watchers = self.edges.len() as u32;
        self.edges.push(Edge { from, mv, next });
    }

    /// Whoever asked to be told about this position, once each time it asked.
    pub(crate) fn watchers(&self, id: Id) -> impl Iterator<Item = Woken> + '_ {
        let mut edge = self.nodes.note(id).watchers;
        std::iter::from_fn(move || {
            let found = *self.edges.get(edge)?;
            edge = found.next;
            Some(Woken { id: found.from, mv: found.mv })
        })
    }

    /// Why this position ends a line, if it does.
    pub(crate) fn ground(&self, id: Id) -> Option<Ground> {
        match self.state(id) {
            State::Leaf(closed) => Some(closed.ground),
            _ => None,
        }
    }
}
