//! Which thread replays the proof that a worker traces.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;

use marquis_core::{Bounds, Game, Outcome, Over, Player, Reason, Value};
use web_time::Instant;

use super::*;
use crate::limits::Account;
use crate::pool::ProofPool;
use crate::table::QuestionTable;
use crate::{NoHeuristic, NoOracle, SearchLimits, Settings};

/// Two moves after which the first player has won, and the threads that asked whether the game is over before them.
#[derive(Clone, Debug, Default)]
struct Line(Arc<Mutex<Vec<ThreadId>>>);

impl Game for Line {
    type Position = u8;
    type Move = ();

    fn turn(&self, &moves: &u8) -> Player {
        Player::BOTH[usize::from(moves % 2)]
    }

    fn over(&self, &moves: &u8) -> Option<Over> {
        if moves == 0 {
            self.0.lock().unwrap().push(std::thread::current().id());
        }
        (moves == 2).then_some(Over { reason: Reason::Line, outcome: Outcome::Winner(Player::First) })
    }

    fn moves(&self, _: &u8, out: &mut Vec<()>) {
        out.push(());
    }

    fn play(&self, moves: &u8, (): ()) -> u8 {
        moves + 1
    }
}

impl Hashed for Line {
    fn key(&self, moves: &u8) -> u64 {
        u64::from(*moves).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// A search in which the win from the first root is about to be proved.
#[derive(Clone, Copy, Debug)]
struct Setting<'a> {
    threads: usize,
    /// The number of roots; all are undecided.
    roots: usize,
    /// Whether one win is enough.
    one_is_enough: bool,
    /// Wins from other roots that are being proved, too.
    proving: usize,
    proof_bytes: usize,
    disk: Option<&'a Disk>,
}

const ONE_ROOT: Setting<'_> =
    Setting { threads: 2, roots: 1, one_is_enough: false, proving: 0, proof_bytes: 1 << 24, disk: None };

/// The strategy, and the threads that traced and replayed it.
fn proved(setting: Setting<'_>) -> (Result<Option<Strategy<Line>>, Ended>, Vec<ThreadId>) {
    let Setting { threads, roots, one_is_enough, proving, proof_bytes, disk } = setting;
    let game = Line::default();
    let world = World { game: &game, oracle: &NoOracle, heuristic: &NoHeuristic };
    let enough = |bounds: &[Bounds]| one_is_enough && bounds.contains(&Bounds::exact(Value::Win));
    let settings = Settings { table_bytes: 1 << 14, proof_bytes, threads };
    let table = QuestionTable::with_bytes(settings.table_bytes);
    let limits = SearchLimits::default();
    let roots = vec![0; roots];
    let settled: Vec<AtomicBool> = roots.iter().map(|_| AtomicBool::default()).collect();
    let board = Mutex::new(SharedSearch::new(roots.len()));
    let job = SearchJob { world, table: &table, roots, enough: &enough, limits, settings, disk };
    let (account, pool) = (Account::default(), ProofPool::new(proof_bytes));
    let shared = TableSearch {
        account: &account,
        pool: &pool,
        board: &board,
        settled: &settled,
        begun: Instant::now(),
        table: &table,
        until: None,
    };
    for root in 0..=proving {
        let lane = Lane { root, prover: Player::First };
        shared.board().standing(lane).stage = LaneState::InProof { yes: true };
    }
    let lane = Lane { root: 0, prover: Player::First };
    let strategy = LaneWorker::new(&job, &shared).strategy(lane, true, &Cell::default());
    let asked = game.0.lock().unwrap().clone();
    (strategy, asked)
}

/// Whether another thread than that of the trace replays the proof.
fn is_replayed_elsewhere(setting: Setting<'_>) -> bool {
    let (strategy, asked) = proved(setting);
    assert_eq!(strategy.expect("no limit").expect("a win").kind, Guarantee::Win);
    let [trace, replay] = asked[..] else { panic!("trace and replay begin at the root: {asked:?}") };
    trace != replay
}

#[test]
fn a_thread_with_nothing_else_to_find_replays_the_proof_that_another_one_writes() {
    assert!(is_replayed_elsewhere(ONE_ROOT));
    assert!(!is_replayed_elsewhere(Setting { threads: 1, ..ONE_ROOT }), "no other thread");
    let two_roots = Setting { roots: 2, ..ONE_ROOT };
    assert!(!is_replayed_elsewhere(two_roots), "the other root is searched");
    assert!(
        is_replayed_elsewhere(Setting { one_is_enough: true, ..two_roots }),
        "the other root does not matter"
    );
    let both_proved = Setting { proving: 1, ..two_roots };
    assert!(!is_replayed_elsewhere(both_proved), "both threads prove");
    assert!(is_replayed_elsewhere(Setting { threads: 3, ..both_proved }));
}

#[test]
fn a_proof_that_does_not_fit_beside_its_replay_is_traced_again_alone() {
    let disk = Disk::new(std::env::temp_dir(), 64 << 20);
    let little_memory = Setting { proof_bytes: 1 << 10, disk: Some(&disk), ..ONE_ROOT };
    let (strategy, _) = proved(little_memory);
    assert_eq!(strategy.expect("room on the disk").expect("a win").kind, Guarantee::Win);
    assert!(matches!(proved(Setting { disk: None, ..little_memory }).0, Err(Ended::Memory)));
}
