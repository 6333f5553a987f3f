//! Positions with the results to learn.

use marquis_core::{Game, Player, Value};
use marquis_eval::{Digits, Inputs, SLOTS};

use crate::Lesson;
use crate::record::{Opinion, TrainingGame};
use crate::selfplay::result;

/// The share of the game's outcome in a target; the rest is the estimate of the search.
const OF_THE_END: f32 = 0.6;

/// Positions as digits, with the target of each.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    slots: usize,
    digits: Vec<u8>,
    turns: Vec<Player>,
    targets: Vec<f32>,
    /// Outcomes of games, without the estimates of the search.
    results: Vec<f32>,
}

impl Samples {
    /// No samples yet, with `slots` slots per position.
    #[must_use]
    pub fn new(slots: usize) -> Self {
        Self { slots, ..Self::default() }
    }

    /// The number of samples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are no samples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The digits of a position, and the player to move.
    #[must_use]
    pub fn position(&self, number: usize) -> (Digits, Player) {
        let mut digits = [0; SLOTS];
        digits[..self.slots].copy_from_slice(&self.digits[number * self.slots..][..self.slots]);
        (digits, self.turns[number])
    }

    /// The expected result to learn, for the player to move.
    #[must_use]
    pub fn target(&self, number: usize) -> f32 {
        self.targets[number]
    }

    /// The outcome of the game, for the player to move; exact if it was proved.
    #[must_use]
    pub fn result(&self, number: usize) -> f32 {
        self.results[number]
    }

    /// Adds a position whose expected result is known.
    pub fn push(&mut self, digits: &Digits, turn: Player, expected: f32) {
        self.digits.extend_from_slice(&digits[..self.slots]);
        self.turns.push(turn);
        self.targets.push(expected);
        self.results.push(expected);
    }

    /// Adds the positions of a game, up to the first invalid part of the record.
    pub fn add<L: Lesson>(&mut self, lesson: &L, record: &TrainingGame) {
        let Ok((rules, mut position)) = lesson.parse(&record.start) else { return };
        let mut legal = Vec::new();
        for &(number, opinion) in &record.moves {
            if rules.over(&position).is_some() {
                return;
            }
            legal.clear();
            rules.moves(&position, &mut legal);
            let Some(&mv) = legal.get(usize::from(number)) else { return };
            let turn = rules.turn(&position);
            let end = result(record.outcome, turn);
            let (target, end) = match opinion {
                Opinion::Estimate(leaning) => {
                    (OF_THE_END * end + (1.0 - OF_THE_END) * leaning.expected() as f32, end)
                }
                Opinion::Proved(Value::Win) => (1.0, 1.0),
                Opinion::Proved(Value::Draw) => (0.5, 0.5),
                Opinion::Proved(Value::Loss) => (0.0, 0.0),
            };
            let mut digits = [0; SLOTS];
            L::Sense::describe(&rules, &position, &mut digits);
            self.digits.extend_from_slice(&digits[..self.slots]);
            self.turns.push(turn);
            self.targets.push(target);
            self.results.push(end);
            position = rules.play(&position, mv);
        }
    }
}
