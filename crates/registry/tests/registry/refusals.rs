//! Reasons why a piece cannot move: every wish is granted by a legal move or refused with a reason, and the reason is
//! the one that the rules give.

use std::collections::BTreeSet;

use marquis_core::{GameId, Wish};
use marquis_engine::{Posed, Query};
use marquis_registry::official;

const THROWS: [Option<u8>; 6] = [None, Some(1), Some(2), Some(3), Some(4), Some(6)];

fn posed(game: &'static str, position: &str, throw: Option<u8>) -> Posed {
    official().pose(&Query { throw, ..Query::new(GameId::new(game), position) }).expect(position)
}

/// The start and the goal of a move text; `None` for a pass.
fn ends(text: &str) -> Option<(String, String)> {
    let (from, to) = text.split_once(['-', 'x'])?;
    Some((from.to_owned(), to.split('>').next()?.to_owned()))
}

/// The number of refused wishes; each wish is compared with the legal moves.
fn refused(position: &Posed) -> usize {
    let legal: BTreeSet<_> = position.moves().iter().filter_map(|own| ends(&own.mv)).collect();
    let cells: Vec<String> = position.cells().concat();
    let goals: Vec<&str> = cells.iter().map(String::as_str).collect();
    let mut refused = 0;
    for from in &cells {
        let why = position.why_not(Wish { from, to: None }).expect("a cell");
        let moves = legal.iter().any(|(own, _)| own == from);
        assert_eq!(why.is_none(), moves, "{position:?} {from}: {why:?}");
        for &to in &goals {
            let why = position.why_not(Wish { from, to: Some(to) }).expect("two cells");
            // Moves off Senet's board may be written with the goal 30.
            let named = legal.contains(&(from.clone(), to.to_owned()));
            let off = to == "30" && legal.contains(&(from.clone(), "off".to_owned()));
            assert_eq!(why.is_none(), named || off, "{position:?} {from}-{to}: {why:?}");
            let sentence = why.is_none_or(|why| why.ends_with('.') && why.len() > 20);
            assert!(sentence, "{position:?} {from}-{to}");
            refused += usize::from(!named);
        }
    }
    refused
}

#[test]
fn every_wish_is_granted_by_a_legal_move_or_refused_with_a_reason() {
    for (game, start) in [
        ("squish", "start:3"),
        ("squish", "start:4"),
        ("flowish", "start:4"),
        ("swish", "w1w/4/1ooo1/4/b1b w"),
        ("swish", "w1w1/1oo2/2oo2/b1o1o1b/2oo2/1o3/2wb w"),
        ("squeeze", "w1w/4/1ooo1/4/b1b w"),
        ("squeeze", "w1w1/1oo2/2oo2/b1o1o1b/2oo2/1o3/2wb w"),
        ("squinch", "start:4x4"),
        ("squinch", "start:8x8x3"),
        ("senet", "start"),
        ("senet", "5b4/3b1w4/1b2wb2w1 b"),
    ] {
        let throws = if game == "senet" { &THROWS[..] } else { &THROWS[..1] };
        let mut text = start.to_owned();
        let mut refusals = 0;
        for ply in 0..25 {
            let position = posed(game, &text, None);
            if position.over().is_some() {
                break;
            }
            refusals += throws.iter().map(|&throw| refused(&posed(game, &text, throw))).sum::<usize>();
            let moves = position.moves();
            // Any other way through the game would do as well.
            text = moves[(37 * ply + 11) % moves.len()].position.clone();
        }
        assert!(refusals > 500, "{game} {start}: {refusals}");
    }
}

/// Checks that the reason contains `says`; `to` may be empty.
fn check(game: &'static str, position: &str, throw: Option<u8>, from: &str, to: &str, says: &str) {
    let to = (!to.is_empty()).then_some(to);
    let why = posed(game, position, throw).why_not(Wish { from, to }).expect("cells");
    assert!(why.as_deref().is_some_and(|why| why.contains(says)), "{game} {position} {from} {to:?}: {why:?}");
}

#[test]
fn whose_turn_it_is_comes_first() {
    check("squish", "start:3", None, "b3", "c3", "not White’s, who is to move");
    check("squish", "start:3", None, "c3", "", "no piece on c3");
    check("swish", "w1w/4/1ooo1/4/b1b w", None, "c3", "", "only rooks move");
    check("squinch", "start", None, "a8", "", "not Red’s");
    check("senet", "start", Some(2), "9", "", "not Black’s, whose turn it is");
    check("squish", "ww/3/2 b", None, "c1", "", "The game is over.");
}

#[test]
fn a_piece_of_squish_steps_towards_friends_only() {
    check("squish", "w2/4/1w2w/4/b1b w", None, "e1", "", "No friend is in line with e1");
    check("squish", "w2/4/w1w2/4/b1b w", None, "c1", "b1", "beyond b1 there is none");
    check("squish", "w2/4/w1w2/4/b1b w", None, "c1", "c4", "not next to c1");
    check("squish", "3/2b1/1ww2/4/w1b w", None, "c2", "c3", "A friend stands on c3");
    check("squish", "3/2b1/1ww2/4/b1w w", None, "c2", "", "hemmed in");
}

#[test]
fn a_piece_of_flowish_steps_along_its_flowline() {
    // The group of two is the largest; the piece on e3 sees no piece of it, the one on c5 sees c2.
    check("flowish", "2w/4/ww2w/4/b1b w", None, "c1", "", "belongs to the largest group");
    check("flowish", "2w/4/ww2w/4/b1b w", None, "c5", "b4", "only towards its nearest target");
    check("flowish", "2w/4/ww2w/4/b1b w", None, "e3", "", "on no flowline");
}

#[test]
fn a_rook_of_swish_leaps_one_row_of_one_kind() {
    let board = "w1w/4/wob1o/4/b1b w";
    check("swish", board, None, "c1", "c4", "holds beads and rooks together");
    check("swish", board, None, "c1", "c3", "An enemy rook stands on c3");
    check("swish", board, None, "e1", "b4", "is not in line");
    check("swish", "w2/4/1wwo1/4/b1b w", None, "c2", "c5", "own rooks cannot be leaped");
    check("swish", "2w1/5/6/wo1o2b/6/5/b3 w", None, "d1", "d5", "one row only");
    check("swish", "woo/oo2/o1b2/4/w1b w", None, "e1", "", "no row that it could leap");
}

#[test]
fn a_rook_of_squeeze_never_leaps() {
    check("squeeze", "w1w/4/wo2o/4/b1b w", None, "c1", "c3", "A bead lies on c2 in the way");
    check("squeeze", "w1w/oo2/oo3/4/b1b w", None, "e1", "e3", "A rook of the same side stands on e3");
    check("squeeze", "woo/oo2/o1b2/4/w1b w", None, "e1", "", "slides over vacant cells only");
}

#[test]
fn a_checker_of_squinch_goes_as_far_as_its_stack_is_high() {
    let board = "w1,3/4/1,r2,r1,1/r1,3 r";
    check("squinch", board, None, "b2", "b2", "already");
    check("squinch", board, None, "b2", "a2", "and a2 is empty");
    check("squinch", board, None, "b2", "c2", "at least as high as its own, 2");
    check("squinch", board, None, "b2", "a1", "never go back");
    check("squinch", board, None, "a1", "a3", "goes no farther than 1");
    check("squinch", board, None, "b2", "c4", "none of these");
    check("squinch", board, None, "a1", "off", "The far edge is 4 away");
    check("squinch", "3/w1,w1,w1/1,r1,1 r", None, "b1", "", "held by enemies");
    check("squinch", "w1,2/3/r3,2 r", None, "a1", "a3", "never ends on an enemy");
}

#[test]
fn a_piece_of_senet_goes_as_far_as_was_thrown() {
    let start = "wbwbwbwbw1/b9/10 b";
    check("senet", start, Some(2), "8", "9", "A throw of 2 takes the piece on 8 to 10");
    check("senet", start, Some(2), "2", "", "A friend stands on 4");
    check("senet", "b4wwb2/10/10 b", Some(6), "1", "", "stands in a row of two");
    check("senet", "b1www5/b9/10 b", Some(6), "1", "", "Three enemies in a row");
    check("senet", "b9/10/3b1w4 b", Some(2), "24", "", "safe there");
    check("senet", "b3w5/10/7b2 b", Some(2), "28", "", "all others of its side stand on 21 to 30");
    check("senet", "b3w5/10/7b2 b", Some(6), "28", "", "an exact throw");
    check("senet", "10/10/2w4bb1 b", Some(6), "29", "", "which is taken");
    check("senet", "w9/10/7bb1 b", None, "28", "20", "No throw takes the piece from 28 to 20");
}
