//! Small games for the tests, and a solver for them that is independent of the search.
#![allow(dead_code, unreachable_pub)]

pub mod beads;

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

use marquis_core::{Game, Hashed, Outcome, Over, Player, Reason, Symmetric, Value};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

/// Random numbers, the same in every run.
pub struct Dice(SmallRng);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(SmallRng::seed_from_u64(seed))
    }

    pub fn roll(&mut self, sides: usize) -> usize {
        self.0.random_range(0..sides)
    }
}

/// A game on a directed graph; positions are node numbers.
#[derive(Clone, Debug)]
pub struct Maze {
    pub turn: Vec<Player>,
    pub end: Vec<Option<Outcome>>,
    pub next: Vec<Vec<u16>>,
    /// Keys keep `key_bits` bits: with few, most positions collide.
    pub key_bits: u32,
}

impl Maze {
    /// A random graph with about one end in `ends` nodes; players alternate unless `free`.
    pub fn random(dice: &mut Dice, nodes: usize, ends: usize, free: bool) -> Self {
        let turn: Vec<Player> =
            (0..nodes).map(|n| Player::BOTH[if free { dice.roll(2) } else { n % 2 }]).collect();
        let outcomes = [Outcome::Winner(Player::First), Outcome::Winner(Player::Second), Outcome::Draw];
        let kinds = 2 + usize::from(dice.roll(4) == 0);
        let mut end = vec![None; nodes];
        let mut next = vec![Vec::new(); nodes];
        for node in 0..nodes {
            let candidates: Vec<u16> =
                (0..nodes).filter(|&to| free || turn[to] != turn[node]).map(|to| to as u16).collect();
            if (node > 0 && dice.roll(ends) == 0) || candidates.is_empty() {
                end[node] = Some(outcomes[dice.roll(kinds)]);
                continue;
            }
            for _ in 0..1 + dice.roll(4) {
                let to = candidates[dice.roll(candidates.len())];
                if !next[node].contains(&to) {
                    next[node].push(to);
                }
            }
        }
        Self { turn, end, next, key_bits: 64 }
    }
}

impl Symmetric for Maze {
    fn images(&self) -> usize {
        1
    }
    fn image(&self, position: &u16, _: usize) -> u16 {
        *position
    }
    fn canonical(&self, position: &u16) -> u16 {
        *position
    }
}

impl Game for Maze {
    type Position = u16;
    type Move = u16;
    fn turn(&self, position: &u16) -> Player {
        self.turn[usize::from(*position)]
    }
    fn over(&self, position: &u16) -> Option<Over> {
        self.end[usize::from(*position)].map(|outcome| Over { reason: Reason::Line, outcome })
    }
    fn moves(&self, position: &u16, out: &mut Vec<u16>) {
        out.extend(&self.next[usize::from(*position)]);
    }
    fn play(&self, _: &u16, mv: u16) -> u16 {
        mv
    }
}

impl Hashed for Maze {
    fn key(&self, position: &u16) -> u64 {
        Dice::new(u64::from(*position)).roll(usize::MAX) as u64 >> (64 - self.key_bits)
    }
}

/// Values of everything reachable, by iterating over all positions until nothing changes.
pub fn solve_all<G: Game>(game: &G, root: &G::Position) -> HashMap<G::Position, Value>
where
    G::Position: Debug + Hash,
{
    let mut numbers = HashMap::from([(*root, 0)]);
    let mut order = vec![*root];
    let mut next: Vec<Vec<usize>> = Vec::new();
    let mut moves = Vec::new();
    while let Some(position) = order.get(next.len()).copied() {
        moves.clear();
        if game.over(&position).is_none() {
            game.moves(&position, &mut moves);
        }
        let number = |&mv: &G::Move| {
            let to = game.play(&position, mv);
            *numbers.entry(to).or_insert_with(|| {
                order.push(to);
                order.len() - 1
            })
        };
        next.push(moves.iter().map(number).collect());
    }
    let ends = order.iter().map(|position| match game.over(position)?.outcome {
        Outcome::Winner(player) => Some(player),
        Outcome::Draw => None,
    });
    let mut winner: Vec<Option<Player>> = ends.collect();
    let mut changed = true;
    while changed {
        changed = false;
        for number in (0..order.len()).rev().filter(|&number| !next[number].is_empty()) {
            let turn = game.turn(&order[number]);
            if winner[number].is_some() {
                continue;
            }
            let wins = next[number].iter().any(|&to| winner[to] == Some(turn));
            let loses = next[number].iter().all(|&to| winner[to] == Some(turn.opponent()));
            if wins || loses {
                winner[number] = Some(if wins { turn } else { turn.opponent() });
                changed = true;
            }
        }
    }
    let value = |(position, winner): (G::Position, Option<Player>)| {
        let value = match winner {
            None => Value::Draw,
            Some(player) if player == game.turn(&position) => Value::Win,
            Some(_) => Value::Loss,
        };
        (position, value)
    };
    order.into_iter().zip(winner).map(value).collect()
}
