//! Runs workers on the jobs of a tree, and reports progress.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use web_time::{Duration, Instant};

use marquis_core::{Bounds, ByPlayer, Hashed, Player};
use marquis_proof::{Heuristic, Numbers, Oracle, ProofSearch, Question, SearchLimits};

use crate::choice::Chosen;
use crate::event::{Event, Id, Journal};
use crate::outline::Outlined;
use crate::tree::Tree;
use crate::worker::{Arrivals, Done, Worker};

/// The limits of one run of a study.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits<'a> {
    /// Local jobs at a time.
    pub threads: usize,
    /// Positions that the first search of a leaf may expand.
    pub job_nodes: u64,
    /// Positions to expand in this run, approximately.
    pub nodes: Option<u64>,
    /// Bytes of memory for the tree, approximately.
    pub tree_bytes: usize,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Set by the caller to stop at once.
    pub stop: &'a AtomicBool,
}

/// The progress of a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The proved bounds of the first position, for the player to move.
    pub bounds: Bounds,
    /// How far each prover's question is from its answer.
    pub numbers: ByPlayer<Numbers>,
    /// Positions of the tree.
    pub positions: usize,
    /// Memory that the tree takes, in bytes, approximately.
    pub bytes: usize,
    /// Jobs done, including those of earlier runs.
    pub jobs: u64,
    /// Positions that searches expanded, including earlier runs and running jobs.
    pub nodes: u64,
    /// Moves of the first position with a known value, and all of them; both 0 before it was expanded.
    pub root_moves: (usize, usize),
    /// The numbers of the moves that lead to the last chosen leaf.
    pub line: Vec<u16>,
    /// Remote workers currently connected.
    pub others: usize,
}

impl Standing {
    /// The progress of a tree without a running study.
    #[must_use]
    pub fn of<G: Hashed>(tree: &Tree<'_, G>) -> Self {
        Self {
            bounds: tree.bounds(),
            numbers: tree.node(Id::ROOT).numbers,
            positions: tree.positions(),
            bytes: tree.bytes(),
            jobs: tree.jobs(),
            nodes: tree.searched(),
            root_moves: tree.root_moves(),
            line: Vec::new(),
            others: 0,
        }
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finished {
    /// The value of the first position is known.
    Answered,
    /// The node limit is reached.
    Nodes,
    /// The tree has reached its memory limit.
    Memory,
    /// The deadline has passed.
    Deadline,
    /// The stop flag was set.
    Stopped,
}

/// Takes the given number of positions with most effort from the tree of a running study.
pub type Outliner<'r, P> = &'r dyn Fn(usize) -> Vec<Outlined<P>>;

/// A search that believed its answer but could not prove it within its nodes gets this many times more, up to `TRIES`
/// jobs.
const MORE_FOR_A_PROOF: u32 = 4;
const TRIES: u8 = 3;
/// Interval between two checks on the workers.
const WATCH_EVERY: Duration = Duration::from_millis(200);
/// Recomputing all numbers may take at most about 1/`REFRESHING_SHARE` of the time.
const REFRESHING_SHARE: u32 = 16;

/// State shared by all workers.
struct SharedStudy<'a, G: Hashed, J: Journal> {
    tree: Tree<'a, G>,
    journal: J,
    busy: usize,
    spent: ByPlayer<u64>,
    line: Vec<u16>,
    finished: Option<Finished>,
    failed: Option<J::Error>,
    /// When all numbers were last recomputed, and how long that took.
    refreshed: Option<(Instant, Duration)>,
}

/// A run of a study.
struct StudyRun<'r, 'a, G: Hashed, O, H, J: Journal> {
    search: &'r ProofSearch<'r, G, O, H>,
    limits: RunLimits<'r>,
    board: Mutex<SharedStudy<'a, G, J>>,
    news: Condvar,
    /// Tells workers to stop their jobs.
    halt: AtomicBool,
    /// Positions expanded in this run.
    nodes: AtomicU64,
    /// Of these, positions expanded by completed jobs.
    booked: AtomicU64,
    /// Remote workers currently connected.
    others: AtomicUsize,
}

/// Does jobs until the value of the first position is known or a limit is reached.
///
/// * `search`: with the memory for all workers together, and settings for one thread.
/// * `arrivals`: remote workers that get jobs in addition to the threads.
/// * `watch`: called with the progress several times a second, on this thread; may take an [outline](Tree::outline)
///   of the tree, for which the workers wait.
/// * Result: the tree, the journal, and why the run ended.
///
/// # Errors
/// The journal cannot store an event; earlier events remain valid.
pub fn run<'a, G: Hashed, O: Oracle<G>, H: Heuristic<G>, J: Journal>(
    tree: Tree<'a, G>,
    journal: J,
    search: &ProofSearch<'_, G, O, H>,
    limits: RunLimits<'_>,
    arrivals: &dyn Arrivals<G::Position>,
    mut watch: impl FnMut(&Standing, Outliner<'_, G::Position>),
) -> Result<(Tree<'a, G>, J, Finished), J::Error> {
    let board = SharedStudy {
        tree,
        journal,
        busy: 0,
        spent: ByPlayer::default(),
        line: Vec::new(),
        finished: None,
        failed: None,
        refreshed: None,
    };
    let run = StudyRun {
        search,
        limits,
        board: Mutex::new(board),
        news: Condvar::new(),
        halt: AtomicBool::new(false),
        nodes: AtomicU64::new(0),
        booked: AtomicU64::new(0),
        others: AtomicUsize::new(0),
    };
    let outline = |most| run.board().tree.outline(most);
    std::thread::scope(|scope| {
        let begin = |_| {
            run.look_at_limits();
            let is_over = run.halt.load(Relaxed);
            (!is_over).then(|| Builder::new().spawn_scoped(scope, || run.work_here()).ok()).flatten()
        };
        // Check the limits before each spawn; the system may provide fewer threads than requested.
        let mut workers: Vec<_> = (0..limits.threads.max(1)).map_while(begin).collect();
        while !workers.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            let board = run.board();
            if board.finished.is_some() {
                break;
            }
            let waited = run.news.wait_timeout(board, WATCH_EVERY);
            let board = waited.map_or_else(|poisoned| poisoned.into_inner().0, |(board, _)| board);
            let standing = run.standing(&board);
            drop(board);
            run.look_at_limits();
            while let Some(worker) = arrivals.next() {
                let run = &run;
                workers.push(scope.spawn(move || run.work_elsewhere(worker)));
            }
            watch(&standing, &outline);
        }
    });
    let standing = run.standing(&run.board());
    watch(&standing, &outline);
    let board = run.board.into_inner().unwrap_or_else(PoisonError::into_inner);
    match board.failed {
        Some(error) => Err(error),
        None => Ok((board.tree, board.journal, board.finished.unwrap_or(Finished::Stopped))),
    }
}

impl<'a, G: Hashed, O: Oracle<G>, H: Heuristic<G>, J: Journal> StudyRun<'_, 'a, G, O, H, J> {
    fn board(&self) -> MutexGuard<'_, SharedStudy<'a, G, J>> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn standing(&self, board: &SharedStudy<'a, G, J>) -> Standing {
        let under_way = self.nodes.load(Relaxed).saturating_sub(self.booked.load(Relaxed));
        let tree = Standing::of(&board.tree);
        let others = self.others.load(Relaxed);
        Standing { nodes: tree.nodes.saturating_add(under_way), line: board.line.clone(), others, ..tree }
    }

    /// Ends the run if a limit is reached.
    fn look_at_limits(&self) {
        let nodes = self.nodes.load(Relaxed);
        let finished = if self.limits.stop.load(Relaxed) {
            Finished::Stopped
        } else if self.limits.deadline.is_some_and(|at| Instant::now() >= at) {
            Finished::Deadline
        } else if self.limits.nodes.is_some_and(|limit| nodes >= limit) {
            Finished::Nodes
        } else {
            return;
        };
        self.finish(&mut self.board(), finished);
    }

    fn finish(&self, board: &mut SharedStudy<'a, G, J>, finished: Finished) {
        board.finished.get_or_insert(finished);
        self.halt.store(true, Relaxed);
        self.news.notify_all();
    }

    fn work_here(&self) {
        self.work(|position, nodes| Some(self.search_leaf(position, nodes)));
    }

    /// Gives a worker jobs until it is lost or the run is over.
    fn work_elsewhere(&self, mut worker: Box<dyn Worker<G::Position> + '_>) {
        self.others.fetch_add(1, Relaxed);
        self.work(|position, nodes| {
            let mut done = worker.search(position, nodes, &self.halt)?;
            // Do not trust another process's count; a completed job took at least one node.
            done.nodes = done.nodes.clamp(1, nodes.max(1));
            for count in [&self.nodes, &self.booked] {
                count.fetch_add(done.nodes, Relaxed);
            }
            Some(done)
        });
        self.others.fetch_sub(1, Relaxed);
    }

    /// Does jobs one after another, until a search fails or none is left.
    fn work(&self, mut search: impl FnMut(&G::Position, u64) -> Option<Done>) {
        while let Some((chosen, position, nodes)) = self.next_job() {
            let done = search(&position, nodes);
            let mut board = self.board();
            board.busy -= 1;
            board.tree.node_mut(chosen.leaf).is_busy = false;
            self.news.notify_all();
            let Some(Done { nodes, numbers, strategies }) = done else { return };
            board.spent[chosen.prover] = board.spent[chosen.prover].saturating_add(nodes);
            // A search stopped before its first node has no result.
            if nodes > 0 || !strategies.is_empty() {
                let event = Event::Job { node: chosen.leaf, nodes, numbers, strategies };
                self.happen(&mut board, &event);
            }
        }
    }

    /// Stores an event and applies it.
    fn happen(&self, board: &mut SharedStudy<'a, G, J>, event: &Event) {
        if let Err(error) = board.journal.keep(board.tree.events(), event) {
            board.failed.get_or_insert(error);
            self.finish(board, Finished::Stopped);
            return;
        }
        let happened = board.tree.apply(event);
        debug_assert_eq!(happened, Ok(()));
        if board.tree.bounds().value().is_some() {
            self.finish(board, Finished::Answered);
        }
    }

    fn search_leaf(&self, position: &G::Position, nodes: u64) -> Done {
        let limits = SearchLimits {
            nodes: Some(nodes),
            deadline: self.limits.deadline,
            stop: Some(&self.halt),
            ..SearchLimits::default()
        };
        let mut told = 0;
        let findings = self.search.solve(position, &limits, |progress| {
            let more = progress.nodes.saturating_sub(told);
            told += more;
            self.nodes.fetch_add(more, Relaxed);
        });
        self.nodes.fetch_add(findings.nodes.saturating_sub(told), Relaxed);
        self.booked.fetch_add(findings.nodes.max(told), Relaxed);
        findings.into()
    }

    /// The next leaf to search, and the nodes for it; `None` if the run is over.
    fn next_job(&self) -> Option<(Chosen, G::Position, u64)> {
        self.look_at_limits();
        let mut board = self.board();
        loop {
            if self.halt.load(Relaxed) || board.finished.is_some() {
                return None;
            }
            let Some(chosen) = self.choose(&mut board) else {
                if board.finished.is_none() && board.busy == 0 {
                    // All numbers are fresh, no job runs and no leaf is open: this cannot happen in a valid tree.
                    self.finish(&mut board, Finished::Stopped);
                }
                if board.finished.is_some() {
                    return None;
                }
                let waited = self.news.wait_timeout(board, WATCH_EVERY);
                board = waited.map_or_else(|poisoned| poisoned.into_inner().0, |(board, _)| board);
                continue;
            };
            board.line.clone_from(&chosen.line);
            let node = board.tree.node(chosen.leaf);
            let believed = Player::BOTH.iter().any(|&prover| node.numbers[prover].is_settled());
            let jobs = node.jobs;
            if jobs == 0 || believed && jobs < TRIES {
                let position = node.position;
                let nodes =
                    self.limits.job_nodes.saturating_mul(u64::from(MORE_FOR_A_PROOF.pow(jobs.into())));
                board.tree.node_mut(chosen.leaf).is_busy = true;
                board.busy += 1;
                return Some((chosen, position, nodes));
            }
            if board.tree.bytes() > self.limits.tree_bytes {
                self.finish(&mut board, Finished::Memory);
                return None;
            }
            let below = board.tree.unknown_below(chosen.leaf);
            let numbers = self.search.numbers_below(&board.tree.node(chosen.leaf).position, &below);
            self.happen(&mut board, &Event::Expanded { node: chosen.leaf, numbers });
        }
    }

    /// The most proving leaf without a job; recomputes all numbers if they are stale.
    fn choose(&self, board: &mut SharedStudy<'a, G, J>) -> Option<Chosen> {
        let stale = board.refreshed.is_none_or(|(at, took)| at.elapsed() >= took * REFRESHING_SHARE);
        if !stale {
            let chosen = board.tree.question(board.spent).and_then(|question| board.tree.choose(question));
            if chosen.is_some() {
                return chosen;
            }
        }
        let begun = Instant::now();
        for prover in Player::BOTH {
            board.tree.refresh(Question { prover });
        }
        board.refreshed = Some((Instant::now(), begun.elapsed()));
        if board.tree.bounds().value().is_some() {
            self.finish(board, Finished::Answered);
            return None;
        }
        let question = board.tree.question(board.spent)?;
        let chosen = board.tree.choose(question);
        // If one question has to wait, the other may still have a leaf.
        chosen.or_else(|| {
            let other = Question { prover: question.prover.opponent() };
            let is_open = board.tree.node(Id::ROOT).answer(other).is_none();
            board.tree.choose(other).filter(|_| is_open)
        })
    }
}
