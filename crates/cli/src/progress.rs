//! Progress on standard error: a bar on a terminal, otherwise a line every few seconds.

use std::io::{IsTerminal as _, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use marquis_engine::{Control, Progress};

use crate::value_texts::count;
use crate::{interrupt, log, output};

/// Work that ends sooner shows no bar.
const PATIENCE: Duration = Duration::from_millis(400);
/// The time between two lines without a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(4);

/// Returns the result of `work`, with progress on standard error; Ctrl-C stops it.
pub(crate) fn watched<T>(work: impl FnOnce(&Control<'_>) -> T) -> T {
    watched_and_noted(|_| {}, work)
}

/// The same; `note` receives every report, more than are shown.
pub(crate) fn watched_and_noted<T>(
    note: impl Fn(&Progress) + Sync + Send,
    work: impl FnOnce(&Control<'_>) -> T,
) -> T {
    let watch = ProgressWatch::new();
    let show = |progress: &Progress| {
        watch.show(progress);
        note(progress);
    };
    let done = work(&Control::new(interrupt::flag(), show));
    watch.clear();
    done
}

/// Shows the progress of some work.
pub(crate) struct ProgressWatch {
    start: Instant,
    shown: Mutex<ProgressDisplay>,
    /// When a line was last logged while a bar was shown.
    kept: Mutex<Instant>,
}

enum ProgressDisplay {
    Bar(Option<Bar>),
    Lines { last: Instant },
}

struct Bar {
    bar: ProgressBar,
    phase: String,
}

impl ProgressWatch {
    /// Shows nothing before the first report.
    pub(crate) fn new() -> Self {
        let start = Instant::now();
        let shown = if stderr().is_terminal() {
            ProgressDisplay::Bar(None)
        } else {
            ProgressDisplay::Lines { last: start }
        };
        Self { start, shown: Mutex::new(shown), kept: Mutex::new(start) }
    }

    /// Shows the current progress.
    pub(crate) fn show(&self, progress: &Progress) {
        // Another thread is showing a report that is as recent.
        let Ok(mut shown) = self.shown.try_lock() else { return };
        match &mut *shown {
            ProgressDisplay::Bar(None) if self.start.elapsed() < PATIENCE => {}
            ProgressDisplay::Bar(bar) => {
                bar.get_or_insert_with(Bar::new).show(progress);
                self.keep(progress);
            }
            ProgressDisplay::Lines { last } if last.elapsed() < BETWEEN_LINES => {}
            ProgressDisplay::Lines { last } => {
                *last = Instant::now();
                output::remark(&line(progress, self.start.elapsed()));
            }
        }
    }

    /// Logs a line for the bar every few seconds, if a log is open.
    fn keep(&self, progress: &Progress) {
        let Ok(mut kept) = self.kept.lock() else { return };
        if log::is_open() && kept.elapsed() >= BETWEEN_LINES {
            *kept = Instant::now();
            log::line(&line(progress, self.start.elapsed()));
        }
    }

    /// Removes the bar.
    pub(crate) fn clear(&self) {
        let shown = self.shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let ProgressDisplay::Bar(Some(Bar { bar, .. })) = &*shown {
            bar.finish_and_clear();
        }
    }
}

impl Bar {
    fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(150));
        Self { bar, phase: String::new() }
    }

    fn show(&mut self, progress: &Progress) {
        if self.phase != progress.phase {
            self.phase.clone_from(&progress.phase);
            self.bar.reset_eta();
            let template = match progress.total {
                Some(_) => "{msg} [{bar:30}] {human_pos}/{human_len} ({percent} %), {eta} left",
                None => "{spinner} {msg} {human_pos}, {elapsed}",
            };
            let style = ProgressStyle::with_template(template);
            self.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
        }
        if let Some(total) = progress.total {
            self.bar.set_length(total);
        }
        self.bar.set_position(progress.done);
        self.bar.set_message(format!("{}{}", progress.phase, bounds(progress)));
    }
}

fn line(progress: &Progress, elapsed: Duration) -> String {
    let done = match progress.total {
        Some(total) if total > 0 => {
            let percent = progress.done as f64 * 100.0 / total as f64;
            format!("{} of {} ({percent:.0} %)", count(progress.done), count(total))
        }
        _ => count(progress.done),
    };
    format!("{}{}: {done}, {} s", progress.phase, bounds(progress), elapsed.as_secs())
}

/// The known bounds, as an addition to the phase.
fn bounds(progress: &Progress) -> String {
    match progress.bounds {
        Some(bounds) if bounds.worst == bounds.best => format!(" ({})", bounds.best.name()),
        Some(bounds) => format!(" ({} to {})", bounds.worst.name(), bounds.best.name()),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_done_of_how_much() {
        let progress =
            Progress { phase: "layer 4v3".to_owned(), done: 1500, total: Some(6000), bounds: None };
        assert_eq!(line(&progress, Duration::from_secs(9)), "layer 4v3: 1,500 of 6,000 (25 %), 9 s");
    }
}
