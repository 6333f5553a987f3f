//! Ctrl-C: the first one lets the work stop cleanly, the second one stops at once.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once, OnceLock};

use crate::exit::{CommandEnd, CommandFailure};
use crate::remark::remark;

static STOP: AtomicBool = AtomicBool::new(false);
static IDLE: AtomicBool = AtomicBool::new(false);
static WORDS: OnceLock<Option<&str>> = OnceLock::new();
static ACT: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

/// The message at the first Ctrl-C.
const AGAIN: &str = "stopping; press Ctrl-C again to stop at once";

/// The flag that the first Ctrl-C sets; the first call installs the handler.
pub(crate) fn flag() -> &'static AtomicBool {
    static CAUGHT: Once = Once::new();
    CAUGHT.call_once(|| {
        if let Err(error) = ctrlc::set_handler(on_signal) {
            remark(&format!("warning: Ctrl-C will stop at once, without keeping anything: {error}"));
        }
    });
    &STOP
}

/// Replaces the message at the first Ctrl-C; `None` if another process prints it.
#[cfg(feature = "mpi")]
pub(crate) fn say(words: Option<&'static str>) {
    // Set once: a process runs one command.
    let _ = WORDS.set(words);
}

/// Catches Ctrl-C; at the first one `act` runs on another thread instead of the message being printed.
pub(crate) fn call(act: impl Fn() + Send + Sync + 'static) {
    // Set once: a process runs one command.
    let _ = ACT.set(Box::new(act));
    flag();
}

/// Whether Ctrl-C was pressed.
pub(crate) fn stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// The ending of a command that may have reached a limit or was stopped by Ctrl-C.
///
/// * `known`: whether there is an answer.
pub(crate) fn ending(known: bool) -> CommandEnd {
    match (known, stopped()) {
        (true, _) => CommandEnd::Answered,
        (false, true) => CommandEnd::Interrupted,
        (false, false) => CommandEnd::LimitReached,
    }
}

/// Becomes true at SIGTERM, which also sets the flag of Ctrl-C: the regular end of a service.
pub(crate) fn terminated() -> Result<Arc<AtomicBool>, CommandFailure> {
    // The handler of Ctrl-C comes first: the later handler calls the earlier one, not vice versa.
    flag();
    let terminated = Arc::default();
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGTERM, Arc::clone(&terminated))
        .map_err(|error| CommandFailure::failed(format!("SIGTERM cannot be caught: {error}")))?;
    Ok(terminated)
}

/// From now on a write past the user's file size limit (`ulimit -f`) fails, as on a full disk, instead of ending the
/// program without its answer.
pub(crate) fn outlive_large_files() {
    #[cfg(unix)]
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()) {
        remark(&format!("warning: a file over the size limit will end the program: {error}"));
    }
}

/// Returns the result of `wait`. Meanwhile there is no work to keep, so one Ctrl-C is enough.
pub(crate) fn idle<T>(wait: impl FnOnce() -> T) -> T {
    // At least one of this thread and the handler sees the store of the other, so no Ctrl-C is lost between the check
    // of the flag and the wait.
    IDLE.store(true, Ordering::SeqCst);
    if STOP.load(Ordering::SeqCst) {
        process::exit(i32::from(CommandEnd::Interrupted.code()));
    }
    let waited = wait();
    IDLE.store(false, Ordering::SeqCst);
    waited
}

fn on_signal() {
    let again = STOP.swap(true, Ordering::SeqCst);
    if again || IDLE.load(Ordering::SeqCst) {
        process::exit(i32::from(CommandEnd::Interrupted.code()));
    }
    if let Some(act) = ACT.get() {
        act();
    } else if let Some(words) = WORDS.get().copied().unwrap_or(Some(AGAIN)) {
        remark(words);
    }
}
