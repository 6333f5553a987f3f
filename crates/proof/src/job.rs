//! Runs several workers on a set of positions: assigns questions to workers and collects the results.
//!
//! Each of the two questions about each position is a lane. A worker takes the lane that is furthest behind its share
//! of the work, searches it for a while and chooses again. Searches stay with their lanes, so a lane has at most as
//! many searches as it has ever had workers at one time. A worker that finds an answer proves it while the others
//! continue. If nothing else is needed, they stop, and another thread replays the proof while it is written.

mod proving;

use std::cell::Cell;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use web_time::{Duration, Instant};

use marquis_core::{Bounds, ByPlayer, Game, Hashed, Player};

use crate::dfpn::{Progressed, QuestionSearch};
use crate::disk::{Disk, DiskTrouble};
use crate::knowledge::World;
use crate::limits::{Account, NodeMeter, SLICE};
use crate::pool::ProofPool;
use crate::region;
use crate::table::QuestionTable;
use crate::{
    Ended, Guarantee, Heuristic, Numbers, Oracle, Question, SearchLimits, Settings, Strategy, Unproved,
};

/// Whether these bounds, one per root, are all that the caller needs.
pub(crate) type Enough<'e> = dyn Fn(&[Bounds]) -> bool + Sync + 'e;
/// Receives nodes and bounds.
pub(crate) type Watch<'w> = dyn FnMut(u64, &[Bounds]) + 'w;

/// Positions to search, with the limits.
pub(crate) struct SearchJob<'a, 'l, G: Hashed, O, H> {
    pub(crate) world: World<'a, G, O, H>,
    pub(crate) table: &'a QuestionTable,
    pub(crate) roots: Vec<G::Position>,
    pub(crate) enough: &'l Enough<'l>,
    pub(crate) limits: SearchLimits<'l>,
    pub(crate) settings: Settings,
    /// For proofs that do not fit in memory.
    pub(crate) disk: Option<&'a Disk>,
}

/// The result for one root.
#[derive(Debug)]
pub(crate) struct Gathered<G: Hashed> {
    pub(crate) bounds: Bounds,
    pub(crate) strategies: Vec<Strategy<G>>,
    pub(crate) nodes: u64,
    pub(crate) after: Duration,
    /// How far each prover's question was from its answer at the end.
    pub(crate) numbers: ByPlayer<Numbers>,
    /// The claim of a proof that did not fit.
    pub(crate) unproved: Option<Unproved>,
}

impl<G: Hashed> Gathered<G> {
    /// Bounds that needed no search.
    pub(crate) const fn at_once(bounds: Bounds) -> Self {
        let numbers = ByPlayer::new(Numbers::UNIT, Numbers::UNIT);
        Self { bounds, strategies: Vec::new(), nodes: 0, after: Duration::ZERO, numbers, unproved: None }
    }
}

/// One question about one root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lane {
    root: usize,
    prover: Player,
}

/// The progress of one lane.
#[derive(Debug)]
struct LaneProgress<'a, G: Game, O, H> {
    workers: usize,
    nodes: u64,
    numbers: Numbers,
    stage: LaneState,
    /// Searches that no worker is running.
    idle: Vec<QuestionSearch<'a, G, O, H>>,
    /// Nodes after which all searches restart at the root, with the current knowledge of the table.
    renewal: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LaneState {
    Open,
    /// The search has an answer, yes or no, which a worker proves.
    InProof {
        yes: bool,
    },
    /// Proved, or cannot be proved.
    Closed,
}

/// State shared by all workers.
#[derive(Debug)]
struct SharedSearch<'a, G: Hashed, O, H> {
    lanes: Vec<ByPlayer<LaneProgress<'a, G, O, H>>>,
    gathered: Vec<Gathered<G>>,
    ended: Option<Ended>,
    /// A proof did not fit in memory; another lane may still yield the answer.
    overflowed: bool,
}

const WATCH_EVERY: Duration = Duration::from_millis(100);
/// How long a worker sleeps if it has nothing to search while others prove.
const WAIT: Duration = Duration::from_millis(1);
/// Nodes of a lane after which its searches restart for the first time; then whenever the nodes have doubled.
const FIRST_RENEWAL: u64 = 25_000;
/// At most 1/`SURVEY_SHARE` of a lane's nodes go into listing everything reachable, and at most `SURVEY_MOST`
/// positions.
const SURVEY_SHARE: u64 = 32;
const SURVEY_MOST: u64 = 1 << 20;
/// Slices of search after which a worker chooses its lane again.
const SLICES: usize = 4;
/// How many times more search a root's question gets if it looks easier to answer with yes.
const FAVOURED_SHARE: u64 = 3;
/// How many times more search the leading question gets, by the same measure.
const LEADING_SHARE: u64 = 24;

impl<G: Hashed, O: Oracle<G>, H: Heuristic<G>> SearchJob<'_, '_, G, O, H> {
    /// Searches until enough is proved or a limit is reached; calls `watch` with nodes and bounds, on this thread.
    pub(crate) fn run(&self, watch: &mut Watch<'_>) -> (Vec<Gathered<G>>, Ended) {
        let account = Account::default();
        let pool = ProofPool::new(self.settings.proof_bytes);
        let board = Mutex::new(SharedSearch::new(self.roots.len()));
        let settled: Vec<AtomicBool> = self.roots.iter().map(|_| AtomicBool::default()).collect();
        let begun = Instant::now();
        loop {
            let before = account.nodes();
            let until = self.table.until().map(|nodes| before + nodes);
            let shared = TableSearch {
                account: &account,
                pool: &pool,
                board: &board,
                settled: &settled,
                begun,
                table: self.table,
                until,
            };
            std::thread::scope(|scope| {
                for _ in 1..self.settings.threads.max(1) {
                    let work = || LaneWorker::new(self, &shared).work(&mut |_, _| {});
                    // Check the limits before each spawn; the system may provide fewer threads than requested.
                    let is_over = NodeMeter::new(self.limits, &account).check().is_err();
                    if is_over || Builder::new().spawn_scoped(scope, work).is_err() {
                        break;
                    }
                }
                LaneWorker::new(self, &shared).work(watch);
            });
            self.table.spent(account.nodes() - before);
            let mut board = shared.board();
            if !shared.is_outgrown() || account.halted() || board.is_done(self.enough) {
                break;
            }
            board.begin_again();
            self.table.grow(self.settings.threads);
        }
        let mut board = board.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (gathered, lanes) in board.gathered.iter_mut().zip(&board.lanes) {
            gathered.numbers = ByPlayer::new(lanes.first.numbers, lanes.second.numbers);
        }
        let ended = match board.ended {
            _ if board.is_enough(self.enough) => Ended::Answered,
            None if board.overflowed => Ended::Memory,
            ended => ended.unwrap_or(Ended::Answered),
        };
        (board.gathered, ended)
    }

    fn turn(&self, root: usize) -> Player {
        self.world.game.turn(&self.roots[root])
    }
}

impl<'a, G: Hashed, O, H> SharedSearch<'a, G, O, H> {
    fn new(roots: usize) -> Self {
        let standing = || LaneProgress {
            workers: 0,
            nodes: 0,
            numbers: Numbers::UNIT,
            stage: LaneState::Open,
            idle: Vec::new(),
            renewal: FIRST_RENEWAL,
        };
        Self {
            lanes: (0..roots).map(|_| ByPlayer::new(standing(), standing())).collect(),
            gathered: (0..roots).map(|_| Gathered::at_once(Bounds::UNKNOWN)).collect(),
            ended: None,
            overflowed: false,
        }
    }

    fn bounds(&self) -> Vec<Bounds> {
        self.gathered.iter().map(|gathered| gathered.bounds).collect()
    }

    fn is_enough(&self, enough: &Enough<'_>) -> bool {
        are_enough(&self.bounds(), enough)
    }

    /// Whether nothing else is needed if the prover of a lane wins.
    fn would_do(&self, lane: Lane, turn: Player, enough: &Enough<'_>) -> bool {
        let mut bounds = self.bounds();
        bounds[lane.root] = Guarantee::Win.bounds(lane.prover, turn);
        are_enough(&bounds, enough)
    }

    fn lanes(&self) -> impl Iterator<Item = Lane> + Clone + use<G, O, H> {
        (0..self.lanes.len()).flat_map(|root| Player::BOTH.map(|prover| Lane { root, prover }))
    }

    fn stage(&self, lane: Lane) -> LaneState {
        self.lanes[lane.root][lane.prover].stage
    }

    /// Whether nothing is left to search, or to find if a proof in progress holds.
    fn awaits_proof(&self, turn: impl Fn(usize) -> Player, enough: &Enough<'_>) -> bool {
        let is_won = |lane: &Lane| self.stage(*lane) == LaneState::InProof { yes: true };
        let mut won = self.lanes().filter(is_won);
        won.any(|lane| self.would_do(lane, turn(lane.root), enough))
            || !self.lanes().any(|lane| self.is_open(lane))
    }

    /// Whether no search can add anything.
    fn is_done(&self, enough: &Enough<'_>) -> bool {
        let roots = self.gathered.iter().zip(&self.lanes);
        let mut undecided = roots.filter(|(gathered, _)| gathered.bounds.value().is_none());
        let closed = |lanes: &ByPlayer<LaneProgress<'a, G, O, H>>| {
            Player::BOTH.iter().all(|&prover| lanes[prover].stage == LaneState::Closed)
        };
        self.is_enough(enough) || undecided.all(|(_, lanes)| closed(lanes))
    }

    /// The number of lanes that are being proved.
    fn proving(&self) -> usize {
        self.lanes().filter(|&lane| matches!(self.stage(lane), LaneState::InProof { .. })).count()
    }

    /// Restarts all searches at their roots, with the current knowledge of the table.
    fn begin_again(&mut self) {
        for lanes in &mut self.lanes {
            Player::BOTH.iter().for_each(|&prover| lanes[prover].idle.clear());
        }
    }

    /// Records the unproved belief about a lane whose proof did not fit in `bytes`; a win outranks the absence of
    /// one.
    fn give_up(&mut self, lane: Lane, bytes: usize, disk: Option<DiskTrouble>) {
        self.overflowed = true;
        let standing = self.standing(lane);
        let yes = standing.stage == LaneState::InProof { yes: true };
        standing.stage = LaneState::Closed;
        let winner = yes.then_some(lane.prover);
        let unproved = &mut self.gathered[lane.root].unproved;
        if yes || unproved.is_none() {
            *unproved = Some(Unproved { winner, bytes, disk });
        }
    }

    fn standing(&mut self, lane: Lane) -> &mut LaneProgress<'a, G, O, H> {
        &mut self.lanes[lane.root][lane.prover]
    }

    /// Whether a lane may be searched.
    fn is_open(&self, lane: Lane) -> bool {
        self.stage(lane) == LaneState::Open
            // If one player is about to be proved to win, the other cannot.
            && self.lanes[lane.root][lane.prover.opponent()].stage != LaneState::InProof { yes: true }
            && self.gathered[lane.root].bounds.value().is_none()
    }

    /// The lane with the nearest answer among those that would suffice alone. `None` if only one root is undecided,
    /// if no single answer suffices, or if deciding all of them looks nearer.
    fn leading(
        &self,
        lanes: impl Iterator<Item = Lane>,
        turn: impl Fn(usize) -> Player,
        enough: &Enough<'_>,
    ) -> Option<Lane> {
        let roots = self.gathered.iter().zip(&self.lanes);
        let undecided = roots.filter(|(gathered, _)| gathered.bounds.value().is_none());
        let nearest = undecided.map(|(_, lanes)| lanes.first.numbers.proof.min(lanes.second.numbers.proof));
        let (count, all) = nearest.fold((0, 0), |(count, all), proof| (count + 1, all + u64::from(proof)));
        if count < 2 {
            return None;
        }
        let would_do = |lane: &Lane| self.would_do(*lane, turn(lane.root), enough);
        let proof = |lane: &Lane| self.lanes[lane.root][lane.prover].numbers.proof;
        lanes.filter(would_do).min_by_key(proof).filter(|lane| u64::from(proof(lane)) <= all)
    }

    /// The nodes of a lane, including those its workers are about to add, divided by its share.
    fn progress(&self, lane: Lane, turn: Player, leading: Option<Lane>) -> u64 {
        let lanes = &self.lanes[lane.root];
        let LaneProgress { workers, nodes, .. } = lanes[lane.prover];
        let ahead = nodes + workers as u64 * SLICES as u64 * SLICE;
        let easier = |prover: Player| lanes[prover].numbers.proof < lanes[prover.opponent()].numbers.proof;
        let favoured = easier(lane.prover) || lane.prover == turn && !easier(turn.opponent());
        if leading == Some(lane) {
            ahead / LEADING_SHARE
        } else if favoured {
            ahead / FAVOURED_SHARE
        } else {
            ahead
        }
    }
}

fn are_enough(bounds: &[Bounds], enough: &Enough<'_>) -> bool {
    bounds.iter().all(|bounds| bounds.value().is_some()) || enough(bounds)
}

/// State shared by all workers while they use one table.
struct TableSearch<'w, 'a, G: Hashed, O, H> {
    account: &'w Account,
    pool: &'w ProofPool,
    board: &'w Mutex<SharedSearch<'a, G, O, H>>,
    settled: &'w [AtomicBool],
    begun: Instant,
    table: &'a QuestionTable,
    /// Nodes after which a larger table replaces it.
    until: Option<u64>,
}

impl<'w, 'a, G: Hashed, O, H> TableSearch<'w, 'a, G, O, H> {
    fn board(&self) -> MutexGuard<'w, SharedSearch<'a, G, O, H>> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_outgrown(&self) -> bool {
        self.until.is_some_and(|nodes| self.account.nodes() >= nodes)
    }

    /// Whether all workers should stop for a larger table. Not while one of them proves, because the others would
    /// wait.
    fn makes_room(&self) -> bool {
        self.is_outgrown() && self.board().proving() == 0
    }
}

/// One thread's part of a job.
struct LaneWorker<'w, 'a, 'l, G: Hashed, O, H> {
    job: &'w SearchJob<'a, 'l, G, O, H>,
    shared: &'w TableSearch<'w, 'a, G, O, H>,
    meter: NodeMeter<'w>,
    told: (Instant, Vec<Bounds>),
}

impl<'w, 'a, 'l, G, O, H> LaneWorker<'w, 'a, 'l, G, O, H>
where
    G: Hashed,
    O: Oracle<G>,
    H: Heuristic<G>,
{
    fn new(job: &'w SearchJob<'a, 'l, G, O, H>, shared: &'w TableSearch<'w, 'a, G, O, H>) -> Self {
        let meter = NodeMeter::new(job.limits, shared.account);
        Self { job, shared, meter, told: (shared.begun, Vec::new()) }
    }

    fn board(&self) -> MutexGuard<'w, SharedSearch<'a, G, O, H>> {
        self.shared.board()
    }

    /// Works until there is nothing left to do, a limit is reached, or the table is outgrown.
    fn work(mut self, watch: &mut Watch<'_>) {
        let mut outcome = self.meter.check();
        while outcome.is_ok() && !self.is_done() && !self.shared.makes_room() {
            let Some(lane) = self.choose() else {
                // A proof in progress may fail and leave its lane or the other one to be searched.
                std::thread::sleep(WAIT);
                outcome = self.meter.check();
                continue;
            };
            self.meter.attend(&self.shared.settled[lane.root]);
            let before = self.meter.booked();
            outcome = self.search(lane, watch);
            self.meter.attend_to_all();
            if outcome == Err(Ended::Answered) && !self.shared.account.halted() {
                outcome = Ok(());
            }
            let mut board = self.board();
            board.standing(lane).workers -= 1;
            board.gathered[lane.root].nodes += self.meter.booked() - before;
        }
        if let Err(ended) = outcome {
            self.board().ended.get_or_insert(ended);
            self.shared.account.halt();
        }
        self.tell(watch);
    }

    fn is_done(&self) -> bool {
        self.board().is_done(self.job.enough)
    }

    /// Takes the open lane that is furthest behind its share.
    fn choose(&self) -> Option<Lane> {
        let mut board = self.board();
        let turn = |root: usize| self.job.turn(root);
        if board.awaits_proof(turn, self.job.enough) {
            return None;
        }
        let roots = 0..self.job.roots.len();
        let lanes =
            roots.flat_map(|root| [turn(root), turn(root).opponent()].map(|prover| Lane { root, prover }));
        let open = lanes.filter(|&lane| board.is_open(lane));
        let leading = board.leading(open.clone(), turn, self.job.enough);
        let lane = open.min_by_key(|&lane| board.progress(lane, turn(lane.root), leading))?;
        board.standing(lane).workers += 1;
        Some(lane)
    }

    /// Searches a lane for a while, and proves the answer if it is found.
    fn search(&mut self, lane: Lane, watch: &mut Watch<'_>) -> Result<(), Ended> {
        let mut searcher = self.searcher(lane);
        for _ in 0..SLICES {
            let before = searcher.nodes();
            let progressed = searcher.run_sharing(self.meter.slice(), self.meter.sharing());
            let (nodes, numbers) = (searcher.nodes() - before, searcher.numbers());
            let open = {
                let mut board = self.board();
                let open = board.is_open(lane);
                let standing = board.standing(lane);
                standing.nodes += nodes;
                standing.numbers = numbers;
                if open && progressed != Progressed::Paused {
                    standing.stage = LaneState::InProof { yes: matches!(progressed, Progressed::Proved(_)) };
                }
                open
            };
            self.meter.spend(nodes)?;
            self.tell_now_and_then(watch);
            match progressed {
                Progressed::Paused if open => {}
                Progressed::Proved(_) | Progressed::Disproved(_) if open => {
                    drop(searcher);
                    return self.prove(lane, matches!(progressed, Progressed::Proved(_)));
                }
                _ => return Ok(()),
            }
        }
        let mut board = self.board();
        let standing = board.standing(lane);
        if standing.nodes < standing.renewal {
            standing.idle.push(searcher);
            return Ok(());
        }
        let most = (standing.nodes / SURVEY_SHARE).min(SURVEY_MOST);
        standing.renewal = 2 * standing.nodes;
        standing.idle.clear();
        drop(board);
        self.survey(lane, most as usize)
    }

    /// Answers a lane by listing everything reachable, if that is at most `most` positions.
    fn survey(&mut self, lane: Lane, most: usize) -> Result<(), Ended> {
        let (world, question) = (self.job.world, Question { prover: lane.prover });
        let (position, crowded) = (&self.job.roots[lane.root], Cell::default());
        let room = self.room(&crowded);
        let found = region::decide(world, question, position, most, &mut self.meter, room)?;
        let Some(strategy) = found else { return Ok(()) };
        let mut board = self.board();
        if !board.is_open(lane) {
            return Ok(());
        }
        board.standing(lane).stage = LaneState::InProof { yes: strategy.kind == Guarantee::Win };
        drop(board);
        let replayed = self.replayed(strategy, &crowded);
        self.settle(lane, replayed)
    }

    /// An idle search of the lane, or a new one.
    fn searcher(&self, lane: Lane) -> QuestionSearch<'a, G, O, H> {
        let idle = self.board().standing(lane).idle.pop();
        idle.unwrap_or_else(|| {
            let (world, table) = (self.job.world, self.shared.table);
            let company = self.job.settings.threads > 1;
            let mut searcher =
                QuestionSearch::new(world, table, Question { prover: lane.prover }).in_company(company);
            searcher.start(&self.job.roots[lane.root]);
            searcher
        })
    }

    fn tell_now_and_then(&mut self, watch: &mut Watch<'_>) {
        if self.told.0.elapsed() >= WATCH_EVERY || self.board().bounds() != self.told.1 {
            self.tell(watch);
        }
    }

    fn tell(&mut self, watch: &mut Watch<'_>) {
        let bounds = self.board().bounds();
        watch(self.shared.account.nodes(), &bounds);
        self.told = (Instant::now(), bounds);
    }
}
