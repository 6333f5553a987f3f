//! Reviews of games on boards that the slow reference solver has solved completely.

use std::collections::HashMap;
use std::sync::Arc;

use marquis_core::GameId;
use marquis_engine::record::{read_record, replay};
use marquis_engine::{Control, Engine, EngineOptions, Limits};
use marquis_registry::official;
use marquis_tests::draw::Draw;
use marquis_tests::fast::Fast;
use marquis_tests::reference::solver::{self, Solved};
use marquis_tests::reference::{Immobile, Reference, Rules, senet};
use marquis_wire::answer::Source;
use marquis_wire::review::{MarkGround, MoveMark, Review, ReviewedMove};
use marquis_wire::words::{names, word};

fn engine() -> Engine {
    Engine::open(official(), EngineOptions::default()).expect("an engine").0
}

fn reviewed(engine: &Engine, game: GameId, text: &str, limits: &Limits) -> Review {
    let record = read_record(text).expect(text);
    let game = Arc::new(replay(engine.registry(), &record, Some(game)).expect(text));
    engine.review(&game, limits, &Control::none(), &mut |_| {}).expect(text)
}

/// A value for the player to move, as a number.
fn worth(value: &str) -> i32 {
    match value {
        "win" => 1,
        "draw" => 0,
        _ => -1,
    }
}

/// The moves of a random game, each with the position before it.
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

/// The mark of a move by exact values: a blunder if its value is less than that of the position, great if it is the
/// only one of several that keeps a win or a draw.
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

/// Reviews random games from a position; returns the numbers of blunders and great moves by exact values.
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
            assert_eq!(worth(word(own.value)), -worth(after.0), "{position} {mv}");
            assert_eq!(own.first_chance.is_some(), own.chance.is_some());
            let points = f64::from(worth(solved.scores[position].0) + worth(after.0)) * 50.0;
            assert!((own.lost.expect("a chance") - points).abs() < 1e-9, "{position} {mv}: {:?}", own.lost);
            // A move suggested as better must be better.
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
        // Most positions reachable from here are drawn.
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

/// The CPU time of this thread in nanoseconds.
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
    // All these positions are equally expensive.
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
                // Moves reported during the review are already visible to others.
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
            10.0.. => Some(MoveMark::Mistake),
            5.0.. => Some(MoveMark::Inaccuracy),
            _ => None,
        };
        assert_eq!((own.mark, word(own.value)), (mark, "unknown"), "{own:?}");
    }
}

#[test]
fn in_senet_luck_is_told_apart_from_what_was_made_of_it() {
    let (engine, senet) = (engine(), GameId::new("senet"));
    // One piece each: two throws before the end.
    let start = "10/10/5b2w1 w";
    let review = reviewed(&engine, senet, &format!("[Position \"{start}\"] 1:29-off"), &Limits::default());
    let [own] = &review.moves[..] else { panic!("{review:?}") };
    // White had to throw a 1, about five in sixteen, and has won.
    assert_eq!((own.chance, own.lost, own.throw), (Some(1.0), Some(0.0), Some(1)));
    assert!(own.luck.is_some_and(|luck| luck > 1.0), "{own:?}");
    assert!(review.players[0].luck.is_none() != review.players[1].luck.is_none(), "{:?}", review.players);
}

/// Checks one move.
///
/// * `here`: the value of the position before it, according to the review.
fn check_honest(own: &ReviewedMove, here: &str, context: &str) {
    let context = format!("{context}: {own:?} where {here} was known");
    if here == "loss" {
        assert_eq!((own.lost, own.mark, word(own.value)), (Some(0.0), None, "loss"), "{context}");
    }
    match (own.mark, own.ground) {
        (Some(MoveMark::Blunder | MoveMark::Great), ground) => {
            assert_eq!(ground, Some(MarkGround::Value), "{context}");
        }
        (Some(_), Some(MarkGround::Chance)) => {
            assert_eq!((own.source, word(own.value)), (Some(Source::Estimate), "unknown"), "{context}");
            assert_eq!(here, "unknown", "{context}");
        }
        (Some(_), ground) => assert!(own.throw.is_some() && ground.is_some(), "{context}"),
        (None, ground) => assert_eq!(ground, None, "{context}"),
    }
    if own.mark == Some(MoveMark::Blunder) {
        assert!(own.lost.is_some_and(|lost| lost >= 1.0), "{context}");
        assert!(own.throw.is_some() || names(own.bounds)[1] != "win", "{context}");
    }
    // Between a proved value and an estimate there is no loss to report.
    let is_half_proved = (here == "unknown") != (own.value.is_none());
    assert!(!is_half_proved || own.lost.is_none_or(|lost| lost == 0.0), "{context}");
}

/// A random game from a position, as a record, with random throws in Senet.
fn random_record(rules: &Fast, start: &str, most: usize, draw: &mut Draw) -> String {
    let (mut here, mut text) = (start.to_owned(), format!("[Position \"{start}\"]"));
    for _ in 0..most {
        if rules.over(&here).is_some() {
            break;
        }
        let throw = rules.has_throws().then(|| draw.pick(&senet::THROWS).0);
        let (mv, after) = draw.pick(&rules.moves(&here, throw)).clone();
        text += &throw.map_or_else(|| format!(" {mv}"), |throw| format!(" {throw}:{mv}"));
        here = after;
    }
    text
}

#[test]
fn no_review_blames_without_a_reason() {
    let engine = engine();
    let limits = Limits { nodes: Some(300), threads: Some(1), ..Limits::default() };
    let mut draw = Draw::new(59);
    let mut seen = [0; 4];
    for (name, start) in [
        ("squish", "1wb1/wb1wb/b1wb1w/1wb1wb1/b1wb1w/wb1wb/1wb1 w"),
        ("squish", "b1w/1wb1/wb1wb/1wb1/b1w w"),
        ("flowish", "1wb1/wb1wb/b1wb1w/1wb1wb1/b1wb1w/wb1wb/1wb1 w"),
        ("swish", "w2/1o1b/1oo1w/1oo1/b2 w 0-0 3"),
        ("squeeze", "wwb/1o2/1ooo1/1o1b/3 b 0-0 3"),
        ("squinch", "w1,w1,w1,w1/4/4/r1,r1,r1,r1 r"),
        ("senet", "wbwb6/10/10 b"),
        ("senet", "10/10/5b2w1 w"),
    ] {
        let id = official().game(name).expect("a game").id();
        let rules = Fast::of(name, Immobile::Loss);
        for _ in 0..4 {
            let text = random_record(&rules, start, 14, &mut draw);
            let review = reviewed(&engine, id, &text, &limits);
            let mut here = "unknown".to_owned();
            for (number, own) in review.moves.iter().enumerate() {
                if name != "senet" && number == 0 {
                    let first = review.first_chance.map_or("unknown", value_of_chance);
                    let is_first = review.turn == review.players[0].turn;
                    here = if is_first { first } else { for_opponent(first) }.to_owned();
                }
                check_honest(own, &here, &text);
                seen[0] += usize::from(here == "loss");
                seen[1] += usize::from(own.mark == Some(MoveMark::Blunder));
                seen[2] += usize::from(own.ground == Some(MarkGround::Chance));
                seen[3] += usize::from(own.lost.is_none());
                here = if name == "senet" { "unknown" } else { for_opponent(word(own.value)) }.to_owned();
            }
            let decisions: usize = review.players.iter().map(|player| player.decisions).sum();
            assert!(decisions <= review.moves.iter().filter(|own| own.lost.is_some()).count(), "{text}");
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "lost positions, blunders, estimates, unproved: {seen:?}");
}

fn for_opponent(value: &str) -> &str {
    match value {
        "win" => "loss",
        "loss" => "win",
        other => other,
    }
}

/// The value that corresponds to a chance of the first mover, if it is certain.
fn value_of_chance(chance: f64) -> &'static str {
    match chance {
        1.0 => "win",
        0.0 => "loss",
        _ => "unknown",
    }
}
