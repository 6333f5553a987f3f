//! The inputs of Senet: squares, rows, the distances of throws, pieces left, and steps to go.

use marquis_core::{ByPlayer, Chance as _, Player};
use marquis_eval::file::WeightsIdentity;
use marquis_eval::{Digits, Fine, Inputs, SLOTS, Shape, Slot, Swap};
use marquis_games::senet::Senet;
use marquis_games::senet::{MAX_PIECES, Position, SQUARES, Set, Square, THROWS};
use marquis_play::{Expectation, Ladder, PositionJudge};
use marquis_train::fit::{Pupil, Schedule};
use marquis_train::samples::Samples;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::schooled::Embedded;

/// The inputs of Senet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sense;

/// Numbers below these are distinguished.
const PIECES: u8 = MAX_PIECES as u8 + 1;
const STEPS: u8 = 27;
/// The number of steps per digit.
const STRIDE: u32 = 6;
/// By the number of pieces of both sides together, at least two.
const PHASES: u8 = 9;

/// The squares where a piece can rest, in ascending order.
fn rests() -> impl Iterator<Item = Square> {
    Set::RESTING.squares()
}

impl Inputs for Sense {
    type Rules = Senet;
    type Position = Position;
    const VERSION: u32 = 1;

    fn shape(_: &Senet) -> Shape {
        let numbers: Vec<u8> = rests().map(Square::number).collect();
        let count = numbers.len() as u8;
        let square = |slot| Slot { states: 3, opposite: slot, swap: Swap::Owners { nobody: 1 } };
        let mut slots: Vec<Slot> = (0..count).map(square).collect();
        let mut patterns: Vec<Vec<u8>> = (0..count).map(|slot| vec![slot]).collect();
        patterns.extend((3..count).map(|slot| vec![slot - 3, slot - 2, slot - 1, slot]));
        // The throws that reach beyond a row of four.
        let at = |number: u8| numbers.iter().position(|&other| other == number).map(|slot| slot as u8);
        for from in 1..=SQUARES {
            for reach in [4, 5, 6, 7] {
                let pair = at(from).zip(at(from + reach));
                patterns.extend(pair.map(|(from, to)| vec![from, to]));
            }
        }
        for states in [PIECES, STEPS] {
            let first = slots.len() as u8;
            let counter = |opposite| Slot { states, opposite, swap: Swap::Same };
            slots.extend([counter(first + 1), counter(first)]);
            patterns.extend([vec![first], vec![first + 1], vec![first, first + 1]]);
        }
        patterns.extend([vec![count, count + 2], vec![count + 1, count + 3]]);
        let phase = slots.len() as u8;
        slots.push(Slot { states: PHASES, opposite: phase, swap: Swap::Same });
        Shape { images: vec![(0..=phase).collect()], slots, patterns, phase }
    }

    fn describe(_: &Senet, position: &Position, digits: &mut Digits) {
        let pieces = Player::BOTH.map(|player| position.pieces(player));
        let mut slot = 0;
        for square in rests() {
            digits[slot] = if pieces[0].has(square) { 1 } else { 2 * u8::from(pieces[1].has(square)) };
            slot += 1;
        }
        for (player, own) in pieces.iter().enumerate() {
            digits[slot + player] = own.len() as u8;
            let steps: u32 = own.squares().map(|square| u32::from(SQUARES - square.number())).sum();
            digits[slot + 2 + player] = (steps / STRIDE).min(u32::from(STEPS) - 1) as u8;
        }
        digits[slot + 4] = (pieces[0].len() + pieces[1].len()).saturating_sub(2) as u8;
    }
}

/// The identity of the weights of Senet.
pub const IDENTITY: WeightsIdentity<'static> =
    WeightsIdentity { game: "senet", variant: "", version: <Sense as Inputs>::VERSION };

/// A network that judges positions of Senet.
#[derive(Clone, Debug)]
pub struct SenetJudge(pub Fine);

impl PositionJudge<Senet> for SenetJudge {
    fn chance(&self, game: &Senet, position: &Position) -> f64 {
        let mut digits = [0; SLOTS];
        Sense::describe(game, position, &mut digits);
        self.0.expected(&digits, position.turn())
    }

    fn ladder(&self) -> Ladder {
        LADDER
    }
}

/// Level 1 is hardly better than random moves, which score 9 of 100 points against the network: luck leaves no room
/// for steps of more than 60 Elo. Measured with five pieces each: `tests/strength/LEVELS.md`.
const LADDER: Ladder =
    Ladder::new([(1, 300.0), (1, 70.0), (1, 40.0), (1, 22.0), (1, 15.0), (1, 9.0), (1, 5.0)]);

/// A lookup of known chances of the player to throw.
pub type ChanceLookup<'a> = dyn Fn(&Position) -> Option<f64> + Sync + 'a;

/// A judge that uses the known chance if there is one, and otherwise another judge.
pub struct Informed<'a, J> {
    /// The known chances.
    pub known: &'a ChanceLookup<'a>,
    /// The judge of other positions.
    pub judge: &'a J,
}

impl<J: PositionJudge<Senet>> PositionJudge<Senet> for Informed<'_, J> {
    fn chance(&self, game: &Senet, position: &Position) -> f64 {
        (self.known)(position).unwrap_or_else(|| self.judge.chance(game, position))
    }
}

/// The amount of training.
#[derive(Clone, Copy, Debug)]
pub struct SenetTraining {
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of positions with a known chance.
    pub known: usize,
    /// The number of positions per round from games from the start, whose targets come from a look-ahead.
    pub looked_at: usize,
    /// The number of rounds.
    pub rounds: usize,
    /// The number of passes over the samples in a round.
    pub epochs: usize,
}

/// Trains a network on known chances and, for other positions, on its own chances one throw ahead.
///
/// * `known`: all positions with fewer pieces than some number.
/// * `report`: receives the progress, with each round's network.
/// * Result: `None` if `goes_on` returned false.
pub fn learn(
    known: &ChanceLookup<'_>,
    plan: &SenetTraining,
    goes_on: &dyn Fn() -> bool,
    report: &mut dyn FnMut(&str, Option<&Fine>),
) -> Option<Fine> {
    let features = || marquis_eval::Features::new(Sense::shape(&Senet));
    let mut random = SmallRng::seed_from_u64(plan.seed);
    let mut pupil = Pupil::new(features(), plan.seed);
    let slots = features().shape().slots.len();
    let mut certain = Samples::new(slots);
    while certain.len() < plan.known {
        let position = scattered(&mut random);
        if let Some(chance) = known(&position) {
            add(&mut certain, &position, chance);
        }
    }
    let mut judge: Option<SenetJudge> = None;
    for round in 0..plan.rounds {
        let mut samples = certain.clone();
        if let Some(judge) = &judge {
            let judge = Informed { known, judge };
            while samples.len() < certain.len() + plan.looked_at {
                if !goes_on() {
                    return None;
                }
                game(&judge, known, &mut random, &mut samples);
            }
        }
        // Later rounds start from the previous network, with a lower learning rate.
        let seed = plan.seed ^ (round as u64 + 1) << 32;
        let speed = if round == 0 { 1.0 } else { 0.5 };
        let mut tell =
            |epoch: usize, loss: f64| report(&format!("round {round}, epoch {epoch}: loss {loss:.5}"), None);
        if !pupil.learn(&samples, &Schedule { epochs: plan.epochs, seed, speed }, goes_on, &mut tell) {
            return None;
        }
        let network = pupil.fine();
        report(&format!("round {round}: {} positions", samples.len()), Some(&network));
        judge = Some(SenetJudge(network));
    }
    judge.map(|SenetJudge(network)| network)
}

fn add(samples: &mut Samples, position: &Position, chance: f64) {
    let mut digits = [0; SLOTS];
    Sense::describe(&Senet, position, &mut digits);
    samples.push(&digits, position.turn(), chance as f32);
}

/// Pieces on random squares, one to five per side, with the first player to throw.
fn scattered(random: &mut SmallRng) -> Position {
    loop {
        let mut draw = || {
            let count = random.random_range(1..=MAX_PIECES);
            let mut set = Set::EMPTY;
            while set.len() < count {
                let square = Set::from_bits(1 << random.random_range(0..SQUARES));
                set = set.or(square).and(Set::RESTING);
            }
            set
        };
        let pieces = ByPlayer::new(draw(), draw());
        if let Some(position) = Position::new(pieces, Player::First) {
            return position;
        }
    }
}

/// One in `STRAY` moves is a random legal one.
const STRAY: u32 = 8;

/// A game of the judge against itself from the start, or from five random pieces per side, until its positions are
/// known.
fn game(
    judge: &impl PositionJudge<Senet>,
    known: &ChanceLookup<'_>,
    random: &mut SmallRng,
    samples: &mut Samples,
) {
    let expectation = Expectation::new(&Senet, judge);
    let mut position = if random.random_range(0..4) == 0 { scattered(random) } else { Senet.start() };
    for _ in 0..400 {
        if Senet.over(&position).is_some() || known(&position).is_some() {
            return;
        }
        add(samples, &position, expectation.chance(&position, 1));
        let throw = {
            let mut sixteenth = random.random_range(0..16);
            THROWS.into_iter().find(|throw| {
                let here = sixteenth < throw.weight;
                sixteenth = sixteenth.saturating_sub(throw.weight);
                here
            })
        };
        let throw = throw.unwrap_or(THROWS[0]);
        let weighed = expectation.weigh(&position, throw, 0);
        let stray = random.random_range(0..STRAY) == 0;
        let chosen = if stray { random.random_range(0..weighed.len()) } else { 0 };
        position = Senet.play(&position, throw, weighed[chosen].mv);
    }
}

/// The weights built into the program.
pub(crate) const EMBEDDED: [Embedded; 1] = [("senet", include_bytes!("../../weights/senet.net"))];
