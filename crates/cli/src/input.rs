//! Standard input of an interactive command: its lines, its end, and Ctrl-C, in order of arrival.

use std::io::{self, stdin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use crate::exit::{CommandEnd, CommandFailure};
use crate::interrupt;
use crate::lines::{Lines, Unreadable};

/// Lines that are read ahead: few, because each may have the maximum length.
const AHEAD: usize = 16;

/// An event from outside.
#[derive(Debug)]
pub(crate) enum Heard {
    /// A line without its end.
    Line(Result<String, Unreadable>),
    /// The end of the conversation.
    End,
    /// Ctrl-C or SIGTERM.
    Interrupted,
}

/// The events that a separate thread receives while the command works.
pub(crate) struct Input {
    heard: Receiver<io::Result<Heard>>,
    tell: SyncSender<io::Result<Heard>>,
    is_ended: Arc<AtomicBool>,
}

impl Input {
    /// Starts to read; from now on the first Ctrl-C arrives here. A process has one input.
    ///
    /// * `patience`: how long after the first Ctrl-C the process exits in any case; `None` waits for the second.
    pub(crate) fn listen(patience: Option<Duration>) -> Self {
        let (tell, heard) = sync_channel(AHEAD);
        let is_ended = Arc::new(AtomicBool::new(false));
        let of_signals = tell.clone();
        interrupt::call(move || {
            // If the queue is full, the flag reports the signal when the next line is requested.
            let _ = of_signals.try_send(Ok(Heard::Interrupted));
            if let Some(patience) = patience {
                thread::sleep(patience);
                std::process::exit(i32::from(CommandEnd::Interrupted.code()));
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
            // If the command has ended, nobody receives this.
            let _ = of_lines.send(Ok(Heard::End));
        });
        Self { heard, tell, is_ended }
    }

    /// The next event.
    ///
    /// # Errors
    /// Standard input cannot be read.
    pub(crate) fn next(&self) -> Result<Heard, CommandFailure> {
        let heard = self.heard.recv().unwrap_or(Ok(Heard::End));
        if interrupt::stopped() {
            return Ok(Heard::Interrupted);
        }
        heard.map_err(|error| CommandFailure::failed(format!("standard input cannot be read: {error}")))
    }

    /// Whether the end of standard input was read; lines before it may still be queued.
    pub(crate) fn ended(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_ended)
    }

    /// A sender with which other threads can end the conversation.
    pub(crate) fn teller(&self) -> SyncSender<io::Result<Heard>> {
        self.tell.clone()
    }
}
