//! Progress on standard error: a bar on a terminal, a line every few seconds elsewhere.

use std::io::IsTerminal as _;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use marquis_engine::{Control, Progress};

use crate::interrupt::STOP;

/// Between two lines where there is no terminal.
const EVERY: Duration = Duration::from_secs(3);

/// A control that stops on Ctrl-C and shows progress.
pub(crate) fn control() -> Control<'static> {
    let shown = Mutex::new(Shown::new());
    Control::new(&STOP, move |progress| {
        if let Ok(mut shown) = shown.lock() {
            shown.show(progress);
        }
    })
}

/// What tells the user how far the work is.
pub(crate) struct Shown {
    bar: Option<ProgressBar>,
    last: Instant,
}

impl Shown {
    pub(crate) fn new() -> Self {
        let bar = std::io::stderr().is_terminal().then(ProgressBar::no_length);
        Self { bar, last: Instant::now() }
    }

    pub(crate) fn show(&mut self, progress: &Progress) {
        match &self.bar {
            Some(bar) => show_bar(bar, progress),
            None if self.last.elapsed() >= EVERY => {
                self.last = Instant::now();
                anstream::eprintln!("{}", line(progress));
            }
            None => {}
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn show_bar(bar: &ProgressBar, progress: &Progress) {
    let template = match progress.total {
        Some(total) => {
            bar.set_length(total.max(1));
            "{msg} {wide_bar} {human_pos}/{human_len} {elapsed}"
        }
        None => "{spinner} {msg} {human_pos} {elapsed}",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(message(progress));
    bar.set_position(progress.done);
}

fn message(progress: &Progress) -> String {
    match progress.bounds {
        Some(bounds) => format!("{} [{}..{}]", progress.phase, bounds.worst, bounds.best),
        None => progress.phase.clone(),
    }
}

fn line(progress: &Progress) -> String {
    match progress.total {
        Some(total) => format!("{}: {} of {total}", message(progress), progress.done),
        None => format!("{}: {}", message(progress), progress.done),
    }
}
