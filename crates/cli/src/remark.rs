//! Standard error, for everything but the answer.

use std::io::{self, Write as _};

use crate::log;

/// Prints a message on standard error and logs it.
pub(crate) fn remark(text: &str) {
    log::line(&anstream::adapter::strip_str(text).to_string());
    // If standard error is closed, nobody reads the message.
    let _: io::Result<()> = writeln!(anstream::stderr().lock(), "{text}");
}
