//! Positions to ask about: random ones, play from starts, and the surroundings of known results.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use marquis_engine::{Engine, Registry};

use super::asked;
use super::book::{Book, Entry};
use super::case::Case;
use super::document::Document;
use crate::draw::Draw;
use crate::fast::Fast;
use crate::games;
use crate::reference::hexboard::{DIRECTIONS, HexBoard, step};
use crate::reference::symmetry::images;
use crate::reference::{Immobile, senet};
use crate::setups;

/// The maximum length of a random game.
const MOST_PLIES: usize = 80;
/// The maximum depth of a walk inside a proof.
const MOST_STEPS: usize = 12;

/// The origins of positions, in rotation.
pub const ORIGINS: [&str; 8] = ["random", "few", "end", "book", "play", "proof", "few", "set-up"];

/// The sources of positions of each game.
pub struct Sources {
    starts: HashMap<&'static str, Vec<String>>,
    /// Known results.
    pub book: Book,
}

impl Sources {
    /// The starts of these games, and the book.
    #[must_use]
    pub fn new(registry: &Registry) -> Self {
        let starts = |game: &'static str| {
            let known = registry.game(game).expect("a registered game");
            let starts = known.starts().into_iter().map(|start| start.position).collect();
            (game, starts)
        };
        Self { starts: games::all().into_iter().map(starts).collect(), book: Book::read() }
    }

    /// Draws a position of a game.
    ///
    /// * `origin`: one of [`ORIGINS`]; if the game has no such positions, `few` is used.
    /// * `guide`: knows the positions inside proofs.
    pub fn draw(
        &self,
        game: &'static str,
        origin: &'static str,
        guide: &Arc<Engine>,
        draw: &mut Draw,
    ) -> Case {
        let immobile = if draw.below(3) == 0 { Immobile::Pass } else { Immobile::Loss };
        let has_set_ups = ["swish", "squeeze"].contains(&game);
        // Known results assume the default rule.
        let by_default = ["book", "proof"].contains(&origin) || !has_set_ups;
        let immobile = if by_default { Immobile::Loss } else { immobile };
        let case = |position: String, origin| Case { game, immobile, position, origin };
        let rules = Fast::of(game, immobile);
        let found = match origin {
            "random" => Some(random(game, draw)),
            "few" => Some(few(game, draw)),
            "end" => Some(before_the_end(&rules, self.any_start(game, draw), draw)),
            "play" => {
                let plies = draw.between(0, 12);
                Some(played(&rules, self.any_start(game, draw), plies, draw))
            }
            "book" => self.around_the_book(game, &rules, draw),
            "proof" => self.inside_a_proof(game, &rules, guide, draw),
            "set-up" => has_set_ups.then(|| set_up(draw)),
            other => panic!("{other} is no origin"),
        };
        match found {
            Some(position) => case(rules.canonical(&position).unwrap_or(position), origin),
            None => {
                let position = few(game, draw);
                case(rules.canonical(&position).unwrap_or(position), "few")
            }
        }
    }

    /// Positions for which earlier versions reported less than was proved, some of them their own images.
    #[must_use]
    pub fn named(game: &'static str) -> Vec<Case> {
        let all = [
            ("squish", "3/b2w/bw1w1/1b2/3 w"),
            ("squish", "1wb1/1w1wb/b1wb1w/1wb1wb1/b1wb1w/wbbwb/1w2 w"),
            ("squish", "1wb1/1w1wb/b1wb1w/1wb1wb1/b1wb1w/wb1wb/1wb1 b"),
            ("squish", "1wb1/wb1wb/b1wb1w/1wb1wb1/b1wb1w/ww1wb/2b1 b"),
            ("flowish", "2b2/6/6w/3w4/8b/8/w1b4/6/5 w"),
            ("flowish", "1wb1/wb1wb/b1wb1w/1wb1wb1/b1ww1w/wb2b/1wb1 b"),
            ("flowish", "1wb1/wb1wb/b1wb1w/1wb1wb1/b1wb1w/wbwwb/2b1 b"),
            ("swish", "w2/1o1b/1oo1w/1oo1/b2 w 0-0 3"),
            ("swish", "w1w/4/1ooo1/4/b1b w 0-0 2"),
            ("swish", "1b1/1oow/1ooo1/boo1/1w1 b 0-0 4"),
            ("squeeze", "w1w/4/1ooo1/4/b1b w 0-0 2"),
            ("squinch", "r1,1/1,w1 w"),
            ("squinch", "w1,w1,w1/3/3/r1,r1,r1 w"),
            ("squinch", "w1,w1,w1,w1/4/4/r1,r1,r1,r1 r"),
            ("squinch", "w1,w1,w1/w1,w1,w1/3/3/r1,r1,r1/r1,r1,r1 r"),
            ("senet", "wbwb6/10/10 b"),
            ("senet", "wbwbwb4/10/10 b"),
            ("senet", "wbwbwbwb2/10/10 b"),
        ];
        let of_game = all.into_iter().filter(|(own, _)| *own == game);
        let named = of_game.filter_map(|(game, position)| {
            let position = Fast::of(game, Immobile::Loss).canonical(position).ok()?;
            Some(Case { game, immobile: Immobile::Loss, position, origin: "issue" })
        });
        named.collect()
    }

    fn any_start(&self, game: &str, draw: &mut Draw) -> String {
        match draw.below(4) {
            0 => few(game, draw),
            // Swish and Squeeze start with a set-up.
            _ if self.starts[game].is_empty() => set_up(draw),
            _ => draw.pick(&self.starts[game]).clone(),
        }
    }

    /// A known result, or up to two plies after it or one before, as one of its images.
    fn around_the_book(&self, game: &str, rules: &Fast, draw: &mut Draw) -> Option<String> {
        let own: Vec<&Entry> = self.book.of(game).collect();
        let position = draw.pick_any(&own)?.position.clone();
        let near = match draw.below(4) {
            0 => one_before(game, rules, &position, draw).unwrap_or(position),
            steps => played(rules, position, steps - 1, draw),
        };
        Some(draw.pick(&images(game)).position(game, &near))
    }

    /// A position inside a proof, or one step outside.
    fn inside_a_proof(&self, game: &str, rules: &Fast, guide: &Engine, draw: &mut Draw) -> Option<String> {
        let own: Vec<&Entry> = self.book.of(game).filter(|entry| entry.proof.is_some()).collect();
        let entry = draw.pick_any(&own)?;
        let case = |position: &str| Case {
            game: games::named(game).id().name(),
            immobile: Immobile::Loss,
            position: position.to_owned(),
            origin: "proof",
        };
        let mut here = entry.position.clone();
        for _ in 0..draw.between(1, MOST_STEPS) {
            let answer =
                asked::probe(guide, &case(&here).query()).ok().and_then(|json| Document::read(&json).ok());
            let known = |own: &&super::document::Move| own.verdict.value.is_some();
            let Some(answer) = answer else { break };
            let mut inside: Vec<&str> =
                answer.listed().iter().filter(known).map(|own| own.position.as_str()).collect();
            if inside.is_empty() && answer.root.value.is_some() {
                // Every reply to a lost position is inside.
                inside = answer.listed().iter().map(|own| own.position.as_str()).collect();
            }
            let Some(next) = draw.pick_any(&inside) else { break };
            here = (*next).to_owned();
            if rules.over(&here).is_some() {
                break;
            }
        }
        if draw.below(6) == 0 {
            here = played(rules, here, 1, draw);
        }
        Some(draw.pick(&images(game)).position(game, &here))
    }
}

impl Draw {
    /// One of `things`; `None` if there are none.
    pub fn pick_any<T: Copy>(&mut self, things: &[T]) -> Option<T> {
        if things.is_empty() { None } else { Some(*self.pick(things)) }
    }
}

/// A random position in a valid notation.
fn random(game: &str, draw: &mut Draw) -> String {
    match game {
        "squish" | "flowish" => {
            let side = draw.between(2, 5);
            setups::unification(draw, side)
        }
        "swish" | "squeeze" => {
            let side = draw.between(2, 5);
            setups::rooks_and_beads(draw, side)
        }
        "squinch" => {
            let (files, ranks) = (draw.between(2, 8), draw.between(1, 8));
            setups::squinch(draw, files, ranks)
        }
        "senet" => {
            let (white, black) = (draw.between(0, 5), draw.between(0, 5));
            setups::senet(draw, white, black)
        }
        _ => by_play(game, draw),
    }
}

/// Few pieces, so that the end is near and all reachable positions can be listed.
fn few(game: &str, draw: &mut Draw) -> String {
    match game {
        "squish" | "flowish" => {
            let side = *draw.pick(&[2, 3, 3, 3, 4]);
            let (mut board, mut cells) = empty(side, draw);
            for letter in ['w', 'b'] {
                for _ in 0..draw.between(2, 3) {
                    board.pieces.extend(cells.pop().map(|cell| (cell, letter)));
                }
            }
            format!("{} {}", board.write(), draw.pick(&['w', 'b']))
        }
        "swish" | "squeeze" => {
            let side = *draw.pick(&[2, 3, 3]);
            let (mut board, mut cells) = empty(side, draw);
            let beads = draw.between(1, 4);
            for letter in ['w', 'b'] {
                for _ in 0..draw.between(1, 2) {
                    board.pieces.extend(cells.pop().map(|cell| (cell, letter)));
                }
            }
            let beads = beads.min(cells.len());
            board.pieces.extend(cells.into_iter().take(beads).map(|cell| (cell, 'o')));
            let target = draw.between(1, beads);
            format!("{} {} 0-0 {target}", board.write(), draw.pick(&['w', 'b']))
        }
        "squinch" => {
            let (files, ranks) = (draw.between(2, 3), draw.between(2, 4));
            let full = setups::squinch(draw, files, ranks);
            // Tall stacks take long: one checker per stack.
            let lower = |letter: char| if letter.is_ascii_digit() { '1' } else { letter };
            let mut last = ' ';
            let mut text = String::new();
            for letter in full.chars() {
                let is_height = "rw".contains(last);
                text.push(if is_height { lower(letter) } else { letter });
                last = letter;
            }
            text
        }
        "senet" => {
            let (white, black) = (draw.between(1, 2), draw.between(1, 2));
            setups::senet(draw, white, black)
        }
        _ => by_play(game, draw),
    }
}

/// A position after random moves from a start, for games without generators of positions.
fn by_play(game: &str, draw: &mut Draw) -> String {
    let start = draw.pick(&games::starts(game)).position.clone();
    let plies = draw.between(0, MOST_PLIES);
    played(&Fast::of(game, Immobile::Loss), start, plies, draw)
}

fn empty(side: i32, draw: &mut Draw) -> (HexBoard, Vec<(i32, i32)>) {
    let board = HexBoard { side, pieces: BTreeMap::new() };
    let mut cells = board.cells();
    draw.shuffle(&mut cells);
    (board, cells)
}

/// The first position of a set-up: rooks on edge cells, beads on inner ones.
fn set_up(draw: &mut Draw) -> String {
    let side = *draw.pick(&[2, 3, 3, 3, 4]);
    let (mut board, cells) = empty(side, draw);
    let on_edge = |&(q, r): &(i32, i32)| q.abs().max(r.abs()).max((q + r).abs()) == side - 1;
    let (mut edge, inner): (Vec<_>, Vec<_>) = cells.into_iter().partition(on_edge);
    let half_turn = draw.below(2) == 0;
    for _ in 0..draw.between(1, 2) {
        let Some(white) = edge.pop() else { break };
        let opposite = (-white.0, -white.1);
        let found = edge.iter().position(|&cell| half_turn && cell == opposite);
        let black = match found {
            Some(place) => Some(edge.remove(place)),
            None => edge.pop(),
        };
        board.pieces.insert(white, 'w');
        board.pieces.extend(black.map(|cell| (cell, 'b')));
    }
    let beads = draw.between(1, inner.len().min(5));
    for cell in inner.into_iter().take(beads) {
        board.pieces.insert(cell, 'o');
        if half_turn {
            board.pieces.insert((-cell.0, -cell.1), 'o');
        }
    }
    let beads = board.all('o').len();
    format!("{} {} 0-0 {}", board.write(), draw.pick(&['w', 'b']), beads / 2 + 1)
}

/// The moves of a position, for a random throw in games with throws.
fn any_moves(rules: &Fast, position: &str, draw: &mut Draw) -> Vec<(String, String)> {
    let throw = rules.has_throws().then(|| draw.pick(&senet::THROWS).0);
    rules.moves(position, throw)
}

/// The position after at most `plies` random moves, where the game is not over.
fn played(rules: &Fast, from: String, plies: usize, draw: &mut Draw) -> String {
    let mut here = from;
    for _ in 0..plies {
        let moves = any_moves(rules, &here, draw);
        if moves.is_empty() {
            break;
        }
        let (_, next) = draw.pick(&moves).clone();
        if rules.over(&next).is_some() {
            break;
        }
        here = next;
    }
    here
}

/// A position up to three plies before the end of a random game.
fn before_the_end(rules: &Fast, from: String, draw: &mut Draw) -> String {
    let mut passed = vec![from];
    while passed.len() < MOST_PLIES {
        let here = passed.last().expect("the first").clone();
        let moves = any_moves(rules, &here, draw);
        if moves.is_empty() {
            break;
        }
        let (_, next) = draw.pick(&moves).clone();
        passed.push(next);
    }
    let back = draw.between(1, 3).min(passed.len() - 1);
    passed.swap_remove(passed.len() - 1 - back)
}

/// A position with a move to this one; `None` if a few tries find none.
fn one_before(game: &str, rules: &Fast, position: &str, draw: &mut Draw) -> Option<String> {
    if !["squish", "flowish", "swish", "squeeze"].contains(&game) {
        return None;
    }
    let (board, fields) = position.split_once(' ')?;
    let turn = fields.chars().next()?;
    let mover = if turn == 'w' { 'b' } else { 'w' };
    let fields = fields.replacen(turn, &mover.to_string(), 1);
    let board = HexBoard::read(board);
    let mut moved: Vec<_> = board.all(mover).into_iter().collect();
    draw.shuffle(&mut moved);
    for cell in moved {
        let (direction, steps) = (*draw.pick(&DIRECTIONS), *draw.pick(&[2, 3, 4]));
        for steps in [1, steps] {
            let from = step(cell, direction, steps);
            if !board.has(from) || board.pieces.contains_key(&from) {
                continue;
            }
            let mut before = board.clone();
            let piece = before.pieces.remove(&cell)?;
            before.pieces.insert(from, piece);
            if draw.below(3) == 0 && ["squish", "flowish"].contains(&game) {
                before.pieces.insert(cell, turn);
            }
            let before = format!("{} {fields}", before.write());
            let leads_here = rules.moves(&before, None).iter().any(|(_, after)| after == position);
            if leads_here {
                return Some(before);
            }
        }
    }
    None
}
