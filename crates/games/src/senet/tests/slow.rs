//! A second, slow, obvious generator, written from the sentences of the rules and not from the fast one.

use std::collections::BTreeSet;

/// A board as a reader of its text sees it; `squares[0]` is not used.
#[derive(Clone)]
pub(super) struct Slow {
    squares: [char; 31],
    turn: char,
}

const EMPTY: char = '.';

impl Slow {
    /// Reads a canonical text.
    pub(super) fn read(text: &str) -> Self {
        let (board, turn) = text.split_once(' ').expect("board and turn");
        let mut squares = vec![EMPTY];
        for row in board.split('/') {
            for part in row.replace("10", "55").chars() {
                match part.to_digit(10) {
                    Some(empty) => squares.extend(vec![EMPTY; empty as usize]),
                    None => squares.push(part),
                }
            }
        }
        Self { squares: squares.try_into().expect("thirty squares"), turn: turn.chars().next().unwrap() }
    }

    fn write(&self) -> String {
        let rows = [1, 11, 21].map(|first| {
            let mut row = String::new();
            let mut empty = 0;
            for &square in &self.squares[first..first + 10] {
                if square == EMPTY {
                    empty += 1;
                } else {
                    row += &if empty > 0 { format!("{empty}{square}") } else { square.to_string() };
                    empty = 0;
                }
            }
            if empty > 0 { row + &empty.to_string() } else { row }
        });
        format!("{} {}", rows.join("/"), self.turn)
    }

    fn enemy(&self) -> char {
        if self.turn == 'b' { 'w' } else { 'b' }
    }

    /// Three or more enemies in consecutive squares, all strictly between the two.
    fn jumps_a_row(&self, low: usize, high: usize) -> bool {
        (low + 1..high).any(|a| a + 2 < high && (a..=a + 2).all(|s| self.squares[s] == self.enemy()))
    }

    /// The enemy on this square stands alone, and not in one of the safe houses.
    fn can_be_bumped(&self, square: usize) -> bool {
        let alone = self.squares[square - 1] != self.enemy() && self.squares[square + 1] != self.enemy();
        alone && ![26, 28, 29].contains(&square)
    }

    /// The move's text and the board after it, before the next player to throw is set.
    fn go(&self, from: usize, to: usize) -> (String, Self) {
        let mut after = self.clone();
        let bumped = self.squares[to] == self.enemy();
        after.squares[from] = EMPTY;
        if to == 27 {
            let first = (1..=30).find(|&s| after.squares[s] == EMPTY).unwrap();
            after.squares[first] = self.turn;
            return (format!("{from}-27>{first}"), after);
        }
        if to == 30 {
            return (format!("{from}-off"), after);
        }
        after.squares[to] = self.turn;
        if bumped {
            after.squares[from] = self.enemy();
        }
        (format!("{from}{}{to}", if bumped { 'x' } else { '-' }), after)
    }

    fn forward(&self, from: usize, score: usize) -> Option<(String, Self)> {
        let to = from + score;
        let at_home = (1..=20).all(|s| self.squares[s] != self.turn);
        let fits = to < 30 || (to == 30 && at_home);
        if !fits || self.jumps_a_row(from, to) || self.squares[to] == self.turn {
            return None;
        }
        (self.squares[to] == EMPTY || self.can_be_bumped(to)).then(|| self.go(from, to))
    }

    fn backward(&self, from: usize, score: usize) -> Option<(String, Self)> {
        let to = from.checked_sub(score).filter(|&to| to >= 1)?;
        (self.squares[to] == EMPTY && !self.jumps_a_row(to, from)).then(|| self.go(from, to))
    }

    /// All moves with the texts of the positions that they lead to; empty once the game is over.
    pub(super) fn moves(&self, score: usize) -> BTreeSet<(String, String)> {
        if !self.squares.contains(&'b') || !self.squares.contains(&'w') {
            return BTreeSet::new();
        }
        let own: Vec<usize> = (1..=30).filter(|&s| self.squares[s] == self.turn).collect();
        let mut moves: Vec<_> = own.iter().filter_map(|&from| self.forward(from, score)).collect();
        if moves.is_empty() {
            moves = own.iter().filter_map(|&from| self.backward(from, score)).collect();
        }
        let passes = moves.is_empty();
        if passes {
            moves.push(("pass".to_owned(), self.clone()));
        }
        let other_throws = passes || score == 2 || score == 3;
        let settle = |mut after: Self| {
            if other_throws {
                after.turn = self.enemy();
            }
            after.write()
        };
        moves.into_iter().map(|(text, after)| (text, settle(after))).collect()
    }
}
