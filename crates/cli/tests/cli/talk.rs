//! A `marquis ugi` process: counts the answers that it owes and measures how soon it ends.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::str;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::Place;
use crate::running::Running;

/// Longer than any answer takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The maximum number of bytes of a line.
const LONGEST: usize = 1 << 20;

/// How a conversation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// `quit`.
    Quit,
    /// The end of its input.
    Input,
    /// Its output is closed.
    Output,
    /// SIGTERM.
    Signal,
}

/// All of them.
pub(crate) const ENDS: [End; 4] = [End::Quit, End::Input, End::Output, End::Signal];

/// How a conversation ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    /// From the end of the conversation to the end of the process.
    pub(crate) after: Duration,
}

/// One process, with its requests and answers.
pub(crate) struct Talk {
    child: Running,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Whether the reader closes the output at the next `readyok`.
    leaves: Arc<AtomicBool>,
    /// The numbers of searches and of `isready` that were requested; below, those answered.
    asked: [usize; 2],
    came: [usize; 2],
    _place: Place,
}

impl Talk {
    pub(crate) fn begin(arguments: &[&str]) -> Self {
        let place = Place::new();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("marquis"));
        command.current_dir(place.path()).env_remove("MARQUIS_TABLES").arg("ugi").args(arguments);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = Running(piped.spawn().expect("it starts"));
        let leaves = Arc::new(AtomicBool::new(false));
        let lines = reader(child.stdout.take().expect("piped"), Arc::clone(&leaves));
        let input = child.stdin.take();
        Self { child, input, lines, leaves, asked: [0; 2], came: [0; 2], _place: place }
    }

    /// Sends a line of any bytes.
    pub(crate) fn say(&mut self, line: impl AsRef<[u8]>) {
        let line = line.as_ref();
        // A longer line, or one that is not text, is refused as a whole.
        let text = str::from_utf8(line).ok().filter(|line| line.len() <= LONGEST);
        let word = text.and_then(|line| line.split_whitespace().next());
        let place = ["go", "isready"].iter().position(|owed| word == Some(owed));
        if let Some(place) = place {
            self.asked[place] += 1;
        }
        let input = self.input.as_mut().expect("it is not over");
        input.write_all(&[line, b"\n"].concat()).expect("it listens");
    }

    /// The next line; `None` at the end of its output.
    pub(crate) fn hear(&mut self) -> Option<String> {
        let line = match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {
                panic!("no answer: asked {:?}, came {:?}", self.asked, self.came)
            }
        };
        self.came[0] += usize::from(line.starts_with("bestmove "));
        self.came[1] += usize::from(line == "readyok");
        Some(line)
    }

    /// The answers to these lines, then `quit`; waits for a finite search.
    pub(crate) fn answers(mut self, lines: &[&str]) -> Vec<String> {
        let mut heard = Vec::new();
        for line in lines {
            self.say(line);
            let has_end = line.starts_with("go") && !line.contains("infinite");
            while has_end && self.came[0] < self.asked[0] {
                heard.push(self.hear().expect("it is still there"));
            }
        }
        self.say("quit");
        while let Some(line) = self.hear() {
            heard.push(line);
        }
        assert_eq!(self.child.wait().expect("it has ended").code(), Some(0), "{lines:?}");
        heard
    }

    /// Asks whether it is ready, and reads all lines up to the answer.
    pub(crate) fn ready(&mut self) {
        self.say("isready");
        while self.came[1] < self.asked[1] {
            if self.hear().is_none() {
                panic!("it has ended: {:?}", self.child.wait());
            }
        }
    }

    /// Stops it, and checks that each requested search had one answer.
    #[track_caller]
    pub(crate) fn settle(&mut self) {
        self.say("stop");
        self.ready();
        assert_eq!(self.came, self.asked, "searches and answers to isready");
    }

    /// Ends the conversation, possibly during a search.
    ///
    /// Panics if a requested search lacks an answer that could have been read.
    #[track_caller]
    pub(crate) fn end(mut self, end: End) -> Ended {
        // All earlier output was read, and only the last answer to `isready` is due.
        self.ready();
        self.leaves.store(end == End::Output, Ordering::SeqCst);
        self.ready();
        let over = match end {
            End::Quit => {
                let begun = Instant::now();
                self.say("quit");
                begun
            }
            End::Input => {
                let begun = Instant::now();
                self.input = None;
                begun
            }
            End::Signal => {
                let sent = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
                assert!(sent.expect("kill is there").success());
                Instant::now()
            }
            // Since the last `readyok`.
            End::Output => Instant::now(),
        };
        let after = self.outlived(over);
        while self.hear().is_some() {}
        if end != End::Output {
            assert_eq!(self.came, self.asked, "searches and answers to isready, after {end:?}");
        }
        Ended { code: self.child.wait().expect("it has ended").code(), after }
    }

    /// How long after this time it ends; panics if it does not.
    fn outlived(&mut self, over: Instant) -> Duration {
        while self.child.try_wait().expect("it can be waited for").is_none() {
            assert!(over.elapsed() < PATIENCE, "it does not end");
            thread::sleep(Duration::from_millis(1));
        }
        over.elapsed()
    }
}

/// A thread that reads all output, so that neither side waits for the other.
fn reader(output: ChildStdout, leaves: Arc<AtomicBool>) -> Receiver<String> {
    let (send, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            let line = line.expect("UTF-8");
            let is_last = line == "readyok" && leaves.load(Ordering::SeqCst);
            if send.send(line).is_err() || is_last {
                break;
            }
        }
    });
    lines
}
