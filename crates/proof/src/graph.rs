//! Positions reached while a strategy is worked out, with wins spread backwards from the ends.
//!
//! What the table says decides where to look; whether a position is won is decided here, on
//! positions: it is won when the game is, when the prover has a move to a won one, or when the
//! defender has only such moves. Each is marked after what it rests on, so a win is never circular.

use std::collections::HashMap;
use std::hash::Hash;

use foldhash::fast::FixedState;

use crate::Ended;
use crate::knowledge::{Closed, Ground};

/// The number of a position in a graph.
pub(crate) type Id = u32;

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
struct Node<P> {
    position: P,
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
pub(crate) struct Graph<P> {
    ids: HashMap<P, Id, FixedState>,
    nodes: Vec<Node<P>>,
    edges: Vec<Edge>,
    bytes: usize,
}

/// What a newly won position means for one that has a move to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Woken {
    pub(crate) id: Id,
    pub(crate) mv: u16,
}

impl<P: Copy + Eq + Hash> Graph<P> {
    /// An empty graph that may grow to so many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self { ids: HashMap::default(), nodes: Vec::new(), edges: Vec::new(), bytes }
    }

    /// The number of a position, new or old; an error when the memory is spent.
    pub(crate) fn intern(&mut self, position: P) -> Result<Id, Ended> {
        if let Some(&id) = self.ids.get(&position) {
            return Ok(id);
        }
        let id = Id::try_from(self.nodes.len()).map_err(|_| Ended::Memory)?;
        if self.nodes.len() == self.nodes.capacity() {
            // Vectors and maps double: twice as large, old and new at once, must still fit.
            let node = size_of::<Node<P>>() + size_of::<(P, Id)>() * 8 / 7 + 1;
            if (self.nodes.len() * node + self.edges.len() * size_of::<Edge>()) * 3 > self.bytes {
                return Err(Ended::Memory);
            }
        }
        self.ids.insert(position, id);
        self.nodes.push(Node { position, state: State::Unseen, kept: 0, watchers: END });
        Ok(id)
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn find(&self, position: &P) -> Option<Id> {
        self.ids.get(position).copied()
    }

    pub(crate) fn position(&self, id: Id) -> P {
        self.nodes[id as usize].position
    }

    pub(crate) fn state(&self, id: Id) -> State {
        self.nodes[id as usize].state
    }

    pub(crate) fn set(&mut self, id: Id, state: State) {
        self.nodes[id as usize].state = state;
    }

    /// The number of the move that the defender keeps, or that the prover was last seen to try.
    pub(crate) fn kept(&self, id: Id) -> u16 {
        self.nodes[id as usize].kept
    }

    pub(crate) fn keep(&mut self, id: Id, mv: u16) {
        self.nodes[id as usize].kept = mv;
    }

    pub(crate) fn is_won(&self, id: Id) -> bool {
        matches!(self.state(id), State::Won(_) | State::Leaf(Closed { yes: true, .. }))
    }

    /// Has `from` told when `to` turns out to be won.
    pub(crate) fn watch(&mut self, from: Id, mv: u16, to: Id) {
        let next = self.nodes[to as usize].watchers;
        self.nodes[to as usize].watchers = self.edges.len() as u32;
        self.edges.push(Edge { from, mv, next });
    }

    /// Whoever asked to be told about this position, once each time it asked.
    pub(crate) fn watchers(&self, id: Id) -> impl Iterator<Item = Woken> + '_ {
        let mut edge = self.nodes[id as usize].watchers;
        std::iter::from_fn(move || {
            let found = *self.edges.get(edge as usize)?;
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
