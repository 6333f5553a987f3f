//! One position searched by several workers: who searches which question, and what came of it.
//!
//! The two questions are searched side by side. A worker takes the question that is furthest behind
//! its share of the work, searches it for a while and chooses again. Whoever finds an answer proves it himself
//! while the others go on; the first proof that decides the value sends them home.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use marquis_core::{Bounds, ByPlayer, Hashed, Player};

use crate::checker::{Grounds, check_never_loses, check_win};
use crate::dfpn::{Progressed, Searcher};
use crate::knowledge::World;
use crate::limits::{Account, Meter, SLICE};
use crate::safe::extract_safe;
use crate::settle::Settler;
use crate::table::Table;
use crate::win::extract_win;
use crate::{Ended, Heuristic, Kind, Limits, Numbers, Oracle, Progress, Question, Settings, Strategy};

/// A position to search, with what it may cost.
#[derive(Debug)]
pub(crate) struct Job<'a, 'l, G: Hashed, O, H> {
    pub(crate) world: World<'a, G, O, H>,
    pub(crate) table: &'a Table,
    pub(crate) position: G::Position,
    pub(crate) limits: Limits<'l>,
    pub(crate) settings: Settings,
}

/// What was proved of it.
#[derive(Debug)]
pub(crate) struct Gathered<G: Hashed> {
    pub(crate) bounds: Bounds,
    pub(crate) strategies: Vec<Strategy<G>>,
    pub(crate) ended: Ended,
    pub(crate) nodes: u64,
}

/// How one question is getting on.
#[derive(Clone, Copy, Debug)]
struct Lane {
    workers: usize,
    nodes: u64,
    numbers: Numbers,
    open: bool,
}

/// What all workers know.
#[derive(Debug)]
struct Board<G: Hashed> {
    lanes: ByPlayer<Lane>,
    bounds: Bounds,
    strategies: Vec<Strategy<G>>,
    ended: Option<Ended>,
    /// A proof did not fit the memory; the other question may still bring the answer.
    overflowed: bool,
}

const WATCH_EVERY: Duration = Duration::from_millis(100);
/// Slices of search before a worker chooses its question again.
const SLICES: usize = 4;
/// How much more of the search goes to the question whether the player on move wins.
const ON_MOVE_SHARE: u64 = 3;

impl<G: Hashed, O: Oracle<G>, H: Heuristic<G>> Job<'_, '_, G, O, H> {
    /// Searches until the value is proved or a limit is reached; `watch` is called on this thread.
    pub(crate) fn run(&self, watch: &mut impl FnMut(&Progress)) -> Gathered<G> {
        let account = Account::default();
        let lane = Lane { workers: 0, nodes: 0, numbers: Numbers::UNIT, open: true };
        let board = Mutex::new(Board {
            lanes: ByPlayer::new(lane, lane),
            bounds: Bounds::UNKNOWN,
            strategies: Vec::new(),
            ended: None,
            overflowed: false,
        });
        std::thread::scope(|scope| {
            for _ in 1..self.settings.threads.max(1) {
                scope.spawn(|| Worker::new(self, &account, &board).work(&mut |_| {}));
            }
            Worker::new(self, &account, &board).work(watch);
        });
        let board = board.into_inner().unwrap_or_else(PoisonError::into_inner);
        let ended = match board.ended {
            _ if board.bounds.value().is_some() => Ended::Answered,
            None if board.overflowed => Ended::Memory,
            ended => ended.unwrap_or(Ended::Answered),
        };
        Gathered { bounds: board.bounds, strategies: board.strategies, ended, nodes: account.nodes() }
    }

    fn turn(&self) -> Player {
        self.world.game.turn(&self.position)
    }

    /// Memory for one proof, where each question may be in proof at the same time.
    fn proof_bytes(&self) -> usize {
        self.settings.proof_bytes / self.settings.threads.clamp(1, 2)
    }
}

/// One thread's part of a job.
struct Worker<'w, 'a, 'l, G: Hashed, O, H> {
    job: &'w Job<'a, 'l, G, O, H>,
    account: &'w Account,
    board: &'w Mutex<Board<G>>,
    meter: Meter<'w>,
    searchers: ByPlayer<Option<Searcher<'a, G, O, H>>>,
    told: (Instant, Bounds),
}

impl<'w, 'a, 'l, G: Hashed, O: Oracle<G>, H: Heuristic<G>> Worker<'w, 'a, 'l, G, O, H> {
    fn new(job: &'w Job<'a, 'l, G, O, H>, account: &'w Account, board: &'w Mutex<Board<G>>) -> Self {
        let meter = Meter::new(job.limits, account);
        let told = (Instant::now(), Bounds::UNKNOWN);
        Self { job, account, board, meter, searchers: ByPlayer::new(None, None), told }
    }

    fn board(&self) -> MutexGuard<'w, Board<G>> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works until there is nothing left to do, or a limit is reached.
    fn work(mut self, watch: &mut impl FnMut(&Progress)) {
        let mut outcome = self.meter.check();
        while outcome.is_ok()
            && let Some(prover) = self.choose()
        {
            outcome = self.search(prover, watch);
            self.board().lanes[prover].workers -= 1;
        }
        if let Err(ended) = outcome {
            self.board().ended.get_or_insert(ended);
            self.account.halt();
        }
        self.tell(watch);
    }

    /// Takes the open question that is furthest behind its share.
    fn choose(&self) -> Option<Player> {
        let mut board = self.board();
        if board.bounds.value().is_some() {
            return None;
        }
        let turn = self.job.turn();
        let proof = |prover: Player| board.lanes[prover].numbers.proof;
        let favoured = if proof(turn.opponent()) < proof(turn) { turn.opponent() } else { turn };
        let open = [turn, turn.opponent()].into_iter().filter(|&prover| board.lanes[prover].open);
        let prover = open.min_by_key(|&prover| {
            let Lane { workers, nodes, .. } = board.lanes[prover];
            let ahead = nodes + workers as u64 * SLICES as u64 * SLICE;
            // Most often it is the player on move who wins, in the games as in the search.
            if prover == favoured { ahead / ON_MOVE_SHARE } else { ahead }
        })?;
        board.lanes[prover].workers += 1;
        Some(prover)
    }

    /// Searches one question for a while, and proves the answer if it is found.
    fn search(&mut self, prover: Player, watch: &mut impl FnMut(&Progress)) -> Result<(), Ended> {
        let (job, question) = (self.job, Question { prover });
        for _ in 0..SLICES {
            let searcher = self.searchers[prover].get_or_insert_with(|| {
                let company = job.settings.threads > 1;
                let mut searcher = Searcher::new(job.world, job.table, question).in_company(company);
                searcher.start(&job.position);
                searcher
            });
            let before = searcher.nodes();
            let progressed = searcher.run(self.meter.slice());
            let (nodes, numbers) = (searcher.nodes() - before, searcher.numbers());
            let open = {
                let lane = &mut self.board().lanes[prover];
                lane.nodes += nodes;
                lane.numbers = numbers;
                // The first to find the answer closes the question, and proves it.
                let open = lane.open;
                lane.open &= progressed == Progressed::Paused;
                open
            };
            self.meter.spend(nodes)?;
            self.tell_now_and_then(watch);
            match progressed {
                Progressed::Paused if open => {}
                Progressed::Proved(_) | Progressed::Disproved(_) if open => {
                    return self.prove(question, matches!(progressed, Progressed::Proved(_)));
                }
                _ => {
                    self.searchers[prover] = None;
                    break;
                }
            }
        }
        Ok(())
    }

    fn tell_now_and_then(&mut self, watch: &mut impl FnMut(&Progress)) {
        if self.told.0.elapsed() >= WATCH_EVERY || self.board().bounds != self.told.1 {
            self.tell(watch);
        }
    }

    fn tell(&mut self, watch: &mut impl FnMut(&Progress)) {
        let (bounds, numbers) = {
            let board = self.board();
            (board.bounds, ByPlayer::new(board.lanes.first.numbers, board.lanes.second.numbers))
        };
        self.told = (Instant::now(), bounds);
        watch(&Progress { nodes: self.account.nodes(), bounds, numbers });
    }

    /// Turns what the search believes into a strategy that was replayed, whichever way it comes out.
    fn prove(&mut self, question: Question, yes: bool) -> Result<(), Ended> {
        match self.strategy(question, yes) {
            Ok(strategy) => {
                if self.replays(&strategy) {
                    self.keep(strategy);
                }
                Ok(())
            }
            // A proof that fits no memory must not keep the other question from its answer.
            Err(Ended::Memory) => {
                self.board().overflowed = true;
                Ok(())
            }
            Err(ended) => Err(ended),
        }
    }

    fn strategy(&mut self, question: Question, yes: bool) -> Result<Strategy<G>, Ended> {
        let Job { world, table, position, .. } = self.job;
        self.searchers[question.prover] = None;
        let bytes = self.job.proof_bytes();
        let mut settler = Settler::new(*world, table, question);
        let meter = &mut self.meter;
        let safe = if yes { None } else { extract_safe(*world, position, &mut settler, meter, bytes)? };
        safe.map_or_else(|| extract_win(*world, position, &mut settler, meter, bytes), Ok)
    }

    fn keep(&self, strategy: Strategy<G>) {
        let mut board = self.board();
        board.bounds = board.bounds.and(strategy.bounds(self.job.world.game));
        if strategy.kind == Kind::Win {
            // It says more than a proof that the same player never loses.
            board.strategies.clear();
        }
        if board.bounds.value().is_some() {
            self.account.halt();
        }
        board.strategies.push(strategy);
    }

    /// Whether the independent checker accepts the strategy.
    fn replays(&self, strategy: &Strategy<G>) -> bool {
        let Job { world, position, .. } = self.job;
        let bytes = strategy.to_bytes(world.game);
        let cannot_win = |position: &G::Position, player| world.heuristic.cannot_win(position, player);
        let grounds = Grounds { oracle: world.oracle, cannot_win: &cannot_win };
        let replayed = match strategy.kind {
            Kind::Win => check_win(world.game, position, strategy.holder, &bytes, grounds),
            Kind::NeverLose => check_never_loses(world.game, position, strategy.holder, &bytes, grounds),
        };
        replayed.is_ok()
    }
}
