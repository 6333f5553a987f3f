//! Reviews of games on boards that the slow solver of the tests has solved whole, by rules of its own.

use std::collections::HashMap;
use std::sync::Arc;

use marquis_engine::wire::review::{MarkGround, MoveMark, Review};
use marquis_engine::{Control, Engine, EngineOptions, GameId, Limits, read_record, replay};
use marquis_registry::official;
use marquis_tests::draw::Draw;
use marquis_tests::reference::solver::{self, Solved};
use marquis_tests::reference::{Immobile, Reference, Rules};

fn engine() -> Engine {
    Engine::open(official(), EngineOptions::default()).expect("an engine").0
}

fn reviewed(engine: &Engine, game: GameId, text: &str, limits: &Limits) -> Review {
    let record = read_record(text).expect(text);
    let game = Arc::new(replay(engine.registry(), &record, Some(game)).expect(text));
    engine.review(&game, limits, &Control::none(), &mut |_| {}).expect(text)
}

/// The worth of a value for the player to move.
fn worth(value: &str) -> i32 {
    match value {
        "win" => 1,
        "draw" => 0,
        _ => -1,
    }
}

/// A game of random moves: each with the position before it.
fn random_game(game: &dyn Reference, start: &str, most: usize, draw: &mut Draw) -> Vec<(String, String)> {
    let mut here = start.to_owned();
    let mut played = Vec::new();
    while played.len() < most && game.over(&here).is_none() {
        let moves: Vec<(String, String)> = game.moves(&here).into_iter().collect();
        let (mv, after) = draw.pick(&moves).clone();
        played.push((std::mem::replace(&mut here, after), mv));
    }
    played
}

/// The mark that a move has by the values of everything: a blunder where its value is less than that of the position,
/// great where it is the only one of several that keeps a win or a draw.
fn by_values(game: &dyn Reference, solved: &Solved, position: &str, mv: &str) -> Option<MoveMark> {
    let of_move: HashMap<String, i32> =
        game.moves(position).into_iter().map(|(mv, after)| (mv, -worth(solved.scores[&after].0))).collect();
    let value = worth(solved.scores[position].0);
    let keeping = of_move.values().filter(|own| **own == value).count();
    match of_move[mv] {
        own if own < value => Some(MoveMark::Blunder),
        _ if keeping == 1 && of_move.len() > 1 && value >= 0 => Some(MoveMark::Great),
        _ => None,
    }
}

/// Reviews random games from a position; how often each mark was given by values, of blunders and great moves.
fn check(name: &str, start: &str, games: usize, most: usize) -> [usize; 2] {
    let rules = Rules::of(name, Immobile::Loss);
    let game = rules.plain();
    let solved = solver::solve(game, start);
    let (engine, id) = (engine(), official().game(name).expect("a game").id());
    let mut draw = Draw::new(7);
    let mut marks = [0, 0];
    for _ in 0..games {
        let played = random_game(game, start, most, &mut draw);
        let moves: Vec<&str> = played.iter().map(|(_, mv)| mv.as_str()).collect();
        let text = format!("[Position \"{start}\"] {}", moves.join(" "));
        let review = reviewed(&engine, id, &text, &Limits::default());
        assert!(review.complete && review.moves.len() == moves.len(), "{text}");
        for ((position, mv), own) in played.iter().zip(&review.moves) {
            let expected = by_values(game, &solved, position, mv);
            assert_eq!(own.mark, expected, "{position} {mv} in {text}");
            assert_eq!(own.ground, expected.map(|_| MarkGround::Value));
            let after = &solved.scores[&own.position];
            assert_eq!(worth(&own.value), -worth(after.0), "{position} {mv}");
            assert_eq!(own.first_chance.is_some(), own.chance.is_some());
            let points = f64::from(worth(solved.scores[position].0) + worth(after.0)) * 50.0;
            assert!((own.lost.expect("a chance") - points).abs() < 1e-9, "{position} {mv}: {:?}", own.lost);
            // What is said to be better is, wherever it is asked for.
            if let Some(better) = own.better.first() {
                let best = &game.moves(position)[better];
                assert_eq!(-worth(solved.scores[best].0), worth(solved.scores[position].0), "{position}");
            }
            marks[0] += usize::from(expected == Some(MoveMark::Blunder));
            marks[1] += usize::from(expected == Some(MoveMark::Great));
        }
        let blunders: usize = review.players.iter().map(|player| player.blunders).sum();
        assert_eq!(blunders, review.moves.iter().filter(|own| own.mark == Some(MoveMark::Blunder)).count());
    }
    marks
}

#[test]
fn proved_losses_of_value_are_blunders_and_only_moves_are_great_and_nothing_else_is() {
    let mut all = [0, 0];
    for (game, start, games, most) in [
        ("squish", "b1w/1wb1/wb1wb/1wb1/b1w w", 40, 40),
        ("squish", "2w1/5/bb2wb/2w4/b5/5/w3 w", 10, 40),
        ("squinch", "w1,w1,w1/3/r1,r1,r1 r", 8, 40),
        // Most of what can be reached from here is drawn.
        ("swish", "b1/2w/w1 w 0-0 1", 30, 20),
    ] {
        let [blunders, great] = check(game, start, games, most);
        assert!(blunders >= 5, "{game} {start}: {blunders} blunders");
        all = [all[0] + blunders, all[1] + great];
    }
    assert!(all[1] >= 20, "{all:?}");
}

#[test]
fn a_review_that_is_stopped_has_what_was_looked_over() {
    let (engine, squish) = (engine(), GameId::new("squish"));
    let record = read_record("[Position \"start:3\"] c4-c3 c5-c4").expect("a record");
    let game = Arc::new(replay(engine.registry(), &record, Some(squish)).expect("a game"));
    let stop = std::sync::atomic::AtomicBool::new(false);
    let control = Control::new(&stop, |_| {});
    let mut told = Vec::new();
    let review = engine.review(&game, &Limits::default(), &control, &mut |own| {
        told.push(own.ply);
        stop.store(own.ply == 1, std::sync::atomic::Ordering::Relaxed);
    });
    let review = review.expect("a review");
    assert_eq!((told, review.moves.len(), review.plies, review.complete), (vec![1], 1, 2, false));
}

/// Nanoseconds that this thread has worked.
fn worked() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("a system that counts them");
    text.split(' ').next().and_then(|first| first.parse().ok()).expect("a number")
}

#[test]
fn each_move_of_a_long_game_is_told_once_and_the_last_takes_as_long_as_the_first() {
    let (engine, swish) = (engine(), GameId::new("swish"));
    let there_and_back = "e1-c1 a2-a1 c1-e1 a1-a2 ".repeat(1000);
    let text = format!("[Position \"w2/4/5/2o1/1b1 w 0-0 1\"] {there_and_back}");
    let record = read_record(&text).expect("a record");
    let game = Arc::new(replay(engine.registry(), &record, Some(swish)).expect("a game"));
    let limits = Limits { threads: Some(1), nodes: Some(10), ..Limits::default() };
    let (mut told, mut clock) = (Vec::new(), Vec::new());
    let review = engine.review(&game, &limits, &Control::none(), &mut |own| {
        told.push(own.ply);
        clock.push(worked());
    });
    let review = review.expect("a review");
    assert_eq!((review.moves.len(), review.complete), (4000, true));
    assert_eq!(told, (1..=4000).collect::<Vec<_>>());
    // The positions are the same all the time.
    let [early, late] = [500..1500, 2999..3999].map(|part| clock[part.end] - clock[part.start]);
    assert!(late < 2 * early, "{early} ns for a thousand early moves, {late} ns for late ones");
}

#[test]
fn what_is_seen_of_a_review_on_its_way_is_what_the_review_of_so_many_moves_says() {
    for (game, text) in [
        ("squish", "[Position \"start:3\"] c4-c3 b3xc3 b2xc3 *"),
        ("senet", "[Position \"10/10/5b2w1 w\"] 3:pass 2:26-28 2:29-27>1 *"),
    ] {
        let (engine, id) = (engine(), GameId::new(game));
        let record = read_record(text).expect(text);
        let game = Arc::new(replay(engine.registry(), &record, Some(id)).expect(text));
        let (review, mut seen) = (engine.begin_review(&game), Vec::new());
        let control = Control::none();
        engine
            .carry_on_review(&review, &Limits::default(), &control, &mut |own| {
                // What is told on the way is there for others, too.
                assert_eq!(review.moves_after(own.ply - 1), std::slice::from_ref(own));
                assert!(!review.review().moves.is_empty());
                seen.push(own.clone());
            })
            .expect(text);
        assert_eq!(seen.len(), game.plies(), "{text}");
        assert_eq!(review.moves_after(0), seen);
        assert!(review.moves_after(seen.len() + 1).is_empty());
        let whole = review.review();
        assert!(whole.complete);
        assert_eq!(whole, engine.review(&game, &Limits::default(), &control, &mut |_| {}).expect(text));
    }
}

#[test]
fn where_nothing_is_proved_marks_go_by_points() {
    let (engine, squish) = (engine(), GameId::new("squish"));
    let limits = Limits { nodes: Some(2_000), threads: Some(1), ..Limits::default() };
    let review = reviewed(&engine, squish, "[Position \"start:5\"] a1-b2 a2-a3 *", &limits);
    for own in &review.moves {
        let lost = own.lost.expect("an estimate");
        let mark = match lost {
            15.0.. => Some(MoveMark::Blunder),
            10.0.. => Some(MoveMark::Mistake),
            5.0.. => Some(MoveMark::Inaccuracy),
            _ => None,
        };
        assert_eq!((own.mark, own.value.as_str()), (mark, "unknown"), "{own:?}");
    }
}

#[test]
fn in_senet_luck_is_told_apart_from_what_was_made_of_it() {
    let (engine, senet) = (engine(), GameId::new("senet"));
    // One piece each: two throws away from the end.
    let start = "10/10/5b2w1 w";
    let review = reviewed(&engine, senet, &format!("[Position \"{start}\"] 1:29-off"), &Limits::default());
    let [own] = &review.moves[..] else { panic!("{review:?}") };
    // White was to throw a 1, five in sixteen or so, and has won.
    assert_eq!((own.chance, own.lost, own.throw), (Some(1.0), Some(0.0), Some(1)));
    assert!(own.luck.is_some_and(|luck| luck > 1.0), "{own:?}");
    assert!(review.players[0].luck.is_none() != review.players[1].luck.is_none(), "{:?}", review.players);
}
