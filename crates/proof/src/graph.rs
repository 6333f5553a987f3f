//! Positions reached while a strategy is worked out, with wins spread backwards from the ends.
//!
//! What the table says decides where to look; whether a position is won is decided here, on
//! positions: it is won when the game is, when the prover has a move to a won one, or when the
//! defender has only such moves. Each is marked after what it rests on, so a win is never circular.

use std::hash::{BuildHasher, Hash};
use std::ops::{Index, IndexMut};

use foldhash::fast::FixedState;
use hashbrown::HashTable;

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

/// A list that grows without ever being copied, so that no more memory is taken than it fills.
#[derive(Debug)]
struct Chunks<T>(Vec<Vec<T>>);

const CHUNK: usize = 1 << 14;

impl<T> Chunks<T> {
    fn len(&self) -> usize {
        self.0.last().map_or(0, |last| (self.0.len() - 1) * CHUNK + last.len())
    }

    fn push(&mut self, item: T) {
        if self.0.last().is_none_or(|last| last.len() == CHUNK) {
            self.0.push(Vec::with_capacity(CHUNK));
        }
        if let Some(last) = self.0.last_mut() {
            last.push(item);
        }
    }

    fn get(&self, number: u32) -> Option<&T> {
        self.0.get(number as usize / CHUNK)?.get(number as usize % CHUNK)
    }
}

impl<T> Index<Id> for Chunks<T> {
    type Output = T;

    fn index(&self, id: Id) -> &T {
        &self.0[id as usize / CHUNK][id as usize % CHUNK]
    }
}

impl<T> IndexMut<Id> for Chunks<T> {
    fn index_mut(&mut self, id: Id) -> &mut T {
        &mut self.0[id as usize / CHUNK][id as usize % CHUNK]
    }
}

/// The graph of one extraction.
#[derive(Debug)]
pub(crate) struct Graph<P> {
    /// Numbers by position; the positions themselves are in the nodes.
    ids: HashTable<Id>,
    nodes: Chunks<Node<P>>,
    edges: Chunks<Edge>,
    bytes: usize,
}

/// Bytes of the table of numbers for each, at worst: a control byte and the number in a table that is
/// less than half full, beside the smaller one that it replaces.
const ID_BYTES: usize = 16;
/// Bytes for each position of the strategy that is read off in the end, and of its checker.
const STRATEGY_BYTES: usize = 32;

/// What a newly won position means for one that has a move to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Woken {
    pub(crate) id: Id,
    pub(crate) mv: u16,
}

impl<P: Copy + Eq + Hash> Graph<P> {
    /// An empty graph that may grow to so many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self { ids: HashTable::new(), nodes: Chunks(Vec::new()), edges: Chunks(Vec::new()), bytes }
    }

    /// The number of a position, new or old; an error when the memory is spent.
    pub(crate) fn intern(&mut self, position: P) -> Result<Id, Ended> {
        let hash = hash_of(&position);
        if let Some(&id) = self.ids.find(hash, |&id| self.nodes[id].position == position) {
            return Ok(id);
        }
        let id = Id::try_from(self.nodes.len()).map_err(|_| Ended::Memory)?;
        if self.nodes.len().is_multiple_of(CHUNK) && self.used() > self.bytes {
            return Err(Ended::Memory);
        }
        let nodes = &self.nodes;
        self.ids.insert_unique(hash, id, |&id| hash_of(&nodes[id].position));
        self.nodes.push(Node { position, state: State::Unseen, kept: 0, watchers: END });
        Ok(id)
    }

    /// Bytes that the graph fills, and that the strategy read off it may take.
    fn used(&self) -> usize {
        let node = size_of::<Node<P>>() + ID_BYTES + STRATEGY_BYTES;
        self.nodes.len() * node + self.edges.len() * size_of::<Edge>()
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn find(&self, position: &P) -> Option<Id> {
        self.ids.find(hash_of(position), |&id| self.nodes[id].position == *position).copied()
    }

    pub(crate) fn position(&self, id: Id) -> P {
        self.nodes[id].position
    }

    pub(crate) fn state(&self, id: Id) -> State {
        self.nodes[id].state
    }

    pub(crate) fn set(&mut self, id: Id, state: State) {
        self.nodes[id].state = state;
    }

    /// The number of the move that the defender keeps, or that the prover was last seen to try.
    pub(crate) fn kept(&self, id: Id) -> u16 {
        self.nodes[id].kept
    }

    pub(crate) fn keep(&mut self, id: Id, mv: u16) {
        self.nodes[id].kept = mv;
    }

    pub(crate) fn is_won(&self, id: Id) -> bool {
        matches!(self.state(id), State::Won(_) | State::Leaf(Closed { yes: true, .. }))
    }

    /// Has `from` told when `to` turns out to be won.
    pub(crate) fn watch(&mut self, from: Id, mv: u16, to: Id) {
        let next = self.nodes[to].watchers;
        self.nodes[to].watchers = self.edges.len() as u32;
        self.edges.push(Edge { from, mv, next });
    }

    /// Whoever asked to be told about this position, once each time it asked.
    pub(crate) fn watchers(&self, id: Id) -> impl Iterator<Item = Woken> + '_ {
        let mut edge = self.nodes[id].watchers;
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

fn hash_of<P: Hash>(position: &P) -> u64 {
    FixedState::default().hash_one(position)
}
