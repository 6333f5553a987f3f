//! Value iteration over everything reachable from one position, from below and from above.
//!
//! The lower bounds start at 0 and only rise, the upper ones start at 1 and only fall, so the truth lies between them
//! after every sweep. The work is done when they are close: a small change in the last sweep would prove nothing.
//! Sums are rounded outward by more than they can lose.
//!
//! Source: Haddad and Monmege, "Interval iteration algorithm for MDPs and IMDPs", 2018.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use web_time::Instant;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use marquis_core::{Chance, Sharing, Value};

/// Positions explored between two checks of the limits.
const BATCH: usize = 4096;
/// More than the sum over the throws can lose by rounding.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// What ends the work before the bounds meet.
#[derive(Clone, Copy, Debug)]
pub struct IterationLimits<'a> {
    /// The most positions to hold.
    pub states: usize,
    /// The deadline, on the clock of `sharing`.
    pub deadline: Option<Instant>,
    /// How the work shares the processors.
    pub sharing: &'a Sharing,
    /// Set by another thread to stop at once.
    pub stop: &'a AtomicBool,
    /// How far the bounds may stay apart.
    pub gap: f64,
}

impl IterationLimits<'_> {
    fn check(&self) -> Result<(), Stopped> {
        if self.stop.load(Relaxed) {
            return Err(Stopped::Interrupted);
        }
        self.sharing.yield_now();
        if self.sharing.is_past(self.deadline, Instant::now) { Err(Stopped::Deadline) } else { Ok(()) }
    }
}

/// Why nothing was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// More positions can be reached than allowed.
    TooManyStates,
    /// The time is up.
    Deadline,
    /// The flag was set.
    Interrupted,
}

/// The progress of the work.
#[derive(Clone, Copy, Debug)]
pub struct IterationProgress {
    /// Positions found so far.
    pub states: usize,
    /// Sweeps done.
    pub sweeps: usize,
    /// The widest gap between the bounds; 1 before the first sweep.
    pub gap: f64,
}

/// Two bounds of a chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChanceInterval {
    /// The chance is at least this.
    pub lower: f64,
    /// The chance is at most this.
    pub upper: f64,
}

impl ChanceInterval {
    /// The bounds without any knowledge.
    pub const UNKNOWN: Self = Self { lower: 0.0, upper: 1.0 };

    /// The same result as the other player sees it.
    #[must_use]
    pub fn for_opponent(self) -> Self {
        Self { lower: 1.0 - self.upper, upper: 1.0 - self.lower }
    }

    /// The better of two for the same player.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.max(other.upper) }
    }

    /// How far the bounds are apart.
    #[must_use]
    pub fn gap(self) -> f64 {
        self.upper - self.lower
    }

    /// The middle of the bounds; `None` if nothing is known.
    #[must_use]
    pub fn middle(self) -> Option<f64> {
        (self != Self::UNKNOWN).then(|| f64::midpoint(self.lower, self.upper))
    }
}

/// Every position reachable from a root, each with the chance of its player to throw.
#[derive(Debug)]
pub struct SolvedChances<G: Chance> {
    game: G,
    numbers: HashMap<G::Position, u32, FixedState>,
    bounds: Vec<ChanceInterval>,
    /// The number of sweeps.
    pub sweeps: usize,
}

impl<G: Chance> SolvedChances<G> {
    /// The number of positions, seen from the player to throw, finished ones included.
    #[must_use]
    pub fn states(&self) -> usize {
        self.bounds.len()
    }

    /// The chance of the player to throw; `None` for a position that cannot be reached from the root.
    #[must_use]
    pub fn between(&self, position: &G::Position) -> Option<ChanceInterval> {
        let number = self.numbers.get(&self.game.as_mover(position))?;
        Some(self.bounds[*number as usize])
    }

    /// All positions that were reached, with their chances.
    pub fn iter(&self) -> impl Iterator<Item = (&G::Position, ChanceInterval)> {
        self.numbers.iter().map(|(position, &number)| (position, self.bounds[number as usize]))
    }
}

/// A successor: the number of its position, and whether its player to throw is the opponent.
#[derive(Clone, Copy)]
struct Edge(u32);

impl Edge {
    fn new(number: u32, opponent: bool) -> Self {
        Self(number << 1 | u32::from(opponent))
    }

    fn look(self, bounds: &[ChanceInterval]) -> ChanceInterval {
        let between = bounds[(self.0 >> 1) as usize];
        if self.0 & 1 == 1 { between.for_opponent() } else { between }
    }
}

/// The chances of everything reachable from `root`.
///
/// * `progress`: called now and then.
/// * Result: bounds that are at most `limits.gap` apart.
///
/// # Errors
/// Which of the limits ended the work.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use marquis_chance::{IterationLimits, solve};
/// use marquis_core::{Chance, Over, Player, Reason, Sharing, Throw};
///
/// /// Both toss a coin in turn; the first to throw heads wins.
/// #[derive(Clone, Debug)]
/// struct Heads;
///
/// impl Chance for Heads {
///     /// Who is to toss, and whether the other one has just thrown heads.
///     type Position = (Player, bool);
///     type Move = ();
///
///     fn throws(&self) -> &[Throw] {
///         &[Throw { score: 0, weight: 1 }, Throw { score: 1, weight: 1 }]
///     }
///
///     fn turn(&self, &(turn, _): &Self::Position) -> Player {
///         turn
///     }
///
///     fn over(&self, &(turn, heads): &Self::Position) -> Option<Over> {
///         heads.then(|| Over::won(Reason::BorneOff, turn.opponent()))
///     }
///
///     fn moves(&self, _: &Self::Position, _: Throw, out: &mut Vec<()>) {
///         out.push(());
///     }
///
///     fn play(&self, &(turn, _): &Self::Position, throw: Throw, (): ()) -> Self::Position {
///         (turn.opponent(), throw.score == 1)
///     }
///
///     fn swapped(&self, &(turn, heads): &Self::Position) -> Self::Position {
///         (turn.opponent(), heads)
///     }
/// }
///
/// let start = (Player::First, false);
/// let never = AtomicBool::new(false);
/// let limits = IterationLimits { states: 100, deadline: None, sharing: Sharing::alone(), stop: &never, gap: 1e-9 };
/// let solved = solve(&Heads, &start, &limits, &mut |_| {}).expect("small");
/// let chance = solved.between(&start).expect("reached");
/// assert!(chance.lower <= 2.0 / 3.0 && 2.0 / 3.0 <= chance.upper && chance.gap() <= 1e-9);
/// ```
pub fn solve<G: Chance>(
    game: &G,
    root: &G::Position,
    limits: &IterationLimits<'_>,
    progress: &mut dyn FnMut(IterationProgress),
) -> Result<SolvedChances<G>, Stopped> {
    let mut graph = Graph::explore(game, root, limits, progress)?;
    let sweeps = graph.iterate(limits, progress)?;
    Ok(SolvedChances { game: game.clone(), numbers: graph.numbers, bounds: graph.bounds, sweeps })
}

/// The successors of position `i` for throw `t` are `edges[starts[i * throws + t]..starts[i * throws + t + 1]]`;
/// there are none if the game is over.
struct Graph<G: Chance> {
    numbers: HashMap<G::Position, u32, FixedState>,
    bounds: Vec<ChanceInterval>,
    starts: Vec<usize>,
    edges: Vec<Edge>,
    chances: Vec<f64>,
}

impl<G: Chance> Graph<G> {
    fn explore(
        game: &G,
        root: &G::Position,
        limits: &IterationLimits<'_>,
        progress: &mut dyn FnMut(IterationProgress),
    ) -> Result<Self, Stopped> {
        let total: u32 = game.throws().iter().map(|throw| u32::from(throw.weight)).sum();
        let chances = game.throws().iter().map(|throw| f64::from(throw.weight) / f64::from(total)).collect();
        let root = game.as_mover(root);
        let mut graph = Self {
            numbers: HashMap::default(),
            bounds: Vec::new(),
            starts: vec![0],
            edges: Vec::new(),
            chances,
        };
        let mut queue = vec![root];
        graph.numbers.insert(root, 0);
        let mut next = 0;
        while next < queue.len() {
            if next % BATCH == 0 {
                limits.check()?;
                progress(IterationProgress { states: queue.len(), sweeps: 0, gap: 1.0 });
            }
            if queue.len() > limits.states.min(u32::MAX as usize / 2) {
                return Err(Stopped::TooManyStates);
            }
            let position = queue[next];
            graph.expand(game, &position, &mut queue);
            next += 1;
        }
        Ok(graph)
    }

    fn expand(&mut self, game: &G, position: &G::Position, queue: &mut Vec<G::Position>) {
        let turn = game.turn(position);
        let over = game.over(position);
        self.bounds.push(over.map_or(ChanceInterval::UNKNOWN, |over| {
            let chance = match over.outcome.for_mover(turn) {
                Value::Win => 1.0,
                Value::Draw => 0.5,
                Value::Loss => 0.0,
            };
            ChanceInterval { lower: chance, upper: chance }
        }));
        let mut moves = Vec::new();
        for &throw in game.throws() {
            moves.clear();
            if over.is_none() {
                game.moves(position, throw, &mut moves);
            }
            let first = self.edges.len();
            for &mv in &moves {
                let after = game.play(position, throw, mv);
                let opponent = game.turn(&after) != turn;
                let number = self.number(game.as_mover(&after), queue);
                let edge = Edge::new(number, opponent);
                if !self.edges[first..].iter().any(|known| known.0 == edge.0) {
                    self.edges.push(edge);
                }
            }
            self.starts.push(self.edges.len());
        }
    }

    fn number(&mut self, position: G::Position, queue: &mut Vec<G::Position>) -> u32 {
        let next = queue.len() as u32;
        *self.numbers.entry(position).or_insert_with(|| {
            queue.push(position);
            next
        })
    }

    /// Sweeps over all positions in place, those farthest from the root first, until the bounds meet.
    fn iterate(
        &mut self,
        limits: &IterationLimits<'_>,
        progress: &mut dyn FnMut(IterationProgress),
    ) -> Result<usize, Stopped> {
        let mut sweeps = 0;
        loop {
            let mut widest: f64 = 0.0;
            for state in (0..self.bounds.len()).rev() {
                if state % (BATCH * 16) == 0 {
                    limits.check()?;
                }
                widest = widest.max(self.back_up(state));
            }
            sweeps += 1;
            progress(IterationProgress { states: self.bounds.len(), sweeps, gap: widest });
            if widest <= limits.gap {
                return Ok(sweeps);
            }
        }
    }

    /// Tightens the bounds of a position; returns their gap.
    fn back_up(&mut self, state: usize) -> f64 {
        let throws = self.chances.len();
        let starts = &self.starts[state * throws..=(state + 1) * throws];
        if starts[0] == starts[throws] {
            return 0.0;
        }
        let (mut lower, mut upper) = (0.0, 0.0);
        for (throw, chance) in self.chances.iter().enumerate() {
            let edges = &self.edges[starts[throw]..starts[throw + 1]];
            let best = edges.iter().map(|edge| edge.look(&self.bounds)).reduce(ChanceInterval::max);
            let best = best.unwrap_or(ChanceInterval::UNKNOWN);
            lower += chance * best.lower;
            upper += chance * best.upper;
        }
        let known = self.bounds[state];
        let closer = ChanceInterval {
            lower: known.lower.max(lower - ROUNDING),
            upper: known.upper.min(upper + ROUNDING),
        };
        self.bounds[state] = closer;
        closer.gap()
    }
}
