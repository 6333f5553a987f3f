//! Another program that plays, led by the Universal Game Interface.

use std::fmt;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use marquis_engine::{GameId, Limits};

use crate::exit::Failure;
use crate::interrupt;

/// A program that begins, or that thinks for longer than it may, is given up after so long.
const PATIENCE: Duration = Duration::from_secs(60);
/// One whose positions are counted and not its time is given up after so long.
const UNTIMED: Duration = Duration::from_secs(600);
/// Ctrl-C is noticed as soon.
const PACE: Duration = Duration::from_millis(50);
/// Time in which a program may end by itself.
const FAREWELL: Duration = Duration::from_secs(2);

/// The command that starts a program, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Program(Vec<String>);

impl Program {
    /// The command of a text, split where it has spaces; none without any word.
    pub(super) fn of(command: &str) -> Option<Self> {
        let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        (!words.is_empty()).then_some(Self(words))
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

/// Where a game is for which a move is wanted.
pub(super) struct Asked<'a> {
    /// The position from which the players play.
    pub(super) opening: &'a str,
    /// The moves since.
    pub(super) moves: &'a [String],
    pub(super) throw: Option<u8>,
}

/// A program that runs; ended when dropped.
pub(super) struct Conversation {
    program: String,
    process: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Conversation {
    /// A program that is ready to play a game; none after Ctrl-C.
    ///
    /// Of its options Game, Threads and Memory are set, as far as it has them.
    ///
    /// # Errors
    /// It cannot be started, ends, or does not say that it is ready.
    pub(super) fn begin(program: &Program, game: GameId, limits: &Limits) -> Result<Option<Self>, Failure> {
        let mut own = Self::start(program)?;
        own.say("ugi")?;
        let mut options = Vec::new();
        let hear = |line: &str| {
            options.extend(line.strip_prefix("option name ").map(str::to_owned));
            (line == "ugiok").then_some(())
        };
        if own.wait("ugiok", PATIENCE, hear)?.is_none() {
            return Ok(None);
        }
        let wanted = [
            ("Game", Some(game.name().to_owned())),
            ("Threads", limits.threads.map(|threads| threads.to_string())),
            ("Memory", limits.memory.map(|memory| (memory.0 >> 20).max(1).to_string())),
        ];
        for (name, value) in wanted {
            let has = options.iter().any(|option| option.split(' ').next() == Some(name));
            if let Some(value) = value.filter(|_| has) {
                own.say(&format!("setoption name {name} value {value}"))?;
            }
        }
        own.say("isready")?;
        let ready = own.wait("readyok", PATIENCE, |line| (line == "readyok").then_some(()))?;
        Ok(ready.map(|()| own))
    }

    /// The move that it plays, as it says it; none after Ctrl-C.
    ///
    /// # Errors
    /// It has ended, or says no move for too long.
    pub(super) fn choose(&mut self, asked: &Asked<'_>, limits: &Limits) -> Result<Option<String>, Failure> {
        let Asked { opening, moves, throw } = asked;
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.say(&format!("position fen {opening}{moves}"))?;
        if let Some(throw) = throw {
            self.say(&format!("throw {throw}"))?;
        }
        let nodes = limits.nodes.map_or_else(String::new, |nodes| format!(" nodes {nodes}"));
        let time =
            limits.time.map_or_else(String::new, |time| format!(" movetime {}", time.as_millis().max(1)));
        self.say(&format!("go{nodes}{time}"))?;
        let patience = limits.time.map_or(UNTIMED, |time| time.saturating_add(PATIENCE));
        self.wait("bestmove MOVE", patience, |line| line.strip_prefix("bestmove ").map(first_word))
    }

    fn start(program: &Program) -> Result<Self, Failure> {
        let Program(words) = program;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C is for the match, which then ends the program.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let failed = |what: &str| Failure::failed(format!("ugi:{program}: cannot be started: {what}"));
        let mut process = command.spawn().map_err(|error| failed(&error.to_string()))?;
        let (input, output) =
            process.stdin.take().zip(process.stdout.take()).ok_or_else(|| failed("no pipes"))?;
        let (told, lines) = channel();
        thread::spawn(move || {
            // A line that is no text says nothing that is understood.
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).trim().to_owned();
                if told.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { program: program.to_string(), process, input, lines })
    }

    fn say(&mut self, line: &str) -> Result<(), Failure> {
        let said = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        said.map_err(|error| self.failed(&format!("does not take `{line}`: {error}")))
    }

    /// What `hear` makes of the first line of which it makes something; none after Ctrl-C.
    fn wait<T>(
        &self,
        expected: &str,
        patience: Duration,
        mut hear: impl FnMut(&str) -> Option<T>,
    ) -> Result<Option<T>, Failure> {
        let begun = Instant::now();
        let mut last = String::from("nothing");
        while !interrupt::stopped() {
            let why = match self.lines.recv_timeout(PACE) {
                Ok(line) => match hear(&line) {
                    Some(heard) => return Ok(Some(heard)),
                    None => {
                        last = format!("`{line}`");
                        continue;
                    }
                },
                Err(RecvTimeoutError::Disconnected) => "then its end".to_owned(),
                Err(RecvTimeoutError::Timeout) if begun.elapsed() < patience => continue,
                Err(RecvTimeoutError::Timeout) => format!("then nothing for {} s", patience.as_secs()),
            };
            return Err(self.failed(&format!("expected `{expected}`, found {last}, {why}")));
        }
        Ok(None)
    }

    /// What went wrong with it.
    pub(super) fn failed(&self, what: &str) -> Failure {
        Failure::failed(format!("ugi:{}: {what}", self.program))
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // It may have ended by itself, and otherwise it has to.
        let _ = self.say("quit");
        let begun = Instant::now();
        while matches!(self.process.try_wait(), Ok(None)) && begun.elapsed() < FAREWELL {
            thread::sleep(PACE);
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn first_word(text: &str) -> String {
    text.split_whitespace().next().unwrap_or_default().to_owned()
}
