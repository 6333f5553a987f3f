//! Scurry against a second implementation and a plain solver, both written from the rules page.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use marquis_chance::{IterationLimits, solve};
use marquis_core::{Chance, ChanceNotation as _, Player, Sharing, Slot};

use super::{MOST, Move, Position, SQUARES, Scurry, THROWS, parse, parse_throw};
use crate::draw::Draw;

/// The six sides of the die.
const DIE: [u8; 6] = [1, 1, 1, 2, 2, 3];
/// The place of a piece that has been borne off.
const OFF: u8 = 11;
/// The maximum distance of the bounds.
const GAP: f64 = 1e-9;

/// The places of the pieces in ascending order, with home as 0: of the player to throw, and of the opponent.
type Plain = [[u8; 3]; 2];

fn over([own, other]: Plain) -> Option<f64> {
    if own == [OFF; 3] {
        return Some(1.0);
    }
    (other == [OFF; 3]).then_some(0.0)
}

/// All positions after a throw of the player to move, from the view of the next player to throw.
fn after([own, other]: Plain, throw: u8) -> Vec<Plain> {
    let mut found = Vec::new();
    for piece in 0..3 {
        let to = own[piece] + throw;
        if own[piece] == OFF || to > OFF || (to < OFF && own.contains(&to)) {
            continue;
        }
        let mut own = own;
        own[piece] = to;
        own.sort_unstable();
        let mut other = other.map(|at| if at == to && to < OFF { 0 } else { at });
        other.sort_unstable();
        found.push([own, other]);
    }
    if found.is_empty() {
        found.push([own, other]);
    }
    if throw > 1 {
        found.iter_mut().for_each(|sides| sides.reverse());
    }
    found
}

/// The chance of the player to throw in all positions reachable from the start, by plain value iteration.
fn plainly_solved() -> BTreeMap<Plain, f64> {
    let mut found: BTreeMap<Plain, usize> = BTreeMap::from([([[0; 3]; 2], 0)]);
    let mut states = vec![[[0; 3]; 2]];
    let mut edges: Vec<Vec<Vec<usize>>> = Vec::new();
    while let Some(&state) = states.get(edges.len()) {
        let mut number = |next: Plain| {
            *found.entry(next).or_insert_with(|| {
                states.push(next);
                states.len() - 1
            })
        };
        let mut each = |side: u8| after(state, side).into_iter().map(&mut number).collect();
        edges.push(if over(state).is_some() { Vec::new() } else { (1..=3).map(&mut each).collect() });
    }
    let mut chances: Vec<f64> = states.iter().map(|&state| over(state).unwrap_or(0.5)).collect();
    let mut change = 1.0;
    while change > 1e-14 {
        change = 0.0_f64;
        for state in (0..states.len()).filter(|&state| !edges[state].is_empty()) {
            let best = |side: &u8| {
                let next = edges[state][usize::from(*side) - 1].iter().map(|&next| chances[next]);
                let worth = next.map(|chance| if *side == 1 { chance } else { 1.0 - chance });
                worth.fold(0.0, f64::max)
            };
            let chance = DIE.iter().map(best).sum::<f64>() / 6.0;
            change = change.max((chance - chances[state]).abs());
            chances[state] = chance;
        }
    }
    found.into_iter().map(|(state, number)| (state, chances[number])).collect()
}

fn plain(position: &Position) -> Plain {
    [position.turn, position.turn.opponent()].map(|player| {
        let side = position.sides[player];
        let mut at = [OFF; 3];
        let pieces = std::iter::repeat_n(0, side.home.into()).chain(side.track.map(|cell| cell.0 + 1));
        at.iter_mut().zip(pieces).for_each(|(at, piece)| *at = piece);
        at
    })
}

fn swapped(position: &Position) -> Position {
    Scurry.swapped(position)
}

fn moves(position: &Position, throw: marquis_core::Throw) -> Vec<Move> {
    let mut out = Vec::new();
    Scurry.moves(position, throw, &mut out);
    out
}

/// Every unfinished position, with Red to throw.
fn all() -> impl Iterator<Item = Position> {
    let slots = |layer| (0..Scurry.slots(layer)).map(move |slot| Scurry.position(layer, Slot(slot)));
    Scurry.layers().into_iter().flat_map(slots)
}

#[test]
fn bounds_of_every_chance_hold_what_a_plain_solver_finds() {
    let never = AtomicBool::new(false);
    let limits = IterationLimits {
        states: 1 << 20,
        deadline: None,
        sharing: Sharing::alone(),
        stop: &never,
        gap: GAP,
    };
    let solved = solve(&Scurry, &Scurry.start(), &limits, &mut |_| ()).expect("small");
    let plainly = plainly_solved();
    assert_eq!(solved.states(), plainly.len());
    for (position, between) in solved.iter() {
        let chance = plainly[&plain(position)];
        assert!(between.gap() <= GAP, "{}", Scurry.position_text(position));
        let near = between.lower - 1e-12 <= chance && chance <= between.upper + 1e-12;
        assert!(near, "{}: {chance} is not in {between:?}", Scurry.position_text(position));
    }
    let unfinished = plainly.keys().filter(|&&state| over(state).is_none()).count();
    assert_eq!((unfinished, all().count()), (30_896, 30_939), "reached from the start, and numbered");
    let start = plainly[&plain(&Scurry.start())];
    assert!((start - 0.512_953).abs() < 1e-6, "{start}");
}

#[test]
fn moves_are_those_of_the_page() {
    let mut passes = 0;
    for position in all() {
        for throw in THROWS {
            let legal = moves(&position, throw);
            passes += usize::from(legal == [Move::Pass]);
            let ours: BTreeSet<Plain> = legal
                .iter()
                .map(|&mv| {
                    let next = Scurry.play(&position, throw, mv);
                    assert_eq!(next.turn == position.turn, throw.score == 1);
                    plain(&next)
                })
                .collect();
            assert_eq!(ours.len(), legal.len(), "no two moves lead to one position");
            let page = after(plain(&position), throw.score).into_iter().collect();
            assert_eq!(ours, page, "{} {}", throw.score, Scurry.position_text(&position));
        }
    }
    assert!(passes > 0, "there are throws that leave no move");
}

#[test]
fn the_colours_can_be_swapped() {
    for position in all() {
        let swap = swapped(&position);
        assert_eq!(Scurry.as_mover(&swap), position);
        assert_eq!(Scurry.slot(&swap), Scurry.slot(&position));
        for throw in THROWS {
            let legal = moves(&position, throw);
            assert_eq!(moves(&swap, throw), legal);
            for mv in legal {
                let after = Scurry.play(&position, throw, mv);
                assert_eq!(Scurry.play(&swap, throw, mv), swapped(&after));
                let losers = [&after, &swapped(&after)].map(|end| {
                    let over = Scurry.over(end)?;
                    Some(over.outcome.for_mover(end.turn))
                });
                assert_eq!(losers[0], losers[1]);
            }
        }
    }
}

#[test]
fn a_throw_of_one_moves_a_piece_and_throws_again_until_all_are_off() {
    let left = |position: &Position| plain(position)[0].map(|at| u32::from(OFF - at)).iter().sum::<u32>();
    for position in all() {
        for mv in moves(&position, THROWS[0]) {
            let after = Scurry.play(&position, THROWS[0], mv);
            assert_eq!((left(&after) + 1, after.turn), (left(&position), position.turn));
            assert_eq!(Scurry.over(&after).is_some(), left(&after) == 0);
        }
    }
}

#[test]
fn a_thousand_random_games_end() {
    let mut draw = Draw::new(5);
    let mut won = [0; 2];
    for game in 0..1000 {
        let (mut position, mut throws) = (Scurry.start(), 0);
        let over = loop {
            if let Some(over) = Scurry.over(&position) {
                break over;
            }
            assert!(throws < 5000, "game {game} does not end: {}", Scurry.position_text(&position));
            let throw = parse_throw(&draw.pick(&DIE).to_string()).expect("a throw");
            position = Scurry.play(&position, throw, *draw.pick(&moves(&position, throw)));
            throws += 1;
        };
        won[usize::from(over.outcome == marquis_core::Outcome::Winner(Player::Second))] += 1;
    }
    assert!(won[0] > 400 && won[1] > 400, "{won:?}");
}

#[test]
fn numbers_and_names_of_layers_are_found_again() {
    assert_eq!(Scurry.layers().len(), 9);
    for layer in Scurry.layers() {
        assert_eq!(Scurry.layer_named(&Scurry.layer_name(layer)), Some(layer));
        let (component, below) = (Scurry.component(layer), Scurry.child_layers(layer));
        let mut entered = BTreeSet::new();
        for slot in (0..Scurry.slots(layer)).map(Slot) {
            let position = Scurry.position(layer, slot);
            assert_eq!((Scurry.slot(&position), Scurry.layer(&position)), ((layer, slot), Some(layer)));
            for throw in THROWS {
                let next = moves(&position, throw).into_iter().map(|mv| Scurry.play(&position, throw, mv));
                entered.extend(next.filter_map(|next| Scurry.layer(&next)));
            }
        }
        assert!(entered.iter().all(|next| component.contains(next) || below.contains(next)), "{layer:?}");
        assert!(component.iter().all(|one| entered.contains(one) && !below.contains(one)), "{layer:?}");
    }
    for bad in ["", "0v1", "4v1", "3v", "03v2", "3v2 "] {
        assert_eq!(Scurry.layer_named(bad), None, "{bad:?}");
    }
    assert_eq!(Scurry::of_variant(&Scurry.variant()), Some(Scurry));
    assert_eq!(Scurry::of_variant("squares=9"), None);
}

#[test]
fn a_text_gives_its_position_back() {
    for position in all().flat_map(|position| [position, swapped(&position)]) {
        assert_eq!(parse(&Scurry.position_text(&position)), Ok((Scurry, position)));
    }
    for (position, throw) in all().step_by(7).flat_map(|position| THROWS.map(|throw| (position, throw))) {
        for mv in moves(&position, throw) {
            let text = Scurry.move_text(&position, mv);
            assert_eq!(Scurry.parse_move(&position, throw, &text), Ok(mv), "{text}");
        }
    }
    assert_eq!(Scurry.position_text(&Scurry.start()), "10 3-3 r");
    let (_, position) = parse("1r3b4 2-1 b").expect("the text of the page");
    assert_eq!(plain(&position), [[0, 6, OFF], [0, 0, 2]]);
    assert_eq!(parse("_0010__3-03 r").map(|(_, position)| position), Ok(Scurry.start()));
}

#[test]
fn bad_texts_name_the_place() {
    let home = "home: expected Red's and Blue's pieces at home, 0 to 3 each, such as `3-3`, found";
    let cases = [
        ("", "squares: expected 10 squares, found 0".to_owned()),
        ("9 3-3 r", "squares: expected 10 squares, found 9".to_owned()),
        ("9rb 2-2 r", "squares: expected 10 squares and no more, found `9rb`".to_owned()),
        ("300 3-3 r", "squares: expected 10 squares and no more, found `300`".to_owned()),
        ("9w 3-3 r", "squares: expected `r`, `b` or a number of empty squares, found `w`".to_owned()),
        ("10", format!("{home} nothing")),
        ("10 4-3 r", format!("{home} `4-3`")),
        ("10 3 r", format!("{home} `3`")),
        ("7rrr 1-0 r", "pieces of `r`: expected at most 3, found 4".to_owned()),
        (
            "10 0-0 r",
            "pieces: expected a piece of the side that has not won, found none of either".to_owned(),
        ),
        ("10 3-3 w", "player to move: expected `r` or `b`, found `w`".to_owned()),
        ("10 3-3 r 1", "after the last field: expected the end of the text, found `1`".to_owned()),
    ];
    for (text, expected) in cases {
        assert_eq!(parse(text).expect_err(text).to_string(), expected, "{text}");
    }
    for text in ["", "0", "4", "+1", "one"] {
        assert_eq!(parse_throw(text).expect_err(text).place, "throw", "{text}");
    }
    let (_, position) = parse("1b7r 0-2 r").expect("a position");
    let error = |throw: usize, text| {
        Scurry.parse_move(&position, THROWS[throw], text).expect_err("illegal").to_string()
    };
    assert_eq!(error(0, "10-11"), "move: expected for the throw 1 one of 10-off, found `10-11`");
    assert_eq!(error(1, "10-off"), "move: expected for the throw 2 one of pass, found `10-off`");
    let (_, over) = parse("10 0-1 b").expect("a finished game");
    let error = Scurry.parse_move(&over, THROWS[0], "0-1").expect_err("over").to_string();
    assert_eq!(error, "move: expected no move, the game is over, found `0-1`");
    assert_eq!((SQUARES, MOST), (OFF - 1, 3));
}
