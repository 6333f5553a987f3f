//! The players of a match, and the games between them.

use std::cell::RefCell;
use std::fmt;
use std::str::FromStr;

use marquis_core::{GameId, Immobile};
use marquis_engine::{Control, Engine, EngineError, Level, Limits, Opponent, Posed, Query};
use marquis_record::{GameResult, Record};
use marquis_wire::answer::Answer;
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

use super::program::{Conversation, MoveRequest, Program};
use super::state::{MatchGame, Points};
use crate::exit::CommandFailure;
use crate::interrupt;
use crate::records;
use crate::throws::{self, FinalResult};

/// A player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ContestPlayer {
    /// A level.
    Level(Level),
    /// The first move of an answer.
    Solve,
    /// Another program.
    Program(Program),
}

/// The prefix of the command of a program.
const UGI: &str = "ugi:";

impl FromStr for ContestPlayer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "solve" {
            return Ok(Self::Solve);
        }
        let program = text.strip_prefix(UGI).and_then(Program::of).map(Self::Program);
        program.or_else(|| text.parse().ok().map(Self::Level)).ok_or_else(|| {
            let levels = format!("a level from {} to {}", Level::MIN, Level::MAX);
            format!("expected {levels}, `solve` or `{UGI}COMMAND` with its quotes closed, found `{text}`")
        })
    }
}

impl fmt::Display for ContestPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => level.fmt(f),
            Self::Solve => f.write_str("solve"),
            Self::Program(program) => write!(f, "{UGI}{program}"),
        }
    }
}

impl ContestPlayer {
    /// The player's name in records.
    fn name(&self) -> String {
        match self {
            Self::Level(level) => format!("Marquis, level {level}"),
            Self::Solve => "Marquis, solve".to_owned(),
            Self::Program(program) => program.to_string(),
        }
    }
}

/// One of the two players of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MatchSide {
    A,
    B,
}

impl MatchSide {
    /// The side that moves first in the game of this number, from 0, and the other one.
    pub(super) const fn of_game(number: usize) -> [Self; 2] {
        if number.is_multiple_of(2) { [Self::A, Self::B] } else { [Self::B, Self::A] }
    }
}

/// The longest game; it is then a draw. Squinch on the full board takes three hundred plies and more.
const LONGEST: usize = 1000;
/// Positions searched to find out whether an opening is fair.
const GLANCE: u64 = 20_000;
/// Openings with a chance farther from even are rejected.
const LOPSIDED: f64 = 0.3;
/// The number of openings tried before an unfair one is accepted.
const ATTEMPTS: usize = 200;

/// The data that all games of a match share.
pub(super) struct Contest<'a> {
    pub(super) engine: &'a Engine,
    pub(super) game: GameId,
    pub(super) immobile: Immobile,
    /// The limits of a move at the highest level.
    pub(super) limits: Limits,
    /// A and B.
    players: [&'a ContestPlayer; 2],
    /// Conversations with the players that are programs.
    programs: [Option<RefCell<Conversation>>; 2],
}

impl<'a> Contest<'a> {
    /// A match of `players`, A and B, whose programs are ready; `None` after Ctrl-C.
    ///
    /// # Errors
    /// A program cannot be started, or does not say that it is ready.
    pub(super) fn new(
        engine: &'a Engine,
        game: GameId,
        immobile: Immobile,
        limits: Limits,
        players: [&'a ContestPlayer; 2],
    ) -> Result<Option<Self>, CommandFailure> {
        let mut programs = [None, None];
        for (place, player) in programs.iter_mut().zip(players) {
            let ContestPlayer::Program(program) = player else { continue };
            let Some(conversation) = Conversation::begin(program, game, &limits)? else { return Ok(None) };
            *place = Some(RefCell::new(conversation));
        }
        Ok(Some(Self { engine, game, immobile, limits, players, programs }))
    }

    fn query(&self, position: &str) -> Query {
        Query { immobile: self.immobile, ..Query::new(self.game, position) }
    }

    /// The position of a text, in canonical form.
    ///
    /// # Errors
    /// Bad input.
    pub(super) fn position(&self, text: &str) -> Result<String, EngineError> {
        Ok(self.pose(&self.query(text))?.text())
    }

    fn pose(&self, query: &Query) -> Result<Posed, EngineError> {
        self.engine.registry().pose(query)
    }

    /// A fair position some random moves after `from`; the moves may be those of any throw.
    pub(super) fn opening(
        &self,
        from: &str,
        plies: u32,
        random: &mut SmallRng,
    ) -> Result<String, CommandFailure> {
        let start = self.pose(&self.query(from))?;
        let mut last = start.text();
        for _ in 0..ATTEMPTS {
            let mut here = start.clone();
            for _ in 0..random.random_range(0..=plies) {
                let moves = here.moves();
                if moves.is_empty() {
                    break;
                }
                here = self.pose(&self.query(&moves[random.random_range(0..moves.len())].position))?;
            }
            last = here.text();
            if !here.moves().is_empty() && self.is_fair(&here)? {
                break;
            }
        }
        Ok(last)
    }

    fn is_fair(&self, posed: &Posed) -> Result<bool, CommandFailure> {
        let limits = Limits { nodes: Some(GLANCE), time: None, ..self.limits };
        let control = Control::new(interrupt::flag(), |_| {});
        Ok(match self.engine.solve(posed, &limits, &control)? {
            Answer::Exact(answer) => {
                answer.verdict.estimate.is_some_and(|chance| (chance - 0.5).abs() <= LOPSIDED)
            }
            Answer::Chance(answer) => answer.chance.is_none_or(|chance| (chance - 0.5).abs() <= LOPSIDED),
        })
    }

    /// Plays a game, with the points of the side that moves first; `None` after Ctrl-C.
    ///
    /// * `sides`: the side that moves first, and the other one; `seed`: for throws and the choices of the lower
    ///   levels.
    pub(super) fn play(
        &self,
        opening: &str,
        sides: [MatchSide; 2],
        seed: u64,
    ) -> Result<Option<MatchGame>, CommandFailure> {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut here = self.pose(&self.query(opening))?;
        let begins = here.turn();
        let (mut moves, mut seen) = (Vec::new(), Vec::new());
        let played = |moves, points| Some(MatchGame { opening: opening.to_owned(), seed, moves, points });
        loop {
            if interrupt::stopped() {
                return Ok(None);
            }
            if let Some(end) = throws::end(self.engine, &here)? {
                return Ok(played(moves, points(end, begins)));
            }
            let text = here.text();
            let returns = seen.iter().filter(|other| **other == text).count();
            if !here.has_throws() && returns >= 2 || moves.len() >= LONGEST {
                return Ok(played(moves, Points::Half));
            }
            seen.push(text);
            let throw = throws::roll(self.engine, &here, &mut random)?;
            let posed = self.pose(&Query { throw, ..self.query(&here.text()) })?;
            let side = sides[usize::from(here.turn() != begins)];
            let asked = MoveRequest { opening, moves: &moves, throw };
            let Some(mv) = self.choose(side, &posed, &asked, random.random())? else { return Ok(None) };
            let mv = throws::in_play(&mv, throw);
            here = self.pose(&Query { play: Some(mv.clone()), ..self.query(&here.text()) })?;
            moves.push(mv);
        }
    }

    /// A game as a record.
    ///
    /// * `sides`: the side that moved first, and the other one.
    pub(super) fn record(&self, game: &MatchGame, sides: [MatchSide; 2]) -> Result<Record, CommandFailure> {
        let [begins, other] = sides.map(|side| self.players[side as usize].name());
        let start = self.pose(&self.query(&game.opening))?;
        let [first, second] = match start.turn() {
            marquis_core::Player::First => [begins, other],
            marquis_core::Player::Second => [other, begins],
        };
        let moves = game.moves.iter().map(String::as_str);
        // A game that the rules did not end repeated a position, or became too long.
        records::record(&start, moves, [&first, &second], GameResult::Draw)
    }

    /// The move of a side, without its throw; `None` after Ctrl-C.
    fn choose(
        &self,
        side: MatchSide,
        posed: &Posed,
        asked: &MoveRequest<'_>,
        seed: u64,
    ) -> Result<Option<String>, CommandFailure> {
        let control = Control::new(interrupt::flag(), |_| {});
        let mv = match self.players[side as usize] {
            &ContestPlayer::Level(level) => {
                let opponent = Opponent { level, seed };
                self.engine.advise(posed, opponent, &self.limits, &control)?.mv
            }
            ContestPlayer::Solve => {
                let answer = self.engine.solve(posed, &self.limits, &control)?;
                let first = match answer {
                    Answer::Exact(answer) => answer.moves.into_iter().next().map(|mv| mv.mv),
                    Answer::Chance(answer) => {
                        let thrown = answer.throws.into_iter().next();
                        thrown.and_then(|thrown| thrown.moves.into_iter().next()).map(|mv| mv.mv)
                    }
                };
                first.ok_or_else(|| {
                    CommandFailure::failed(format!(
                        "{}: expected a position with a move, found none",
                        posed.text()
                    ))
                })?
            }
            ContestPlayer::Program(_) => return self.programs_move(side, posed, asked),
        };
        Ok(Some(mv))
    }

    /// The move of a side that is a program, if the rules allow it.
    fn programs_move(
        &self,
        side: MatchSide,
        posed: &Posed,
        asked: &MoveRequest<'_>,
    ) -> Result<Option<String>, CommandFailure> {
        let program = self.programs[side as usize]
            .as_ref()
            .ok_or_else(|| CommandFailure::failed("the program does not exist"))?;
        let mut program = program.borrow_mut();
        let Some(said) = program.choose(asked, &self.limits)? else { return Ok(None) };
        let thrown = asked.throw.map(|throw| format!("{throw}:")).unwrap_or_default();
        let mv = said.strip_prefix(&thrown).unwrap_or(&said);
        if !posed.moves().iter().any(|own| own.mv == mv) {
            let place = posed.text();
            return Err(program.failed(&format!("expected a legal move of {place}, found `{said}`")));
        }
        Ok(Some(mv.to_owned()))
    }
}

/// The points of the side that moved first in a finished game.
fn points(end: FinalResult, begins: marquis_core::Player) -> Points {
    match end {
        FinalResult::Drawn => Points::Half,
        FinalResult::Won(winner) if winner == begins => Points::One,
        FinalResult::Won(_) => Points::None,
    }
}
