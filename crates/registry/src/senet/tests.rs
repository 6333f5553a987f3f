//! Tables of Senet against the judge, through everything that a user can ask.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use marquis_chance::Between;
use marquis_core::{Chance, ChanceNotation as _, Player, Slept, Throw};
use marquis_games::senet::Senet;
use marquis_games::senet::{self, Layer};

use marquis_engine::chance::{ChanceGame as _, ChanceWork, Checkpoint, LoadedLayer, Solved, write_layer};
use marquis_engine::{
    Answer, BuildQuery, CHECKPOINT_EVERY, ChanceCells, Control, Engine, EngineError, EngineOptions,
    FileError, Game, GameId, Limits, Progress, Proof, Query, Registry, causes, generate,
};

use super::bundle::{ESTIMATE_SHARE, Ground, Solving};
use super::solving::{Bundle, Edges, Sides, layouts};
use super::{
    Adapter, Chooser, Decisions, SenetChances, Session, decisions_anywhere, decisions_in_games, facts,
    simulate, worth,
};

const SENET: GameId = Adapter::ID;

fn registry() -> Registry {
    Registry::new([Game::chance::<Adapter>()])
}

/// A folder that is gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("marquis-senet-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Self(folder)
    }

    fn engine(&self) -> Engine {
        let options = EngineOptions { tables: vec![self.0.clone()], ..EngineOptions::default() };
        let (engine, problems) = Engine::open(registry(), options).expect("the folder can be read");
        assert!(problems.is_empty(), "{problems:?}");
        engine
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn build(pieces: &str, out: &Path, control: &Control<'_>) -> Result<usize, EngineError> {
    let query = BuildQuery { pieces: Some(pieces.to_owned()), ..BuildQuery::new(SENET) };
    generate(&registry(), &query, out, CHECKPOINT_EVERY, &Limits::default(), control)
        .map(|report| report.tables.len())
}

/// Every state that can be reached from a position has the chance that the judge gives it; the result is how many
/// of them are of the position's own layer.
fn agrees_with_the_judge(folder: &Folder, root: &str) -> usize {
    let root = senet::parse(root).expect(root).1;
    let stop = AtomicBool::new(false);
    let limits = marquis_chance::IterationLimits {
        states: usize::MAX,
        deadline: None,
        slept: Slept::never(),
        stop: &stop,
        gap: 1e-11,
    };
    let solved = marquis_chance::solve(&Senet, &root, &limits, &mut |_| {}).expect("no limit");
    let engine = folder.engine();
    let look_up = |position: &senet::Position| {
        let query = Query::new(SENET, Senet.position_text(position));
        let Answer::Chance(answer) = engine.probe_value(&query).expect("readable") else {
            panic!("no chance")
        };
        assert_eq!(answer.proof, Proof::Table);
        let (chance, error) = (answer.chance.expect("in a table"), answer.error.expect("in a table"));
        Between { lower: chance - error, upper: chance + error }
    };
    let mut own = HashSet::new();
    for (position, expected) in solved.iter().filter(|(position, _)| Senet.over(position).is_none()) {
        let found = look_up(position);
        assert!(found.gap() <= 2.1e-9, "{}: {found:?}", Senet.position_text(position));
        let meet = found.lower <= expected.upper && expected.lower <= found.upper;
        assert!(meet, "{}: expected {expected:?}, found {found:?}", Senet.position_text(position));
        if Layer::of(position) == Layer::of(&root) {
            own.insert(*position);
        }
    }
    own.len()
}

#[test]
fn every_state_with_two_pieces_each_and_below_is_as_the_judge_says() {
    let folder = Folder::new("two");
    assert_eq!(build("2v2", &folder.0, &Control::none()).expect("built"), 4);
    let reached = agrees_with_the_judge(&folder, "wbwb6/10/10 b");
    assert_eq!(reached as u64, Layer { mover: 2, opponent: 2 }.slots(), "all states are reached");

    let engine = folder.engine();
    let ask = |throw| {
        let query = Query { throw, ..Query::new(SENET, "wbwb6/10/10 b") };
        let Answer::Chance(answer) = engine.probe(&query).expect("known") else { panic!("not a chance") };
        answer
    };
    let answer = ask(None);
    // "Check numbers" in `games/src/senet/rules.md`.
    assert!((answer.chance.expect("known") - 0.510_330_640).abs() < 1e-9);
    assert!(answer.error.is_some_and(|error| error <= 1e-9) && answer.proof == Proof::Table);
    let throws = &answer.throws;
    let mean: f64 = throws.iter().map(|throw| f64::from(throw.weight) / 16.0 * throw.chance.unwrap()).sum();
    assert!((mean - answer.chance.unwrap()).abs() < 2e-9);
    assert_eq!(ask(Some(4)).chance, throws[3].chance);
    for throw in [None, Some(4)] {
        let mut expected = ask(throw);
        assert!(expected.throws.iter().all(|throw| !throw.moves.is_empty()));
        expected.throws.iter_mut().for_each(|throw| throw.moves.clear());
        let query = Query { throw, ..Query::new(SENET, "wbwb6/10/10 b") };
        assert_eq!(engine.probe_value(&query).expect("known"), Answer::Chance(expected));
    }

    let verified = engine.verify(&folder.0, None, &Limits::default(), &Control::none()).expect("verified");
    assert!(verified.faults.is_empty(), "{:?}", verified.faults);
    assert_eq!(verified.entries, 756 + 2 * 28 * 351 + 378 * 325);
}

#[test]
fn every_state_with_three_pieces_against_one_is_as_the_judge_says() {
    let folder = Folder::new("three");
    assert_eq!(build("3v1", &folder.0, &Control::none()).expect("built"), 5);
    assert!(agrees_with_the_judge(&folder, "bwbb6/10/10 b") > 50_000);
}

#[test]
fn a_build_that_was_stopped_goes_on_where_it_was() {
    let folder = Folder::new("stopped");
    let (stop, sweeps) = (AtomicBool::new(false), AtomicU32::new(0));
    let count = |limit: u32, progress: &Progress| {
        if progress.phase.contains("2v2, sweep") && sweeps.fetch_add(1, Relaxed) + 1 == limit {
            stop.store(true, Relaxed);
        }
    };
    let control = Control::new(&stop, |progress| count(30, progress));
    assert!(matches!(build("2v2", &folder.0, &control), Err(EngineError::Interrupted)));
    let kept = || {
        let files = std::fs::read_dir(folder.0.join("senet")).expect("listed").flatten();
        files.filter(|file| file.path().to_string_lossy().ends_with(".checkpoint")).count()
    };
    assert!(kept() > 0);
    stop.store(false, Relaxed);
    let before = sweeps.load(Relaxed);
    let control = Control::new(&stop, |progress| count(u32::MAX, progress));
    assert_eq!(build("2v2", &folder.0, &control).expect("built"), 4);
    assert_eq!(kept(), 0);

    let resumed = sweeps.load(Relaxed) - before;
    let fresh = Folder::new("fresh");
    build("2v2", &fresh.0, &control).expect("built");
    let whole = sweeps.load(Relaxed) - before - resumed;
    assert!(resumed + 10 < whole, "{resumed} sweeps after 30, and {whole} in one go");
    assert_eq!(agrees_with_the_judge(&folder, "wbwb6/10/10 b"), 122_850);
}

/// Counts how often somebody begins to bring bounds together.
fn count_attempts(what: &str, begun: &AtomicU32) {
    if what.contains("sweep 1 of the bounds") {
        begun.fetch_add(1, Relaxed);
    }
}

/// What one piece each is solved with.
fn with_work<T>(
    folder: &Folder,
    tell: &(dyn Fn(&str) + Sync),
    solve: impl FnOnce(&ChanceWork<'_, Layer>) -> T,
) -> T {
    std::fs::create_dir_all(folder.0.join(super::GAME)).expect("made");
    let (below, control) = (|_| unreachable!("nothing is below"), Control::none());
    solve(&ChanceWork {
        below: &below,
        checkpoint: &Checkpoint::new(&folder.0.join(super::GAME), "1v1", CHECKPOINT_EVERY),
        room: u64::MAX,
        deadline: None,
        control: &control,
        tell,
        write: &|layer, solved| write_layer::<Adapter>(&folder.0, &Senet, layer, solved),
        name: "1v1",
    })
}

#[test]
fn estimates_lead_to_bounds_at_the_first_attempt() {
    let folder = Folder::new("attempts");
    let (stop, begun) = (AtomicBool::new(false), AtomicU32::new(0));
    let control = Control::new(&stop, |progress: &Progress| count_attempts(&progress.phase, &begun));
    build("2v2", &folder.0, &control).expect("built");
    assert_eq!(begun.load(Relaxed), 3, "one for 1v1, one for 2v1 with its swap, one for 2v2");
}

/// Solves one piece each into a folder; the result is how often somebody began to bring bounds together.
fn attempts_at_one_each(folder: &Folder, goal: f64, share: f64) -> u32 {
    let begun = AtomicU32::new(0);
    let bundle = Bundle { layer: Layer { mover: 1, opponent: 1 } };
    let (sides, edges) = (Sides::new(1), Edges::new());
    let layouts = layouts(&sides, bundle);
    with_work(folder, &|what| count_attempts(what, &begun), |work| {
        let session = Session { work, sides: &sides };
        let (order, ground) = (bundle.order(), Ground::Memory);
        let solving = Solving {
            session: &session,
            bundle,
            goal,
            share,
            layouts: &layouts,
            edges: &edges,
            order,
            ground,
        };
        solving.run().expect("solved");
    });
    begun.load(Relaxed)
}

#[test]
fn bounds_are_found_without_guesses_where_these_never_prove_themselves() {
    let folder = Folder::new("without");
    // No room for a guess: it would have to fall below itself.
    let attempts = attempts_at_one_each(&folder, 0.0, ESTIMATE_SHARE);
    assert_eq!(attempts, 4, "three guesses, and then bounds from 0 and 1");
    assert_eq!(agrees_with_the_judge(&folder, "wb8/10/10 b"), 756);
    let report = folder.engine().verify(&folder.0, None, &Limits::default(), &Control::none());
    assert_eq!(report.expect("verified").proved.len(), 1);
}

#[test]
fn estimates_that_are_not_good_enough_are_given_up_and_bounds_are_found_all_the_same() {
    let folder = Folder::new("poor");
    // The estimates may be off by a thousand times what the bounds around them leave room for, and then by less.
    assert_eq!(attempts_at_one_each(&folder, 1e-12, 1e3), 4, "three guesses, and then bounds from 0 and 1");
    assert_eq!(agrees_with_the_judge(&folder, "wb8/10/10 b"), 756);
}

#[test]
fn a_wrong_entry_is_a_fault() {
    let folder = Folder::new("wrong");
    build("1v1", &folder.0, &Control::none()).expect("built");
    let layer = Layer { mover: 1, opponent: 1 };
    let half = LoadedLayer::<Layer>::CERTAIN / 2;
    let solved = Solved { bounds: &|_| [half, half], parts: 1, gap: 1e-9 };
    with_work(&folder, &|_| {}, |work| work.write(layer, &solved)).expect("written");
    let verified =
        folder.engine().verify(&folder.0, None, &Limits::default(), &Control::none()).expect("verified");
    assert!(!verified.faults.is_empty());
}

#[test]
fn games_by_the_tables_are_won_as_often_as_the_tables_say() {
    let folder = Folder::new("games");
    build("2v2", &folder.0, &Control::none()).expect("built");
    let chances = SenetChances::read(&registry(), &folder.0, 2).expect("read");
    for text in ["wbwb6/10/10 b", "10/10/3w1b1wb1 b", "9w/10/bw2b5 w"] {
        let (_, start) = senet::parse(text).expect(text);
        let tally = simulate(&chances, &start, 20_000, 1);
        let chance = chances.of(start.turn(), &start);
        let off = (tally.frequency() - chance) / tally.standard_error(chance);
        assert!(tally.games == 20_000 && off.abs() <= 4.0, "{text}: {chance}, {tally:?}");
    }
}

#[test]
fn the_throws_of_a_position_are_worth_nothing_on_average() {
    let folder = Folder::new("worth");
    build("2v2", &folder.0, &Control::none()).expect("built");
    let chances = SenetChances::read(&registry(), &folder.0, 2).expect("read");
    let (_, start) = senet::parse("wbwb6/10/10 b").expect("a position");
    let found = facts(&chances, &start, 2000, 20, 1);
    for worth in [worth(&chances, &start), found.random, found.played] {
        let mean: f64 = worth
            .iter()
            .zip(senet::THROWS)
            .map(|(worth, throw)| worth * f64::from(throw.weight) / 16.0)
            .sum();
        assert!(mean.abs() < 1e-8, "{worth:?}");
    }
    assert!(found.falls.throws > found.falls.forced + found.falls.right && found.falls.cost > 0.0);
}

/// Somebody who knows the tables, and makes the best move or the worst.
struct Knows<'a> {
    chances: &'a SenetChances,
    worst: bool,
}

impl Chooser for Knows<'_> {
    fn choose(&self, position: &senet::Position, throw: Throw) -> senet::Move {
        let moves = self.chances.moves(position, throw);
        moves[if self.worst { moves.len() - 1 } else { 0 }].0
    }

    fn chance(&self, position: &senet::Position) -> f64 {
        self.chances.of(position.turn(), position) + if self.worst { 0.25 } else { 0.0 }
    }
}

#[test]
fn nothing_is_lost_by_the_best_moves_and_by_the_worst_what_they_lose_in_the_mean() {
    let folder = Folder::new("decisions");
    build("2v2", &folder.0, &Control::none()).expect("built");
    let chances = SenetChances::read(&registry(), &folder.0, 2).expect("read");
    let layer = Layer::new(2, 1).expect("a layer");
    let (_, start) = senet::parse("wbwb6/10/10 b").expect("a position");
    let all = |worst| -> [Decisions; 2] {
        let chooser = Knows { chances: &chances, worst };
        [
            decisions_anywhere(&chances, &chooser, layer, 40_000, 1),
            decisions_in_games(&chances, &chooser, &start, 100, 1),
        ]
    };
    for found in all(false) {
        assert_eq!((found.worse, found.lost_each(), found.off()), (0, 0.0, 0.0), "{found:?}");
        assert!(found.number > 1000, "{found:?}");
    }
    let (mut lost, mut number) = (0.0, 0_u32);
    for slot in 0..layer.slots() {
        let position = layer.position(marquis_core::Slot(slot));
        for throw in senet::THROWS {
            if let [(_, best), .., (_, worst)] = chances.moves(&position, throw)[..] {
                (lost, number) = (lost + best - worst, number + 1);
            }
        }
    }
    let expected = lost / f64::from(number);
    for found in all(true) {
        assert!((found.off() - 0.25).abs() < 1e-9 && found.worse > 1000, "{found:?}");
        assert!(found.lost_each() > 0.0, "{found:?}");
    }
    let found = all(true)[0].lost_each();
    assert!((found / expected - 1.0).abs() < 0.03, "{found} of {expected}");
}

#[test]
fn two_bytes_hold_the_same_chances_within_their_error() {
    let (folder, wide) = (Folder::new("short"), Folder::new("wide"));
    let short = BuildQuery {
        pieces: Some("2v1".to_owned()),
        chances: ChanceCells::TwoBytes,
        ..BuildQuery::new(SENET)
    };
    let run = |query: &BuildQuery| {
        generate(&registry(), query, &folder.0, CHECKPOINT_EVERY, &Limits::default(), &Control::none())
            .expect("built")
    };
    assert_eq!(run(&short).kept, 0);
    assert_eq!(run(&short).kept, 3, "what is there is kept");
    build("2v1", &wide.0, &Control::none()).expect("built");
    let read = |folder: &Folder| {
        SenetChances::read_layers(&registry(), &folder.0, &layers_below(2, 1)).expect("read")
    };
    let (found, expected) = (read(&folder), read(&wide));
    assert!(found.error() <= 1e-5 && found.error() > 5e-6 && expected.error() < 1e-9);
    for layer in layers_below(2, 1) {
        for slot in 0..layer.slots() {
            let position = layer.position(marquis_core::Slot(slot));
            let of = |chances: &SenetChances| chances.of(Player::First, &position);
            assert!(
                (of(&found) - of(&expected)).abs() <= found.error(),
                "{}",
                Senet.position_text(&position)
            );
        }
    }
    let verify = || folder.engine().verify(&folder.0, None, &Limits::default(), &Control::none());
    assert!(verify().expect("verified").faults.is_empty());

    // Larger layers are not built on rounded ones.
    build("2v2", &folder.0, &Control::none()).expect("built");
    let (_, start) = senet::parse("wbwb6/10/10 b").expect("a position");
    let chance = SenetChances::read(&registry(), &folder.0, 2).expect("read").of(Player::First, &start);
    assert!((chance - 0.510_330_640).abs() < 1e-9);
    assert!(verify().expect("verified").faults.is_empty());
}

fn layers_below(mover: u8, opponent: u8) -> Vec<Layer> {
    let all = (1..=mover).flat_map(|mover| (1..=opponent).map(move |opponent| Layer { mover, opponent }));
    let swapped = |layer: Layer| Layer { mover: layer.opponent, opponent: layer.mover };
    let mut layers: Vec<Layer> = all.flat_map(|layer| [layer, swapped(layer)]).collect();
    layers.sort_by_key(|layer| (layer.mover, layer.opponent));
    layers.dedup();
    layers
}

#[test]
fn what_senet_has_no_tables_of_is_bad_input() {
    for bad in ["6v1", "0v1", "3", "3v", "v", "03v3"] {
        let built = build(bad, Path::new("nowhere"), &Control::none());
        assert!(matches!(built, Err(EngineError::BadInput(_))), "{bad}");
    }
    let query = BuildQuery { side: Some(3), ..BuildQuery::new(SENET) };
    assert!(matches!(
        marquis_engine::plan(&registry(), &query, Path::new("nowhere")),
        Err(EngineError::BadInput(_))
    ));
    let query = BuildQuery { pieces: Some("5v5".to_owned()), ..BuildQuery::new(SENET) };
    let plan = marquis_engine::plan(&registry(), &query, Path::new("nowhere")).expect("planned");
    assert_eq!(plan.layers.len(), 25);
    let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
    let built =
        generate(&registry(), &query, Path::new("nowhere"), CHECKPOINT_EVERY, &limits, &Control::none());
    assert!(matches!(built, Err(EngineError::TooLarge { .. })));
}

/// Every table of a folder: its name and its bytes.
fn tables(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let files = std::fs::read_dir(folder.0.join("senet")).expect("listed").flatten();
    let tables = files.filter(|file| file.path().extension().is_some_and(|extension| extension == "mqt"));
    let mut tables: Vec<_> = tables
        .map(|file| {
            (file.file_name().to_string_lossy().into_owned(), std::fs::read(file.path()).expect("read"))
        })
        .collect();
    tables.sort();
    tables
}

/// Whether two folders have the same tables; in words which of them differ.
fn assert_same(found: &Folder, expected: &Folder, how: &str) {
    let (found, expected) = (tables(found), tables(expected));
    assert_eq!(found.len(), expected.len(), "{how}");
    let differ: Vec<&String> =
        found.iter().zip(&expected).filter(|(a, b)| a != b).map(|((name, _), _)| name).collect();
    assert!(differ.is_empty(), "{how}: {differ:?}");
}

#[test]
fn tables_are_the_same_bytes_by_any_way_there() {
    let whole = Folder::new("whole");
    build("2v2", &whole.0, &Control::none()).expect("built");

    let turns = Folder::new("turns");
    for pieces in ["1v1", "2v1", "2v2"] {
        build(pieces, &turns.0, &Control::none()).expect("built");
    }
    assert_same(&turns, &whole, "one after the other");

    let one = Folder::new("one-thread");
    let query = BuildQuery { pieces: Some("2v2".to_owned()), ..BuildQuery::new(SENET) };
    let limits = Limits { threads: Some(1), ..Limits::default() };
    generate(&registry(), &query, &one.0, CHECKPOINT_EVERY, &limits, &Control::none()).expect("built");
    assert_same(&one, &whole, "one thread");

    // Stopped after every so many sweeps, of estimates and of bounds, until it is done.
    for (every, checkpoint_every) in [(1, Duration::ZERO), (7, CHECKPOINT_EVERY), (23, CHECKPOINT_EVERY)] {
        let cut = Folder::new(&format!("cut-{every}"));
        let stop = AtomicBool::new(false);
        let mut runs = 0;
        loop {
            stop.store(false, Relaxed);
            let sweeps = AtomicU32::new(0);
            let control = Control::new(&stop, |progress: &Progress| {
                let enough = every + if progress.phase.contains("of the bounds") { 40 } else { 0 };
                if progress.phase.contains("sweep") && sweeps.fetch_add(1, Relaxed) + 1 >= enough {
                    stop.store(true, Relaxed);
                }
            });
            runs += 1;
            match generate(&registry(), &query, &cut.0, checkpoint_every, &Limits::default(), &control) {
                Ok(_) => break,
                Err(EngineError::Interrupted) => assert!(runs < 1000, "it never ends"),
                Err(other) => panic!("{other}"),
            }
        }
        assert!(runs > 3, "{runs}");
        assert_same(&cut, &whole, &format!("stopped {runs} times, every {every} sweeps"));
    }
}

/// Writes a table again with other chances, sealed as it should be.
///
/// * `bounds_stay`: whether the bounds of the certificate stay where they were, or go with the chances.
fn forge(folder: &Folder, layer: Layer, chance: &dyn Fn(usize) -> f64, bounds_stay: bool) {
    let path = folder.0.join(format!("senet/{}.mqt", super::layer_name(layer)));
    let cache = std::sync::Arc::new(marquis_table::BlockCache::new(0));
    let table = marquis_table::file::open(&path, &cache).expect("opened");
    let header = table.header().clone();
    let read = |name: &str| table.all_cells(table.stream(name).expect(name)).expect("read");
    let (chances, above, below) = (read("chance"), read("above"), read("below"));
    drop(table);
    let parts: i64 = header.notes["parts"].parse().expect("a number");
    let units: Vec<u32> =
        (0..header.slots as usize).map(|slot| (chance(slot) * f64::from(u32::MAX)).round() as u32).collect();
    let moved = |at: usize| {
        let before = u32::from_le_bytes(chances[4 * at..4 * at + 4].try_into().expect("four bytes"));
        i64::from(units[at]) - i64::from(before)
    };
    let cells = |first: u64, out: &mut [u8]| {
        for (at, cell) in (first as usize..).zip(out.chunks_exact_mut(4)) {
            cell.copy_from_slice(&units[at].to_le_bytes());
        }
    };
    let certificate = |of: &[u8], sign: i64, first: u64, out: &mut [u8]| {
        for (at, cell) in (first as usize..).zip(out.chunks_exact_mut(2)) {
            let before = i64::from(u16::from_le_bytes([of[2 * at], of[2 * at + 1]]));
            let stays = if bounds_stay { sign * moved(at) * parts } else { 0 };
            cell.copy_from_slice(&((before + stays).clamp(0, u16::MAX.into()) as u16).to_le_bytes());
        }
    };
    let above = |first: u64, out: &mut [u8]| certificate(&above, -1, first, out);
    let below = |first: u64, out: &mut [u8]| certificate(&below, 1, first, out);
    let (identity, slots) = (header.identity.clone(), header.slots);
    let (counts, notes) = (header.counts.clone(), header.notes.clone());
    let plan = marquis_table::LayerPlan { identity, slots, counts, notes };
    let stream = marquis_table::StreamPlan::new;
    let streams = [
        stream("chance", marquis_table::Width::Four, &cells),
        stream("above", marquis_table::Width::Two, &above),
        stream("below", marquis_table::Width::Two, &below),
    ];
    marquis_table::file::create(&path, &plan, &streams, &|_| {}).expect("written");
}

/// The layers of two pieces against one and of one against two.
const UNEQUAL: [Layer; 2] = [Layer { mover: 2, opponent: 1 }, Layer { mover: 1, opponent: 2 }];

/// Chances of both layers by which every throw is worth so much more to the player with two pieces than it is: one step
/// is wrong by no more, and all of them together by the result.
fn favoured(honest: &SenetChances, each: f64) -> ([Vec<f64>; 2], f64) {
    let truth = UNEQUAL.map(|layer| {
        let of = |slot| honest.of(Player::First, &layer.position(marquis_core::Slot(slot)));
        (0..layer.slots()).map(of).collect::<Vec<f64>>()
    });
    let mut chances = truth.clone();
    for _ in 0..150 {
        for (number, layer) in UNEQUAL.into_iter().enumerate() {
            for slot in 0..layer.slots() {
                let position = layer.position(marquis_core::Slot(slot));
                let of = |after: &senet::Position| {
                    let own = Layer::of(after).and_then(|own| UNEQUAL.iter().position(|&layer| layer == own));
                    let Some(own) = own else { return honest.of(Player::First, after) };
                    let chance = chances[own][UNEQUAL[own].slot(after).0 as usize];
                    if after.turn() == Player::First { chance } else { 1.0 - chance }
                };
                let mut moves = Vec::new();
                let mut mean = 0.0;
                for &throw in Senet.throws() {
                    moves.clear();
                    Senet.moves(&position, throw, &mut moves);
                    let best = moves.iter().map(|&mv| of(&Senet.play(&position, throw, mv)));
                    mean += f64::from(throw.weight) / 16.0 * best.fold(0.0, f64::max);
                }
                let favour = if number == 0 { each } else { -each };
                chances[number][slot as usize] = (mean + favour).clamp(0.0, 1.0);
            }
        }
    }
    let pairs = chances.iter().flatten().zip(truth.iter().flatten());
    let off = pairs.map(|(found, truth)| (found - truth).abs()).fold(0.0, f64::max);
    (chances, off)
}

#[test]
fn a_stated_error_that_is_false_is_found_and_a_true_one_is_proved() {
    let honest = Folder::new("honest");
    build("2v1", &honest.0, &Control::none()).expect("built");
    let engine = Engine::open(registry(), EngineOptions::default()).expect("opened").0;
    let verify = |folder: &Folder| {
        engine.verify(&folder.0, None, &Limits::default(), &Control::none()).expect("verified")
    };
    let report = verify(&honest);
    assert!(report.faults.is_empty() && report.unproved.is_empty(), "{report:?}");
    assert_eq!(report.proved.len(), 3, "{report:?}");
    let chances = SenetChances::read_layers(&registry(), &honest.0, &layers_below(2, 1));
    let chances = chances.expect("read");
    let error = chances.error();
    let (_, off) = favoured(&chances, error / 4.0);
    for times in [1.1, 1.5, 2.0, 5.0, 10.0, 100.0] {
        // The table is off by the error at most before it is forged.
        let each = error / 4.0 * (times + 1.0) * error / off * 1.1;
        let (forged_chances, found) = favoured(&chances, each);
        assert!(found >= times * error + error, "{times}: {found}");
        for bounds_stay in [false, true] {
            let forged = Folder::new("forged");
            std::fs::create_dir_all(forged.0.join("senet")).expect("made");
            for (name, bytes) in tables(&honest) {
                std::fs::write(forged.0.join("senet").join(name), bytes).expect("written");
            }
            for (layer, of) in UNEQUAL.into_iter().zip(&forged_chances) {
                forge(&forged, layer, &|slot| of[slot], bounds_stay);
            }
            let report = verify(&forged);
            assert!(!report.faults.is_empty(), "{times} times the error, bounds stay: {bounds_stay}");
            assert_eq!(report.proved.len(), 1, "one piece each alone: {:?}", report.proved);
        }
    }
}

#[test]
fn a_table_without_a_certificate_is_said_not_to_be_proved() {
    let folder = Folder::new("uncertified");
    let query = BuildQuery {
        pieces: Some("1v1".to_owned()),
        chances: ChanceCells::TwoBytes,
        ..BuildQuery::new(SENET)
    };
    generate(&registry(), &query, &folder.0, CHECKPOINT_EVERY, &Limits::default(), &Control::none())
        .expect("built");
    let report = folder.engine().verify(&folder.0, None, &Limits::default(), &Control::none());
    let report = report.expect("verified");
    assert!(report.faults.is_empty() && report.proved.is_empty());
    assert!(report.unproved.len() == 1 && report.unproved[0].contains("is not proved"), "{report:?}");
}

#[test]
fn a_damaged_block_is_neither_kept_nor_listed() {
    let folder = Folder::new("damaged");
    build("1v1", &folder.0, &Control::none()).expect("built");
    let sums = std::fs::read(folder.0.join("B3SUMS")).expect("listed");
    let path = folder.0.join("senet/1v1.mqt");
    let mut bytes = std::fs::read(&path).expect("read");
    bytes[100] ^= 1;
    std::fs::write(&path, &bytes).expect("written");
    let Err(EngineError::File(error)) = build("1v1", &folder.0, &Control::none()) else {
        panic!("a damaged table was kept")
    };
    assert_eq!(error.path(), path);
    let FileError::Unsound { source: marquis_table::Error::Damaged { place, .. } } = &error else {
        panic!("{error:?}")
    };
    assert!(place.contains("block 0"), "{place}");
    let told = causes(&error).to_string();
    assert!(told.contains("block 0") && told.contains("remove the file and build again"), "{told}");
    assert_eq!(std::fs::read(folder.0.join("B3SUMS")).expect("listed"), sums);
    std::fs::remove_file(&path).expect("removed");
    build("1v1", &folder.0, &Control::none()).expect("built again");
    assert_eq!(std::fs::read(folder.0.join("B3SUMS")).expect("listed"), sums);
}
