//! Quixo against a second implementation, written from the rules page with rows of signs that are taken and pushed
//! in.

use std::collections::BTreeSet;

use marquis_core::{Game, Hashed, Indexed, Notation as _, Over, Player, Reason, Slot, Symmetric, Value};

use super::{Cubes, Quixo, Signs, parse};
use crate::draw::Draw;

/// A board as on the page: `signs[y][x]`, from the bottom left; a dot is a blank cube.
#[derive(Clone, PartialEq, Eq)]
struct Plain {
    signs: Vec<Vec<char>>,
    turn: char,
}

impl Plain {
    fn start(edge: usize) -> Self {
        Self { signs: vec![vec!['.'; edge]; edge], turn: 'x' }
    }

    fn text(&self) -> String {
        let row = |row: &Vec<char>| {
            let mut text: String = row.iter().collect();
            for blank in (1..=row.len()).rev() {
                text = text.replace(&".".repeat(blank), &blank.to_string());
            }
            text
        };
        let rows: Vec<String> = self.signs.iter().rev().map(row).collect();
        format!("{} {}", rows.join("/"), self.turn)
    }

    fn has_line(&self, sign: char) -> bool {
        let edge = self.signs.len();
        let full = |at: &dyn Fn(usize) -> (usize, usize)| {
            (0..edge).all(|n| {
                let (x, y) = at(n);
                self.signs[y][x] == sign
            })
        };
        (0..edge).any(|row| full(&|n| (n, row)) || full(&|n| (row, n)))
            || full(&|n| (n, n))
            || full(&|n| (n, edge - 1 - n))
    }

    /// The winning sign; the line of the player to move counts first, because the opponent made the last move.
    fn winner(&self) -> Option<char> {
        [self.turn, other(self.turn)].into_iter().find(|&sign| self.has_line(sign))
    }

    /// Each move with its text.
    fn moves(&self) -> Vec<(String, Self)> {
        let last = self.signs.len() - 1;
        let mut moves = Vec::new();
        for (x, y) in (0..=last).flat_map(|y| (0..=last).map(move |x| (x, y))) {
            let border = [0, last].contains(&x) || [0, last].contains(&y);
            if !border || self.signs[y][x] == other(self.turn) {
                continue;
            }
            for (to_x, to_y) in [(0, y), (last, y), (x, 0), (x, last)] {
                if (to_x, to_y) != (x, y) {
                    let text = format!("{}-{}", name(x, y), name(to_x, to_y));
                    moves.push((text, self.pushed((x, y), (to_x, to_y))));
                }
            }
        }
        moves
    }

    fn pushed(&self, (x, y): (usize, usize), (to_x, to_y): (usize, usize)) -> Self {
        let mut after = self.clone();
        if y == to_y {
            after.signs[y].remove(x);
            after.signs[y].insert(to_x, self.turn);
        } else {
            let mut column: Vec<char> = self.signs.iter().map(|row| row[x]).collect();
            column.remove(y);
            column.insert(to_y, self.turn);
            for (row, sign) in after.signs.iter_mut().zip(column) {
                row[x] = sign;
            }
        }
        after.turn = other(self.turn);
        after
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 || self.winner().is_some() {
            return 1;
        }
        self.moves().iter().map(|(_, after)| after.perft(depth - 1)).sum()
    }
}

fn other(sign: char) -> char {
    if sign == 'x' { 'o' } else { 'x' }
}

fn name(x: usize, y: usize) -> String {
    format!("{}{}", ["a", "b", "c", "d"][x], y + 1)
}

fn moves(game: Quixo, position: &Cubes) -> Vec<u8> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
}

fn perft(game: Quixo, position: &Cubes, depth: u32) -> u64 {
    if depth == 0 || game.over(position).is_some() {
        return 1;
    }
    moves(game, position).into_iter().map(|push| perft(game, &game.play(position, push), depth - 1)).sum()
}

/// The positions of some random games, in both implementations.
fn random(game: Quixo) -> Vec<(Cubes, Plain)> {
    let mut draw = Draw::new(u64::from(game.edge()));
    let mut positions = Vec::new();
    for _ in 0..60 {
        let (mut position, mut plain) = (game.start(), Plain::start(game.edge().into()));
        for _ in 0..40 {
            positions.push((position, plain.clone()));
            if plain.winner().is_some() {
                break;
            }
            let (text, after) = draw.pick(&plain.moves()).clone();
            position = game.play(&position, game.parse_move(&position, &text).expect("legal on the page"));
            plain = after;
        }
    }
    positions
}

#[test]
fn leaves_are_as_many_as_by_the_page() {
    for (game, depth) in [(Quixo::THREE, 4), (Quixo::FOUR, 3)] {
        for depth in 1..=depth {
            let plain = Plain::start(game.edge().into());
            assert_eq!(perft(game, &game.start(), depth), plain.perft(depth), "{game:?} at depth {depth}");
        }
    }
    assert_eq!(perft(Quixo::FOUR, &Quixo::FOUR.start(), 1), 32, "4 corners go in 2 ways, 8 others in 3");
}

#[test]
fn moves_and_their_ends_are_those_of_the_page() {
    for game in [Quixo::THREE, Quixo::FOUR] {
        let mut finished = 0;
        for (position, plain) in random(game) {
            assert_eq!(game.position_text(&position), plain.text());
            assert_eq!(game.over(&position).is_some(), plain.winner().is_some(), "{}", plain.text());
            if let (Some(over), Some(winner)) = (game.over(&position), plain.winner()) {
                finished += 1;
                let won = over.outcome.for_mover(position.turn) == Value::Win;
                assert_eq!(won, winner == plain.turn, "{}", plain.text());
                continue;
            }
            let here =
                |push| (game.move_text(&position, push), game.position_text(&game.play(&position, push)));
            let ours: BTreeSet<_> = moves(game, &position).into_iter().map(here).collect();
            let page: BTreeSet<_> = plain.moves().into_iter().map(|(mv, after)| (mv, after.text())).collect();
            assert_eq!(ours, page, "{}", plain.text());
        }
        assert!(finished > 10, "games of {game:?} come to their ends");
    }
}

#[test]
fn a_text_gives_its_position_back() {
    for game in [Quixo::THREE, Quixo::FOUR] {
        for (position, _) in random(game) {
            assert_eq!(parse(&game.position_text(&position)), Ok((game, position)));
            let legal = moves(game, &position);
            let texts: BTreeSet<String> = legal.iter().map(|&push| game.move_text(&position, push)).collect();
            assert_eq!(texts.len(), legal.len(), "no two moves have one text");
            for push in legal.into_iter().filter(|_| game.over(&position).is_none()) {
                assert_eq!(game.parse_move(&position, &game.move_text(&position, push)), Ok(push));
            }
        }
    }
    assert_eq!(
        parse("_x02/1o1/3__o").map(|(game, cubes)| game.position_text(&cubes)),
        Ok("x2/1o1/3 o".to_owned())
    );
}

#[test]
fn whoever_makes_both_lines_has_lost() {
    let (game, before) = parse("o1x/o1x/1o1 x").expect("a position");
    assert_eq!(game.over(&before), None);
    let after = game.play(&before, game.parse_move(&before, "a1-c1").expect("legal"));
    assert_eq!(game.position_text(&after), "o1x/o1x/o1x o");
    assert_eq!(game.over(&after), Some(Over::won(Reason::Line, Player::Second)));
}

#[test]
fn bad_texts_name_the_place() {
    let cases = [
        ("", "board: expected three or four rows separated by `/`, found nothing"),
        ("3/3 x", "board: expected three or four rows separated by `/`, found rows: 2"),
        ("3/2y/3 x", "row 2: expected `x`, `o` or a number of blank cubes, found `y`"),
        ("3/3/2xo x", "row 3: expected 3 cubes and no more, found `2xo`"),
        ("3/3/257 x", "row 3: expected 3 cubes and no more, found `257`"),
        ("3/xo/3 x", "row 2: expected 3 cubes, as many as there are rows, found 2"),
        (
            "3/3/99999999999 x",
            "row 3: expected a number of empty cells that fits the row, found `99999999999`",
        ),
        ("3/3/3", "player to move: expected `x` or `o`, found nothing"),
        ("3/3/3 w", "player to move: expected `x` or `o`, found `w`"),
        ("3/3/3 x 1", "after the last field: expected the end of the text, found `1`"),
    ];
    for (text, expected) in cases {
        assert_eq!(parse(text).expect_err(text).to_string(), expected, "{text}");
    }
    let (game, position) = parse("o2/3/3 x").expect("a position");
    let mut legal = Vec::new();
    game.moves(&position, &mut legal);
    let named: Vec<_> = legal.iter().take(12).map(|&push| game.move_text(&position, push)).collect();
    assert_eq!((legal.len(), named[0].as_str()), (18, "b1-a1"));
    let known = format!("one of the 18 legal moves ({}, …)", named.join(", "));
    for (text, found) in [("a3-a1", "`a3-a1`"), ("", "nothing")] {
        let expected = format!("move: expected {known}, found {found}");
        assert_eq!(game.parse_move(&position, text).expect_err(text).to_string(), expected, "{text}");
    }
    let (game, over) = parse("ooo/3/3 x").expect("a position");
    let error = game.parse_move(&over, "a1-a3").expect_err("over").to_string();
    assert_eq!(error, "move: expected no move, for the game is over, found `a1-a3`");
}

#[test]
fn images_share_number_ends_and_one_position_that_stands_for_them() {
    for game in [Quixo::THREE, Quixo::FOUR] {
        for (position, _) in random(game) {
            let images: Vec<Cubes> = (0..game.images()).map(|number| game.image(&position, number)).collect();
            assert_eq!(images[0], position);
            let after = |position: &Cubes| {
                let slots =
                    moves(game, position).into_iter().map(|push| game.slot(&game.play(position, push)));
                slots.collect::<BTreeSet<_>>()
            };
            for image in &images {
                assert_eq!(game.slot(image), game.slot(&position));
                assert_eq!(game.canonical(image), game.canonical(&position));
                assert_eq!(game.over(image).is_some(), game.over(&position).is_some());
                assert_eq!(after(image), after(&position));
            }
            assert!(images.contains(&game.canonical(&position)));
            let others: BTreeSet<u64> = images.iter().map(|image| game.key(image)).collect();
            assert_eq!(others.len() as u64, game.sharing(&position), "as many keys as images");
        }
    }
}

#[test]
fn numbers_and_names_of_layers_are_found_again() {
    let game = Quixo::THREE;
    for layer in game.layers() {
        assert_eq!(game.layer_named(&game.layer_name(layer)), Some(layer));
        for slot in (0..game.slots(layer)).map(Slot) {
            let position = game.position(layer, slot);
            assert!(
                position.is_none_or(|position| game.slot(&position) == (layer, slot)),
                "{layer:?} {slot:?}"
            );
        }
    }
    assert_eq!(Quixo::FOUR.layer_name(Signs { mover: 3, opponent: 12 }), "03v12");
    for bad in ["", "3v2", "09v08", "03v", "v03", "255v255", "03v02 "] {
        assert_eq!(Quixo::FOUR.layer_named(bad), None, "{bad:?}");
        assert_eq!(Quixo::THREE.layer_named(bad), None, "{bad:?}");
    }
    for game in [Quixo::THREE, Quixo::FOUR] {
        assert_eq!(Quixo::of_variant(&game.variant()), Some(game));
    }
    assert_eq!(Quixo::of_variant("edge=5"), None);
    assert_eq!(Quixo::new(5), None);
}
