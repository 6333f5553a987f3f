//! Squinch against hand-worked positions, check numbers of the rules page, and a second generator.

mod slow;

use std::collections::{BTreeSet, HashMap};

use marquis_core::{Acyclic, Game, Hashed, Notation as _, Outcome, Player, Plies, Reason, Score, Symmetric};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

use self::slow::Slow;
use super::{Move, Position, Squinch, Stack, parse};
use crate::squinch::board::Square;

fn moves(game: Squinch, position: &Position) -> Vec<Move> {
    let mut out = Vec::new();
    if game.over(position).is_none() {
        game.moves(position, &mut out);
    }
    out
}

/// The legal moves of a position are exactly these.
#[track_caller]
fn check_moves(text: &str, expected: &str) {
    let (game, position) = parse(text).expect(text);
    let found: BTreeSet<_> = moves(game, &position).iter().map(|&mv| game.move_text(&position, mv)).collect();
    let expected: BTreeSet<_> = expected.split_whitespace().map(str::to_owned).collect();
    assert_eq!(found, expected, "{text}");
}

/// The move leads to this position.
#[track_caller]
fn check_play(text: &str, mv: &str, after: &str) {
    let (game, position) = parse(text).expect(text);
    let mv = game.parse_move(&position, mv).expect(mv);
    assert_eq!(game.position_text(&game.play(&position, mv)), after);
}

#[track_caller]
fn check_over(text: &str, expected: Option<Player>) {
    let (game, position) = parse(text).expect(text);
    let winner = game.over(&position).map(|over| {
        assert_eq!(over.reason, Reason::BorneOff);
        over.outcome
    });
    assert_eq!(winner, expected.map(Outcome::Winner), "{text}");
}

fn perft(game: Squinch, position: &Position, depth: u32) -> u64 {
    if depth == 0 || game.over(position).is_some() {
        return 1;
    }
    moves(game, position).iter().map(|&mv| perft(game, &game.play(position, mv), depth - 1)).sum()
}

#[test]
fn the_full_start_has_the_leaf_counts_of_the_rules_page() {
    let start = Squinch::FULL.start(3).unwrap();
    assert_eq!([1, 2, 3].map(|depth| perft(Squinch::FULL, &start, depth)), [108, 11664, 1_201_388]);
}

fn score(game: Squinch, position: &Position, known: &mut HashMap<Position, Score>) -> Score {
    if let Some(&score) = known.get(position) {
        return score;
    }
    let finished = game.over(position).map(|over| Score::finished(over.outcome.for_mover(position.turn())));
    let best = finished.unwrap_or_else(|| {
        let after = moves(game, position).into_iter().map(|mv| game.play(position, mv));
        after.map(|after| score(game, &after, known).before_move()).max().unwrap()
    });
    known.insert(*position, best);
    best
}

/// The rules page gives 34500 reachable states and says that finished ones are counted; that number is the count of
/// the *unfinished* ones (this generator, the slow one and a third one agree), and 200 are finished. The same holds
/// on 4×4: 19108938 unfinished and 6337 finished.
#[test]
fn three_by_three_is_won_in_thirteen_and_has_34500_unfinished_positions() {
    let (game, position) = parse("w1,w1,w1/3/r1,r1,r1 r").unwrap();
    let mut known = HashMap::new();
    assert_eq!(score(game, &position, &mut known), Score::Win(Plies(13)));
    let finished = known.keys().filter(|position| game.over(position).is_some()).count();
    assert_eq!((known.len() - finished, finished), (34_500, 200));
}

#[test]
fn a_single_checker_goes_one_square_forward_straight_or_diagonally() {
    check_moves("w1,4/5/5/2,r1,2/5 r", "c2-b3 c2-c3 c2-d3");
    check_moves("5/2,w1,2/5/5/r1,4 w", "c4-b3 c4-c3 c4-d3");
    check_moves("w1,4/5/5/r1,4/5 r", "a2-a3 a2-b3");
}

#[test]
fn a_stack_of_two_reaches_one_or_two_squares_and_passes_over_everything() {
    check_moves("w1,4/2,r1,2/1,w1,1,w1,1/2,r2,2/5 r", "c2-c3 c2-a4 c2-c4 c2-e4 c4-b5 c4-c5 c4-d5");
}

#[test]
fn nothing_lands_on_an_enemy() {
    check_moves("5/1,w1,w1,w1,1/2,r1,2/5 r", "pass");
    check_moves("5/1,w1,w1,w1,1/2,r1,2/5 w", "b3-a2 b3-b2 c3-b2 c3-d2 d3-d2 d3-e2 b3-c3 c3-b3 c3-d3 d3-c3");
}

#[test]
fn sideways_goes_only_onto_a_friendly_stack_of_at_least_the_height_before_the_move() {
    // The 2-stack cannot go onto the adjacent single checker, but onto the 2-stack beyond it.
    check_moves("w4,w4,w4,w4,w4/r2,r1,r2,r3,1 r", "a1-c1 a1-off b1-a1 b1-c1 c1-a1 c1-d1 c1-off d1-off");
}

#[test]
fn bearing_off_needs_a_height_of_at_least_the_straight_distance_and_is_one_move_a_stack() {
    check_moves("2,w1/r1,2/r3,w1,1/2,r1 r", "a3-a4 a3-b4 a2-a3 a2-b3 a2-a4 a2-off c1-c2");
    check_moves("r1,1/2/2/w1,1 r", "a4-off");
    check_moves("1,r1/2/w3,1/1,w2 w", "a2-a1 a2-b1 a2-off b1-off");
}

#[test]
fn a_move_takes_the_top_checker_only() {
    check_play("w1,2/3/r3,2 r", "a1-a2", "w1,2/r1,2/r2,2 w");
    check_play("w1,2/r2,2/r1,2 r", "a1-a2", "w1,2/r3,2/3 w");
    check_play("w1,1,r2/3/3 r", "c3-off", "w1,1,r1/3/3 w");
    check_play("3/w4,2/r7,2 w", "a2-off", "3/w3,2/r7,2 r");
}

#[test]
fn a_player_without_a_move_passes_and_the_other_one_moves() {
    check_play("5/1,w1,w1,w1,1/2,r1,2/5 r", "pass", "5/1,w1,w1,w1,1/2,r1,2/5 w");
}

#[test]
fn the_first_player_without_a_checker_has_won() {
    check_over("r1,1/2/1,w1 r", None);
    check_over("r1,1/2 w", Some(Player::Second));
    check_over("r1,1/2 r", Some(Player::Second));
    check_over("w1,1/2 r", Some(Player::First));
    check_over("w1,1/2 w", Some(Player::First));
}

#[test]
fn with_both_borne_off_the_player_not_to_move_has_won() {
    check_over("2/2 r", Some(Player::Second));
    check_over("2/2 w", Some(Player::First));
}

#[test]
fn starts_fill_the_nearest_ranks_with_single_checkers() {
    let small = Squinch::new(3, 3).unwrap();
    assert_eq!(small.position_text(&small.start(1).unwrap()), "w1,w1,w1/3/r1,r1,r1 r");
    let full = Squinch::FULL.start(3).unwrap();
    assert_eq!(Player::BOTH.map(|player| full.checkers(player)), [24, 24]);
    assert_eq!(Squinch::FULL.start(4), None, "32 checkers a colour");
    assert_eq!(small.start(2), None, "camps meet");
}

#[test]
fn stacks_of_every_height_are_put_and_taken_checker_by_checker() {
    let game = Squinch::new(2, 2).unwrap();
    let mut position = parse("1,w1/r24,1 r").unwrap().1;
    let (from, to) = (Square::new(0, 0), Square::new(0, 1));
    for moved in 1..=24 {
        position = game.play(&position, Move::Step { from, to });
        position.turn = Player::First;
        let height = |square| position.stack(square).map_or(0, |stack| stack.height);
        assert_eq!((height(from), height(to)), (24 - moved, moved));
        assert_eq!(position.checkers(Player::First), 24);
    }
}

/// Random numbers, the same in every run.
struct Random(SmallRng);

impl Random {
    fn new(seed: u64) -> Self {
        Self(SmallRng::seed_from_u64(seed))
    }

    fn below(&mut self, end: u64) -> u64 {
        self.0.random_range(0..end)
    }

    /// A position with up to `checkers` checkers of each colour, and either player to move.
    fn position(&mut self, game: Squinch, checkers: u64) -> Position {
        let turn = Player::BOTH[self.below(2) as usize];
        let mut position = Position::empty(turn);
        for owner in Player::BOTH {
            for _ in 0..=self.below(checkers) {
                let file = self.below(game.files().into()) as u8;
                let rank = self.below(game.ranks().into()) as u8;
                let square = Square::new(file, rank);
                if position.stack(square).is_none_or(|stack| stack.owner == owner) {
                    position.add_checker(square, owner);
                }
            }
        }
        position
    }
}

fn boards() -> impl Iterator<Item = Squinch> {
    (2..=8).flat_map(|files| (1..=8).map(move |ranks| Squinch::new(files, ranks).unwrap()))
}

/// Plays a random game from `position` and calls `visit` with every position on the way.
fn random_game(game: Squinch, position: Position, random: &mut Random, mut visit: impl FnMut(&Position)) {
    let mut position = position;
    loop {
        visit(&position);
        let moves = moves(game, &position);
        if moves.is_empty() {
            return;
        }
        position = game.play(&position, moves[random.below(moves.len() as u64) as usize]);
    }
}

#[test]
fn both_generators_agree_in_random_play_on_every_board() {
    let mut random = Random::new(5);
    for game in boards() {
        let depth = (1..=3).rev().find_map(|depth| game.start(depth));
        for start in depth.into_iter().chain((0..4).map(|_| random.position(game, 24)).collect::<Vec<_>>()) {
            random_game(game, start, &mut random, |position| {
                let text = game.position_text(position);
                let fast: Vec<_> = moves(game, position)
                    .iter()
                    .map(|&mv| (game.move_text(position, mv), game.position_text(&game.play(position, mv))))
                    .collect();
                let distinct: BTreeSet<_> = fast.iter().cloned().collect();
                assert_eq!(distinct.len(), fast.len(), "a move twice in {text}");
                assert_eq!(distinct, Slow::read(&text).moves(), "{text}");
            });
        }
    }
}

#[test]
fn progress_grows_with_every_move_but_a_pass_and_nobody_passes_after_a_pass() {
    let mut random = Random::new(7);
    for game in boards() {
        for _ in 0..20 {
            let start = random.position(game, 24);
            random_game(game, start, &mut random, |position| {
                for mv in moves(game, position) {
                    let after = game.play(position, mv);
                    let (before, now) = (game.progress(position), game.progress(&after));
                    if mv == Move::Pass {
                        assert_eq!(now, before);
                        assert_ne!(moves(game, &after), [Move::Pass], "{}", game.position_text(position));
                    } else {
                        assert!(
                            now > before,
                            "{} {}",
                            game.position_text(position),
                            game.move_text(position, mv)
                        );
                    }
                }
            });
        }
    }
}

#[test]
fn images_have_the_same_moves_and_share_a_canonical_form() {
    let mut random = Random::new(9);
    for game in boards() {
        for _ in 0..50 {
            let position = random.position(game, 24);
            let follow = |position: &Position| {
                let after = moves(game, position).into_iter().map(|mv| game.play(position, mv));
                let mut after: Vec<_> = after.map(|after| game.canonical(&after)).collect();
                after.sort_unstable();
                after
            };
            for number in 0..game.images() {
                let image = game.image(&position, number);
                assert_eq!(game.canonical(&image), game.canonical(&position), "{position:?} {number}");
                assert_eq!(follow(&image), follow(&position), "{position:?} {number}");
                assert_eq!(game.progress(&image), game.progress(&position));
                let won = |p: &Position| game.over(p).map(|over| over.outcome.for_mover(p.turn()));
                assert_eq!(won(&image), won(&position));
            }
            assert!((0..4).any(|number| game.image(&position, number) == game.canonical(&position)));
        }
    }
}

#[test]
fn the_colour_swap_turns_the_board_top_to_bottom_and_the_mirror_left_to_right() {
    let (game, position) = parse("w1,2/1,w5,1/r2,r1,1/2,w3 r").unwrap();
    let images = [1, 2, 3].map(|number| game.position_text(&game.image(&position, number)));
    assert_eq!(
        images,
        ["2,w1/1,w5,1/1,r1,r2/w3,2 r", "2,r3/w2,w1,1/1,r5,1/r1,2 w", "r3,2/1,w1,w2/1,r5,1/2,r1 w"]
    );
}

#[test]
fn a_lone_colour_swap_moves_the_key_and_equal_positions_have_equal_keys() {
    let mut random = Random::new(11);
    let mut keys = BTreeSet::new();
    let mut positions = BTreeSet::new();
    for _ in 0..20_000 {
        let position = random.position(Squinch::FULL, 3);
        keys.insert(Squinch::FULL.key(&position));
        positions.insert(position);
    }
    assert_eq!(keys.len(), positions.len());
}

#[test]
fn every_text_comes_back_canonical() {
    let mut random = Random::new(13);
    for game in boards() {
        for _ in 0..20 {
            let position = random.position(game, 24);
            assert_eq!(parse(&game.position_text(&position)), Ok((game, position)));
        }
    }
    let (game, position) = parse("__w01,1,1,w1/2,02/0,r2,1,1,1  _r ").unwrap();
    assert_eq!(game.position_text(&position), "w1,2,w1/4/r2,3 r");
}

#[test]
fn a_bad_text_is_an_error_that_names_the_place() {
    let megabyte = "/".repeat(1 << 20);
    let commas = ",".repeat(1 << 20);
    let digits = format!("{}/2 r", "9".repeat(1 << 20));
    let bad = [
        ("", "board"),
        ("   ", "board"),
        (&megabyte, "board"),
        (&commas, "rank 1"),
        (&digits, "rank 2"),
        ("r1,w1", "player to move"),
        ("r1,w1 b", "player to move"),
        ("r1,w1 R", "player to move"),
        ("r1,w1 rr", "player to move"),
        ("r1,w1 -", "player to move"),
        ("r1,w1 r r", "after the player to move"),
        ("r1,w1 r 0-0", "after the player to move"),
        ("r1/w1 r", "board"),
        ("0/0 r", "board"),
        ("9/9 r", "rank 2"),
        ("2/2/2/2/2/2/2/2/2 r", "board"),
        ("2/3 r", "rank 1"),
        ("3/r1,w1 r", "rank 1"),
        ("2// r", "rank 2"),
        ("/2 r", "rank 2"),
        ("2/ r", "rank 1"),
        ("r0,1/2 r", "rank 2"),
        ("r,1/2 r", "rank 2"),
        ("r25,1/2 r", "rank 2"),
        ("r256,1/2 r", "rank 2"),
        ("r99999999999999999999,1/2 r", "rank 2"),
        ("r13,1/r12,1 r", "rank 1"),
        ("w24,w1/2 r", "rank 2"),
        ("r-1,1/2 r", "rank 2"),
        ("r+1,1/2 r", "rank 2"),
        ("-1,3/2 r", "rank 2"),
        ("+2/2 r", "rank 2"),
        ("1,,1/2 r", "rank 2"),
        ("b1,1/2 r", "rank 2"),
        ("R1,1/2 r", "rank 2"),
        ("r1w1/2 r", "rank 2"),
        ("1r1/2 r", "rank 2"),
        ("r1;1/2 r", "rank 2"),
        ("r٣,1/2 r", "rank 2"),
        ("ṙ1,1/2 r", "rank 2"),
        ("2\u{0}/2 r", "rank 2"),
        ("2/2\tr", "rank 1"),
        ("4294967298/2 r", "rank 2"),
        ("4294967295,3/2 r", "rank 2"),
        ("2/1,4294967295 r", "rank 1"),
    ];
    for (text, place) in bad {
        let error = parse(text).expect_err(text);
        assert_eq!(error.place, place, "{error}");
        assert!(error.to_string().len() < 200, "{error}");
    }
}

#[test]
fn a_bad_move_names_a_legal_one() {
    let (game, position) = parse("w1,w1,w1/3/r1,r1,r1 r").unwrap();
    let error = game.parse_move(&position, "a1-a3").unwrap_err();
    assert_eq!(error.to_string(), "move: expected one of 11 legal moves, such as `a1-a2`, found `a1-a3`");
    for bad in ["", "pass", "a1", "a1-off", "a1xa2", "a0-a1", "i1-i2", "A1-A2", "a1-a2 ", "ä1-a2"] {
        assert_eq!(game.parse_move(&position, bad).unwrap_err().place, "move", "{bad}");
    }
    let (game, over) = parse("2/r1,1 r").unwrap();
    assert!(game.parse_move(&over, "a1-a2").is_err());
}

#[test]
fn a_stack_of_nothing_cannot_be_put() {
    let put = |height| {
        std::panic::catch_unwind(|| {
            let mut position = Position::empty(Player::First);
            position.put(Square::new(0, 0), Stack { owner: Player::First, height });
            position
        })
    };
    assert!(put(0).is_err() && put(25).is_err());
    assert_eq!(put(24).unwrap().checkers(Player::First), 24);
}

#[test]
fn the_ranks_to_go_are_those_of_every_checker() {
    let mut random = SmallRng::seed_from_u64(5);
    for (files, ranks) in [(3, 4), (5, 5), (8, 8)] {
        let game = Squinch::new(files, ranks).expect("a board");
        let mut position = game.start(1).expect("a start");
        while game.over(&position).is_none() {
            let squares =
                (0..ranks).flat_map(|rank| (0..files).map(move |file| (rank, Square::new(file, rank))));
            let mut to_go = [0, 0];
            for (rank, square) in squares {
                if let Some(Stack { owner, height }) = position.stack(square) {
                    let steps = if owner == Player::First { ranks - rank } else { rank + 1 };
                    to_go[owner as usize] += u32::from(steps) * u32::from(height);
                }
            }
            assert_eq!(Player::BOTH.map(|player| position.ranks_to_go(player, ranks)), to_go);
            let moves = moves(game, &position);
            position = game.play(&position, moves[random.random_range(0..moves.len())]);
        }
    }
}
