//! Senet after Jéquier: a track of thirty squares, four sticks, and five houses at the end.

use std::collections::BTreeMap;

use super::rows::{EMPTY, only_letter, opponent, read_row, write_row};
use super::{End, Moves};

/// The throws: score, and weight out of 16.
pub const THROWS: [(i32, u32); 5] = [(1, 4), (2, 6), (3, 4), (4, 1), (6, 1)];

/// The rules of Senet.
#[derive(Clone, Copy, Debug)]
pub struct Senet;

/// The pieces on the track, and the player to throw.
#[derive(Clone, Debug)]
pub struct Position {
    /// The colour on each occupied square; squares count from 1.
    pub track: BTreeMap<i32, char>,
    /// `w` or `b`.
    pub turn: char,
}

/// The destination of a piece.
enum Way {
    /// To an empty square.
    To(i32),
    /// Into the water on 27, and from there to this square.
    Washed(i32),
    /// Onto an isolated enemy, which moves to the origin of the piece.
    Bump(i32),
    /// Off the board.
    Off,
}

impl Position {
    /// Parses a position.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        assert_eq!(fields.len(), 2, "fields of {text:?}");
        let squares: Vec<char> = fields[0].split('/').flat_map(read_row).collect();
        assert_eq!(squares.len(), 30, "squares of {text:?}");
        let track = (1..).zip(squares).filter(|&(_, letter)| letter != EMPTY).collect();
        Self { track, turn: only_letter(fields[1]) }
    }

    /// The text of the position.
    #[must_use]
    pub fn write(&self) -> String {
        let squares: Vec<char> = (1..=30).map(|square| self.at(square)).collect();
        let rows: Vec<String> = squares.chunks(10).map(write_row).collect();
        format!("{} {}", rows.join("/"), self.turn)
    }

    fn at(&self, square: i32) -> char {
        self.track.get(&square).copied().unwrap_or(EMPTY)
    }

    fn enemy(&self) -> char {
        opponent(['w', 'b'], self.turn)
    }

    /// Whether three consecutive enemies stand strictly between two squares.
    fn is_blocked(&self, a: i32, b: i32) -> bool {
        let enemy = self.enemy();
        let between = a.min(b) + 1..a.max(b);
        between.clone().any(|first| {
            (first..first + 3).all(|square| between.contains(&square) && self.at(square) == enemy)
        })
    }

    /// The square where a piece leaves the water.
    fn lowest_empty(&self, leaving: i32) -> i32 {
        let free = |&square: &i32| square == leaving || self.at(square) == EMPTY;
        (1..).find(free).expect("ten pieces leave a square empty")
    }

    fn forward(&self, from: i32, throw: i32) -> Option<Way> {
        let to = from + throw;
        if to > 30 || self.is_blocked(from, to) || self.at(to) == self.turn {
            return None;
        }
        if to == 30 {
            let all_on_last_row =
                self.track.iter().all(|(&square, &colour)| colour != self.turn || square >= 21);
            return all_on_last_row.then_some(Way::Off);
        }
        if to == 27 {
            return Some(Way::Washed(self.lowest_empty(from)));
        }
        if self.at(to) == self.enemy() {
            let in_a_row = self.at(to - 1) == self.enemy() || self.at(to + 1) == self.enemy();
            let in_a_house = [26, 28, 29].contains(&to);
            return (!in_a_row && !in_a_house).then_some(Way::Bump(to));
        }
        Some(Way::To(to))
    }

    fn backward(&self, from: i32, throw: i32) -> Option<Way> {
        let to = from - throw;
        if to < 1 || self.is_blocked(from, to) || self.at(to) != EMPTY {
            return None;
        }
        Some(if to == 27 { Way::Washed(self.lowest_empty(from)) } else { Way::To(to) })
    }

    fn play(&self, from: i32, way: &Way, throw: i32) -> (String, String) {
        let mut next = self.clone();
        next.track.remove(&from);
        let text = match *way {
            Way::To(to) => {
                next.track.insert(to, self.turn);
                format!("{from}-{to}")
            }
            Way::Washed(to) => {
                next.track.insert(to, self.turn);
                format!("{from}-27>{to}")
            }
            Way::Bump(to) => {
                next.track.insert(to, self.turn);
                next.track.insert(from, self.enemy());
                format!("{from}x{to}")
            }
            Way::Off => format!("{from}-off"),
        };
        if ![1, 4, 6].contains(&throw) {
            next.turn = self.enemy();
        }
        (text, next.write())
    }

    fn end(&self) -> Option<End> {
        let is_off = |colour| self.track.values().all(|&piece| piece != colour);
        if is_off(self.enemy()) {
            Some(End::new("borne-off", "loss"))
        } else if is_off(self.turn) {
            Some(End::new("borne-off", "win"))
        } else {
            None
        }
    }

    fn moves(&self, throw: i32) -> Moves {
        let own = || self.track.iter().filter(|&(_, &colour)| colour == self.turn).map(|(&square, _)| square);
        let all = |rule: fn(&Self, i32, i32) -> Option<Way>| -> Moves {
            own().filter_map(|from| rule(self, from, throw).map(|way| self.play(from, &way, throw))).collect()
        };
        let mut moves = all(Self::forward);
        if moves.is_empty() {
            moves = all(Self::backward);
        }
        if moves.is_empty() {
            let passed = Self { turn: self.enemy(), ..self.clone() };
            moves.insert("pass".to_owned(), passed.write());
        }
        moves
    }
}

impl Senet {
    /// The end of the game; `None` if it is not over.
    #[must_use]
    pub fn over(&self, position: &str) -> Option<End> {
        Position::read(position).end()
    }

    /// All legal moves for a throw, including a forced `pass`; empty if the game is over.
    #[must_use]
    pub fn moves(&self, position: &str, throw: i32) -> Moves {
        let position = Position::read(position);
        if position.end().is_some() { Moves::new() } else { position.moves(throw) }
    }
}
