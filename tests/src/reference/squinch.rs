//! Squinch: the top checker of a stack of n moves up to n squares, and off the far edge.

use std::collections::BTreeMap;

use super::rows::{only_letter, opponent};
use super::{End, Moves, Reference};

/// The rules of Squinch.
#[derive(Clone, Copy, Debug)]
pub struct Squinch;

/// A file and a rank, both counted from 1.
pub type Square = (i32, i32);

/// A rectangle with stacks, and the player to move.
#[derive(Clone, Debug)]
pub struct Position {
    /// The number of files.
    pub files: i32,
    /// The number of ranks.
    pub ranks: i32,
    /// The colour and height of each stack.
    pub stacks: BTreeMap<Square, (char, i32)>,
    /// `r` or `w`.
    pub turn: char,
}

impl Position {
    /// Parses a position, whose rows go from the last rank to the first.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        assert_eq!(fields.len(), 2, "fields of {text:?}");
        let mut position = Self { files: 0, ranks: 0, stacks: BTreeMap::new(), turn: only_letter(fields[1]) };
        for (row, rank) in fields[0].rsplit('/').zip(1..) {
            let mut file = 1;
            for token in row.split(',') {
                match token.strip_prefix(['r', 'w']) {
                    None => file += token.parse::<i32>().expect("a number of empty squares"),
                    Some(height) => {
                        let colour = only_letter(&token[..1]);
                        let height = height.parse().expect("the height of a stack");
                        position.stacks.insert((file, rank), (colour, height));
                        file += 1;
                    }
                }
            }
            assert!(rank == 1 || file - 1 == position.files, "squares in rank {rank} of {text:?}");
            position.files = file - 1;
            position.ranks = rank;
        }
        position
    }

    /// The text of the position.
    #[must_use]
    pub fn write(&self) -> String {
        let rows: Vec<String> = (1..=self.ranks).rev().map(|rank| self.write_rank(rank)).collect();
        format!("{} {}", rows.join("/"), self.turn)
    }

    fn write_rank(&self, rank: i32) -> String {
        let mut tokens: Vec<String> = Vec::new();
        let mut empty = 0;
        for file in 1..=self.files {
            if let Some((colour, height)) = self.stacks.get(&(file, rank)) {
                if empty > 0 {
                    tokens.push(empty.to_string());
                    empty = 0;
                }
                tokens.push(format!("{colour}{height}"));
            } else {
                empty += 1;
            }
        }
        if empty > 0 {
            tokens.push(empty.to_string());
        }
        tokens.join(",")
    }

    /// The name of a square: its file as a letter, its rank as a number.
    #[must_use]
    pub fn name((file, rank): Square) -> String {
        let letter = b'a' + u8::try_from(file - 1).expect("the file is on the board");
        format!("{}{rank}", char::from(letter))
    }

    /// The position after the top checker of a stack moves to a square, or off the board.
    fn after(&self, from: Square, to: Option<Square>) -> String {
        let mut next = self.clone();
        next.turn = opponent(['r', 'w'], self.turn);
        let (_, height) = next.stacks[&from];
        if height == 1 {
            next.stacks.remove(&from);
        } else {
            next.stacks.insert(from, (self.turn, height - 1));
        }
        if let Some(to) = to {
            next.stacks.entry(to).or_insert((self.turn, 0)).1 += 1;
        }
        next.write()
    }

    fn has_no_checker(&self, colour: char) -> bool {
        self.stacks.values().all(|&(owner, _)| owner != colour)
    }

    fn end(&self) -> Option<End> {
        if self.has_no_checker(opponent(['r', 'w'], self.turn)) {
            Some(End::new("borne-off", "loss"))
        } else if self.has_no_checker(self.turn) {
            Some(End::new("borne-off", "win"))
        } else {
            None
        }
    }

    fn moves(&self) -> Moves {
        let mut moves = Moves::new();
        let ahead = if self.turn == 'r' { 1 } else { -1 };
        for (&from, &(colour, height)) in &self.stacks {
            if colour != self.turn {
                continue;
            }
            for (sideways, forward) in [(-1, ahead), (0, ahead), (1, ahead), (-1, 0), (1, 0)] {
                for steps in 1..=height {
                    let to = (from.0 + steps * sideways, from.1 + steps * forward);
                    if self.may_land(height, forward == 0, to) {
                        let text = format!("{}-{}", Self::name(from), Self::name(to));
                        moves.insert(text, self.after(from, Some(to)));
                    }
                }
            }
            let distance_off = if self.turn == 'r' { self.ranks + 1 - from.1 } else { from.1 };
            if distance_off <= height {
                moves.insert(format!("{}-off", Self::name(from)), self.after(from, None));
            }
        }
        if moves.is_empty() {
            let passed = Self { turn: opponent(['r', 'w'], self.turn), ..self.clone() };
            moves.insert("pass".to_owned(), passed.write());
        }
        moves
    }

    /// Whether the top checker of a stack of this height may land on that square.
    fn may_land(&self, height: i32, is_sideways: bool, to: Square) -> bool {
        let on_board = (1..=self.files).contains(&to.0) && (1..=self.ranks).contains(&to.1);
        match self.stacks.get(&to) {
            _ if !on_board => false,
            None => !is_sideways,
            Some(&(colour, there)) => colour == self.turn && (!is_sideways || there >= height),
        }
    }
}

impl Reference for Squinch {
    fn over(&self, position: &str) -> Option<End> {
        Position::read(position).end()
    }

    fn moves(&self, position: &str) -> Moves {
        let position = Position::read(position);
        if position.end().is_some() { Moves::new() } else { position.moves() }
    }
}
