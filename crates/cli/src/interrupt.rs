//! Ctrl-C: the first one stops the work at the next checkpoint, the second one at once.

use std::sync::atomic::{AtomicBool, Ordering};

/// Set by the first Ctrl-C.
pub(crate) static STOP: AtomicBool = AtomicBool::new(false);

/// Begins to watch for Ctrl-C.
pub(crate) fn watch() {
    let handler = || {
        if STOP.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        anstream::eprintln!("marquis: stopping; what is finished is kept (Ctrl-C again stops at once)");
    };
    // Without a handler Ctrl-C ends the process, which loses no finished file either.
    let _ = ctrlc::set_handler(handler);
}

/// Whether Ctrl-C was pressed.
pub(crate) fn stopped() -> bool {
    STOP.load(Ordering::SeqCst)
}
