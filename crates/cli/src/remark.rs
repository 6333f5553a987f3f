//! Standard error, for everything but the answer.

use std::io::{self, Write as _};

/// Says something beside the answer, on standard error.
pub(crate) fn remark(text: &str) {
    // Where standard error is closed there is nobody to tell.
    let _: io::Result<()> = writeln!(anstream::stderr().lock(), "{text}");
}
