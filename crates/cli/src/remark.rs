//! Standard error, for everything but the answer.

use std::io::{self, Write as _};

use crate::log;

/// Says something beside the answer, on standard error.
pub(crate) fn remark(text: &str) {
    log::line(&anstream::adapter::strip_str(text).to_string());
    // Where standard error is closed there is nobody to tell.
    let _: io::Result<()> = writeln!(anstream::stderr().lock(), "{text}");
}
