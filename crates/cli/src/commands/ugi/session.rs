//! The state of a conversation with another program, and its running search.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use marquis_core::{GameId, Player};
use marquis_engine::{Engine, Level, Limits, Opponent, Posed, Query, causes};
use marquis_wire::MemorySize;
use marquis_wire::quantity::{MOST, MOST_LINES, MOST_MEMORY, MOST_THREADS, count_within};

use super::search::{RunningSearch, SearchTask};
use super::words::{self, Go, say};
use crate::exit::CommandFailure;
use crate::input::Input;
use crate::throws::{self, FinalResult};

/// The time limit of an infinite search.
const FOR_EVER: Duration = Duration::from_secs(7 * 24 * 3600);
/// How long a search may take to answer `stop`.
const TO_STOP: Duration = Duration::from_secs(1);
/// How long it may take at the end of the conversation.
pub(super) const TO_END: Duration = Duration::from_millis(100);

/// Whether the conversation continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AfterLine {
    Listen,
    Quit,
}

/// Why a line was not executed.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The line is not understood: the expected and the found text.
    Refused(String),
    /// Nobody reads the answer.
    Output(io::Error),
}

impl From<String> for Trouble {
    fn from(refused: String) -> Self {
        Self::Refused(refused)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// A conversation.
pub(super) struct UgiSession<'a> {
    engine: Arc<Engine>,
    input: &'a Input,
    query: Query,
    threads: usize,
    memory: MemorySize,
    level: Level,
    multi_pv: usize,
    seed: u64,
    search: Option<RunningSearch>,
}

impl<'a> UgiSession<'a> {
    /// A conversation about a game from its start; about the first game if `None`.
    pub(super) fn new(
        engine: Engine,
        game: Option<GameId>,
        input: &'a Input,
    ) -> Result<Self, CommandFailure> {
        let first = engine.registry().games().next().map(marquis_engine::GameEntry::id);
        let game = game.or(first).ok_or_else(|| CommandFailure::failed("there is no game"))?;
        Ok(Self {
            engine: Arc::new(engine),
            input,
            query: Query::new(game, "start"),
            threads: 1,
            memory: MemorySize(256 << 20),
            level: Level::MAX,
            multi_pv: 1,
            seed: 1,
            search: None,
        })
    }

    /// Executes a line.
    ///
    /// # Errors
    /// [`Trouble::Refused`] changes nothing.
    pub(super) fn obey(&mut self, line: &str) -> Result<AfterLine, Trouble> {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match command {
            "" => {}
            "ugi" => self.introduce()?,
            "isready" => say("readyok")?,
            "setoption" => self.set(rest)?,
            "uginewgame" => self.stop()?,
            "position" => self.place(rest)?,
            "throw" => self.throw(rest)?,
            "go" => self.go(rest)?,
            "stop" => self.stop()?,
            "query" => self.answer(rest.trim())?,
            "quit" => return Ok(AfterLine::Quit),
            other => {
                return Err(Trouble::Refused(format!(
                    "expected ugi, isready, setoption, uginewgame, position, throw, go, stop, query or quit, found `{other}`"
                )));
            }
        }
        Ok(AfterLine::Listen)
    }

    /// Ends the running search, with its answer.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    pub(super) fn finish(self) -> io::Result<()> {
        self.search.map_or(Ok(()), |search| search.call_in(TO_END))
    }

    fn introduce(&self) -> io::Result<()> {
        let games: Vec<&str> = self.engine.registry().games().map(|game| game.id().name()).collect();
        let default = self.query.game;
        say(&format!(
            "id name Marquis {}\nid author the Marquis authors\n\
             option name Game type combo default {default} var {}\n\
             option name Threads type spin default {} min 1 max {MOST_THREADS}\n\
             option name Memory type spin default {} min 1 max {}\n\
             option name Level type spin default {} min {} max {}\n\
             option name MultiPV type spin default {} min 1 max {MOST_LINES}\n\
             option name Seed type spin default {} min 0 max {}\nugiok",
            env!("CARGO_PKG_VERSION"),
            games.join(" var "),
            self.threads,
            self.memory.0 >> 20,
            MOST_MEMORY >> 20,
            self.level,
            Level::MIN,
            Level::MAX,
            self.multi_pv,
            self.seed,
            MOST,
        ))
    }

    fn set(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = words::option(text)?;
        let number = |least: u64, most: u64| {
            count_within(name, &(least..=most), value).map_err(|error| error.to_string())
        };
        match name.to_ascii_lowercase().as_str() {
            "game" => {
                let game = self.engine.registry().game(value).map_err(|error| causes(&error).to_string())?;
                self.query = Query::new(game.id(), "start");
            }
            "threads" => self.threads = number(1, MOST_THREADS)? as usize,
            "memory" => self.memory = MemorySize(number(1, MOST_MEMORY >> 20)? << 20),
            "level" => self.level = value.parse::<Level>().map_err(|error| error.to_string())?,
            "multipv" => self.multi_pv = number(1, MOST_LINES)? as usize,
            "seed" => self.seed = number(0, MOST)?,
            _ => {
                return Err(format!(
                    "setoption: expected Game, Threads, Memory, Level, MultiPV or Seed, found `{name}`"
                ));
            }
        }
        Ok(())
    }

    fn place(&mut self, text: &str) -> Result<(), String> {
        let (position, moves) = words::position(text)?;
        let query =
            Query { play: moves.map(str::to_owned), throw: None, ..Query::new(self.query.game, position) };
        posed(&self.engine, &query)?;
        self.query = query;
        Ok(())
    }

    fn throw(&mut self, text: &str) -> Result<(), String> {
        let expected = || format!("throw: expected the score of a throw, found `{}`", text.trim());
        let query = Query { throw: Some(text.trim().parse().map_err(|_| expected())?), ..self.query.clone() };
        posed(&self.engine, &query)?;
        self.query = query;
        Ok(())
    }

    /// Starts a search; one `bestmove` answers it even if some words are wrong.
    fn go(&mut self, text: &str) -> io::Result<()> {
        self.stop()?;
        let (go, mut faults) = Go::read(text);
        let posed = posed(&self.engine, &self.query).map_err(|fault| faults.push(fault));
        let faults: String =
            faults.into_iter().map(|fault| format!("info string error: {fault}\n")).collect();
        let Ok(posed) = posed else { return say(&format!("{faults}bestmove (none)")) };
        if !faults.is_empty() {
            say(faults.trim_end())?;
        }
        let limits = Limits {
            time: Some(go.time(posed.turn() as usize, !posed.has_throws()).unwrap_or(FOR_EVER)),
            nodes: go.nodes,
            threads: Some(self.threads),
            memory: Some(self.memory),
            ..Limits::default()
        };
        let task = SearchTask {
            engine: Arc::clone(&self.engine),
            posed,
            throw: self.query.throw,
            opponent: Opponent { level: self.level, seed: self.seed },
            limits,
            multi_pv: self.multi_pv,
            depth: go.depth,
            infinite: go.infinite,
        };
        let hurried = self.input.ended().load(Ordering::Relaxed);
        self.search = Some(RunningSearch::begin(task, hurried, self.input.teller()));
        Ok(())
    }

    fn stop(&mut self) -> io::Result<()> {
        self.search.take().map_or(Ok(()), |search| search.call_in(TO_STOP))
    }

    fn answer(&self, what: &str) -> Result<(), Trouble> {
        let posed = posed(&self.engine, &self.query)?;
        let said = match what {
            "p1turn" => (posed.turn() == Player::First).to_string(),
            "gameover" => self.result(&posed)?.is_some().to_string(),
            "result" => self.result(&posed)?.unwrap_or("none").to_owned(),
            other => {
                let expected = "query: expected p1turn, gameover or result";
                return Err(Trouble::Refused(format!("{expected}, found `{other}`")));
            }
        };
        Ok(say(&format!("response {said}"))?)
    }

    /// The result, if the game is over.
    fn result(&self, posed: &Posed) -> Result<Option<&'static str>, String> {
        let end = throws::end(&self.engine, posed).map_err(|error| causes(&error).to_string())?;
        Ok(end.map(|end| match end {
            FinalResult::Drawn => "draw",
            FinalResult::Won(Player::First) => "p1win",
            FinalResult::Won(Player::Second) => "p2win",
        }))
    }
}

/// Reads the position of a query.
fn posed(engine: &Engine, query: &Query) -> Result<Posed, String> {
    engine.registry().pose(query).map_err(|error| causes(&error).to_string())
}
