//! The search against known values: `agreement whole`, `agreement tables DIR GAME ROOT COUNT`.
//!
//! `whole` solves small games exhaustively and searches every position of them. `tables` plays random games from ROOT
//! and searches every position on the way until there are COUNT, and compares each with the tables in DIR, which come
//! from `marquis generate GAME --from ROOT --out DIR`. Both alternate between tables of 1, 4 and 64 MiB, so that some
//! overflow. The output is one line per game; any error ends the run with a panic that names the position.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

use marquis_core::{Bounds, Game, Hashed, Notation as _, Value};
use marquis_core::{GameId, Playable};
use marquis_engine::{Engine, EngineOptions, Query};
use marquis_games::beads::{BeadGame, Capture, Immobile, Leap, Position, Sandwich};
use marquis_games::{Flowish, Squish};
use marquis_proof::{Heuristic, NoHeuristic, NoOracle, ProofSearch, SearchLimits, Settings};
use marquis_registry::official;
use marquis_retro::exhaustive;
use marquis_tests::draw::Draw;
use marquis_tests::sense::Sense;
use marquis_wire::answer::Answer;
use rayon::prelude::*;

const TABLE_BYTES: [usize; 3] = [1 << 20, 1 << 22, 1 << 26];
/// The nodes of a search. It may stay undecided, but its claims must be true.
const NODES: u64 = 400;
/// One in `PATIENT` positions gets `PATIENT_NODES`, so that tables fill up and long cycles occur.
const PATIENT: usize = 16;
const PATIENT_NODES: u64 = 10_000;
/// The number of positions per search object.
const BATCH: usize = 20_000;

#[derive(Default)]
struct Tally {
    positions: AtomicUsize,
    decided: AtomicUsize,
    draws: AtomicUsize,
    nodes: AtomicU64,
}

impl Tally {
    fn add(&self, truth: Value, bounds: Bounds, nodes: u64) {
        self.positions.fetch_add(1, Relaxed);
        self.decided.fetch_add(usize::from(bounds.value().is_some()), Relaxed);
        self.draws.fetch_add(usize::from(truth == Value::Draw), Relaxed);
        self.nodes.fetch_add(nodes, Relaxed);
    }

    fn print(&self, what: &str) {
        let [positions, decided, draws] =
            [&self.positions, &self.decided, &self.draws].map(|n| n.load(Relaxed));
        let nodes = self.nodes.load(Relaxed);
        println!(
            "{what}: {positions} positions ({draws} draws), {decided} decided, {nodes} nodes, none wrong"
        );
    }
}

/// Searches positions whose values are known.
fn check<G: Game + Hashed, H: Heuristic<G>>(
    game: &G,
    sense: &H,
    bytes: usize,
    positions: &[(G::Position, Value)],
    tally: &Tally,
) {
    let search = ProofSearch::with_knowledge(
        game,
        &NoOracle,
        sense,
        Settings { table_bytes: bytes, proof_bytes: 1 << 26, threads: 1 },
    );
    for (number, (position, truth)) in positions.iter().enumerate() {
        let nodes = Some(if number % PATIENT == 0 { PATIENT_NODES } else { NODES });
        let found = search.solve(position, &SearchLimits { nodes, ..SearchLimits::default() }, |_| {});
        let bounds = found.bounds;
        assert!(
            bounds.worst <= *truth && *truth <= bounds.best,
            "{position:?} is a {truth:?}, found {bounds:?}"
        );
        tally.add(*truth, bounds, found.nodes);
    }
}

/// Searches every reachable position.
fn whole<G: Playable + Hashed, H: Heuristic<G>>(game: &G, sense: &H, root: G::Position, text: &str) {
    let never = AtomicBool::new(false);
    let solved = exhaustive::solve(game, root, &marquis_retro::SolveLimits::until(&never), &mut |_| {})
        .expect("there is no limit");
    let mut positions: Vec<_> = solved.iter().map(|(&position, score)| (position, score.value())).collect();
    // Shuffled, because neighbouring positions would answer each other from the table.
    Draw::new(7).shuffle(&mut positions);
    let tally = Tally::default();
    positions.par_chunks(BATCH).enumerate().for_each(|(number, positions)| {
        check(game, sense, TABLE_BYTES[number % TABLE_BYTES.len()], positions, &tally);
    });
    tally.print(&format!("every position of {} {text}", game.id().name()));
}

fn whole_beads<R: Capture>(text: &str)
where
    BeadGame<R>: Playable<Position = Position>,
{
    let (game, root) = BeadGame::<R>::parse(text, Immobile::Loss).expect("a position");
    whole(&game, &Sense(game), root, text);
}

fn all_whole() {
    for text in ["w1w/4/1ooo1/4/b1b w 0-0 2", "b2/2oo/w1o1b/2o1/1w1 w 0-0 3", "1w1/1o2/o2ow/b1o1/1b1 w 0-0 2"]
    {
        whole_beads::<Leap>(text);
        whole_beads::<Sandwich>(text);
    }
    let text = "2w1/5/bb2wb/2w4/b5/5/w3 w";
    let (squish, root) = Squish::parse(text).expect("a position");
    whole(&squish, &NoHeuristic, root, text);
    let text = "b1w/1wb1/wb1wb/1wb1/b1w w";
    let (flowish, root) = Flowish::parse(text).expect("a position");
    whole(&flowish, &NoHeuristic, root, text);
}

/// Searches positions of random games from a root and compares them with tables.
fn against_tables<R: Capture>(directory: &str, id: GameId, root: &str, count: usize)
where
    BeadGame<R>: Playable<Position = Position>,
{
    let options = EngineOptions { tables: vec![directory.into()], ..EngineOptions::default() };
    let (engine, faults) = Engine::open(official(), options).expect("tables");
    assert!(faults.is_empty(), "{faults:?}");
    let (game, start) = BeadGame::<R>::parse(root, Immobile::Loss).expect("a position");
    let tally = Tally::default();
    (0..count.div_ceil(BATCH)).into_par_iter().for_each(|batch| {
        let (mut draw, mut positions) = (Draw::new(batch as u64), Vec::new());
        let mut table = start;
        let mut moves = Vec::new();
        while positions.len() < BATCH {
            moves.clear();
            if game.over(&table).is_none() {
                game.moves(&table, &mut moves);
            }
            if moves.is_empty() || draw.below(40) == 0 {
                table = start;
                continue;
            }
            table = game.play(&table, *draw.pick(&moves));
            let asked = Query::new(id, game.position_text(&table));
            let Ok(Answer::Exact(answer)) = engine.probe_value(&asked) else {
                panic!("no answer: {asked:?}")
            };
            let truth = answer.verdict.value;
            positions.push((table, truth.expect("a table holds every position of the game")));
        }
        check(&game, &Sense(game), TABLE_BYTES[batch % TABLE_BYTES.len()], &positions, &tally);
    });
    tally.print(&format!("random games of {} from {root}", id.name()));
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["whole"] => all_whole(),
        ["tables", directory, "swish", root, count] => {
            against_tables::<Leap>(directory, GameId::new("swish"), root, count.parse().expect("a number"));
        }
        ["tables", directory, "squeeze", root, count] => {
            against_tables::<Sandwich>(
                directory,
                GameId::new("squeeze"),
                root,
                count.parse().expect("a number"),
            );
        }
        _ => eprintln!("expected `whole` or `tables DIR swish|squeeze ROOT COUNT`, found {arguments:?}"),
    }
}
