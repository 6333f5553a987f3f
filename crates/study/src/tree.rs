//! The positions of a study, each once, with the facts proved about them and their grounds.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use marquis_core::{Bounds, ByPlayer, Game, Outcome, Player, Value};
use marquis_proof::checker::StrategyHead;
use marquis_proof::{Guarantee, Numbers, Question};

use crate::event::{Event, Foreign, Id};

/// Why a fact holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// The game is over.
    Over,
    /// A strategy of the job with this number among all events.
    Job(u32),
    /// The player's move with this number, and the same fact after it.
    Move(u16),
    /// The same fact after every move of the opponent.
    AllMoves,
}

/// Why a fact holds, and when it was found. It rests on earlier facts, or on facts of the same moment if a player
/// never loses because of cyclic play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Justification {
    pub(crate) moment: u32,
    pub(crate) by: By,
}

/// The facts proved about one player.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Facts {
    /// The player wins.
    pub(crate) wins: Option<Justification>,
    /// The player never loses.
    pub(crate) is_safe: Option<Justification>,
}

impl Facts {
    pub(crate) const fn ground(&self, kind: Guarantee) -> Option<Justification> {
        match kind {
            Guarantee::Win => self.wins,
            Guarantee::NeverLose => self.is_safe,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Node<P> {
    pub(crate) position: P,
    pub(crate) turn: Player,
    /// The position after each move, in the order of the rules; empty for a leaf.
    pub(crate) children: Box<[Id]>,
    /// Its parents, once per move that leads here.
    pub(crate) parents: Vec<Id>,
    pub(crate) facts: ByPlayer<Facts>,
    /// For a leaf the numbers of its last job, or first numbers; for an inner node those of the last refresh.
    pub(crate) numbers: ByPlayer<Numbers>,
    /// Searches of it as a leaf.
    pub(crate) jobs: u8,
    /// Positions expanded by them.
    pub(crate) searched: u64,
    /// Whether a job is running on it.
    pub(crate) is_busy: bool,
}

impl<P> Node<P> {
    pub(crate) fn is_leaf(&self) -> bool {
        self.children.is_empty()
    }

    /// Whether the prover can force a win, if known.
    pub(crate) const fn answer(&self, question: Question) -> Option<bool> {
        let (prover, defender) = match question.prover {
            Player::First => (&self.facts.first, &self.facts.second),
            Player::Second => (&self.facts.second, &self.facts.first),
        };
        match (prover.wins, defender.is_safe) {
            (Some(_), _) => Some(true),
            (None, Some(_)) => Some(false),
            (None, None) => None,
        }
    }

    /// The proved bounds, for the player to move.
    pub(crate) fn bounds(&self) -> Bounds {
        let value = |of: Facts, best: Value, middle: Value, none: Value| match of {
            Facts { wins: Some(_), .. } => best,
            Facts { is_safe: Some(_), .. } => middle,
            Facts { .. } => none,
        };
        let worst = value(self.facts[self.turn], Value::Win, Value::Draw, Value::Loss);
        let best = value(self.facts[self.turn.opponent()], Value::Loss, Value::Draw, Value::Win);
        // Contradictory facts come from a wrong journal; no proof will be accepted.
        if worst <= best { Bounds { worst, best } } else { Bounds::UNKNOWN }
    }

    /// Whether its value is known.
    pub(crate) fn is_decided(&self) -> bool {
        self.bounds().value().is_some()
    }
}

/// The positions of a study.
///
/// A position reached by several lines is one node: the tree is a graph, and may have cycles.
#[derive(Clone, Debug)]
pub struct Tree<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) nodes: Vec<Node<G::Position>>,
    places: HashMap<G::Position, Id, FixedState>,
    /// Moves of all inner nodes.
    links: usize,
    events: u32,
    moment: u32,
    jobs: u64,
    searched: u64,
}

/// A newly found fact.
type News = (Id, Player, Guarantee, Justification);

impl<'a, G: Game> Tree<'a, G> {
    /// A tree of one leaf.
    #[must_use]
    pub fn new(game: &'a G, root: G::Position) -> Self {
        let places = HashMap::with_hasher(FixedState::default());
        let nodes = Vec::new();
        let mut tree = Self { game, nodes, places, links: 0, events: 0, moment: 0, jobs: 0, searched: 0 };
        tree.push(root, ByPlayer::new(Numbers::UNIT, Numbers::UNIT));
        tree
    }

    /// The first position of the study.
    #[must_use]
    pub fn root(&self) -> &G::Position {
        &self.nodes[0].position
    }

    /// The rules.
    #[must_use]
    pub const fn game(&self) -> &'a G {
        self.game
    }

    /// The number of positions.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.nodes.len()
    }

    /// Approximate memory of the tree in bytes, including that for recomputing its numbers.
    #[must_use]
    pub fn bytes(&self) -> usize {
        /// A link is in the lists of both ends; that of the parents grows by doubling.
        const A_LINK: usize = 3 * size_of::<Id>();
        /// Two lists rounded up by the allocator, and the recomputed numbers.
        const BESIDE_A_NODE: usize = 2 * 16 + 32;
        let place = size_of::<(G::Position, Id)>() + 1;
        let node = size_of::<Node<G::Position>>();
        self.nodes.capacity() * node
            + self.nodes.len() * BESIDE_A_NODE
            + self.places.capacity() * place
            + self.links * A_LINK
    }

    /// The number of events applied, which is also the number of the next one.
    #[must_use]
    pub const fn events(&self) -> u32 {
        self.events
    }

    /// The number of jobs done.
    #[must_use]
    pub const fn jobs(&self) -> u64 {
        self.jobs
    }

    /// Positions expanded by the jobs.
    #[must_use]
    pub const fn searched(&self) -> u64 {
        self.searched
    }

    /// The proved bounds of the first position, for the player to move; as reliable as the journal.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.nodes[0].bounds()
    }

    /// Moves of the first position with a known value, and all of them; both 0 before it was expanded.
    #[must_use]
    pub fn root_moves(&self) -> (usize, usize) {
        let children = &self.nodes[0].children;
        (children.iter().filter(|child| self.node(**child).is_decided()).count(), children.len())
    }

    pub(crate) fn node_mut(&mut self, id: Id) -> &mut Node<G::Position> {
        &mut self.nodes[id.index()]
    }

    pub(crate) fn node(&self, id: Id) -> &Node<G::Position> {
        &self.nodes[id.index()]
    }

    /// The positions below a leaf that are new to the tree and not over, each once.
    pub(crate) fn unknown_below(&self, leaf: Id) -> Vec<G::Position> {
        let mut unknown = Vec::new();
        for next in self.successors(leaf) {
            if !self.places.contains_key(&next) && !unknown.contains(&next) && self.game.over(&next).is_none()
            {
                unknown.push(next);
            }
        }
        unknown
    }

    fn successors(&self, id: Id) -> impl Iterator<Item = G::Position> + use<'a, G> {
        let (game, position) = (self.game, self.node(id).position);
        let mut moves = Vec::new();
        if game.over(&position).is_none() {
            game.moves(&position, &mut moves);
        }
        moves.into_iter().map(move |mv| game.play(&position, mv))
    }

    /// Applies an event.
    ///
    /// # Errors
    /// The event does not fit this tree, which stays unchanged.
    pub fn apply(&mut self, event: &Event) -> Result<(), Foreign> {
        match event {
            Event::Job { node, nodes, numbers, strategies } => {
                self.expect_leaf(*node)?;
                self.job_done(*node, *numbers, strategies)?;
                let leaf = self.node_mut(*node);
                leaf.searched = leaf.searched.saturating_add(*nodes);
                self.jobs += 1;
                self.searched = self.searched.saturating_add(*nodes);
            }
            Event::Expanded { node, numbers } => {
                self.expect_leaf(*node)?;
                self.expand(*node, numbers)?;
            }
        }
        self.events += 1;
        Ok(())
    }

    fn expect_leaf(&self, id: Id) -> Result<(), Foreign> {
        let leaf = self.nodes.get(id.index()).filter(|node| node.is_leaf());
        let open = leaf.filter(|leaf| self.game.over(&leaf.position).is_none());
        open.map(|_| ()).ok_or(Foreign::Leaf { positions: self.nodes.len(), node: id.0 })
    }

    fn job_done(
        &mut self,
        id: Id,
        numbers: ByPlayer<Numbers>,
        strategies: &[Vec<u8>],
    ) -> Result<(), Foreign> {
        let heads: Result<Vec<_>, _> = strategies.iter().map(|bytes| head(bytes)).collect();
        let heads = heads?;
        let node = &mut self.nodes[id.index()];
        node.jobs = node.jobs.saturating_add(1);
        node.numbers = numbers;
        let by = By::Job(self.events);
        for (kind, holder) in heads {
            let ground = self.now(by);
            self.settle(vec![(id, holder, kind, ground)]);
        }
        Ok(())
    }

    fn expand(&mut self, id: Id, numbers: &[ByPlayer<Numbers>]) -> Result<(), Foreign> {
        let expected = self.unknown_below(id).len();
        if expected != numbers.len() {
            return Err(Foreign::Numbers { expected, found: numbers.len() });
        }
        let mut numbers = numbers.iter();
        let mut children = Vec::new();
        for next in self.successors(id) {
            let known = self.places.get(&next).copied();
            let over = self.game.over(&next).is_some();
            let child = known.unwrap_or_else(|| {
                let unit = ByPlayer::new(Numbers::UNIT, Numbers::UNIT);
                self.push(next, if over { unit } else { numbers.next().copied().unwrap_or(unit) })
            });
            self.nodes[child.index()].parents.push(id);
            children.push(child);
        }
        self.links += children.len();
        self.nodes[id.index()].children = children.into();
        for player in Player::BOTH {
            for kind in [Guarantee::Win, Guarantee::NeverLose] {
                if let Some(by) = self.follows(id, player, kind) {
                    let ground = self.now(by);
                    self.settle(vec![(id, player, kind, ground)]);
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, position: G::Position, numbers: ByPlayer<Numbers>) -> Id {
        let id = Id(self.nodes.len() as u32);
        let mut facts = ByPlayer::<Facts>::default();
        if let Some(over) = self.game.over(&position) {
            let ground = Some(self.now(By::Over));
            for player in Player::BOTH {
                let lost = over.outcome == Outcome::Winner(player.opponent());
                facts[player].wins = ground.filter(|_| over.outcome == Outcome::Winner(player));
                facts[player].is_safe = ground.filter(|_| !lost);
            }
        }
        let turn = self.game.turn(&position);
        let (children, parents) = (Box::default(), Vec::new());
        self.nodes.push(Node {
            position,
            turn,
            children,
            parents,
            facts,
            numbers,
            jobs: 0,
            searched: 0,
            is_busy: false,
        });
        self.places.insert(position, id);
        id
    }

    /// A ground found now.
    pub(crate) fn now(&mut self, by: By) -> Justification {
        self.moment += 1;
        Justification { moment: self.moment, by }
    }

    /// Adds facts found at one moment, then all that follow from them.
    pub(crate) fn settle(&mut self, found: Vec<News>) {
        let mut told: Vec<(Id, Player)> = found.into_iter().filter_map(|news| self.take(news)).collect();
        while let Some((id, player)) = told.pop() {
            for above in self.node(id).parents.clone() {
                for kind in [Guarantee::Win, Guarantee::NeverLose] {
                    let open = self.node(above).facts[player].ground(kind).is_none();
                    if let Some(by) = self.follows(above, player, kind).filter(|_| open) {
                        let ground = self.now(by);
                        told.extend(self.take((above, player, kind, ground)));
                    }
                }
            }
        }
    }

    /// Adds a fact; `None` if it is known already.
    fn take(&mut self, (id, player, kind, ground): News) -> Option<(Id, Player)> {
        let facts = &mut self.nodes[id.index()].facts[player];
        if facts.ground(kind).is_some() {
            return None;
        }
        if kind == Guarantee::Win {
            facts.wins = Some(ground);
        }
        // A player who wins never loses.
        facts.is_safe.get_or_insert(ground);
        Some((id, player))
    }

    /// The ground of a fact about an inner node, if it follows from its children.
    fn follows(&self, id: Id, player: Player, kind: Guarantee) -> Option<By> {
        let node = self.node(id);
        let holds = |child: &Id| self.node(*child).facts[player].ground(kind).is_some();
        if node.is_leaf() {
            None
        } else if node.turn == player {
            node.children.iter().position(holds).map(|number| By::Move(number as u16))
        } else {
            node.children.iter().all(holds).then_some(By::AllMoves)
        }
    }
}

/// The promise and the holder of a strategy, from its head.
pub(crate) fn head(bytes: &[u8]) -> Result<(Guarantee, Player), Foreign> {
    let head = StrategyHead::read(bytes).map_err(|_| Foreign::Head { found: bytes.first().copied() })?;
    Ok((head.promise.into(), head.holder))
}
