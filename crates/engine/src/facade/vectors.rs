//! Test vectors out of random games.

use std::collections::HashSet;
use std::iter::FusedIterator;

use marquis_core::{Outcome, TextError};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};

use super::Engine;
use crate::adapter::Posed;
use crate::query::Detail;
use crate::registry::Ask;
use crate::{Control, EngineError, Limits};
use marquis_wire::answer::{Answer, Proof};
use marquis_wire::reports::ListedMove;
use marquis_wire::vectors::{GameEnd, KnownValue, MOST_VECTORS, TestVector};

/// Of the positions inside a game one in this many is taken, so that vectors come from many games.
const ONE_IN: u32 = 8;
/// The maximum number of plies of a random game; in some games play can repeat for ever.
const LONGEST: u32 = 400;
/// After this many games in a row without a new position there are hardly any left.
const FRUITLESS_GAMES: u32 = 200;

impl Engine {
    /// The test vector of a position.
    ///
    /// # Errors
    /// Bad input, or a table that cannot be read.
    pub fn vector(&self, asked: &impl Ask) -> Result<TestVector, EngineError> {
        let posed = asked.pose(self.registry())?;
        let moves = posed.moves();
        self.with_moves(&posed, moves)
    }

    /// The test vectors of `count` different positions out of random games, the first position itself at the head.
    ///
    /// The end of each game is taken, and about an eighth of the positions before it. There are fewer vectors if random
    /// games lead to fewer positions. The same seed gives the same vectors on every machine.
    ///
    /// * `asked`: the first position of each game.
    /// * `count`: at most [`MOST_VECTORS`]; more are not given.
    ///
    /// # Errors
    /// Bad input. The iterator returns an error for a table that cannot be read.
    pub fn vectors(&self, asked: &impl Ask, count: u64, seed: u64) -> Result<Vectors<'_>, EngineError> {
        let start = asked.pose(self.registry())?;
        Ok(Vectors {
            engine: self,
            here: start.clone(),
            start,
            plies: 0,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            seen: HashSet::new(),
            left: count.min(MOST_VECTORS),
            fruitless: 0,
        })
    }

    fn with_moves(&self, posed: &Posed, moves: Vec<ListedMove>) -> Result<TestVector, EngineError> {
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
            Detail::Value,
        )?;
        Ok(TestVector {
            game: posed.game().name().to_owned(),
            position: posed.text(),
            immobile: game.about().agrees_on_immobile.then(|| posed.immobile().name().to_owned()),
            turn: letters[posed.turn()],
            over,
            moves,
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
pub struct Vectors<'a> {
    engine: &'a Engine,
    /// The first position of each game.
    start: Posed,
    here: Posed,
    /// The plies from `start` to `here`.
    plies: u32,
    random: Xoshiro256PlusPlus,
    /// The texts of the positions that were taken.
    seen: HashSet<String>,
    /// The number of vectors still to give.
    left: u64,
    /// The number of games in a row that led to no new position.
    fruitless: u32,
}

impl Vectors<'_> {
    /// The next position that was not taken before, with its moves; `None` if random games lead to no other.
    fn draw(&mut self) -> Result<Option<(Posed, Vec<ListedMove>)>, TextError> {
        while self.fruitless < FRUITLESS_GAMES {
            let here = self.here.clone();
            let moves = here.moves();
            let is_edge = self.plies == 0 || moves.is_empty();
            let is_taken = is_edge || self.random.random_range(0..ONE_IN) == 0;
            self.play_on(&moves)?;
            if is_taken && self.seen.insert(here.text()) {
                self.fruitless = 0;
                return Ok(Some((here, moves)));
            }
        }
        Ok(None)
    }

    /// Plays one of the moves, or begins the next game.
    fn play_on(&mut self, moves: &[ListedMove]) -> Result<(), TextError> {
        if moves.is_empty() || self.plies == LONGEST {
            self.here = self.start.clone();
            self.plies = 0;
            self.fruitless += 1;
            return Ok(());
        }
        let ListedMove { throw, mv, .. } = &moves[self.random.random_range(0..moves.len())];
        self.here = match throw {
            Some(throw) => self.here.after(&format!("{throw}:{mv}"))?,
            None => self.here.after(mv)?,
        };
        self.plies += 1;
        Ok(())
    }
}

impl Iterator for Vectors<'_> {
    type Item = Result<TestVector, EngineError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let drawn = self.draw().map_err(EngineError::from).transpose()?;
        Some(drawn.and_then(|(posed, moves)| self.engine.with_moves(&posed, moves)))
    }
}

impl FusedIterator for Vectors<'_> {}
