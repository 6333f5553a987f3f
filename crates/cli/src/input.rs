//! Standard input of a command that talks with somebody: its lines, its end, and Ctrl-C, in the order in which they come.

use std::io::{self, stdin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use crate::exit::{Ending, Failure};
use crate::interrupt;
use crate::lines::{Lines, Unreadable};

/// Lines that are read before somebody asks for them: few, for each may be as long as a line can be.
const AHEAD: usize = 16;

/// What comes from outside.
#[derive(Debug)]
pub(crate) enum Heard {
    /// A line without its end.
    Line(Result<String, Unreadable>),
    /// The end of the conversation.
    End,
    /// Ctrl-C or SIGTERM.
    Interrupted,
}

/// What a thread of its own hears while the command works.
pub(crate) struct Input {
    heard: Receiver<io::Result<Heard>>,
    tell: SyncSender<io::Result<Heard>>,
    is_ended: Arc<AtomicBool>,
}

impl Input {
    /// Begins to read; from now on the first Ctrl-C is heard here. For one input a process.
    ///
    /// * `patience`: how long after the first Ctrl-C the process ends whatever it does; `None` waits for the second.
    pub(crate) fn listen(patience: Option<Duration>) -> Self {
        let (tell, heard) = sync_channel(AHEAD);
        let is_ended = Arc::new(AtomicBool::new(false));
        let of_signals = tell.clone();
        interrupt::call(move || {
            // Where there is no room the flag says so when the next line is asked for.
            let _ = of_signals.try_send(Ok(Heard::Interrupted));
            if let Some(patience) = patience {
                thread::sleep(patience);
                std::process::exit(i32::from(Ending::Interrupted.code()));
            }
        });
        let (of_lines, ended) = (tell.clone(), Arc::clone(&is_ended));
        thread::spawn(move || {
            for line in Lines::of(stdin().lock()) {
                let is_failed = line.is_err();
                if of_lines.send(line.map(Heard::Line)).is_err() || is_failed {
                    return;
                }
            }
            ended.store(true, Ordering::Relaxed);
            // Nobody is left to be told where the command has ended.
            let _ = of_lines.send(Ok(Heard::End));
        });
        Self { heard, tell, is_ended }
    }

    /// What comes next.
    ///
    /// # Errors
    /// Standard input cannot be read.
    pub(crate) fn next(&self) -> Result<Heard, Failure> {
        let heard = self.heard.recv().unwrap_or(Ok(Heard::End));
        if interrupt::stopped() {
            return Ok(Heard::Interrupted);
        }
        heard.map_err(|error| Failure::failed(format!("standard input cannot be read: {error}")))
    }

    /// Whether the end of standard input was read; lines before it may still be heard.
    pub(crate) fn ended(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_ended)
    }

    /// Who else may say that the conversation is over.
    pub(crate) fn teller(&self) -> SyncSender<io::Result<Heard>> {
        self.tell.clone()
    }
}
