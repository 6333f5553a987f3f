//! The moves that a side needs to bear off without contact, and the winner of the race.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use marquis_core::{Effort, Game, Notation as _, Player, Plies, Score};
use marquis_games::squinch::{Position, Square, Squinch, Stack, parse};

/// Random positions without contact, by a simple generator.
fn races(game: Squinch, checkers: u64, seed: &mut u64) -> Position {
    let mut draw = |below: u64| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % below
    };
    let turn = Player::BOTH[draw(2) as usize];
    let mut heights: HashMap<(Player, u8, u8), u8> = HashMap::new();
    let border = draw(u64::from(game.ranks())) as u8;
    for owner in Player::BOTH {
        for _ in 0..=draw(checkers) {
            let rank = match owner {
                Player::First => border + draw(u64::from(game.ranks() - border)) as u8,
                Player::Second => draw(u64::from(border) + 1) as u8,
            };
            *heights.entry((owner, draw(u64::from(game.files())) as u8, rank)).or_default() += 1;
        }
    }
    let mut position = Position::empty(turn);
    for ((owner, file, rank), height) in heights {
        let square = Square::new(file, rank);
        if position.stack(square).is_none() {
            position.put(square, Stack { owner, height });
        }
    }
    position
}

/// The score by searching all moves of both sides.
fn searched(game: Squinch, position: &Position, known: &mut HashMap<Position, Score>) -> Score {
    if let Some(over) = game.over(position) {
        return Score::finished(over.outcome.for_mover(position.turn()));
    }
    if let Some(&score) = known.get(position) {
        return score;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let after = moves.iter().map(|&mv| searched(game, &game.play(position, mv), known).before_move());
    let best = after.max().expect("a move");
    known.insert(*position, best);
    best
}

#[test]
fn a_race_is_worth_what_a_search_of_both_sides_finds() {
    let mut seed = 1;
    let mut races_won = [0, 0];
    for (files, ranks, checkers) in [(2, 3, 4), (3, 3, 3), (3, 5, 3), (4, 4, 3), (8, 8, 2)] {
        let game = Squinch::new(files, ranks).unwrap();
        for _ in 0..150 {
            let position = races(game, checkers, &mut seed);
            let found = game.race(&position, &mut Effort::of(u32::MAX));
            assert_eq!(
                found,
                Some(searched(game, &position, &mut HashMap::new())),
                "{}",
                game.position_text(&position)
            );
            races_won[usize::from(matches!(found, Some(Score::Win(_))))] += 1;
        }
    }
    assert!(races_won[0] > 100 && races_won[1] > 100, "{races_won:?}");
}

#[test]
fn there_is_contact_as_long_as_a_red_stack_is_behind_a_white_one() {
    let is_race = |text: &str| {
        let (game, position) = parse(text).expect(text);
        game.is_race(&position)
    };
    assert!(is_race("r1,2/3/w1,2 r"));
    assert!(is_race("3/r1,1,w1/3 r"), "beside each other nobody lands on the other");
    assert!(!is_race("3/w1,2/2,r1 r"));
    assert!(!is_race("r1,2/w1,2/2,r1 r"));
    assert!(is_race("r1,2/3/3 r"), "nobody is left to meet");
}

#[test]
fn a_search_that_may_look_at_nothing_says_nothing() {
    let (game, position) = parse("r2,r1,r1/3/w1,w3,1 r").unwrap();
    assert_eq!(game.race(&position, &mut Effort::of(0)), None);
    assert!(game.race(&position, &mut Effort::of(10_000)).is_some());
}

#[test]
fn twenty_four_checkers_of_each_side_are_seen_home() {
    let (game, position) = parse("r24,7/8/8/8/8/8/8/w24,7 r").unwrap();
    assert_eq!(game.race(&position, &mut Effort::of(1_000)), Some(Score::Win(Plies(47))));
    let (game, position) = parse("8/r8,r4,r4,r8,4/8/8/8/8/w8,w4,w3,w9,4/8 w").unwrap();
    assert!(game.race(&position, &mut Effort::of(100_000)).is_some());
}

#[test]
fn nearly_all_races_of_up_to_eight_checkers_a_side_are_decided_with_little_effort() {
    let mut seed = 7;
    let decided = (0..200).filter(|_| {
        let position = races(Squinch::FULL, 8, &mut seed);
        Squinch::FULL.race(&position, &mut Effort::of(20_000)).is_some()
    });
    assert!(decided.count() >= 190);
}

/// A race that 300,000 placements do not decide.
const LONG: &str =
    "5,r1,2/r2,4,r1,1,r1/8/2,r2,4,r1/2,r1,2,r1,1,r1/r1,r1,6/w4,r2,r1,w1,w1,w3,2/w2,1,w1,w2,1,w3,w3,w3 r";

#[test]
fn a_race_is_given_up_once_it_is_to_stop() {
    let (game, position) = parse(LONG).unwrap();
    let stop = AtomicBool::new(false);
    let begun = Instant::now();
    let found = std::thread::scope(|threads| {
        threads.spawn(|| {
            std::thread::sleep(Duration::from_millis(20));
            stop.store(true, Ordering::Relaxed);
        });
        game.race(&position, &mut Effort::of(u32::MAX).until(&stop))
    });
    assert_eq!(found, None, "after {:?}", begun.elapsed());
}
