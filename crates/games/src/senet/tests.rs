//! Senet against hand-worked positions and a second generator.

mod slow;

use std::collections::BTreeSet;

use marquis_core::{ByPlayer, Chance, ChanceNotation as _, Outcome, Player, Reason, Slot};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

use self::slow::Slow;
use super::{Move, Position, Senet, SenetLayer, Set, Square, THROWS, parse, throw};
use crate::senet::notation::parse_throw;

fn moves(position: &Position, score: u8) -> Vec<Move> {
    let mut out = Vec::new();
    if Senet.over(position).is_none() {
        Senet.moves(position, throw(score).unwrap(), &mut out);
    }
    out
}

/// The legal moves for a throw are exactly these, in this order.
#[track_caller]
fn check_moves(text: &str, score: u8, expected: &str) {
    let position = parse(text).expect(text).1;
    let found: Vec<_> = moves(&position, score).iter().map(|&mv| Senet.move_text(&position, mv)).collect();
    assert_eq!(found.join(" "), expected, "{text}, throw {score}");
}

/// The only move for a throw leads to this position.
#[track_caller]
fn check_play(text: &str, score: u8, mv: &str, after: &str) {
    let position = parse(text).expect(text).1;
    let throw = throw(score).unwrap();
    let mv = Senet.parse_move(&position, throw, mv).expect(mv);
    assert_eq!(Senet.position_text(&Senet.play(&position, throw, mv)), after);
}

#[test]
fn four_sticks_fall_as_often_as_their_sides_say() {
    for throw in THROWS {
        let as_often = |sticks: &u32| match sticks.count_ones() {
            0 => throw.score == 6,
            light => u32::from(throw.score) == light,
        };
        assert_eq!(usize::from(throw.weight), (0..16_u32).filter(as_often).count());
    }
}

#[test]
fn the_start_is_the_text_of_the_rules_page_and_has_these_moves() {
    let start = "wbwbwbwbw1/b9/10 b";
    assert_eq!(Senet.position_text(&Senet.start()), start);
    check_moves(start, 1, "2x3 4x5 6x7 8x9 11-12");
    check_moves(start, 2, "8-10 11-13");
    check_moves(start, 3, "2x5 4x7 6x9 11-14");
    check_moves(start, 4, "6-10 8-12 11-15");
    check_moves(start, 6, "4-10 6-12 8-14 11-17");
}

#[test]
fn no_piece_passes_over_a_row_of_three_enemies() {
    check_moves("bwww6/10/10 b", 4, "pass");
    check_moves("bwww6/10/10 b", 6, "pass");
    check_moves("b1www5/10/10 b", 6, "pass");
    check_moves("b2www4/10/10 b", 6, "pass");
    check_moves("bww1w5/10/10 b", 4, "1x5");
    check_moves("bww1ww4/10/10 b", 6, "1-7");
    check_moves("bbbb6/9w/10 b", 4, "1-5 2-6 3-7 4-8");
}

#[test]
fn rows_go_round_the_corners_of_the_board() {
    check_moves("8bw/ww8/10 b", 4, "9-5");
    check_moves("7b1w/w9/10 b", 2, "8-6");
    check_moves("10/8bw/w9 b", 1, "19-18");
}

#[test]
fn no_piece_lands_on_a_friend() {
    check_moves("bb8/9w/10 b", 1, "2-3");
    check_moves("b1b7/9w/10 b", 2, "3-5");
}

#[test]
fn an_enemy_in_a_row_of_two_is_safe_and_a_lone_one_is_bumped() {
    check_moves("b1ww6/10/10 b", 2, "pass");
    check_moves("bw1w6/10/10 b", 3, "1x4");
    check_moves("bww7/10/10 b", 1, "pass");
    check_moves("b1wbw5/10/10 b", 2, "1x3 4-6");
}

#[test]
fn a_lone_piece_on_26_28_or_29_is_safe() {
    check_moves("10/10/4bw4 b", 1, "25-24");
    check_moves("10/10/4b2w2 b", 3, "25-22");
    check_moves("10/10/4b3w1 b", 4, "25-21");
    check_moves("10/10/3bw5 b", 1, "24x25");
}

#[test]
fn the_bumped_enemy_goes_where_the_mover_left() {
    check_play("2b2w4/10/10 b", 3, "3x6", "2w2b4/10/10 w");
    check_play("b9/w4b4/10 w", 4, "11-15", "b9/4wb4/10 w");
    check_play("10/10/bw8 b", 1, "21x22", "10/10/wb8 b");
}

#[test]
fn a_piece_in_the_water_goes_to_the_lowest_free_square() {
    check_play("w9/10/3b6 b", 3, "24-27>2", "wb8/10/10 w");
    check_play("wbwbwbwbw1/10/b9 b", 6, "21-27>10", "wbwbwbwbwb/10/10 b");
    check_moves("wwwww5/10/5b4 b", 1, "26-27>6");
}

#[test]
fn a_piece_is_borne_off_by_the_exact_throw_once_all_are_in_the_last_row() {
    check_moves("b9/9w/8b1 b", 1, "1-2");
    check_moves("w9/9b/8b1 b", 1, "20-21");
    check_moves("w9/10/b7b1 b", 1, "21-22 29-off");
    check_moves("w9/10/5b4 b", 4, "26-off");
    check_moves("w9/10/5b4 b", 6, "26-20");
    check_moves("w9/10/3b4b1 b", 6, "24-off");
    check_play("w9/10/3b4b1 b", 6, "24-off", "w9/10/8b1 b");
    check_play("w9/10/7bb1 b", 2, "28-off", "w9/10/8b1 w");
}

#[test]
fn a_piece_goes_back_only_when_none_can_go_forward_and_only_to_an_empty_square() {
    check_moves("w9/10/8b1 b", 3, "29-26");
    check_moves("b9/9w/8b1 b", 3, "1-4");
    check_moves("10/10/5w2b1 b", 3, "pass");
    check_moves("w9/10/5b2b1 b", 3, "26-23");
}

#[test]
fn going_back_is_stopped_by_a_row_of_three_and_by_the_edge_and_by_the_water() {
    check_moves("10/10/3www2b1 b", 6, "pass");
    check_moves("10/10/3ww3b1 b", 6, "29-23");
    check_moves("b1www5/10/10 b", 6, "pass");
    check_moves("10/10/7bw1 b", 1, "28-27>1");
    check_moves("b9/wwwww5/8b1 b", 2, "1-3");
    check_moves("9w/10/8b1 b", 2, "29-27>1");
}

#[test]
fn the_turn_passes_after_2_and_3_and_after_a_pass_and_stays_after_a_move_on_1_4_or_6() {
    for (score, stays) in [(1, true), (2, false), (3, false), (4, true), (6, true)] {
        let throw = throw(score).unwrap();
        let turn_after = |text: &str| {
            let position = parse(text).unwrap().1;
            let mv = moves(&position, score)[0];
            (mv, Senet.play(&position, throw, mv).turn())
        };
        let (mv, turn) = turn_after("w9/b9/10 b");
        assert_eq!((mv != Move::Pass, turn == Player::First), (true, stays), "throw {score}");
        assert_eq!(turn_after("bwwww5/10/10 b"), (Move::Pass, Player::Second), "throw {score}");
    }
    check_play("bwww6/10/10 b", 4, "pass", "bwww6/10/10 w");
}

#[track_caller]
fn check_over(text: &str, expected: Option<Player>) {
    let over = Senet.over(&parse(text).unwrap().1);
    assert!(over.is_none_or(|over| over.reason == Reason::BorneOff));
    assert_eq!(over.map(|over| over.outcome), expected.map(Outcome::Winner), "{text}");
}

#[test]
fn the_first_player_without_a_piece_has_won_and_with_none_left_the_one_not_to_throw() {
    check_over("bw8/10/10 b", None);
    check_over("w9/10/10 w", Some(Player::First));
    check_over("w9/10/10 b", Some(Player::First));
    check_over("b9/10/10 w", Some(Player::Second));
    check_over("10/10/10 w", Some(Player::First));
    check_over("10/10/10 b", Some(Player::Second));
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

    /// Up to five pieces each on squares from `first` on, and either player to throw.
    fn position(&mut self, first: u64) -> Position {
        let mut pieces = ByPlayer::<Set>::default();
        for owner in Player::BOTH {
            for _ in 0..=self.below(5) {
                let square = Square::new((first + self.below(31 - first)) as u8).unwrap();
                if Set::RESTING.has(square) && !pieces[owner.opponent()].has(square) {
                    pieces[owner] = pieces[owner].with(square);
                }
            }
        }
        Position::new(pieces, Player::BOTH[self.below(2) as usize]).unwrap()
    }
}

#[test]
fn both_generators_agree_in_random_play_and_on_random_positions() {
    let mut random = Random::new(3);
    let check = |position: &Position| {
        let text = Senet.position_text(position);
        for throw in THROWS {
            let fast: Vec<_> = moves(position, throw.score)
                .iter()
                .map(|&mv| {
                    (Senet.move_text(position, mv), Senet.position_text(&Senet.play(position, throw, mv)))
                })
                .collect();
            let distinct: BTreeSet<_> = fast.iter().cloned().collect();
            assert_eq!(distinct.len(), fast.len(), "a move twice in {text}");
            assert_eq!(distinct, Slow::read(&text).moves(throw.score.into()), "{text} {throw:?}");
        }
    };
    for _ in 0..4000 {
        let first = 1 + random.below(22);
        check(&random.position(first));
    }
    for _ in 0..20 {
        let mut position = Senet.start();
        for _ in 0..2000 {
            check(&position);
            if Senet.over(&position).is_some() {
                break;
            }
            let throw = THROWS[random.below(5) as usize];
            let moves = moves(&position, throw.score);
            position = Senet.play(&position, throw, moves[random.below(moves.len() as u64) as usize]);
        }
    }
}

#[test]
fn a_position_and_its_colour_swap_are_the_same_to_the_player_to_throw() {
    let position = parse("b2w6/10/7bw1 w").unwrap().1;
    let seen = Senet.as_mover(&position);
    assert_eq!(Senet.position_text(&seen), "w2b6/10/7wb1 b");
    assert_eq!(Senet.as_mover(&seen), seen);
    let mut random = Random::new(8);
    for _ in 0..2000 {
        let position = random.position(1);
        let swapped = Senet.swapped(&position);
        assert_eq!((swapped.turn, Senet.swapped(&swapped)), (position.turn.opponent(), position));
        assert_eq!(Senet.as_mover(&position), Senet.as_mover(&swapped));
        for score in [1, 2, 3, 4, 6] {
            assert_eq!(moves(&position, score), moves(&swapped, score));
        }
    }
}

#[test]
fn every_text_comes_back_canonical() {
    let mut random = Random::new(21);
    for _ in 0..2000 {
        let position = random.position(1);
        assert_eq!(parse(&Senet.position_text(&position)), Ok((Senet, position)));
    }
    let loose = parse("_w01b7/000000010/10__w_ ").unwrap().1;
    assert_eq!(Senet.position_text(&loose), "w1b7/10/10 w");
}

#[test]
fn a_bad_text_is_an_error_that_names_the_place() {
    let megabyte = "/".repeat(1 << 20);
    let letters = format!("{}/10/10 b", "b".repeat(1 << 20));
    let digits = format!("10/{}/10 b", "9".repeat(1 << 20));
    let zeros = format!("10/{}/10 b", "0".repeat(1 << 20));
    let bad = [
        ("", "board"),
        ("_", "board"),
        (&megabyte, "board"),
        (&letters, "row 1"),
        (&digits, "row 2"),
        (&zeros, "row 2"),
        ("10/10 b", "board"),
        ("10/10/10/10 b", "board"),
        ("10/10/10", "player to move"),
        ("10/10/10 r", "player to move"),
        ("10/10/10 B", "player to move"),
        ("10/10/10 bb", "player to move"),
        ("10/10/10 0", "player to move"),
        ("10/10/10 b w", "after the player to move"),
        ("10/10/10 b 1", "after the player to move"),
        ("9/10/10 b", "row 1"),
        ("11/10/10 b", "row 1"),
        ("10/b8/10 b", "row 2"),
        ("10/b10/10 b", "row 2"),
        ("10/10/9 b", "row 3"),
        ("10/10/ b", "row 3"),
        ("/10/10 b", "row 1"),
        ("10//10 b", "row 2"),
        ("bbbbbb4/10/10 b", "row 1"),
        ("wwwww5/9w/10 b", "row 2"),
        ("10/10/6b3 b", "row 3"),
        ("10/10/6w3 b", "row 3"),
        ("10/10/9w b", "row 3"),
        ("10/10/9b b", "row 3"),
        ("10/10/10b b", "row 3"),
        ("x9/10/10 b", "row 1"),
        ("W9/10/10 b", "row 1"),
        ("-1w9/10/10 b", "row 1"),
        ("+10/10/10 b", "row 1"),
        ("w,9/10/10 b", "row 1"),
        ("ẘ9/10/10 b", "row 1"),
        ("w\u{0}8/10/10 b", "row 1"),
        ("٣w6/10/10 b", "row 1"),
        ("4294967306/10/10 b", "row 1"),
        ("4294967295b/10/10 b", "row 1"),
        ("18446744073709551626/10/10 b", "row 1"),
        ("10/10/10\nb", "row 3"),
    ];
    for (text, place) in bad {
        let error = parse(text).expect_err(text);
        assert_eq!(error.place, place, "{error}");
        assert!(error.to_string().len() < 200, "{error}");
    }
}

#[test]
fn a_bad_throw_or_move_names_what_is_legal() {
    for bad in ["", "0", "5", "7", "-1", "01x", "257", "4294967297"] {
        assert_eq!(parse_throw(bad).unwrap_err().place, "throw", "{bad}");
    }
    assert_eq!(parse_throw("6").unwrap().weight, 1);
    let start = Senet.start();
    let two = throw(2).unwrap();
    let error = Senet.parse_move(&start, two, "2x4").unwrap_err();
    assert_eq!(error.to_string(), "move: expected for the throw 2 one of 8-10, 11-13, found `2x4`");
    for bad in ["", "pass", "8x10", "8-10>1", "8", "8-off", "0-2", "31-33", "8-10 "] {
        assert_eq!(Senet.parse_move(&start, two, bad).unwrap_err().place, "move", "{bad}");
    }
    let over = parse("w9/10/10 w").unwrap().1;
    assert!(Senet.parse_move(&over, two, "1-3").is_err());
}

#[test]
fn a_position_that_cannot_be_written_cannot_be_made() {
    let set = |numbers: &[u8]| numbers.iter().fold(Set::EMPTY, |set, &n| set.with(Square::new(n).unwrap()));
    let make =
        |first: &[u8], second: &[u8]| Position::new(ByPlayer::new(set(first), set(second)), Player::First);
    assert!(make(&[1, 2, 3, 4, 5], &[29]).is_some());
    assert!(make(&[1, 2, 3, 4, 5, 6], &[29]).is_none());
    assert!(make(&[27], &[]).is_none());
    assert!(make(&[], &[30]).is_none());
    assert!(make(&[7], &[7]).is_none());
    assert_eq!((Square::new(0), Square::new(31)), (None, None));
}

#[test]
fn the_numbers_of_a_layer_are_those_of_its_positions_without_a_hole() {
    for (mover, opponent, slots) in [(1, 1, 28 * 27), (2, 1, 378 * 26), (1, 3, 28 * 2925), (2, 2, 378 * 325)]
    {
        let layer = SenetLayer::new(mover, opponent).unwrap();
        assert_eq!(layer.slots(), slots);
        let mut seen = BTreeSet::new();
        for slot in (0..slots).map(Slot) {
            let position = layer.position(slot);
            let turned = Position { pieces: position.pieces.swapped(), turn: Player::Second };
            assert_eq!((layer.slot(&position), layer.slot(&turned)), (slot, slot));
            assert_eq!(SenetLayer::of(&position), Some(layer));
            assert!(Position::new(position.pieces, position.turn).is_some() && seen.insert(position));
        }
    }
    let mut random = Random::new(5);
    for _ in 0..2000 {
        let position = random.position(1);
        let Some(layer) = SenetLayer::of(&position) else { continue };
        let slot = layer.slot(&position);
        assert!(slot.0 < layer.slots());
        assert_eq!(layer.position(slot), Senet.as_mover(&position));
    }
}
