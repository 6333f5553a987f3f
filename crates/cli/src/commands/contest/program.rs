//! Another program as a player, driven by the Universal Game Interface.

use std::fmt;
use std::io::{BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use marquis_core::GameId;
use marquis_engine::Limits;

use crate::exit::CommandFailure;
use crate::interrupt;
use crate::lines::Lines;

/// How long a program may take to start, and again to become ready.
const TO_BEGIN: Duration = Duration::from_secs(10);
/// A move may exceed its time by this multiple of it, plus [`LENIENCE`].
const OVERTIME: u32 = 4;
const LENIENCE: Duration = Duration::from_secs(5);
/// The time limit of a move if positions are counted, not time.
const UNTIMED: Duration = Duration::from_secs(600);
/// Ctrl-C is noticed within this time.
const PACE: Duration = Duration::from_millis(50);
/// How long a program may take to exit after `quit`.
const FAREWELL: Duration = Duration::from_secs(2);
/// The capacity of the queue of lines in each direction.
const WAITING: usize = 16;

/// The command that starts a program, split into words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Program(Vec<String>);

impl Program {
    /// The command of a text, split into words as a shell does, or a file of that name; `None` if there is no word or
    /// a quote is not closed.
    pub(super) fn of(command: &str) -> Option<Self> {
        let command = command.trim();
        let words =
            if Path::new(command).is_file() { Some(vec![command.to_owned()]) } else { shlex::split(command) };
        words.filter(|words| !words.is_empty()).map(Self)
    }
}

impl fmt::Display for Program {
    /// The words, quoted as a shell requires.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = shlex::try_join(self.0.iter().map(String::as_str));
        f.write_str(&quoted.unwrap_or_else(|_| self.0.join(" ")))
    }
}

/// The state of the game in which a move is requested.
pub(super) struct MoveRequest<'a> {
    /// The position at which the game between the players starts.
    pub(super) opening: &'a str,
    /// The moves since then.
    pub(super) moves: &'a [String],
    pub(super) throw: Option<u8>,
}

/// A running program; ended when dropped.
pub(super) struct Conversation {
    program: String,
    process: Child,
    /// Lines to the program; `None` once it has to end.
    input: Option<SyncSender<String>>,
    lines: Receiver<String>,
}

impl Conversation {
    /// Starts a program and prepares it for a game; `None` after Ctrl-C.
    ///
    /// Sets its options Game, Threads and Memory, if it has them.
    ///
    /// # Errors
    /// It cannot be started, ends, or does not say that it is ready.
    pub(super) fn begin(
        program: &Program,
        game: GameId,
        limits: &Limits,
    ) -> Result<Option<Self>, CommandFailure> {
        let mut own = Self::start(program)?;
        own.say("ugi")?;
        let mut options = Vec::new();
        let hear = |line: &str| {
            options.extend(line.strip_prefix("option name ").map(str::to_owned));
            (line == "ugiok").then_some(())
        };
        if own.wait("ugiok", TO_BEGIN, hear)?.is_none() {
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
        let ready = own.wait("readyok", TO_BEGIN, |line| (line == "readyok").then_some(()))?;
        Ok(ready.map(|()| own))
    }

    /// The move that the program plays, as it writes it; `None` after Ctrl-C.
    ///
    /// # Errors
    /// The program has ended, or does not move in time.
    pub(super) fn choose(
        &mut self,
        asked: &MoveRequest<'_>,
        limits: &Limits,
    ) -> Result<Option<String>, CommandFailure> {
        let MoveRequest { opening, moves, throw } = asked;
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.say(&format!("position fen {opening}{moves}"))?;
        if let Some(throw) = throw {
            self.say(&format!("throw {throw}"))?;
        }
        let nodes = limits.nodes.map_or_else(String::new, |nodes| format!(" nodes {nodes}"));
        let time =
            limits.time.map_or_else(String::new, |time| format!(" movetime {}", time.as_millis().max(1)));
        self.say(&format!("go{nodes}{time}"))?;
        let patience =
            limits.time.map_or(UNTIMED, |time| time.saturating_mul(1 + OVERTIME).saturating_add(LENIENCE));
        self.wait("bestmove MOVE", patience, |line| line.strip_prefix("bestmove ").map(first_word))
    }

    fn start(program: &Program) -> Result<Self, CommandFailure> {
        let Program(words) = program;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C is for the match, which then ends the program.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let failed = |what: &str| CommandFailure::failed(format!("ugi:{program}: cannot be started: {what}"));
        let mut process = command.spawn().map_err(|error| failed(&error.to_string()))?;
        let (input, output) =
            process.stdin.take().zip(process.stdout.take()).ok_or_else(|| failed("no pipes"))?;
        Ok(Self { program: program.to_string(), process, input: Some(writer(input)), lines: reader(output) })
    }

    fn say(&mut self, line: &str) -> Result<(), CommandFailure> {
        let input = self.input.as_ref().ok_or_else(|| self.failed("has already received `quit`"))?;
        input.try_send(format!("{line}\n")).map_err(|error| {
            let why = match error {
                TrySendError::Full(_) => "does not read its input",
                TrySendError::Disconnected(_) => "has closed its input",
            };
            self.failed(&format!("expected to take `{line}`, {why}"))
        })
    }

    /// The result of `hear` for the first line that it accepts; `None` after Ctrl-C.
    fn wait<T>(
        &self,
        expected: &str,
        patience: Duration,
        mut hear: impl FnMut(&str) -> Option<T>,
    ) -> Result<Option<T>, CommandFailure> {
        let begun = Instant::now();
        let mut last = String::from("nothing");
        while !interrupt::stopped() {
            let left = patience.saturating_sub(begun.elapsed());
            let why = match self.lines.recv_timeout(PACE.min(left)) {
                Ok(line) => match hear(&line) {
                    Some(heard) => return Ok(Some(heard)),
                    None => {
                        last = format!("`{}`", shortened(&line));
                        // The time limit holds however much the program writes.
                        if !left.is_zero() {
                            continue;
                        }
                        format!("and no more in {} s", patience.as_secs_f64())
                    }
                },
                Err(RecvTimeoutError::Disconnected) => "then its end".to_owned(),
                Err(RecvTimeoutError::Timeout) if !left.is_zero() => continue,
                Err(RecvTimeoutError::Timeout) => format!("then nothing for {} s", patience.as_secs_f64()),
            };
            return Err(self.failed(&format!("expected `{expected}`, found {last}, {why}")));
        }
        Ok(None)
    }

    /// An error of this program.
    pub(super) fn failed(&self, what: &str) -> CommandFailure {
        CommandFailure::failed(format!("ugi:{}: {what}", self.program))
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // The program may have exited already; otherwise it must.
        let _ = self.say("quit");
        // Closes the program's input after `quit`.
        self.input = None;
        let begun = Instant::now();
        while begun.elapsed() < FAREWELL {
            match self.process.try_wait() {
                Ok(None) => thread::sleep(PACE),
                _ => return,
            }
        }
        // The whole process group: killing a script would not end the program that it runs.
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.process.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A thread that writes lines to a program, so that a program that does not read blocks nobody.
fn writer(mut input: ChildStdin) -> SyncSender<String> {
    let (send, lines) = sync_channel::<String>(WAITING);
    thread::spawn(move || {
        for line in lines {
            if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
                break;
            }
        }
    });
    send
}

/// The lines of a program, in a bounded queue; an unreadable line is replaced by its error, which matches no command.
fn reader(output: ChildStdout) -> Receiver<String> {
    let (send, lines) = sync_channel(WAITING);
    thread::spawn(move || {
        for line in Lines::of(BufReader::new(output)).map_while(Result::ok) {
            let line = line.map_or_else(|unreadable| unreadable.to_string(), |line| line.trim().to_owned());
            if send.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// The beginning of a line, for an error message.
fn shortened(line: &str) -> String {
    const QUOTED: usize = 60;
    let mut letters = line.chars();
    let begun: String = letters.by_ref().take(QUOTED).flat_map(char::escape_debug).collect();
    if letters.next().is_some() { begun + "…" } else { begun }
}

fn first_word(text: &str) -> String {
    text.split_whitespace().next().unwrap_or_default().to_owned()
}
