//! Layers of small boards compared with the exhaustive solver and the sweeping one.

use std::sync::atomic::AtomicBool;
use web_time::Instant;

use marquis_core::{Effort, Game, Indexed, Notation as _, Outcome, Plies, Score, Value};
use marquis_games::squinch::{Checkers, SquinchIndex, parse};
use marquis_retro::layered::solve_bundle_forward;
use marquis_retro::verify::verify_layer;
use marquis_retro::{BundlePlan, Entry, LayerCells, Layers, NoKeeper, SolveLimits, Stopped, exhaustive};

use marquis_engine::game::{LayerSolver as _, Method, Tabled as _, Work};

use super::Squinch;

static NEVER: AtomicBool = AtomicBool::new(false);

/// All layers that play from a position can reach, and more.
fn solved(text: &str) -> (SquinchIndex, Layers<Checkers>) {
    let (game, position) = parse(text).expect(text);
    let layer = SquinchIndex::layer(&position);
    let index = super::index(game, layer.mover.max(layer.opponent)).expect("a small board");
    let mut lower = Layers::default();
    for layer in crate::tests::solved::solved::<Squinch>(&index, [layer], |_| Method::Camps) {
        lower.insert(layer.layer, layer.cells);
    }
    (index, lower)
}

/// Asserts that the tables agree with the exhaustive solver on every reachable position.
///
/// * `unfinished`: the number of reachable positions in which the game is not over.
#[track_caller]
fn check(text: &str, unfinished: usize, plies: Score) {
    let (game, position) = parse(text).expect(text);
    let judge = exhaustive::solve(&game, position, &SolveLimits::until(&NEVER), &mut |_| {}).expect(text);
    let (index, layers) = solved(text);
    let goes_on = judge.iter().filter(|(position, _)| game.over(position).is_none()).count();
    assert_eq!((goes_on, judge.root(), judge.count(Value::Draw)), (unfinished, plies, 0));
    for (position, score) in judge.iter() {
        let (layer, slot) = index.slot(position);
        let found = layers.get(layer).map(|cells| cells.entry(slot));
        assert_eq!(found, Some(Entry::Score(score)), "{}", game.position_text(position));
    }
}

#[test]
fn three_by_three_is_as_the_exhaustive_solver_and_the_rules_page_say() {
    check("w1,w1,w1/3/r1,r1,r1 r", 34_500, Score::Win(Plies(13)));
}

#[test]
fn three_by_four_with_one_rank_each_is_as_the_exhaustive_solver_says() {
    check("w1,w1,w1/3/3/r1,r1,r1 r", 177_464, Score::Win(Plies(17)));
}

#[test]
fn two_by_four_with_two_ranks_each_is_as_the_exhaustive_solver_says() {
    check("w1,w1/w1,w1/r1,r1/r1,r1 r", 104_407, Score::Win(Plies(25)));
}

/// Asserts that whole layers, including unreachable positions and unused indices, equal those of the solver that
/// sweeps over all positions ply by ply and knows no camps.
#[track_caller]
fn check_sweeps(text: &str) {
    let (index, layers) = solved(text);
    let (_, position) = parse(text).expect(text);
    let limits = SolveLimits::until(&NEVER);
    let mut swept = Layers::default();
    for bundle in BundlePlan::new(&index, [SquinchIndex::layer(&position)]).bundles {
        for own in solve_bundle_forward(&index, bundle.layers[0], &swept, &limits, &|_| {}).expect("no limit")
        {
            assert!(layers.get(own.layer) == Some(&own.cells), "{text}: {:?}", own.layer);
            swept.insert(own.layer, own.cells);
        }
    }
}

#[test]
fn whole_layers_are_those_of_the_sweeping_solver() {
    check_sweeps("w2,1/r2,1 r");
    check_sweeps("w4,1/2/1,r4 r");
    check_sweeps("w1,w1,1/3/3/r2,1,r1 r");
    check_sweeps("w2,w1/2/2/2/2/2/2/r1,r2 r");
    check_sweeps("w1,6,w1/8/8/r1,r1,6 r");
}

#[test]
fn passes_are_counted_as_plies() {
    // Red is blocked by a wall that none of his checkers can pass, until White has left it.
    let (game, blocked) = parse("5/1,w1,w1,w1,1/2,r1,2/5 r").unwrap();
    let (index, layers) = solved("5/1,w1,w1,w1,1/2,r1,2/5 r");
    let mut moves = Vec::new();
    game.moves(&blocked, &mut moves);
    assert_eq!(moves, [marquis_games::squinch::Move::Pass]);
    let score = |position| {
        let (layer, slot) = index.slot(position);
        layers.get(layer).and_then(|cells| cells.entry(slot).score()).unwrap()
    };
    assert_eq!(score(&blocked), score(&game.play(&blocked, moves[0])).before_move());
}

#[test]
fn races_are_worth_what_the_tables_say() {
    for (text, races) in [("w1,w1,w1/3/3/r1,r1,r1 r", 4_000), ("w3,1/2/2/2/1,r4 r", 2_000)] {
        let (game, _) = parse(text).unwrap();
        let (index, layers) = solved(text);
        let mut checked = 0;
        for layer in layers.layers() {
            let cells = layers.get(layer).unwrap();
            for slot in (0..cells.len() as u64).map(marquis_core::Slot) {
                let position = index.position(layer, slot).filter(|position| game.is_race(position));
                let Some(position) = position else { continue };
                let found = game.race(&position, &mut Effort::of(u32::MAX));
                assert_eq!(found, cells.entry(slot).score(), "{}", game.position_text(&position));
                checked += 1;
            }
        }
        assert!(checked > races, "{checked} races in {text}");
    }
}

/// Asserts for every position of the layers of a text that a foregone result agrees with the tables, and that the
/// winner needs at least as many moves as he would alone.
///
/// * `least`: more positions than this must be foregone although the sides are in contact.
#[track_caller]
fn check_foregone(text: &str, least: u32) {
    let (game, _) = parse(text).expect(text);
    let (index, layers) = solved(text);
    let mut in_contact = 0;
    for layer in layers.layers() {
        let cells = layers.get(layer).unwrap();
        for slot in (0..cells.len() as u64).map(marquis_core::Slot) {
            let position = index.position(layer, slot).filter(|position| game.over(position).is_none());
            let (Some(position), Some(score)) = (position, cells.entry(slot).score()) else { continue };
            let text = || game.position_text(&position);
            let wins = score.value() == Value::Win;
            let winner = if wins { position.turn() } else { position.turn().opponent() };
            let found = game.foregone(&position);
            assert!(found.is_none_or(|end| end == Outcome::Winner(winner)), "{found:?}: {}", text());
            let alone = game.moves_needed(&position).expect("a small board")[winner].alone;
            let moves = u32::from(score.plies().unwrap().0).div_ceil(2);
            assert!(u32::from(alone) <= moves, "{alone} moves of {moves}: {}", text());
            assert!(found.is_some() || !game.is_race(&position), "an open race: {}", text());
            in_contact += u32::from(found.is_some() && !game.is_race(&position));
        }
    }
    assert!(in_contact > least, "{in_contact} foregone in {text}");
}

#[test]
fn what_is_foregone_is_what_the_tables_say() {
    check_foregone("w1,w1,w1/3/3/r1,r1,r1 r", 5_000);
    check_foregone("w1,w1/w1,w1/r1,r1/r1,r1 r", 1_000);
    check_foregone("w3,1/2/2/2/1,r4 r", 100);
    check_foregone("w1,w1,1,w1/4/4/r2,1,1,r1 r", 5_000);
}

/// The entries of a layer with one entry changed.
fn with_other(cells: &LayerCells, at: usize, code: u8) -> LayerCells {
    let LayerCells::Narrow(cells) = cells else { panic!("short games") };
    let mut cells = cells.clone();
    cells[at] = code;
    LayerCells::Narrow(cells)
}

#[test]
fn the_verifier_finds_every_single_changed_entry() {
    let (index, layers) = solved("w1,w1/2/r1,r1 r");
    for layer in layers.layers() {
        let cells = layers.get(layer).unwrap();
        let faults = |changed: LayerCells| {
            let mut changed_layers = layers.clone();
            changed_layers.insert(layer, changed);
            let verified =
                verify_layer(&index, layer, &changed_layers, 1, &SolveLimits::until(&NEVER), &|_| {});
            verified.unwrap().faults.len()
        };
        assert_eq!(faults(cells.clone()), 0);
        for (at, entry) in (0..cells.len()).map(|at| (at, cells.entry(marquis_core::Slot(at as u64)))) {
            let Some(score) = entry.score() else { continue };
            let plies = score.plies().unwrap();
            for other in
                [Score::Draw, score.before_move(), Score::Win(Plies(plies.0 + 1)), Score::Loss(plies.next())]
            {
                if other != score {
                    let code = Entry::Score(other).code() as u8;
                    assert!(faults(with_other(cells, at, code)) > 0, "{layer:?} {at} {score:?} {other:?}");
                }
            }
        }
    }
}

#[test]
fn a_flag_and_a_deadline_end_the_work() {
    let (game, position) = parse("w1,w1,w1/3/r1,r1,r1 r").unwrap();
    let index = super::index(game, 3).unwrap();
    let (_, lower) = solved("w1,w1,w1/3/r1,r1,r1 r");
    let ended = |limits: &SolveLimits<'_>| {
        let work = Work { lower: &lower, kept: None, keeper: &NoKeeper, limits, progress: &|_| {} };
        Squinch::solver(&index).solve(Method::Camps, SquinchIndex::layer(&position), work).unwrap_err()
    };
    let stop = AtomicBool::new(true);
    assert_eq!(ended(&SolveLimits::until(&stop)), Stopped::Interrupted);
    let over = SolveLimits { deadline: Some(Instant::now()), ..SolveLimits::until(&NEVER) };
    assert_eq!(ended(&over), Stopped::Deadline);
}
