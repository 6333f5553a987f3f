//! Ctrl-C: the first one lets the work put itself in order, the second one stops at once.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once, OnceLock};

use crate::exit::{Ending, Failure};
use crate::remark::remark;

static STOP: AtomicBool = AtomicBool::new(false);
static IDLE: AtomicBool = AtomicBool::new(false);
static WORDS: OnceLock<Option<&str>> = OnceLock::new();
static ACT: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

/// What is said on the first Ctrl-C.
const AGAIN: &str = "stopping; press Ctrl-C again to stop at once";

/// The flag that the first Ctrl-C sets; from the first call on Ctrl-C is caught.
pub(crate) fn flag() -> &'static AtomicBool {
    static CAUGHT: Once = Once::new();
    CAUGHT.call_once(|| {
        if let Err(error) = ctrlc::set_handler(on_signal) {
            remark(&format!("warning: Ctrl-C will stop at once, without keeping anything: {error}"));
        }
    });
    &STOP
}

/// What is said on the first Ctrl-C instead of that it may be pressed again; nothing where another process says it.
#[cfg(feature = "mpi")]
pub(crate) fn say(words: Option<&'static str>) {
    // Said by the first command, and a process has one.
    let _ = WORDS.set(words);
}

/// Catches Ctrl-C, and calls `act` at the first one instead of saying that it may be pressed again; on a thread of its own.
pub(crate) fn call(act: impl Fn() + Send + Sync + 'static) {
    // Only one command waits for input, and a process has one.
    let _ = ACT.set(Box::new(act));
    flag();
}

/// Whether Ctrl-C was pressed.
pub(crate) fn stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// The ending of a command that may have run into a limit or into Ctrl-C.
///
/// * `known`: whether there is an answer.
pub(crate) fn ending(known: bool) -> Ending {
    match (known, stopped()) {
        (true, _) => Ending::Answered,
        (false, true) => Ending::Interrupted,
        (false, false) => Ending::LimitReached,
    }
}

/// Becomes true with SIGTERM, which sets the flag of Ctrl-C too: the regular end of a service.
pub(crate) fn terminated() -> Result<Arc<AtomicBool>, Failure> {
    // First the handler of Ctrl-C: the second one calls the first, and not the other way round.
    flag();
    let terminated = Arc::default();
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGTERM, Arc::clone(&terminated))
        .map_err(|error| Failure::failed(format!("SIGTERM cannot be caught: {error}")))?;
    Ok(terminated)
}

/// From now on a file that grows past the user's limit (`ulimit -f`) fails to be written, as on a full disk, instead
/// of ending the program without its answer.
pub(crate) fn outlive_large_files() {
    #[cfg(unix)]
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()) {
        remark(&format!("warning: a file past the limit of its size will end the program: {error}"));
    }
}

/// What `wait` returns; meanwhile nothing is computed that could be kept, so that one Ctrl-C is enough.
pub(crate) fn idle<T>(wait: impl FnOnce() -> T) -> T {
    // Of this thread and the handler at least one sees what the other has just set, so that no Ctrl-C is lost between
    // the last look at the flag and the waiting.
    IDLE.store(true, Ordering::SeqCst);
    if STOP.load(Ordering::SeqCst) {
        process::exit(i32::from(Ending::Interrupted.code()));
    }
    let waited = wait();
    IDLE.store(false, Ordering::SeqCst);
    waited
}

fn on_signal() {
    let again = STOP.swap(true, Ordering::SeqCst);
    if again || IDLE.load(Ordering::SeqCst) {
        process::exit(i32::from(Ending::Interrupted.code()));
    }
    if let Some(act) = ACT.get() {
        act();
    } else if let Some(words) = WORDS.get().copied().unwrap_or(Some(AGAIN)) {
        remark(words);
    }
}
