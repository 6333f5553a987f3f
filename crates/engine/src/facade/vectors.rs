//! Test vectors out of random games.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::iter::FusedIterator;

use marquis_core::Outcome;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
use rayon::prelude::*;

use super::Engine;
use crate::adapter::Posed;
use crate::query::Detail;
use crate::registry::Ask;
use crate::{Control, EngineError, Limits};
use marquis_wire::answer::{Answer, Proof};
use marquis_wire::vectors::{GameEnd, KnownValue, MOST_VECTORS, TestVector};

/// Of the positions inside a game one in this many is taken, so that vectors come from many games.
const ONE_IN: u32 = 8;
/// The maximum number of plies of a random game; in some games play can repeat for ever.
const LONGEST: u32 = 400;
/// After this many games in a row without a new position there are hardly any left.
const FRUITLESS_GAMES: u32 = 200;
/// The maximum number of games that are played at a time.
const GAMES_AT_A_TIME: u64 = 256;

impl Engine {
    /// The test vector of a position.
    ///
    /// # Errors
    /// Bad input, or a table that cannot be read.
    pub fn vector(&self, asked: &impl Ask) -> Result<TestVector, EngineError> {
        self.vector_of(&asked.pose(self.registry())?)
    }

    /// The test vectors of `count` different positions out of random games, the first position itself at the head.
    ///
    /// The end of each game is taken, and about an eighth of the positions before it. There are fewer vectors if random
    /// games lead to fewer positions. The same seed gives the same vectors on every machine.
    ///
    /// * `asked`: the first position of each game.
    /// * `count`: at most [`MOST_VECTORS`]; more are not given.
    /// * `form`: the conversion of a vector, for example to text; runs in parallel.
    ///
    /// # Errors
    /// Bad input. The iterator returns an error for a table that cannot be read.
    pub fn vectors<T: Send>(
        &self,
        asked: &impl Ask,
        count: u64,
        seed: u64,
        form: fn(TestVector) -> T,
    ) -> Result<Vectors<'_, T>, EngineError> {
        let start = asked.pose(self.registry())?;
        Ok(Vectors {
            engine: self,
            form,
            start,
            seed,
            games: 0,
            seen: HashSet::new(),
            ready: Vec::new().into_iter(),
            left: count.min(MOST_VECTORS),
            fruitless: 0,
        })
    }

    fn vector_of(&self, posed: &Posed) -> Result<TestVector, EngineError> {
        let game = self.registry().game(posed.game().name())?;
        let letters = game.letters();
        let over = posed.position().over().map(|over| GameEnd {
            reason: over.reason.name().to_owned(),
            outcome: match over.outcome {
                Outcome::Winner(winner) => letters[winner].to_string(),
                Outcome::Draw => "draw".to_owned(),
            },
        });
        // Nothing that an earlier vector has found may change a later one: a look-up without moves keeps nothing.
        let answer = posed.position().probe(
            self.asking(&Limits::default(), &Control::none()),
            posed.throw(),
            Detail::Known,
        )?;
        Ok(TestVector {
            game: posed.game().name().to_owned(),
            position: posed.text(),
            immobile: game.about().agrees_on_immobile.then(|| posed.immobile().name().to_owned()),
            turn: letters[posed.turn()],
            over,
            moves: posed.moves(),
            images: posed.images(),
            known: known(answer),
        })
    }
}

/// The known part of an answer: no bounds, no estimates.
fn known(answer: Answer) -> KnownValue {
    let is_known = answer.is_known();
    let source = |proof: Proof| if is_known { proof } else { Proof::None };
    match answer {
        Answer::Exact(answer) => {
            let verdict = answer.verdict;
            KnownValue::Value { value: verdict.value, plies: verdict.plies, proof: source(verdict.proof) }
        }
        Answer::Chance(answer) => KnownValue::Chance {
            chance: answer.chance.filter(|_| is_known),
            error: answer.error.filter(|_| is_known),
            proof: source(answer.proof),
        },
    }
}

/// Test vectors of different positions, drawn while they are taken.
///
/// Each game has its own random numbers, so that games are played in parallel and the vectors are the same for any
/// number of threads.
pub struct Vectors<'a, T> {
    engine: &'a Engine,
    form: fn(TestVector) -> T,
    /// The first position of each game.
    start: Posed,
    seed: u64,
    /// The number of games that were played.
    games: u64,
    /// The hashes of the texts of the positions that were taken.
    seen: HashSet<u64>,
    /// Vectors of the last games.
    ready: std::vec::IntoIter<Result<T, EngineError>>,
    /// The number of vectors still to draw.
    left: u64,
    /// The number of games in a row that led to no new position.
    fruitless: u32,
}

impl<T: Send> Vectors<'_, T> {
    /// Plays the next games and makes the vectors of their new positions; none if random games lead to no others.
    fn draw(&mut self) -> Vec<Result<T, EngineError>> {
        let (engine, form, start, seed) = (self.engine, self.form, &self.start, self.seed);
        let mut new = Vec::new();
        while new.is_empty() && self.fruitless < FRUITLESS_GAMES {
            let next = self.games..self.games + (self.games + 1).min(GAMES_AT_A_TIME);
            self.games = next.end;
            let played: Vec<_> = next.into_par_iter().map(|game| play(start, seed, game)).collect();
            for drawn in played {
                let before = new.len();
                new.extend(drawn.into_iter().filter(|(hash, _)| self.seen.insert(*hash)));
                self.fruitless = if new.len() == before { self.fruitless + 1 } else { 0 };
            }
        }
        new.truncate(usize::try_from(self.left).unwrap_or(usize::MAX));
        self.left -= new.len() as u64;
        new.into_par_iter().map(|(_, posed)| engine.vector_of(&posed).map(form)).collect()
    }
}

/// The positions taken out of a random game, with the hashes of their texts.
///
/// * `game`: its number.
fn play(start: &Posed, seed: u64, game: u64) -> Vec<(u64, Posed)> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed.rotate_left(32) ^ game);
    let (mut here, mut taken) = (start.clone(), Vec::new());
    for plies in 0..=LONGEST {
        let next = here.after_any(&mut |moves| random.random_range(0..moves));
        let is_edge = plies == 0 || next.is_none();
        if is_edge || random.random_range(0..ONE_IN) == 0 {
            taken.push((hash(&here.text()), here));
        }
        let Some(next) = next else { break };
        here = next;
    }
    taken
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

impl<T: Send> Iterator for Vectors<'_, T> {
    type Item = Result<T, EngineError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.len() == 0 && self.left > 0 {
            self.ready = self.draw().into_iter();
        }
        self.ready.next()
    }
}

impl<T: Send> FusedIterator for Vectors<'_, T> {}
