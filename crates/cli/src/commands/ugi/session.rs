//! What another program has said so far, and the search that it has asked for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use marquis_engine::{
    Control, Engine, GameId, Level, Limits, MemorySize, Opponent, Player, Posed, Query, causes,
};

use super::words::{self, Go, say};
use crate::exit::Failure;
use crate::throws::{self, End};

/// Time in which a search notices that it is to stop.
const PACE: Duration = Duration::from_millis(20);
/// What is thought on the way is not said more often.
const BETWEEN_LINES: Duration = Duration::from_millis(5);
/// What a search without an end may take.
const FOR_EVER: Duration = Duration::from_secs(7 * 24 * 3600);

/// Whether there is more to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Listen,
    Quit,
}

/// A conversation.
pub(super) struct Session {
    engine: Arc<Engine>,
    query: Query,
    threads: usize,
    memory: MemorySize,
    level: Level,
    multi_pv: usize,
    seed: u64,
    search: Option<Search>,
}

/// A search under way.
struct Search {
    stop: Arc<AtomicBool>,
    done: JoinHandle<Result<(), Failure>>,
}

impl Session {
    /// A conversation about a game from its start, or about the first of all.
    pub(super) fn new(engine: Engine, game: Option<GameId>) -> Result<Self, Failure> {
        let first = engine.registry().games().next().map(marquis_engine::Game::id);
        let game = game.or(first).ok_or_else(|| Failure::failed("there is no game"))?;
        Ok(Self {
            engine: Arc::new(engine),
            query: Query::new(game, "start"),
            threads: 1,
            memory: MemorySize(256 << 20),
            level: Level::MAX,
            multi_pv: 1,
            seed: 1,
            search: None,
        })
    }

    /// Does what a line says.
    ///
    /// # Errors
    /// What was expected in it, and what was found.
    pub(super) fn obey(&mut self, line: &str) -> Result<Next, String> {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match command {
            "" => {}
            "ugi" => self.introduce()?,
            "isready" => tell("readyok")?,
            "setoption" => self.set(rest)?,
            "uginewgame" => self.stop()?,
            "position" => self.place(rest)?,
            "throw" => self.throw(rest)?,
            "go" => self.go(rest.parse()?)?,
            "stop" => self.stop()?,
            "query" => self.answer(rest.trim())?,
            "quit" => return Ok(Next::Quit),
            other => {
                return Err(format!(
                    "expected ugi, isready, setoption, uginewgame, position, throw, go, stop, query or quit, found `{other}`"
                ));
            }
        }
        Ok(Next::Listen)
    }

    /// Waits for the search that is under way; `go infinite` ends with what it has by now.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        self.end_search()
    }

    fn introduce(&self) -> Result<(), String> {
        let games: Vec<&str> = self.engine.registry().games().map(|game| game.id().name()).collect();
        let default = self.query.game;
        tell(&format!(
            "id name Marquis {}\nid author the Marquis authors\n\
             option name Game type combo default {default} var {}\n\
             option name Threads type spin default {} min 1 max 1024\n\
             option name Memory type spin default {} min 1 max 1048576\n\
             option name Level type spin default {} min {} max {}\n\
             option name MultiPV type spin default {} min 1 max 1024\n\
             option name Seed type spin default {} min 0 max {}\nugiok",
            env!("CARGO_PKG_VERSION"),
            games.join(" var "),
            self.threads,
            self.memory.0 >> 20,
            self.level,
            Level::MIN,
            Level::MAX,
            self.multi_pv,
            self.seed,
            i64::MAX,
        ))
    }

    fn set(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = words::option(text)?;
        let number = |most: u64| {
            let number = value.parse().ok().filter(|number| (1..=most).contains(number));
            number.ok_or_else(|| format!("{name}: expected a whole number from 1 to {most}, found `{value}`"))
        };
        match name {
            "Game" => {
                let game = self.engine.registry().game(value).map_err(|error| causes(&error).to_string())?;
                self.query = Query::new(game.id(), "start");
            }
            "Threads" => self.threads = number(1024)? as usize,
            "Memory" => self.memory = MemorySize(number(1 << 20)? << 20),
            "Level" => self.level = value.parse::<Level>().map_err(|error| error.to_string())?,
            "MultiPV" => self.multi_pv = number(1024)? as usize,
            "Seed" => {
                let expected = || format!("{name}: expected a whole number, found `{value}`");
                self.seed = value.parse().map_err(|_| expected())?;
            }
            other => {
                return Err(format!(
                    "setoption: expected Game, Threads, Memory, Level, MultiPV or Seed, found `{other}`"
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

    fn go(&mut self, go: Go) -> Result<(), String> {
        self.stop()?;
        let posed = posed(&self.engine, &self.query)?;
        let limits = Limits {
            time: Some(go.time(posed.turn() as usize).unwrap_or(FOR_EVER)),
            nodes: go.nodes,
            threads: Some(self.threads),
            memory: Some(self.memory),
            ..Limits::default()
        };
        let (engine, multi_pv) = (Arc::clone(&self.engine), self.multi_pv);
        let opponent = Opponent { level: self.level, seed: self.seed };
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let think = move || {
            let begun = Instant::now();
            let paced = Paced::default();
            let control = Control::new(&stopped, |_| {}).with_looks(|look| {
                if paced.is_due() {
                    // Where nobody listens any more, the answer fails as well, and says so.
                    let _ = say(&words::look(look, begun.elapsed()));
                }
            });
            match engine.advise(&posed, opponent, &limits, &control) {
                Ok(advice) => {
                    // A search without an end says what it thinks when it is asked to.
                    while go.infinite && !stopped.load(Ordering::Relaxed) {
                        std::thread::sleep(PACE);
                    }
                    for info in words::infos(&advice.answer, &advice.mv, multi_pv, begun.elapsed()) {
                        say(&info)?;
                    }
                    say(&format!("bestmove {}", throws::in_play(&advice.mv, advice.throw)))
                }
                Err(error) => {
                    say(&format!("info string error: {}", causes(&error)))?;
                    say("bestmove (none)")
                }
            }
        };
        self.search = Some(Search { stop, done: std::thread::spawn(think) });
        Ok(())
    }

    fn stop(&mut self) -> Result<(), String> {
        if let Some(search) = &self.search {
            search.stop.store(true, Ordering::Relaxed);
        }
        self.end_search().map_err(|failure| failure.message)
    }

    fn end_search(&mut self) -> Result<(), Failure> {
        let Some(Search { done, .. }) = self.search.take() else { return Ok(()) };
        done.join().unwrap_or_else(|_| Err(Failure::failed("the search has ended without an answer")))
    }

    fn answer(&self, what: &str) -> Result<(), String> {
        let posed = posed(&self.engine, &self.query)?;
        let said = match what {
            "p1turn" => (posed.turn() == Player::First).to_string(),
            "gameover" => self.result(&posed)?.is_some().to_string(),
            "result" => self.result(&posed)?.unwrap_or("none").to_owned(),
            other => return Err(format!("query: expected p1turn, gameover or result, found `{other}`")),
        };
        tell(&format!("response {said}"))
    }

    /// Who has won, if the game is over.
    fn result(&self, posed: &Posed) -> Result<Option<&'static str>, String> {
        let end = throws::end(&self.engine, posed).map_err(|error| causes(&error).to_string())?;
        Ok(end.map(|end| match end {
            End::Drawn => "draw",
            End::Won(Player::First) => "p1win",
            End::Won(Player::Second) => "p2win",
        }))
    }
}

/// Keeps what is thought on the way from coming faster than anybody reads it.
#[derive(Default)]
struct Paced(Mutex<Option<Instant>>);

impl Paced {
    /// Whether the last line is long enough ago.
    fn is_due(&self) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| last.elapsed() >= BETWEEN_LINES);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}

/// The position of a question, read.
fn posed(engine: &Engine, query: &Query) -> Result<Posed, String> {
    engine.registry().pose(query).map_err(|error| causes(&error).to_string())
}

fn tell(line: &str) -> Result<(), String> {
    say(line).map_err(|failure| failure.message)
}
