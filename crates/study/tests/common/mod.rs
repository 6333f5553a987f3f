//! Small games for the tests, a journal in memory, and a solver that shares nothing with the study.
#![allow(dead_code, unreachable_pub)]

use std::collections::HashMap;
use std::convert::Infallible;

use marquis_core::{Game, Hashed, Outcome, Over, Player, Reason, Value};
use marquis_study::{Event, Journal};
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

/// A game that is nothing but a directed graph; positions are node numbers.
#[derive(Clone, Debug)]
pub struct Maze {
    pub turn: Vec<Player>,
    pub end: Vec<Option<Outcome>>,
    pub next: Vec<Vec<u16>>,
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
        Self { turn, end, next }
    }

    /// The value of the first position, by going over all positions until nothing changes.
    pub fn value(&self) -> Value {
        let mut winner: Vec<Option<Player>> = self
            .end
            .iter()
            .map(|end| match end {
                Some(Outcome::Winner(player)) => Some(*player),
                _ => None,
            })
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for node in 0..self.next.len() {
                if winner[node].is_some() || self.end[node].is_some() {
                    continue;
                }
                let turn = self.turn[node];
                let to = || self.next[node].iter().map(|&to| winner[usize::from(to)]);
                if to().any(|to| to == Some(turn)) {
                    winner[node] = Some(turn);
                } else if to().all(|to| to == Some(turn.opponent())) {
                    winner[node] = Some(turn.opponent());
                }
                changed |= winner[node].is_some();
            }
        }
        match winner[0] {
            None => Value::Draw,
            Some(player) if player == self.turn[0] => Value::Win,
            Some(_) => Value::Loss,
        }
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
        Dice::new(u64::from(*position)).roll(usize::MAX) as u64
    }
}

/// A journal that lasts as long as the test.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub events: Vec<Event>,
}

impl Journal for Memory {
    type Error = Infallible;

    fn keep(&mut self, number: u32, event: &Event) -> Result<(), Infallible> {
        assert_eq!(self.events.len(), number as usize, "events come in their order");
        self.events.push(event.clone());
        Ok(())
    }

    fn strategies(&self, number: u32) -> Result<Vec<Vec<u8>>, Infallible> {
        match &self.events[number as usize] {
            Event::Job { strategies, .. } => Ok(strategies.clone()),
            Event::Expanded { .. } => Ok(Vec::new()),
        }
    }
}

/// How often each thing was counted.
pub type Counts = HashMap<&'static str, usize>;
