//! The exhaustive solver reproduces the tables of reachable positions in the rules of the games.

use std::fmt::Debug;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use marquis_core::{Game, Hashed, Plies, Score, Value};
use marquis_games::beads::Immobile;
use marquis_games::squinch::{self, Squinch};
use marquis_games::{Flowish, Squeeze, Squish, Swish};
use marquis_retro::exhaustive::{Solved, solve};
use marquis_retro::{SolveLimits, Stopped};

fn solved<G: Game + Hashed>((game, root): (G, G::Position)) -> Solved<G> {
    solve(&game, root, &SolveLimits::until(&AtomicBool::new(false)), &mut |_| ()).unwrap()
}

fn check<G: Game + Hashed>(parsed: (G, G::Position), states: usize, draws: Option<usize>, score: Score) {
    let solved = solved(parsed);
    assert_eq!(solved.states(), states);
    assert_eq!(solved.root(), score);
    if let Some(draws) = draws {
        assert_eq!(solved.count(Value::Draw), draws);
    }
}

fn win(plies: u16) -> Score {
    Score::Win(Plies(plies))
}

fn loss(plies: u16) -> Score {
    Score::Loss(Plies(plies))
}

#[test]
fn squish_and_flowish_boards_of_the_rules() {
    let start = "b1w/1wb1/wb1wb/1wb1/b1w w";
    let ring = "4/1b1w1/2wb2/1wb1wb1/2wb2/1b1w1/4 w";
    check(Squish::parse(start).unwrap(), 5638, None, win(5));
    check(Squish::parse(ring).unwrap(), 5638, None, win(5));
    check(Flowish::parse(start).unwrap(), 37329, None, win(9));
    check(Flowish::parse(ring).unwrap(), 341_679, None, win(9));
}

#[test]
fn a_squish_board_on_which_play_can_cycle() {
    check(Squish::parse("2w1/5/bb2wb/2w4/b5/5/w3 w").unwrap(), 10986, Some(19), loss(8));
}

#[test]
fn swish_and_squeeze_boards_of_the_rules() {
    let text = "w1w/4/1ooo1/4/b1b w 0-0 2";
    check(Swish::parse(text, Immobile::Loss).unwrap(), 563_048, Some(590), loss(12));
    check(Squeeze::parse(text, Immobile::Loss).unwrap(), 368_002, Some(27188), Score::Draw);
}

/// The figures of the rules page for Squinch turn out to be those without finished positions, although it says that
/// they are counted; this test checks both counts.
fn check_squinch(text: &str, unfinished: usize, finished: usize, score: Score) {
    let parsed = squinch::parse(text).unwrap();
    let game = parsed.0;
    let solved = solved(parsed);
    let found = solved.iter().filter(|(position, _)| game.over(position).is_some()).count();
    assert_eq!((solved.states() - found, found), (unfinished, finished));
    assert_eq!((solved.root(), solved.count(Value::Draw)), (score, 0));
}

#[test]
fn squinch_on_three_files() {
    check_squinch("w1,w1,w1/3/r1,r1,r1 r", 34_500, 200, win(13));
}

#[test]
#[ignore = "19 million positions: for the long command"]
fn squinch_on_four_files() {
    check_squinch("w1,w1,w1,w1/4/4/r1,r1,r1,r1 r", 19_108_938, 6337, win(25));
}

/// Each score is the best that the moves offer, whatever order the solver found it in.
fn check_locally<G: Game + Hashed>(parsed: (G, G::Position)) {
    let game = parsed.0.clone();
    let solved = solved(parsed);
    let mut moves = Vec::new();
    for (position, found) in solved.iter() {
        let expected = match game.over(position) {
            Some(over) => Score::finished(over.outcome.for_mover(game.turn(position))),
            None => {
                moves.clear();
                game.moves(position, &mut moves);
                let scores = moves.iter().map(|&mv| solved.score(&game.play(position, mv)).unwrap());
                scores.map(Score::before_move).max().unwrap()
            }
        };
        assert_eq!(found, expected, "{position:?}");
    }
}

#[test]
fn every_score_is_the_best_of_its_moves() {
    check_locally(Squish::parse("2w1/5/bb2wb/2w4/b5/5/w3 w").unwrap());
    check_locally(Flowish::parse("b1w/1wb1/wb1wb/1wb1/b1w w").unwrap());
    check_locally(Squeeze::parse("w1w/4/1ooo1/4/b1b w 0-0 2", Immobile::Pass).unwrap());
    check_locally(squinch::parse("w1,w1,w1/3/r1,r1,r1 r").unwrap());
}

fn stopped<G: Game + Hashed + Debug>((game, root): (G, G::Position), limits: &SolveLimits<'_>) -> Stopped
where
    G::Position: Debug,
{
    solve(&game, root, limits, &mut |_| ()).map(|solved| solved.states()).unwrap_err()
}

#[test]
fn limits_end_the_work() {
    let full = || (Squinch::FULL, Squinch::FULL.start(3).unwrap());
    let idle = AtomicBool::new(false);
    let few = SolveLimits { states: 100_000, ..SolveLimits::until(&idle) };
    assert_eq!(stopped(full(), &few), Stopped::TooManyStates { limit: 100_000 });
    let began = Instant::now();
    let late =
        SolveLimits { deadline: Some(began + Duration::from_millis(200)), ..SolveLimits::until(&idle) };
    assert_eq!(stopped(full(), &late), Stopped::Deadline);
    let late_by = began.elapsed();
    // Without the deadline it would run for ever, and this only distinguishes the two; the next test counts how soon
    // it ends the work.
    assert!(late_by < Duration::from_secs(60), "stopped after {late_by:?}");
    assert_eq!(stopped(full(), &SolveLimits::until(&AtomicBool::new(true))), Stopped::Interrupted);
}

#[test]
fn few_states_are_looked_at_after_the_deadline() {
    let (game, root) = (Squinch::FULL, Squinch::FULL.start(3).unwrap());
    let (idle, deadline) = (AtomicBool::new(false), Instant::now() + Duration::from_millis(50));
    let late = SolveLimits { deadline: Some(deadline), ..SolveLimits::until(&idle) };
    let (mut done, mut beyond) = (0, 0);
    let ended = solve(&game, root, &late, &mut |progress| {
        if Instant::now() > deadline {
            beyond += progress.done - done;
        }
        done = progress.done;
    });
    assert_eq!(ended.err(), Some(Stopped::Deadline));
    // The batch under way at the deadline is finished, however long the machine takes for it.
    assert!(beyond <= 2048, "{beyond} states");
}
