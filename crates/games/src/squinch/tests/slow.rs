//! A second, slow, obvious generator, written from the sentences of the rules and not from the fast one.

use std::collections::{BTreeMap, BTreeSet};

/// Stacks by (file, rank), counted from 1: colour and height.
type Stacks = BTreeMap<(i32, i32), (char, i32)>;

/// A position as a reader of its text sees it.
#[derive(Clone)]
pub(super) struct Slow {
    files: i32,
    ranks: i32,
    stacks: Stacks,
    turn: char,
}

impl Slow {
    /// Reads a canonical text.
    pub(super) fn read(text: &str) -> Self {
        let (board, turn) = text.split_once(' ').expect("board and turn");
        let rows: Vec<&str> = board.split('/').collect();
        let ranks = i32::try_from(rows.len()).unwrap();
        let mut stacks = Stacks::new();
        let mut files = 0;
        for (rank, row) in (1..=ranks).rev().zip(&rows) {
            let mut file = 0;
            for token in row.split(',') {
                if let Ok(empty) = token.parse::<i32>() {
                    file += empty;
                } else {
                    file += 1;
                    let (colour, height) = token.split_at(1);
                    let stack = (colour.chars().next().unwrap(), height.parse().unwrap());
                    stacks.insert((file, rank), stack);
                }
            }
            files = file;
        }
        Self { files, ranks, stacks, turn: turn.chars().next().unwrap() }
    }

    fn write(&self) -> String {
        let row = |rank| {
            let mut tokens: Vec<String> = Vec::new();
            for file in 1..=self.files {
                match (self.stacks.get(&(file, rank)), tokens.last().and_then(|t| t.parse::<i32>().ok())) {
                    (Some((colour, height)), _) => tokens.push(format!("{colour}{height}")),
                    (None, Some(empty)) => *tokens.last_mut().unwrap() = (empty + 1).to_string(),
                    (None, None) => tokens.push("1".to_owned()),
                }
            }
            tokens.join(",")
        };
        let rows: Vec<String> = (1..=self.ranks).rev().map(row).collect();
        format!("{} {}", rows.join("/"), self.turn)
    }

    /// Returns whether the top checker of the stack on `from` may go to `to`.
    fn may_go(&self, from: (i32, i32), to: (i32, i32)) -> bool {
        let height = self.stacks[&from].1;
        let across = (to.0 - from.0).abs();
        let onward = if self.turn == 'r' { to.1 - from.1 } else { from.1 - to.1 };
        let target = self.stacks.get(&to);
        let friend = target.filter(|stack| stack.0 == self.turn);
        let forward = onward >= 1 && onward <= height && (across == 0 || across == onward);
        let sideways = onward == 0 && across >= 1 && across <= height;
        (forward && (target.is_none() || friend.is_some()))
            || (sideways && friend.is_some_and(|stack| stack.1 >= height))
    }

    fn after(&self, from: Option<(i32, i32)>, to: Option<(i32, i32)>) -> String {
        let mut after = self.clone();
        if let Some(from) = from {
            let stack = after.stacks.get_mut(&from).unwrap();
            stack.1 -= 1;
            if stack.1 == 0 {
                after.stacks.remove(&from);
            }
        }
        if let Some(to) = to {
            after.stacks.entry(to).or_insert((self.turn, 0)).1 += 1;
        }
        after.turn = if self.turn == 'r' { 'w' } else { 'r' };
        after.write()
    }

    /// All moves with the texts of the positions that they lead to; empty once the game is over.
    pub(super) fn moves(&self) -> BTreeSet<(String, String)> {
        let name = |cell: (i32, i32)| format!("{}{}", (b'a' + cell.0 as u8 - 1) as char, cell.1);
        let has = |colour| self.stacks.values().any(|stack| stack.0 == colour);
        let mut out = BTreeSet::new();
        if !has('r') || !has('w') {
            return out;
        }
        for (&from, &(colour, height)) in &self.stacks {
            if colour != self.turn {
                continue;
            }
            for file in 1..=self.files {
                for rank in 1..=self.ranks {
                    let to = (file, rank);
                    if self.may_go(from, to) {
                        out.insert((
                            format!("{}-{}", name(from), name(to)),
                            self.after(Some(from), Some(to)),
                        ));
                    }
                }
            }
            let distance = if colour == 'r' { self.ranks + 1 - from.1 } else { from.1 };
            if distance <= height {
                out.insert((format!("{}-off", name(from)), self.after(Some(from), None)));
            }
        }
        if out.is_empty() {
            out.insert(("pass".to_owned(), self.after(None, None)));
        }
        out
    }
}
