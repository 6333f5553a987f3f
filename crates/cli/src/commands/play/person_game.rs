//! A game against a person: its position, its moves, and the replies to typed lines.

use std::hash::{BuildHasher as _, RandomState};

use marquis_core::{GameId, Immobile, Player};
use marquis_engine::{Control, Engine, EngineError, Level, Limits, Opponent, Posed, Query};
use marquis_record::GameResult;
use marquis_wire::answer::{Answer, Source};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};
use serde::Serialize;

use crate::commands::show::board;
use crate::exit::CommandFailure;
use crate::games;
use crate::{records, throws, value_texts};

/// The commands besides moves.
const HELP: &str = "A move as it is listed, or:\n  moves   the legal moves\n  hint    what Marquis would play\n  \
                    undo    back to your last move\n  quit    leave the game\n";

/// The response to a typed line.
pub(super) enum TypedReply {
    Text(String),
    Leave,
}

/// A game under way.
pub(super) struct PersonGame<'a> {
    engine: &'a Engine,
    level: Level,
    limits: Limits,
    random: SmallRng,
    here: Posed,
    /// The throw that was not played yet.
    throw: Option<u8>,
    played: Vec<Played>,
    begun: Posed,
}

/// A sentence about a chance of winning.
fn chance(chance: Option<f64>, source: Option<Source>) -> String {
    match (chance.map(|chance| format!("{:.1} %", 100.0 * chance)), source) {
        (None, _) => "The chance of winning is unknown.".to_owned(),
        (Some(chance), Some(Source::Exact)) => format!("The chance of winning is {chance}."),
        (Some(chance), _) => format!("Estimated, not proved: the chance of winning is about {chance}."),
    }
}

/// A move, and the position before it.
struct Played {
    before: Posed,
    throw: Option<u8>,
    mv: String,
    by: Player,
}

/// The game as a document.
#[derive(Serialize)]
pub(super) struct GameDocument {
    game: &'static str,
    /// The position in which it began.
    position: String,
    level: String,
    /// In the format of `--play`.
    moves: Vec<String>,
    /// The current position.
    end: String,
    over: bool,
}

impl<'a> PersonGame<'a> {
    /// Starts a game at a position.
    pub(super) fn lay(
        engine: &'a Engine,
        (game, position, immobile): (GameId, &str, Immobile),
        level: Level,
        seed: Option<u64>,
        limits: Limits,
    ) -> Result<Self, CommandFailure> {
        let here = engine.registry().pose(&Query { immobile, ..Query::new(game, position) })?;
        // The keys of `RandomState` differ each time.
        let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(0));
        let random = SmallRng::seed_from_u64(seed);
        let begun = here.clone();
        Ok(Self { engine, level, limits, random, here, throw: None, played: Vec::new(), begun })
    }

    pub(super) fn is_over(&self) -> bool {
        self.here.moves().is_empty()
    }

    pub(super) fn turn(&self) -> Player {
        self.here.turn()
    }

    /// The colour of the player to move.
    pub(super) fn mover(&self) -> &'static str {
        self.game().colour(self.turn())
    }

    fn game(&self) -> &'static marquis_engine::GameEntry {
        games::find(self.here.game().name()).expect("every position belongs to a known game")
    }

    pub(super) fn board(&self) -> String {
        board(&self.here.draw())
    }

    /// Throws, if the player to move must and has not thrown yet.
    pub(super) fn roll(&mut self) -> Result<Option<u8>, CommandFailure> {
        if self.throw.is_some() {
            return Ok(None);
        }
        self.throw = throws::roll(self.engine, &self.here, &mut self.random)?;
        Ok(self.throw)
    }

    /// The position with its throw, as a query.
    fn posed(&self) -> Result<Posed, CommandFailure> {
        let query = Query {
            immobile: self.here.immobile(),
            throw: self.throw,
            ..Query::new(self.here.game(), self.here.text())
        };
        Ok(self.engine.registry().pose(&query)?)
    }

    /// Makes the move of Marquis and describes it.
    pub(super) fn reply(&mut self) -> Result<String, CommandFailure> {
        let seed = self.random.random();
        let advice = self.advice(Opponent { level: self.level, seed })?;
        let mover = self.mover();
        self.make(&advice.mv)?;
        Ok(format!("Marquis ({mover}) plays {}.\n\n{}", advice.mv, self.board()))
    }

    fn advice(&self, opponent: Opponent) -> Result<marquis_wire::answer::Advice, CommandFailure> {
        let stop = crate::interrupt::flag();
        let advice = self.engine.advise(&self.posed()?, opponent, &self.limits, &Control::new(stop, |_| {}));
        Ok(advice?)
    }

    /// Makes a move.
    fn make(&mut self, mv: &str) -> Result<(), EngineError> {
        let played = throws::in_play(mv, self.throw);
        let query = Query {
            immobile: self.here.immobile(),
            play: Some(played),
            ..Query::new(self.here.game(), self.here.text())
        };
        let after = self.engine.registry().pose(&query)?;
        let (by, throw) = (self.turn(), self.throw.take());
        let before = std::mem::replace(&mut self.here, after);
        self.played.push(Played { before, throw, mv: mv.to_owned(), by });
        Ok(())
    }

    /// Executes a typed line.
    pub(super) fn hear(&mut self, line: &str, person: Player) -> Result<TypedReply, CommandFailure> {
        let text = match line {
            "" => String::new(),
            "quit" | "exit" => return Ok(TypedReply::Leave),
            "help" | "?" => HELP.to_owned(),
            "moves" => self.moves()?,
            "hint" => self.hint()?,
            "undo" => self.undo(person),
            mv => match self.make(mv) {
                Ok(()) => format!("\n{}", self.board()),
                Err(EngineError::BadInput(error)) => format!("{error}\n"),
                Err(other) => return Err(other.into()),
            },
        };
        Ok(TypedReply::Text(text))
    }

    fn moves(&self) -> Result<String, CommandFailure> {
        let moves = self.posed()?.moves();
        Ok(moves.into_iter().map(|mv| mv.mv).collect::<Vec<_>>().join(" ") + "\n")
    }

    fn hint(&self) -> Result<String, CommandFailure> {
        let advice = self.advice(Opponent { level: Level::MAX, seed: 0 })?;
        let why = match &advice.answer {
            Answer::Exact(answer) if answer.verdict.value.is_some() => {
                value_texts::sentence(self.mover(), &answer.verdict, None)
            }
            Answer::Exact(answer) => {
                let chances = answer.verdict.wdl.as_ref().map(value_texts::chances).unwrap_or_default();
                format!("Estimated, not proved: {chances}.")
            }
            Answer::Chance(answer) => chance(answer.chance, answer.source),
        };
        Ok(format!("{}: {why}\n", advice.mv))
    }

    /// Returns to the last move of the person.
    fn undo(&mut self, person: Player) -> String {
        let Some(last) = self.played.iter().rposition(|played| played.by == person) else {
            return "There is no move of yours to take back.\n".to_owned();
        };
        let back = self.played.drain(last..).next();
        if let Some(Played { before, throw, .. }) = back {
            (self.here, self.throw) = (before, throw);
        }
        format!("\n{}", self.board())
    }

    /// How the game ended, or the position in which it was left.
    pub(super) fn end(&self) -> String {
        if !self.is_over() {
            return format!("The game stands at {}\n", self.here.text());
        }
        match self.engine.probe(&self.here) {
            Ok(Answer::Exact(answer)) => {
                value_texts::sentence(self.mover(), &answer.verdict, answer.over.as_deref()) + "\n"
            }
            Ok(Answer::Chance(answer)) => {
                let end = if answer.chance == Some(1.0) { "won" } else { "lost" };
                format!("The game is over: {}, to throw, has {end}.\n", self.mover())
            }
            Err(error) => format!("{error}\n"),
        }
    }

    /// The game as a document.
    pub(super) fn record(&self) -> GameDocument {
        GameDocument {
            game: self.here.game().name(),
            position: self.begun.text(),
            level: self.level.to_string(),
            moves: self.moves_played(),
            end: self.here.text(),
            over: self.is_over(),
        }
    }

    fn moves_played(&self) -> Vec<String> {
        self.played.iter().map(|played| throws::in_play(&played.mv, played.throw)).collect()
    }

    /// The game as a record.
    ///
    /// * `person`: the side that plays against Marquis.
    pub(super) fn kept(&self, person: Player) -> Result<marquis_record::Record, CommandFailure> {
        let marquis = format!("Marquis, level {}", self.level);
        let players = match person {
            Player::First => ["a person", &marquis],
            Player::Second => [&marquis, "a person"],
        };
        let moves = self.moves_played();
        records::record(&self.begun, moves.iter().map(String::as_str), players, GameResult::Open)
    }
}
