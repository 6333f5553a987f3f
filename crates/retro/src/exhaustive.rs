//! Everything reachable from one position, solved on explicit edges: the judge of all other solvers.
//!
//! Positions are taken as written, with no symmetry and no index, so the only thing shared with a cleverer solver is
//! the rules. The graph is built breadth first, a batch at a time: the moves of a batch and the look-ups of known
//! positions run in parallel, and new positions are numbered in order, so the numbering does not depend on the number
//! of threads. Then scores spread backwards ply by ply.

use hashbrown::HashTable;
use marquis_core::{Game, Hashed, Plies, Score, Value};
use rayon::prelude::*;

use crate::cell::{UNDECIDED, code_of, score_of};
use crate::limits::{Phase, SolveLimits, SolveProgress, Stopped};

/// Positions expanded, or scores spread, between two checks of the limits.
const BATCH: usize = 1024;
/// Positions that one task expands.
const TASK: usize = 64;

/// Every position reachable from a root, each with its score.
///
/// A heap of stones from which each player takes one or two is lost if its size is a multiple of three:
///
/// ```
/// # use marquis_core::{Game, Over, Player, Reason};
/// #
/// # /// A heap of stones: take one or two; the player who takes the last one wins.
/// # #[derive(Clone, Debug)]
/// # struct Heap;
/// #
/// # impl Game for Heap {
/// #     type Position = (u8, Player);
/// #     type Move = u8;
/// #
/// #     fn turn(&self, &(_, turn): &Self::Position) -> Player {
/// #         turn
/// #     }
/// #
/// #     fn over(&self, &(stones, turn): &Self::Position) -> Option<Over> {
/// #         (stones == 0).then(|| Over::won(Reason::Stuck, turn.opponent()))
/// #     }
/// #
/// #     fn moves(&self, &(stones, _): &Self::Position, out: &mut Vec<u8>) {
/// #         out.extend(1..=stones.min(2));
/// #     }
/// #
/// #     fn play(&self, &(stones, turn): &Self::Position, taken: u8) -> Self::Position {
/// #         (stones - taken, turn.opponent())
/// #     }
/// # }
/// # impl marquis_core::Hashed for Heap {
/// #     fn key(&self, &(stones, turn): &Self::Position) -> u64 {
/// #         (u64::from(stones) << 1 | turn as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
/// #     }
/// # }
/// use marquis_core::{Plies, Score};
/// use marquis_retro::{SolveLimits, exhaustive};
///
/// let stop = std::sync::atomic::AtomicBool::new(false);
/// let root = (6, Player::First);
/// let solved = exhaustive::solve(&Heap, root, &SolveLimits::until(&stop), &mut |_| {})?;
/// assert_eq!(solved.root(), Score::Loss(Plies(4)));
/// assert_eq!(solved.score(&(5, Player::Second)), Some(Score::Win(Plies(3))));
/// # Ok::<(), marquis_retro::Stopped>(())
/// ```
#[derive(Debug)]
pub struct Solved<G: Game> {
    game: G,
    known: Numbering<G::Position>,
    scores: Vec<u32>,
    edges: u64,
}

/// The scores of everything reachable from `root`.
///
/// * `progress`: called now and then.
/// * Result: the root is its first position.
///
/// # Errors
/// Which of the `limits` ended the work; no position has a score then.
pub fn solve<G: Game + Hashed>(
    game: &G,
    root: G::Position,
    limits: &SolveLimits<'_>,
    progress: &mut dyn FnMut(SolveProgress),
) -> Result<Solved<G>, Stopped> {
    let graph = Graph::explore(game, root, limits, progress)?;
    let edges = graph.children.len() as u64;
    let Graph { known, starts, children, mut scores } = graph;
    let parents = Parents::of(&starts, &children, limits)?;
    drop(children);
    spread(&starts, &parents, &mut scores, limits, progress)?;
    Ok(Solved { game: game.clone(), known, scores, edges })
}

impl<G: Game + Hashed> Solved<G> {
    /// The number of positions, finished ones included.
    #[must_use]
    pub fn states(&self) -> usize {
        self.scores.len()
    }

    /// The number of moves in all of them.
    #[must_use]
    pub fn edges(&self) -> u64 {
        self.edges
    }

    /// The number of positions with this value.
    #[must_use]
    pub fn count(&self, value: Value) -> usize {
        self.scores.iter().filter(|&&code| score_of(code).value() == value).count()
    }

    /// The score of the root.
    #[must_use]
    pub fn root(&self) -> Score {
        score_of(self.scores[0])
    }

    /// The score of a position; `None` if it cannot be reached from the root.
    #[must_use]
    pub fn score(&self, position: &G::Position) -> Option<Score> {
        let number = self.known.find(self.game.key(position), position)?;
        Some(score_of(self.scores[number as usize]))
    }

    /// All positions with their scores, nearest to the root first.
    pub fn iter(&self) -> impl Iterator<Item = (&G::Position, Score)> {
        self.known.positions.iter().zip(self.scores.iter().map(|&code| score_of(code)))
    }

    /// The first of the positions whose win takes the most plies; `None` if no position is won.
    #[must_use]
    pub fn longest_win(&self) -> Option<(G::Position, Plies)> {
        let wins = self.iter().filter_map(|(&position, score)| match score {
            Score::Win(plies) => Some((position, plies)),
            _ => None,
        });
        wins.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }
}

/// Numbered positions, and a map from positions to numbers.
#[derive(Debug)]
struct Numbering<P> {
    positions: Vec<P>,
    numbers: HashTable<u32>,
}

impl<P: Copy + Eq> Numbering<P> {
    fn find(&self, key: u64, position: &P) -> Option<u32> {
        self.numbers.find(key, |&number| self.positions[number as usize] == *position).copied()
    }

    /// The number of a position, a new one if it is not known yet.
    fn number(&mut self, key: u64, position: P, rehash: impl Fn(&P) -> u64) -> u32 {
        if let Some(number) = self.find(key, &position) {
            return number;
        }
        let number = self.positions.len() as u32;
        self.positions.push(position);
        self.numbers.insert_unique(key, number, |&other| rehash(&self.positions[other as usize]));
        number
    }
}

/// The target of a move, as a task found it among the positions known before its batch.
enum FoundChild<P> {
    Known(u32),
    Unknown(u64, P),
}

/// The moves of some positions in order.
struct Expanded<P> {
    children: Vec<FoundChild<P>>,
    /// For each position its score if the game is over there, and its number of moves.
    states: Vec<(u32, u32)>,
}

/// The graph of moves: the children of position `i` are `children[starts[i]..starts[i + 1]]`, one a move.
struct Graph<P> {
    known: Numbering<P>,
    starts: Vec<usize>,
    children: Vec<u32>,
    scores: Vec<u32>,
}

impl<P: Copy + Eq + Send + Sync> Graph<P> {
    fn explore<G: Game<Position = P> + Hashed>(
        game: &G,
        root: P,
        limits: &SolveLimits<'_>,
        progress: &mut dyn FnMut(SolveProgress),
    ) -> Result<Self, Stopped> {
        let most = limits.states.min(u32::MAX as usize);
        let known = Numbering { positions: Vec::new(), numbers: HashTable::new() };
        let mut graph = Self { known, starts: vec![0], children: Vec::new(), scores: Vec::new() };
        graph.known.number(game.key(&root), root, |position| game.key(position));
        while graph.scores.len() < graph.known.positions.len() {
            limits.check()?;
            let from = graph.scores.len();
            let to = graph.known.positions.len().min(from + BATCH);
            let batch = &graph.known.positions[from..to];
            let tasks = batch.par_chunks(TASK).map(|chunk| expand(game, &graph.known, chunk));
            for expanded in tasks.collect::<Vec<_>>() {
                graph.append(game, expanded);
            }
            if graph.known.positions.len() > most {
                return Err(Stopped::TooManyStates { limit: most });
            }
            let (done, of) = (to as u64, graph.known.positions.len() as u64);
            progress(SolveProgress { phase: Phase::Exploring, done, of });
        }
        Ok(graph)
    }

    fn append<G: Game<Position = P> + Hashed>(&mut self, game: &G, expanded: Expanded<P>) {
        let mut end = *self.starts.last().unwrap_or(&0);
        for (score, moves) in expanded.states {
            end += moves as usize;
            self.starts.push(end);
            self.scores.push(score);
        }
        for child in expanded.children {
            self.children.push(match child {
                FoundChild::Known(number) => number,
                FoundChild::Unknown(key, position) => self.known.number(key, position, |p| game.key(p)),
            });
        }
    }
}

fn expand<G: Game + Hashed>(
    game: &G,
    known: &Numbering<G::Position>,
    positions: &[G::Position],
) -> Expanded<G::Position> {
    let mut moves = Vec::new();
    let mut expanded = Expanded { children: Vec::new(), states: Vec::with_capacity(positions.len()) };
    for position in positions {
        moves.clear();
        let score = match game.over(position) {
            Some(over) => code_of(Score::finished(over.outcome.for_mover(game.turn(position)))),
            None => {
                game.moves(position, &mut moves);
                UNDECIDED
            }
        };
        expanded.states.push((score, moves.len() as u32));
        expanded.children.extend(moves.iter().map(|&mv| {
            let child = game.play(position, mv);
            let key = game.key(&child);
            known.find(key, &child).map_or(FoundChild::Unknown(key, child), FoundChild::Known)
        }));
    }
    expanded
}

/// The graph of moves backwards, one edge for each move.
struct Parents {
    starts: Vec<usize>,
    parents: Vec<u32>,
}

impl Parents {
    fn of(starts: &[usize], children: &[u32], limits: &SolveLimits<'_>) -> Result<Self, Stopped> {
        let states = starts.len() - 1;
        let mut ends = vec![0usize; states + 1];
        for &child in children {
            ends[child as usize + 1] += 1;
        }
        for i in 0..states {
            ends[i + 1] += ends[i];
        }
        // Filling advances each start to the end of its row, which is the start of the next one.
        let mut parents = vec![0u32; children.len()];
        for parent in 0..states {
            if parent % BATCH == 0 {
                limits.check()?;
            }
            for &child in &children[starts[parent]..starts[parent + 1]] {
                let place = &mut ends[child as usize];
                parents[*place] = parent as u32;
                *place += 1;
            }
        }
        Ok(Self { starts: ends, parents })
    }

    fn row(&self, child: u32) -> &[u32] {
        let child = child as usize;
        let start = if child == 0 { 0 } else { self.starts[child - 1] };
        &self.parents[start..self.starts[child]]
    }
}

/// Spreads the scores of finished positions to all positions that they decide; the rest is drawn.
///
/// The queue is in order of plies. Moves are counted as edges on both sides, so two moves to the same
/// position cancel.
fn spread(
    starts: &[usize],
    parents: &Parents,
    scores: &mut [u32],
    limits: &SolveLimits<'_>,
    progress: &mut dyn FnMut(SolveProgress),
) -> Result<(), Stopped> {
    let mut left: Vec<u32> = starts.windows(2).map(|row| (row[1] - row[0]) as u32).collect();
    let decided = |&number: &u32| score_of(scores[number as usize]) != Score::Draw;
    let mut queue: Vec<u32> = (0..scores.len() as u32).filter(decided).collect();
    let mut next = 0;
    while next < queue.len() {
        if next % BATCH == 0 {
            limits.check()?;
            progress(SolveProgress { phase: Phase::Spreading, done: next as u64, of: scores.len() as u64 });
        }
        let child = queue[next];
        next += 1;
        let score = score_of(scores[child as usize]);
        if score.plies() == Some(Plies(u16::MAX)) {
            return Err(Stopped::TooManyPlies);
        }
        let gained = score.before_move();
        for &parent in parents.row(child) {
            let parent_at = parent as usize;
            left[parent_at] -= 1;
            let settled = gained.value() == Value::Win || left[parent_at] == 0;
            if settled && scores[parent_at] == UNDECIDED {
                scores[parent_at] = code_of(gained);
                queue.push(parent);
            }
        }
    }
    Ok(())
}
